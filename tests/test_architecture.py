"""The house stands as it was drawn: who may import whom, what starts light, and what is in the wheel."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
DATA_SUFFIXES = {".tcss", ".toml", ".sh", ".typed"}
"""Of files that are no Python, yet belong into the wheel: style sheets, themes, scripts for the far end."""

HEAVY = ("textual", "rich", "plotext", "asyncssh", "watchfiles")

ELSEWHERE = (
    *HEAVY,
    "hashlib", "importlib.resources", "numpy.ma", "secrets", "statistics", "tempfile", "tomllib",
    "tui.config.places", "tui.decode.textlog", "tui.ranked", "tui.report.schema", "tui.screens", "tui.sources.expand",
    "tui.sources.far", "tui.sources.joined", "tui.sources.lanes", "tui.sources.probe", "tui.store.ranks",
)  # fmt: skip
"""What a glance at one local log of JSON lines does without, each worth a millisecond or many."""


def run(*command: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=TOP, capture_output=True, text=True, check=False, timeout=120, env=environment
    )


def test_imports_follow_the_contracts() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    result = run(str(linter), "--no-logo", "--no-cache")
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("modules", "heavy"),
    [
        ("tui.feed, tui.health, tui.store, tui.decode", HEAVY),
        ("tui.commands.status, tui.commands.table, tui.cli", HEAVY),
        ("widgets, themes", ("asyncssh", "tui")),
    ],
)
def test_what_needs_no_screen_and_no_connection_loads_none(modules: str, heavy: tuple[str, ...]) -> None:
    script = f"import sys, {modules}; print(sorted(set(sys.modules) & set({heavy!r})))"
    result = run(sys.executable, "-c", script)
    assert (result.stdout.strip(), result.stderr) == ("[]", "")


def test_the_version_is_told_without_making_a_parser() -> None:
    heavy = {"argparse", "logging", "numpy", "tui.commands"}
    script = f"import sys; from tui.cli import main; main(['--version']); print(sorted(set(sys.modules) & {heavy}))"
    assert run(sys.executable, "-c", script).stdout.splitlines()[1:] == ["[]"]


def test_a_glance_at_a_local_log_loads_what_it_needs_and_no_more(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(f'{{"step": {n}, "loss": {2 - n / 999}, "grad_norm": 1.5}}\n' for n in range(900)))
    script = (
        "import sys; from tui.cli import main; code = main(['status', sys.argv[1]]);"
        f"print(code, sorted(set(sys.modules) & set({ELSEWHERE!r})))"
    )
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    result = run(sys.executable, "-c", script, str(log), environment=os.environ | home)
    assert (result.stdout.splitlines()[-1], result.stderr) == ("0 []", "")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_says_that_it_is_typed(package: str) -> None:
    assert (TOP / package / "py.typed").is_file()


def test_the_top_level_folders_are_the_packages_and_the_tests() -> None:
    folders = {path.parent.name for path in TOP.glob("*/__init__.py")}
    assert folders == {*PACKAGES, "tests"}


def test_every_folder_of_the_packages_is_a_package() -> None:
    folders = {path.parent for name in PACKAGES for path in (TOP / name).rglob("*.py")}
    assert not [str(folder) for folder in folders if not (folder / "__init__.py").is_file()]


def test_no_ignore_rule_keeps_a_file_of_a_package_out_of_the_wheel() -> None:
    """The build backend takes whole packages, and leaves out what .gitignore names."""
    rules = [line for line in (TOP / ".gitignore").read_text().split() if not line.startswith("#")]
    names = [rule.rstrip("/") for rule in rules]
    files = [path for name in PACKAGES for path in (TOP / name).rglob("*") if path.suffix in DATA_SUFFIXES]
    assert files
    assert not [str(path) for path in files for name in names if path.match(name) or name in path.parts]


def test_every_dependency_has_a_reason_and_a_bound_below_the_next_major() -> None:
    text = (TOP / "pyproject.toml").read_text(encoding="utf-8")
    declared = PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["dev"]
    for requirement in declared:
        assert re.search(r",<\d+$", requirement), requirement
        assert re.search(rf'"{re.escape(requirement)}",\s+# \w', text), requirement


def test_the_readme_shows_the_demo_and_the_tests_in_one_line_each() -> None:
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    fenced = re.findall(r"^```\w*\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    for command in ("milepost demo", "pytest"):
        first = next(block for block in fenced if command in block)
        assert first.count("\n") == 1, f"{command}: not one line"
        assert first.startswith("python3 -m venv"), first


def test_the_check_of_everything_can_be_run() -> None:
    assert os.access(TOP / ".ci" / "run", os.X_OK)
