"""What `fairdeal ladder` is in every game: how it plays and answers."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from reports.cli import console
from reports.cli.asking import commands_of
from reports.cli.compute import Compute
from reports.cli.formats import print_report
from reports.cli.json_answers import found_json

if TYPE_CHECKING:
    from analysis.experiments.pair_games import Contest
    from reports.ladder.page import LadderWords
    from simcore.work.about import Question
    from simcore.work.cost import Plan


@frozen
class Asked:
    """Who meets whom, and what that costs.

    ``words`` are what the game says of a ladder with such a manifest, ``again`` is the command that
    plays the same into a folder, ``compile_engine`` compiles what plays.
    """

    contest: "Contest"
    question: "Question"
    plans: "Callable[[], Sequence[Plan]]"
    words: "Callable[[Mapping[str, Any]], LadderWords]"
    again: Callable[[Path], str]
    compile_engine: Callable[[], object]


def _carry_out(asked: Asked, compute: Compute, out: Path | None, *, as_json: bool) -> None:
    from analysis.experiments.pair_games import play_pairs, read_contest
    from reports.kit.words import headline
    from reports.ladder.page import write_ladder
    from reports.ladder.text import RATINGS_TABLE, describe, findings, ratings_rows
    from simcore.work.about import working_on

    contest = asked.contest
    with compute.start() as crew, working_on(asked.question, out) as work:
        folder = work.folder
        with console.as_input_error(), console.resumable("finished pairs stay", folder):
            asked.compile_engine()
            with crew.playing() as how:
                play_pairs(contest, folder, command=asked.again(folder), **how)
        manifest = read_contest(contest.kind, folder)
        said = asked.words(manifest)
        with console.waiting("drawing the charts"):
            page, tables = write_ladder(contest.kind, folder, said)
        found = findings(tables)
        work.finish(headline(found), page.name)
    if as_json:
        answer = {"ladder": str(folder), "page": str(page)}
        console.print_json(answer | found_json(asked.question.game, found, tables, folder))
        return
    rows = ratings_rows(tables["ratings"])
    played = f"{describe(manifest, said.what)}. {said.seats}"
    console.print_answer(
        played, found, lambda: console.print_table(RATINGS_TABLE, rows, right=(1, 2, 3, 4))
    )
    print()
    print_report(folder, {"html": page}, tables=True)


#: The command of a game: the options of what it asks, and those of every game.
command_of = commands_of(
    "ladder",
    _carry_out,
    "The folder of the ladder. Default: runs/ladder-SETS-PLAYERS-DAY. Run the"
    " same command again to resume.",
)
