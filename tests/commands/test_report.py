import csv
import io
import json
import xml.etree.ElementTree as ET

import pytest

from tests.commands.running import Shell, entries
from tests.recorded import scenario_log


@pytest.fixture(scope="module")
def plateaued() -> str:
    return scenario_log("plateau", 13_000)


def test_a_report_says_verdict_progress_alerts_milestones_and_trends(shell: Shell, plateaued: str) -> None:
    log = shell.write(plateaued)
    told = shell("report", log, "--finished")
    assert told.code == 0
    status = shell("status", log, "--finished", "--json").run
    lines = told.out.splitlines()
    assert status["verdict"] in lines[0]
    assert f"{status['entries']:,} entries" in told.out
    firing = [alert for alert in status["alerts"] if alert["state"] == "firing"]
    assert firing
    for alert in firing:
        assert (
            f"| {alert['severity']} {alert['kind'].replace('_', ' ')} | firing | {alert['metric']} |"
            in told.out
        )
    assert "## Milestones" in lines
    assert f"| accuracy | {status['trends']['accuracy']['verdict']} |" in told.out
    assert "Curves" not in told.out


def test_a_healthy_run_has_no_alert_to_tell(shell: Shell) -> None:
    log = shell.write(entries(*({"step": n, "loss": 4 - n / 500} for n in range(1, 300))))
    assert "None fires, and none ever did." in shell("report", log, "--finished").out


def test_a_report_in_html_has_the_curves(shell: Shell, plateaued: str) -> None:
    page = shell.folder / "run.html"
    told = shell("report", shell.write(plateaued), "-o", page)
    assert (told.code, told.out) == (0, "")
    assert f"wrote {page}" in told.err
    text = page.read_text("utf-8")
    assert text.count("<svg ") >= 3
    assert "<h2>Milestones</h2>" in text


def test_a_report_on_nothing_is_an_error(shell: Shell) -> None:
    told = shell("report", shell.folder / "none.jsonl")
    assert (told.code, told.out) == (3, "")
    assert "none.jsonl" in told.err


def test_the_data_as_csv_has_every_digit_and_empty_cells(shell: Shell) -> None:
    rows: list[dict[str, float]] = [{"step": 1, "loss": 1 / 3, "lr": 1e-4}, {"step": 2, "loss": float("nan")}]
    log = shell.write(entries(*rows, {"step": 3, "loss": 0.25, "lr": 2e-4}))
    file = shell.folder / "run.csv"
    assert shell("export", log, "-o", file, "--finished").code == 0
    assert list(csv.reader(io.StringIO(file.read_text("utf-8")))) == [
        ["step", "loss", "lr"],
        ["1", repr(1 / 3), "0.0001"],
        ["2", "NaN", ""],
        ["3", "0.25", "0.0002"],
    ]


def test_what_a_restart_superseded_is_not_exported(shell: Shell) -> None:
    steps = [*range(1, 61), *range(31, 91)]
    log = shell.write(entries(*({"step": step, "loss": 1.0 + at} for at, step in enumerate(steps))))
    file = shell.folder / "run.json"
    assert shell("export", log, "-o", file, "--finished").code == 0
    loss = json.loads(file.read_text("utf-8"))["metrics"]["loss"]
    assert loss["steps"] == list(range(1, 91))
    assert loss["values"][30] == 61.0


def test_streams_follow_each_other_in_csv(shell: Shell) -> None:
    rows: list[dict[str, float]] = []
    for step in range(1, 101):
        rows.append({"step": step, "train_loss": 1.0})
        if step % 50 == 0:
            rows.append({"step": step, "eval_loss": 2.0})
    file = shell.folder / "run.csv"
    assert shell("export", shell.write(entries(*rows)), "-o", file, "--finished").code == 0
    told = list(csv.reader(io.StringIO(file.read_text("utf-8"))))
    assert told[0] == ["step", "train_loss", "eval_loss"]
    assert told[-2:] == [["50", "", "2"], ["100", "", "2"]]
    assert len(told) == 103


def test_a_curve_is_a_picture_of_its_own(shell: Shell, plateaued: str) -> None:
    file = shell.folder / "curve.svg"
    assert shell("export", shell.write(plateaued), "-o", file, "--curve", "loss").code == 0
    assert "loss" in (
        ET.fromstring(file.read_text("utf-8")).findtext("{http://www.w3.org/2000/svg}title") or ""
    )


def test_the_screen_is_a_picture(shell: Shell, plateaued: str) -> None:
    file = shell.folder / "screen.svg"
    assert shell("export", shell.write(plateaued), "-o", file, "--size", "100x30").code == 0
    told = file.read_text("utf-8")
    assert "plateau" in told.lower()
    assert "milestones" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("-o", "run.pdf"),
            "'run.pdf' tells no format; give a name that ends in .svg, .html, .md, .csv, .json",
        ),
        (("-o", "run.svg", "--curve", "los"), "the log has no field 'los'; it has loss"),
        (("-o", "none/run.csv"), "none/run.csv can't be written"),
        (("-o", "run.svg", "--size", "9"), "'9' is no screen"),
    ],
)
def test_a_wrong_wish_is_answered_in_one_line(shell: Shell, words: tuple[str, ...], said: str) -> None:
    log = shell.write(entries(*({"step": n, "loss": 1.0 / n} for n in range(1, 30))))
    told = shell("export", log, *words)
    assert told.code == 3
    assert said in told.err
    assert told.err.count("\n") == 1
