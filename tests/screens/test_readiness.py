"""What pictures of a long log need, made between other work."""

import asyncio

from tests.waiting import eventually
from tui.decode.decoder import Decoder
from tui.screens import readiness
from tui.screens.readiness import Readiness
from tui.store.run import Run

FIELDS = ("loss", "accuracy")


def long_run(entries: int) -> Run:
    run = Run()
    lines = "".join(f'{{"step": {n}, "loss": {n % 7}.5, "accuracy": 0.5}}\n' for n in range(entries))
    run.add(Decoder("jsonl").feed(lines.encode()))
    return run


async def test_it_works_in_pieces_and_lets_others_work_between() -> None:
    run = long_run(2 * readiness.PIECE + 1)
    ready = Readiness(run)
    ready.keep_up(FIELDS)
    await asyncio.sleep(0)
    assert ready.is_at_work
    assert run.stream_of("accuracy").standing("accuracy", 0).behind == 2 * readiness.PIECE + 1
    await eventually(lambda: not ready.is_at_work)
    assert all(run.stream_of(name).standing(name, 0).behind == 0 for name in FIELDS)


async def test_a_little_is_left_to_the_drawing() -> None:
    ready = Readiness(long_run(readiness.FEW - 1))
    ready.keep_up(FIELDS)
    assert not ready.is_at_work


async def test_a_metric_that_is_not_there_is_passed_over() -> None:
    ready = Readiness(long_run(readiness.FEW))
    ready.keep_up(("none",))
    await eventually(lambda: not ready.is_at_work)


async def test_it_can_be_stopped() -> None:
    run = long_run(2 * readiness.PIECE + 1)
    ready = Readiness(run)
    ready.keep_up(FIELDS)
    await asyncio.sleep(0)
    ready.stop()
    await eventually(lambda: not ready.is_at_work)
    assert run.stream_of("accuracy").standing("accuracy", 0).behind > 0
