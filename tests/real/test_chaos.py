"""Forty random faults on the way to a log: no line is lost without a word, and none comes twice."""

from __future__ import annotations

import pytest

from tests.chaos import run_chaos
from tests.real.fixtures import Container, Sshd

pytestmark = pytest.mark.real


async def test_every_line_arrives_once_and_in_order_over_forty_faults(sshd: Sshd, lxc: Container) -> None:
    report = await run_chaos(sshd, lxc, faults=40, seed=3)
    assert report.is_exact, str(report)
    assert report.faults.total() == 40
