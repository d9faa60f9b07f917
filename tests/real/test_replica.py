"""The two-regime log in a container behind an sshd: its counts, share and join come from one command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.real.fixtures import Container, Sshd
from tests.real.test_status import milepost
from tests.replicas import LAST, NEW, OLD, RESUMED, UNIQUE, text_of, two_regimes

pytestmark = pytest.mark.real


async def test_one_command_tells_segments_share_and_join_through_ssh_and_container(
    sshd: Sshd, lxc: Container, tmp_path: Path
) -> None:
    name, config = "two_regimes.jsonl", tmp_path / "config.toml"
    lxc.file(name).write_text(text_of(two_regimes(loss_of_new="ce")))
    config.write_text(
        f"""
        [runs.drafter]
        target = "{sshd.address}/{lxc.hop}:{lxc.path(name)}"
        rename = {{ ce = "loss" }}
        batches_per_epoch = 30250
        epochs = 6
        gradient_accumulation = 4
        counted_from = {RESUMED}
        derived.accept_len = {{ from = "accuracy", points = [[0.17, 3.1], [0.30, 5.2], [0.35, 6.0]] }}
        """
    )
    words = ("status", "drafter", "--json", "--finished", "--config", str(config))
    _, out, err = await milepost(*words, environment=sshd.environment)
    (run,) = json.loads(out)["runs"]
    assert (err, run["link"]["state"], run["problems"]) == ("", "ok", [])
    assert (run["entries"], run["unique_steps"], run["last_step"]) == (OLD + NEW, UNIQUE, LAST)
    assert [segment["entries"] for segment in run["segments"]] == [OLD, NEW]
    assert run["segments"][1]["join"]["clean"] is True
    assert run["progress"]["fraction"] == 1330 / 45375
    assert run["metrics"]["accept_len"]["count"] == UNIQUE
