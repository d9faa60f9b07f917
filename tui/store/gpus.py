"""What the GPUs of a run are doing, by the words of nvidia-smi or rocm-smi."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct

from tui.sources.gpus import NVIDIA_FIELDS

USUAL_READINGS = 720
"""Readings whose power is remembered as usual: an hour at five seconds."""

BUSY, IDLE = 0.9, 0.1
"""Utilisation from which on a GPU is busy, and up to which it is idle. It counts kernels, not work: a collective that
waits for a lost peer spins at 100 %."""

LOW_POWER = 0.6
"""A busy GPU that draws less than this share of what it drew while the run went on is waiting, not working."""

_MIB = 1 << 20


class Gpu(Struct, frozen=True):
    """One GPU at one moment; NaN stands for what it does not tell.

    `utilisation` from 0 to 1, memory in bytes, temperature in degrees Celsius, power in watts.
    """

    index: int
    name: str
    utilisation: float = math.nan
    memory_used: float = math.nan
    memory_total: float = math.nan
    temperature: float = math.nan
    power: float = math.nan
    power_limit: float = math.nan


class Doing(StrEnum):
    """What the GPUs of a silent run say of it."""

    HANGING = "hanging"
    STOPPED = "stopped"
    WORKING = "working"


class Hint(Struct, frozen=True):
    """What the GPUs of a silent run say of it, in a word and as the end of a sentence."""

    doing: Doing
    text: str


def parse_nvidia(line: str) -> Gpu | None:
    """One line of nvidia-smi's CSV without units; None where it is something else.

    >>> parse_nvidia("0, NVIDIA H100, 98, 70112, 81559, 61, 655.20, 700.00").power
    655.2
    """
    cells = _cells(line)
    if len(cells) != len(NVIDIA_FIELDS) or not cells[0].isdecimal():
        return None
    use, used, total, temperature, power, limit = map(_number, cells[2:])
    return Gpu(int(cells[0]), cells[1], use / 100, used * _MIB, total * _MIB, temperature, power, limit)


class RocmTable:
    """Reads the CSV of rocm-smi, whose columns have other names in each release: by the words in its header."""

    _WORDS = (
        ("utilisation", ("gpu use",)),
        ("memory", ("vram%", "memory use", "memory allocated")),
        ("temperature", ("temperature (sensor junction", "temperature (sensor edge", "temperature")),
        ("power", ("socket graphics package power", "average graphics package power", "package power")),
    )

    def __init__(self) -> None:
        self._columns: dict[str, int] = {}

    def read(self, line: str) -> Gpu | None:
        """A GPU's line; None for a header and for anything else."""
        cells = _cells(line)
        if cells and cells[0].lower() == "device":
            self._columns = self._find_columns([cell.lower() for cell in cells])
            return None
        digits = cells[0].lower().removeprefix("card") if cells else ""
        if not self._columns or not digits.isdecimal():
            return None
        told = {name: _number(cells[at]) for name, at in self._columns.items() if at < len(cells)}
        memory = told.get("memory", math.nan) / 100
        return Gpu(
            int(digits),
            cells[0],
            told.get("utilisation", math.nan) / 100,
            memory_used=memory,
            memory_total=1.0 if math.isfinite(memory) else math.nan,
            temperature=told.get("temperature", math.nan),
            power=told.get("power", math.nan),
        )

    def _find_columns(self, header: Sequence[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for name, words in self._WORDS:
            for word in words:
                at = next((at for at, cell in enumerate(header) if word in cell), None)
                if at is not None:
                    found.setdefault(name, at)
        return found


class Gpus:
    """The last reading of each GPU, and what it usually draws."""

    def __init__(self) -> None:
        self._now: dict[int, Gpu] = {}
        self._drawn: dict[int, deque[float]] = {}
        self._rocm = RocmTable()

    @property
    def now(self) -> tuple[Gpu, ...]:
        """The last reading of each, by index."""
        return tuple(self._now[index] for index in sorted(self._now))

    def take(self, gpu: Gpu, *, is_run_live: bool) -> None:
        """Take in a reading; what is drawn while the run writes its log is its usual power."""
        self._now[gpu.index] = gpu
        if is_run_live and math.isfinite(gpu.power) and gpu.utilisation >= BUSY:
            self._drawn.setdefault(gpu.index, deque(maxlen=USUAL_READINGS)).append(gpu.power)

    def take_line(self, line: str | None, *, is_run_live: bool) -> None:
        """Take in a line of the tool; None where no more come and the last reading is of the past."""
        if line is None:
            self._now.clear()
        elif (gpu := parse_nvidia(line) or self._rocm.read(line)) is not None:
            self.take(gpu, is_run_live=is_run_live)

    def doing(self) -> Doing | None:
        """What they say of a run whose log is silent; None where they say nothing clear.

        Any that works speaks for all: the rest may wait for it.
        """
        told = [found for gpu in self.now if (found := self._doing(gpu)) is not None]
        for found in (Doing.WORKING, Doing.HANGING):
            if found in told:
                return found
        return Doing.STOPPED if told else None

    def describe(self) -> str | None:
        """The same as the end of a sentence; None where they say nothing clear.

        >>> gpus = Gpus()
        >>> gpus.take(Gpu(0, "H100", 1.0, power=110.0, power_limit=700.0), is_run_live=False)
        >>> gpus.describe()
        'its GPUs are at 100 % but draw only 110 W: it hangs'
        """
        doing = self.doing()
        if doing is None:
            return None
        use, power = _known(gpu.utilisation for gpu in self.now), _known(gpu.power for gpu in self.now)
        mean = f"{_mean(use):.0%}".replace("%", " %")
        if doing is Doing.HANGING:
            return f"its GPUs are at {mean} but draw only {_mean(power):.0f} W: it hangs"
        if doing is Doing.STOPPED:
            return f"its GPUs are idle ({mean}): it has stopped"
        return f"its GPUs are still at work ({mean})"

    def summary(self) -> str | None:
        """All of them in one short line: mean use, highest temperature, mean power, mean memory; None without any.

        >>> gpus = Gpus()
        >>> gpus.take(Gpu(0, "H100", 0.98, 70e9, 80e9, 61.0, 655.2, 700.0), is_run_live=True)
        >>> gpus.summary()
        'GPU 98 % · 61 °C · 655 W · 70/80 GB'
        """
        if not self._now:
            return None
        use = _known(gpu.utilisation for gpu in self.now)
        heat = _known(gpu.temperature for gpu in self.now)
        power = _known(gpu.power for gpu in self.now)
        told = [
            f"{_mean(use):.0%}".replace("%", " %") if use else "",
            f"{max(heat):.0f} °C" if heat else "",
            f"{_mean(power):.0f} W" if power else "",
            self._memory(),
        ]
        count = f"{len(self._now)} × " if len(self._now) > 1 else ""
        return f"GPU {count}{' · '.join(filter(None, told)) or 'tells nothing'}"

    def _memory(self) -> str:
        """What is used of what there is on each; where the bytes are not told, the share."""
        used, total = (
            _known(gpu.memory_used for gpu in self.now),
            _known(gpu.memory_total for gpu in self.now),
        )
        if not used or not total:
            return ""
        if max(total) <= 1:
            return f"{_mean(used):.0%} memory".replace("%", " %")
        return f"{_mean(used) / 1e9:.0f}/{_mean(total) / 1e9:.0f} GB"

    def hint(self) -> Hint | None:
        """What they say of a silent run, for an alert; None where they say nothing clear."""
        doing, told = self.doing(), self.describe()
        return Hint(doing, told) if doing and told else None

    def _doing(self, gpu: Gpu) -> Doing | None:
        if gpu.utilisation <= IDLE:
            return Doing.STOPPED
        if not gpu.utilisation >= BUSY:
            return None
        usual = self._usual_power(gpu)
        if usual is None or not math.isfinite(gpu.power):
            return None
        return Doing.HANGING if gpu.power < LOW_POWER * usual else Doing.WORKING

    def _usual_power(self, gpu: Gpu) -> float | None:
        """What it drew while the run went on; before anything was seen of that, half of its limit."""
        drawn = self._drawn.get(gpu.index)
        if drawn:
            return sorted(drawn)[len(drawn) // 2]
        return gpu.power_limit / 2 if math.isfinite(gpu.power_limit) else None


def _known(values: Iterable[float]) -> list[float]:
    return [value for value in values if math.isfinite(value)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split(",")]  # neither tool quotes


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:  # "[N/A]", "[Not Supported]", "N/A"
        return math.nan
