"""Derived metrics behave as logged ones: worked out entry by entry, whole, and the same however a log was cut."""

import itertools
import json
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.replicas import Entry, two_regimes
from tests.store.entries import feed
from tui.config import DerivedConfig
from tui.decode.decoder import Decoder
from tui.errors import ConfigError
from tui.store.derived import Derivation
from tui.store.run import Run

POINTS = ((0.17, 3.1), (0.30, 5.2), (0.35, 6.0))
ACCEPT_LEN = DerivedConfig(source="accuracy", points=POINTS)


def derive(
    entries: Sequence[Entry],
    derived: dict[str, DerivedConfig] | None = None,
    rename: dict[str, str] | None = None,
    cuts: Sequence[int] = (),
) -> tuple[Run, Derivation]:
    """A run that has taken in these entries, cut into batches at these places."""
    run, decoder = Run(), Decoder("jsonl")
    derivation = Derivation(rename or {}, derived or {}, run.axis_of)
    edges = sorted({min(max(cut, 0), len(entries)) for cut in cuts} | {0, len(entries)})
    for start, stop in itertools.pairwise(edges):
        lines = "".join(json.dumps(entry) + "\n" for entry in entries[start:stop])
        run.add(derivation.apply(decoder.feed(lines.encode())))
    return run, derivation


def expr(text: str) -> DerivedConfig:
    return DerivedConfig(expr=text)


def test_a_table_is_linear_between_its_points_and_flat_outside() -> None:
    entries = [{"step": n, "accuracy": 0.1 + 0.003 * n} for n in range(100)]
    run, _ = derive(entries, {"accept_len": ACCEPT_LEN})
    points = run.points("accept_len")
    expected = np.interp([entry["accuracy"] for entry in entries], *np.array(POINTS).T)
    assert np.array_equal(points.values, expected)
    assert (points.values[0], points.values[-1]) == (3.1, 6.0)
    assert run.role("accept_len") == "quality"


def test_a_formula_is_worked_out_where_its_metrics_stand_together() -> None:
    entries: list[Entry] = [
        {"step": n, "loss": 2.0 + n} | ({"eval/loss": 4.0 + n} if n % 5 == 0 else {}) for n in range(50)
    ]
    run, derivation = derive(entries, {"gap": expr("`eval/loss` - loss"), "half": expr("gap / 2")})
    assert run.points("gap").values.tolist() == [2.0] * 10
    assert run.points("half").values.tolist() == [1.0] * 10
    assert run.points("gap").steps.tolist() == [5.0 * n for n in range(10)]
    assert derivation.problems() == []


def test_a_division_by_zero_is_no_value_and_is_counted() -> None:
    entries = [{"step": n, "loss": 1.0, "batch": float(n % 4)} for n in range(40)]
    run, derivation = derive(entries, {"ratio": expr("loss / batch")})
    assert len(run.points("ratio")) == 30
    assert np.isfinite(run.points("ratio").values).all()
    assert run.entries == 40
    assert derivation.problems() == [
        "derived ratio: ratio had no value 10 times: a division by zero, or beyond all numbers"
    ]


def test_a_nan_that_was_logged_stays_one() -> None:
    entries = [{"step": n, "loss": float("nan") if n == 3 else 1.0} for n in range(5)]
    run, derivation = derive(
        entries, {"twice": expr("2 * loss"), "table": DerivedConfig(source="loss", points=((0, 0), (1, 1)))}
    )
    assert np.isnan(run.points("twice").values).tolist() == [False, False, False, True, False]
    assert np.isnan(run.points("table").values).tolist() == [False, False, False, True, False]
    assert derivation.problems() == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("loss / accurracy", "the log has no field accurracy; did you mean accuracy?"),
        ("eval / loss", "the log has no field eval; in a formula eval/loss stands in backticks: `eval/loss`"),
        ("loss * zzz", "the log has no field zzz; known are step, loss, accuracy, eval/loss"),
    ],
)
def test_an_unknown_field_is_told_in_one_line_with_the_nearest_name(text: str, said: str) -> None:
    entries = [{"step": 1, "loss": 1.0, "accuracy": 0.5, "eval/loss": 2.0}]
    run, derivation = derive(entries, {"x": expr(text), "y": expr("2 * loss")})
    assert derivation.problems() == [f"derived x: {said}"]
    assert run.points("y").values.tolist() == [2.0]


