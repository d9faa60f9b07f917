"""Columns of rows that are whole."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tui.decode.batch import Column, Span
from tui.decode.grid import Grid, join_spans

PLACES = {"loss": 1, "lr": 2}


def grid(*rows: tuple[float, float, float]) -> Grid:
    return Grid(PLACES, np.array(rows))


def tell(span: Span) -> tuple[list[float], dict[str, tuple[list[int], list[float]]]]:
    columns = {name: (column.at.tolist(), column.values.tolist()) for name, column in span.columns.items()}
    return span.steps.tolist(), columns


def test_a_grid_is_a_mapping_of_the_fields_in_their_places() -> None:
    made = grid((1.0, 2.5, 0.1))
    assert list(made) == ["loss", "lr"]
    assert made["loss"].values.tolist() == [2.5]
    assert made["loss"].at.tolist() == [0]
    assert "step" not in made
    assert made.get("step") is None
    assert {**made}.keys() == {"loss", "lr"}


def test_entries_with_the_same_fields_join_to_a_grid() -> None:
    spans = [Span(np.array([float(at)]), grid((at, at / 2, 0.1))) for at in range(3)]
    joined = join_spans(spans)
    assert isinstance(joined.columns, Grid)
    assert tell(joined) == (
        [0.0, 1.0, 2.0],
        {"loss": ([0, 1, 2], [0.0, 0.5, 1.0]), "lr": ([0, 1, 2], [0.1] * 3)},
    )


def test_one_span_is_itself() -> None:
    span = Span(np.array([1.0]), grid((1.0, 2.0, 3.0)))
    assert join_spans([span]) is span


@given(st.lists(st.sets(st.sampled_from("abc"), min_size=1), min_size=1, max_size=6), st.integers(0, 5))
def test_joined_spans_say_what_each_said(sets: list[set[str]], cut: int) -> None:
    spans = [
        Span(
            np.array([float(at)]),
            {name: Column(np.array([0]), np.array([at * 2.0])) for name in sorted(names)},
        )
        for at, names in enumerate(sets)
    ]
    first, rest = spans[:cut], spans[cut:]
    parts = [join_spans(part) for part in (first, rest) if part]
    steps, columns = tell(join_spans(parts))
    assert steps == [float(at) for at in range(len(sets))]
    assert columns == {
        name: (at, [place * 2.0 for place in at])
        for name in columns
        if (at := [place for place, names in enumerate(sets) if name in names])
    }
    assert columns.keys() == set().union(*sets)
