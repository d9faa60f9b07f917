from pathlib import Path

import pytest

from tests.commands.running import Shell
from tests.ranklogs import write_ranks


def test_ranks_are_told_in_a_line_with_the_slowest_and_those_behind(shell: Shell, tmp_path: Path) -> None:
    write_ranks(tmp_path, without=6)
    answer = shell("status", "--ranks", "--finished", f"{tmp_path}/rank*.jsonl")
    assert answer.code == 1
    assert "7 ranks, the median of which is shown · slowest rank 3 (+1" in answer.out
    assert "no log of rank 6 · rank 5 is left out since step 699" in answer.out
    assert "▲ warning straggler: rank 3: 1.4" in answer.out


def test_ranks_stand_in_the_json(shell: Shell, tmp_path: Path) -> None:
    write_ranks(tmp_path)
    ranks = shell("status", "--json", "--finished", "--ranks", f"{tmp_path}/rank{{0..8}}.jsonl").run["ranks"]
    assert (ranks["count"], ranks["names"]) == (9, [str(rank) for rank in range(9)])
    assert ranks["behind"] == [
        {"name": "5", "last_step": 699, "left_out": True, "missed": 0},
        {"name": "8", "last_step": None, "left_out": True, "missed": 0},
    ]
    assert (ranks["slowest"]["name"], ranks["slowest"]["straggler"]) == ("3", True)
    assert ranks["slowest"]["slower"] == pytest.approx(0.18, abs=0.02)


def test_the_order_of_the_files_changes_nothing(shell: Shell, tmp_path: Path) -> None:
    write_ranks(tmp_path)
    files = [f"{tmp_path}/rank{rank}.jsonl" for rank in range(8)]
    one = shell("table", "--ranks", "--format", "csv", *files[:1])
    some = shell("status", "--json", "--finished", "--ranks", *files).run
    others = shell("status", "--json", "--finished", "--ranks", *reversed(files)).run
    assert one.code == 0
    for name in ("metrics", "milestones", "alerts", "segments", "ranks"):
        assert some[name] == others[name]


def test_a_run_without_ranks_has_none(shell: Shell, tmp_path: Path) -> None:
    write_ranks(tmp_path)
    assert shell("status", "--json", "--finished", f"{tmp_path}/rank0.jsonl").run["ranks"] is None


def test_ranks_and_join_exclude_each_other(shell: Shell, tmp_path: Path) -> None:
    answer = shell("status", "--ranks", "--join", f"{tmp_path}/rank0.jsonl")
    assert answer.code == 3
    assert "--join" in answer.err
    assert "--ranks" in answer.err


def test_the_configuration_says_it_too(shell: Shell, tmp_path: Path) -> None:
    write_ranks(tmp_path)
    config = tmp_path / "config.toml"
    config.write_text(f'[runs.big]\ntarget = "{tmp_path}/rank{{0..7}}.jsonl"\nranks = true\n')
    run = shell("status", "--json", "--finished", "--config", str(config), "big").run
    assert (run["name"], run["ranks"]["count"]) == ("big", 8)
    config.write_text(f'[runs.big]\ntarget = "{tmp_path}/rank*.jsonl"\nranks = true\njoin = true\n')
    assert "can't stand beside join" in shell("status", "--config", str(config), "big").err
