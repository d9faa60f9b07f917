"""Which rows of a log are of one kind: by the fields that tell training from evaluation."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from tui.roles import Role, guess_role

_MEASURES = {Role.LOSS, Role.QUALITY, Role.GRAD_NORM}

_SHARED_ROLES = {Role.TIME, Role.PROGRESS, Role.LR, Role.THROUGHPUT}
"""Roles of fields that rows of every kind carry; they don't tell a train row from an eval row."""


class Marks(Struct):
    """The fields by which rows are known to belong together.

    `measures` are losses, qualities and gradient norms; `others` what rows of every kind might have, and what counts
    only where one of two rows has no measure at all.
    """

    measures: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)

    def fit(self, row: Marks) -> int:
        """How well a row's marks fit these; 0 where they don't."""
        if self.measures and row.measures:
            return len(self.measures & row.measures)
        return len(self.others & row.others)

    def add(self, row: Marks) -> None:
        """Take in the marks of a row that belongs here."""
        self.measures |= row.measures
        self.others |= row.others


def find_marks(names: Iterable[str]) -> Marks:
    """Of a row's field names, those that tell which stream it is of."""
    roles = {name: guess_role(name) for name in names}
    measures = {name for name, role in roles.items() if role in _MEASURES}
    others = {name for name, role in roles.items() if role not in _SHARED_ROLES and role not in _MEASURES}
    return Marks(measures, others) if measures or others else Marks(others=set(roles))