def test_metrics_that_are_derived_in_a_circle_are_refused() -> None:
    with pytest.raises(ConfigError, match="is a circle; derive one of them from what is logged"):
        Derivation({}, {"a": expr("b + 1"), "b": expr("a + 1")})


def test_a_formula_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="derived a: expr is no formula: a parenthesis is not closed"):
        Derivation({}, {"a": expr("(b + 1")})
    with pytest.raises(ConfigError, match="names no metric"):
        Derivation({}, {"a": expr("1 + 1")})


def test_what_was_logged_stands_before_what_is_derived_or_renamed() -> None:
    entries: list[Entry] = [{"step": 1, "loss": 1.0, "ce": 5.0, "x": 7.0}]
    run, _ = derive(entries, {"x": expr("loss * 2")}, {"ce": "loss"})
    assert {name: run.points(name).values.tolist() for name in run.fields} == {
        "loss": [1.0],
        "ce": [5.0],
        "x": [7.0],
    }


def test_a_renamed_field_is_one_curve_over_both_scripts() -> None:
    one, other = two_regimes(), two_regimes(loss_of_new="ce")
    joined, _ = derive(other, rename={"ce": "loss"})
    plain = Run()
    feed(plain, one)
    assert np.array_equal(joined.points("loss").values, plain.points("loss").values)
    assert "ce" not in joined.fields
    assert joined.metric("loss") == plain.metric("loss")


def test_a_rename_of_what_is_not_there_is_told() -> None:
    _, derivation = derive([{"step": 1, "loss": 1.0, "cross": 2.0}], rename={"crss": "loss"})
    assert derivation.problems() == ["rename: the log has no field crss; did you mean cross?"]


def slow_average(entries: Sequence[Entry], count: int) -> list[float]:
    """Entry by entry: the mean of the last finite values at steps before this one and at it."""
    window: list[tuple[float, float]] = []
    found = []
    for entry in entries:
        window = [each for each in window if each[0] < entry["step"]][-(count - 1) :] if count > 1 else []
        window.append((entry["step"], entry["loss"]))
        finite = [value for _, value in window if np.isfinite(value)]
        if finite:
            found.append(sum(finite) / len(finite))
    return found


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.floats(-1e3, 1e3) | st.just(float("nan"))), min_size=1, max_size=40
    ),
    st.integers(1, 9),
    st.lists(st.integers(0, 40), max_size=4),
)
def test_an_average_is_that_of_an_obvious_loop_however_the_log_is_cut(
    logged: list[tuple[int, float]], count: int, cuts: list[int]
) -> None:
    entries: list[Entry] = [{"step": float(step), "loss": loss} for step, loss in logged]
    derivation = Derivation({}, {"mean": DerivedConfig(source="loss", average=count)}, lambda fields: "step")
    found: list[float] = []
    edges = sorted({min(cut, len(entries)) for cut in cuts} | {0, len(entries)})
    decoder = Decoder("jsonl")
    for start, stop in itertools.pairwise(edges):
        lines = "".join(json.dumps(entry) + "\n" for entry in entries[start:stop])
        batch = derivation.apply(decoder.feed(lines.encode()))
        rows = [
            (at, row[each.fields.index("mean")])
            for each in batch.rows
            if "mean" in each.fields
            for at, row in zip(each.at.tolist(), each.values.tolist(), strict=True)
        ]
        found += [value for _, value in sorted(rows)]
    assert found == pytest.approx(slow_average(entries, count))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 300), max_size=6))
def test_cuts_change_nothing(cuts: list[int]) -> None:
    entries: list[Entry] = two_regimes()[1600:1900]
    entries = [entry | ({"aux": 1.0} if n % 7 else {}) for n, entry in enumerate(entries)]
    derived = {
        "accept_len": ACCEPT_LEN,
        "mean": DerivedConfig(source="loss", average=20),
        "gain": expr("aux * loss / (mean - 1)"),
    }
    whole, _ = derive(entries, derived)
    cut, _ = derive(entries, derived, cuts=cuts)
    assert whole.fields == cut.fields
    for name in whole.fields:
        assert np.array_equal(whole.points(name).values, cut.points(name).values)
        assert np.array_equal(whole.points(name).steps, cut.points(name).steps)
