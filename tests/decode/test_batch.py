from hypothesis import given
from hypothesis import strategies as st

from tests.decode.test_decoder import entries_of
from tui.decode.batch import Batch, Collector, join_batches

Entries = list[dict[str, float]]
ENTRIES = st.lists(
    st.dictionaries(st.sampled_from("abc"), st.floats(allow_nan=False), min_size=1), max_size=8
)


def collect(entries: Entries) -> Batch:
    out = Collector(malformed=1, remarks=2, noise=3)
    for entry in entries:
        out.add_entry(entry)
    return out.batch()


@given(ENTRIES)
def test_what_is_collected_comes_out_in_order(entries: Entries) -> None:
    assert entries_of(collect(entries)) == entries


@given(st.lists(ENTRIES, max_size=4))
def test_joined_batches_say_what_they_said_apart(parts: list[Entries]) -> None:
    joined = join_batches([collect(entries) for entries in parts])
    assert entries_of(joined) == [entry for entries in parts for entry in entries]
    assert (joined.malformed, joined.remarks, joined.noise) == (len(parts), 2 * len(parts), 3 * len(parts))
