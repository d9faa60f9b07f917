import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.decode.keyvalues import find_keys, find_pairs, scan


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("iter 10: loss 8.5, time 3ms", {"iter": 10, "loss": 8.5, "time": 3}),
        ("a:1|b: 2 | c=3;d: 4\te=5", {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}),
        (
            "step:10 - actor/entropy:0.5 - val/x/mean@1:0.25",
            {"step": 10, "actor/entropy": 0.5, "val/x/mean@1": 0.25},
        ),
        (
            "Ep. 1 : Up. 1000 : Cost 2.5 : 16745.9 words/s",
            {"Ep": 1, "Up": 1000, "Cost": 2.5, "words/s": 16745.9},
        ),
        (
            "epoch=8/micro_step=30/global_step=3710, x=1.5",
            {"epoch": 8, "micro_step": 30, "global_step": 3710, "x": 1.5},
        ),
        (
            "elapsed time per iteration (ms): 12.5 | grad norm: 7.5",
            {"elapsed time per iteration (ms)": 12.5, "grad norm": 7.5},
        ),
        ("time (data): 0.5 mAP50(B)=0.25", {"time (data)": 0.5, "mAP50(B)": 0.25}),
        ("Ep 1 (Step 000005): Train loss 9.5", {"Ep": 1, "Step": 5, "Train loss": 9.5}),
        ("Epoch[145] Batch [20]\tTrain-SmoothL1=40.5", {"Epoch": 145, "Batch": 20, "Train-SmoothL1": 40.5}),
        ("lr:(1.5e-04,)] l_pix: 5.0e-03", {"lr": 1.5e-4, "l_pix": 5e-3}),
        ("lr=[1e-05, 2e-05], mom=[(0.9, 0.95)]", {"lr": 1e-5, "mom": 0.9}),
        ("x: np.float64(2.5) y:tensor(1.5, device='cuda:0')", {"x": 2.5, "y": 1.5}),
        ("coco/AP: 0.5  coco/AP .5: 0.75", {"coco/AP": 0.5, "coco/AP .5": 0.75}),
        ("number of nan iterations: 0 | loss: 2.5", {"number of nan iterations": 0, "loss": 2.5}),
        ("Step at 8 with Perplexity: 61.5", {"Step at": 8, "Perplexity": 61.5}),
        ("eta: 1 day, 4:01:21  loss: 0.5", {"eta": 100_881, "loss": 0.5}),
        ("loss: 0.5 (0.75) acc@1 (top): 3", {"loss": 0.5, "acc@1 (top)": 3}),
    ],
)
def test_names_and_numbers_are_found_in_any_separator(line: str, pairs: dict[str, float]) -> None:
    assert {name: value for name, value in find_pairs(line) if name} == pairs


@pytest.mark.parametrize(
    "line", ["", "no numbers", "v1.2.3", "a1b2", "sha 8e1a2fd", "192.168.0.1", "cuda:0x1f"]
)
def test_digits_within_words_are_no_numbers(line: str) -> None:
    assert find_pairs(line) == []


def test_lines_of_one_program_have_one_skeleton() -> None:
    one, other = (
        scan(f"step {step}/100 | loss: {loss} | dt: {loss}ms").skeleton
        for step, loss in ((1, "2.5"), (99, "-1e-5"))
    )
    assert one == other
    assert [key.text for key in find_keys(one)] == ["step", "loss", "dt"]


@given(st.text(max_size=120))
def test_any_text_has_as_many_keys_as_numbers(text: str) -> None:
    skeleton, numbers = scan(text)
    assert len(find_keys(skeleton)) == len(numbers)
    assert len(skeleton) == 2 * len(numbers) + 1
