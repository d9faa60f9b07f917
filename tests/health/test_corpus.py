"""Real logs that are healthy as far as anybody knows raise no warning."""

from __future__ import annotations

import pytest

from tests.bench.real import CORPUS, healthy_logs
from tests.bench.score import first_warnings, judge

LOGS = [pytest.param(span, total, id=name) for name, span, total in healthy_logs()]


@pytest.mark.skipif(not LOGS, reason=f"{CORPUS} does not name a folder of real logs")
@pytest.mark.parametrize(("span", "total"), LOGS or [(None, None)])
def test_a_healthy_real_log_raises_no_warning(span, total) -> None:  # type: ignore[no-untyped-def]
    assert first_warnings(judge(span, total_steps=total)) == ()
