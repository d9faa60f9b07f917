import math

import pytest

from tui.decode.lines import Line
from tui.decode.numbers import Printed
from tui.decode.standing import NOWHERE, Standing


def line(step: float | None = None, epoch: float | None = None, **metrics: float) -> Line:
    def printed(value: float | None) -> Printed | None:
        return None if value is None else Printed(float(value), "", 0.0)

    return Line(step=printed(step), epoch=printed(epoch), metrics=metrics)


def test_a_line_without_a_place_stands_where_the_one_before_did() -> None:
    standing = Standing()
    assert standing.place(line(step=10, loss=2.5))[:2] == (10, None)
    assert standing.place(line(ppl=9.5))[:2] == (10, None)


def test_an_epoch_alone_is_a_place_too() -> None:
    standing = Standing()
    standing.place(line(epoch=3, loss=2.5))
    assert standing.place(line(ppl=9.5))[:2] == (None, 3)


def test_lines_that_come_twice_at_one_place_have_none() -> None:
    standing = Standing()
    standing.place(line(step=10, loss=2.5))
    assert [standing.place(line(ppl=9.5))[0] for _ in range(3)] == [10, None, None]
    assert standing.place(line(acc=0.5)) == NOWHERE


@pytest.mark.parametrize("step", [math.nan, math.inf])
def test_a_step_that_is_no_number_disturbs_nothing(step: float) -> None:
    standing = Standing()
    standing.place(line(step=10, epoch=1, loss=2.5))
    standing.place(line(step=step, epoch=1, loss=2.5))
    assert standing.place(line(step=20, epoch=1, loss=2.5)).step == 20
