import pytest

from tests.commands.running import Shell, entries


def log(shell: Shell) -> str:
    rows: list[dict[str, float]] = [
        {"step": step, "loss": 4 - step / 100, "score": step / 8} for step in range(100)
    ]
    rows[50]["loss"] = float("nan")
    rows.append({"step": 99, "eval_loss": 0.5})
    return str(shell.write(entries(*rows)))


def test_every_field_is_told_with_role_count_range_and_example(shell: Shell) -> None:
    lines = shell("fields", log(shell)).out.splitlines()
    assert lines[0].endswith("train_log.jsonl: jsonl, 101 entries, 2 kinds of rows")
    assert [line.split() for line in lines[1:4]] == [
        ["field", "role", "rows", "count", "low", "high", "last"],
        ["step", "axis", "1", "100", "0", "99.0", "99.0"],
        ["loss", "loss", "1", "99", "+", "1", "not", "finite", "3.01", "4.00", "3.01"],
    ]
    assert lines[-1].split() == ["eval_loss", "loss", "2", "1", "0.500", "0.500", "0.500"]


def test_json_tells_the_same(shell: Shell) -> None:
    told = shell("fields", log(shell), "--json").json
    assert (told["schema"], told["format"], told["entries"]) == (1, "jsonl", 101)
    assert told["fields"][1] == {
        "name": "loss", "role": "loss", "stream": 1, "count": 99, "nonfinite": 1,
        "low": pytest.approx(3.01), "high": 4.0, "example": pytest.approx(3.01),
    }  # fmt: skip


def test_a_role_that_was_guessed_wrong_can_be_given(shell: Shell) -> None:
    path = log(shell)
    roles = {field["name"]: field["role"] for field in shell("fields", path, "--json").json["fields"]}
    assert roles["score"] == "quality"
    told = shell("fields", path, "--json", "--role", "score=other").json["fields"]
    assert {field["name"]: field["role"] for field in told}["score"] == "other"


def test_a_role_that_there_is_not_is_named_with_those_there_are(shell: Shell) -> None:
    answer = shell("fields", log(shell), "--role", "score=best")
    assert answer.code == 3
    assert "'score=best' names no role; give FIELD=ROLE, of loss, quality, grad_norm, lr" in answer.err


def test_the_format_can_be_given(shell: Shell) -> None:
    path = shell.folder / "odd.log"
    path.write_text("1,2.5\n2,2.25\n")
    assert shell("fields", path).code == 3
    path.write_text("step,loss\n1,2.5\n2,2.25\n")
    assert shell("fields", path, "--log-format", "csv", "--json").json["format"] == "csv"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(200), "is a PNG picture and no log"),
        (b"PK\x03\x04" + bytes(200), "is a ZIP archive"),
        (bytes(range(256)) * 20, "holds no entry"),
        (b"setting up\nTraceback (most recent call last):\nValueError: bad\n", "it ends in ValueError: bad"),
        (b"", "is empty"),
    ],
)
def test_a_file_that_is_no_log_is_told_in_a_sentence_with_exit_code_3(
    shell: Shell, data: bytes, said: str
) -> None:
    path = shell.folder / "odd.log"
    path.write_bytes(data)
    answer = shell("status", "--finished", path)
    assert (answer.code, answer.out) == (3, "")
    assert said in answer.err
    assert answer.err.count("\n") == 1
