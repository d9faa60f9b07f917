"""The arguments that each command takes, and what the command is for."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import NoReturn

from tui import __version__
from tui.errors import UsageError

FORMAT_NAMES = "jsonl, json, csv, tsv, text, tensorboard, wandb"
"""What `--log-format` takes; a test holds it to the decoder's registry, which is not loaded for a command line."""

AXES = ("step", "tokens", "epoch", "relative", "wall", "time")
"""What `--x` takes; `time` is another word for `relative`."""

TIMEOUT_S = 10.0
"""How long a glance waits for one target, in seconds."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as everything here does."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")


def parse(words: list[str]) -> argparse.Namespace:
    """The arguments of a command, by a parser of that command alone; what names none is for `watch`.

    Raises:
        UsageError: They are not understood.
    """
    if words and words[0] in {"-h", "--help", "--version"}:
        return _make_overview().parse_args(words)
    name, rest = (words[0], words[1:]) if words and words[0] in COMMANDS else ("watch", words)
    parser = _Parser(prog=f"milepost {name}")
    COMMANDS[name][0](parser)
    return parser.parse_args(rest)


def _make_overview() -> _Parser:
    """A parser that knows of each command what it is for."""
    parser = _Parser(
        prog="milepost", description="A terminal monitor for training runs that live somewhere else."
    )
    parser.add_argument("--version", action="version", version=f"milepost {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (_, purpose) in COMMANDS.items():
        commands.add_parser(name, help=purpose)
    return parser


def _add_display(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--theme", metavar="NAME", help="the palette; 'list' prints the names of all")
    parser.add_argument("--x", choices=AXES, help="what curves are drawn over")
    parser.add_argument(
        "--smooth", metavar="N", type=_count, help="smooth curves over so many entries; 0 for none"
    )


def _add_shared(parser: argparse.ArgumentParser, at: str = "milestones: 100,500,1000") -> None:
    parser.add_argument(
        "--metrics", metavar="LIST", type=_lazy("parse_patterns"), help="metrics to show: loss,acc*"
    )
    parser.add_argument("--at", metavar="STEPS", type=_lazy("parse_steps"), help=at)
    parser.add_argument(
        "--via", metavar="COMMAND", action="append", help="a command prefix before the containers"
    )
    parser.add_argument("--config", metavar="FILE", help="the configuration file")
    parser.add_argument(
        "--last", metavar="SIZE", type=_lazy("parse_size"), help="read no more than this of the end: 50MB"
    )
    files = parser.add_mutually_exclusive_group()
    files.add_argument("--join", action="store_true", help="all targets are files of one run")
    files.add_argument("--ranks", action="store_true", help="each file is that of one rank of one run")
    parser.add_argument(
        "--profile", metavar="FILE", help="at the end, write there where the time went, call by call"
    )
    parser.add_argument(
        "--reference", metavar="TARGET", action="append", help="another log to compare with; may be repeated"
    )
    _add_display(parser)
    parser.add_argument("--log-format", metavar="NAME", help="read the log as this format: " + FORMAT_NAMES)
    parser.add_argument(
        "--role",
        metavar="FIELD=ROLE",
        action="append",
        type=_lazy("parse_role"),
        help="what a field is, where the guess is wrong: score=quality",
    )


def _add_watch(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run="tui.commands.watch:run_watch")
    parser.add_argument(
        "targets", metavar="TARGET", nargs="*", help="[HOST:][HOP:]PATH, or a name of the configuration"
    )
    parser.add_argument("--headless", action="store_true", help="no screen: tell events as lines")
    parser.add_argument(
        "--line", action="store_true", help="in one row of the terminal, for a pane that small"
    )
    parser.add_argument(
        "--json-events", metavar="FILE", help="with --headless: append events as JSON lines (- is stdout)"
    )
    parser.add_argument(
        "--state",
        metavar="FILE",
        help="with --headless: keep the place there, and go on at it after a restart",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="show runs as at first, not as they were shown last"
    )
    _add_screen(parser)
    _add_shared(parser)


def _add_status(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run="tui.commands.status:run_status")
    parser.add_argument("targets", metavar="TARGET", nargs="*")
    parser.add_argument("--all", action="store_true", help="all runs that have a name in the configuration")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON, schema 1")
    form.add_argument("--line", action="store_true", help="as one line, for tmux status-right")
    form.add_argument("--long", action="store_true", help="in full also where there are many runs")
    parser.add_argument(
        "--finished", action="store_true", help="the log is complete: don't judge its silence"
    )
    _add_timeout(parser)
    _add_shared(parser)


def _add_table(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run="tui.commands.table:run_table")
    parser.add_argument("targets", metavar="TARGET", nargs=1)
    parser.add_argument("--format", choices=("text", "json", "csv", "markdown"), default="text")
    parser.add_argument(
        "--between",
        metavar="STEPS",
        type=_lazy("parse_steps"),
        help="the changes from one step to another, in all and per 1,000: 16000,21000",
    )
    _add_timeout(parser)
    _add_shared(parser)


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run="tui.commands.report:run_report")
    parser.add_argument("targets", metavar="TARGET", nargs=1)
    parser.add_argument("--format", choices=("markdown", "html"), help="markdown, unless FILE ends in .html")
    parser.add_argument("-o", "--output", metavar="FILE", help="write it there")
    parser.add_argument("--finished", action="store_true", help="the log is complete: its last line counts")
    _add_timeout(parser)
    _add_shared(parser)


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run="tui.commands.export:run_export")
    parser.add_argument("targets", metavar="TARGET", nargs=1)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        help="its name says what: .svg, .html, .md, .csv, .json",
    )
    parser.add_argument("--curve", metavar="METRIC", help="with .svg: this metric's curve, not the screen")
    parser.add_argument(
        "--size",
        metavar="COLSxROWS",
        type=_lazy("parse_screen"),
        help="with .svg: the screen's size (120x40)",
    )
    parser.add_argument("--finished", action="store_true", help="the log is complete: its last line counts")
    _add_timeout(parser)
    _add_shared(parser)


def _add_find(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run="tui.commands.find:run_find")
    parser.add_argument(
        "places",
        metavar="HOST[:FOLDER]",
        nargs="*",
        help="a machine, and a folder where no usual one is meant; this machine where none is named",
    )
    parser.add_argument("--json", action="store_true", help="as JSON, schema 1")
    parser.add_argument(
        "--show-commands", action="store_true", help="print every command that would be run, and run none"
    )
    parser.add_argument(
        "--days", metavar="N", type=_days, default=7, help="logs that were written within so many days (7)"
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=_seconds,
        default=TIMEOUT_S,
        help="how long one machine may take, with all its containers (10)",
    )


def _add_fields(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run="tui.commands.fields:run_fields")
    parser.add_argument("targets", metavar="TARGET", nargs=1)
    parser.add_argument("--json", action="store_true", help="as JSON, schema 1")
    parser.add_argument("--finished", action="store_true", help="the log is complete: its last line counts")
    _add_timeout(parser)
    _add_shared(parser)


def _add_explain(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run="tui.commands.explain:run_explain")
    parser.add_argument("targets", metavar="TARGET", nargs=1)
    parser.add_argument("--metric", metavar="NAME", help="only this metric, or those that a pattern names")
    _add_timeout(parser)
    _add_shared(parser, at="as it was after this step, not now")


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run="tui.commands.config:run_config")
    form = parser.add_mutually_exclusive_group(required=True)
    form.add_argument("--show", action="store_true", help="print it in full, with all defaults and comments")
    form.add_argument(
        "--check",
        metavar="FILE",
        nargs="?",
        const="",
        help="tell every mistake with its line; exit code 0 or 3",
    )
    parser.add_argument("--config", metavar="FILE", help="the configuration file")


def _add_notify(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run="tui.commands.notify:run_notify")
    parser.add_argument("--test", action="store_true", help="send one notification through every channel")
    parser.add_argument("--config", metavar="FILE", help="the configuration file")


def _add_replay(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run="tui.commands.replay:run_replay")
    parser.add_argument("targets", metavar="FILE", nargs=1)
    parser.add_argument(
        "--speed", metavar="N", type=_seconds, default=100.0, help="how many times faster than it was (100)"
    )
    _add_screen(parser)
    _add_shared(parser)


def _add_demo(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run="tui.commands.demo:run_demo", log_format=None, metrics=None, at=None)
    parser.add_argument(
        "scenario",
        metavar="SCENARIO",
        nargs="?",
        default="default",
        help="healthy, plateau, collapse, cliff; all three by default",
    )
    parser.add_argument("--seed", type=int, default=0, help="another run of the same kind")
    parser.add_argument("--config", metavar="FILE", help="the configuration file")
    _add_display(parser)
    _add_screen(parser)


def _add_screen(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-flash", action="store_true", help="alerts stand still from the start")


def _add_timeout(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=_seconds,
        default=TIMEOUT_S,
        help="how long nothing may come of a target (10)",
    )


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of entries; give one such as 100, or 0")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no time; give seconds, such as 10")
    return seconds


def _days(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 100_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of days; give one such as 7")
    return int(text)


def _lazy(function: str) -> Callable[[str], object]:
    """An argument type from the options' module, which is not loaded before it is needed."""

    def read(text: str) -> object:
        return getattr(import_module("tui.commands.options"), function)(text)

    return read


COMMANDS: dict[str, tuple[Callable[[argparse.ArgumentParser], None], str]] = {
    "watch": (_add_watch, "watch runs live (the default: milepost TARGET)"),
    "status": (_add_status, "a health glance, with an exit code"),
    "table": (_add_table, "the milestone table"),
    "find": (_add_find, "the containers and logs on machines, as addresses to open"),
    "fields": (_add_fields, "every field of a log, and what it is taken for"),
    "explain": (_add_explain, "what each detector sees, and if it is not armed, why"),
    "report": (_add_report, "one page on a run, to be pasted into a chat or an issue"),
    "export": (_add_export, "the screen, a curve, a report or the data, as a file"),
    "config": (_add_config, "the configuration in full, or what is wrong with it"),
    "notify": (_add_notify, "who is told of alerts when nobody looks: try it out"),
    "replay": (_add_replay, "a recorded log as if it were live"),
    "demo": (_add_demo, "a simulated run, over a real connection, with no other machine"),
}
"""What declares the arguments of each command, and what it is for."""
