import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.roles import Role
from tui.sources.checkpoints import Disk, Listing, Stored
from tui.store.checkpoints import (
    Checkpoint,
    Shelf,
    choose_metric,
    choose_shelf,
    find_best,
    find_checkpoints,
    mark_rows,
    overdue_by,
    read_name,
)
from tui.store.milestones import Recent, Row, Table


@pytest.mark.parametrize(
    ("name", "step", "epoch"),
    [
        ("step_16000.pt", 16000, None),
        ("model_step_16000.safetensors", 16000, None),
        ("drafter-step-2000.bin", 2000, None),
        ("ckpt_0042000.pt", 42000, None),
        ("ckpt-4200.index", 4200, None),
        ("epoch=3-step=1200.ckpt", 1200, 3),
        ("epoch_12.pth", None, 12),
        ("iter_0001000.pth", 1000, None),
        ("model_0000999.pth", 999, None),
        ("network-snapshot-000400.pkl", 400, None),
        ("optim_000500.pt", 500, None),
        ("model-00001-of-00003.safetensors", None, None),
        ("step_20k.pt", 20000, None),
        ("last.ckpt", None, None),
        ("best.pt", None, None),
        ("pytorch_model.bin", None, None),
        ("12000.pt", 12000, None),
    ],
)
def test_a_files_name_tells_step_and_epoch(name: str, step: float | None, epoch: float | None) -> None:
    assert read_name(name) == (step, epoch)


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("checkpoint-500", 500),
        ("global_step1000", 1000),
        ("iter_0000100", 100),
        ("30000", 30000),
        ("step-5", 5),
    ],
)
def test_so_does_a_folders(name: str, step: float) -> None:
    assert read_name(name, is_folder=True) == (step, None)


@pytest.mark.parametrize(
    "name", ["train_log.jsonl", "config.json", "README", "step_100.txt", "events.out.tfevents.1"]
)
def test_other_files_are_no_checkpoints(name: str) -> None:
    assert read_name(name) is None


@pytest.mark.parametrize("name", ["logs", "wandb", "tensorboard", "eval"])
def test_other_folders_are_none_either(name: str) -> None:
    assert read_name(name, is_folder=True) is None


def test_files_of_one_step_are_one_checkpoint() -> None:
    found = find_checkpoints(
        [
            Stored("model_200.pt", 1000, 60.0),
            Stored("optim_200.pt", 2000, 62.0),
            Stored("model_100.pt", 1000, 30.0),
            Stored("log.txt", 5, 99.0),
        ]
    )
    assert found == (
        Checkpoint("model_100.pt", 100, None, 1000, 30.0),
        Checkpoint("model_200.pt", 200, None, 3000, 62.0),
    )


def shelf(*steps: float, every_s: float = 600.0, now_s: float = 0.0, disk: Disk | None = None) -> Shelf:
    saved = tuple(
        Checkpoint(f"step_{step:.0f}.pt", step, None, 10**9, 1000.0 + at * every_s)
        for at, step in enumerate(steps)
    )
    return Shelf("/ckpt", saved, saved[-1].modified_s + now_s, disk)


def test_a_checkpoint_is_overdue_when_both_steps_and_time_say_so() -> None:
    usual = (500, 1000, 1500, 2000)
    assert overdue_by(shelf(*usual, now_s=1300), 3100) == pytest.approx(1300 / 600)
    assert overdue_by(shelf(*usual, now_s=1100), 3100) is None
    assert overdue_by(shelf(*usual, now_s=9000), 2600) is None
    assert overdue_by(shelf(*usual, now_s=1300), None) == pytest.approx(1300 / 600)


def test_two_checkpoints_make_no_rhythm() -> None:
    assert overdue_by(shelf(500, 1000, now_s=1e6), 1e6) is None
    assert overdue_by(Shelf("/ckpt", (), 0.0), 100) is None


