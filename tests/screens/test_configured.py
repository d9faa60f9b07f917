"""An application that follows its configuration."""

from pathlib import Path

import pytest
from textual.command import CommandPalette

from tests.onscreen import reads, screen_text
from tests.recorded import Recorded, in_chunks, scenario_log
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.commands.arguments import parse
from tui.commands.settings import LiveSettings
from tui.errors import ConfigError, UsageError
from tui.feed import Feed
from tui.screens.help import HelpScreen
from tui.screens.kept import Kept
from tui.screens.run import RunScreen

LOG = scenario_log("healthy", 120)
DARK = (Path(__file__).parents[2] / "themes" / "dark.toml").read_text("utf-8")


class Home:
    """A home with a configuration, and an application that reads it."""

    def __init__(self, folder: Path) -> None:
        self.config = folder / "milepost" / "config.toml"
        self.themes = folder / "milepost" / "themes"
        self.themes.mkdir(parents=True)
        self.states = folder / "states"

    def start(self, text: str = "", *words: str) -> MilepostApp:
        self.config.write_text(f'[runs.drafter]\ntarget = "gpu-box:/runs/train.jsonl"\n{text}')
        args = parse(["drafter", *words])
        settings = LiveSettings(args)
        from tui.commands.options import plan_run

        plan = plan_run(args)
        feed = Feed(plan.target, Recorded(in_chunks(LOG)), plan.options)
        kept = Kept(self.states, is_fresh=args.fresh)
        return MilepostApp([feed], args.theme, settings=settings, kept=kept, notify=settings.config.notify)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return Home(tmp_path)


def look(app: MilepostApp) -> None:
    """Two looks: a file has changed, and rests."""
    app.look_at_settings()
    app.look_at_settings()


async def told(app: MilepostApp, *parts: str) -> None:
    """Wait until notices hold all these texts."""
    await eventually(lambda: all(part in notices(app) for part in parts))


def notices(app: MilepostApp) -> str:
    return "\n".join(notification.message for notification in app._notifications)


def shown(app: MilepostApp) -> RunScreen:
    (screen,) = app._run_screens()
    return screen


async def test_a_key_of_the_configuration_is_the_key(home: Home) -> None:
    app = home.start('[keys]\nrun.smooth = "S"\nrun.help = "f1,question_mark"\n')
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "S smooth", "F1 help")
        span = shown(app).choice.span
        await pilot.press("s")
        assert shown(app).choice.span == span
        await pilot.press("S")
        assert shown(app).choice.span != span
        await pilot.press("f1")
        await eventually(lambda: isinstance(app.screen, HelpScreen))


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ('run.smoth = "S"', "config.toml:4: unknown action run.smoth; did you mean run.smooth?"),
        (
            'run.smooth = "Sx"',
            "config.toml:4: keys.run.smooth: there is no key 'Sx'; write S, ctrl+s, f5 or escape",
        ),
        ('run.smooth = "a"', "config.toml:4: keys.run.smooth: a is already the key of run.alerts"),
        ('run.smooth = "ctrl+q"', "config.toml:4: keys.run.smooth: ctrl+q is already the key of app.quit"),
        ('run.smooth = "Q"\nrun.alerts = "Q"', "Q is already the key of run."),
    ],
)
def test_a_key_that_can_not_be_is_told_with_its_line(home: Home, keys: str, says: str) -> None:
    with pytest.raises(ConfigError) as told:
        home.start(f"[keys]\n{keys}\n")
    assert says in str(told.value)


async def test_two_keys_may_change_places(home: Home) -> None:
    app = home.start('[keys]\nrun.smooth = "a"\nrun.alerts = "s"\n')
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA 100", "a smooth")
        await pilot.press("a")
        await reads(pilot, "EMA 500")
        await pilot.press("s")
        await reads(pilot, "no alert so far")


async def test_a_change_of_keys_holds_at_once_and_a_mistake_leaves_them(home: Home) -> None:
    app = home.start()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "s smooth")
        home.config.write_text('[keys]\nrun.smooth = "S"\n')
        look(app)
        await reads(pilot, "S smooth")
        home.config.write_text('[keys]\nrun.smoth = "S"\n')
        look(app)
        await told(app, "config.toml:2: unknown action run.smoth", "what held before goes on")
        assert "S smooth" in screen_text(app)
        home.config.write_text('[keys]\nrun.smooth = "f5"\n')
        look(app)
        await reads(pilot, "F5 smooth")
        assert notices(app) == "the configuration is right again"


