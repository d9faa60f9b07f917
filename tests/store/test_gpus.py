import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.store.gpus import Doing, Gpu, Gpus, RocmTable, parse_nvidia

ROCM = """device,Temperature (Sensor edge) (C),Temperature (Sensor junction) (C),\
Average Graphics Package Power (W),GPU use (%),GPU Memory Allocated (VRAM%)
card0,45.0,52.0,310.0,97,63
card1,44.0,51.0,N/A,3,1
"""


def test_a_line_of_nvidia_smi_is_one_gpu() -> None:
    gpu = parse_nvidia("3, NVIDIA H100 80GB HBM3, 98, 70112, 81559, 61, 655.20, 700.00")
    assert gpu == Gpu(3, "NVIDIA H100 80GB HBM3", 0.98, 70112 * 2**20, 81559 * 2**20, 61.0, 655.2, 700.0)


def test_what_a_gpu_does_not_tell_is_nan() -> None:
    gpu = parse_nvidia("0, Tesla K80, [N/A], 100, 200, 40, [Not Supported], [N/A]")
    assert gpu
    assert math.isnan(gpu.utilisation)
    assert math.isnan(gpu.power)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "No devices were found",
        "NVIDIA-SMI has failed because it couldn't communicate",
        "a, b, 1, 2, 3, 4, 5, 6",
    ],
)
def test_other_lines_are_no_gpus(line: str) -> None:
    assert parse_nvidia(line) is None


def test_rocm_smi_is_read_by_the_words_of_its_header() -> None:
    table = RocmTable()
    found = [gpu for line in ROCM.splitlines() if (gpu := table.read(line))]
    first, second = found
    assert (first.index, first.utilisation, first.power, first.temperature) == (0, 0.97, 310.0, 52.0)
    assert first.memory_used / first.memory_total == pytest.approx(0.63)
    assert math.isnan(second.power)


def seen(*gpus: Gpu, live: tuple[Gpu, ...] = ()) -> Gpus:
    state = Gpus()
    for gpu in live:
        state.take(gpu, is_run_live=True)
    for gpu in gpus:
        state.take(gpu, is_run_live=False)
    return state


def test_full_use_at_low_power_is_a_hang() -> None:
    working = Gpu(0, "H100", 0.99, power=640.0, power_limit=700.0)
    state = seen(Gpu(0, "H100", 1.0, power=120.0, power_limit=700.0), live=(working,) * 5)
    assert state.doing() is Doing.HANGING
    assert state.describe() == "its GPUs are at 100 % but draw only 120 W: it hangs"


def test_idle_gpus_are_those_of_a_run_that_has_stopped() -> None:
    state = seen(Gpu(0, "H100", 0.0, power=70.0), Gpu(1, "H100", 0.02, power=71.0))
    assert state.doing() is Doing.STOPPED
    assert state.describe() == "its GPUs are idle (1 %): it has stopped"


def test_one_that_works_speaks_for_all() -> None:
    live = (Gpu(0, "H100", 1.0, power=600.0), Gpu(1, "H100", 1.0, power=600.0))
    assert (
        seen(Gpu(0, "H100", 1.0, power=590.0), Gpu(1, "H100", 1.0, power=100.0), live=live).doing()
        is Doing.WORKING
    )


def test_a_little_use_or_no_power_says_nothing() -> None:
    assert seen(Gpu(0, "H100", 0.4, power=300.0)).doing() is None
    assert seen(Gpu(0, "H100", 1.0)).doing() is None
    assert Gpus().describe() is None


@given(st.text())
def test_no_line_is_too_strange(line: str) -> None:
    parse_nvidia(line)
    RocmTable().read(line)


def test_all_are_told_in_one_short_line() -> None:
    state = Gpus()
    assert state.summary() is None
    for line in (
        "0, H100, 98, 70112, 81559, 61, 655.20, 700.00",
        "1, H100, 96, 70112, 81559, 64, 645.20, 700.00",
    ):
        state.take_line(line, is_run_live=True)
    assert state.summary() == "GPU 2 × 97 % · 64 °C · 650 W · 74/86 GB"
    state.take_line(None, is_run_live=True)
    assert state.summary() is None


def test_so_are_those_of_rocm_smi_whose_memory_is_a_share() -> None:
    state = Gpus()
    for line in ROCM.splitlines()[:2]:
        state.take_line(line, is_run_live=True)
    assert state.summary() == "GPU 97 % · 52 °C · 310 W · 63 % memory"


def test_a_gpu_that_tells_nothing_is_said_to() -> None:
    state = Gpus()
    state.take_line("0, H100, [N/A], [N/A], [N/A], [N/A], [N/A], [N/A]", is_run_live=True)
    assert state.summary() == "GPU tells nothing"
    assert state.hint() is None
