"""Usual wordings, written in the card language: what ``docs/cookbook.md`` shows.

``python -m card_data.mindbug.cookbook`` prints that page, which is kept here beside the sets so
that it is there wherever the package is.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

_PAGE = Path(__file__).with_name("cookbook.md")
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_RECIPE = re.compile(r"^### (.+)\n\n```toml\n([^`]+)```\n\nThe card says: \*(.+)\*$", re.MULTILINE)


class Recipe(NamedTuple):
    """A wording: where it stands, what for, its lines, what the card then says.

    ``is_whole`` says that the lines are whole cards, not lines of one.
    """

    section: str
    title: str
    lines: str
    says: str
    is_whole: bool


def cookbook_page() -> str:
    """The page, as Markdown."""
    return _PAGE.read_text("utf-8")


@cache
def recipes() -> tuple[Recipe, ...]:
    """All recipes, in the order of the page."""
    found = []
    _, *parts = _SECTION.split(cookbook_page())
    for section, text in zip(parts[::2], parts[1::2], strict=True):
        for title, lines, says in _RECIPE.findall(text):
            tables = tomllib.loads(lines).values()
            whole = all(isinstance(one, dict) for one in tables)
            found.append(Recipe(section, title, lines, says, whole))
    return tuple(found)


if __name__ == "__main__":
    print(cookbook_page(), end="")
