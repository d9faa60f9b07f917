"""How a run stands to its references and goals, and where it is heading: as JSON, in words, and as a table."""

from __future__ import annotations

from collections.abc import Sequence

from tui.comparison import Outlook
from tui.decode.text import clean
from tui.feed import Feed
from tui.report.document import Grid
from tui.report.plain import Json, step_to_json, to_json
from tui.roles import direction
from tui.store.reference import Gap
from widgets.numbers import format_change, format_step, format_value

_REACHED = {True: "and will be reached", False: "and will be missed", None: "and is within reach"}


def references_to_json(feed: Feed, names: Sequence[str]) -> list[Json]:
    """Each reference with how the metrics stand to it now."""
    gaps = feed.comparison.gaps(feed.run, names)
    return [
        {
            "name": reference.name,
            "source": reference.source,
            "metrics": {gap.metric: _gap_to_json(gap) for other, gap in gaps if other is reference},
        }
        for reference in feed.comparison.references
    ]


def outlooks_to_json(feed: Feed, names: Sequence[str]) -> Json:
    """What metrics will be if they go on as they did; only those whose course has held."""
    return {
        outlook.metric: {
            "step": step_to_json(outlook.projection.step),
            "value": to_json(outlook.projection.value),
            "low": to_json(outlook.projection.low),
            "high": to_json(outlook.projection.high),
            "goal": to_json(outlook.goal),
            "reached": outlook.is_reached,
        }
        for outlook in find_outlooks(feed, names)
    }


def find_outlooks(feed: Feed, names: Sequence[str]) -> list[Outlook]:
    """Where the metrics are heading, at the steps of their goals or at the run's end."""
    return feed.comparison.outlooks(feed.run, names, feed.progress().goal_step, feed.alerts)


def describe_comparison(feed: Feed, names: Sequence[str]) -> list[str]:
    """One line for each metric that can be compared, and for each that can be foretold."""
    lines = []
    for reference, gap in feed.comparison.gaps(feed.run, names):
        lines.append(f"vs {clean(reference.name)}: {describe_gap(gap, direction(feed.run.role(gap.metric)))}")
    return lines + [describe_outlook(outlook) for outlook in find_outlooks(feed, names)]


def describe_gap(gap: Gap, sign: int) -> str:
    """How one metric stands, in a sentence.

    >>> describe_gap(Gap("accuracy", 21784, 0.248, 0.27, -0.022, 18684, 3100), 1)
    'accuracy 0.248, worse by 0.0220 than its 0.270; it was there at step 18,684: 3,100 steps behind'
    """
    told = [f"{clean(gap.metric)} {format_value(gap.value)}"]
    if gap.difference is not None:
        word = "worse" if sign * gap.difference < 0 else "better"
        size = format_value(abs(gap.difference))
        told.append(f", {word} by {size} than its {format_value(gap.reference)}")
    else:
        told.append(f" (it says nothing of step {format_step(gap.step)})")
    if gap.same_at is None or gap.behind is None:
        told.append("; it never was as good")
    else:
        ahead = "behind" if gap.behind >= 0 else "ahead"
        told.append(
            f"; it was there at step {format_step(gap.same_at)}: {format_step(abs(gap.behind))} steps {ahead}"
        )
    return "".join(told)


def describe_outlook(outlook: Outlook) -> str:
    """A projection, said to be one.

    >>> from tui.store.projection import Projection
    >>> describe_outlook(Outlook("accuracy", Projection(45000, 0.274, 0.268, 0.281), 0.3, False))
    'projection: accuracy 0.274 [0.268, 0.281] at step 45,000 if it goes on so; the goal is 0.300, and will be missed'
    """
    projection = outlook.projection
    text = (
        f"projection: {clean(outlook.metric)} {format_value(projection.value)}"
        f" [{format_value(projection.low)}, {format_value(projection.high)}]"
        f" at step {format_step(projection.step)} if it goes on so"
    )
    if outlook.goal is None:
        return text
    return f"{text}; the goal is {format_value(outlook.goal)}, {_REACHED[outlook.is_reached]}"


def comparison_grid(feed: Feed, names: Sequence[str]) -> Grid | None:
    """The gaps as a table; None without any."""
    gaps = feed.comparison.gaps(feed.run, names)
    if not gaps:
        return None
    header = ("reference", "metric", "here", "there", "difference", "there at step", "steps behind")
    return Grid(
        header,
        tuple(
            (
                f"{clean(reference.name)} ({clean(reference.source)})"
                if reference.source
                else clean(reference.name),
                clean(gap.metric),
                format_value(gap.value),
                format_value(gap.reference),
                format_change(gap.difference),
                "never" if gap.same_at is None else format_step(gap.same_at),
                "" if gap.behind is None else format_step(gap.behind),
            )
            for reference, gap in gaps
        ),
        is_left=frozenset({1}),
    )


def _gap_to_json(gap: Gap) -> Json:
    return {
        "step": step_to_json(gap.step),
        "value": to_json(gap.value),
        "reference": to_json(gap.reference),
        "difference": to_json(gap.difference),
        "same_at": step_to_json(gap.same_at),
        "behind": step_to_json(gap.behind),
    }
