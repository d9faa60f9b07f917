"""The line of keys."""

from tests.widgets.drawing.text import text_of
from widgets.drawing.keys import Key, Keys, draw_keys, key_at

KEYS = Keys((Key("q", "quit", "quit"), Key("?", "help", "help"), Key("s", "smooth", "cycle_smoothing")))


def test_keys_stand_in_a_row() -> None:
    assert text_of(draw_keys(KEYS, 60)) == " q quit  ? help  s smooth"


def test_a_key_that_does_not_fit_is_left_out_whole() -> None:
    assert text_of(draw_keys(KEYS, 20)) == " q quit  ? help"


def test_a_click_finds_its_key() -> None:
    found = [key_at(KEYS, 60, column) for column in (1, 6, 7, 9, 30)]
    assert [key.key if key else None for key in found] == ["q", "q", None, "?", None]
