from tui.memo import Memo


def test_the_work_is_done_once_for_one_basis() -> None:
    done: list[str] = []
    memo: Memo[int] = Memo()

    def work() -> int:
        done.append("again")
        return len(done)

    assert [memo.get(basis, work) for basis in ("a", "a", "b", "b", "a")] == [1, 1, 2, 2, 3]


def test_none_is_a_result_and_a_basis_too() -> None:
    done: list[None] = []
    memo: Memo[None] = Memo()
    for _ in range(2):
        memo.get(None, lambda: done.append(None))
    assert done == [None]
