"""The screen of one run, driven by keys and sizes."""

import json

import pytest

from tests.onscreen import reads, screen_text
from tests.recorded import Recorded, in_chunks, make_feed, scenario_log
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.events import LinkChanged, LinkState, Observed, Received, SourceEvent
from tui.feed import Feed, FeedOptions
from tui.screens.run import RunScreen
from tui.target import parse_target
from widgets.alert_banner import FLASHES, AlertBanner
from widgets.curve_plot import CurvePlot
from widgets.log_tail import LogTail
from widgets.milestone_table import MilestoneTable

LOG = scenario_log("healthy", 2000)
NAN_LINE = b'{"step": 99999, "loss": NaN, "accuracy": 0.2, "grad_norm": 0.3}\n'
WIDTHS = [(30, 12), (40, 20), (44, 24), (60, 40), (80, 24), (120, 40), (200, 60)]


def app_of(events: list[SourceEvent], *, is_calm: bool = False) -> tuple[MilepostApp, Recorded]:
    source = Recorded(events)
    feed = Feed(parse_target("gpu-box:/runs/train.jsonl"), source, FeedOptions(name="drafter"))
    return MilepostApp([feed], is_calm=is_calm), source


@pytest.mark.parametrize("size", WIDTHS)
async def test_every_size_tells_health_place_and_progress(size: tuple[int, int]) -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=size) as pilot:
        text = await reads(pilot, "healthy", "drafter", "3,302", "loss", "accuracy", "grad")
        assert all(len(row) <= size[0] for row in text.split("\n"))


@pytest.mark.parametrize("size", WIDTHS)
async def test_every_size_shows_what_is_wrong(size: tuple[int, int]) -> None:
    app, _ = app_of([*in_chunks(LOG), Received(NAN_LINE, len(LOG))])
    async with app.run_test(size=size) as pilot:
        await reads(pilot, "critical", "✖ CRITICAL", "nonfinite", "NaN")


async def test_wide_shows_curves_table_and_log() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(120, 40)) as pilot:
        text = await reads(pilot, "EMA 100", "milestones", "last 50", "per 1,000", "avg_streak", '{"step"')
        assert any(0x2800 < ord(char) < 0x2900 for char in text)


async def test_a_resize_in_mid_stream_changes_the_layout() -> None:
    app, source = app_of(in_chunks(LOG))
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "EMA 100", "3,302")
        await pilot.resize_terminal(40, 20)
        source.live.put_nowait(Received(b'{"step": 3400, "loss": 0.5}\n', 0))
        text = await reads(pilot, "3,400")
        assert "EMA" not in text
        await pilot.resize_terminal(80, 24)
        await reads(pilot, "EMA 100", "milestones")


async def test_s_cycles_the_smoothing() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "EMA 100")
        await pilot.press("s")
        await reads(pilot, "EMA 500")
        await pilot.press("s")
        await eventually(lambda: "EMA" not in screen_text(app))
        await pilot.press("s", "s")
        await reads(pilot, "EMA 100")


async def test_capital_l_puts_the_log_in_the_place_of_the_table_and_back() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "milestones")
        await pilot.press("L")
        await eventually(lambda: "milestones" not in screen_text(app))
        await reads(pilot, '{"step"')
        await pilot.press("L")
        await reads(pilot, "milestones")


async def test_m_shows_the_changes() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "milestones")
        await pilot.press("m")
        await reads(pilot, "per 1,000 steps")


async def test_question_mark_lists_keys_and_signs_and_escape_closes_it() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(120, 120)) as pilot:
        await reads(pilot, "milestones")
        await pilot.press("question_mark")
        text = await reads(
            pilot, "keys", "signs", "smooth over 20", "connect again at once", "NaN or infinity"
        )
        assert "no such field" in text
        await pilot.press("escape")
        await eventually(lambda: isinstance(app.screen, RunScreen))


async def test_a_lists_the_alerts_with_their_evidence() -> None:
    app, _ = app_of([*in_chunks(LOG), Received(NAN_LINE, len(LOG))])
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "CRITICAL")
        await pilot.press("a")
        await reads(pilot, "1 firing, 0 cleared", "nonfinite of loss", "raised at 99,999")
        await pilot.press("a")
        await eventually(lambda: isinstance(app.screen, RunScreen))


async def test_a_without_alerts_says_so() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "milestones")
        await pilot.press("a")
        await reads(pilot, "no alert so far")


async def test_capital_r_asks_for_a_retry() -> None:
    app, source = app_of([LinkChanged(LinkState.RETRYING, "the host is down", 60.0)])
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "no connection to gpu-box", "the host is down")
        await pilot.press("R")
        await eventually(lambda: source.retries == 1)


async def test_arrows_scroll_the_table() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "5,000", "due")
        await pilot.press("right")
        await reads(pilot, "← 1")
        await pilot.press("left", "up", "up")
        await eventually(lambda: "due" not in screen_text(app))


async def test_tab_focuses_the_panels_that_scroll() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "milestones")
        app.screen.query_one(MilestoneTable).focus()
        await pilot.press("tab")
        assert isinstance(app.focused, LogTail)
        await pilot.press("up")
        await reads(pilot, "paused")


