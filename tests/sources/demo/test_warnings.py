"""The demo shows what it promises, by the same detectors as any other run, and nothing else."""

import pytest

from tests.recorded import fill_feed, scenario_log
from tui.health.alerts import Severity
from tui.sources.demo.stage import entries_due
from tui.sources.demo.trainer import SCENARIOS

PROMISED = {
    "default": ["plateau", "gradient_collapse", "cliff"],
    "healthy": [],
    "plateau": ["plateau"],
    "collapse": ["gradient_collapse"],
    "cliff": ["cliff"],
    "drafter": ["gradient_collapse", "plateau"],
}


def entries_after(seconds: float, scenario: str) -> int:
    plan = SCENARIOS[scenario]
    return plan.history + entries_due(seconds, plan)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("scenario", sorted(SCENARIOS))
def test_a_scenario_raises_its_warnings_within_a_minute_and_no_other(scenario: str, seed: int) -> None:
    feed = fill_feed(scenario_log(scenario, entries_after(60, scenario), seed))
    warnings = [alert for alert in feed.alerts if alert.severity is not Severity.INFO]
    assert [alert.kind for alert in warnings] == PROMISED[scenario]
    assert all(alert.is_firing for alert in warnings)


@pytest.mark.parametrize("scenario", ["default", "healthy", "collapse", "cliff", "plateau"])
def test_at_the_start_there_is_nothing_to_warn_of_yet(scenario: str) -> None:
    feed = fill_feed(scenario_log(scenario, entries_after(3, scenario)))
    assert not feed.alerts


def test_the_pace_slows_down_when_all_has_been_shown() -> None:
    plan = SCENARIOS["default"]
    brisk_s = plan.brisk / plan.entries_per_s
    assert entries_due(10, plan) == 10 * plan.entries_per_s
    assert entries_due(brisk_s + 60, plan) - entries_due(brisk_s, plan) == 60
