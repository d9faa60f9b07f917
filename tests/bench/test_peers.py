from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import peers, screen


def test_a_peer_that_is_not_there_is_told_with_a_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="lnav is not installed"):
        peers.lnav(tmp_path)


def test_no_peer_is_given_a_way_to_the_network_or_to_the_home(tmp_path: Path) -> None:
    environment = peers.quiet_environment(tmp_path)
    assert environment["WANDB_MODE"] == "offline"
    assert {environment[name] for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")} == {str(tmp_path)}


def test_logs_that_grow_evenly_hold_the_same_entries(tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    with paths[0].open("w") as one, paths[1].open("w") as two:
        coming = iter([{"step": float(step), "loss": 1.0} for step in range(1_000)])
        screen.grow_evenly([screen.Lines(one), screen.Lines(two)], coming, 500, 0.05)
    first, second = (path.read_text() for path in paths)
    assert first == second
    assert first.count("\n") > 0
