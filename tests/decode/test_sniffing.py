from tests.decode.test_decoder import entries_of
from tui.decode.batch import Batch, join_batches
from tui.decode.sniffing import SURE_LINES, Sniffing


def sniff(*lines: str) -> tuple[str, Batch]:
    sniffing = Sniffing()
    batch = sniffing.decode([line.encode() for line in lines])
    return sniffing.name, join_batches([batch, sniffing.finish()])


def test_one_object_is_enough_where_nothing_came_before() -> None:
    name, batch = sniff("starting", '{"step": 1, "loss": 2.5}')
    assert (name, batch.entries, batch.noise) == ("jsonl", 1, 1)


def test_among_lines_of_text_it_takes_some_objects_in_a_row() -> None:
    text = ["step 1: loss 2.5"]
    row = '{"step": 2, "loss": 2.25}'
    assert sniff(*text, *[row] * (SURE_LINES - 1))[0].startswith("text")
    assert sniff(*text, *[row] * SURE_LINES)[0] == "jsonl"
    assert sniff(*text, *[row] * SURE_LINES)[1].entries == SURE_LINES + 1


def test_a_configuration_in_json_before_text_does_not_hold_the_format() -> None:
    name, batch = sniff('{"lr": 0.1}', *(f"step {step}: loss 2.5" for step in range(5)))
    assert name.startswith("text")
    assert [entry.get("step") for entry in entries_of(batch)] == [None, 0, 1, 2, 3, 4]
    assert batch.malformed == 0


def test_a_line_of_text_or_two_between_json_lines_changes_nothing() -> None:
    row = '{"step": %d, "loss": 2.5}'
    name, batch = sniff(
        row % 1, "step 1: loss 2.5", row % 2, "junk", "Traceback (most recent call last):", row % 3
    )
    assert (name, batch.entries, batch.malformed, batch.noise) == ("jsonl", 3, 2, 1)


def test_names_alone_are_no_table_before_a_row_fits_them() -> None:
    assert sniff("alpha,beta,gamma", "delta, epsilon")[0] == "text"
    assert sniff("alpha,beta,gamma", "1,2.5,3")[0] == "csv"


def test_a_table_that_turns_into_text_is_followed() -> None:
    name, batch = sniff("step,loss", "1,2.5", *(f"step {step}: loss 2.25" for step in (2, 3, 4)))
    assert name.startswith("text")
    assert [entry["step"] for entry in entries_of(batch)] == [1, 2, 3, 4]


def test_what_a_container_runtime_wrapped_is_unwrapped() -> None:
    wrapped = '{"log": "%s\\n", "stream": "stdout", "time": "2024-01-01T00:00:00Z"}'
    _, batch = sniff(wrapped % "epoch 1 loss 2.5", wrapped % "epoch 2 loss 2.25")
    assert entries_of(batch) == [
        {"epoch": 1.0, "loss": 2.5, "timestamp": 1_704_067_200.0},
        {"epoch": 2.0, "loss": 2.25, "timestamp": 1_704_067_200.0},
    ]
    inner = '{\\"step\\": 1, \\"loss\\": 2.5}'
    assert entries_of(sniff(wrapped % inner)[1]) == [{"step": 1.0, "loss": 2.5}]


def test_a_source_that_begins_with_a_brace_is_read_as_text() -> None:
    _, batch = sniff("{", "int x = 1;", "step 1: loss 2.5")
    assert entries_of(batch) == [{"step": 1.0, "loss": 2.5}]


def test_a_new_file_is_known_by_its_own_first_line() -> None:
    sniffing = Sniffing()
    sniffing.decode([b"step 1: loss 2.5"])
    sniffing.finish()
    assert sniffing.name == "text (key value)"
    sniffing.decode([b'{"step": 1, "loss": 2.5}'])
    assert sniffing.name == "jsonl"
