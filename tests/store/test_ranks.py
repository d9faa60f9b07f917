from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.decode.batch import Batch, Collector, join_batches
from tui.roles import find_axis
from tui.store.ranks import MOST_WAITING, Ranks, Release, find_gaps, name_ranks
from tui.store.run import Run

Entry = Mapping[str, float]


def batch_of(entries: Sequence[Entry]) -> Batch:
    collector = Collector()
    for entry in entries:
        collector.add_entry(entry)
    return collector.batch()


def entries_of(batch: Batch) -> list[dict[str, float]]:
    found: list[tuple[int, dict[str, float]]] = []
    for rows in batch.rows:
        for at, values in zip(rows.at.tolist(), rows.values.tolist(), strict=True):
            found.append((at, dict(zip(rows.fields, values, strict=True))))
    return [entry for _, entry in sorted(found, key=lambda each: each[0])]


def together(releases: Sequence[Release]) -> list[dict[str, float]]:
    return entries_of(join_batches([release.batch for release in releases]))


def merged(logs: Mapping[str, Sequence[Entry]]) -> list[dict[str, float]]:
    """What comes of logs that are read one after the other, and are complete."""
    ranks = Ranks(find_axis)
    read = [ranks.add(file, batch_of(log)) for file, log in logs.items()]
    return together([*read, ranks.settle(), ranks.flush()])


def train(steps: Sequence[int], shift: float = 0.0) -> list[Entry]:
    return [{"step": step, "loss": 4 - step / 100 + shift, "lr": 1e-3} for step in steps]


def test_each_metric_is_the_median_over_the_ranks() -> None:
    logs = {f"r{rank}": train(range(1, 6), shift) for rank, shift in enumerate((0.0, 0.5, 3.0))}
    assert merged(logs) == train(range(1, 6), 0.5)


def test_nothing_is_handed_on_before_every_rank_is_past_it() -> None:
    ranks = Ranks(find_axis)
    ranks.expect(("r0", "r1"))
    ranks.settle()
    assert not ranks.add("r0", batch_of(train([1, 2, 3]))).batch.entries
    released = ranks.add("r1", batch_of(train([1, 2])))
    assert [entry["step"] for entry in entries_of(released.batch)] == [1]
    assert [entry["step"] for entry in entries_of(ranks.flush().batch)] == [2, 3]


def test_rows_that_one_rank_alone_logs_are_kept() -> None:
    first = [*train([1, 2]), {"step": 2, "eval_loss": 3.0}, *train([3])]
    assert merged({"r0": first, "r1": train([1, 2, 3])}) == [
        *train([1, 2]),
        {"step": 2, "eval_loss": 3.0},
        *train([3]),
    ]


def test_a_field_that_one_rank_alone_logs_stands_in_the_common_entry() -> None:
    first = [{**entry, "grad_norm": 0.5} for entry in train([1, 2])]
    assert merged({"r0": first, "r1": train([1, 2])}) == first


def test_a_restart_of_all_ranks_is_one_though_they_crashed_at_different_steps() -> None:
    logs = {
        "r0": [*train(range(1, 104)), *train(range(81, 201))],
        "r1": [*train(range(1, 102)), *train(range(81, 201))],
    }
    found = merged(logs)
    assert [entry["step"] for entry in found] == [*range(1, 104), *range(81, 201)]
    run = Run()
    run.add(batch_of(found))
    assert [segment.started_by for segment in run.segments] == ["start", "restart"]


def test_a_value_that_is_not_finite_on_one_rank_is_the_runs() -> None:
    logs = {f"r{rank}": train([1, 2]) for rank in range(8)}
    logs["r3"] = [{"step": 1, "loss": np.nan, "lr": 1e-3}, {"step": 2, "loss": np.inf, "lr": 1e-3}]
    losses = [entry["loss"] for entry in merged(logs)]
    assert np.isnan(losses[0])
    assert losses[1] == np.inf


def test_a_header_on_one_rank_does_not_part_it_from_the_others() -> None:
    logs = {"r0": [{"params": 124e6}, *train(range(50))], "r1": train(range(50))}
    assert [entry.get("step") for entry in merged(logs)] == [None, *range(50)]


def test_logs_without_steps_are_joined_entry_by_entry() -> None:
    logs = {"r0": [{"loss": 1.0}, {"loss": 2.0}], "r1": [{"loss": 3.0}, {"loss": 6.0}]}
    assert merged(logs) == [{"loss": 2.0}, {"loss": 4.0}]


def test_a_rank_that_ended_is_left_out_and_the_run_goes_on() -> None:
    ranks = Ranks(find_axis)
    ranks.add("rank0", batch_of(train(range(1, 1001))))
    ranks.add("rank1", batch_of(train(range(1, 1001), 1.0)))
    ranks.add("rank2", batch_of(train(range(1, 501), 2.0)))
    released = entries_of(ranks.settle().batch)
    assert released[-1] == {"step": 999, "loss": 4 - 9.99 + 0.5, "lr": 1e-3}
    state = ranks.states()[2]
    assert (state.name, state.last_step, state.is_left_out) == ("2", 500, True)


