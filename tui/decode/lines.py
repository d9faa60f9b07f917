"""What one line of text says about a run: where it stands, and what was measured there."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from msgspec import Struct, field

from tui.decode.keyvalues import Skeleton, read_printed, read_total, read_unscaled, read_value, scan
from tui.decode.numbers import Printed
from tui.decode.templates import Template, make_template

TEMPLATES = 2048
"""How many different lines are remembered; a program prints a few dozen."""

TEMPLATE_CHARS = 8192
"""The longest line that is remembered."""

_OTHERS_ENOUGH = 3
"""So many numbers of unknown meaning at a known step are an entry too, as RL and GAN statistics are."""

_OTHERS_AFTER_STEP = 2
"""So many are enough where the line begins with the step."""

_IN_HEADING = 2
"""A heading holds a step and perhaps an epoch."""

_CHOSEN_DECIMALS = 2
"""Settings are seldom written with more."""


class Line(Struct):
    """A line that was read: its position as printed, and its metrics by name.

    `total` is the N of a step printed as `n/N`, `epochs` that of an epoch. `is_whole` marks a step that stands before
    the epoch, and so counts the whole run. `is_evaluation` marks a row of held-out data.
    """

    step: Printed | None = None
    epoch: Printed | None = None
    total: float | None = None
    epochs: float | None = None
    metrics: dict[str, float] = field(default_factory=dict)
    is_evaluation: bool = False
    is_whole: bool = False


class LineReader:
    """Reads lines, and remembers what the different ones look like."""

    def __init__(self) -> None:
        self._templates: dict[Skeleton, Template | None] = {}

    def read(self, text: str) -> Line | None:
        """What a bare line says, or None where it is no entry: no number, or none that measures a run."""
        found = self._read(text)
        if found is None:
            return None
        template, line, numbers = found
        return line if _is_entry(template, line, numbers) else None

    def read_heading(self, text: str) -> Line | None:
        """What a line says that names a step and nothing else; None for every other."""
        found = self._read(text)
        if found is None:
            return None
        template, line, numbers = found
        is_heading = (
            template.is_named and line.step is not None and not line.metrics and len(numbers) <= _IN_HEADING
        )
        return line if is_heading and not line.is_evaluation else None

    def _read(self, text: str) -> tuple[Template, Line, list[re.Match[str]]] | None:
        skeleton, numbers = scan(text)
        template = self._find_template(skeleton, len(text)) if numbers else None
        return None if template is None else (template, _fill(template, numbers), numbers)

    def _find_template(self, skeleton: Skeleton, length: int) -> Template | None:
        try:
            return self._templates[skeleton]
        except KeyError:
            template = make_template(skeleton)
        if length <= TEMPLATE_CHARS:
            if len(self._templates) >= TEMPLATES:
                self._templates.clear()
            self._templates[skeleton] = template
        return template


def _fill(template: Template, numbers: Sequence[re.Match[str]]) -> Line:
    line = Line(is_evaluation=template.is_evaluation, is_whole=template.is_whole)
    if template.step is not None:
        line.step, line.total = read_printed(numbers[template.step]), read_total(numbers[template.step])
        if template.is_leading and not (line.step.value.is_integer() and line.step.value >= 0):
            line.step = None
    if template.epoch is not None:
        line.epoch, line.epochs = read_printed(numbers[template.epoch]), read_total(numbers[template.epoch])
    line.metrics = {name: read_value(numbers[number]) for number, name in template.metrics}
    for number, name in template.metrics if template.memory else ():
        if number in template.memory:
            line.metrics[name] = read_unscaled(numbers[number])
    if template.shares:
        for number, name in template.metrics:
            if number in template.shares:
                line.metrics[name] /= read_total(numbers[number]) or math.nan  # `Accuracy: 9820/10000`
    return line


def _is_entry(template: Template, line: Line, numbers: Sequence[re.Match[str]]) -> bool:
    if not line.metrics:
        return False
    if template.is_bare:
        return line.step is not None and not read_value(numbers[1]).is_integer()
    if line.step is None and line.epoch is None:
        return any(_is_measurement(numbers[number]) for number in template.plain)
    if template.is_sure:
        return True
    others = [read_value(numbers[number]) for number in template.others]
    enough = _OTHERS_AFTER_STEP if template.is_first else _OTHERS_ENOUGH
    return template.is_named and len(others) >= enough and not all(map(float.is_integer, others))


def _is_measurement(found: re.Match[str]) -> bool:
    """Whether a number without a position was measured, and not chosen: it has many decimals, or is none at all."""
    value = read_value(found)
    if not math.isfinite(value) or not (value * 100).is_integer() or found["of"] is not None:
        return True
    return len((found["digits"] or "").partition(".")[2]) > _CHOSEN_DECIMALS
