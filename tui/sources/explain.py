"""Why a command over there did not do its job: from what the tools say to one sentence for a person."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from tui.events import LinkState
from tui.sources.trouble import Trouble, lost, missing, no_file, no_permission, plain
from tui.target import Hop, Target


class _Rule(NamedTuple):
    """What a tool says, what it means for the link, and the sentence.

    In the sentence `{host}` is where the tool ran, `{hop}` the last hop, `{name}` its name, `{start}` the command
    that starts it, and `{0}`, `{1}` are groups of the pattern.
    """

    pattern: str
    state: LinkState
    sentence: str


_MISSING, _REFUSED, _RETRYING = LinkState.MISSING, LinkState.REFUSED, LinkState.RETRYING

_START = {
    "docker": "docker start {0}",
    "podman": "podman start {0}",
    "pct": "pct start {0}",
    "lxc": "lxc-start -n {0}",
    "incus": "incus start {0}",
}

_LIST = {
    "docker": "docker ps",
    "podman": "podman ps",
    "pct": "pct list",
    "lxc": "lxc-ls",
    "incus": "incus list",
    "kubectl": "kubectl get pods",
}

_RULES = (
    # The tool itself
    _Rule(
        r"(?:exec(?:: line \d+)?: |\d: |line \d+: )(?:exec: )?([\w./+-]+): (?:command )?not found",
        _MISSING,
        "{host} has no command {0}; check the address, or install {0} there",
    ),
    _Rule(
        r"Cannot connect to the Docker daemon",
        _MISSING,
        "the docker daemon on {host} is not running; start it there",
    ),
    _Rule(
        r"permission denied while trying to connect to the (?:Docker daemon|docker API)",
        _REFUSED,
        "this login may not use docker on {host}; add it to the docker group, or use --via 'sudo -n'",
    ),
    _Rule(
        r"(?i)please run as root|ipcc_send_rec",
        _REFUSED,
        "pct on {host} is for root only; log in as root, or use --via 'sudo -n'",
    ),
    _Rule(
        r"sudo: a (?:password|terminal) is required",
        _REFUSED,
        "sudo on {host} asks for a password; allow the command without one",
    ),
    _Rule(
        r"This account is (?:currently )?not available",
        _REFUSED,
        "{host} gives this login no shell; use another user",
    ),
    # The container does not run
    _Rule(
        r"(?i)container '?([\w.-]+)'? (?:is )?not running|CT ([\w.-]+) not running",
        _MISSING,
        "container {name} on {host} is not running; start it with: {start}",
    ),
    _Rule(
        r"(?i)container is not running|only create exec sessions on running containers|Instance is not running"
        r"|Failed to get init pid|container state improper|is paused",
        _MISSING,
        "container {name} on {host} is not running; start it with: {start}",
    ),
    _Rule(
        r"completed pod|unable to upgrade connection: container not found|does not have a host assigned",
        _MISSING,
        "the pod of {hop} on {host} is not running; see: kubectl get pods",
    ),
    # There is no such container
    _Rule(
        r"(?i)no such container|no container with name or ID|Configuration file '[^']*' does not exist"
        r"|Instance not found|Container \S+ is not defined|pods \"[^\"]+\" not found|Error: Not Found"
        r"|is not valid for pod|container \S+ not found in pod|Failed to fetch instance",
        _MISSING,
        "{host} has no container {hop}; see: {list}",
    ),
    _Rule(
        r"namespaces \"([^\"]+)\" not found",
        _MISSING,
        "{host} has no namespace {0}; see: kubectl get namespaces",
    ),
    _Rule(
        r"\(Forbidden\): (.*)|Unauthorized|must be logged in",
        _REFUSED,
        "kubectl on {host} may not enter {hop}; check its credentials",
    ),
    _Rule(
        r"The connection to the server (\S+) was refused",
        _RETRYING,
        "kubectl on {host} can't reach the cluster at {0}",
    ),
    # The container has no shell
    _Rule(
        r"exec: \"sh\": executable file not found|\"sh\" executable file not found"
        r"|executable file `?sh`? not found|Failed to exec \"sh\"|lxc_attach.*No such file or directory.*\"sh\"",
        _MISSING,
        "{hop} on {host} has no sh; read the log from a place that has one, e.g. a folder mounted there",
    ),
    # A batch system
    _Rule(
        r"srun: error: .*(?:Invalid job id|expired|completing or completed)",
        _MISSING,
        "the job of --via on {host} has ended; check squeue",
    ),
)

_NOISE = re.compile(
    r"(?i)^\s*$|perl: warning|locale|LANGUAGE =|LC_\w+ =|LANG =|are supported and installed|warning:"
    r"|Defaulted container"
)


def explain_end(target: Target, words: str, status: int | None, *, was_up: bool) -> Trouble:
    """Why the far end has ended.

    Args:
        target: Whose log it was.
        words: What came on standard error.
        status: The exit status of the command, where it is known.
        was_up: Whether our script had begun to run.
    """
    for rule in _RULES:
        if match := re.search(rule.pattern, words):
            return Trouble(rule.state, _fill(rule.sentence, match, target))
    said = _last_line(words)
    if was_up:
        return lost(
            f"the connection to {target.place} broke" + (f": {said}" if said else "; connecting anew")
        )
    if status == 127:
        return missing(f"{_host(target)} has not the command that {target.place} needs{_quoted(said)}")
    if said:
        return missing(f"{target.place}: {said}")
    return lost(f"{target.place} ended before it began (exit status {_shown(status)}); trying again")


def explain_file(target: Target, answer: str) -> Trouble:
    """Why the log can't be opened, by the one-word answer of the far end."""
    path, place = target.path, target.place
    answers: dict[str, Callable[[], Trouble]] = {
        "missing": lambda: no_file(
            f"{path} is not there on {place}; check the path, or start the run that writes it"
        ),
        "bare": lambda: no_file(
            f"the folder {path} on {place} holds no log yet; check the path, or start the run that writes there"
        ),
        "special": lambda: no_file(f"{path} on {place} is no regular file; name a log file"),
        "denied": lambda: no_permission(
            f"{path} on {place} may not be read by this login; give it read permission"
        ),
        "opened": lambda: missing(
            f"{place} can't tell the size of {path}; it needs the command `stat` there"
        ),
    }
    return answers.get(answer, lambda: lost(f"{place} gave an unknown answer; connecting anew"))()


def _fill(sentence: str, match: re.Match[str], target: Target) -> str:
    hop = target.hops[-1] if target.hops else Hop("container", ("?",))
    name = next((group for group in match.groups() if group), hop.parts[-1])
    return sentence.format(
        *(group or "" for group in match.groups()),
        host=_host(target),
        hop=hop,
        name=name,
        start=_START.get(hop.kind, "{0}").format(hop.parts[-1]),
        list=_LIST.get(hop.kind, "its list of containers"),
    )


def _host(target: Target) -> str:
    return str(target.host) if target.host else "this machine"


def _last_line(words: str) -> str:
    lines = [line for line in words.splitlines() if not _NOISE.search(line)]
    return plain(lines[-1]) if lines else ""


def _quoted(said: str) -> str:
    return f" ({said})" if said else ""


def _shown(status: int | None) -> str:
    return "unknown" if status is None else str(status)
