"""What is kept of how a run was shown."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.config import DisplayConfig
from tui.screens.display import Display
from tui.screens.kept import MOST, Kept, follow_usual, usual_display
from tui.target import parse_target

RUN = parse_target("gpu-box:/runs/a/log.jsonl")
CHOICE = Display(
    span=20, x="tokens", pinned=("acc",), hidden=("lr",), pattern="a*", splits={"table": 0.4}, shows_log=True
)


def keep(folder: Path, choice: Display, usual: Display | None = None) -> Kept:
    kept = Kept(folder)
    kept.note(RUN, choice, usual or Display())
    kept.flush()
    return kept


def test_a_run_is_shown_as_it_was_last(tmp_path: Path) -> None:
    keep(tmp_path / "runs", CHOICE)
    assert Kept(tmp_path / "runs").load(RUN, Display()) == CHOICE
    assert Kept(tmp_path / "runs").load(parse_target("gpu-box:/runs/b/log.jsonl"), Display()) == Display()


def test_what_would_hide_what_has_come_since_is_not_kept(tmp_path: Path) -> None:
    keep(tmp_path, Display(span=20, cursor=3.0, window=(1.0, 2.0), focus="loss", page=2, is_following=True))
    assert Kept(tmp_path).load(RUN, Display()) == Display(span=20)


def test_what_was_left_as_usual_follows_the_configuration(tmp_path: Path) -> None:
    keep(tmp_path, Display(span=500, x="tokens"), usual=Display(span=500))
    assert Kept(tmp_path).load(RUN, Display(span=20)) == Display(span=20, x="tokens")


def test_what_was_chosen_stays_though_it_be_the_programs_own_default(tmp_path: Path) -> None:
    keep(tmp_path, Display(), usual=Display(span=20))
    assert Kept(tmp_path).load(RUN, Display(span=20)) == Display()


def test_as_usual_needs_no_file(tmp_path: Path) -> None:
    keep(tmp_path, CHOICE)
    assert len(list(tmp_path.iterdir())) == 1
    keep(tmp_path, Display(focus="loss"))
    assert list(tmp_path.iterdir()) == []


def test_as_usual_needs_no_folder_either(tmp_path: Path) -> None:
    kept = keep(tmp_path / "runs", Display(focus="loss"))
    assert (kept.problems, list(tmp_path.iterdir())) == ([], [])


def test_a_fresh_start_forgets_nothing_but_heeds_nothing(tmp_path: Path) -> None:
    keep(tmp_path, CHOICE)
    assert Kept(tmp_path, is_fresh=True).load(RUN, Display()) == Display()
    assert Kept(tmp_path).load(RUN, Display()) == CHOICE


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"display": 3}', b"\xff", b'"x"', b'{"display": [1]}']
)
def test_a_broken_file_is_told_and_left_aside(tmp_path: Path, content: bytes) -> None:
    keep(tmp_path, CHOICE)
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    kept = Kept(tmp_path)
    assert kept.load(RUN, Display(span=20)) == Display(span=20)
    assert kept.problems == [f"{file} can't be read, so gpu-box:/runs/a/log.jsonl is shown as usual"]


@given(
    st.dictionaries(
        st.sampled_from(["span", "x", "pinned", "splits", "sort", "new"]), st.text() | st.integers()
    )
)
def test_a_value_that_means_nothing_is_left_as_usual(
    tmp_path_factory: pytest.TempPathFactory, shown: dict[str, object]
) -> None:
    folder = tmp_path_factory.mktemp("kept")
    keep(folder, CHOICE)
    (file,) = folder.iterdir()
    file.write_text(json.dumps({"display": shown}))
    assert isinstance(Kept(folder).load(RUN, Display()), Display)


def test_only_so_many_are_kept_the_latest(tmp_path: Path) -> None:
    for number in range(MOST):
        (tmp_path / f"{number}.json").write_text("{}")
        os.utime(tmp_path / f"{number}.json", (number, number))
    keep(tmp_path, CHOICE)
    assert len(list(tmp_path.iterdir())) == MOST
    assert not (tmp_path / "0.json").exists()
    assert Kept(tmp_path).load(RUN, Display()) == CHOICE


def test_a_folder_that_can_not_be_is_told_of_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = Kept(tmp_path / "file")
    for _ in range(2):
        kept.note(RUN, CHOICE, Display())
        kept.flush()
    assert kept.problems == [f"how runs are shown can't be kept in {tmp_path}/file: File exists"]


def test_standard_input_is_another_run_each_time(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept.note(parse_target("-"), CHOICE, Display())
    kept.flush()
    assert list(tmp_path.iterdir()) == []


def test_a_local_file_is_the_same_however_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kept = Kept(tmp_path / "kept")
    kept.note(parse_target("./log.jsonl"), CHOICE, Display())
    kept.flush()
    assert kept.load(parse_target(str(tmp_path / "log.jsonl")), Display()) == CHOICE


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    keep(tmp_path / "runs", CHOICE)
    (file,) = (tmp_path / "runs").iterdir()
    assert file.stat().st_mode & 0o077 == 0


def test_the_usual_is_the_configurations() -> None:
    assert usual_display(DisplayConfig()) == Display()
    config = DisplayConfig(x="epoch", smooth=0, log_y=True)
    assert usual_display(config) == Display(span=0, x="epoch", log_y=True)


def test_a_new_usual_changes_what_was_left_to_it() -> None:
    shown = follow_usual(Display(span=500, x="step", cursor=2.0), Display(), Display(span=20, x="tokens"))
    assert shown == Display(span=500, x="tokens", cursor=2.0)
