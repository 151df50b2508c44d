"""What `fairdeal ladder` is in every game: how it plays and answers."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import frozen
from cyclopts import Parameter

from reports.cli import console
from reports.cli.asking import as_command
from reports.cli.compute import Compute
from reports.cli.formats import print_report
from reports.cli.json_answers import found_json
from reports.cli.options import to_place

if TYPE_CHECKING:
    from analysis.experiments.pair_games import Contest
    from reports.ladder.page import LadderWords
    from simcore.work.about import Question
    from simcore.work.cost import Plan

Out = Annotated[
    Path | None,
    Parameter(
        converter=to_place,
        help="The folder of the ladder. Default: runs/ladder-SETS-PLAYERS-DAY. Run the"
        " same command again to resume.",
    ),
]


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


def command_of(ask: Callable[..., Asked]) -> Callable[..., None]:
    """The command of a game: the options of ``ask``, and those of every game."""
    return as_command("ladder", ask, _carry_out, Out)


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
            with crew.progress("playing", "games") as advance:
                play_pairs(
                    contest,
                    folder,
                    command=asked.again(folder),
                    threads=crew.threads,
                    executor=crew.executor,
                    on_progress=advance,
                )
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
