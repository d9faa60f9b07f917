import numpy as np
import pytest

from tests.recorded import fill_feed, make_feed, scenario_log
from tui.events import LinkChanged, LinkState
from tui.feed import Feed
from tui.screens.overview import sort_rows, state_word, view_fleet, view_member
from widgets.drawing.fleet import FleetRow


def row(key: int, host: str, level: str = "healthy", state: str = "live") -> FleetRow:
    return FleetRow(key, f"run-{key}", host, level, state)


@pytest.fixture(scope="module")
def healthy() -> Feed:
    return fill_feed(scenario_log("healthy", 600), "fine", "gpu-1:/runs/a.jsonl")


@pytest.fixture(scope="module")
def sick() -> Feed:
    return fill_feed(scenario_log("default", 16_600), "sick", "gpu-2:/runs/b.jsonl")


def test_the_host_with_the_worst_run_comes_first_and_its_runs_stand_together() -> None:
    rows = [row(1, "a"), row(2, "b"), row(3, "a", "warning"), row(4, "b", "critical"), row(5, "c")]
    assert [each.key for each in sort_rows(rows)] == [4, 2, 3, 1, 5]


def test_what_can_not_be_reached_comes_before_what_is_well() -> None:
    rows = [row(1, "a"), row(2, "b", "unknown", "refused"), row(3, "c", "healthy", "silent")]
    assert [each.key for each in sort_rows(rows)] == [2, 3, 1]


def test_a_row_tells_what_the_run_screen_tells(sick: Feed) -> None:
    told = view_member(sick)
    assert (told.name, told.host, told.level) == ("sick", "gpu-2", str(sick.verdict))
    assert told.level in ("warning", "critical")
    assert told.step == sick.run.last_step
    assert told.loss == sick.run.metric("loss").last
    assert told.alert == "cliff +2"
    assert 100 < len(told.course) <= 400


def test_the_worst_run_is_on_top_and_the_filter_says_what_it_leaves_out(healthy: Feed, sick: Feed) -> None:
    fleet = view_fleet([healthy, sick], healthy)
    assert [each.name for each in fleet.rows] == ["sick", "fine"]
    assert fleet.chosen == id(healthy)
    found = view_fleet([healthy, sick], pattern="GPU-1")
    assert [each.name for each in found.rows] == ["fine"]
    assert found.note == "1 not shown by 'GPU-1'"


def test_a_run_that_is_refused_says_why_in_its_row() -> None:
    feed = make_feed(address="gpu-9:/a.jsonl")
    feed.consume(LinkChanged(LinkState.REFUSED, "the host key of gpu-9 has changed"))
    told = view_member(feed)
    assert (told.state, told.level, told.alert) == ("refused", "unknown", "the host key of gpu-9 has changed")
    assert told.loss is told.step is None
    assert len(told.course) == 0


def test_a_run_is_called_live_only_when_its_link_is(healthy: Feed) -> None:
    assert state_word(healthy) == "live"
    assert state_word(make_feed()) == "connecting"


def test_a_loss_that_ends_in_nan_shows_it() -> None:
    text = "".join(f'{{"step": {n}, "loss": {1.0 if n < 50 else "NaN"}}}\n' for n in range(1, 60))
    told = view_member(fill_feed(text))
    assert told.loss is not None
    assert np.isnan(told.loss)
    assert told.level == "critical"
