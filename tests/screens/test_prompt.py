"""What a login asks appears above the screen, and the answer gets to the login."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncssh
import pytest
from textual.pilot import Pilot

from tests.onscreen import reads
from tests.recorded import Recorded, in_chunks, scenario_log
from tests.sources.doorkeeper import Doorkeeper, serving_questions
from tests.sources.servers import Server
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.events import LinkState
from tui.feed import Feed, FeedOptions
from tui.screens.prompt import Prompts, PromptScreen
from tui.sources.asking import Question
from tui.sources.open import open_source
from tui.sources.ssh import Connections, SshOptions
from tui.target import parse_target

LOG = scenario_log("healthy", 300)
PASSWORD = Question("password", "me@box", "password of me@box", said=("Authorised use only.",))


@asynccontextmanager
async def asking(question: Question) -> AsyncIterator[tuple[Pilot[None], asyncio.Task[str | None]]]:
    """An application that shows a run, and a question put to it."""
    feed = Feed(parse_target("box:/log.jsonl"), Recorded(in_chunks(LOG)), FeedOptions(name="drafter"))
    prompts = Prompts()
    prompts.app = MilepostApp([feed])
    async with prompts.app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA")
        task = asyncio.create_task(prompts.ask(question))
        await eventually(lambda: isinstance(pilot.app.screen, PromptScreen) and pilot.app.focused)
        yield pilot, task
        task.cancel()


async def test_a_prompt_says_who_asks_for_what_and_hides_a_secret() -> None:
    async with asking(PASSWORD) as (pilot, answer):
        await reads(pilot, "SSH login: me@box", "Authorised use only.", "password of me@box:", "Esc refuses")
        await pilot.press(*"hunter2")
        assert "hunter2" not in await reads(pilot, "•••••••")
        await pilot.press("enter")
        assert await answer == "hunter2"
        await reads(pilot, "EMA")


async def test_what_is_no_secret_is_seen() -> None:
    async with asking(Question("host key", "me@box", "yes or no", is_secret=False)) as (pilot, answer):
        await pilot.press(*"yes")
        await reads(pilot, "yes or no:", " yes ")
        await pilot.press("enter")
        assert await answer == "yes"


async def test_escape_refuses_and_the_keys_of_the_run_are_its_own_again() -> None:
    async with asking(PASSWORD) as (pilot, answer):
        await pilot.press("q", "escape")
        assert await answer is None
        await pilot.press("question_mark")
        await reads(pilot, "signs")


async def test_a_question_that_nobody_waits_for_any_longer_goes() -> None:
    async with asking(PASSWORD) as (pilot, answer):
        answer.cancel()
        await eventually(lambda: not isinstance(pilot.app.screen, PromptScreen))


async def test_quitting_while_something_is_asked_ends_all() -> None:
    async with asking(PASSWORD) as (pilot, answer):
        await pilot.press("ctrl+q")
        await eventually(lambda: pilot.app.return_code is not None)
        answer.cancel()
    assert pilot.app.return_code == 0


async def test_nothing_in_a_question_is_markup_or_a_control_sequence() -> None:
    evil = Question("code", "me@box", "[bold]code[/]\x1b[2J", said=("[red]\x9b31m",))
    async with asking(evil) as (pilot, _):
        text = await reads(pilot, "[bold]code[/]·[2J:", "[red]·31m")
        assert "\x1b" not in text


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    (tmp_path / "log.jsonl").write_text(LOG)
    async with serving_questions(tmp_path / "server", Doorkeeper("hunter2")) as running:
        yield running


def app_for(server: Server, tmp_path: Path, runs: int = 1) -> tuple[MilepostApp, list[Feed]]:
    prompts = Prompts()
    connections = Connections(SshOptions((), (server.known_hosts,), ()), prompts)
    target = parse_target(f"{server.address}{tmp_path}/log.jsonl")
    feeds = [Feed(target, open_source(target, connections), FeedOptions(name=f"run{n}")) for n in range(runs)]
    app = MilepostApp(feeds)
    prompts.app = app
    return app, feeds


async def test_a_password_typed_into_the_prompt_lets_the_runs_of_a_host_in(
    server: Server, tmp_path: Path
) -> None:
    app, feeds = app_for(server, tmp_path, runs=3)
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "password of someone@127.0.0.1")
        await pilot.press(*"hunter2", "enter")
        await eventually(lambda: all(feed.run.entries == 300 for feed in feeds))
        await reads(pilot, "run0", "run1", "run2", "494")
    assert len(server.connections) == 1


async def test_a_refused_password_is_a_sentence_and_r_asks_again_for_all_runs_of_the_host(
    server: Server, tmp_path: Path
) -> None:
    app, feeds = app_for(server, tmp_path, runs=2)
    async with app.run_test(size=(100, 24)) as pilot:
        await reads(pilot, "password of someone@127.0.0.1")
        await pilot.press("escape")
        await eventually(lambda: all(feed.link.state is LinkState.REFUSED for feed in feeds))
        await reads(pilot, "press R to be asked again")
        await pilot.press("R")
        await eventually(lambda: isinstance(app.screen, PromptScreen) and app.focused)
        await pilot.press(*"hunter2", "enter")
        await eventually(lambda: all(feed.run.entries == 300 for feed in feeds))
    assert len(server.connections) == 2


async def test_an_unknown_host_key_is_shown_and_accepted_on_the_screen(
    server: Server, tmp_path: Path
) -> None:
    server.known_hosts.write_text("")
    app, (feed,) = app_for(server, tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        await reads(pilot, f"The host key of [127.0.0.1]:{server.port} is not known", "ssh-ed25519 SHA256:")
        await pilot.press(*"yes", "enter")
        await reads(pilot, "password of")
        await pilot.press(*"hunter2", "enter")
        await eventually(lambda: feed.run.entries == 300)
    assert asyncssh.import_known_hosts(server.known_hosts.read_text()).match("127.0.0.1", "", server.port)[
        0
    ] == [server.host_key.convert_to_public()]
