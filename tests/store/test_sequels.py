import json
import math
from itertools import permutations

import pytest

from tui.store.sequels import arrange_files, read_beginning


def head(*entries: dict[str, float]) -> bytes:
    return "".join(json.dumps(entry) + "\n" for entry in entries).encode()


FIRST = head(*({"step": n, "loss": 1.0, "lr": 1e-3} for n in range(1, 5)))
SECOND = head(*({"step": n, "loss": 1.0, "tok_per_sec": 2.6e4} for n in range(400, 405)))
EVALS = head(*({"step": n, "eval_loss": 1.0} for n in range(100, 500, 100)))


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_sequels_come_by_their_first_entry_and_the_smaller_kind_last(order: tuple[int, ...]) -> None:
    heads = [(FIRST, SECOND, EVALS)[at] for at in order]
    sizes = [(1000, 1000, 500)[at] for at in order]
    assert [order[at] for at in arrange_files(heads, sizes)] == [0, 1, 2]


def test_a_time_stamp_tells_more_than_a_step() -> None:
    early = head({"step": 500, "loss": 1.0, "timestamp": 1.7e9})
    late = head({"step": 1, "loss": 2.0, "timestamp": 1.8e9})
    assert arrange_files([late, early], [1, 1]) == [1, 0]


def test_a_file_without_an_entry_comes_after_its_like() -> None:
    assert read_beginning(b"").place == math.inf
    assert arrange_files([b"hello\n", SECOND, FIRST], [0, 1, 1])[:2] == [2, 1]


def test_a_row_of_settings_at_the_start_does_not_name_the_kind() -> None:
    configured = head({"batch_size": 8, "seed": 1}) + FIRST
    assert arrange_files([EVALS, SECOND, configured], [10, 100, 100]) == [2, 1, 0]
