from tui.decode.position import Odometer, Refiner


def place(*points: tuple[float, float], length: float | None = None) -> list[float]:
    odometer = Odometer()
    return [odometer.place(epoch, count, length) for epoch, count in points]


def test_counts_within_epochs_of_known_length_go_on_through_the_run() -> None:
    assert place((1, 10), (1, 40), (2, 10), (3, 20), length=47) == [10, 40, 57, 114]
    assert place((0, 0), (0, 10), (1, 0), length=13) == [0, 10, 13]


def test_without_a_length_the_epoch_before_tells_it() -> None:
    assert place((0, 20), (0, 40), (1, 20), (1, 40), (2, 20)) == [20, 40, 80, 100, 140]


def test_a_count_that_goes_on_when_the_epoch_changes_is_the_runs_own() -> None:
    assert place((1, 900), (1, 1000), (2, 1100), (2, 1200)) == [900, 1000, 1100, 1200]


def test_a_restart_goes_back_to_where_its_epoch_began() -> None:
    assert place((0, 20), (0, 40), (1, 20), (2, 20), (1, 20)) == [20, 40, 80, 120, 80]
    assert place((1, 40), (2, 10), (1, 10), length=47) == [40, 57, 10]


def refine(*printed: tuple[float, float]) -> list[float]:
    refiner = Refiner()
    return [refiner.refine(step, grain) for step, grain in printed]


def test_steps_that_print_alike_are_told_apart_by_the_cadence() -> None:
    rounded = [
        (400.0, 0.0),
        (800.0, 0.0),
        (1000.0, 1000.0),
        (2000.0, 1000.0),
        (2000.0, 1000.0),
        (2000.0, 1000.0),
    ]
    assert refine(*rounded) == [400, 800, 1200, 1600, 2000, 2400]


def test_a_step_that_does_not_fit_the_cadence_is_taken_as_printed() -> None:
    assert refine((400, 0), (800, 0), (9000, 1000), (2000, 1000)) == [400, 800, 9000, 2000]


def test_exact_steps_are_never_changed() -> None:
    assert refine((10, 0), (20, 0), (20, 0), (25, 0), (3, 0)) == [10, 20, 20, 25, 3]
