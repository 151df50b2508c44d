"""The page of the command line, ``docs/cli.md``, made from the help of the commands."""

import sys

from reports.cli.app import command_line

_HEAD = """# The command line

Written by `python -m reports.cli.cli_page > docs/cli.md`; do not edit.

The exit status is 0, or 2 with one message when something that was asked for cannot be done, or 130
when interrupted (Ctrl-C); finished work is kept, and the same command resumes from there. Results
go to stdout, progress and messages to stderr; progress is shown only on a terminal.

"""


def cli_page() -> str:
    """The page as Markdown."""
    arguments, sys.argv = sys.argv, ["balancelab"]  # else the usage would be that of `python -m`
    try:
        commands = command_line().generate_docs(output_format="markdown")
    finally:
        sys.argv = arguments
    return _HEAD + commands.partition("\n\n")[2].rstrip() + "\n"


if __name__ == "__main__":
    print(cli_page(), end="")
