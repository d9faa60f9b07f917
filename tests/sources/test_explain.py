"""What the tools say becomes one sentence: what, where, and what to do next."""

# ruff: noqa: E501 -- the words of the tools stand on one line each, as they print them

from __future__ import annotations

import pytest

from tui.events import LinkState
from tui.sources.explain import explain_end, explain_file
from tui.target import parse_target

SAID = [
    ("docker/web", 'Error response from daemon: No such container: web', "missing", "host has no container docker/web; see: docker ps"),
    ("docker/web", "Error response from daemon: Container 0a1b2c is not running", "missing", "start it with: docker start web"),
    ("docker/web", "Error response from daemon: Container web is paused, unpause the container before exec", "missing", "not running"),
    ("docker/web", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", "missing", "daemon"),
    ("docker/web", "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock", "refused", "group"),
    ("docker/web", 'OCI runtime exec failed: exec failed: unable to start container process: exec: "sh": executable file not found in $PATH: unknown', "missing", "docker/web on host has no sh"),
    ("podman/web", 'Error: no container with name or ID "web" found: no such container', "missing", "see: podman ps"),
    ("podman/web", "Error: can only create exec sessions on running containers: container state improper", "missing", "podman start web"),
    ("pct/200", "Configuration file 'nodes/pve/lxc/200.conf' does not exist", "missing", "host has no container pct/200; see: pct list"),
    ("pct/200", "container '200' not running!", "missing", "container 200 on host is not running; start it with: pct start 200"),
    ("pct/200", "CT 200 not running", "missing", "pct start 200"),
    ("lxc/web", "lxc-attach: web: ../src/lxc/attach.c: get_attach_context: 406 Connection refused - Failed to get init pid", "missing", "lxc-start -n web"),
    ("lxc/web", 'lxc-attach: web: attach.c: lxc_attach_run_command: 1841 No such file or directory - Failed to exec "sh"', "missing", "no sh"),
    ("incus/web", "Error: Instance is not running", "missing", "incus start web"),
    ("incus/web", "Error: Instance not found", "missing", "see: incus list"),
    ("kubectl/ml/pod", 'Error from server (NotFound): pods "pod" not found', "missing", "host has no container kubectl/ml/pod; see: kubectl get pods"),
    ("kubectl/ml/pod", 'Error from server (NotFound): namespaces "ml" not found', "missing", "no namespace ml"),
    ("kubectl/ml/pod", "error: cannot exec into a container in a completed pod; current phase is Succeeded", "missing", "not running"),
    ("kubectl/ml/pod", 'Error from server (Forbidden): pods "pod" is forbidden: User "x" cannot create resource', "refused", "may not enter kubectl/ml/pod"),
    ("kubectl/pod", "The connection to the server localhost:8080 was refused - did you specify the right host or port?", "retrying", "localhost:8080"),
    ("docker/web", "sh: 1: exec: docker: not found", "missing", "host has no command docker; check the address, or install docker there"),
    ("docker/web", "sh: exec: line 1: docker: not found", "missing", "host has no command docker"),
    ("docker/web", "sh: line 1: exec: docker: not found", "missing", "host has no command docker"),
    ("docker/web", "bash: line 1: docker: command not found", "missing", "host has no command docker"),
    ("docker/web", "sudo: a password is required", "refused", "sudo on host asks for a password"),
    ("docker/web", "This account is currently not available.", "refused", "no shell"),
    ("docker/web", "srun: error: Unable to confirm allocation for job 42: Invalid job id specified", "missing", "squeue"),
]  # fmt: skip


@pytest.mark.parametrize(("hop", "words", "state", "sentence"), SAID)
def test_a_message_of_a_tool_becomes_a_sentence(hop: str, words: str, state: str, sentence: str) -> None:
    trouble = explain_end(parse_target(f"host:{hop}:/log.jsonl"), f"{words}\n", 1, was_up=False)
    assert trouble.state is LinkState(state)
    assert sentence in str(trouble)
    assert not trouble.is_final


def test_warnings_about_the_locale_do_not_hide_the_message() -> None:
    words = "perl: warning: Setting locale failed.\nLC_ALL = (unset),\nsomething odd\nperl: warning: Falling back\n"
    assert (
        str(explain_end(parse_target("host:pct/1:/x"), words, 1, was_up=False))
        == "host ▸ pct/1: something odd"
    )


def test_an_end_without_a_word_before_the_beginning_names_the_status() -> None:
    trouble = explain_end(parse_target("host:/x"), "", 255, was_up=False)
    assert (trouble.state, str(trouble)) == (
        LinkState.RETRYING,
        "host ended before it began (exit status 255); trying again",
    )


def test_an_end_in_the_middle_is_a_lost_link() -> None:
    trouble = explain_end(parse_target("host:docker/web:/x"), "", None, was_up=True)
    assert (trouble.state, str(trouble)) == (
        LinkState.RETRYING,
        "the connection to host ▸ docker/web broke; connecting anew",
    )


def test_foreign_words_lose_their_control_characters() -> None:
    trouble = explain_end(parse_target("host:/x"), "\x1b[31mred\x07 \x9b1m[bold]x[/bold]\n", 1, was_up=False)
    assert str(trouble) == "host: [31mred 1m[bold]x[/bold]"


@pytest.mark.parametrize(
    ("answer", "state", "sentence"),
    [
        ("missing", "missing", "/x is not there on host; check the path, or start the run that writes it"),
        (
            "bare",
            "missing",
            "the folder /x on host holds no log yet; check the path, or start the run that writes there",
        ),
        ("special", "missing", "/x on host is no regular file; name a log file"),
        ("denied", "refused", "/x on host may not be read by this login; give it read permission"),
        ("opened", "missing", "host can't tell the size of /x; it needs the command `stat` there"),
        ("what", "retrying", "host gave an unknown answer; connecting anew"),
    ],
)
def test_a_log_that_can_not_be_opened_is_explained(answer: str, state: str, sentence: str) -> None:
    trouble = explain_file(parse_target("host:/x"), answer)
    assert (trouble.state, str(trouble)) == (LinkState(state), sentence)
