import pytest

from tui.names import name_runs
from tui.target import parse_target


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["box:/runs/a/log.jsonl"], ["log.jsonl"]),
        (["box:/a/x.jsonl", "box:/a/y.jsonl"], ["x.jsonl", "y.jsonl"]),
        (["box:/a/log.jsonl", "box:/b/log.jsonl", "box:/c.jsonl"], ["a/log.jsonl", "b/log.jsonl", "c.jsonl"]),
        (["box:pct/1:/a/l", "box:pct/2:/a/l"], ["pct/1:a/l", "pct/2:a/l"]),
        (["one:/a/l", "two:/a/l"], ["one:a/l", "two:a/l"]),
        (["box:tmux/train:"], ["tmux/train"]),
        (["/a/l", "/a/l"], ["a/l", "a/l"]),
        (["-"], ["-"]),
    ],
)
def test_a_name_is_the_shortest_end_that_tells_a_run_from_the_others(
    texts: list[str], names: list[str]
) -> None:
    assert name_runs([parse_target(text) for text in texts]) == names
