"""A run that is finished, one that has failed and one that is silent are three things."""

import json
import os
import signal
import time
from pathlib import Path

import pytest

from tests.commands.running import Shell, entries
from tests.commands.test_headless import told, watching
from tests.waiting import eventually

OLD_S = 7200


def rows(count: int = 300, **more: float) -> str:
    return entries(*({"step": n, "loss": 2.0 - n / 1000, "elapsed": 5.0 * n, **more} for n in range(count)))


def text(count: int = 300) -> str:
    return "".join(
        f"2026-01-01 10:{n // 12:02d}:{n % 12 * 5:02d} INFO step: {n} loss: {2 - n / 1000:.4f} elapsed: {5 * n}\n"
        for n in range(count)
    )


FINISHED = {
    "event row": rows() + '{"event": "done"}\n',
    "message row": rows() + '{"message": "training finished", "level": "info"}\n',
    "text after rows": rows() + "Training finished.\n",
    "trainer's sum": rows() + json.dumps({"train_runtime": 1500.0, "train_loss": 1.8}) + "\n",
    "text log": text()
    + "2026-01-01 10:25:01 INFO Training complete, saving the model\n2026-01-01 10:25:09 INFO saved\n",
    "lightning": text() + "`Trainer.fit` stopped: `max_steps=300` reached.\n",
    "total in the log": rows(total_steps=299.0),
    "total counted from one": rows(max_steps=300.0),
}
FAILED = 'Traceback (most recent call last):\n  File "t.py", line 1, in <module>\nRuntimeError: CUDA out of memory\n'


def old(file: Path) -> Path:
    """The file as if nothing had been written to it for two hours."""
    then = time.time() - OLD_S
    os.utime(file, (then, then))
    return file


@pytest.mark.parametrize("ending", FINISHED)
def test_a_finished_run_is_no_stall_in_status(shell: Shell, ending: str) -> None:
    answer = shell("status", "--json", old(shell.write(FINISHED[ending])))
    assert answer.run["liveness"]["state"] == "finished"
    assert answer.run["alerts"] == []
    assert answer.code == 0


def test_a_goal_of_the_configuration_that_is_reached_is_no_stall(shell: Shell) -> None:
    log = old(shell.write(rows()))
    config = shell.write(f'[runs.mine]\ntarget = "{log}"\ntotal_steps = 299\n', "config.toml")
    run = shell("status", "--json", "--config", config, "mine").run
    assert (run["liveness"]["state"], run["alerts"]) == ("finished", [])


def test_a_failed_run_ends_in_its_error_and_is_no_stall(shell: Shell) -> None:
    answer = shell("status", "--json", old(shell.write(rows() + FAILED)))
    (alert,) = answer.run["alerts"]
    assert (alert["kind"], answer.code) == ("log_error", 2)
    assert "CUDA out of memory" in alert["message"]


def test_a_silent_run_is_a_stall_and_not_finished(shell: Shell) -> None:
    answer = shell("status", "--json", old(shell.write(rows(total_steps=600.0))))
    assert [alert["kind"] for alert in answer.run["alerts"]] == ["stall"]
    assert answer.run["liveness"]["state"] == "silent"


def test_the_end_of_an_epoch_is_no_end_of_the_run(shell: Shell) -> None:
    answer = shell("status", "--json", old(shell.write(rows() + "Training epoch 3 finished.\n")))
    assert [alert["kind"] for alert in answer.run["alerts"]] == ["stall"]


async def test_the_watch_without_a_screen_tells_them_apart_too(tmp_path: Path) -> None:
    logs = {
        "silent": rows(),
        "failed": rows() + FAILED,
        "done": FINISHED["text after rows"],
        "goal": rows(total_steps=299),
    }
    for name, log in logs.items():
        (tmp_path / name).write_text(log)
        old(tmp_path / name)
    out = tmp_path / "events.jsonl"
    async with watching(*(tmp_path / name for name in logs), "--json-events", out) as process:
        await eventually(lambda: {alert["kind"] for alert in told(out, "alert")} >= {"stall", "log_error"})
        await eventually(lambda: len(told(out, "entry")) == 4 * 300)
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
    found = {(Path(alert["target"]).name, alert["kind"]) for alert in told(out, "alert")}
    assert found == {("silent", "stall"), ("failed", "log_error")}
