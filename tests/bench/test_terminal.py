from __future__ import annotations

import os
import sys

import pytest

from tests.bench.terminal import CAN_SEE, Rows, running

LIMIT_S = 20.0


def python(text: str) -> list[str]:
    return [sys.executable, "-c", f"import sys, time\n{text}\nsys.stdout.flush()\ntime.sleep(60)"]


def test_a_text_is_found_though_it_is_written_in_colours() -> None:
    with running(python(r"sys.stdout.write('st\x1b[31mep 1\x1b[0m2')"), os.environ) as terminal:
        terminal.await_text(b"step 12", LIMIT_S)
        assert terminal.is_open


def test_a_text_that_was_seen_is_not_found_again() -> None:
    with running(python("print('one')"), os.environ) as terminal:
        terminal.await_text(b"one", LIMIT_S)
        with pytest.raises(TimeoutError, match="not on the screen after"):
            terminal.await_text(b"one", 0.01)


def test_a_program_finds_a_terminal_of_the_size_that_was_asked_for() -> None:
    text = "import os; size = os.get_terminal_size(); print(size.columns, 'by', size.lines)"
    with running(python(text), os.environ, (40, 20)) as terminal:
        terminal.await_text(b"40 by 20", LIMIT_S)


@pytest.mark.skipif(not CAN_SEE, reason="needs the extra `bench`")
def test_cells_that_were_changed_one_by_one_are_read_as_a_person_does() -> None:
    rows = Rows((20, 3))
    rows.after(b"step 18")
    assert rows.after(b"\x1b[1;6H9\x1b[2;1Hend") == ["step 98".ljust(20), "end".ljust(20), " " * 20]
