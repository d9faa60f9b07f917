"""Stand-ins for the tools of GPUs: real programs that print what those print."""

from __future__ import annotations

from pathlib import Path

NVIDIA_LINES = (
    "0, NVIDIA H100 80GB HBM3, 98, 70112, 81559, 61, 655.20, 700.00",
    "1, NVIDIA H100 80GB HBM3, 97, 70112, 81559, 60, 645.20, 700.00",
)
ROCM_LINES = (
    "device,Temperature (Sensor junction) (C),Average Graphics Package Power (W),GPU use (%),GPU memory use (%)",
    "card0,52.0,310.0,97,63",
)

_NVIDIA = """\
#!/bin/sh
# nvidia-smi, as far as it is needed here: it prints its readings, again and again with -l.
every=
while [ $# -gt 0 ]; do
    [ "$1" != -l ] || every=$2
    shift
done
echo asked >>{log}
while :; do
    cat {readings}
    [ "$every" ] || exit {status}
    sleep 0.05
done
"""


def put_nvidia(folder: Path, lines: tuple[str, ...] = NVIDIA_LINES, status: int = 0) -> Path:
    """Put nvidia-smi into a folder; its readings are the lines of the file that is returned, now and later.

    With a status other than 0 it prints them once and fails, as without a driver. Each start is noted in `asked`.
    """
    readings = folder / "readings"
    readings.write_text("".join(f"{line}\n" for line in lines))
    text = _NVIDIA.format(log=folder / "asked", readings=readings, status=status)
    _put(folder / "nvidia-smi", text.replace("every=$2", ":") if status else text)
    return readings


def put_rocm(folder: Path) -> None:
    """Put rocm-smi into a folder; it prints one reading."""
    _put(folder / "rocm-smi", "#!/bin/sh\n" + "".join(f'echo "{line}"\n' for line in ROCM_LINES))


def _put(file: Path, text: str) -> None:
    file.write_text(text)
    file.chmod(0o755)
