import xml.etree.ElementTree as ET

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tui.report.chart import HEIGHT, LEFT, WIDTH, Chart, draw_svg
from tui.report.document import Figures, Grid, Heading, Paragraph
from tui.report.html import to_html

SVG = "{http://www.w3.org/2000/svg}"


def test_a_page_needs_nothing_but_itself() -> None:
    chart = Chart("loss", np.arange(5.0), np.ones(5))
    page = to_html((Heading("drafter", 1), Paragraph("As read."), Figures("Curves", (chart,))))
    assert page.startswith("<!doctype html>")
    assert "<title>drafter</title>" in page
    assert "<svg " in page
    assert "<h2>Curves</h2>" in page
    assert not any(
        word in page for word in ("http://", "https://") if word not in "http://www.w3.org/2000/svg"
    )


def test_foreign_text_is_no_markup() -> None:
    page = to_html((Heading("<script>alert(1)</script>", 1), Grid(("a<b",), (("x&y",),))))
    assert "<script>" not in page
    assert "a&lt;b" in page
    assert "x&amp;y" in page


def test_a_curve_falls_from_the_upper_left_to_the_lower_right() -> None:
    drawn = ET.fromstring(draw_svg(Chart("loss", np.arange(100.0), np.linspace(4.0, 1.0, 100))))
    line = next(path for path in drawn.iter(f"{SVG}path") if path.get("stroke-width") == "1.8").get("d") or ""
    points = [tuple(map(float, pair.split())) for pair in line.replace("L", "M").split("M")[1:]]
    assert points == sorted(points)
    assert points[0][1] < points[-1][1]
    assert LEFT <= points[0][0] < points[-1][0] <= WIDTH


def test_marks_stand_where_alerts_began() -> None:
    chart = Chart("loss", np.arange(101.0), np.ones(101), marks=((50.0, "critical"), (500.0, "warning")))
    drawn = draw_svg(chart)
    assert drawn.count("stroke-dasharray") == 1
    assert "--critical" in drawn


def test_a_curve_without_a_finite_value_says_so() -> None:
    assert "no finite value" in draw_svg(Chart("loss", np.arange(3.0), np.full(3, np.nan)))


@given(arrays(np.float64, st.integers(0, 60), elements=st.floats(width=64)), st.text(max_size=20))
def test_whatever_was_logged_the_picture_is_well_formed(values: np.ndarray, name: str) -> None:
    drawn = draw_svg(Chart(_printable(name), np.arange(len(values), dtype=np.float64), values, 20))
    root = ET.fromstring(drawn)
    assert root.get("height") == str(HEIGHT)
    assert "nan" not in drawn.replace(_printable(name), "")


def _printable(name: str) -> str:
    return "".join(char for char in name if char.isprintable())
