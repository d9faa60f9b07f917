"""The connect screen: what there is is offered, what is typed is explained, and nothing is lost on a mistake."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
from textual.widgets import Input

from tests.onscreen import reads, screen_text
from tests.recorded import Recorded, in_chunks, scenario_log
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.events import LinkChanged, LinkState
from tui.feed import Feed, FeedOptions
from tui.find.around import FoundPlace
from tui.find.logs import FoundLog
from tui.find.places import Place, parse_place
from tui.recent import Opened
from tui.roster import Member, Roster
from tui.screens.connect import ConnectScreen
from tui.screens.offers import Offers, make_offers
from tui.screens.run import RunScreen
from tui.sources.listings import Container
from tui.sources.sshhosts import NamedHost
from tui.target import Hop, parse_target

LOG = scenario_log("healthy", 60)
RECENT = (Opened("gpu-box:/runs/a/log.jsonl", 100.0), Opened("gpu-box:/runs/b/log.jsonl", 50.0))
NAMED = {"drafter": ("trainer:/w/log.jsonl",), "both": ("drafter", "nightly")}
HOSTS = (NamedHost("lab", "lab.example.org"), NamedHost("trainer"))
SIZES = [(30, 12), (44, 24), (120, 40)]


class Shelf:
    """Opens recorded runs; what lies at `nowhere` is missing."""

    def __init__(self, roster: Roster, offers: Offers) -> None:
        self.roster = roster
        self.offers = offers
        self.opened: list[str] = []
        self.place = parse_place("")
        self.go_on = asyncio.Event()

    def offer(self) -> Offers:
        return self.offers

    def open(self, text: str) -> Member:
        self.opened.append(text)
        target = parse_target(NAMED.get(text, (text,))[0])
        if found := self.roster.find(target.text):
            return found
        missing = [LinkChanged(LinkState.MISSING, f"{target.path} is not there")]
        feed = Feed(
            target,
            Recorded(missing if "nowhere" in text else in_chunks(LOG)),
            FeedOptions(name=target.path.rpartition("/")[2]),
        )
        self.roster.add(feed)
        return feed

    def find(self, text: str) -> AsyncGenerator[FoundPlace, None]:
        self.place = parse_place(text)
        return self._find()

    async def _find(self) -> AsyncGenerator[FoundPlace, None]:
        place = self.place
        yield FoundPlace(place.name, place.address, logs=self._logs(place, "run", "old"))
        await self.go_on.wait()
        inner = place.within(Container(Hop("pct", ("200",))))
        yield FoundPlace(inner.name, inner.address, error="pct/201 on lab is gone", is_container=True)
        yield FoundPlace(inner.name, inner.address, logs=self._logs(inner, "new"), is_container=True)

    def _logs(self, place: Place, *names: str) -> tuple[FoundLog, ...]:
        ages = {"new": 4.0, "run": 130.0, "old": 7300.0}
        return tuple(
            FoundLog(place.address_of(f"/{name}.jsonl"), "jsonl", 21784.0, ages[name], 9) for name in names
        )

    async def keep_noting(self) -> None:
        """Nothing is kept."""


def app_with(*feeds: Feed, recent: tuple[Opened, ...] = RECENT) -> tuple[MilepostApp, Shelf]:
    roster = Roster(feeds)
    shelf = Shelf(roster, make_offers(recent, NAMED if recent else {}, HOSTS if recent else (), 7300.0))
    return MilepostApp(roster, opener=shelf), shelf


def line(app: MilepostApp) -> str:
    return app.screen.query_one(Input).value


async def test_a_name_that_stands_for_several_says_which() -> None:
    app, _ = app_with()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "recent")
        await pilot.press(*"both")
        await reads(pilot, "› both", "✓ 2 runs: drafter, nightly")


@pytest.mark.parametrize("size", SIZES)
async def test_every_size_offers_what_was_opened_and_says_what_it_means(size: tuple[int, int]) -> None:
    app, shelf = app_with()
    async with app.run_test(size=size) as pilot:
        text = await reads(
            pilot, "open a run", "recent", "› gpu-box", "over SSH to gpu-box", "Enter open", "Esc quit"
        )
        assert all(len(row) <= size[0] for row in text.split("\n"))
        await pilot.press("enter")
        await reads(pilot, "healthy", "log.jsonl")
        assert shelf.opened == ["gpu-box:/runs/a/log.jsonl"]


async def test_all_groups_stand_there_with_their_remarks() -> None:
    app, _ = app_with()
    async with app.run_test(size=(80, 30)) as pilot:
        await reads(pilot, "2 h ago", "names of the configuration", "drafter  trainer:/w/log.jsonl")
        await reads(pilot, "both     drafter, nightly", "lab:      lab.example.org")


async def test_a_newcomer_is_shown_examples_and_the_demo() -> None:
    app, shelf = app_with(recent=())
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(
            pilot, "type an address", "an address looks like this", "docker/trainer:", "milepost demo"
        )
        await pilot.press("down", "enter")
        await eventually(lambda: line(app) == "gpu-box:/runs/a/train_log.jsonl")
        assert shelf.opened == []


async def test_typing_filters_and_the_first_that_is_left_is_chosen() -> None:
    app, shelf = app_with()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "recent")
        await pilot.press(*"draf")
        await reads(pilot, "› drafter", "over SSH to trainer, the file /w/log.jsonl")
        assert "recent" not in screen_text(app)
        await pilot.press("enter")
        await reads(pilot, "healthy")
        assert shelf.opened == ["drafter"]


async def test_a_whole_address_is_opened_as_it_is_typed() -> None:
    app, shelf = app_with()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "recent")
        await pilot.press(*"gpu-box:/runs/")
        await reads(pilot, "✓ over SSH to gpu-box, the newest log in /runs/", "  gpu-box:/runs/a/log.jsonl")
        await pilot.press("enter")
        await eventually(lambda: shelf.opened == ["gpu-box:/runs/"])


async def test_tab_goes_on_as_all_do_and_a_host_is_only_a_beginning() -> None:
    app, _ = app_with()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "recent")
        await pilot.press("g", "tab")
        await eventually(lambda: line(app) == "gpu-box:/runs/")
        app.screen.query_one(Input).value = "lab"
        await reads(pilot, "› lab:", "Enter puts lab: into the line")
        await pilot.press("enter")
        await eventually(lambda: line(app) == "lab:")
        await reads(pilot, "▲ no path after lab; add the log's, e.g. lab:/runs/train.jsonl")


async def test_a_wrong_address_stays_with_what_is_wrong() -> None:
    app, _ = app_with()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "recent")
        await pilot.press(*"ssh://b:99999/x", "enter")
        await reads(pilot, "✖ ssh://b:99999/x: 99999 is no port")
        assert line(app) == "ssh://b:99999/x"
        await pilot.press("backspace")
        await eventually(lambda: "✖" not in screen_text(app))
        assert isinstance(app.screen, ConnectScreen)


async def test_clicks_and_the_wheel_do_what_keys_do() -> None:
    app, shelf = app_with()
    async with app.run_test(size=(80, 30)) as pilot:
        text = await reads(pilot, "› gpu-box:/runs/a/log.jsonl", "drafter")
        row = next(row for row, part in enumerate(text.split("\n")) if "gpu-box:/runs/b" in part)
        await pilot.click(offset=(10, row))
        await eventually(lambda: shelf.opened == ["gpu-box:/runs/b/log.jsonl"])


async def test_escape_ends_where_there_is_nothing_to_return_to() -> None:
    app, _ = app_with()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "recent")
        await pilot.press("escape")
    assert app.return_code == 0


async def test_from_a_run_another_is_opened_and_escape_returns_to_it() -> None:
    first = Feed(parse_target("box:/first.jsonl"), Recorded(in_chunks(LOG)), FeedOptions(name="first"))
    app, _ = app_with(first)
    async with app.run_test(size=(100, 30)) as pilot:
        await reads(pilot, "first", "EMA 100")
        await pilot.press("s", "o")
        await reads(pilot, "open a run", "Esc back")
        await pilot.press("escape")
        await reads(pilot, "first", "EMA 500")
        await pilot.press("o")
        await reads(pilot, "recent")
        await pilot.press("down", "enter")
        await reads(pilot, "log.jsonl", "2/2", "EMA 100")
        await pilot.press("left_square_bracket")
        await reads(pilot, "first", "1/2", "EMA 500")


async def test_an_address_that_leads_nowhere_is_bettered_and_leaves_no_trace() -> None:
    app, shelf = app_with()
    async with app.run_test(size=(100, 30)) as pilot:
        await reads(pilot, "recent")
        await pilot.press(*"box:/nowhere", "enter")
        await reads(pilot, "not found on box", "/nowhere is not there")
        await pilot.press("o")
        await reads(pilot, "✖ /nowhere is not there", "recent", "hosts of ~/.ssh/config")
        assert line(app) == "box:/nowhere"
        app.screen.query_one(Input).value = "box:/somewhere"
        await eventually(lambda: "✖" not in screen_text(app))
        await pilot.press("enter")
        await reads(pilot, "somewhere", "healthy")
        assert [run.target.text for run in shelf.roster.runs] == ["box:/somewhere"]
        await eventually(lambda: isinstance(app.screen, RunScreen))


async def test_the_runs_on_a_chosen_host_are_found_and_one_is_opened() -> None:
    app, shelf = app_with()
    async with app.run_test(size=(90, 30)) as pilot:
        await reads(pilot, "recent")
        await pilot.press(*"lab")
        await reads(pilot, "› lab:")
        await pilot.press("ctrl+f")
        await reads(pilot, "› lab:/run.jsonl", "2 min ago · 21,784 · jsonl", "looking around lab …")
        assert "recent" not in screen_text(app)
        await pilot.press("down")
        await reads(pilot, "› lab:/old.jsonl")
        shelf.go_on.set()
        text = await reads(pilot, "lab ▸ pct/200", "  lab:pct/200:/new.jsonl", "pct/201 on lab is gone")
        assert text.index("new.jsonl") < text.index("run.jsonl")
        await reads(pilot, "› lab:/old.jsonl")
        await pilot.press("enter")
        await reads(pilot, "healthy", "old.jsonl")
        assert shelf.opened == ["lab:/old.jsonl"]


async def test_what_was_found_is_filtered_and_escape_leads_back_to_the_offers() -> None:
    app, shelf = app_with()
    async with app.run_test(size=(90, 30)) as pilot:
        await reads(pilot, "recent")
        shelf.go_on.set()
        await pilot.press("ctrl+f")
        await reads(pilot, "this machine", "› pct/200:/new.jsonl", "/run.jsonl", "Esc back")
        await pilot.press(*"old")
        await reads(pilot, "› /old.jsonl")
        assert "new.jsonl" not in screen_text(app)
        await pilot.press("backspace", "backspace", "backspace", "escape")
        await reads(pilot, "recent", "› gpu-box:/runs/a/log.jsonl")
        assert "old.jsonl" not in screen_text(app)
        await pilot.press("escape")
    assert app.return_code == 0


async def test_what_is_no_machine_stays_with_what_is_wrong() -> None:
    app, _ = app_with()
    async with app.run_test(size=(90, 30)) as pilot:
        await reads(pilot, "recent")
        await pilot.press(*"box:tmux/x:", "ctrl+f")
        await reads(pilot, "✖ box:tmux/x: holds no folders", "recent")
        assert line(app) == "box:tmux/x:"
