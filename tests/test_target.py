from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.errors import TargetError
from tui.target import Hop, Host, Target, expand_range, parse_target


@pytest.mark.parametrize(
    ("text", "host", "hops", "path"),
    [
        ("train_log.jsonl", None, (), "train_log.jsonl"),
        ("gpu-box:/runs/a/log.jsonl", Host("gpu-box"), (), "/runs/a/log.jsonl"),
        ("gpu-box:runs/log.jsonl", Host("gpu-box"), (), "runs/log.jsonl"),
        ("gpu-box:~/log.jsonl", Host("gpu-box"), (), "~/log.jsonl"),
        (
            "root@10.1.2.6:pct/200:/w/log.jsonl",
            Host("10.1.2.6", "root"),
            (Hop("pct", ("200",)),),
            "/w/log.jsonl",
        ),
        ("[::1]:/x", Host("::1"), (), "/x"),
        ("me@[fe80::1%eth0]:/x", Host("fe80::1%eth0", "me"), (), "/x"),
        (
            "ssh://root@127.0.0.1:2222/pct/200:/w",
            Host("127.0.0.1", "root", 2222),
            (Hop("pct", ("200",)),),
            "/w",
        ),
        ("ssh://[::1]:2222/runs/a", Host("::1", None, 2222), (), "/runs/a"),
        ("ssh://box/runs/a", Host("box"), (), "/runs/a"),
        ("ssh://box//runs/a", Host("box"), (), "/runs/a"),
        ("ssh://box/~/a", Host("box"), (), "~/a"),
        ("ssh://my%40corp@box/a", Host("box", "my@corp"), (), "/a"),
        ("docker/trainer:/w/log.jsonl", None, (Hop("docker", ("trainer",)),), "/w/log.jsonl"),
        ("docker/trainer:log.jsonl", None, (Hop("docker", ("trainer",)),), "log.jsonl"),
        ("box:kubectl/pod:/l", Host("box"), (Hop("kubectl", ("pod",)),), "/l"),
        ("box:kubectl/ml/pod:/l", Host("box"), (Hop("kubectl", ("ml", "pod")),), "/l"),
        ("box:kubectl/ml/pod/main:/l", Host("box"), (Hop("kubectl", ("ml", "pod", "main")),), "/l"),
        ("box:pct/200:docker/t:/l", Host("box"), (Hop("pct", ("200",)), Hop("docker", ("t",))), "/l"),
        ("box:tmux/train:", Host("box"), (Hop("tmux", ("train",)),), ""),
        ("box:tmux/train/2.1:", Host("box"), (Hop("tmux", ("train", "2.1")),), ""),
        ("-", None, (), "-"),
        ("./a:b", None, (), "./a:b"),
        ("/a:b/c", None, (), "/a:b/c"),
        ("~/a:b", None, (), "~/a:b"),
        ("C:\\runs\\log.jsonl", None, (), "C:\\runs\\log.jsonl"),
        ("C:/runs/log.jsonl", None, (), "C:/runs/log.jsonl"),
        ("runs/a:b.jsonl", None, (), "runs/a:b.jsonl"),
        ("crate/trainer:/w", None, (), "crate/trainer:/w"),
        ("box:/a:b/c d'\"$(x)`\n", Host("box"), (), "/a:b/c d'\"$(x)`\n"),
    ],
)
def test_an_address_is_read(text: str, host: Host | None, hops: tuple[Hop, ...], path: str) -> None:
    assert parse_target(text) == Target(text, path, host, hops)


def test_an_existing_local_file_is_local_whatever_its_name_looks_like(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert parse_target("box:log").host == Host("box")
    (tmp_path / "box:log").touch()
    assert parse_target("box:log").is_plain


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("box:", "no path after box"),
        ("docker/t:", "no path after docker/t"),
        ("ssh://box", "no path after box"),
        ("ssh://", "write ssh://"),
        ("ssh://box:99999/a", "99999 is no port"),
        ("a\0b", "NUL"),
        ("box:tmux/s:pct/200:/a", "end of an address"),
    ],
)
def test_what_is_no_address_is_told_why_in_one_line(text: str, says: str) -> None:
    with pytest.raises(TargetError, match=says) as told:
        parse_target(text)
    assert "\n" not in str(told.value)


@given(st.text(max_size=40))
def test_any_text_is_an_address_or_a_target_error(text: str) -> None:
    try:
        target = parse_target(text)
    except TargetError:
        return
    assert text.endswith(target.path) or target.path.lstrip("/") in text


def test_prefixes_are_split_into_words() -> None:
    target = parse_target("box:/l", via=("srun --jobid=42 --overlap", "env 'A=b c'"))
    assert target.via == (("srun", "--jobid=42", "--overlap"), ("env", "A=b c"))
    assert not parse_target("/l", via=("env",)).is_plain


@pytest.mark.parametrize("prefix", ["", "  ", "env 'x"])
def test_a_prefix_that_is_no_command_is_told(prefix: str) -> None:
    with pytest.raises(TargetError, match="--via"):
        parse_target("box:/l", via=(prefix,))


def test_the_place_names_every_step_on_the_way() -> None:
    target = parse_target("root@box:pct/200:docker/t:/l", via=("sudo -n",))
    assert target.place == "root@box ▸ sudo -n ▸ pct/200 ▸ docker/t"
    assert parse_target("/l").place == "this machine"


@pytest.mark.parametrize(
    ("text", "what", "where"),
    [
        ("box:/runs/a.jsonl", "/runs/a.jsonl", "/runs/a.jsonl on box"),
        ("/runs/a.jsonl", "/runs/a.jsonl", "/runs/a.jsonl on this machine"),
        ("box:tmux/train:", "tmux/train", "box ▸ tmux/train"),
    ],
)
def test_what_is_read_and_where_can_be_said(text: str, what: str, where: str) -> None:
    assert (parse_target(text).what, parse_target(text).where) == (what, where)


@pytest.mark.parametrize("character", "*?[")
def test_a_path_with_a_wildcard_is_a_pattern(character: str) -> None:
    assert parse_target(f"box:/runs/{character}a").has_pattern
    assert not parse_target("box:/runs/a]{b,c}").has_pattern
    assert not parse_target("box:tmux/train:").has_pattern


def test_a_pane_is_no_path() -> None:
    assert parse_target("tmux/train:").is_pane
    assert not parse_target("docker/train:/log").is_pane


def test_a_range_of_numbers_is_as_many_addresses() -> None:
    assert expand_range("box:/logs/rank{8..10}.txt") == [f"box:/logs/rank{rank}.txt" for rank in (8, 9, 10)]
    assert expand_range("rank{00..02}.log") == ["rank00.log", "rank01.log", "rank02.log"]
    assert expand_range("rank{a,b}.log") == ["rank{a,b}.log"]
