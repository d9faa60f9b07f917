"""Remembers the last result of some work, for what is asked for several times between two changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Memo(Generic[T]):
    """The last result, which stands as long as what it rests on is the same."""

    __slots__ = ("_basis", "_result")

    _result: T

    def get(self, basis: object, work: Callable[[], T]) -> T:
        """The result of `work`, which is done again where `basis` is another than the last time."""
        if getattr(self, "_basis", self) != basis:
            self._result = work()
            self._basis = basis
        return self._result
