from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

import pytest

from tests.bench import catchup, decode, drawing, endurance, fleet, growth, start
from tests.bench.longlog import FIELDS, pieces, write_log
from tests.bench.parts import PARTS, measure
from tests.bench.process import cpu_s, family, peak_bytes, resident_bytes
from tests.bench.row import Row, at_most, draw_rows
from tests.bench.scaling import Growth, draw


def test_a_long_log_has_thirteen_fields_and_some_358_bytes_a_line(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    write_log(log, 1_000)
    lines = log.read_text().splitlines()
    assert len(lines) == 1_000
    assert len(FIELDS) == 13
    assert 330 < log.stat().st_size / 1_000 < 370


def test_a_long_log_is_made_in_pieces_of_whole_lines() -> None:
    made = list(pieces(25_000))
    assert [piece.count(b"\n") for piece in made] == [20_000, 5_000]
    assert all(piece.endswith(b"}\n") for piece in made)


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


def test_decoding_is_told_in_lines_a_second() -> None:
    lines, text = decode.measure(200, 100)
    assert "json.loads" in lines.against
    assert "lines a second" in text.measured


def test_a_redraw_is_measured_with_few_points_and_with_many() -> None:
    few, many, unmoved, other = drawing.measure(200, 400, 1)
    assert few.what == "a redraw of six curves at 180×45, 200 points each"
    assert few.target == "≤ 25 ms"
    assert many.target == "≤ 1.2 ×"
    assert "first" in unmoved.measured
    assert "zoomed in" in other.measured


def test_many_runs_are_measured_by_processor_and_memory() -> None:
    share, memory, look = fleet.measure(2, 0.1)
    assert share.target == "≤ 25 %"
    assert memory.target == "≤ 300 MB"
    assert "ms" in look.measured


def test_memory_is_compared_with_that_of_noon() -> None:
    (row,) = endurance.measure(4, 60)
    assert row.what == "memory over 4 simulated hours, 240 entries"
    assert row.target == "≤ 2 %"


def test_growth_is_told_by_its_exponent_and_pictured(tmp_path: Path) -> None:
    picture = tmp_path / "growth.svg"
    rows = list(growth.measure((200, 800), (5, 10), (1, 2), (40, 80), 0.1, picture))
    assert len(rows) == 5
    assert picture.read_text().count("<circle") == 10


def test_an_exponent_is_the_slope_in_a_plot_of_logarithms() -> None:
    assert Growth("x", "s", (10, 100, 1000), (1.0, 10.0, 100.0)).in_words == "size^1.00, in proportion"
    assert Growth("x", "s", (10, 100), (2.0, 2.0)).in_words == "size^0.00, size does not matter"


def test_a_cost_in_proportion_is_drawn_on_the_diagonal() -> None:
    picture = draw([Growth("x", "s", (10, 100), (1.0, 10.0))])
    assert 'class="even" d="M28 160l224 -98"' in picture
    assert 'class="cost" d="M28.0 160.0L252.0 62.0"' in picture


def test_a_figure_short_of_its_target_says_so() -> None:
    lines = draw_rows([at_most("a", "4 ms", 4, 3, "b", " ms"), Row("c", "1")])

    assert "≤ 3 ms" in lines[2]
    assert "short" in lines[2]
    assert "short" not in lines[3]


def test_a_part_that_can_not_be_measured_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise TimeoutError("nothing is on the screen after 3 s")

    monkeypatch.setattr(decode, "measure", fail)
    assert measure("decode") == [Row("decode", "not measured: nothing is on the screen after 3 s")]


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_a_module_that_measures(part: str) -> None:
    assert callable(import_module(f"tests.bench.{part}").measure)


def test_a_process_is_told_by_its_time_its_memory_and_its_family() -> None:
    assert family(os.getpid())[0] == os.getpid()
    assert cpu_s(os.getpid()) > 0
    assert peak_bytes(os.getpid()) >= resident_bytes() * 0.9
