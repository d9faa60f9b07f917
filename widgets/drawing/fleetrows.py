"""The rows of a fleet: what is told of each run, and as which text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from widgets.cells import clean
from widgets.numbers import format_brief, format_compact, format_step, format_value

Floats = npt.NDArray[np.float64]

COLUMNS = ("host", "state", "step", "progress", "loss", "curve", "rate", "eta", "age", "alert")
"""What a row can tell besides the run's name."""

NUMBERS = ("step", "progress", "loss", "rate", "eta", "age")
"""The columns whose cells stand to the right."""


class FleetRow(Struct, frozen=True, eq=False):
    """One run.

    `level` is its verdict, or `unknown`, and then `last_level` what that was when there was last word of it. `state` is
    the word for what is known of it now, a key of `STATES`. `loss` is its last value and `course` (n,) what it was;
    `age_s` that of the last entry. `alert` says in few words what is wrong, `detail` in a sentence, and `address` where
    the run is. `is_marked`: it is to be compared.
    """

    key: int
    name: str
    host: str
    level: str
    state: str
    step: float | None = None
    fraction: float | None = None
    loss: float | None = None
    course: Floats = field(default_factory=lambda: np.zeros(0))
    steps_per_s: float | None = None
    eta_s: float | None = None
    age_s: float | None = None
    alert: str = ""
    detail: str = ""
    address: str = ""
    is_marked: bool = False
    last_level: str = ""


class Fleet(Struct, frozen=True):
    """All runs in the order to show them, which of them is chosen by its key, and the columns to show.

    Rows of one host stand together; equal are only the same rows. `note` says what the filter leaves out.
    """

    rows: tuple[FleetRow, ...] = ()
    chosen: int | None = None
    columns: tuple[str, ...] = COLUMNS
    note: str = ""


def text_of(column: str, row: FleetRow) -> str:
    """What a row tells in a column of text or numbers; "" for nothing."""
    return _TEXTS[column](row)


def _some(text: str, value: float | None) -> str:
    return "" if value is None else text


_TEXTS: dict[str, Callable[[FleetRow], str]] = {
    "host": lambda row: clean(row.host),
    "step": lambda row: _some(format_step(row.step), row.step),
    "progress": lambda row: "" if row.fraction is None else f"{row.fraction:.0%}",
    "loss": lambda row: _some(format_value(row.loss), row.loss),
    "rate": lambda row: _some(f"{format_compact(row.steps_per_s)}/s", row.steps_per_s),
    "eta": lambda row: _some(format_brief(row.eta_s, 2), row.eta_s),
    "age": lambda row: _some(format_brief(row.age_s), row.age_s),
}
