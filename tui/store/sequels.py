"""In which order a run's files are read: sequels by their first entries, and one kind of rows after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from tui.decode.batch import Batch
from tui.decode.decoder import Decoder
from tui.roles import FIRST_STAMP_S, STAMP_NAMES, find_axis
from tui.store.kinds import Marks, find_marks


class Beginning(Struct, frozen=True):
    """What the first lines of a file tell: its rows' marks, and the time of its first entry, or else its step."""

    marks: Marks
    place: float


def arrange_files(heads: Sequence[bytes], sizes: Sequence[int], log_format: str | None = None) -> list[int]:
    """The indices of files in the order to read them.

    Files whose rows are alike are sequels, in the order of their first entries. Those of another kind, such as
    evaluations beside training, come after all of the larger kind: what one restart took back of the first must not
    take with it rows of the other that were logged later.

    Args:
        heads: The first bytes of each file.
        sizes: Their sizes in bytes.
        log_format: Their format, where that is known.
    """
    beginnings = [read_beginning(head, log_format) for head in heads]
    kinds: list[tuple[Marks, list[int]]] = []
    for index, beginning in enumerate(beginnings):
        fits = [marks.fit(beginning.marks) for marks, _ in kinds]
        if any(fits):
            marks, members = kinds[fits.index(max(fits))]
            marks.add(beginning.marks)
            members.append(index)
        else:
            kinds.append((beginning.marks, [index]))
    kinds.sort(key=lambda kind: -sum(sizes[index] for index in kind[1]))
    return [index for _, members in kinds for index in sorted(members, key=lambda at: beginnings[at].place)]


def read_beginning(head: bytes, log_format: str | None = None) -> Beginning:
    """The marks of the commonest rows, and the place of the first; infinite where there is no entry."""
    decoder = Decoder(log_format)
    batch = decoder.feed(head)
    if not batch.entries:
        batch = decoder.finish()
    if not batch.entries:
        return Beginning(find_marks(()), math.inf)
    commonest = max(batch.rows, key=lambda rows: len(rows.at)).fields
    axis = find_axis(commonest)
    return Beginning(find_marks(name for name in commonest if name != axis), _place(batch))


def _place(batch: Batch) -> float:
    first = min(batch.rows, key=lambda rows: int(rows.at[0]))
    values = dict(zip(first.fields, first.values[0].tolist(), strict=True))
    stamp = next((values[name] for name in STAMP_NAMES if values.get(name, 0.0) > FIRST_STAMP_S), None)
    axis = find_axis(first.fields)
    return stamp if stamp is not None else values[axis] if axis else 0.0
