"""The end of a log first and then its past, in whatever pieces, gives what reading from its start gives."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.recorded import Recorded
from tui.events import (
    CaughtUp,
    FileReplaced,
    Glimpsed,
    LinkChanged,
    LinkState,
    Observed,
    Received,
    SourceEvent,
)
from tui.feed import Feed, FeedOptions
from tui.preview import FORMATS
from tui.report.schema import status_to_json
from tui.target import parse_target

CONNECTED = (LinkChanged(LinkState.CONNECTING, "opening"), LinkChanged(LinkState.LIVE))


def make_rows(chance: random.Random, count: int) -> list[dict[str, float]]:
    """The entries of a run that restarts now and then, jumps, has fields come and go, and NaN."""
    rows, step, level = [], chance.choice([0, 1, 5000]), 2.0
    for _ in range(count):
        step += 10
        if chance.random() < 0.01:
            step = max(0, step - 200)
        if chance.random() < 0.02:
            level += chance.choice([-0.5, 1.5])
        row = {"step": step, "loss": round(level + chance.gauss(0, 0.02), 4), "lr": 1e-4}
        if chance.random() < 0.01:
            row["loss"] = float("nan")
        if chance.random() < 0.1:
            row["eval_loss"] = round(level, 3)
        rows.append(row)
    return rows


def as_json(row: dict[str, float]) -> str:
    told = ", ".join(f'"{name}": {"NaN" if value != value else value}' for name, value in row.items())
    return f"{{{told}}}\n"


def as_csv(row: dict[str, float]) -> str:
    return ",".join(str(row.get(name, "")) for name in ("step", "loss", "lr", "eval_loss")) + "\n"


def as_text(row: dict[str, float]) -> str:
    step, *rest = row.items()
    return f"{step[0]} {step[1]:g} | " + " | ".join(f"{name} {value:g}" for name, value in rest) + "\n"


WRITERS: dict[str, tuple[str, Callable[[dict[str, float]], str]]] = {
    "jsonl": ("", as_json),
    "csv": ("step,loss,lr,eval_loss\n", as_csv),
    "text": ("Loading data …\n", as_text),
}
JUNK = (
    "\n",
    "saving checkpoint ✓\n",
    '{"step": 5, "lo\n',
    "1,2\n",
    "\x1b[31mwarning\x1b[0m\n",
    "10%|█ |\r20%|██ |\n",
)


def make_log(log_format: str, chance: random.Random, count: int) -> bytes:
    """A log with lines in it that are no entries, and perhaps without the end of its last one."""
    header, write = WRITERS[log_format]
    text = header
    for at, row in enumerate(make_rows(chance, count)):
        text += write(row)
        if at > 5 and chance.random() < 0.03:
            text += chance.choice(JUNK)
    return text.encode()[: -chance.choice([0, 1, 7]) or None]


@dataclass
class Plan:
    """How a log comes in: where it is cut, what of its end is seen first, and where the link breaks."""

    cuts: Sequence[float]
    glimpse: tuple[float, float]
    breaks: Sequence[float]


EXAMPLES = 20
CHANCES = st.integers(0, 2**32).map(random.Random)
SHARES = st.floats(0, 1)
PLANS = st.builds(
    Plan, st.lists(SHARES, max_size=12), st.tuples(SHARES, SHARES), st.lists(SHARES, max_size=2)
)


def pieces(data: bytes, shares: Sequence[float]) -> list[Received]:
    edges = sorted({round(share * len(data)) for share in shares} | {0, len(data)})
    return [Received(data[start:stop], start) for start, stop in pairwise(edges)]


def in_pieces(data: bytes, plan: Plan) -> list[SourceEvent]:
    """One file as it comes in while it grows: its end as it was, its pieces, and after each break its end again."""
    size, share = round(plan.glimpse[0] * len(data)), plan.glimpse[1]
    events: list[SourceEvent] = [*CONNECTED]
    events += glimpse(data, size, share)
    for piece in pieces(data, [*plan.cuts, *plan.breaks]):
        if any(piece.offset == round(at * len(data)) for at in plan.breaks):
            size = max(size, piece.offset)
            events += [LinkChanged(LinkState.RETRYING, "the connection broke", 1.0), *CONNECTED]
            events += glimpse(data, size, share)
        size = max(size, piece.offset + len(piece.data))
        events += [piece, Observed(100.0, 98.0, size)]
    return events


def glimpse(data: bytes, size: int, share: float) -> list[SourceEvent]:
    return [Glimpsed(data[round(share * size) : size], round(share * size), size)]


def take_in(events: Sequence[SourceEvent]) -> Feed:
    feed = Feed(parse_target("box:/log"), Recorded(), FeedOptions(name="run"), None, lambda: 100.0)
    for event in events:
        feed.consume(event)
    return feed


def told(feed: Feed) -> dict[str, Any]:
    """All that is told of a run, but for the clock."""
    status = status_to_json(feed, feed.run.fields, None)
    return {**status, "liveness": None, "tail": feed.tail, "error": feed.log_error}


@pytest.mark.parametrize("log_format", WRITERS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(CHANCES, st.integers(0, 250), PLANS)
def test_a_log_that_grows_meanwhile(log_format: str, chance: random.Random, count: int, plan: Plan) -> None:
    data = make_log(log_format, chance, count)
    feed = take_in([*in_pieces(data, plan), CaughtUp()])
    assert told(feed) == told(take_in([*CONNECTED, Received(data, 0), CaughtUp()]))
    assert feed.preview is None


@pytest.mark.parametrize("log_format", WRITERS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(CHANCES, st.integers(0, 150), st.integers(0, 150), PLANS, PLANS)
def test_a_log_that_is_rotated_meanwhile(
    log_format: str, chance: random.Random, before: int, after: int, first: Plan, second: Plan
) -> None:
    old, new = make_log(log_format, chance, before), make_log(log_format, chance, after)
    rotated: SourceEvent = FileReplaced("rotated")
    cut = take_in([*in_pieces(old, first), rotated, *in_pieces(new, second), CaughtUp()])
    plain: list[SourceEvent] = [
        *CONNECTED,
        Received(old, 0),
        rotated,
        *CONNECTED,
        Received(new, 0),
        CaughtUp(),
    ]
    assert told(cut) == told(take_in(plain))


@pytest.mark.parametrize("log_format", sorted(FORMATS))
@settings(max_examples=EXAMPLES, deadline=None)
@given(CHANCES, st.integers(20, 150), SHARES)
def test_the_end_alone_holds_the_last_entries(
    log_format: str, chance: random.Random, count: int, share: float
) -> None:
    data = make_log(log_format, chance, count)
    half = len(data) // 2
    feed = take_in([*CONNECTED, *glimpse(data, len(data), share), Received(data[:half], 0)])
    if feed.preview is not None:
        assert feed.preview.run.entries <= take_in([Received(data, 0)]).run.entries
        assert feed.preview.run.last_step == take_in([Received(data, 0)]).run.last_step
