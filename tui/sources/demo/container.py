"""A stand-in for a container: a folder that takes the place of its root, entered by a `pct` of our own."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

CONTAINER_ID = 200
LOG_PATH = "/workspace/checkpoints/train_log.jsonl"
"""The log, as the container's inhabitants call it."""

# A container maps paths by a mount, which takes rights that nobody needs for a demo. This one maps them in
# the words of the command: wherever /workspace stands in a word, also deep inside a quoted script, the path
# of the folder is put before it. That path must therefore need no quotes. A path that a script is told later
# comes spelled out in octal, and printf decodes it: there it is mapped too.
_PCT = """\
#!/bin/sh
# pct exec ID -- COMMAND [ARGUMENT]...
if [ "$1" != exec ] || [ "$3" != -- ]; then
    echo "pct: this stand-in knows only: pct exec ID -- COMMAND" >&2
    exit 255
fi
if [ "$2" != {id} ]; then
    echo "Configuration file 'nodes/demo/lxc/$2.conf' does not exist" >&2
    exit 2
fi
shift 3
before=
for word do
    shift
    mapped=
    if [ "$before" = -c ]; then
        mapped='printf() {{ command printf "$@" | sed "s|^/workspace|{root}/workspace|"; }}
'
    fi
    before=$word
    while case $word in */workspace*) ;; *) false ;; esac do
        mapped=$mapped${{word%%/workspace*}}{root}/workspace
        word=${{word#*/workspace}}
    done
    set -- "$@" "$mapped$word"
done
exec "$@"
"""


class Container(Struct, frozen=True):
    """Where the parts of the stand-in lie on this machine: its root, and the folder that holds `pct`."""

    root: Path
    commands: Path

    @property
    def log(self) -> Path:
        """The log, as this machine calls it."""
        return self.root / LOG_PATH.lstrip("/")

    @property
    def environment(self) -> dict[str, str]:
        """What a login on the container's host finds around it."""
        path = os.environ.get("PATH", os.defpath)
        return {"PATH": f"{self.commands}:{path}", "HOME": str(self.root), "LANG": "C.UTF-8"}


def build_container(folder: Path) -> Container:
    """Lay out a container with an empty log in `folder`, whose own path must be free of shell characters."""
    container = Container(folder / "container", folder / "bin")
    container.log.parent.mkdir(parents=True)
    container.log.touch()
    container.commands.mkdir()
    pct = container.commands / "pct"
    pct.write_text(_PCT.format(id=CONTAINER_ID, root=container.root))
    pct.chmod(0o700)
    return container
