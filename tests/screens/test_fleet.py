"""The fleet screen as a person uses it."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.onscreen import reads, screen_text
from tests.recorded import Recorded, in_chunks, scenario_log
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.events import LinkChanged, LinkState, Received
from tui.feed import Feed, FeedOptions
from tui.roster import Pattern, Roster
from tui.screens.compare import CompareScreen
from tui.screens.fleet import FleetScreen
from tui.screens.run import RunScreen
from tui.sources.search import Search
from tui.sources.ssh import Connections
from tui.target import parse_target

LOG = scenario_log("healthy", 300)
NAN = "".join(f'{{"step": {n}, "loss": {1.0 if n < 50 else "NaN"}}}\n' for n in range(1, 60))


def feed_of(name: str, text: str = LOG, host: str = "gpu-1") -> Feed:
    source = Recorded(in_chunks(text) if text else ())
    return Feed(parse_target(f"{host}:/runs/{name}/train.jsonl"), source, FeedOptions(name=name))


def source_of(feed: Feed) -> Recorded:
    source = feed._source
    assert isinstance(source, Recorded)
    return source


def chosen(pilot: Pilot[None]) -> str:
    """The name in the row that is chosen."""
    row = next(line for line in screen_text(pilot.app).splitlines() if line.startswith("›"))
    return row[3:].split()[0]


async def test_the_worst_run_is_on_top_and_chosen_until_somebody_chooses() -> None:
    app = MilepostApp([feed_of("a"), feed_of("b"), feed_of("sick", NAN)])
    async with app.run_test(size=(120, 30)) as pilot:
        await reads(pilot, "3 runs", "✖ 1 ✓ 2", "nonfinite")
        await eventually(lambda: chosen(pilot) == "sick")


async def test_keys_and_the_wheel_move_the_choice() -> None:
    app = MilepostApp([feed_of(name) for name in ("a", "b", "c", "d")])
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "4 runs", "✓ 4")
        for key, name in (
            ("down", "b"), ("j", "c"), ("up", "b"), ("k", "a"), ("k", "a"), ("end", "d"), ("home", "a"),
            ("pagedown", "d"), ("pageup", "a"),
        ):  # fmt: skip
            await pilot.press(key)
            assert chosen(pilot) == name, key
        await pilot._post_mouse_events([_wheel()], "#fleet", offset=(5, 3))
        await eventually(lambda: chosen(pilot) == "b")


def _wheel() -> type:
    from textual.events import MouseScrollDown

    return MouseScrollDown


async def test_a_click_opens_and_escape_leads_back_with_the_display_kept() -> None:
    app = MilepostApp([feed_of(name) for name in ("a", "b", "c")])
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "3 runs", "✓ 3")
        await pilot.click("#fleet", offset=(6, 3))
        await reads(pilot, "b", "2/3", "EMA 100")
        await pilot.press("s")
        await reads(pilot, "EMA 500")
        await pilot.press("escape")
        await reads(pilot, "3 runs")
        assert chosen(pilot) == "b"
        await pilot.press("enter")
        await reads(pilot, "2/3", "EMA 500")
        assert isinstance(app.screen, RunScreen)


async def test_the_filter_shows_what_it_finds_and_escape_shows_all() -> None:
    app = MilepostApp([feed_of("a"), feed_of("b", host="gpu-2"), feed_of("sick", NAN)])
    async with app.run_test(size=(120, 30)) as pilot:
        await reads(pilot, "3 runs", "✖ 1")
        await pilot.press("slash", *"gpu-2")
        await reads(pilot, "1 run ", "2 not shown by 'gpu-2'")
        await pilot.press("enter")
        assert chosen(pilot) == "b"
        await pilot.press("escape")
        await reads(pilot, "3 runs")
        await pilot.press("slash", *"critical", "enter")
        await reads(pilot, "1 run ")
        assert chosen(pilot) == "sick"
        await pilot.press("slash", "escape")
        await reads(pilot, "3 runs")


async def test_no_row_moves_away_from_under_the_choice() -> None:
    """A run that falls ill goes to the top, but not while a person moves among the rows."""
    feeds = [feed_of(name) for name in ("a", "b", "c", "d")]
    app = MilepostApp(feeds)
    async with app.run_test(size=(120, 30)) as pilot:
        await reads(pilot, "4 runs", "✓ 4")
        await pilot.press("down")
        screen = app.screen
        assert isinstance(screen, FleetScreen)
        screen._moved_at += 3600.0  # the person goes on moving
        source_of(feeds[3]).live.put_nowait(
            Received(NAN.replace('"step": ', '"step": 1000').encode(), len(LOG))
        )
        await reads(pilot, "✖ 1 ✓ 3")
        assert names(pilot) == ["a", "b", "c", "d"]
        assert chosen(pilot) == "b"
        screen._moved_at -= 7200.0
        await eventually(lambda: names(pilot) == ["d", "a", "b", "c"])
        assert chosen(pilot) == "b"


def names(pilot: Pilot[None]) -> list[str]:
    rows = [line for line in screen_text(pilot.app).splitlines()[2:] if line[1:2] in tuple("✓✖▲?")]
    return [row[3:].split()[0] for row in rows]


async def test_a_run_out_of_reach_says_why_and_a_pattern_that_searches_is_a_row(tmp_path: Path) -> None:
    roster = Roster([feed_of("a"), feed_of("gone", "")])
    roster.seek(
        Pattern(Search(parse_target(f"{tmp_path}/*.jsonl"), Connections()), lambda target: feed_of("x"))
    )
    app = MilepostApp(roster)
    async with app.run_test(size=(80, 24)) as pilot:
        roster.runs[1].consume(LinkChanged(LinkState.REFUSED, "root@gpu-1 did not take the password"))
        await reads(pilot, "✖ refused", "✖ not found", "*.jsonl", "3 runs")
        await pilot.press("slash", *"refused", "enter")
        await reads(pilot, "root@gpu-1 did not take the password")


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 20), (44, 24), (30, 12), (20, 6), (8, 3)])
async def test_at_every_size_the_worst_is_seen(size: tuple[int, int]) -> None:
    app = MilepostApp([feed_of("a"), feed_of("b", host="gpu-2"), feed_of("sick", NAN, "gpu-3")])
    async with app.run_test(size=size) as pilot:
        await reads(pilot, "3 runs", "›✖") if size[0] > 10 else await reads(pilot, "›✖")
        await pilot.resize_terminal(100, 30)
        await reads(pilot, "3 runs", "nonfinite", "✓ 2")


async def test_of_two_hundred_runs_those_in_sight_are_drawn_and_all_are_judged() -> None:
    feeds = [feed_of(f"run-{number:03}", LOG if number % 50 else NAN) for number in range(200)]
    app = MilepostApp(feeds)
    async with app.run_test(size=(100, 30)) as pilot:
        await reads(pilot, "200 runs", "✖ 4 ✓ 196")
        assert names(pilot)[:5] == ["run-000", "run-050", "run-100", "run-150", "run-001"]
        assert all(feed.run.entries for feed in feeds)
        await pilot.press("end")
        assert chosen(pilot) == "run-199"
        assert len(names(pilot)) < 30


async def test_marked_runs_are_compared_and_escape_leads_back() -> None:
    app = MilepostApp([feed_of(name) for name in ("a", "b", "c")])
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "3 runs", "✓ 3")
        await pilot.press("space", "down", "space")
        await reads(pilot, "2 marked", "✓*a", "✓*c")
        await pilot.press("c")
        await reads(pilot, "loss", "1 a", "2 c", "the difference to 1")
        assert isinstance(app.screen, CompareScreen)
        assert app.screen.feeds == [app.roster.runs[0], app.roster.runs[2]]
        await pilot.press("escape")
        await reads(pilot, "2 marked")


async def test_one_run_is_nothing_to_compare() -> None:
    app = MilepostApp([feed_of("a"), feed_of("gone", "")])
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await reads(pilot, "2 runs", "✓ 1")
        await pilot.press("c")
        await reads(pilot, "comparing takes two runs")
