"""How the command `fairdeal` starts, and how it ends where there is too little memory.

What the command line is made of takes some tenths of a second to import.  It is imported here, so
that Ctrl-C is handled from the first moment.
"""

import os
import resource
import sys

from reports.cli.console import lacks_memory, print_plainly

_MB = 1_000_000


def main() -> None:
    """Run the command that the process was started with, and exit; with 130 if interrupted."""
    _open_standard_streams()
    print_plainly()
    # Processes of Python that are started find no modules in the folder in which they begin.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    if _allowed() is not None:
        # Arrow's own memory pool reserves a gigabyte at once.
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    try:
        from reports.cli.app import main as run_command

        run_command()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        if not lacks_memory(error):
            raise
        allowed = _allowed()
        limit = f" This process may use {allowed / _MB:,.0f} MB ('ulimit -v')." if allowed else ""
        print(
            f"fairdeal: there is too little memory, or room for threads, to go on.{limit}"
            " Allow more, or let fewer threads play: '--threads 1'. What is finished is kept.",
            file=sys.stderr,
        )
        sys.exit(2)


def _allowed() -> int | None:
    """How many bytes of memory the process may use at most, None if that is not limited."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if allowed == resource.RLIM_INFINITY else allowed


def _open_standard_streams() -> None:
    """Open to nowhere what was closed by the one who started the process.

    Otherwise the next file that is opened would take its place, and get what is meant for it; and
    Python prints to stdout what is meant for a stderr that is not there.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            # Takes the lowest number that is free, which is this one.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))
