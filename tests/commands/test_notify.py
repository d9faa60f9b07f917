"""`milepost notify --test`: every channel is tried, and each says what it did or why not."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.running import Shell, entries
from tests.commands.test_headless import watching
from tests.waiting import eventually


def test_without_a_terminal_only_the_command_is_told(tmp_path: Path) -> None:
    out, config = tmp_path / "out", tmp_path / "config.toml"
    words = ["sh", "-c", f'printf "%s|" "$@" >{out}', "sh", "{title}", "{kind}", "{step}", "{run}"]
    config.write_text(f"[notify]\nbell = false\non_alert = {json.dumps(words)}\n")
    done = subprocess.run(
        ["env", "-u", "TMUX", sys.executable, "-m", "tui", "notify", "--test", "--config", str(config)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        start_new_session=True,  # without a terminal of its own
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "bell      not sent: notify.bell is false",
        "desktop   not sent: there is no terminal",
        "tmux      not sent: not inside tmux",
        "command   sh was run",
    ]
    assert out.read_text() == "test: warning plateau|plateau|1000|test|"


def test_a_command_that_fails_is_told_with_its_last_word(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TMUX", raising=False)
    config = tmp_path / "config.toml"
    config.write_text(
        '[notify]\nbell = false\ndesktop = "off"\non_alert = ["sh", "-c", "echo no bus >&2; exit 7"]\n'
    )
    answer = shell("notify", "--test", "--config", config)
    assert answer.code == 1
    assert answer.out.splitlines()[1] == 'desktop   not sent: notify.desktop is "off"'
    assert answer.out.splitlines()[3] == "command   failed: sh ended with 7: no bus"


def test_there_is_nothing_else_to_send(shell: Shell) -> None:
    answer = shell("notify")
    assert (answer.code, answer.out) == (3, "")
    assert "milepost notify --test" in answer.err


async def test_a_watch_without_a_screen_runs_the_command_for_what_is_new(tmp_path: Path) -> None:
    log, out, config = tmp_path / "log.jsonl", tmp_path / "out", tmp_path / "config.toml"
    words = ["sh", "-c", f'printf "%s\\n" "$1" >>{out}', "sh", "{severity} {kind} at {step}"]
    config.write_text(f"[notify]\ntmux = false\non_alert = {json.dumps(words)}\n")
    rows = [{"step": n, "loss": 2.0 + 0.01 * (n % 7)} for n in range(60)]
    log.write_text(entries({"step": -1, "loss": float("nan")}, *rows))
    events = tmp_path / "events"
    async with watching(log, "--config", config, "--json-events", events):
        await eventually(lambda: events.exists() and events.read_text().count('"entry"') == 61)
        assert not out.exists()
        with log.open("a") as more:
            more.write('{"step": 61, "loss": NaN}\n')
        await eventually(out.exists)
        await eventually(lambda: out.read_text().endswith("\n"))
    assert out.read_text() == "critical nonfinite at 61\n"
