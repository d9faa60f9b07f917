from tui.decode.names import LOG_FIELD_LIMIT, NAME_CHARS, Names, tidy_name


def test_a_name_is_harmless_short_and_never_empty() -> None:
    assert tidy_name(" a\x1b[31mb\x00 ") == "ab"
    assert tidy_name("\x07") == "?"
    assert len(tidy_name("k" * 10_000)) == NAME_CHARS


def test_new_names_are_left_out_when_a_log_has_too_many_and_old_ones_are_not() -> None:
    names = Names()
    assert all(names.admit(f"k{number}") for number in range(LOG_FIELD_LIMIT))
    assert names.admit("one more") is None
    assert names.admit("k0") == "k0"
    assert names.dropped == 1
    assert not names.admit_all(["k0", "another"])
    assert names.dropped == 1
