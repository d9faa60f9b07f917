from __future__ import annotations

import pytest

from tui.health.ending import has_reached, says_end


@pytest.mark.parametrize(
    "line",
    [
        '{"event": "done"}',
        '{"type":"training_complete","time":12.5}',
        "Training finished after 10 epochs, best loss 2.31",
        "INFO: finished training in 3 h",
        "{'train_runtime': 1234.5, 'train_loss': 2.1, 'epoch': 3.0}",
        "`Trainer.fit` stopped: `max_steps=1000` reached.",
        "Run completed.",
    ],
)
def test_a_line_that_says_so_ends_a_run_though_others_follow(line: str) -> None:
    assert says_end(['{"step": 9, "loss": 2.0}', line])
    assert says_end([line, "saved to out/final", "wandb: synced 5 files"])


@pytest.mark.parametrize(
    "line",
    [
        "epoch 3 training finished",
        "evaluation done, training goes on",
        "validation run finished",
        '{"step": 10, "loss": 2.0}',
        "saving checkpoint ... done",
        "warmup of the training done",
        "",
    ],
)
def test_other_lines_end_nothing(line: str) -> None:
    assert not says_end([line])


def test_a_run_that_goes_on_after_its_end_has_not_ended() -> None:
    assert not says_end(["Training finished", "resumed", '{"step": 11, "loss": 2.0}'])
    assert not says_end([])


def test_a_goal_is_reached_at_its_step_or_where_no_entry_is_due_before_it() -> None:
    assert has_reached(1000, 1000)
    assert not has_reached(990, 1000)
    assert has_reached(990, 1000, 10)
    assert not has_reached(980, 1000, 10)
    assert not has_reached(None, 1000)
    assert not has_reached(5, None)
