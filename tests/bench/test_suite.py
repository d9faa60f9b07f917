from __future__ import annotations

from pathlib import Path

from tests.bench import catchup, endurance, growth, start
from tests.bench.longlog import FIELDS, write_log
from tests.bench.row import Row, at_most, draw_rows


def test_a_long_log_has_thirteen_fields_and_some_358_bytes_a_line(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    write_log(log, 1_000)
    lines = log.read_text().splitlines()
    assert len(lines) == 1_000
    assert len(FIELDS) == 13
    assert 330 < log.stat().st_size / 1_000 < 370


def test_catching_up_is_measured_beside_a_bare_loop_and_by_its_memory() -> None:
    time, whole, memory = catchup.measure(2_000)
    assert "×" in time.measured
    assert time.against == "a bare json.loads loop"
    assert "CPU" in whole.measured
    assert memory.target == "≤ 60 MB"


def test_starts_are_measured_beside_python_itself() -> None:
    version, status = start.measure(1, 50)
    assert version.target == "≤ 3 ×"
    assert status.what == "milepost status, 50 entries"


def test_memory_is_compared_with_that_of_noon() -> None:
    (row,) = endurance.measure(4, 60)
    assert row.what == "memory over 4 simulated hours, 240 entries"


def test_growth_is_told_by_its_exponent_and_pictured(tmp_path: Path) -> None:
    picture = tmp_path / "growth.svg"
    rows = list(growth.measure((100, 400), (1_000, 4_000), (5, 10), (40, 80), picture))
    assert len(rows) == 4
    assert picture.read_text().count("<circle") == 8


def test_an_exponent_is_the_slope_in_a_plot_of_logarithms() -> None:
    assert growth.Growth("x", "s", (10, 100, 1000), (1.0, 10.0, 100.0)).in_words == "size^1.00, in proportion"
    assert growth.Growth("x", "s", (10, 100), (2.0, 2.0)).in_words == "size^0.00, size does not matter"


def test_a_figure_short_of_its_target_says_so() -> None:
    lines = draw_rows([at_most("a", "4 ms", 4, 3, "b", " ms"), Row("c", "1")])

    assert "≤ 3 ms" in lines[2]
    assert "short" in lines[2]
    assert "short" not in lines[3]
