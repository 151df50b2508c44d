"""How the command `balancelab` starts.

What the command line is made of takes some tenths of a second to import.  It is imported here, so
that Ctrl-C is minded from the first moment on.
"""

import sys


def main() -> None:
    """Run the command that the process was started with, and exit; with 130 if interrupted."""
    try:
        from reports.cli import main as run_command

        run_command()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
