"""A command line arrives word for word, whatever the login shell is."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.sources.quoting import for_login_shell

SHELLS = {
    "sh": ["sh", "-c"],
    "dash": ["dash", "-c"],
    "bash": ["bash", "-c"],
    "bash --posix": ["bash", "--posix", "-c"],
    "busybox": ["busybox", "sh", "-c"],
    "zsh": ["zsh", "-c"],
    "mksh": ["mksh", "-c"],
    "fish": ["fish", "-c"],
    "tcsh": ["tcsh", "-f", "-c"],
}

AWKWARD = [
    "plain",
    "",
    "two words",
    "it's",
    'say "hi"',
    "$HOME $(id) `id` ${x:-y}",
    "back\\slash \\n \\\\ \\0101",
    "new\nline\n",
    "tab\tbell\a",
    "100% %s %d",
    "bang!!  !x",
    "größe→λ🙂",
    "-n",
    "~/x",
    "*?[a]{b,c}",
    ";&|<>()#^",
    "\udcff",
]

ECHO = [
    sys.executable,
    "-c",
    "import sys, os; sys.stdout.buffer.write(b'\\0'.join(map(os.fsencode, sys.argv[1:])))",
]


def arrived(shell: list[str], words: list[str]) -> list[bytes]:
    """The words that a command gets when its line is run by a login shell."""
    done = subprocess.run([*shell, for_login_shell([*ECHO, *words])], check=True, capture_output=True)
    return done.stdout.split(b"\0")


@pytest.mark.parametrize("name", SHELLS)
def test_awkward_words_arrive_through_the_login_shell(name: str) -> None:
    shell = SHELLS[name]
    if shutil.which(shell[0]) is None:
        pytest.skip(f"{shell[0]} is not installed")
    assert arrived(shell, AWKWARD) == [word.encode("utf-8", "surrogateescape") for word in AWKWARD]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), min_size=1, max_size=4
    )
)
def test_any_words_arrive_through_sh(words: list[str]) -> None:
    assert arrived(["sh", "-c"], words) == [word.encode() for word in words]


def test_the_line_has_nothing_special_but_the_two_quoted_words() -> None:
    line = for_login_shell(AWKWARD)
    head, _, octal = line.rpartition(" '")
    assert head == """exec sh -c 'eval "$(printf %b "$0")"'"""
    assert set(octal) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _./=:,@+-\\'")
    assert octal.count("'") == 1