async def test_a_change_of_the_theme_holds_at_once(home: Home) -> None:
    app = home.start()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA")
        home.config.write_text('theme = "light"\n')
        look(app)
        await eventually(lambda: app.theme == "light")
        home.config.write_text('theme = "lihgt"\n')
        look(app)
        await told(app, "there is no theme 'lihgt'; themes are dark")
        assert app.theme == "light"


async def test_a_half_written_file_is_not_read(home: Home) -> None:
    app = home.start()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA")
        home.config.write_text('theme = "li')
        app.look_at_settings()
        home.config.write_text('theme = "light"\n')
        look(app)
        await eventually(lambda: app.theme == "light")
        assert notices(app) == ""


async def test_metrics_and_milestones_hold_at_once_and_roles_when_opened_again(home: Home) -> None:
    app = home.start()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA")
        text = home.config.read_text()
        home.config.write_text(text + 'metrics = ["loss"]\nroles = { loss = "quality" }\n')
        look(app)
        await told(app, "drafter: what the configuration says of roles holds when it is opened again")
        await eventually(lambda: "accuracy" not in screen_text(app))


async def test_display_defaults_hold_for_what_was_not_chosen(home: Home) -> None:
    app = home.start("[display]\nsmooth = 20\n")
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA 20")
        home.config.write_text(home.config.read_text().replace("20", "500"))
        look(app)
        await reads(pilot, "EMA 500")


async def test_a_persons_own_theme_is_used_and_its_changes_too(home: Home) -> None:
    (home.themes / "mine.toml").write_text(DARK)
    app = home.start("", "--theme", "mine")
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA")
        assert app.theme == "mine"
        (home.themes / "mine.toml").write_text(DARK.replace("#101216", "#202020"))
        look(app)
        await eventually(lambda: app.screen.styles.background.hex == "#202020")
        (home.themes / "mine.toml").write_text(DARK.replace("raw =", "rwa ="))
        look(app)
        await told(app, "mine.toml:10: unknown key rwa; did you mean raw?")
        assert app.screen.styles.background.hex == "#202020"


async def test_a_broken_theme_is_told_and_left_out(home: Home) -> None:
    (home.themes / "broken.toml").write_text(DARK.replace("dark = true", "dark = 1"))
    app = home.start()
    async with app.run_test(size=(80, 24)):
        await told(app, "broken.toml:2: dark must be true or false", "this theme is left out")
        assert "broken" not in app.available_themes


def test_a_theme_that_there_is_not_is_an_error_at_the_start(home: Home) -> None:
    with pytest.raises(UsageError, match="there is no theme 'mine'; themes are dark"):
        home.start("", "--theme", "mine")


async def test_capital_t_goes_round_all_themes(home: Home) -> None:
    app = home.start()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA")
        seen = []
        for _ in range(6):
            seen.append(app.theme)
            await pilot.press("T")
        assert len(set(seen)) == 6
        assert app.theme == seen[0]


@pytest.mark.parametrize("size", [(120, 40), (40, 20)])
async def test_the_list_of_commands_has_every_action_with_its_key(home: Home, size: tuple[int, int]) -> None:
    app = home.start('[keys]\nrun.smooth = "S"\n')
    async with app.run_test(size=size) as pilot:
        await reads(pilot, "loss")
        await pilot.press("ctrl+p")
        await reads(pilot, "q  quit;")
        await pilot.press(*"smooth")
        await reads(pilot, "S  smooth")
        span = shown(app).choice.span
        await pilot.press("enter")
        await eventually(lambda: shown(app).choice.span != span)
        await eventually(lambda: not isinstance(app.screen, CommandPalette))


async def test_a_theme_can_be_chosen_by_its_name_from_the_list(home: Home) -> None:
    app = home.start()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA")
        await pilot.press("ctrl+p", *"theme okabe")
        await reads(pilot, "theme okabe-ito")
        await pilot.press("enter")
        await eventually(lambda: app.theme == "okabe-ito")


async def test_how_a_run_is_shown_is_kept_and_can_be_reset(home: Home) -> None:
    app = home.start()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA 100")
        await pilot.press("s")
        await reads(pilot, "EMA 500")
    app = home.start()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA 500")
        await pilot.press("ctrl+r")
        await reads(pilot, "EMA 100")
    assert list(home.states.iterdir()) == []


async def test_a_fresh_start_shows_runs_as_at_first(home: Home) -> None:
    app = home.start()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA 100")
        await pilot.press("s")
        await reads(pilot, "EMA 500")
    app = home.start("", "--fresh")
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA 100")
