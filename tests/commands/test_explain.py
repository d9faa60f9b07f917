import pytest

from tests.commands.running import Shell, drafter, entries


def test_every_detector_of_a_metric_is_a_line_with_its_numbers(shell: Shell) -> None:
    answer = shell("explain", shell.write(drafter()), "--metric", "grad_norm")
    assert (answer.code, answer.err) == (0, "")
    head, metric, *lines = answer.out.splitlines()
    assert head.endswith("train_log.jsonl: at step 21,784, 13,190 entries")
    assert metric == "grad_norm, grad_norm"
    told = {line[2:21].strip(): line[21:] for line in lines}
    assert list(told) == [
        "nonfinite",
        "instability",
        "gradient collapse",
        "clipped gradient",
        "early norm",
        "frozen",
    ]
    for word in ("level ", "sigma ", "inflation ", "statistic ", "threshold "):
        assert word in told["instability"]
    assert "reference " in told["gradient collapse"]


def test_what_is_not_armed_says_why(shell: Shell) -> None:
    log = shell.write(entries(*({"step": n, "loss": 2 - n / 1000} for n in range(212))))
    answer = shell("explain", log)
    assert "  plateau        not armed: 212 of 400 values\n" in answer.out


def test_at_a_step_it_says_what_it_would_have_said_of_the_log_up_to_there(shell: Shell) -> None:
    text = drafter()
    rows = text.splitlines(keepends=True)
    kept = [row for row in rows if float(row.split('"step": ')[1].split(",")[0]) <= 5000]
    cut = shell("explain", shell.write("".join(kept), "cut.jsonl")).out.splitlines()
    then = shell("explain", shell.write(text), "--at", "5000").out.splitlines()
    assert then[0].endswith(": as of step 5,000")
    assert then[1:] == cut[1:]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--metric", "los"), "no detector watches los; they watch loss"),
        (("--at", "5,6"), "explain looks at one step; give --at one of them"),
    ],
)
def test_a_wrong_question_is_one_sentence(shell: Shell, words: tuple[str, ...], says: str) -> None:
    answer = shell("explain", shell.write(entries({"step": 1, "loss": 2.0})), *words)
    assert (answer.code, answer.out, answer.err) == (3, "", f"milepost: {says}\n")


def test_a_log_without_an_entry_can_not_be_explained(shell: Shell) -> None:
    answer = shell("explain", shell.write(""))
    assert answer.code == 3
    assert "is empty" in answer.err
