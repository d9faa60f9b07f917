import pytest

from tui.roles import Role, direction, guess_role, is_evaluation


@pytest.mark.parametrize(
    ("role", "names"),
    [
        (Role.LOSS, "loss train/loss total_loss Loss/G/loss val_bpb perplexity loss_kpt lm_loss class_error"),
        (Role.QUALITY, "accuracy train/acc1 top4_acc ddtree_streak8 mean_reward psnr success_rate episode/score"),
        (Role.GRAD_NORM, "grad_norm train/grad_norm gnorm norm actor/grad_norm"),
        (Role.LR, "lr learning_rate train/learning_rate lr/pg0 base_lr train_lr"),
        (Role.THROUGHPUT, "tok_per_sec tok/sec tps samples_per_second perf/throughput mfu ips"),
        (Role.TIME, "elapsed step_time dt iter_time _runtime timestamp eta_seconds data_time remaining_time"),
        (Role.PROGRESS, "step epoch total_tokens current_steps num_tokens percentage"),
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
