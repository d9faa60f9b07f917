"""A pattern is looked for on the screen: what is awaited is said, and what is found takes its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.onscreen import reads, screen_text
from tests.recorded import scenario_log
from tests.sources.doorkeeper import Doorkeeper, serving_questions
from tests.sources.listening import BRISK
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.events import LinkChanged, LinkState
from tui.feed import Feed, FeedOptions
from tui.roster import Pattern, Roster
from tui.screens.prompt import Prompts, PromptScreen
from tui.screens.run import RunScreen
from tui.screens.search import RunsFound, SearchScreen, view_search
from tui.sources.open import open_source
from tui.sources.search import Search
from tui.sources.ssh import Connections, SshOptions
from tui.target import Target, parse_target

LOG = scenario_log("healthy", 300)


def app_for(address: str, connections: Connections) -> MilepostApp:
    def open_run(target: Target) -> Feed:
        return Feed(target, open_source(target, connections, pace=BRISK), FeedOptions(name=target.path))

    roster = Roster()
    roster.seek(Pattern(Search(parse_target(address), connections, BRISK, 0.1), open_run))
    return MilepostApp(roster)


@pytest.mark.parametrize("size", [(30, 12), (120, 40)])
async def test_what_matches_nothing_yet_is_waited_for_and_then_shown(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = app_for(f"{tmp_path}/*.jsonl", Connections())
    async with app.run_test(size=size) as pilot:
        await reads(pilot, "no log at", "start", "R retry")
        (tmp_path / "one.jsonl").write_text(LOG)
        await reads(pilot, "healthy", "one.jsonl")


async def test_what_comes_later_joins_and_every_screen_keeps_its_state(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(LOG)
    app = app_for(f"{tmp_path}/*.jsonl", Connections())
    async with app.run_test(size=(100, 30)) as pilot:
        await reads(pilot, "one.jsonl", "EMA 100")
        await pilot.press("s")
        await reads(pilot, "EMA 500")
        (tmp_path / "two.jsonl").write_text(LOG)
        await reads(pilot, "1/2")
        await pilot.press("right_square_bracket")
        await reads(pilot, "two.jsonl", "2/2", "EMA 100")
        await pilot.press("left_square_bracket")
        await reads(pilot, "one.jsonl", "1/2", "EMA 500")


async def test_a_password_is_asked_for_while_it_is_looked_for(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_text(LOG)
    async with serving_questions(tmp_path / "server", Doorkeeper("hunter2")) as server:
        prompts = Prompts()
        connections = Connections(SshOptions((), (server.known_hosts,), ()), prompts)
        app = prompts.app = app_for(f"{server.address}{tmp_path}/*.jsonl", connections)
        async with app.run_test(size=(100, 24)) as pilot:
            await reads(pilot, "password of someone@127.0.0.1")
            await pilot.press("escape")
            await reads(pilot, "refused by someone@127.0.0.1", "press R to be asked again")
            assert not app.roster.runs
            await pilot.press("R")
            await eventually(lambda: isinstance(app.screen, PromptScreen) and app.focused)
            await pilot.press(*"hunter2", "enter")
            await reads(pilot, "2 runs", "one.jsonl", "two.jsonl")
            await eventually(lambda: [run.run.entries for run in app.roster.runs] == [300, 300])
            assert len(server.connections) == 2


async def test_runs_that_are_found_do_not_take_the_place_of_what_stands_above(tmp_path: Path) -> None:
    app = app_for(f"{tmp_path}/*.jsonl", Connections())
    async with app.run_test(size=(100, 40)) as pilot:
        await reads(pilot, "no log at")
        await pilot.press("question_mark")
        await reads(pilot, "signs")
        (tmp_path / "one.jsonl").write_text(LOG)
        await eventually(lambda: app.roster.runs and app.roster.runs[0].run.entries == 300)
        assert "signs" in screen_text(app)
        await pilot.press("escape")
        await eventually(lambda: isinstance(app.screen, RunScreen))


def test_a_host_that_is_not_found_is_no_missing_log() -> None:
    pattern = Pattern(Search(parse_target("gpu-bx:/runs/*"), Connections()), lambda target: None)  # type: ignore[arg-type, return-value]
    pattern.link = LinkChanged(LinkState.MISSING, "gpu-bx is no host that can be found", 3.0)
    notice = view_search(pattern)
    assert (notice.headline, notice.text) == (
        "not found on gpu-bx",
        "gpu-bx is no host that can be found (next attempt in 3 s; R: at once)",
    )


async def test_a_screen_that_comes_while_runs_are_found_stays_above_the_search(tmp_path: Path) -> None:
    app = app_for(f"{tmp_path}/*.jsonl", Connections())
    async with app.run_test(size=(100, 40)) as pilot:
        await reads(pilot, "no log at")
        search = app.screen
        assert isinstance(search, SearchScreen)
        search.action_help()
        await reads(pilot, "signs")
        (tmp_path / "one.jsonl").write_text(LOG)
        await eventually(lambda: search.pattern.runs)
        search.post_message(RunsFound(search.pattern))  # told just before the help came
        await pilot.pause()
        assert "signs" in screen_text(app)
        await pilot.press("escape")
        await eventually(lambda: isinstance(app.screen, RunScreen))
