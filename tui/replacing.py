"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def replace_file(file: Path, data: bytes, *, is_private: bool = False) -> None:
    """Put a file with this content in the place of one that may be there.

    Args:
        file: Its folder has to be there.
        data: The whole content.
        is_private: Whether it is for the eyes of its owner only.

    Raises:
        OSError: It can't be written; what was there stays.
    """
    new = file.with_name(f"{file.name}.{os.getpid()}.new")
    try:
        mode = 0o600 if is_private else 0o666
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as out:
            out.write(data)
        new.replace(file)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
