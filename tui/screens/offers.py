"""What the connect screen offers, and what is left of it while somebody types."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from msgspec import Struct

from tui.recent import Opened
from tui.screens.address import explain_address
from tui.sources.sshhosts import NamedHost
from widgets.drawing.choices import Choice, Choices, Group
from widgets.numbers import format_age

EXAMPLES = (
    ("gpu-box:/runs/a/train_log.jsonl", "a file, over SSH"),
    ("root@10.1.2.6:pct/200:/workspace/logs", "the newest log of a folder, in a container there"),
    ("docker/trainer:/workspace/train.log", "in a container of this machine"),
    ("gpu-box:/runs/*/log.jsonl", "many runs at once"),
)
"""Addresses for somebody who has opened none yet, and what each shows."""

WELCOME = "Nothing at hand? A simulated run over a real SSH connection: milepost demo"


class Offer(Struct, frozen=True):
    """One row of the list. `text` is what it puts into the line; `is_whole` that it can be opened as it is.

    `behind` are the addresses, or the names, that a name stands for.
    """

    text: str
    note: str = ""
    is_whole: bool = True
    behind: tuple[str, ...] = ()

    @property
    def meaning(self) -> str:
        """What choosing it leads to."""
        if not self.is_whole:
            return f"Enter puts {self.text} into the line"
        if len(self.behind) > 1:
            return f"{len(self.behind)} runs: {', '.join(self.behind)}"
        return explain_address(self.behind[0] if self.behind else self.text).text

    def is_used(self, text: str) -> bool:
        """Whether it would change nothing."""
        return not self.is_whole and self.text == text

    def matches(self, words: Sequence[str]) -> bool:
        """Whether all of these, in small letters, are in it."""
        found = f"{self.text} {self.note}".casefold()
        return all(word in found for word in words)


class Offers(Struct, frozen=True):
    """All groups with their titles, in the order in which they stand."""

    groups: tuple[tuple[str, tuple[Offer, ...]], ...] = ()
    hint: str = ""

    def filtered(self, text: str) -> Offers:
        """Those that hold every word of a text; a beginning that stands in the line already is no offer."""
        words = text.casefold().split()
        found = (
            (title, tuple(offer for offer in offers if offer.matches(words) and not offer.is_used(text)))
            for title, offers in self.groups
        )
        return Offers(tuple((title, offers) for title, offers in found if offers), self.hint)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """All of them in one row, as they are counted."""
        return tuple(offer for _, offers in self.groups for offer in offers)

    def view(self, chosen: int | None) -> Choices:
        """The list as it is drawn."""
        groups = (
            Group(title, tuple(Choice(offer.text, offer.note) for offer in offers))
            for title, offers in self.groups
        )
        return Choices(tuple(groups), chosen, self.hint)

    def complete(self, text: str) -> str:
        """The text as far as all offers that begin with it go on alike; itself where there is none.

        >>> Offers((("", (Offer("box:/runs/a"), Offer("box:/runs/b"))),)).complete("b")
        'box:/runs/'
        """
        found = [offer.text for offer in self.offers if offer.text.startswith(text)]
        return os.path.commonprefix(found) if found else text  # noqa: RUF071 - characters, not folders


def make_offers(
    recent: Sequence[Opened],
    named: Mapping[str, tuple[str, ...]],
    hosts: Sequence[NamedHost],
    now_s: float,
) -> Offers:
    """What there is to choose from; examples too where nothing was opened before.

    Args:
        recent: Addresses that were opened lately.
        named: Names of the configuration, each with the addresses, or the names of runs, that it stands for.
        hosts: Aliases of ssh_config.
        now_s: UTC epoch seconds.
    """
    known = {address for addresses in named.values() for address in addresses}
    lately = (
        Offer(each.address, _age(now_s - each.opened_s)) for each in recent if each.address not in known
    )
    names = (Offer(name, ", ".join(behind), behind=behind) for name, behind in named.items())
    aliases = (Offer(f"{host.alias}:", host.name, is_whole=False) for host in hosts)
    is_new = not recent and not named
    examples = (Offer(address, note, is_whole=False) for address, note in EXAMPLES if is_new)
    groups = (
        ("recent", tuple(lately)),
        ("names of the configuration", tuple(names)),
        ("hosts of ~/.ssh/config", tuple(aliases)),
        ("an address looks like this", tuple(examples)),
    )
    kept = tuple((title, offers) for title, offers in groups if offers)
    return Offers(kept, WELCOME if is_new else "")


def _age(age_s: float) -> str:
    """How long ago that is, in its largest unit."""
    return " ".join(format_age(max(age_s, 0.0)).split()[:2]) + " ago"
