import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.decode.objects import find_object


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{'loss': 0.5, 'epoch': 0.01}", {"loss": 0.5, "epoch": 0.01}),
        ('[x][INFO] - {"loss": "0.5"}', {"loss": "0.5"}),
        ("{'a': np.float64(2.5), 'b': tensor(1.5, device='cuda:0', grad_fn=<X>)}", {"a": 2.5, "b": 1.5}),
        ("{'a': None, 'b': True, 'c': (1, 2), 3: 'x'}", {"a": None, "b": True, "c": (1, 2), "3": "x"}),
        ("{'it is': \"it's\"} trailing words", {"it is": "it's"}),
    ],
)
def test_an_object_in_a_line_is_found(text: str, found: dict[str, object]) -> None:
    assert find_object(text) == found


def test_nan_and_infinity_of_python_are_values() -> None:
    row = find_object("{'loss': nan, 'norm': -inf}")
    assert row is not None
    assert math.isnan(float(str(row["loss"])))
    assert float(str(row["norm"])) == -math.inf


@pytest.mark.parametrize(
    "text",
    ["{}", "{'a': ", "{x: 1}", "{'a': f(1)}", "{'a':" * 100 + "}", "f'{loss}'", "{'a': __import__('os')}"],
)
def test_what_is_no_literal_is_none(text: str) -> None:
    assert find_object(text) is None


@given(st.text(alphabet="{}[]()'\":,.0123456789naif -", max_size=80))
def test_any_text_is_an_object_or_none(text: str) -> None:
    assert isinstance(find_object(text), dict | None)
