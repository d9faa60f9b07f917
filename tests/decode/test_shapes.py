# ruff: noqa: E501 - one line a sample
"""Small invented samples of every shape in which trainers log, and what must be read from each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.decode.test_decoder import entries_of
from tui.decode.batch import join_batches
from tui.decode.decoder import Decoder

DATA = Path(__file__).parent.parent / "data"


@dataclass(frozen=True, slots=True)
class Shape:
    """What a sample holds: its first and last entry must have these fields, and may have more."""

    log_format: str
    entries: int
    noise: int
    first: dict[str, float]
    last: dict[str, float]


SHAPES = {
    "averages.log": Shape("text (key value)", 2, 0, {"step": 120, "koleo_loss": -0.0305}, {"step": 130, "koleo_loss": -0.0305}),
    "bare.txt": Shape("text (key value)", 4, 0, {"step": 0, "val loss": 10.5}, {"step": 1, "train loss": 9.75}),
    "baselines.txt": Shape("text (tables)", 2, 1, {"total/steps": 2000, "train/loss_critic": 6500}, {"total/steps": 4000, "train/loss_critic": 6250}),
    "basicsr.log": Shape("text (key value)", 3, 0, {"step": 121400, "epoch": 19, "l_pix": 0.0055}, {"step": 121600, "epoch": 20, "l_pix": 0.005125}),
    "blocks.log": Shape("text (blocks)", 2, 2, {"step": 5, "Value function loss": 0.0625, "Mean reward": 12.25}, {"step": 6, "Value function loss": 0.03125, "Mean reward": 12.75}),
    "boosting.log": Shape("text (key value)", 2, 0, {"step": 0, "train-rmse": 0.75, "eval-rmse": 0.8125}, {"step": 1, "train-rmse": 0.625, "eval-rmse": 0.75}),
    "brackets.log": Shape("text (key value)", 3, 0, {"step": 2, "epoch": 1, "loss": 0.5, "acc_pose": 0.010417}, {"step": 8, "epoch": 2, "loss": 0.25, "acc_pose": 0.020417}),
    "carriage.log": Shape("text (key value)", 3, 1, {"step": 0, "loss": 21.5}, {"step": 2, "loss": 20.5}),
    "changing.csv": Shape("csv", 4, 0, {"step": 1, "loss": 2.5}, {"step": 4, "loss": 2.0625, "acc": 0.625}),
    "colours.log": Shape("text (key value)", 2, 0, {"step": 10, "loss": 20.5, "grad_norm": 64.5}, {"step": 20, "loss": 19.5, "grad_norm": 54.5}),
    "compose.txt": Shape("text (key value)", 2, 0, {"step": 10, "loss": 2.5}, {"step": 20, "loss": 2.25}),
    "configured.log": Shape("text (key value)", 5, 0, {"lr": 0.001}, {"step": 4, "loss": 2.0625}),
    "crashed.log": Shape("text (key value)", 2, 5, {"step": 1, "loss": 2.5}, {"step": 2, "loss": 2.25}),
    "dashes.log": Shape("text (key value)", 2, 0, {"step": 1, "actor/pg_loss": -0.25, "actor/grad_norm": 17.5}, {"step": 2, "actor/pg_loss": -0.125, "actor/grad_norm": 16.5}),
    "deepspeed.log": Shape("text (key value)", 3, 0, {"step": 10, "skipped": 0}, {"step": 20, "epoch": 0, "act_loss": 0.125, "cri_loss": 0.0625}),
    "devices.log": Shape("text (key value)", 2, 0, {"step": 19, "loss_cls": 1.75}, {"step": 39, "loss_cls": 1.5}),
    "dllogger.txt": Shape("text (dicts)", 2, 1, {"step": 1, "data/step_loss": 3.5}, {"step": 2, "data/step_loss": 3.25}),
    "docker.json": Shape("text (key value)", 2, 1, {"step": 1, "loss": 2.5}, {"step": 2, "loss": 2.25}),
    "epochs.txt": Shape("text (key value)", 2, 0, {"epoch": 1, "loss": 0.0625}, {"epoch": 2, "loss": 0.03125}),
    "events.jsonl": Shape("jsonl", 2, 0, {"step": 0, "train/loss": -0.5}, {"step": 1, "train/loss": -0.25}),
    "fairseq.log": Shape("text (dicts)", 2, 1, {"epoch": 1, "loss": 3.5, "gnorm": 0.8}, {"epoch": 1, "loss": 3.25, "gnorm": 0.7}),
    "fastai.txt": Shape("text (columns)", 2, 0, {"epoch": 0, "train_loss": 0.5, "valid_loss": 0.75}, {"epoch": 1, "train_loss": 0.25, "valid_loss": 0.625}),
    "flat.json": Shape("jsonl", 3, 0, {"step": 5, "loss": 3.5}, {"step": 15, "loss": 2.25}),
    "golden.json": Shape("json", 3, 0, {"step": 1, "iteration-time": 5.5}, {"step": 3, "lm loss": 10.25}),
    "history.json": Shape("json", 3, 0, {"loss": 1.5, "val_loss": 1.75}, {"loss": 1.125, "val_loss": 1.375}),
    "imagenet.log": Shape("text (key value)", 3, 1, {"step": 0, "epoch": 0, "Loss": 6.75, "Acc@1": 0.39}, {"step": 500, "epoch": 1, "Loss": 6.25, "Acc@1": 0.39}),
    "keras.log": Shape("text (key value)", 4, 2, {"step": 1, "epoch": 1, "loss": 0.75, "accuracy": 0.5}, {"step": 200, "epoch": 2, "loss": 0.25, "accuracy": 0.833}),
    "kubectl.txt": Shape("text (key value)", 2, 0, {"step": 10, "epoch": 1, "loss": 2.5}, {"step": 20, "epoch": 1, "loss": 2.25}),
    "lightning.out": Shape("text (key value)", 3, 1, {"step": 1, "epoch": 0, "train/loss": 817}, {"step": 5, "epoch": 1, "train/loss": 15}),
    "llmc.log": Shape("text (key value)", 3, 0, {"step": 0, "tel": 11.5}, {"step": 1, "trl": 11.125, "norm": 14.5}),
    "marian.log": Shape("text (key value)", 3, 1, {"step": 1000, "epoch": 1, "Cost": 2.5, "gNorm": 0.4043}, {"step": 2000, "epoch": 2, "Cost": 2.25, "gNorm": 0.4043}),
    "media.jsonl": Shape("jsonl", 3, 0, {"_step": 0, "reward": 11}, {"_step": 2, "reward": 13.5}),
    "megatron.out": Shape("text (key value)", 3, 2, {"step": 10, "total_steps": 1000}, {"step": 30, "lm loss": 12.25, "grad norm": 7.25}),
    "minimind.log": Shape("text (key value)", 3, 0, {"step": 50, "epoch": 1, "loss": 2.5, "logits_loss": 2.5}, {"step": 150, "epoch": 2, "loss": 2.125, "logits_loss": 2.125}),
    "mnist.log": Shape("text (key value)", 4, 1, {"step": 0, "epoch": 1, "Loss": 2.25}, {"step": 60000, "epoch": 2, "Loss": 0.0625}),
    "moments.jsonl": Shape("jsonl", 2, 0, {"Progress/kimg": 0.5, "Loss/G/loss": 3.5}, {"Progress/kimg": 4.5, "Loss/G/loss": 3.25}),
    "monitor.csv": Shape("csv", 2, 1, {"r": -11.5}, {"r": -9.5}),
    "mxnet.log": Shape("text (key value)", 4, 1, {"step": 20, "epoch": 0, "Train-SmoothL1": 23.5}, {"step": 80, "epoch": 1, "Train-SmoothL1": 21.5}),
    "nanogpt.log": Shape("text (key value)", 3, 2, {"step": 0, "train loss": 4.25, "val loss": 4.2}, {"step": 10, "loss": 3.125}),
    "nested.jsonl": Shape("jsonl", 2, 0, {"step": 1, "train/loss": 2.5, "train/acc": 41.5}, {"step": 2, "train/loss": 2.25, "train/acc": 42}),
    "nested.log": Shape("text (key value)", 2, 0, {"step": 50, "epoch": 1, "loss": 7.5, "simple_loss": 6.5}, {"step": 100, "epoch": 1, "loss": 1.5, "simple_loss": 1.25}),
    "opennmt.log": Shape("text (key value)", 2, 0, {"step": 50, "acc": 6.5, "ppl": 8543.25}, {"step": 100, "acc": 7.5, "ppl": 7543.25}),
    "padded.csv": Shape("csv", 2, 0, {"epoch": 0, "train/box_loss": 0.0625, "metrics/mAP_0.5": 0.28274}, {"epoch": 1, "metrics/mAP_0.5": 0.3664}),
    "paddle.txt": Shape("text (key value)", 2, 0, {"step": 100, "loss_pixel": 2.201269967365527e+32}, {"step": 200, "loss_pixel": 8.125}),
    "pipes.log": Shape("text (key value)", 2, 1, {"step": 1, "epoch": 1, "loss": 10.75}, {"step": 2, "epoch": 1}),
    "progress.tsv": Shape("tsv", 2, 0, {"TotalEnvInteracts": 4000, "AverageEpRet": -500.5, "LossV": 1470.25}, {"TotalEnvInteracts": 8000, "AverageEpRet": -400.5, "LossV": 1080.25}),
    "pydicts.jsonl": Shape("text (dicts)", 3, 0, {"epoch": 0.01, "loss": 0.5, "grad_norm": 2.5}, {"epoch": 0.03, "loss": 0.25, "grad_norm": 1.5}),
    "rounded.txt": Shape("text (key value)", 6, 0, {"step": 400, "epoch": 1, "loss": 2.3, "grdn": 3.052}, {"step": 2400, "epoch": 6, "loss": 1.3, "grdn": 3.052}),
    "rows.json": Shape("json", 2, 0, {"epoch": 1, "train_loss": 0.5}, {"epoch": 2, "train_loss": 0.25}),
    "sb3.txt": Shape("text (tables)", 2, 1, {"time/total_timesteps": 2048, "rollout/ep_rew_mean": 22.5}, {"time/total_timesteps": 4096, "train/loss": 7.5}),
    "sparse.csv": Shape("csv", 4, 0, {"step": 28, "epoch": 0, "val_loss": 1.75}, {"step": 57, "epoch": 1, "val_loss": 1.625}),
    "speedrun.txt": Shape("text (key value)", 3, 5, {"step": 0, "val_loss": 10.8258}, {"step": 2, "train_loss": 10.5}),
    "state.json": Shape("json", 3, 0, {"step": 10, "epoch": 0.5, "loss": 1.5}, {"step": 20, "eval_loss": 1.125}),
    "stepblocks.log": Shape("text (blocks)", 2, 0, {"step": 10, "epoch": 0, "train/CrossEntropyLoss": 10.5}, {"step": 20, "epoch": 0, "train/CrossEntropyLoss": 9.5}),
    "steps.log": Shape("text (key value)", 2, 0, {"step": 0, "epoch": 1, "Train loss": 10.375, "Val loss": 10.036}, {"step": 5, "epoch": 1, "Train loss": 9.375, "Val loss": 9.036}),
    "stylegan.txt": Shape("text (key value)", 2, 1, {"step": 4, "tick": 0}, {"step": 8, "tick": 1}),
    "tabs.log": Shape("text (key value)", 3, 0, {"step": 10, "epoch": 0, "Loss": 1.5, "Prec": 63.647}, {"step": 13, "epoch": 1, "Loss": 1.25, "Prec": 63.647}),
    "timm.log": Shape("text (key value)", 4, 0, {"step": 0, "epoch": 0, "Loss": 6.75}, {"step": 1301, "epoch": 1, "Loss": 6.5}),
    "trainer.out": Shape("text (dicts)", 3, 2, {"epoch": 0.11, "loss": 2.5, "grad_norm": 70.5}, {"epoch": 0.22, "eval_loss": 2.125}),
    "turning.log": Shape("jsonl", 6, 1, {"step": 1, "loss": 2.5}, {"step": 6, "loss": 2.015625}),
    "two.txt": Shape("text (key value)", 3, 0, {"step": 1, "loss": 8.049}, {"step": 3, "loss": 7.0328}),
    "windows.csv": Shape("csv", 2, 0, {"epoch": 0, "accuracy": 0.5, "loss": 1.5}, {"epoch": 1, "accuracy": 0.75, "loss": 1.25}),
    "words.log": Shape("text (key value)", 3, 0, {"step": 10, "loss": 8.75}, {"step": 20, "loss": 8.25}),
    "yolo.out": Shape("text (columns)", 3, 0, {"epoch": 0, "box": 0.5, "obj": 0.0377}, {"epoch": 1, "box": 0.25, "obj": 0.0377}),
    "yolo8.out": Shape("text (columns)", 2, 0, {"epoch": 1, "box_loss": 1.25, "cls_loss": 3.835}, {"epoch": 2, "box_loss": 1.125, "cls_loss": 3.835}),
    "yolox.txt": Shape("text (key value)", 2, 0, {"step": 40, "epoch": 1, "iou_loss": 1.5}, {"step": 57, "epoch": 2, "iou_loss": 1.5}),
}  # fmt: skip


def test_every_sample_is_known() -> None:
    assert {path.name for path in DATA.iterdir()} == SHAPES.keys()


@pytest.mark.parametrize("file", SHAPES)
def test_a_sample_of_every_shape_is_read(file: str) -> None:
    shape = SHAPES[file]
    decoder = Decoder()
    batch = join_batches([decoder.feed((DATA / file).read_bytes()), decoder.finish()])
    entries = entries_of(batch)
    assert (decoder.format_name, len(entries), batch.malformed) == (shape.log_format, shape.entries, 0)
    assert batch.noise == shape.noise
    for entry, expected in ((entries[0], shape.first), (entries[-1], shape.last)):
        assert {name: entry.get(name) for name in expected} == expected
