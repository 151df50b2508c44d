"""The command `fairdeal skill`: what games share that compare players on the same deals."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from reports.cli import console
from reports.cli.asking import commands_of
from reports.cli.compute import Compute, Crew
from reports.cli.formats import print_report
from reports.cli.json_answers import found_json
from reports.cli.options import MAX_GAMES, whole

if TYPE_CHECKING:
    from reports.skill.text import Skill
    from simcore.work.about import Question
    from simcore.work.cost import Plan

#: Games of each player.
games_of = whole(80, MAX_GAMES)


def read_players(text: str, read: Callable[[str], str], least: int = 1) -> tuple[str, ...]:
    """The players of ``--players``, as ``read`` has each.  Raises InputError with all faults."""
    names, found, wrong = [one.strip() for one in text.split(",")], [], []
    for one in dict.fromkeys(names):
        try:
            found.append(read(one))
        except console.InputError as error:
            wrong.append(str(error))
        if names.count(one) > 1:
            wrong.append(f"--players: '{one}' is named twice")
    if not wrong and len(names) < least:
        wrong.append(f"--players: '{text}' is one player; name two or more, with commas")
    if wrong:
        raise console.InputError("\n".join(wrong))
    return tuple(found)


@frozen
class Asked(ABC):
    """Who is compared in what; ``command`` asks it again."""

    question: "Question"
    command: str

    @abstractmethod
    def plans(self) -> "list[Plan]":
        """What is going to be played."""

    @abstractmethod
    def play(self, folder: Path, crew: Crew) -> "Skill":
        """Play what is missing, and say what was found."""

    def compile_engine(self) -> None:
        """Compile what plays, saying so, where that takes long."""
        return


def _carry_out(asked: Asked, compute: Compute, out: Path | None, *, as_json: bool) -> None:
    from reports.kit.words import headline
    from reports.skill.page import write_page
    from simcore.work.about import working_on

    asked.compile_engine()
    with compute.start() as crew, working_on(asked.question, out) as work:
        folder = work.folder
        with console.as_input_error(), console.resumable("finished games stay", folder):
            told = asked.play(folder, crew)
        with console.waiting("drawing the charts"):
            page = write_page(told, folder, asked.command)
        found = told.findings
        work.finish(headline(found), page.name)
    if as_json:
        answer = {"folder": str(folder), "page": str(page)}
        console.print_json(answer | found_json(asked.question.game, found, told.tables, folder))
        return
    headings, rows = told.table
    right = range(1, len(headings))
    console.print_answer(
        told.played, found, lambda: console.print_table(headings, rows, right=right)
    )
    print()
    print_report(folder, {"html": page}, tables=True)


#: The command of a game: the options of what it asks, and those of every game.
command_of = commands_of(
    "skill",
    _carry_out,
    "The folder of the comparison. Default: one in runs/ that is named after what is"
    " asked. Run the same command again to resume.",
)
