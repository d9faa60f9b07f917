import json

import pytest

from tests.decode.test_decoder import entries_of
from tui.decode.document import JsonDocument, is_document, list_entries, load_document
from tui.decode.names import Names


def read(document: JsonDocument, data: object) -> list[dict[str, float]]:
    lines = json.dumps(data, indent=2).encode().split(b"\n")
    entries = entries_of(document.decode(lines))
    document.finish()
    return entries


def history(*losses: float) -> dict[str, object]:
    return {
        "epoch": 1.0,
        "log_history": [{"step": step, "loss": loss} for step, loss in enumerate(losses, start=1)],
    }


def test_only_new_entries_are_told_when_a_document_is_read_again() -> None:
    document = JsonDocument()
    assert read(document, history(3.0, 2.0)) == [{"step": 1.0, "loss": 3.0}, {"step": 2.0, "loss": 2.0}]
    assert read(document, history(3.0, 2.0)) == []
    assert read(document, history(3.0, 2.0, 1.0)) == [{"step": 3.0, "loss": 1.0}]


def test_from_where_another_run_differs_all_is_told() -> None:
    document = JsonDocument()
    read(document, history(3.0, 2.0))
    assert read(document, history(3.0, 2.5, 1.0)) == [{"step": 2.0, "loss": 2.5}, {"step": 3.0, "loss": 1.0}]


def test_a_document_that_is_not_whole_says_nothing_and_a_whole_one_speaks_at_its_last_line() -> None:
    document = JsonDocument()
    assert document.decode([b"{", b'"log_history": [{"step": 1, "loss": 2.5}]']).entries == 0
    assert document.is_open
    assert document.peek(b"}").entries == 1
    assert document.decode([b"}"]).entries == 0
    assert not document.is_open


@pytest.mark.parametrize(
    ("data", "entries"),
    [
        (
            {"lm loss": {"values": {"1": "nan", "2": 10.5}}, "time": {"values": {"1": 5.5}}},
            [{"step": 1.0, "time": 5.5}, {"step": 2.0, "lm loss": 10.5}],
        ),
        (
            {"loss": [1.5, None, 0.5], "acc": [0.25, 0.5, 0.75]},
            [{"loss": 1.5, "acc": 0.25}, {"acc": 0.5}, {"loss": 0.5, "acc": 0.75}],
        ),
        ([{"epoch": 1, "loss": 2.5}], [{"epoch": 1.0, "loss": 2.5}]),
        ({"seed": 1, "epochs": [{"loss": 2.5}, {"loss": 1.5}]}, [{"loss": 2.5}, {"loss": 1.5}]),
        ({"lr": 0.1, "model": {"layers": 2}}, []),
        (["a", 1], []),
        (None, []),
    ],
)
def test_a_history_is_found_in_every_form(data: object, entries: list[dict[str, float]]) -> None:
    assert list_entries(data, Names()) == entries


def test_a_row_is_no_document() -> None:
    assert not is_document({"step": 1, "loss": 2.5})
    assert not is_document({"step": 1, "metrics": {"loss": 2.5}, "list": [1, 2]})
    assert not is_document({})
    assert is_document(history(1.0))


def test_nan_as_python_writes_it_is_read() -> None:
    assert list_entries(load_document(b'{"log_history": [{"step": 1, "loss": NaN}]}'), Names())[0].keys() == {
        "step",
        "loss",
    }
    assert load_document(b'{"a": [') is None
    assert load_document(b"[" * 100_000) is None


def test_source_code_that_begins_with_a_brace_is_given_up() -> None:
    document = JsonDocument()
    document.decode([b"{", b"int main(void);"])
    assert document.is_none