def test_the_disk_lasts_for_as_many_checkpoints_as_fit() -> None:
    assert shelf(500, 1000, 1500, 2000, disk=Disk(10**12, 5 * 10**9)).seconds_until_full() == pytest.approx(
        3000
    )


def test_where_old_ones_are_deleted_the_disk_does_not_fill() -> None:
    assert shelf(50_000, 50_500, 51_000, 51_500, disk=Disk(10**12, 10**9)).seconds_until_full() is None


def test_the_nearest_checkpoint_of_a_milestone() -> None:
    saved = shelf(500, 1000, 1500)
    near = saved.near(1010, 20)
    assert near
    assert near.step == 1000
    assert saved.near(1200, 20) is None


@given(st.text(max_size=40), st.booleans())
def test_no_name_is_too_strange(name: str, is_folder: bool) -> None:
    read_name(name, is_folder=is_folder)


def test_what_is_not_whole_yet_is_no_checkpoint() -> None:
    assert read_name("tmp-checkpoint-500", is_folder=True) is None
    assert read_name("step_500.pt.tmp") is None
    assert read_name("16000.orbax-checkpoint-tmp", is_folder=True) is None


def test_the_best_checkpoint_is_the_one_around_which_the_metric_was_best() -> None:
    steps = np.arange(2000.0)
    values = -np.abs(steps - 1010) + np.where(steps % 2, 30.0, -30.0)
    best = find_best(shelf(500, 1000, 1500), "accuracy", steps, values, 1)
    assert best
    assert (best.checkpoint.step, best.metric) == (1000, "accuracy")
    assert best.mean == pytest.approx(values[975:1025].mean(), abs=1.0)
    worst = find_best(shelf(500, 1000, 1500), "loss", steps, values, -1)
    assert worst
    assert worst.checkpoint.step == 500


def test_of_an_evaluation_the_one_entry_counts() -> None:
    best = find_best(
        shelf(500, 1000, 1500), "eval/acc", np.array([490.0, 1010, 1490]), np.array([0.1, 0.3, 0.2]), 1
    )
    assert best
    assert (best.checkpoint.step, best.mean) == (1000, 0.3)


def test_a_checkpoint_far_from_all_entries_is_not_the_best() -> None:
    assert find_best(shelf(500, 1000, 1500), "loss", np.array([9000.0]), np.array([1.0]), -1) is None
    assert find_best(shelf(500), "loss", np.array([500.0]), np.array([np.nan]), -1) is None


def test_a_quality_on_held_out_data_is_what_checkpoints_are_told_apart_by() -> None:
    roles = {"loss": Role.LOSS, "accuracy": Role.QUALITY, "eval/accuracy": Role.QUALITY, "lr": Role.LR}
    assert choose_metric(roles) == "eval/accuracy"
    assert choose_metric({"loss": Role.LOSS}) == "loss"
    assert choose_metric({"lr": Role.LR}) is None


def listing(folder: str, *names: str, is_folder: bool = False) -> Listing:
    return Listing(folder, tuple(Stored(name, 1, 1.0, is_folder) for name in names), None, 2.0)


def test_of_several_folders_the_fullest_is_the_runs() -> None:
    found = choose_shelf([listing("/run", "model.pt"), listing("/run/ckpt", "1.pt", "2.pt")], is_given=False)
    assert found
    assert found.folder == "/run/ckpt"


def test_an_empty_folder_counts_only_where_it_was_named() -> None:
    assert choose_shelf([listing("/run")], is_given=False) is None
    assert choose_shelf([listing("/run")], is_given=True) == Shelf("/run", (), 2.0)


def test_milestones_with_a_checkpoint_bear_its_name() -> None:
    rows = (Row(500, 499), Row(1000, 1001), Row(1250, 1250), Row(1500, None))
    table = Table((), rows, Recent(0, {}))
    marked = mark_rows(table, shelf(500, 1000, 1500), cadence=2.0)
    assert [row.checkpoint for row in marked.rows] == ["step_500.pt", "step_1000.pt", None, None]
    assert mark_rows(table, None, 2.0) is table
