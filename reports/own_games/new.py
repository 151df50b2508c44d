"""The command `fairdeal new`: a small complete game, to be changed into one's own."""

from importlib.resources import files
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from reports.cli.console import InputError

_FILES = {"game.txt": "{name}.py", "cards.toml": "cards.toml", "README.md": "README.md"}


def new(
    name: Annotated[
        str,
        Parameter(name="NAME", help="What the game is called, a word such as 'my_game'."),
    ],
    /,
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
    title = name.strip("_").replace("_", " ").title() or name
    folder.mkdir()
    for source, target in _FILES.items():
        text = files(__package__).joinpath("template", source).read_text("utf-8")
        text = text.replace("My Game", title).replace("MyGame", title.replace(" ", ""))
        file = folder / target.format(name=name)
        file.write_text(text.replace("my_game", name), "utf-8")
    print(f"{folder}/ has a small complete game. Next:")
    print(f"  cd {folder}")
    print(f"  fairdeal balance {name}.py --policy greedy")
    print("Its README.md has more to type, docs/own_games.md tells all that a game can have.")
