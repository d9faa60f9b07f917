"""What all tests share: the corpus of real logs, and the promise that in CI no real server is skipped."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real training logs; tests on it are skipped where `MILEPOST_CORPUS` names none."""
    folder = os.environ.get("MILEPOST_CORPUS")
    if not folder:
        pytest.skip("MILEPOST_CORPUS names no folder of real logs")
    if not Path(folder).is_dir():
        pytest.fail(f"MILEPOST_CORPUS is {folder}, and there is no such folder")
    return Path(folder)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With `MILEPOST_REQUIRE_REAL` set, a test marked `real` that would be skipped fails instead."""
    report = yield
    if report.skipped and item.get_closest_marker("real") and os.environ.get("MILEPOST_REQUIRE_REAL"):
        report.outcome = "failed"
        report.longrepr = f"MILEPOST_REQUIRE_REAL is set, yet this was skipped: {report.longrepr}"
    return report
