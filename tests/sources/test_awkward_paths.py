"""A path arrives byte for byte by every way: through login shells, containers, and one container in another."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.sources.listening import read_once
from tests.sources.servers import Server, serving
from tests.sources.test_quoting import AWKWARD
from tui.sources.ssh import Connections

STAND_INS = {
    "pct": '[ "$1 $2 $3" = "exec 200 --" ] || exit 9; shift 3; exec "$@"',
    "docker": '[ "$1 $2 $3" = "exec -i trainer" ] || exit 9; shift 3; exec "$@"',
    "kubectl": '[ "$1 $2 $3 $4 $5 $6" = "exec -i -n ml pod --" ] || exit 9; shift 6; exec "$@"',
}
"""Tools that hand on their words, as the real ones do, to this machine itself."""

WAYS = {
    "this machine": "",
    "ssh": "SSH",
    "ssh, pct": "SSH/pct/200:",
    "ssh, docker": "SSH/docker/trainer:",
    "ssh, kubectl": "SSH/kubectl/ml/pod:",
    "ssh, pct, docker": "SSH/pct/200:docker/trainer:",
}

names = st.text(
    st.characters(exclude_characters="/\0", exclude_categories=["Cs"])
    | st.sampled_from("'\"$`\\%!-~*?[\n\t ;&|<>()#\udcff"),
    min_size=1,
    max_size=40,
).filter(lambda name: name not in (".", "..") and len(os.fsencode(name)) < 200)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-ins, first in PATH."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name, script in STAND_INS.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


@pytest.mark.usefixtures("tools")
@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example([name for name in AWKWARD if name and "/" not in name])
@given(st.lists(names, min_size=1, max_size=6, unique=True))
async def test_a_log_of_any_name_is_read(tmp_path: Path, way: str, logs: list[str]) -> None:
    with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
        for number, name in enumerate(logs):
            (Path(folder) / name).write_bytes(b"%d\n" % number)
        async with serving(Server(tmp_path / "server")) as server:
            connections = Connections(server.options)
            start = WAYS[way].replace("SSH", server.address)
            heard = await asyncio.gather(
                *(read_once(f"{start}{folder}/{name}", connections) for name in logs)
            )
    assert [each.data for each in heard] == [b"%d\n" % number for number in range(len(logs))]
