import numpy as np
import pytest

from tests.store.entries import make_run
from tui.comparison import Comparison, Other
from tui.config import Goal
from tui.events import LinkChanged, LinkState
from tui.health.alerts import Alert, AlertState, Severity
from tui.store.reference import from_points
from tui.store.run import Run


class Read:
    """A companion whose log is read already, or can't be."""

    def __init__(self, run: Run, link: LinkChanged) -> None:
        self.run, self.link = run, link

    async def read(self) -> None:
        pass


def rising(entries: int, seed: int = 0) -> Run:
    """A run whose accuracy rises with the logarithm of the step, to about 0.36 after 8,000 of them."""
    noise = np.random.default_rng(seed).normal(0.0, 0.01, entries)
    return make_run([{"step": n, "accuracy": 0.04 * np.log(n) + noise[n - 1]} for n in range(1, entries + 1)])


def plateau(metric: str) -> Alert:
    return Alert(1, "plateau", Severity.WARNING, AlertState.FIRING, metric, (metric,), 1.0, 2.0, None, "flat")


async def test_the_log_of_another_run_becomes_a_reference() -> None:
    other = Other("before", "b.jsonl", Read(rising(4000), LinkChanged(LinkState.LIVE)))
    comparison = Comparison(others=[other])
    await comparison.read()
    (reference,) = comparison.references
    assert (reference.name, reference.source) == ("before", "b.jsonl")
    ((_, gap),) = comparison.gaps(rising(2000, 1), ["accuracy"])
    assert gap.reference == pytest.approx(0.04 * np.log(1975), abs=0.01)
    assert gap.behind == pytest.approx(0, abs=600)


async def test_a_log_that_cannot_be_read_is_a_problem_and_the_rest_stands() -> None:
    lost = Other("gone", "b.jsonl", Read(Run(), LinkChanged(LinkState.MISSING, "b.jsonl is not there")))
    comparison = Comparison([from_points("paper", "", {"accuracy": [(0, 0.1), (100, 0.2)]})], [lost])
    await comparison.read()
    assert comparison.problems(rising(50)) == ["reference gone: b.jsonl is not there"]
    assert [reference.name for reference in comparison.references] == ["paper"]


def test_a_reference_that_shares_no_metric_is_a_problem() -> None:
    comparison = Comparison([from_points("paper", "", {"bleu": [(0, 0.1)]})], goals={"f1": Goal(10, 1)})
    assert comparison.problems(rising(50)) == [
        "reference paper has no metric of this run; it has bleu",
        "goal: the log has no metric f1",
    ]
    assert comparison.problems(Run()) == []
    assert comparison.gaps(rising(50), ["accuracy"]) == []


@pytest.mark.parametrize(("value", "is_reached"), [(0.30, True), (0.45, False)])
def test_an_outlook_says_whether_a_goal_will_be_reached(value: float, is_reached: bool) -> None:
    comparison = Comparison(goals={"accuracy": Goal(12_000, value)})
    (outlook,) = comparison.outlooks(rising(8000), ["accuracy"], None, [])
    assert outlook.projection.low <= 0.04 * np.log(12_000) <= outlook.projection.high
    assert (outlook.goal, outlook.is_reached) == (value, is_reached)


def test_nothing_is_foretold_of_what_has_left_its_course_or_has_no_end() -> None:
    comparison, run = Comparison(), rising(8000)
    assert len(comparison.outlooks(run, ["accuracy"], 12_000, [])) == 1
    assert comparison.outlooks(run, ["accuracy"], 12_000, [plateau("accuracy")]) == []
    assert comparison.outlooks(run, ["accuracy"], None, []) == []
    assert comparison.outlooks(run, ["accuracy"], 8000, []) == []


def test_milestones_differ_from_each_reference_at_their_own_step() -> None:
    comparison = Comparison(
        [
            from_points("paper", "", {"accuracy": [(0, 0.1), (100, 0.2)]}),
            from_points("early", "", {"accuracy": [(0, 0.5), (10, 0.6)]}),
        ]
    )
    run = make_run([{"step": n, "accuracy": 0.14, "loss": 1.0} for n in range(1, 61)])
    table = comparison.add_differences(run.table([50], ["accuracy", "loss"]))
    assert table.rows[0].differences == {"paper": {"accuracy": pytest.approx(-0.01)}}
    assert Comparison().add_differences(table) is table
