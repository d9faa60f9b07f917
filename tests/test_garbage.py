import gc

import pytest

from tui import garbage
from tui.garbage import loading, settle, spared


def test_nothing_is_collected_before_the_start_is_over() -> None:
    with spared():
        assert not gc.isenabled()
        settle()
        assert gc.isenabled()


def test_what_was_there_at_the_start_is_set_aside_until_the_end() -> None:
    with spared():
        settle()
        assert gc.get_freeze_count() > 10_000
    assert gc.get_freeze_count() == 0


def test_what_outlives_a_long_collection_is_not_walked_over_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "LONG_S", 0.0)  # so that every full collection is a long one
    with spared():
        settle()
        before = gc.get_freeze_count()
        kept = [[number] for number in range(1000)]
        gc.collect()
        assert gc.get_freeze_count() >= before + len(kept)


def test_settling_without_a_start_changes_nothing() -> None:
    before = gc.get_freeze_count()
    settle()
    assert gc.isenabled()
    assert gc.get_freeze_count() == before


def test_nothing_is_collected_while_modules_load_and_what_they_bring_is_set_aside() -> None:
    before = gc.get_freeze_count()
    with loading():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() > before
    gc.unfreeze()


def test_loading_while_nothing_is_collected_anyway_leaves_it_so() -> None:
    with spared():
        with loading():
            pass
        assert not gc.isenabled()
