from tui.decode.blocks import Blocks
from tui.decode.lines import Line


def take(*lines: str) -> tuple[list[bool], Line | None]:
    blocks = Blocks()
    blocks.open(Line())
    belongs, ended = [], None
    for line in lines:
        is_part, block = blocks.take(line)
        belongs.append(is_part)
        ended = ended or block
    return belongs, ended or blocks.close()


def test_indented_lines_below_a_heading_are_its_metrics() -> None:
    belongs, block = take("   Mean reward: 12.5", "   Speed: 99 steps/s (slow: 3)", "a line of text")
    assert belongs == [True, True, False]
    assert block is not None
    assert block.metrics == {"Mean reward": 12.5, "Speed": 99.0}


def test_a_single_number_is_no_block() -> None:
    assert take("   Mean reward: 12.5", "done")[1] is None


def test_without_a_heading_there_is_no_block() -> None:
    assert Blocks().take("   Mean reward: 12.5") == (False, None)
