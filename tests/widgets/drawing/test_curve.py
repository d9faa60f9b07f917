"""The curve."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.widgets.drawing.series import sample
from tests.widgets.drawing.text import assert_fits, styles_of, text_of
from widgets.drawing.axes import Band, Ground, Mark, y_limits
from widgets.drawing.curve import Curve, Reading, draw_curve, make_frame
from widgets.samples import Path, Samples

NUMBER = st.floats(allow_nan=True, allow_infinity=True, width=64)
STEPS = np.arange(1000.0)
FALLING = 3 * np.exp(-STEPS / 200) + 0.9


def curve(
    y: list[float] | np.ndarray,
    x: np.ndarray | None = None,
    span: int = 0,
    marks: tuple[Mark, ...] = (),
    **changes: object,
) -> Curve:
    values = np.asarray(y, np.float64)
    samples = sample(np.arange(float(len(values))) if x is None else x, values, span)
    ground = changes.pop("ground", Ground(marks=marks))
    return Curve("loss", samples, span, ground, **changes)  # type: ignore[arg-type]


def test_the_title_has_the_last_value() -> None:
    assert text_of(draw_curve(curve(FALLING), 60, 12)).startswith("loss 0.920 ─")


def test_the_note_names_the_smoothing_and_its_last_value() -> None:
    lines = draw_curve(curve(FALLING, span=100), 60, 12)
    assert "raw · EMA 100  0.927" in text_of(lines[:1])
    assert styles_of(lines[:1], "raw") == {"raw"}


def test_raw_and_smoothed_differ_in_style() -> None:
    noisy = FALLING + np.random.default_rng(0).normal(size=1000) * 0.2
    styles = {style for line in draw_curve(curve(noisy, span=100), 60, 12)[1:-2] for _, style in line}
    assert {"raw", "smooth"} <= styles


def test_the_axes_have_few_round_ticks() -> None:
    text = text_of(draw_curve(curve(FALLING, STEPS * 21.784), 60, 12))
    assert text.split("\n")[-1].split() == ["0", "5k", "10k", "15k", "20k"]
    assert [line[:3].strip() for line in text.split("\n") if line[3:4] == "┤"] == ["4", "3", "2", "1"]


def test_an_alert_is_marked_where_it_began() -> None:
    lines = draw_curve(curve(FALLING, marks=(Mark(500.0, "warning"),), level="warning"), 64, 12)
    rail = text_of(lines[-2:-1])
    assert rail.index("▲") == 4 + 30
    assert text_of(lines).startswith("▲ loss")
    assert styles_of(lines[-2:-1], "▲") == {"warning"}


def test_a_restart_is_a_dotted_line() -> None:
    text = text_of(draw_curve(curve(FALLING, marks=(Mark(500.0, "restart"),)), 64, 12))
    assert text.count("┊") >= 5


def test_a_nan_is_marked_on_the_axis_and_leaves_a_gap() -> None:
    y = FALLING.copy()
    y[400:600] = np.nan
    lines = draw_curve(curve(y), 64, 12)
    rail = text_of(lines[-2:-1])
    assert rail.count("×") >= 10
    assert styles_of(lines[-2:-1], "×") == {"critical"}
    middle = 4 + 30
    assert all(text_of([line]).ljust(64)[middle] == " " for line in lines[1:-2])


def test_a_last_value_that_is_nan_is_said_so() -> None:
    lines = draw_curve(curve([1.0, 2.0, float("nan")]), 40, 8)
    assert text_of(lines).startswith("loss NaN")
    assert styles_of(lines, "NaN") == {"critical"}


def test_a_run_of_nothing_but_nan_says_so() -> None:
    assert "every value so far is NaN or infinite" in text_of(draw_curve(curve([float("nan")] * 5), 60, 8))


def test_no_points_say_so() -> None:
    assert "no value yet" in text_of(draw_curve(curve([]), 40, 8))


def test_a_single_point_can_be_seen() -> None:
    assert "•" in text_of(draw_curve(curve([0.5]), 40, 8))


def test_a_constant_is_a_straight_line_in_the_middle() -> None:
    rows = text_of(draw_curve(curve([0.3] * 50), 40, 9)).split("\n")[1:-2]
    drawn = [row for row in rows if any(0x2800 < ord(char) < 0x2900 for char in row)]
    assert len(drawn) == 1
    assert "0.3" in "".join(rows)


def test_a_lone_outlier_is_cut_and_marked_and_does_not_press_the_rest_flat() -> None:
    y = FALLING.copy()
    y[700] = 1e6
    lines = draw_curve(curve(y), 60, 12)
    assert "▴" in text_of(lines[1:2])
    assert y_limits(y)[1] < 10


def test_values_that_are_never_negative_have_no_axis_below_zero() -> None:
    assert y_limits(np.array([0.001, 1.0]))[0] == 0.0
    assert y_limits(np.array([-0.001, 1.0]))[0] < -0.001


def test_a_token_axis_keeps_its_ticks() -> None:
    text = text_of(draw_curve(curve(FALLING, STEPS * 1e10), 60, 12))
    assert "2T" in text.split("\n")[-1]


def test_markup_in_a_name_stays_text() -> None:
    x = np.arange(3.0)
    assert text_of(draw_curve(Curve("[red]a\x1b[0m", sample(x, x)), 60, 8)).startswith("[red]a·[0m 2.00")


@settings(max_examples=80, deadline=None)
@example([(0.0, float("inf")), (0.0, 1.6e308)], 12, 5, 20)
@example([(0.0, 0.0), (9.99999999e307, 0.0)], 12, 5, 0)
@given(
    st.lists(st.tuples(NUMBER, NUMBER), max_size=40),
    st.integers(1, 90),
    st.integers(1, 20),
    st.sampled_from([0, 20, 500]),
)
def test_no_values_and_no_size_break_it(
    points: list[tuple[float, float]], cells: int, rows: int, span: int
) -> None:
    x, y = np.array([x for x, _ in points], np.float64), np.array([y for _, y in points], np.float64)
    assert_fits(draw_curve(curve(y, x, span, (Mark(3.0, "critical"),)), cells, rows), cells, rows)


def test_the_crosshair_is_a_line_and_the_title_reads_the_value_there() -> None:
    shown = curve(FALLING, level="warning")
    lines = draw_curve(shown, 64, 12, reading=Reading(500.0, 1.146, "step 500"))
    assert text_of(lines).startswith("▲ loss 1.15 at step 500")
    column = 4 + 30
    assert [text_of([line])[column] for line in lines[1:5]] == ["│"] * 4
    assert [text_of([line]).ljust(64)[column] for line in draw_curve(shown, 64, 12)[1:5]] == [" "] * 4


def test_moving_the_crosshair_draws_nothing_else_anew() -> None:
    shown = curve(FALLING, span=20)
    frame = make_frame(shown, 64, 12)
    one = draw_curve(shown, 64, 12, frame=frame, reading=Reading(10.0, 1.0, "10"))
    other = draw_curve(shown, 64, 12, frame=frame)
    assert one[-2:] == other[-2:]
    assert draw_curve(shown, 64, 12) == other


def test_a_chosen_range_is_marked() -> None:
    lines = draw_curve(curve(FALLING), 64, 12, chosen=(20, 29))
    assert text_of(lines[1:2]).count("░") == 10
    assert styles_of(lines, "░") == {"accent"}


def test_a_column_of_the_panel_stands_for_an_x_and_back() -> None:
    frame = make_frame(curve(FALLING), 64, 12)
    x = frame.x_at(4 + 30)
    assert x is not None
    assert abs(x - 500) < 999 / 60
    assert frame.column_at(4 + 30) == 30
    assert frame.x_at(2) is None
    assert frame.column_at(500) == 59


def test_a_logarithmic_scale_has_powers_of_ten_and_says_what_it_can_not_show() -> None:
    y = 10.0 ** np.linspace(3, -3, 1000)
    text = text_of(draw_curve(curve(y, is_log_y=True), 60, 16))
    assert [line[:4].strip() for line in text.split("\n") if line[4:5] == "┤"] == ["100", "1", "0.01"]
    assert "log y" in text
    assert "not shown" not in text
    y[10] = -1.0
    assert "≤ 0 not shown" in text_of(draw_curve(curve(y, is_log_y=True), 60, 16))


def test_nothing_positive_on_a_logarithmic_scale_is_said() -> None:
    assert "nothing above 0" in text_of(draw_curve(curve([-1.0, 0.0, -3.0], is_log_y=True), 70, 8))


def test_a_logarithmic_x_axis_has_powers_of_ten() -> None:
    text = text_of(draw_curve(curve(FALLING, STEPS + 1, is_log_x=True), 60, 12))
    assert text.split("\n")[-1].split() == ["1", "10", "100", "1k"]


def test_a_range_is_shown_alone() -> None:
    text = text_of(draw_curve(curve(FALLING, limits=(200.0, 300.0)), 60, 12))
    assert text.split("\n")[-1].split()[0] == "200"
    assert text.split("\n")[-1].split()[-1] == "300"
    assert "no value in this range" in text_of(draw_curve(curve(FALLING, limits=(5e3, 6e3)), 60, 12))


def test_an_alert_that_holds_is_a_thick_stretch_of_the_axis_in_its_colour_and_one_that_is_over_a_quiet_one() -> (
    None
):
    ground = Ground(bands=(Band(100.0, 300.0, "past"), Band(600.0, 999.0, "warning")))
    rail = draw_curve(curve(FALLING, ground=ground), 64, 12)[-2]
    assert sum(text.count("━") for text, style in rail if style == "dim") == 13
    assert sum(text.count("━") for text, style in rail if style == "warning") == 24


def test_milestones_are_ticked_unless_there_are_too_many() -> None:
    few, many = Ground(milestones=(100.0, 500.0)), Ground(milestones=tuple(STEPS))
    assert sum(char in "┴┼" for char in text_of(draw_curve(curve(FALLING, ground=few), 64, 12)[-2:-1])) == 2
    assert not any(char in "┴┼" for char in text_of(draw_curve(curve(FALLING, ground=many), 64, 12)[-2:-1]))


def test_a_reference_is_a_dotted_line_of_its_own_with_its_name() -> None:
    reference = Path(STEPS, FALLING + 0.5, "paper")
    lines = draw_curve(curve(FALLING, span=20, reference=reference), 70, 14)
    assert "┄ paper" in text_of(lines[:1])
    dotted = {
        char for line in lines[1:-2] for text, style in line if style == "info" for char in text.strip()
    }
    assert dotted
    assert all((ord(char) - 0x2800) & ~0x47 == 0 for char in dotted)


def test_what_a_restart_has_replaced_is_faint_and_under_all_else() -> None:
    ghosts = Path(STEPS[500:], FALLING[500:] + 1.0, "replaced")
    lines = draw_curve(curve(FALLING, span=20, ghosts=ghosts), 70, 14)
    assert "replaced" in text_of(lines[:1])
    assert any(style == "faint" for line in lines[1:-2] for _, style in line)


def test_time_axes_have_times() -> None:
    hours = draw_curve(curve(FALLING, STEPS * 60, ground=Ground("time", "duration")), 64, 12)
    assert text_of(hours[-1:]).split() == ["0", "3h", "6h", "9h", "12h", "time"]
    clock = draw_curve(curve(FALLING, 1.7e9 + STEPS * 60, ground=Ground("local time", "clock")), 64, 12)
    assert text_of(clock[-1:]).count(":00") >= 2
    assert text_of(clock[-1:]).endswith("local time")


def test_a_pinned_metric_looks_it_and_the_note_gives_way_to_the_range() -> None:
    lines = draw_curve(curve(FALLING, span=100, note="5,315 – 16,469", is_pinned=True), 40, 12)
    assert text_of(lines).startswith("* loss")
    assert "5,315 – 16,469" in text_of(lines[:1])
    assert "EMA" not in text_of(lines[:1])


def test_a_band_stands_in_for_the_raw_values_and_is_within_the_axis() -> None:
    band = Samples(STEPS, FALLING - 1, FALLING + 2)
    lines = draw_curve(curve(FALLING, span=100, band=band), 60, 12)
    assert "ranks · EMA 100" in text_of(lines[:1])
    assert styles_of(lines[1:], "⣿") == {"raw"}
    top = max(float(line.split("┤")[0]) for line in text_of(lines).split("\n") if "┤" in line)
    assert top >= 5
