import pytest

from tui.decode.foreign import Ending, is_foreign


@pytest.mark.parametrize(
    "line",
    [
        b"Traceback (most recent call last):",
        b'  File "train.py", line 3, in <module>',
        b"ValueError: bad",
        b"/usr/lib/python3/site-packages/x.py:3: FutureWarning: old",
        b"node1:123:456 [0] NCCL INFO Channel 00",
        b"[2024-01-01 10:00:00] saving",
        b"[rank3]: waiting",
        b" 30%|### | 3/9",
        b"wandb: syncing",
    ],
)
def test_lines_of_other_programs_are_known(line: bytes) -> None:
    assert is_foreign(line)


@pytest.mark.parametrize("line", [b"not json", b'{"step": 1, "loss":', b"junk", b"\x00\x01"])
def test_a_broken_line_is_not_foreign(line: bytes) -> None:
    assert not is_foreign(line)


def end(*lines: bytes) -> str | None:
    ending = Ending()
    ending.note(lines)
    return ending.error


def test_the_first_error_is_the_cause_and_its_echoes_are_not() -> None:
    assert (
        end(
            b"Traceback (most recent call last):",
            b"KeyError: 'x'",
            b"Traceback (most recent call last):",
            b"RuntimeError: y",
        )
        == "KeyError: 'x'"
    )
    assert (
        end(
            b"Traceback (most recent call last):",
            b"torch.x.ChildFailedError: ",
            b"Traceback (most recent call last):",
            b"[rank1]: OSError: full",
        )
        == "OSError: full"
    )


def test_errors_without_a_traceback_are_known_by_their_words() -> None:
    assert end(b"Killed") == "Killed"
    assert end(b"slurmstepd: error: *** JOB 1 CANCELLED AT 2024-01-01 DUE TO TIME LIMIT ***") is not None
    assert end(b"train.sh: line 3: 99 Segmentation fault (core dumped) python train.py") is not None


def test_an_error_that_is_only_talked_of_is_none() -> None:
    assert end(b"retrying after ValueError: bad", b"no RuntimeError was raised") is None


def test_what_an_error_says_is_harmless() -> None:
    assert end(b"Traceback (most recent call last):", b"ValueError: a\x1b[31mb\x07") == "ValueError: ab"