async def test_a_key_can_be_clicked() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(80, 24)) as pilot:
        text = await reads(pilot, "milestones", "? help")
        await pilot.click("#keys", offset=(text.split("\n")[-1].index("? help"), 0))
        await reads(pilot, "signs")


async def test_connecting_is_told_before_anything_is_there() -> None:
    app, _ = app_of([LinkChanged(LinkState.CONNECTING)])
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "unknown", "connecting to gpu-box", "/runs/train.jsonl")


async def test_an_empty_file_is_told() -> None:
    app, _ = app_of([LinkChanged(LinkState.LIVE), Observed(10.0, 9.0, 0)])
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "connected; no entry yet", "has 0 bytes")


async def test_a_refusal_is_a_whole_sentence() -> None:
    sentence = "gpu-box refused the login of root: add a key with ssh-copy-id root@gpu-box"
    app, _ = app_of([LinkChanged(LinkState.REFUSED, sentence)])
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "refused by gpu-box")
        assert sentence in " ".join(screen_text(app).split())


async def test_a_lost_link_is_told_over_the_curves() -> None:
    app, source = app_of(in_chunks(LOG))
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "live", "EMA")
        source.live.put_nowait(LinkChanged(LinkState.RETRYING, "the network is down", 30.0))
        await reads(pilot, "retrying", "the network is down", "EMA")


async def test_an_entry_that_comes_in_is_drawn() -> None:
    app, source = app_of(in_chunks(LOG))
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "3,302")
        source.live.put_nowait(Received(b'{"step": 3400, "loss": 0.4567, "accuracy": 0.2}\n', 0))
        await reads(pilot, "3,400", "loss 0.457")


async def test_nothing_is_drawn_while_nothing_comes() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "3,302", "EMA")
        screen = app.screen
        assert isinstance(screen, RunScreen)
        await eventually(lambda: screen.feed.is_caught_up)
        screen.tick()
        before = screen.query_one("#curve0", CurvePlot).data
        for _ in range(5):
            screen.tick()
        assert screen.query_one("#curve0", CurvePlot).data is before


async def test_a_raised_alert_flashes_three_times_and_then_stays() -> None:
    app, source = app_of(in_chunks(LOG))
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "3,302")
        source.live.put_nowait(Received(NAN_LINE, len(LOG)))
        await reads(pilot, "CRITICAL")
        banner = app.screen.query_one(AlertBanner)
        await eventually(lambda: banner.flashes == FLASHES and not banner.is_flashing)
        assert "CRITICAL" in screen_text(app)


async def test_a_calm_banner_does_not_flash() -> None:
    app, source = app_of(in_chunks(LOG), is_calm=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "3,302")
        source.live.put_nowait(Received(NAN_LINE, len(LOG)))
        await reads(pilot, "CRITICAL")
        assert app.screen.query_one(AlertBanner).flashes == 0


async def test_foreign_text_is_neither_markup_nor_escape() -> None:
    line = json.dumps({"step": 1, "[red]loss[/]": 1.0, "a\u001b[2Jb": 2.0, "note": "\u001b]0;x\u0007[b]"})
    app, _ = app_of(in_chunks(line + "\n"))
    async with app.run_test(size=(120, 40)) as pilot:
        text = await reads(pilot, "[red]loss[/]")
        assert not any(ord(char) < 32 for char in text if char != "\n")


@pytest.mark.parametrize("size", [(30, 12), (80, 24), (120, 40)])
@pytest.mark.parametrize(
    "lines",
    [
        ['{"step": 1, "loss": 2.0}'],
        ['{"step": 1, "loss": 2.0}', '{"step": 2, "loss": 1.0}'],
        [f'{{"step": {n}, "loss": NaN, "accuracy": Infinity}}' for n in range(30)],
        [json.dumps({"step": n, **{f"metric_{m}": n * m for m in range(300)}}) for n in range(5)],
        ['{"step": 1, "精度": 0.5, "потеря": 1.5}'],
        ["not json", "{"],
    ],
    ids=["one entry", "two entries", "only NaN", "many metrics", "wide names", "nothing but malformed lines"],
)
async def test_odd_logs_are_shown(lines: list[str], size: tuple[int, int]) -> None:
    app, _ = app_of(in_chunks("\n".join(lines) + "\n"))
    async with app.run_test(size=size) as pilot:
        await reads(pilot, "drafter", "live" if size[0] >= 60 else "●")
        assert isinstance(app.screen, RunScreen)
        await eventually(lambda: app.screen.feed.is_caught_up)  # type: ignore[attr-defined]
        app.screen.tick()
        await pilot.pause()
        assert "drafter" in screen_text(app)


async def test_the_smallest_of_screens_does_not_break_it() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(20, 8)) as pilot:
        await reads(pilot, "healthy", "3,302")
        for size in ((1, 1), (5, 2), (300, 100), (30, 12)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        await reads(pilot, "healthy", "loss")


def test_make_feed_reads_nothing_by_itself() -> None:
    assert make_feed(in_chunks(LOG)).run.entries == 0