def test_a_rank_a_little_behind_is_waited_for() -> None:
    ranks = Ranks(find_axis)
    ranks.add("rank0", batch_of(train(range(1, 301))))
    ranks.add("rank1", batch_of(train(range(1, 301 - MOST_WAITING))))
    assert entries_of(ranks.settle().batch)[-1]["step"] == 99
    assert [state.waiting for state in ranks.states()] == [0, MOST_WAITING]
    assert not any(state.is_left_out for state in ranks.states())


def test_what_comes_too_late_is_counted_and_kept_out_and_the_rank_is_back() -> None:
    ranks = Ranks(find_axis)
    ranks.add("rank0", batch_of(train(range(1, 501))))
    ranks.add("rank1", batch_of(train(range(1, 101))))
    ranks.settle()
    late = ranks.add("rank1", batch_of(train(range(101, 511), 1.0)))
    assert late.batch.entries == 0
    assert [(state.missed, state.is_left_out) for state in ranks.states()] == [(0, False), (399, False)]
    released = entries_of(ranks.add("rank0", batch_of(train(range(501, 512)))).batch)
    assert [entry["step"] for entry in released] == list(range(500, 510))
    assert released[0]["loss"] == 4 - 5.0 + 0.5


def test_a_rank_without_a_log_holds_nothing_up_for_good() -> None:
    ranks = Ranks(find_axis)
    ranks.expect(("rank0", "rank1"))
    ranks.add("rank0", batch_of(train(range(1, 501))))
    assert ranks.settle().batch.entries == 499
    assert [state.is_left_out for state in ranks.states()] == [False, True]


def test_the_band_is_from_the_least_to_the_greatest_and_a_restart_takes_back_its_part() -> None:
    ranks = Ranks(find_axis)
    for rank, shift in enumerate((0.0, 0.5, 3.0)):
        ranks.add(f"r{rank}", batch_of([*train(range(1, 11), shift), *train(range(5, 13), shift)]))
    ranks.settle()
    ranks.flush()
    band = ranks.band("loss")
    assert band is not None
    assert band.steps.tolist() == list(range(1, 13))
    assert np.allclose(band.high - band.low, 3.0)
    assert ranks.band("lr") is None


def test_ranks_are_called_by_the_number_in_which_their_files_differ() -> None:
    files = [f"/runs/7b/log_rank_{rank}.txt" for rank in range(8, 12)]
    assert list(name_ranks(files).values()) == ["8", "9", "10", "11"]
    assert list(name_ranks(["/a/one.log", "/a/two.log"]).values()) == ["one.log", "two.log"]
    assert find_gaps(["0", "1", "4"]) == ("2", "3")
    assert find_gaps(["8", "9"]) == ()
    assert find_gaps(["one.log"]) == ()


def test_ranks_stand_in_the_order_of_their_numbers() -> None:
    ranks = Ranks(find_axis)
    ranks.expect(("rank10", "rank9"))
    assert ranks.files == ("rank9", "rank10")


# However they interleave


@st.composite
def a_log(draw: st.DrawFn) -> list[Entry]:
    """One rank's log: attempts, with rows of evaluations, values missing, steps repeated."""
    found: list[Entry] = []
    for start in draw(st.lists(st.integers(0, 12), min_size=1, max_size=3)):
        for step in range(start, start + draw(st.integers(1, 12))):
            entry: dict[str, float] = {"step": step, "loss": draw(st.integers(0, 9))}
            if draw(st.booleans()):
                entry["grad_norm"] = draw(st.sampled_from([0.5, 1.0, np.inf]))
            found.append(entry)
            extra = draw(st.integers(0, 9))
            if extra == 0:
                found.append({"step": step, "eval_loss": 1.0})
            elif extra == 1:
                found.append({"note": 2.0})
    return found


@settings(max_examples=40, deadline=None)
@given(st.lists(a_log(), min_size=1, max_size=4), st.data())
def test_no_interleaving_of_the_ranks_changes_what_comes_of_them(
    logs: list[list[Entry]], data: st.DataObject
) -> None:
    named = {f"rank{number}": log for number, log in enumerate(logs)}
    ranks = Ranks(find_axis)
    ranks.expect(named)
    releases = [ranks.settle()]
    left = {file: list(log) for file, log in named.items()}
    while left:
        file = data.draw(st.sampled_from(sorted(left)))
        count = data.draw(st.integers(1, 9))
        releases.append(ranks.add(file, batch_of(left[file][:count])))
        del left[file][:count]
        if not left[file]:
            del left[file]
    releases.append(ranks.flush())
    assert repr(together(releases)) == repr(merged(named))
    assert not any(state.missed for state in ranks.states())
