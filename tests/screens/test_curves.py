"""Curves as they were chosen."""

import json
from collections.abc import Iterable

import numpy as np
import pytest

from tests.recorded import fill_feed
from tui.feed import Feed
from tui.screens.curves import chosen_axis, next_axis, view_curves, view_reading
from tui.screens.display import Display
from tui.screens.references import view_references
from tui.screens.stats import view_stats
from tui.store.reference import from_points, from_run
from widgets.drawing.curve import Curve
from widgets.samples import Path
from widgets.smoothing import smooth

STAMP = 1.7e9


def make(entries: Iterable[dict[str, object]]) -> Feed:
    return fill_feed("".join(json.dumps(entry) + "\n" for entry in entries))


def entry(step: int, loss: float, **more: float) -> dict[str, object]:
    return {"step": step, "loss": loss, "tokens": step * 1e9, "timestamp": STAMP + 60 * step, **more}


def falling(count: int) -> Feed:
    rng = np.random.default_rng(0)
    return make(entry(n, 1 + 2 * 0.999**n + float(rng.normal()) * 0.1) for n in range(1, count + 1))


def one(feed: Feed, display: Display, name: str = "loss") -> Curve:
    return view_curves(feed, display, [name]).curves[0]


def test_the_axes_of_the_log_are_gone_through_in_turn() -> None:
    feed, display, seen = falling(100), Display(), []
    for _ in range(4):
        seen.append(next_axis(feed.run, display))
        display = Display(x=seen[-1])
    assert seen == ["tokens", "relative", "wall", "step"]
    assert chosen_axis(feed.run, Display(x="epoch")) == "step"


def test_curves_over_tokens_and_time_have_their_unit() -> None:
    feed = falling(100)
    tokens, relative, wall = (one(feed, Display(x=axis)) for axis in ("tokens", "relative", "wall"))
    assert (tokens.ground.name, tokens.ground.kind, tokens.samples.x[-1]) == ("tokens", "count", 1e11)
    assert (relative.ground.kind, relative.samples.x[-1]) == ("duration", 99 * 60.0)
    assert (wall.ground.kind, wall.samples.x[0]) == ("clock", STAMP + 60)


def test_all_curves_share_one_range() -> None:
    feed = make([entry(n, 1.0, **({"late": 2.0} if n > 50 else {})) for n in range(1, 101)])
    curves = view_curves(feed, Display(), ["loss", "late"]).curves
    assert curves[0].limits == curves[1].limits == (0.0, 100.0)


def test_the_smoothing_of_a_window_is_that_of_the_whole() -> None:
    feed = falling(5000)
    values = feed.run.points("loss").values
    shown = one(feed, Display(window=(3000.0, 3100.0), span=100)).samples
    assert shown.smoothed is not None
    np.testing.assert_allclose(shown.smoothed, smooth(values, 100)[2999:3100], rtol=1e-5)
    assert shown.last_smoothed == pytest.approx(smooth(values, 100)[-1], rel=1e-6)


def test_the_smoothing_of_a_long_run_is_that_of_all_its_entries() -> None:
    feed = falling(30_000)
    exact = smooth(feed.run.points("loss").values, 500)
    samples = one(feed, Display(span=500)).samples
    assert samples.smoothed is not None
    ends = np.minimum(np.append(samples.x[1:], 30_001).astype(int) - 2, 29_999)
    np.testing.assert_allclose(samples.smoothed[5:], exact[ends][5:], rtol=0.01)


def test_the_first_curve_says_which_range_is_shown_and_that_it_follows() -> None:
    feed = falling(1000)
    display = Display(window=(500.0, 1000.0), is_following=True)
    assert one(feed, display).note == "500 – now"
    assert one(feed, Display(window=(500.0, 700.0))).note == "500 – 700"
    assert one(feed, Display(window=(5e11, 7e11), x="tokens")).note == "500G – 700G"


def test_a_window_that_follows_moves_along() -> None:
    display = Display(window=(500.0, 900.0), is_following=True)
    assert one(falling(1000), display).limits == (600.0, 1000.0)


