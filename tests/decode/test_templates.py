import pytest

from tui.decode.templates import is_evaluation_line, label_evaluation, position_kind


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        (
            "step",
            ["step", "Step", "global step", "Iter(train)", "Training step", "completed step", "Up", "s"],
        ),
        ("epoch", ["epoch", "Train Epoch", "Epoch(val)", "Ep", "epch"]),
        ("filler", ["Training", "train", "at"]),
        ("", ["loss", "step size", "epoch_time", "steps per second", "n", "batch size"]),
    ],
)
def test_a_key_says_whether_it_is_a_position(kind: str, keys: list[str]) -> None:
    assert {key: position_kind(key) for key in keys} == dict.fromkeys(keys, kind)


@pytest.mark.parametrize(
    "text",
    ["[valid] Ep. 1", "Test set: Average loss: 0.5", "Epoch(val) [1]", "[eval] iter 0: x", "Test:\tTime 1.9"],
)
def test_an_evaluation_is_known_by_how_it_begins(text: str) -> None:
    assert is_evaluation_line(text)


@pytest.mark.parametrize(
    "text", ["step 1: train loss 0.5, val loss 0.6", "test_acc1: 0.5", "val: 0.5", "latest: 0.5"]
)
def test_a_name_in_the_line_makes_no_evaluation_of_it(text: str) -> None:
    assert not is_evaluation_line(text)


def test_the_metrics_of_an_evaluation_are_named_so_and_its_position_is_not() -> None:
    assert label_evaluation({"loss": 1.0, "val_acc": 2.0, "epoch": 3.0, "train loss": 4.0}) == {
        "val/loss": 1.0, "val_acc": 2.0, "epoch": 3.0, "train loss": 4.0,
    }  # fmt: skip
