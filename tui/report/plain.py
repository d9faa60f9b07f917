"""Numbers as JSON knows them, which has neither NaN nor infinity."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]


def to_json(value: float | None) -> float | int | str | None:
    """A number for JSON, which has no NaN: what is not finite becomes a string, a whole number stays one."""
    if value is None:
        return None
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def step_to_json(step: float | None) -> float | int | str | None:
    """A step for JSON: whole ones without a decimal point."""
    return int(step) if step is not None and math.isfinite(step) and step == int(step) else to_json(step)


def values_to_json(values: Mapping[str, float]) -> Json:
    """Values by name."""
    return {name: to_json(value) for name, value in values.items()}
