"""What the screen says of a run's plan, and of a configuration that asks for what the log does not have."""

from tests.recorded import Recorded, in_chunks
from tests.replicas import text_of, two_regimes
from tui.config import DerivedConfig
from tui.feed import Feed, FeedOptions
from tui.screens.status import view_notice, view_status
from tui.store.budget import Budget
from tui.target import parse_target
from widgets.drawing.status import draw_status

BUDGET = Budget(last_step=60_375, counted_from=15_000, epochs=6, steps_per_epoch=7562.5)


def feed_of(**options: object) -> Feed:
    plan = FeedOptions(name="run", budget=BUDGET, total_steps=BUDGET.last_step, **options)  # type: ignore[arg-type]
    feed = Feed(parse_target("box:/log"), Recorded(), plan)
    for event in in_chunks(text_of(two_regimes())):
        feed.consume(event)
    return feed


def test_the_status_line_has_the_epochs_and_the_share() -> None:
    status = view_status(feed_of())
    assert (status.epochs, round(status.epoch or 0, 4)) == (6, round(1330 / 7562.5, 4))
    told = "".join(text for line in draw_status(status, 200) for text, _ in line)
    assert "0.18/6 ep" in told
    assert "3%" in told


def test_a_name_that_the_log_does_not_know_is_a_notice() -> None:
    derived = {"x": DerivedConfig(expr="losss + 1"), "y": DerivedConfig(expr="loss / 0")}
    notice = view_notice(feed_of(derived=derived))
    assert notice is not None
    assert notice.headline == "configuration"
    assert "derived x: the log has no field losss; did you mean loss?" in notice.text
    assert "more" not in notice.text


def test_divisions_by_zero_are_no_notice() -> None:
    feed = feed_of(derived={"y": DerivedConfig(expr="loss / 0")})
    assert view_notice(feed) is None
    assert "y had no value 2,558 times" in feed.problems[0]
