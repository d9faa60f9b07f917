import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.decode.batch import Batch
from tui.decode.jsonl import JsonLines


def decode(*lines: str | bytes) -> Batch:
    return JsonLines().decode([line.encode() if isinstance(line, str) else line for line in lines])


def row(line: str | bytes) -> dict[str, float]:
    (rows,) = decode(line).rows
    return dict(zip(rows.fields, rows.values[0].tolist(), strict=True))


@given(st.lists(st.binary(max_size=60), max_size=20))
def test_decoding_never_raises_and_counts_every_line(lines: list[bytes]) -> None:
    batch = JsonLines().decode(lines)
    assert batch.entries + batch.malformed + batch.remarks == len(lines)


def test_fields_keep_the_order_of_the_log() -> None:
    (rows,) = decode('{"step": 1, "loss": 2.5, "acc": 0.5}').rows
    assert rows.fields == ("step", "loss", "acc")
    assert rows.values.tolist() == [[1.0, 2.5, 0.5]]


def test_entries_with_the_same_fields_form_one_group_and_remember_their_places() -> None:
    batch = decode('{"step": 1, "loss": 2}', '{"step": 1, "eval_loss": 3}', '{"step": 2, "loss": 1}')
    assert batch.entries == 3
    assert [(rows.fields, rows.at.tolist()) for rows in batch.rows] == [
        (("step", "loss"), [0, 2]),
        (("step", "eval_loss"), [1]),
    ]


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("NaN", math.nan),
        ("Infinity", math.inf),
        ("-Infinity", -math.inf),
        ("1e400", math.inf),
        ('"nan"', math.nan),
    ],
)
def test_what_the_json_standard_forbids_is_a_value(token: str, value: float) -> None:
    found = row(f'{{"step": 1, "loss": {token}}}')["loss"]
    assert found == value or (math.isnan(found) and math.isnan(value))


def test_null_is_nothing_and_never_zero() -> None:
    assert row('{"step": 1, "loss": null, "acc": 0.5}') == {"step": 1.0, "acc": 0.5}


def test_nested_fields_are_flattened_and_numbers_in_strings_are_numbers() -> None:
    line = '{"step": 3, "train": {"loss": "1.5e-2", "opt": {"lr": 1}}, "tag": "run 7", "ok": true, "list": [1, 2]}'
    assert row(line) == {"step": 3.0, "train/loss": 0.015, "train/opt/lr": 1.0}


def test_integers_beyond_every_float_are_infinite() -> None:
    assert row('{"step": 1, "x": 1%s}' % ("0" * 400)) == {"step": 1.0, "x": math.inf}
    assert row('{"step": 1, "x": 9223372036854775808}')["x"] == 2.0**63


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        '{"step": 1, "loss":',
        "[1, 2]",
        "3",
        "\x00\x01",
        '{"a": 1} {"b": 2}',
        '{"a":' * 5000,
        "NaN",
    ],
)
def test_a_line_that_is_no_object_is_malformed(line: str) -> None:
    batch = decode(line, '{"step": 1, "loss": 2}')
    assert (batch.entries, batch.malformed) == (1, 1)


def test_an_object_without_numbers_is_a_remark() -> None:
    batch = decode('{"event": "done"}', "{}")
    assert (batch.entries, batch.malformed, batch.remarks) == (0, 0, 2)


def test_broken_utf8_inside_a_string_costs_nothing() -> None:
    assert row(b'{"step": 1, "loss": 2, "note": "\xff\xfe"}') == {"step": 1.0, "loss": 2.0}


def test_names_are_harmless_and_bounded() -> None:
    fields = tuple(row('{"step": 1, "a\\u001b[31mb": 2, "%s": 3}' % ("k" * 10_000)))
    assert fields[:2] == ("step", "ab")
    assert len(fields[2]) == 120


def test_a_row_with_a_hundred_thousand_fields_is_bounded() -> None:
    line = "{" + ", ".join(f'"k{number}": {number}' for number in range(100_000)) + "}"
    assert len(row(line)) == 2000


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), st.floats(), min_size=1), max_size=20))
def test_values_come_out_as_python_wrote_them(entries: list[dict[str, float]]) -> None:
    import json

    batch = decode(*(json.dumps(entry) for entry in entries))
    found: list[dict[str, float]] = [{}] * len(entries)
    for rows in batch.rows:
        for at, values in zip(rows.at, rows.values, strict=True):
            found[at] = dict(zip(rows.fields, values.tolist(), strict=True))
    for entry, other in zip(entries, found, strict=True):
        assert entry.keys() == other.keys()
        assert np.array_equal(list(entry.values()), [other[name] for name in entry], equal_nan=True)
