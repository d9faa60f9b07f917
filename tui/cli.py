"""The command line: one command, and the exit code that answers."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

from tui import __version__
from tui.errors import MilepostError

EXIT_UNKNOWN = 3
"""What monitoring plugins exit with where nothing can be told: unreachable, unreadable, wrong usage."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code. Without `argv` it is that of the process, which ends with it."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words == ["--version"]:  # in a tenth of the time that making a parser takes
        print(f"milepost {__version__}")
        return 0
    try:
        return _run(words)
    except MilepostError as error:
        print(f"milepost: {error}", file=sys.stderr)
        return EXIT_UNKNOWN
    except BrokenPipeError:  # `| head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_UNKNOWN
    except KeyboardInterrupt:
        return 130
    finally:
        if argv is None:
            gc.freeze()  # what is left goes with the process; to look it over for garbage would take 20 ms


def _run(words: list[str]) -> int:
    """Run the command that was asked for, watched over where a profile of it is wanted."""
    from tui.commands.arguments import parse
    from tui.commands.loading import load

    args = parse(words)
    command = load(args.run)
    if getattr(args, "profile", None) is None:
        return command(args)
    from tui.sampling import sampling

    with sampling(args.profile):
        return command(args)


if __name__ == "__main__":
    sys.exit(main())
