"""Every key is found on the line where it stands."""

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tui.config.places import Path, find_lines

LINES = (
    "{key} = {line}",
    "{key}.a . 'b c' = {line}",
    '"{key} ]=#." = {line} # x = [1',
    "{key} = [{line}, [{line}], {{ x = {line}, y.z = [{line},] }}]",
    "{key} = {{}}",
    "[{key}]",
    "[ {key} . 'a.b' ]  # [c]",
    "[[many]]",
    "[[many.{key}.more]]",
    "[many.{key}]",
    "# {key} = 1",
    "",
    "{key} = ['{line}', \"{line}\", '''{line}''', 0]",
)
"""Lines of TOML whose every number is that of the line; a text of digits counts too."""


def leaves(value: object, path: Path = ()) -> dict[Path, Any]:
    if isinstance(value, dict):
        return {at: leaf for key in value for at, leaf in leaves(value[key], (*path, key)).items()}
    if isinstance(value, list):
        return {at: leaf for n, item in enumerate(value) for at, leaf in leaves(item, (*path, n)).items()}
    return {path: value}


def nodes(value: object, path: Path = ()) -> set[Path]:
    below: set[Path] = set()
    if isinstance(value, dict):
        below = set().union(*(nodes(value[key], (*path, key)) for key in value))
    if isinstance(value, list):
        below = set().union(*(nodes(item, (*path, number)) for number, item in enumerate(value)))
    return below | ({path} if path else set())


@given(st.lists(st.sampled_from(LINES), max_size=25))
def test_a_value_that_is_the_number_of_its_line_is_found_there(forms: list[str]) -> None:
    numbered = [form.format(key=f"k{number}", line=number) for number, form in enumerate(forms, 2)]
    text = "\n".join(["[[many]]", *numbered])
    parsed = tomllib.loads(text)
    lines = find_lines(text)
    assert {path: int(value) for path, value in leaves(parsed).items() if int(value)} == {
        path: lines[path] for path, value in leaves(parsed).items() if int(value)
    }
    assert set(lines) == nodes(parsed)


def test_an_array_over_several_lines_has_a_line_for_each_item() -> None:
    text = 'a = [ # 1, 2\n  1,\n\n  "]", { b = 1 }, # ]\n]\nb = """\n\\""" ]\n[x]\n""""\nc = 1\n'
    lines = find_lines(text)
    assert [lines["a", number] for number in range(3)] == [2, 4, 4]
    assert lines["a", 2, "b"] == 4
    assert (lines["b",], lines["c",]) == (6, 10)


def test_a_table_stands_where_its_header_does_wherever_tables_below_it_came_first() -> None:
    lines = find_lines("[a.b.c]\nx = 1\n[a]\ny = 1\n[a.b]\n")
    assert (lines["a",], lines["a", "b"], lines["a", "b", "c"]) == (3, 5, 1)


def test_arrays_of_tables_are_numbered_and_what_follows_belongs_to_the_last() -> None:
    lines = find_lines("[[a]]\nx = 1\n[[a]]\nx = 2\n[a.b]\ny = 1\n[[a.c]]\nz = 1\n")
    assert (lines["a", 0, "x"], lines["a", 1, "x"], lines["a", 1, "b", "y"], lines["a", 1, "c", 0, "z"]) == (
        2,
        4,
        6,
        8,
    )


def test_windows_line_ends_are_lines() -> None:
    assert find_lines("a = 1\r\nb = 2\r\n")["b",] == 2
