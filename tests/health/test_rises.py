from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from tui.health.alerts import Severity
from tui.health.findings import Finding
from tui.health.rises import LONGEST, Rises

ROSE = Finding(
    ("instability", "grad_norm", 1), "gradient_explosion", Severity.WARNING, 120, 120.0, 100, 100.0, "it rose"
)


def test_a_rise_counts_from_the_entry_at_which_it_was_seen() -> None:
    rises = Rises()
    rises.take(ROSE)
    assert rises.at(119) is None
    rise = rises.at(120)
    assert rise is not None
    assert (rise.norm, rise.onset_entry) == ("grad_norm", 100)


def test_it_ends_when_the_norm_is_back() -> None:
    rises = Rises()
    rises.take(ROSE)
    rises.take(replace(ROSE, entry=300, is_over=True))
    assert rises.at(299) is not None
    assert rises.at(300) is None


def test_one_that_lasts_counts_no_longer_than_the_longest() -> None:
    rises = Rises()
    rises.take(ROSE)
    rises.take(replace(ROSE, entry=400))
    assert rises.at(100 + LONGEST - 1) is not None
    assert rises.at(100 + LONGEST) is None


def test_the_first_entry_at_which_one_is_under_way_is_found() -> None:
    rises = Rises()
    entries = np.arange(7, 1607, 8)
    assert rises.find(entries) == len(entries)
    rises.take(ROSE)
    assert entries[rises.find(entries)] == 127
    assert rises.find(entries[:5]) == 5
    assert rises.find(entries[entries >= 100 + LONGEST]) == np.count_nonzero(entries >= 100 + LONGEST)
