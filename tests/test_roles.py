import pytest

from tui.roles import Role, direction, find_axis, guess_role, is_evaluation, is_plainly_measured


@pytest.mark.parametrize(
    ("role", "names"),
    [
        (Role.LOSS, "loss train/loss total_loss Loss/G/loss val_bpb perplexity loss_kpt lm_loss class_error"),
        (Role.LOSS, "Cost l_pix loss_pixel Train-SmoothL1 trl tel ce-mean-words box LossV value_function_loss"),
        (Role.QUALITY, "Prec Acc@1 metrics/mAP50(B) AverageEpRet r hella episodic_return coco/bbox_mAP"),
        (Role.QUALITY, "accuracy train/acc1 top4_acc ddtree_streak8 mean_reward psnr success_rate episode/score"),
        (Role.GRAD_NORM, "grad_norm train/grad_norm gnorm norm actor/grad_norm"),
        (Role.LR, "lr learning_rate train/learning_rate lr/pg0 base_lr train_lr"),
        (Role.THROUGHPUT, "tok_per_sec tok/sec tps samples_per_second perf/throughput mfu ips"),
        (Role.TIME, "elapsed step_time dt iter_time _runtime timestamp eta_seconds data_time remaining_time"),
        (Role.PROGRESS, "step epoch total_tokens current_steps num_tokens percentage"),
        (Role.LR, "L.r. LR last_layer_lr"),
        (Role.TIME, "batch_cost reader_cost sec/tick updt_s data_s rem time"),
        (Role.THROUGHPUT, "words/s images/s RunningAvgSamplesPerSec time/fps perf/throughput"),
        (Role.OTHER, "loss_scale loss_weight attempted_loss_scale lrm"),
        (Role.OTHER, "noise_std grad/norm_gamma memory"),
    ],
)  # fmt: skip
def test_a_role_is_guessed_from_the_name(role: Role, names: str) -> None:
    assert {name: guess_role(name) for name in names.split()} == dict.fromkeys(names.split(), role)


def test_evaluations_are_known_by_name() -> None:
    assert all(is_evaluation(name) for name in ("eval_loss", "val_acc", "test/acc1", "valid_ppl"))
    assert not any(is_evaluation(name) for name in ("loss", "train/loss", "value_loss"))


def test_lower_is_better_for_a_loss_and_higher_for_a_quality() -> None:
    assert (direction(Role.LOSS), direction(Role.QUALITY), direction(Role.LR)) == (-1, 1, 0)


@pytest.mark.parametrize(
    ("fields", "axis"),
    [
        ("loss step epoch", "step"),
        ("update num_updates epoch loss", "num_updates"),
        ("epoch v-loss total-env-interacts", "total-env-interacts"),
        ("Epoch LossV TotalEnvInteracts", "TotalEnvInteracts"),
        ("Loss/G/loss Progress/kimg timestamp", "Progress/kimg"),
        ("current_steps total_steps loss", "current_steps"),
        ("epoch total_steps loss", "epoch"),
        ("total_steps loss", "total_steps"),
        ("episode steps_done reward", "steps_done"),
        ("train/step train/loss", "train/step"),
        ("timing_s/step loss", None),
        ("loss time", None),
    ],
)
def test_the_axis_is_the_most_telling_name(fields: str, axis: str | None) -> None:
    assert find_axis(tuple(fields.split())) == axis


def test_a_plain_measurement_is_told_from_a_setting() -> None:
    assert all(map(is_plainly_measured, ("loss", "Average loss", "ppl", "Best Acc@1 so far", "val/accuracy")))
    assert not any(map(is_plainly_measured, ("loss_weight", "lr", "label_smoothing", "train", "step")))
