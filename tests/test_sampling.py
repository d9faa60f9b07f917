from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest

from tests.recorded import scenario_log
from tui.cli import main
from tui.sampling import draw, sampling


def test_calls_stand_under_those_that_made_them_the_largest_first() -> None:
    stacks = Counter({("main", "read"): 30, ("main", "draw", "axes"): 60, ("main",): 10})
    assert draw(stacks) == [
        "100.0 %  main",
        " 60.0 %    draw",
        " 60.0 %      axes",
        " 30.0 %    read",
    ]


def test_what_took_next_to_nothing_is_left_out() -> None:
    assert draw(Counter({("main", "rare"): 1, ("main",): 999})) == ["100.0 %  main"]


def test_a_busy_function_is_found(tmp_path: Path) -> None:
    def work_hard(until_s: float) -> None:
        while time.monotonic() < until_s:
            pass

    with sampling(str(tmp_path / "profile")):
        work_hard(time.monotonic() + 0.2)
    assert "work_hard" in (tmp_path / "profile").read_text()


def test_a_command_leaves_its_profile(tmp_path: Path) -> None:
    log, report = tmp_path / "log.jsonl", tmp_path / "profile.txt"
    log.write_text(scenario_log("healthy", 500))
    assert main(["status", "--json", "--profile", str(report), str(log)]) == 0
    assert "run_status" in report.read_text()


def test_a_profile_that_can_not_be_written_is_told_before_anything_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["status", "--profile", str(tmp_path / "no" / "profile"), str(tmp_path)]) == 3
    assert "--profile" in capsys.readouterr().err
