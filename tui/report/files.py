"""A run as a file, in the form that the end of the file's name asks for."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tui.errors import UsageError
from tui.feed import Feed
from tui.replacing import replace_file
from tui.report.contents import write_report
from tui.report.data import to_columns, to_csv
from tui.report.html import to_html
from tui.report.markdown import to_markdown

Form = Callable[[Feed, Sequence[str]], str]
"""From a run and the metrics that are asked for to the text of the file."""

FORMS: dict[str, Form] = {
    ".html": lambda feed, names: to_html(write_report(feed, names, time.time())),
    ".md": lambda feed, names: to_markdown(write_report(feed, names, time.time())),
    ".csv": lambda feed, names: to_csv(feed, names),
    ".json": lambda feed, names: to_columns(feed, names),
}
"""The forms by the end of the name: the report twice, and the data twice."""


def find_form(file: Path, picture: Form) -> Form:
    """What is to be written; `picture` stands for `.svg`.

    Raises:
        UsageError: The name ends in nothing known.
    """
    forms = {".svg": picture, **FORMS}
    form = forms.get(file.suffix.lower())
    if form is None:
        raise UsageError(f"{file.name!r} tells no format; give a name that ends in {', '.join(forms)}")
    return form


def write_file(file: Path, text: str) -> None:
    """Write a file, whole or not at all.

    Raises:
        UsageError: It can't be written there.
    """
    try:
        replace_file(file, text.encode())
    except OSError as error:
        raise UsageError(f"{file} can't be written: {error.strerror}; give another place") from error
