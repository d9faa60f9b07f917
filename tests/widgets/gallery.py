"""The screen over a simulated run, to be looked at: `python -m tests.widgets.gallery [SCENARIO [ENTRIES]]`.

`--theme NAME` chooses a palette, `--live` lets new entries come in, `--empty STATE` shows what is awaited.
"""

from __future__ import annotations

import argparse
import asyncio
from itertools import islice

from tests.recorded import ADDRESS, Recorded, in_chunks, scenario_log
from tui.app import MilepostApp
from tui.events import LinkChanged, LinkState, Received, SourceEvent
from tui.feed import Feed, FeedOptions
from tui.sources.demo.trainer import simulate, write_line
from tui.target import parse_target


class Live(MilepostApp):
    """The application, with a trainer that writes an entry now and then."""

    source: Recorded
    scenario: str
    entries: int
    pause_s: float = 0.1

    def on_mount(self) -> None:
        """Start the trainer too; Textual calls the application's own handler by itself."""
        if self.pause_s:
            self.run_worker(self._train())

    async def _train(self) -> None:
        for entry in islice(simulate(self.scenario), self.entries, None):
            await asyncio.sleep(self.pause_s)
            self.source.live.put_nowait(Received(write_line(entry).encode(), 0))


def main() -> None:
    """Run the gallery."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario", nargs="?", default="drafter")
    parser.add_argument("entries", nargs="?", type=int, default=13_190)
    parser.add_argument("--theme")
    parser.add_argument(
        "--live", type=float, default=0.0, metavar="SECONDS", help="seconds between new entries"
    )
    parser.add_argument("--empty", choices=[state.value for state in LinkState])
    parser.add_argument("--link", choices=[state.value for state in LinkState])
    options = parser.parse_args()
    events: list[SourceEvent] = in_chunks(scenario_log(options.scenario, options.entries))
    sentence = "the server at gpu-box closed the connection; milepost keeps trying"
    if options.empty:
        events = [LinkChanged(LinkState(options.empty), sentence)]
    if options.link:
        events.append(LinkChanged(LinkState(options.link), sentence, 8.0))
    source = Recorded(events)
    feed = Feed(parse_target(ADDRESS), source, FeedOptions(name="v3-kpro6"))
    app = Live([feed], options.theme)
    app.source, app.scenario, app.entries, app.pause_s = (
        source,
        options.scenario,
        options.entries,
        options.live,
    )
    app.run()


if __name__ == "__main__":
    main()
