"""An address is explained while it is typed."""

import pytest

from tui.screens.address import explain_address


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("box:/a.jsonl", "over SSH to box, the file /a.jsonl"),
        ("me@box:pct/200:/w/a.jsonl", "over SSH to me@box, in container pct/200, the file /w/a.jsonl"),
        ("box:runs/*/a", "over SSH to box, all that match runs/*/a, from its home"),
        ("box:/runs/", "over SSH to box, the newest log in /runs/"),
        ("box:tmux/train:", "over SSH to box, in tmux pane tmux/train, what it prints"),
        ("docker/t:/w", "on this machine, in container docker/t, the file /w"),
        ("box:kubectl/ml/p-0:/l", "over SSH to box, in pod kubectl/ml/p-0, the file /l"),
        ("/", "on this machine, the newest log in /"),
    ],
)
def test_what_can_be_opened_is_told_in_words(text: str, meaning: str) -> None:
    assert explain_address(text).text == meaning
    assert explain_address(text).level == "good"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("box:", "no path after box; add the log's, e.g. box:/runs/train.jsonl"),
        ("ssh://box:99999/a", "99999 is no port; ports are 1 to 65535"),
        ("ssh://me:hunter2@box/a", "an address can't hold a password; leave it out"),
        ("box:tmux/a:docker/x:/y", "a tmux pane is the end of an address"),
        ("-", "standard input can be read only where milepost is started"),
    ],
)
def test_what_is_no_address_is_told_with_what_would_be(text: str, meaning: str) -> None:
    assert explain_address(text).level == "wrong"
    assert meaning in explain_address(text).text
    assert "hunter2" not in explain_address(text).text


def test_a_slip_in_the_kind_of_a_container_is_noticed() -> None:
    assert explain_address("box:dcoker/x:/y").text == "dcoker/ is no kind of container; did you mean docker/?"
    assert explain_address("box:dcoker/x:/y").level == "warning"


def test_a_file_that_is_not_here_is_doubted() -> None:
    assert "there is no gpu-box on this machine (yet)" in explain_address("gpu-box").text
    assert explain_address("~nobody-of-that-name/x").level == "warning"


def test_nothing_means_nothing() -> None:
    assert (explain_address("  ").text, explain_address("  ").level) == ("", "empty")
