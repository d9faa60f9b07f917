"""Why a login has failed: from an exception to one sentence for a person."""

from __future__ import annotations

import socket

import asyncssh

from tui.sources.asking import Interview
from tui.sources.greeter import Greeter
from tui.sources.pace import Pace
from tui.sources.route import Route
from tui.sources.trouble import Trouble, lost, missing, refused


def explain_failure(route: Route, pace: Pace, error: Exception) -> Trouble:
    """What to say where no login came about: the network, the server, or the configuration."""
    host, where = route.host, f"{route.settings.host}:{route.settings.port}"
    if isinstance(error, socket.gaierror):
        return missing(f"the host name {route.settings.host} is not known; check the address and the network")
    if isinstance(error, TimeoutError):
        return lost(
            f"{host} does not answer at {where} within {pace.connect_s:.0f} s; check that it is up and reachable"
        )
    if isinstance(error, ConnectionRefusedError) or "Connect call failed" in str(error):
        return lost(f"no SSH server answers at {where}; check that {host} is up and the port is right")
    if isinstance(error, asyncssh.KeyExchangeFailed):
        return refused(
            f"{host} and this client have no way to log in safely: {error.reason}; compare: {route.command}"
        )
    if isinstance(error, asyncssh.ChannelOpenError):
        return lost(f"the jump host can't reach {where}: {error.reason}")
    if isinstance(error, asyncssh.Error):
        return lost(f"{host} ended the login: {error.reason}")
    if isinstance(error, OSError):
        return lost(f"{host} can't be reached at {where}: {error.strerror or error}")
    return refused(f"the login to {host} can't be made: {error}; mend the SSH configuration")


def explain_refusal(route: Route, greeter: Greeter, interview: Interview) -> Trouble:
    """What to say where the host has turned the login down, by what it asked for and what it was given."""
    if question := interview.refused:
        return refused(f"{route.login} asks for the {question.text}; press R to be asked again")
    if greeter.asked:
        return refused(f"{route.login} refuses the login: what was typed is not right; press R to try again")
    if locked := route.keys.locked:
        return refused(
            f"{route.login} refuses the login; the key {locked[0].path} has a passphrase,"
            f" unlock it with: ssh-add {locked[0].path}"
        )
    if greeter.asks_for_password:
        return refused(
            f"{route.login} asks for a password, which can't be given here; set up a key with:"
            f" ssh-copy-id {route.command.removeprefix('ssh ')}"
        )
    return refused(
        f"{route.login} refuses the login: none of the keys offered is accepted; compare: {route.command}"
    )
