"""Runs that say what a test wants, entry by entry."""

from __future__ import annotations

import json
import math

from tests.recorded import Recorded, in_chunks, scenario_log
from tui.events import LinkChanged, LinkState, Received
from tui.feed import Feed, FeedOptions
from tui.target import parse_target

HEALTHY = scenario_log("healthy", 600)


class Run:
    """A run in a healthy state that has been read in, and then goes on as a test tells it."""

    def __init__(
        self, name: str = "run", address: str = "gpu-box:/runs/log.jsonl", log: str = HEALTHY
    ) -> None:
        self.feed = Feed(parse_target(address), Recorded(), FeedOptions(name=name))
        for event in in_chunks(log):
            self.feed.consume(event)
        self.step = self.feed.run.last_step or 0.0

    def logs(self, loss: float, count: int = 1) -> None:
        """More entries with about this loss."""
        for _ in range(count):
            self.step += 1
            jitter = 0.01 * math.sin(37 * self.step)
            entry = {
                "step": self.step,
                "loss": loss + jitter,
                "accuracy": 0.14 + jitter,
                "grad_norm": 0.5 + jitter,
            }
            self.writes(json.dumps(entry))

    def writes(self, line: str) -> None:
        """One more line."""
        self.feed.consume(Received(f"{line}\n".encode(), self.feed.read_bytes))

    def link(self, state: LinkState, detail: str | None = None) -> None:
        """The way to the log is in another state."""
        self.feed.consume(LinkChanged(state, detail))
