"""The connect screen: what was opened lately and what has a name, and a line that says what an address means."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import ClassVar, Protocol

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Input, Label
from textual.worker import Worker

from tui.errors import MilepostError
from tui.find.around import FoundPlace
from tui.roster import Member
from tui.screens.address import Meaning, explain_address
from tui.screens.found import offer_found
from tui.screens.help import key_line
from tui.screens.offers import Offers
from widgets.choice_list import ChoiceList
from widgets.drawing.choices import Choices
from widgets.drawing.keys import Key, Keys
from widgets.drawing.notice import Remark
from widgets.key_line import KeyLine
from widgets.notice_line import RemarkLine
from widgets.pick_list import PickList


class Opener(Protocol):
    """Whoever turns addresses into runs."""

    def offer(self) -> Offers:
        """What there is to choose from; it reads files."""
        ...

    def open(self, text: str) -> Member:
        """Let the runs of an address, or of a name of the configuration, join; the first place to look at.

        Raises:
            MilepostError: It is no address; the message says what would be.
        """
        ...

    def find(self, text: str) -> AsyncGenerator[FoundPlace, None]:
        """Look for logs on a machine, and in the containers on it; nothing at all is this one.

        Raises:
            MilepostError: It is no place; the message says what would be.
        """
        ...

    async def keep_noting(self) -> None:
        """Keep the addresses under which something was found, for the next time, until cancelled."""
        ...


class ConnectScreen(Screen[Member | None]):
    """Takes an address; its result is what was opened, None where nobody wanted to.

    Args:
        opener: Knows what there is, and opens it.
        text: What stands in the line at first: an address to be bettered.
        trouble: What is wrong with it.
        is_first: Whether there is nothing to return to.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-roomy")]  # noqa: RUF012 - as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "open", id="connect.open", tooltip="open what is chosen or typed"),
        Binding("escape", "leave", "back", id="connect.leave", tooltip="open nothing"),
        Binding("up", "move(-1)", "choose", id="connect.up", tooltip="the one above"),
        Binding("tab", "complete", "complete", id="connect.complete", tooltip="complete the address"),
        Binding(
            "ctrl+f",
            "find",
            "find runs",
            id="connect.find",
            tooltip="find the runs on the machine that is typed or chosen, or on this one",
            priority=True,  # in the line it would take a word away
        ),
        Binding("down", "move(1)", "the one below", id="connect.down", show=False),
        Binding("pageup", "move(-10)", "ten up", id="connect.page_up", show=False),
        Binding("pagedown", "move(10)", "ten down", id="connect.page_down", show=False),
        Binding("shift+tab", "move(-1)", "the one before", id="connect.back", show=False),
    ]

    def __init__(self, opener: Opener, text: str = "", trouble: str = "", *, is_first: bool = False) -> None:
        super().__init__()
        self._opener = opener
        self._text = text
        self._trouble = trouble
        self._is_first = is_first
        self._usual = Offers()
        self._all = Offers()
        self._offers = Offers()
        self._search: Worker[None] | None = None
        self._chosen: int | None = None
        self._filtered_by = text.strip()

    def compose(self) -> ComposeResult:
        """Title, line, what the line means, the list, the keys."""
        with Vertical(classes="connect"):
            yield Label("milepost · open a run", classes="connect--title", markup=False)
            yield Input(self._text, placeholder="HOST:/path/to/log, or a name", select_on_focus=False)
            yield RemarkLine(Remark(""), id="meaning")
            yield ChoiceList(Choices(), id="choices")
            yield KeyLine(Keys(), id="keys")

    def on_mount(self) -> None:
        """Say what the line means; the lists come as soon as their files are read."""
        self._show()
        self.query_one(KeyLine).show(self._keys())
        self.run_worker(self._load())

    def _keys(self) -> Keys:
        """The keys of the line and of the screen; those of the line keep their order with what is typed."""
        others = [
            key
            for key in key_line(
                self, {"leave": "quit"} if self._is_first and self._search is None else {}
            ).keys
            if key.action not in ("submit", "move(-1)")
        ]
        own = (Key("Enter", "open", "submit"), *others[:1], Key("↑↓", "choose", "move(1)"))
        return Keys((*own, *others[1:]))

    async def _load(self) -> None:
        self._usual = await asyncio.to_thread(self._opener.offer)
        if self._search is None:
            self._all = self._usual
            self._filter()

    # The line

    @property
    def text(self) -> str:
        """What stands in the line."""
        return self.query_one(Input).value.strip()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Another text, other choices; what was wrong with the one before is of no interest."""
        if self.text != self._text.strip():
            self._text, self._trouble = self.text, ""
        self._filter()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the line opens."""
        self.action_submit()

    def action_submit(self) -> None:
        """Open what is chosen, or else what is typed; a mere beginning goes into the line instead."""
        self._catch_up()
        offer = None if self._chosen is None else self._offers.offers[self._chosen]
        if offer is not None and not offer.is_whole:
            self._put(offer.text)
        elif offer is not None or self.text:
            self._open(offer.text if offer else self.text)

    def action_complete(self) -> None:
        """Go on as all do that begin with the text, else take the chosen one, else the first."""
        self._catch_up()
        longer = self._all.complete(self.text)
        if len(longer) <= len(self.text) and self._offers.offers:
            longer = self._offers.offers[self._chosen or 0].text
        self._put(longer)

    def action_leave(self) -> None:
        """Go back to what was there; without anything, end."""
        if self._search is not None:
            self._search.cancel()
            self._search, self._all = None, self._usual
            self._filter()
            self.query_one(KeyLine).show(self._keys())
        elif self._is_first:
            self.app.exit()
        else:
            self.dismiss(None)

    def _put(self, text: str) -> None:
        line = self.query_one(Input)
        line.value = text
        line.cursor_position = len(text)

    def _open(self, text: str) -> None:
        try:
            opened = self._opener.open(text)
        except MilepostError as error:
            self._put(text)
            self._text, self._trouble = text, str(error)
            self._filter()
        else:
            self.dismiss(opened)

    # What is found

    def action_find(self) -> None:
        """Look for runs on what is typed, or on a host that is chosen; Esc leads back to what was offered."""
        self._catch_up()
        offer = None if self._chosen is None else self._offers.offers[self._chosen]
        text = offer.text if offer is not None and not offer.is_whole else self.text
        try:
            found = self._opener.find(text)
        except MilepostError as error:
            self._text, self._trouble = self.text, str(error)
            self._filter()
            return
        if self._search is not None:
            self._search.cancel()
        self._put("")
        self._search = self.run_worker(self._find(text.removesuffix(":") or "this machine", found))
        self.query_one(KeyLine).show(self._keys())

    async def _find(self, place: str, found: AsyncGenerator[FoundPlace, None]) -> None:
        so_far: list[FoundPlace] = []
        self._offer(offer_found(place, so_far, is_over=False))
        async with aclosing(found) as places:
            async for each in places:
                so_far.append(each)
                self._offer(offer_found(place, so_far, is_over=False))
        self._offer(offer_found(place, so_far, is_over=True))

    def _offer(self, offers: Offers) -> None:
        """Show other offers; what somebody went to stays chosen, and the first is whichever comes first now."""
        chosen = self._offers.offers[self._chosen] if self._chosen else None
        self._all = offers
        self._filter()
        if chosen in self._offers.offers:
            self._chosen = self._offers.offers.index(chosen)
            self._show()

    # The list

    def action_move(self, by: int) -> None:
        """Choose another, from the line down to the last."""
        count = len(self._offers.offers)
        start = -1 if self._chosen is None else self._chosen
        place = min(max(start + by, -1), count - 1)
        self._chosen = None if place < 0 else place
        self._show()

    def on_pick_list_picked(self, event: PickList.Picked) -> None:
        """A click opens, as Enter does."""
        self._chosen = event.key
        self.action_submit()

    def on_pick_list_turned(self, event: PickList.Turned) -> None:
        """The wheel chooses."""
        self.action_move(event.by)

    def _catch_up(self) -> None:
        """Take in what was typed just before a key that does something with it."""
        if self._filtered_by != self.text:
            self._filter()

    def _filter(self) -> None:
        """Show what the text leaves; the first of it is chosen while the text is no address, nor becoming one.

        A text that has turned out to be wrong leaves all.
        """
        self._filtered_by = self.text
        self._offers = self._all if self._trouble else self._all.filtered(self.text)
        first = self._offers.offers[:1]
        is_name = (
            not self._trouble
            and not set(self.text) & set(":/")
            and explain_address(self.text).level != "good"
        )
        self._chosen = 0 if first and is_name and (self.text or first[0].is_whole) else None
        self._show()

    def _show(self) -> None:
        self.query_one(ChoiceList).show(self._offers.view(self._chosen))
        self.query_one(RemarkLine).show(self._remark())

    def _remark(self) -> Remark:
        if self._trouble:
            return Remark(self._trouble, "critical")
        if self._chosen is not None:
            return Remark(self._offers.offers[self._chosen].meaning, "good")
        return _remark(explain_address(self.text))


def _remark(meaning: Meaning) -> Remark:
    if meaning.level == "empty":
        return Remark("type an address, or choose one below", "dim")
    return Remark(meaning.text, {"good": "good", "warning": "warning", "wrong": "warning"}[meaning.level])
