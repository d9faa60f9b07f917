import math

from tests.decode.test_decoder import entries_of
from tui.decode.batch import join_batches
from tui.decode.textlog import TextLog


def read(*lines: str) -> list[dict[str, float]]:
    text = TextLog()
    return entries_of(join_batches([text.decode([line.encode() for line in lines]), text.finish()]))


def test_of_the_redraws_at_one_step_the_last_is_the_entry() -> None:
    assert read("1/4 loss: 9.5\r", "1/4 loss: 2.5\r", "2/4 loss: 2.25\r", "2/4 loss: 2.125") == [
        {"step": 1.0, "total_steps": 4.0, "loss": 2.5},
        {"step": 2.0, "total_steps": 4.0, "loss": 2.125},
    ]


def test_the_last_redraw_counts_at_the_end() -> None:
    assert read("1/4 loss: 2.5\r", "2/4 loss: 2.25\r")[-1]["loss"] == 2.25


def test_a_bar_without_a_metric_is_no_entry() -> None:
    assert (
        read(
            "Loading shards:  80%|########  | 4/5 [00:00<00:00, 34.91it/s]\r",
            "100%|##########| 5/5 [00:01<00:00]",
        )
        == []
    )


def test_an_evaluation_is_named_as_one_and_stands_where_the_run_does() -> None:
    entries = read(
        "step 10: loss 2.5", "Test set: Average loss: 0.0553, Accuracy: 982/1000 (98%)", "step 20: loss 2.25"
    )
    assert entries[1] == {"step": 10.0, "val/Average loss": 0.0553, "val/Accuracy": 0.982}


def test_lines_without_a_step_that_come_again_and_again_are_left_without() -> None:
    assert [
        "step" in entry for entry in read("step 1: loss 2.5", "ppl: 1.234", "ppl: 1.235", "ppl: 1.236")
    ] == [
        True,
        True,
        False,
        False,
    ]


def test_a_heading_gives_its_epoch_to_the_bars_below_it() -> None:
    entries = read(
        "Epoch 2/3", " 5/10 [====>.....] - loss: 0.5", "Epoch 3/3", " 5/10 [====>.....] - loss: 0.25"
    )
    assert [(entry["epoch"], entry["step"]) for entry in entries] == [(2, 15), (3, 25)]


def test_the_nan_of_a_mean_that_was_reset_is_no_value_and_a_real_one_is() -> None:
    assert read("Epoch[0] Batch [20] Train-Loss=2.5", "Epoch[0] Train-Loss=nan") == [
        {"step": 20.0, "epoch": 0.0, "Train-Loss": 2.5}
    ]
    real = read("Epoch[0] Batch [20] Train-Loss=nan", "Epoch[0] Train-Loss=nan")
    assert [math.isnan(entry["Train-Loss"]) for entry in real] == [True, True]


def test_settings_sentences_and_source_code_are_noise() -> None:
    text = TextLog()
    lines = [
        "learning_rate: 0.001",
        "loss_weight: 1.0",
        "batch size: 32 epochs: 10",
        "Namespace(lr=0.1, epochs=3, loss='ce')",
        "number of parameters: 10.65M",
        "Saving checkpoint at step 1000",
        "loaded 1,178,492 sentences in 12.5s",
        "Using seed: 42 step size: 0.1",
        "    loss = 0.5 * loss",
        "def step(self, lr=0.001):",
        "val_loss_every : int = 125",
        "Attempted loss scale: 65536, reducing to 32768",
        "pp=1, dp_replicate=1, dp_shard=8, cp=1, tp=1, ep=1, etp=1",
        "iterations:10000 tokens:32768 min_lr_ratio:0.125 lr_warmup:100.5 loss_scale:1.5",
        "s=128, expansion_factor=2.5, dropout_rate=0.125, drop_path=0.5",
        "epoch 3 took 45.2s",
        "https://example.org/a?step=1&loss=0.5123",
        "version 1.2.3",
        "",
    ]
    batch = text.decode([line.encode() for line in lines])
    assert (batch.entries, batch.noise) == (0, len(lines))


def test_a_table_is_one_entry_and_an_open_one_ends_with_the_log() -> None:
    assert read(
        "-------------",
        "| a/       |  |",
        "|   loss | 2.5 |",
        "| step | 7 |",
        "| name | x |",
        "-------------",
    ) == [{"a/loss": 2.5, "a/step": 7.0}]
    assert read("| loss | 2.5 |", "| step | 7 |") == [{"loss": 2.5, "step": 7.0}]


def test_the_name_says_how_most_entries_are_written() -> None:
    text = TextLog()
    assert text.name == "text"
    text.decode([b"{'loss': 0.5, 'epoch': 1}", b"{'loss': 0.5, 'epoch': 2}", b"step 1: loss 2.5"])
    assert text.name == "text (dicts)"
