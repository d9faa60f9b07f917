"""The application around the screens."""

import pytest

from tests.onscreen import reads
from tests.recorded import Recorded, in_chunks, scenario_log
from tui.app import MilepostApp
from tui.errors import UsageError
from tui.events import Received
from tui.feed import Feed, FeedOptions
from tui.target import parse_target

LOG = scenario_log("healthy", 300)


class Broken(Recorded):
    """A source with a fault of ours in it."""

    async def events(self, *, follow: bool):  # type: ignore[no-untyped-def]
        """Fails after its first event."""
        async for event in super().events(follow=follow):
            yield event
            raise ValueError("no such thing")


def feed_of(name: str, source: Recorded) -> Feed:
    return Feed(parse_target("gpu-box:/runs/train.jsonl"), source, FeedOptions(name=name))


async def test_every_feed_is_followed_and_brackets_switch_between_them() -> None:
    feeds = [feed_of("first", Recorded(in_chunks(LOG))), feed_of("second", Recorded(in_chunks(LOG)))]
    app = MilepostApp(feeds)
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "2 runs", "✓ 2", "first", "second")
        await pilot.press("enter")
        await reads(pilot, "first", "1/2", "EMA")
        await pilot.press("right_square_bracket")
        await reads(pilot, "second", "2/2", "EMA")
        await pilot.press("right_square_bracket")
        await reads(pilot, "first")
        await pilot.press("left_square_bracket")
        await reads(pilot, "second")


async def test_q_quits_and_ends_the_feeds() -> None:
    source = Recorded(in_chunks(LOG))
    feed = feed_of("run", source)
    app = MilepostApp([feed])
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA")
        await pilot.press("q")
    assert app.return_code == 0
    source.live.put_nowait(Received(b'{"step": 1}\n', 0))
    assert feed.run.entries == 300


async def test_a_fault_of_ours_is_told_and_ends_nothing_else() -> None:
    feeds = [feed_of("broken", Broken(in_chunks(LOG))), feed_of("whole", Recorded(in_chunks(LOG)))]
    app = MilepostApp(feeds)
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "milepost itself failed on this log", "no such thing")
        await pilot.press("down", "enter")
        await reads(pilot, "whole", "EMA")


@pytest.mark.parametrize("theme", ["dark", "light", "high-contrast", "okabe-ito", "ansi16", "mono"])
async def test_every_theme_draws_the_same_text(theme: str) -> None:
    app = MilepostApp([feed_of("run", Recorded(in_chunks(LOG)))], theme)
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "✓ healthy", "EMA 100", "milestones")
        assert app.current_theme.name == theme


def test_a_theme_that_there_is_not_is_named_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="there is no theme 'pink'; themes are dark, ansi16"):
        MilepostApp([], "pink")


def test_no_color_chooses_the_theme_without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert MilepostApp([]).theme == "mono"
    assert MilepostApp([], "light").theme == "light"
