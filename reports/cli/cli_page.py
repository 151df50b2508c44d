"""The page of the command line, ``docs/cli.md``, made from the help of the commands."""

import sys

from reports.cli.app import command_line_of, owners
from reports.games import reports_of
from simcore.games import names

_HEAD = """# The command line

Written by `python -m reports.cli.cli_page > docs/cli.md`; do not edit.

The exit status is 0, or 2 with one message when something that was asked for cannot be done, or 130
when interrupted (Ctrl-C); finished work is kept, and the same command resumes from there. Results
go to stdout, progress and messages to stderr; progress is shown only on a terminal.

"""


def cli_page() -> str:
    """The page as Markdown; a command that several games have stands there for each of them."""
    parts = _parts("")
    for one in names():
        for part in _parts(one):
            command = part.partition("\n")[0].removeprefix("balancelab ")
            if one in (several := owners(command)[1:]) and part not in parts:
                here = [
                    place for place, other in enumerate(parts) if other.startswith(_of(command))
                ]
                parts.insert(here[-1] + 1, _titled(part, reports_of(one).title))
                if one == several[0]:
                    parts[here[0]] = _titled(parts[here[0]], reports_of(owners(command)[0]).title)
    return _HEAD + "\n## ".join(parts).rstrip() + "\n"


def _parts(first: str) -> list[str]:
    """The parts of the page, one a command, where the ``first`` game has its own commands."""
    arguments, sys.argv = sys.argv, ["balancelab"]  # else the usage would be that of `python -m`
    try:
        page = command_line_of(first).generate_docs(output_format="markdown")
    finally:
        sys.argv = arguments
    return page.partition("\n\n")[2].rstrip().split("\n## ")


def _of(command: str) -> str:
    return f"balancelab {command}"


def _titled(part: str, title: str) -> str:
    """A part with the title of the game in its heading."""
    heading, _, text = part.partition("\n")
    return f"{heading}: {title}\n{text}"


if __name__ == "__main__":
    print(cli_page(), end="")
