"""Values are read as people type them and as reports print them, in every command."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cyclopts import App
from cyclopts.argument import Argument, Token

from reports.cli.app import command_line_of
from simcore.games import names


def arguments() -> Iterator[tuple[str, Argument]]:
    """The numbers that commands take, each with its command."""
    for game in names():
        waiting: list[tuple[str, App]] = [("", command_line_of(game))]
        for name, app in waiting:
            waiting += [(f"{name} {one}".strip(), app[one]) for one in app if one[0] != "-"]
            if app.default_command is not None:
                for argument in app.assemble_argument_collection():
                    if str(argument.hint).removesuffix(" | None") in _NUMBERS:
                        yield f"{game}: {name} {argument.name}", argument


_NUMBERS = {str(int): "1e2", str(float): "0,5%", "int": "1e2", "float": "0,5%"}


def test_every_number_is_read_as_people_type_it() -> None:
    """No option of any command has a reader of its own for numbers (issue 35)."""
    found, strict = 0, []
    for name, argument in arguments():
        found += 1
        kind = str(argument.hint).removesuffix(" | None")
        text = _NUMBERS[kind]
        converter = argument.parameter.converter
        try:
            read = converter(argument.hint, [Token(value=text)]) if callable(converter) else None
        except ValueError as error:  # out of range is read, too
            read = 100 if "is not between" in str(error) else None
        if read not in (100, 0.5):
            strict.append(name)
    assert found > 50
    assert not strict


@pytest.mark.parametrize(
    "words",
    [
        ("balance", "First Contact", "--games", "2k"),
        ("simulate", "first contact", "--games", "2e3"),
        ("balance", "first_contact", "--until", "0,5%", "--games", "2,000"),
        ("verdict", "Killer Bee", "First Contact", "--games", "2k", "--band", "3%"),
        ("compare", "First Contact", "first_contact", "--games", "2k", "--band", "3%"),
        ("ladder", "First Contact+New Servants", "--games", "2k"),
        ("rebalance", "First Contact", "--turns", "15,5:30", "--first-player", "52%"),
        ("balance", "Chapter 1 (Flight to Barksburg)", "--party", "Collin, Nez, Tilda and Filch"),
        ("rebalance", "Flight to Barksburg", "--band", "45%,55%", "--set", "page_end=7"),
    ],
)
def test_values_are_read_as_typed(ask, words: tuple[str, ...]) -> None:
    """What a report prints, and what other programs write, can be typed."""
    assert ask(*words, "--dry-run", "--json").json


def test_a_value_of_an_option_is_no_name(ask) -> None:
    """Only what is named is looked up: a reason keeps its words."""
    ask("compare", "First Contact", "first_contact", "--why", "First Contact").refused("--record")
