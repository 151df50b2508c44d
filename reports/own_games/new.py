"""The command `fairdeal new`: a small complete game, to be changed into one's own."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from reports.cli.console import InputError

#: The games to begin with: each is a file of rules and one of entries in the folder of examples.
Template = Literal["duel", "factions", "auction", "market", "dike", "race", "lines"]


def new(
    name: Annotated[
        str,
        Parameter(name="NAME", help="The name of the game, one word such as 'my_game'."),
    ],
    /,
    *,
    template: Annotated[
        Template,
        Parameter(
            help="The game to start from: 'duel', hands of cards; 'factions', each with a deck of"
            " its own; 'auction', sealed bids for three or four; 'market', a deck-builder; 'dike',"
            " all together against a deck; 'race', dice; 'lines', a board with nothing hidden."
        ),
    ] = "duel",
) -> None:
    """Write a folder with a small complete game: its rules, its cards, and what to type next."""
    if not (name.isidentifier() and name.isascii() and name.islower()):
        raise InputError(
            f"'{name}' cannot be the name of a game: small letters, digits and _, beginning with a"
            " letter, as in 'my_game'."
        )
    folder = Path(name)
    if folder.exists():
        raise InputError(
            f"There is '{folder}' already, and it was left as it is: take another name."
        )
    rules, cards, page = map(_text, (f"{template}.py", f"{template}.toml", "README.txt"))
    title = name.strip("_").replace("_", " ").title() or name
    entry = re.findall(r"^\[\w+\.(\w+)\]", cards, re.MULTILINE)[0]
    folder.mkdir()
    for file, text in (
        (f"{name}.py", _named(rules, template, name, title)),
        ("cards.toml", cards.replace(f'game = "{template}"', f'game = "{name}"')),
        ("README.md", page.format(name=name, title=title, entry=entry)),
    ):
        (folder / file).write_text(text, "utf-8")
    print(f"{folder}/ has a small complete game. Next:")
    print(f"  cd {folder}")
    print(f"  fairdeal balance {name}.py")
    print("Its README.md has more to type, docs/own_games.md tells all that a game can have.")


def _text(file: str) -> str:
    return files(__package__).joinpath("examples", file).read_text("utf-8")


def _named(rules: str, template: str, name: str, title: str) -> str:
    """Rules of an example under another name, with their entries in cards.toml."""
    old = template.title()
    for before, after in {
        f'"""{old}:': f'"""{title}:',
        f"class {old}(": f"class {title.replace(' ', '')}(",
        f"rules={old},": f"rules={title.replace(' ', '')},",
        f'name="{template}"': f'name="{name}"',
        f'title="{old}"': f'title="{title}"',
        f'    entries="{template}.toml",\n': "",
    }.items():
        rules = rules.replace(before, after)
    return rules
