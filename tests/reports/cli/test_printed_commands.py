"""Commands that are printed as advice: each can be typed, and keeps what its reader had said."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from cyclopts.exceptions import CycloptsError, MissingArgumentError

from reports.cli.app import command_line_of
from simcore.commands import command, option_words
from simcore.games import names
from support.printed_commands import options_of
from support.studio import HERO

ROOT = Path(__file__).parents[3]
PROGRAM = sorted(
    path
    for room in ("card_data", "simcore", "analysis", "reports")
    for path in (ROOT / room).rglob("*.py")
)
CHAPTER = "ch1_flight_to_barksburg"
CARD = """name = "Mine"

[axolotl_healer]
name = "Axolotl Healer"
power = 5
keywords = ["POISONOUS"]
copies = 2
play = "gain 2 life"
"""
#: Options that say how much is played, where and how it is answered: other commands may say others.
HOW_MUCH = {"--games", "--out", "--until"}
#: What is played can be said by the file that a folder keeps of it.
WHAT = {"--cards", "--pool", "--life"}

MINDBUG = [
    "verdict axolotl_healer mine.toml first_contact --policy random --stronger greedy --band 3"
    " --games 1000 --seed 7 --life 4",
    "sensitivity axolotl_healer first_contact --cards mine.toml --changes power --policy random"
    " --reference tusked_extorter --games 200 --seed 7",
    "rebalance first_contact --cards mine.toml --policy random --band 3 --changes power --seed 7"
    " --power-step 3 --most-changes 2 --only axolotl_healer --games 100 --confirm 100 --budget 400",
    "compare first_contact mine.toml --policy random --stronger greedy --games 200 --seed 7"
    " --band 2 --simultaneous --life 4",
    "ladder first_contact --cards mine.toml --players random,greedy --games 20 --seed 7",
    "restrict first_contact --policy greedy --restrictions mindbugs --games 20 --seed 7 --band 3",
]
MICE = [
    f"verdict nez mine.toml {CHAPTER} --party collin,nez,tilda,filch --set page_end=2 --seed 7"
    " --policy uniform --stronger category --band 3 --games 1000",
    f"sensitivity {CHAPTER}+mine.toml --of nez --party collin,nez,tilda,filch --set page_end=2"
    " --policy uniform --games 100 --seed 7",
    f"rebalance {CHAPTER}+mine.toml --band 40,50 --party collin,nez,tilda,filch --set page_end=2"
    " --policy uniform --changes heroes --step 2 --only nez --keep life --most-changes 1"
    " --games 100 --confirm 100 --budget 500 --seed 7",
    f"compare {CHAPTER} {CHAPTER}+mine.toml --party collin,nez,tilda,filch --set page_end=2"
    " --policy uniform --stronger category --games 100 --seed 7 --band 2",
    f"skill {CHAPTER}+mine.toml --party collin,nez,tilda,filch --set page_end=2"
    " --players uniform,category --games 80 --seed 7",
]


@pytest.mark.parametrize(
    ("own", "typed"),
    [*((CARD, one) for one in MINDBUG), *((HERO, one) for one in MICE)],
    ids=[f"{game} {one.split()[0]}" for game, lines in (("mindbug", MINDBUG), ("mice", MICE))
         for one in lines],
)  # fmt: skip
def test_what_was_said_is_said_again(
    ask, printed_commands: list[str], own: str, typed: str
) -> None:
    """Each command that an answer tells keeps the options of the command that was typed.

    The same question says all of them again, another question those that it has as well.
    """
    Path("mine.toml").write_text(own)
    before, words = len(printed_commands), [*shlex.split(typed), "--confidence", "90"]
    ask(*words).done()
    given, told = options_of(words), [*dict.fromkeys(printed_commands[before:])]
    assert any(shlex.split(one)[1] == words[0] for one in told), "the command that asks the same"
    for line in told:
        again = shlex.split(line)[1:]
        if again[0] in ("replay", "runs", "analyze"):
            continue
        kept = options_of(again)
        same, of_others = again[0] == words[0], is_by_others(kept, given)
        for name in {*given} - HOW_MUCH - WHAT:
            if of_others and name in ("--policy", "--stronger"):
                continue
            if same or name in ("--policy", "--party", "--set", "--seed", "--confidence"):
                assert kept.get(name) == given[name], f"{line}: {name}"


def is_by_others(kept: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """An experiment that a page proposes: by players who must not do something, or by stronger."""
    [players] = kept.get("--policy", [""])
    return [players] != given.get("--policy") and (
        str(players).startswith("random-") or players == "expert"
    )


def test_too_many_for_a_verdict_keep_what_was_said(ask) -> None:
    """A file of many cards or entries: both commands that are told are those that were meant."""
    name, _, card = CARD.partition("\n\n")
    cards = (card.replace("axolotl_healer", f"c{n}").replace("Healer", f"{n}") for n in range(9))
    Path("many.toml").write_text("\n\n".join([name, *cards]))
    said = "--policy random --stronger greedy --band 3 --seed 7 --life 4 --confidence 90"
    refused = ask("verdict", "many.toml", "first_contact", *said.split())
    one, of_all = (
        shlex.split(line)[1:] for line in re.findall(r"fairdeal v[^;]*|fairdeal b.*", refused.err)
    )
    given = options_of(["verdict", "many.toml", *said.split()])
    assert options_of(one) == given
    assert options_of(of_all) == {
        name: given[name] for name in ("--policy", "--seed", "--confidence", "--life")
    }


def test_balance_leads_to_its_story(ask) -> None:
    """Its last line is the command of the story of what was played, by the same players."""
    said = "--policy random --seed 7 --confidence 90 --life 4"
    answer = ask("balance", "first_contact", *said.split(), "--games", "200")
    told = shlex.split(answer.out.splitlines()[-1])
    assert told[:3] == ["fairdeal", "story", "first_contact"]
    assert options_of(told[1:]) == options_of(["balance", "first_contact", *said.split()])
    assert ask(*told[1:], "--dry-run").status == 0


def test_options_are_written_as_the_parser_reads_them() -> None:
    """What was not said is left out, a flag is its name, a list says its option each time."""
    words = option_words(games=None, simultaneous=True, dry_run=False, set=["a=1", "b=2"])
    assert words == ["--simultaneous", "--set", "a=1", "--set", "b=2"]
    assert command("replay", Path("my runs/a"), 3) == "fairdeal replay 'my runs/a' 3"


# ---------------------------------------------------------------- where commands stand


def texts_of(tree: ast.Module) -> Iterator[str]:
    """The texts of a module, with "{}" for what is put into them."""
    joined = [node.values for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    parts = {id(one) for values in joined for one in values}
    for values in joined:
        yield "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in parts:
            yield str(node.value)


def written_out() -> Iterator[tuple[str, str]]:
    """The commands in texts of the program, by the files that they are in."""
    known = "|".join(name for name in command_line_of("") if not name.startswith("-"))
    quoted = re.compile(rf"['`>](fairdeal (?:{known})\b[^'`<]*)['`<]")
    for path in PROGRAM:
        source = path.read_text()
        # To parse them all takes seconds, whichever test is asked for.
        for text in texts_of(ast.parse(source)) if "fairdeal" in source else ():
            for found in quoted.findall(" ".join(text.split())):
                yield str(path.relative_to(ROOT)), found


@pytest.mark.parametrize(("file", "text"), sorted({*written_out()}))
def test_commands_in_texts_can_be_typed(file: str, text: str) -> None:
    """A command that a text names is one; what is put into a command is put in by `command`."""
    assert "{" not in text, f"{file}: write it with simcore.commands"
    words, refused = shlex.split(text)[1:], []
    for game in names():
        try:
            command_line_of(game).parse_args(words, exit_on_error=False, print_error=False)
        except MissingArgumentError:
            pass  # the text names the command and an option, not what they are about
        except CycloptsError as error:
            refused.append(str(error))
    assert len(refused) < len(names()), refused


def test_one_function_writes_commands() -> None:
    """No other module joins words to a command."""
    others = [
        str(path.relative_to(ROOT))
        for path in PROGRAM
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in chain([getattr(node, "module", None)], (one.name for one in node.names))
        if name == "shlex"
    ]
    assert others == ["simcore/commands.py"]
