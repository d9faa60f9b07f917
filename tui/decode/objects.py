"""Finds a JSON object or a Python dict in a line of text."""

from __future__ import annotations

import ast
import re
import warnings

import orjson

from tui.decode.jsonl import load_object

OBJECT_CHARS = 64 * 1024
"""The longest object that is looked at inside of a line."""

DEPTH_LIMIT = 50
"""The most brackets that it may open."""

_START = re.compile(r"\{\s*[\"']")
_WRAPPED = re.compile(
    r"\b(?:(?:np|numpy|torch|jnp)\.)?(?:tensor|float\d+|int\d+|bool_?|array)\(\s*([^(),]*?)\s*(?:,[^()]*)?\)"
)
_BARE_NAMES = re.compile(r"(?<![\w'\".])(-?)(nan|inf|NaN|Infinity)(?![\w'\"])")


def find_object(text: str) -> dict[str, object] | None:
    """The object in a line, from its first brace to its last; None where there is none that can be read."""
    start = _START.search(text)
    stop = text.rfind("}") + 1
    if start is None or not 0 < stop - start.start() <= OBJECT_CHARS:
        return None
    body = text[start.start() : stop]
    if start[0].endswith('"'):
        found = load_object(body.encode("utf-8", "replace"))
        if found is not None:
            return found
    return load_python(body)


def load_python(body: str) -> dict[str, object] | None:
    """The dict in a text of Python, with `nan`, `inf`, NumPy scalars and tensors; None where there is none."""
    if body.count("{") + body.count("[") + body.count("(") > DEPTH_LIMIT:
        return None
    try:
        row = orjson.loads(body.replace("'", '"'))
    except orjson.JSONDecodeError:
        row = _evaluate(_BARE_NAMES.sub(r"'\1\2'", _WRAPPED.sub(r"\1", body)))
    if not isinstance(row, dict):
        return None
    return {str(key): value for key, value in row.items()}


def _evaluate(body: str) -> object:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in foreign text
            return ast.literal_eval(body)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
