"""Which channels there are here, and why the others are not."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from tui.config import NotifyConfig
from tui.notify.channel import Channel
from tui.notify.command import Command
from tui.notify.escapes import choose_dialect
from tui.notify.terminal import Bell, Desktop, Write
from tui.notify.tmux import Tmux


class Absent(Struct, frozen=True):
    """A channel that can't be used, by its name, and why."""

    name: str
    reason: str


def find_channels(
    settings: NotifyConfig, environ: Mapping[str, str], write: Write | None = None
) -> list[Channel | Absent]:
    """Every channel, each as it can be used here or with the reason why it can't.

    Args:
        settings: What the configuration says.
        environ: The environment, which tells of the terminal and of tmux.
        write: Writes to the terminal; None where there is none.
    """
    return [
        _find_bell(settings, write),
        _find_desktop(settings, environ, write),
        _find_tmux(settings, environ),
        _find_command(settings),
    ]


def usable(channels: list[Channel | Absent]) -> list[Channel]:
    """Those of them that can be used."""
    return [channel for channel in channels if not isinstance(channel, Absent)]


def _find_bell(settings: NotifyConfig, write: Write | None) -> Channel | Absent:
    if not settings.bell:
        return Absent("bell", "notify.bell is false")
    return Absent("bell", "there is no terminal") if write is None else Bell(write)


def _find_desktop(
    settings: NotifyConfig, environ: Mapping[str, str], write: Write | None
) -> Channel | Absent:
    if settings.desktop == "off":
        return Absent("desktop", 'notify.desktop is "off"')
    if write is None:
        return Absent("desktop", "there is no terminal")
    dialect = choose_dialect(environ) if settings.desktop == "auto" else settings.desktop
    if dialect is None:
        return Absent("desktop", f"a terminal of type {environ.get('TERM') or 'unknown'} shows none")
    return Desktop(write, dialect, environ)


def _find_tmux(settings: NotifyConfig, environ: Mapping[str, str]) -> Channel | Absent:
    if not settings.tmux:
        return Absent("tmux", "notify.tmux is false")
    return Tmux() if environ.get("TMUX") else Absent("tmux", "not inside tmux")


def _find_command(settings: NotifyConfig) -> Channel | Absent:
    if not settings.on_alert:
        return Absent("command", "notify.on_alert names none")
    return Command(settings.on_alert)