def test_a_restart_and_what_it_replaced_are_shown_over_any_axis() -> None:
    first = [entry(n, 2.0) for n in range(1, 101)]
    again = [entry(n, 1.0) | {"timestamp": STAMP + 60 * (n + 100)} for n in range(61, 121)]
    feed = make(first + again)
    plain = one(feed, Display())
    assert [mark.x for mark in plain.ground.marks if mark.level == "restart"] == [61.0]
    assert plain.ghosts is None
    ghosts = one(feed, Display(shows_superseded=True)).ghosts
    assert ghosts is not None
    assert (ghosts.x.tolist(), set(ghosts.y.tolist())) == (list(range(61, 101)), {2.0})
    timed = one(feed, Display(x="relative"))
    assert [mark.x for mark in timed.ground.marks if mark.level == "restart"] == [160 * 60.0]


def test_an_alert_is_a_mark_and_a_band_up_to_now() -> None:
    feed = make([*(entry(n, 1.0 + n % 7 / 50) for n in range(1, 201)), entry(201, float("nan"))])
    ground = one(feed, Display()).ground
    assert [band.level for band in ground.bands if band.start == 201.0] == ["critical"]
    assert "critical" in {mark.level for mark in ground.marks}


def test_a_reference_is_drawn_unless_it_is_switched_off() -> None:
    feed, paper = falling(50), {"loss": Path(np.arange(3.0), np.ones(3), "paper")}
    assert view_curves(feed, Display(), ["loss"], references=paper).curves[0].reference is paper["loss"]
    off = Display(shows_reference=False)
    assert view_curves(feed, off, ["loss"], references=paper).curves[0].reference is None


def test_the_crosshair_reads_the_nearest_entry_of_each_curve() -> None:
    feed = make([entry(n, n / 10, **({"eval_acc": 0.5} if n % 50 == 0 else {})) for n in range(1, 101)])
    display = Display(cursor=61.2)
    loss, accuracy = view_reading(feed, display, "loss"), view_reading(feed, display, "eval_acc")
    assert loss is not None
    assert (loss.value, loss.text) == (6.1, "61")
    assert accuracy is not None
    assert (accuracy.value, accuracy.text) == (0.5, "50")
    assert view_reading(feed, Display(), "loss") is None


def test_a_metric_alone_is_told_in_numbers() -> None:
    feed = make([*(entry(n, 3.0 - n / 100) for n in range(1, 201)), entry(201, float("nan"))])
    facts = {name: number for name, number, _ in view_stats(feed, Display(), "loss").facts}
    assert facts["last"] == "NaN"
    assert facts["best"] == "1.00 at 200"
    assert facts["mean of last 50"] == "1.24"
    assert facts["entries"] == "201"
    assert facts["NaN or infinite"] == "1"
    assert view_stats(feed, Display(), "nothing").facts == ()


def test_a_reference_of_points_or_of_a_log_is_drawn_over_the_axis_that_is_shown() -> None:
    feed = falling(100)
    log = make(entry(n, 5.0) for n in range(1, 5001))
    feed.comparison.references = (
        from_points("paper", "table 2", {"loss": [(10, 2.5), (90, 1.5)]}),
        from_run("before", "a log", log.run),
    )
    line = view_references(feed, Display(), ["loss", "tokens", "nothing"])["loss"]
    assert (line.label, line.x.tolist(), line.y.tolist()) == ("paper", [10, 90], [2.5, 1.5])
    assert view_references(feed, Display(x="tokens"), ["loss"])["loss"].x.tolist() == [1e10, 9e10]
    feed.comparison.references = feed.comparison.references[1:]
    line = view_references(feed, Display(), ["loss"])["loss"]
    assert len(line.x) <= 2048
    np.testing.assert_allclose(line.y, 5.0)
    assert view_references(feed, Display(x="tokens"), ["loss"])["loss"].x.max() <= 1e11
    assert view_references(feed, Display(shows_reference=False), ["loss"]) == {}
