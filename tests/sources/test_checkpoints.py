"""What is kept in a folder is told alike by every shell and its tools, and by this machine itself."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tui.sources.checkpoints import Disk, Listing, Stored, list_checkpoints, parse_listings
from tui.sources.ssh import Connections
from tui.sources.trouble import Trouble
from tui.target import Target, parse_target

NEEDED = ("stat", "xargs", "df", "tail", "date", "env", "printf")


def fill(folder: Path) -> None:
    for step in (500, 1000):
        inner = folder / f"checkpoint-{step}" / f"global_step{step}"
        inner.mkdir(parents=True)
        (inner.parent / "model.pt").write_bytes(b"x" * step)
        (inner / "optim states.pt").write_bytes(b"x" * 7)
        for place in (inner.parent / "model.pt", inner / "optim states.pt", inner, inner.parent):
            os.utime(place, (step, step))
    (folder / "last it's ö.ckpt").write_bytes(b"xyz")
    os.utime(folder / "last it's ö.ckpt", (2000, 2000))
    (folder / "latest.pt").symlink_to("last it's ö.ckpt")
    (folder / "config.json").write_text("{}")
    (folder / "runs").mkdir()


STORED = {
    Stored("checkpoint-500", 507, 500.0, is_folder=True),
    Stored("checkpoint-1000", 1007, 1000.0, is_folder=True),
    Stored("last it's ö.ckpt", 3, 2000.0),
}


def with_tools(tmp_path: Path, shell: str, tools: str | None) -> tuple[str, ...]:
    """A prefix under which `sh` is that shell, and the tools are those of busybox or toybox."""
    if (found := shutil.which(shell)) is None:
        pytest.skip(f"{shell} is not installed")
    commands = tmp_path / "commands"
    commands.mkdir()
    (commands / "sh").symlink_to(found)
    if tools is None:
        return ("env", f"PATH={commands}:{os.environ['PATH']}")
    if (box := shutil.which(tools)) is None:
        pytest.skip(f"{tools} is not installed")
    for name in NEEDED:
        (commands / name).symlink_to(box)
    return ("env", f"PATH={commands}")


@pytest.mark.parametrize(
    ("shell", "tools"),
    [("dash", None), ("bash", None), ("mksh", None), ("busybox", "busybox"), ("dash", "toybox")],
)
async def test_a_folder_is_listed(shell: str, tools: str | None, tmp_path: Path) -> None:
    folder = tmp_path / "kept $(here)"
    fill(folder)
    target = replace(parse_target("/nowhere"), via=(with_tools(tmp_path, shell, tools),))
    (found,) = await list_checkpoints(target, str(folder), Connections())
    assert (found.folder, set(found.stored)) == (str(folder), STORED)
    assert found.disk
    assert found.disk.size >= found.disk.free > 0
    assert found.seen_at_s > 1.7e9


async def test_so_it_is_on_this_machine(tmp_path: Path) -> None:
    fill(tmp_path / "kept")
    (found,) = await list_checkpoints(parse_target("/nowhere"), str(tmp_path / "kept"), Connections())
    assert set(found.stored) == STORED
    assert found.disk
    assert found.disk.free == pytest.approx(shutil.disk_usage(tmp_path).free, rel=0.2)


@pytest.mark.parametrize("via", [(), (("env",),)])
async def test_they_are_looked_for_beside_the_log(via: tuple[tuple[str, ...], ...], tmp_path: Path) -> None:
    logs = tmp_path / "run" / "logs"
    logs.mkdir(parents=True)
    for folder in (logs / "ckpts", tmp_path / "run" / "checkpoints"):
        folder.mkdir()
        (folder / "step_1.pt").touch()
    for path in (logs / "log.jsonl", logs):
        found = await list_checkpoints(Target("", str(path), via=via), None, Connections())
        assert [each.folder for each in found] == [
            str(logs), str(logs / "ckpts"), str(tmp_path / "run" / "checkpoints")
        ]  # fmt: skip
        assert [[each.name for each in listing.stored] for listing in found] == [
            [],
            ["step_1.pt"],
            ["step_1.pt"],
        ]


@pytest.mark.parametrize("via", [(), (("env",),)])
async def test_a_folder_called_by_a_number_is_a_checkpoint_among_checkpoints_only(
    via: tuple[tuple[str, ...], ...], tmp_path: Path
) -> None:
    for folder in (tmp_path, tmp_path / "checkpoints"):
        for name in ("20260401", "images_512", "checkpoint-3"):
            (folder / name).mkdir(parents=True)
    log = str(tmp_path / "log.jsonl")
    own, kept = await list_checkpoints(Target("", log, via=via), None, Connections())
    assert [each.name for each in own.stored] == ["checkpoint-3"]
    assert [each.name for each in kept.stored] == ["20260401", "checkpoint-3", "images_512"]


@pytest.mark.parametrize("via", [(), (("env",),)])
async def test_a_folder_that_is_not_there_is_told(via: tuple[tuple[str, ...], ...]) -> None:
    target = Target("", "/nowhere/log", via=via)
    with pytest.raises(Trouble, match=r"^/no/ckpt is not there on (this machine|env), or can't be read$"):
        await list_checkpoints(target, "/no/ckpt", Connections())


@pytest.mark.parametrize("via", [(), (("env",),)])
async def test_of_very_many_the_rest_is_left(via: tuple[tuple[str, ...], ...], tmp_path: Path) -> None:
    for number in range(3300):
        (tmp_path / f"{number}.pt").touch()
    (found,) = await list_checkpoints(Target("", "/nowhere", via=via), str(tmp_path), Connections())
    assert len(found.stored) == 2999


def test_a_line_that_is_none_is_left_out() -> None:
    files = b"5 900 81a4 odd\nname.pt\n6 901 81a4 b.pt\n"
    output = b"clock 1000\nfolder /a\n" + files + b"disk /dev/my disk 100 40 60 40% /a\n"
    stored = (Stored("odd", 5, 900.0), Stored("b.pt", 6, 901.0))
    assert parse_listings(output) == [Listing("/a", stored, Disk(102400, 61440), 1000.0)]


@given(st.binary())
def test_no_output_is_too_strange(output: bytes) -> None:
    parse_listings(output)
