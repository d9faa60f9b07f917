from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.longlog import FIELDS
from tests.bench.wandblog import BLOCK_BYTES, RunFile, make_run_file, write_run
from tui.decode.decoder import Decoder

pytest.importorskip("wandb")


def test_a_run_reads_back_as_its_entries_over_many_blocks(tmp_path: Path) -> None:
    path = make_run_file(tmp_path)
    write_run(path, 300)
    decoder, data = Decoder(), path.read_bytes()
    batch = decoder.feed(data)
    assert len(data) > 3 * BLOCK_BYTES
    assert (decoder.format_name, batch.entries, batch.malformed) == ("wandb", 300, 0)


def test_an_entry_may_be_appended_to_a_run_that_is_followed(tmp_path: Path) -> None:
    path, decoder, entries = make_run_file(tmp_path), Decoder(), 0
    with path.open("wb") as file, path.open("rb") as reader:
        growing = RunFile(file)
        for step in range(200):
            growing.log([dict.fromkeys(FIELDS, 0.25) | {"step": step}])
            entries += decoder.feed(reader.read()).entries
    assert entries == 200
