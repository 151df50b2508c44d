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
    of_games = {game: {_command(part): part for part in _parts(game)} for game in names()}
    parts, links = [], {}
    for part in _parts(""):
        command = _command(part)
        several = owners(command)
        if len(several) < 2:
            parts.append(part)
            continue
        titled = {
            reports_of(game).title: _titled(of_games[game][command], reports_of(game).title)
            for game in several
        }
        parts += titled.values()
        links[f"[`{command}`](#fairdeal-{command})"] = f"`{command}` " + ", ".join(
            f"([{title}](#{_anchor(text)}))" for title, text in titled.items()
        )
    page = _HEAD + "\n## ".join(parts).rstrip() + "\n"
    for link, found in links.items():
        page = page.replace(link, found)
    return page


def _parts(first: str) -> list[str]:
    """The parts of the page, one a command, where the ``first`` game has its own commands."""
    arguments, sys.argv = sys.argv, ["fairdeal"]  # else the usage would be that of `python -m`
    try:
        page = command_line_of(first).generate_docs(output_format="markdown")
    finally:
        sys.argv = arguments
    return page.partition("\n\n")[2].rstrip().split("\n## ")


def _command(part: str) -> str:
    """The command that a part is about: its heading without the name of the program."""
    return part.partition("\n")[0].removeprefix("fairdeal ")


def _anchor(part: str) -> str:
    """Where a part of the page can be linked to."""
    heading = part.partition("\n")[0].lower()
    return "".join(char for char in heading if char.isalnum() or char in " -_").replace(" ", "-")


def _titled(part: str, title: str) -> str:
    """A part with the title of the game in its heading."""
    heading, _, text = part.partition("\n")
    return f"{heading}: {title}\n{text}"


if __name__ == "__main__":
    print(cli_page(), end="")
