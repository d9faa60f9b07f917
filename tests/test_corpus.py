from pathlib import Path

from tests.corpus import EXPLAINED, judge, load_truth, read

RIGHT_SHARE = 0.95
"""How much of the corpus must be read as a person would read it; the rest must be explained."""


def test_the_corpus_of_real_logs_is_read_right_or_the_difference_explained(corpus: Path) -> None:
    truth = load_truth(corpus)
    wrong = {known["file"]: judge(read(corpus / known["file"], known), known) for known in truth}
    wrong = {file: what for file, what in wrong.items() if what}
    assert {file: what for file, what in wrong.items() if file not in EXPLAINED} == {}
    assert len(wrong) <= (1 - RIGHT_SHARE) * len(truth)
    assert EXPLAINED.keys() <= wrong.keys()


def test_real_logs_say_the_same_however_they_are_cut(corpus: Path) -> None:
    for known in load_truth(corpus):
        path = corpus / known["file"]
        if path.stat().st_size < 100_000:
            whole, cut = read(path, known, 1 << 22), read(path, known, 997)
            assert (whole.run.entries, whole.run.noise, whole.run.malformed) == (
                cut.run.entries,
                cut.run.noise,
                cut.run.malformed,
            )
            assert repr(whole.points) == repr(cut.points)
