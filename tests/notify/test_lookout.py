"""What is worth a word to somebody who does not look, and what is not."""

from tests.notify.feeds import HEALTHY, Run
from tui.config import NotifyConfig
from tui.events import CaughtUp, LinkState
from tui.notify.lookout import TOLD_AT_ONCE, Lookout
from tui.notify.notification import Notification

NAN = float("nan")


def watch(run: Run, settings: NotifyConfig | None = None) -> Lookout:
    """A lookout that has seen the run as it is."""
    lookout = Lookout(settings or NotifyConfig())
    assert lookout.look([run.feed], 0.0) == []
    return lookout


def kinds(told: list[Notification]) -> list[str]:
    return [each.kind for each in told]


def test_an_alert_is_told_once_with_run_severity_kind_and_step() -> None:
    run = Run()
    lookout = watch(run)
    run.logs(NAN)
    (told,) = lookout.look([run.feed], 1.0)
    assert (told.kind, told.severity, told.run, told.step) == (
        "nonfinite",
        "critical",
        "run",
        str(int(run.step)),
    )
    assert told.title == "run: critical nonfinite"
    assert told.message == run.feed.alerts[-1].message
    assert lookout.look([run.feed], 2.0) == []
    assert lookout.look([run.feed], 5000.0) == []


def test_what_the_log_held_when_it_was_opened_is_no_news() -> None:
    run = Run(log=HEALTHY + '{"step": 5000, "loss": NaN}\n')
    assert [alert.kind for alert in run.feed.alerts if alert.is_firing] == ["nonfinite"]
    lookout = watch(run)
    assert lookout.look([run.feed], 1.0) == []


def test_what_came_between_the_opening_and_the_first_look_is_news() -> None:
    run = Run()
    run.logs(NAN)
    assert kinds(Lookout(NotifyConfig()).look([run.feed], 0.0)) == ["nonfinite"]


def test_what_comes_in_after_a_lost_link_is_news() -> None:
    run = Run()
    lookout = watch(run)
    run.link(LinkState.RETRYING)
    run.link(LinkState.LIVE)
    run.logs(NAN)
    assert kinds(lookout.look([run.feed], 1.0)) == ["nonfinite"]
    run.feed.consume(CaughtUp())
    assert lookout.look([run.feed], 2.0) == []


def test_an_alert_that_flaps_is_told_again_only_after_a_while() -> None:
    run = Run()
    lookout = watch(run, NotifyConfig(repeat_s=600))
    run.logs(NAN)
    assert kinds(lookout.look([run.feed], 1.0)) == ["nonfinite"]
    for second in range(2, 12):
        run.logs(1.2, 60)
        run.logs(NAN)
        assert lookout.look([run.feed], second) == []
    assert sum(alert.kind == "nonfinite" for alert in run.feed.alerts) > 1
    assert kinds(lookout.look([run.feed], 700.0)) == ["nonfinite"]
    assert lookout.look([run.feed], 701.0) == []


def test_an_alert_that_was_over_before_anybody_was_told_is_told_as_over() -> None:
    run = Run()
    lookout = watch(run)
    run.logs(NAN)
    run.logs(1.2, 200)
    assert not any(alert.is_firing for alert in run.feed.alerts if alert.kind == "nonfinite")
    told = [each for each in lookout.look([run.feed], 1.0) if each.kind == "nonfinite"]
    assert [each.title for each in told] == ["run: critical nonfinite, over already"]


def test_an_end_is_told_once_and_one_that_was_there_before_is_not() -> None:
    run = Run()
    lookout = watch(run)
    run.writes("Training finished.")
    (told,) = lookout.look([run.feed], 1.0)
    assert (told.kind, told.severity, told.title) == ("end", "info", "run: finished")
    assert f"at step {run.step:,.0f}" in told.message
    assert told.message.endswith("its health is healthy")
    assert lookout.look([run.feed], 2.0) == []
    assert watch(run).look([run.feed], 1.0) == []


def test_a_link_is_told_when_it_stays_lost_and_not_when_it_comes_back() -> None:
    run = Run()
    lookout = watch(run, NotifyConfig(link_s=60, repeat_s=600))
    run.link(LinkState.RETRYING, "gpu-box does not answer")
    assert lookout.look([run.feed], 10.0) == []
    run.link(LinkState.LIVE)
    assert lookout.look([run.feed], 65.0) == []
    run.link(LinkState.STALE)
    assert lookout.look([run.feed], 70.0) == []
    run.link(LinkState.RETRYING, "gpu-box does not answer")
    assert lookout.look([run.feed], 129.0) == []
    (told,) = lookout.look([run.feed], 130.0)
    assert (told.kind, told.severity) == ("link", "warning")
    assert told.message == "nothing is known of it for 1 min: gpu-box does not answer"
    assert lookout.look([run.feed], 5000.0) == []


def test_a_second_loss_of_the_link_waits_for_its_turn() -> None:
    run = Run()
    lookout = watch(run, NotifyConfig(link_s=60, repeat_s=600))
    run.link(LinkState.REFUSED, "no")
    lookout.look([run.feed], 0.0)
    assert kinds(lookout.look([run.feed], 60.0)) == ["link"]
    run.link(LinkState.LIVE)
    lookout.look([run.feed], 61.0)
    run.link(LinkState.REFUSED, "no")
    assert [kinds(lookout.look([run.feed], at)) for at in (62.0, 200.0, 659.0, 660.0, 2000.0)] == [
        [],
        [],
        [],
        ["link"],
        [],
    ]


def test_runs_on_one_host_lose_their_link_together_and_are_told_as_one() -> None:
    runs = [Run(f"run{number}", f"gpu-box:/runs/{number}.jsonl") for number in range(4)]
    feeds = [run.feed for run in runs]
    lookout = Lookout(NotifyConfig(link_s=60))
    lookout.look(feeds, 0.0)
    for run in runs:
        run.link(LinkState.RETRYING, "no route")
    lookout.look(feeds, 1.0)
    (told,) = lookout.look(feeds, 61.0)
    assert (told.run, "nor of 3 other runs there" in told.message) == ("run0", True)


def test_more_alerts_at_once_than_anybody_reads_are_counted() -> None:
    run = Run()
    lookout = watch(run)
    for step in range(5000, 5003):
        metrics = ", ".join(f'"m{number}_loss": NaN' for number in range(3))
        run.writes(f'{{"step": {step}, "loss": NaN, "accuracy": NaN, "grad_norm": NaN, {metrics}}}')
    raised = sum(alert.severity.rank > 0 for alert in run.feed.alerts)
    told = lookout.look([run.feed], 1.0)
    assert len(told) == min(raised, TOLD_AT_ONCE)
    assert (raised <= TOLD_AT_ONCE) or told[-1].message.endswith(f"; and {raised - TOLD_AT_ONCE} more")


def test_what_a_log_says_comes_without_control_characters() -> None:
    run = Run(name="a\x1b]0;evil\x07b")
    lookout = watch(run)
    run.writes(
        '{"step": 9000, "loss\\u001b]9;x\\u0007": NaN, "loss": NaN, "accuracy": 0.1, "grad_norm": 0.2}'
    )
    told = lookout.look([run.feed], 1.0)
    assert told
    for each in told:
        assert all(text.isprintable() for text in (each.run, each.target, each.title, each.message))
