from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.health.curves import judge, make_span, noise
from tui.config import HealthConfig
from tui.decode.batch import Span
from tui.health.engine import Engine
from tui.roles import Role

FLOOR = HealthConfig(floor=0.1)


def norms(low: int = 200, back: int = 400, n: int = 600) -> Span:
    norm = np.exp(0.1 * noise(n)) * 0.4
    norm[low:back] *= 0.1
    return make_span(grad_norm=norm)


def engine() -> Engine:
    return Engine({"grad_norm": Role.GRAD_NORM}, settings=FLOOR)


def test_a_norm_that_stays_below_its_floor_is_a_collapse_until_it_is_back() -> None:
    changes = judge(norms(), engine=engine())
    raised, cleared = (each for each in changes if each.alert.kind == "gradient_collapse")
    alert = raised.alert
    assert (alert.kind, str(alert.severity)) == ("gradient_collapse", "warning")
    assert 200 < raised.entry < 240
    assert alert.onset_step == pytest.approx(200, abs=16)
    assert alert.evidence["threshold"] == 0.1
    assert "is below the floor of 0.1 that the configuration sets" in alert.message
    assert not cleared.alert.is_firing
    assert 400 < cleared.entry < 440


def test_a_run_joined_after_its_collapse_is_seen() -> None:
    (change,) = judge(norms(low=0, back=600), engine=engine())
    assert change.entry < 40


def test_a_norm_above_its_floor_raises_nothing_and_without_a_floor_there_is_none() -> None:
    assert judge(norms(low=0, back=0), engine=engine()) == []
    assert judge(norms(low=0, back=600)) == []


def test_floor_and_reference_are_one_record() -> None:
    n = 4000
    norm = np.exp(0.1 * noise(n)) * 0.4
    norm[2000:] *= 0.05
    watched = engine()
    watched.extend(make_span(grad_norm=norm))
    assert [alert.kind for alert in watched.alerts] == ["gradient_collapse"]


def test_it_explains_itself() -> None:
    watched = engine()
    watched.extend(norms(n=20))
    (told,) = (each for each in watched.explain() if each.detector == "gradient_floor")
    assert (told.is_armed, told.reason) == (False, "20 of 24 values")


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 599), max_size=6))
def test_the_cuts_change_nothing(cuts: list[int]) -> None:
    assert judge(norms(), cuts, engine()) == judge(norms(), engine=engine())
