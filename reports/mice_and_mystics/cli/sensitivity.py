"""The command `fairdeal sensitivity` of Mice & Mystics."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import frozen
from cyclopts import Parameter

from analysis.confidence import confidence_said
from analysis.mice_and_mystics.experiments.usual import CHANGE_GAMES
from reports.cli.compute import HERE, Compute, Crew
from reports.cli.console import (
    InputError,
    as_input_error,
    print_findings,
    print_json,
    print_table,
    print_wrapped,
    read_all,
    resumable,
    waiting,
)
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.formats import print_report
from reports.cli.json_answers import found_json
from reports.cli.options import Json, Seed, to_place, whole, with_confidence
from reports.cli.steps import play_run
from reports.mice_and_mystics.cli.options import (
    ALL_PARTIES,
    NAMED,
    Party,
    Policy,
    Switches,
    load_chapter,
    read_players,
)
from reports.mice_and_mystics.cli.questions import chapter_question
from simcore.commands import command

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mice_and_mystics.experiments.effects import Effects, TriedChanges
    from card_data.schema.changes import Change
    from reports.kit.words import Finding
    from reports.mice_and_mystics.cli.options import PlayableChapter
    from simcore.work.about import Question

#: Everything that can be changed.
ALL = "all"


@with_confidence
def sensitivity(
    *chapter: Annotated[str, Parameter(name="CHAPTER", help=NAMED)],
    of: Annotated[
        str,
        Parameter(
            help="What to change, with commas between: 'heroes', 'minions', 'cards' ('abilities',"
            " 'search_cards' and 'encounters'), 'chapter', 'rules' (numbers that --set sets),"
            " 'switches', the id or name of an entry, or a number such as 'life'."
        ),
    ] = ALL,
    party: Party = None,
    switches: Switches = None,
    policy: Policy = None,
    games: Annotated[
        int,
        Parameter(
            converter=whole(100, 2_000_000),
            help="How many games to play of the chapter as it is, and with each change.",
        ),
    ] = CHANGE_GAMES,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder of the analysis, which is a run folder, too. Default:"
            " runs/sensitivity-CHAPTER-PARTY-POLICY-DAY. Run the same command again to"
            " resume; what another --of has in common is not played again.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find what one step on each number of a chapter changes, in games with the same luck.

    Every number of heroes, minions, cards, encounters and of the chapter that can come up is made
    one less and one more, and every switch is set the other way, one at a time. In every game the
    party, the decks and the dice are the same, so the difference is what the change does.
    """
    asked = ask("+".join(chapter), of, party, switches or (), policy=policy, games=games, seed=seed)
    if dry_run:
        from simcore.work.cost import Plan

        run, n = asked.played.spec(games, seed), games * len(asked.changes)
        plans = [Plan(run), asked.played.plan(n, seed, bound="at most")]
        tell_cost(plans, compute, as_json=as_json)
        return
    with compute.start() as crew:
        answer = find_out(asked, crew, out)
    if as_json:
        from analysis.mice_and_mystics.experiments.sensitivity import SENSITIVITY

        folder = answer.page.parent
        said = {"folder": str(folder), "page": str(answer.page)}
        tables = {SENSITIVITY.name: answer.table}
        print_json(said | found_json("mice_and_mystics", answer.findings, tables, folder))
    else:
        _print(answer)


@frozen
class Asked:
    """Which changes of a chapter are tried, and how; ``command`` asks the same again."""

    played: "PlayableChapter"
    player: str
    changes: "Sequence[Change]"
    games: int
    seed: int
    question: "Question"
    command: str


@frozen
class Answer:
    """What was found, its table, what was played, and the page."""

    effects: "Effects"
    table: "pd.DataFrame"
    manifest: dict[str, Any]
    findings: "list[Finding]"
    page: Path


def ask(
    chapter: str,
    of: str,
    party: str | None,
    switches: Sequence[str],
    *,
    policy: str | None = None,
    games: int = CHANGE_GAMES,
    seed: int = 0,
) -> Asked:
    """What the command asks.  Raises InputError and CardFileError."""
    words = [word.strip() for word in of.split(",")]
    read_all(
        lambda: read_players(policy),
        lambda: load_chapter(chapter, party, switches),
        lambda: _check_words(chapter, words),
    )
    players = read_players(policy)
    played, player = load_chapter(chapter, party, switches, players), ":".join(players)
    said = {
        "of": of,
        "party": party,
        "set": switches,
        "policy": player,
        "confidence": confidence_said(),
    }
    return Asked(
        played,
        player,
        _read_changes(played, words),
        games,
        seed,
        # Another --of is tried in the same folder, where what they have in common is played.
        chapter_question("sensitivity", [played], (player,), games=games, seed=seed),
        command("sensitivity", chapter, **said, games=games, seed=seed),
    )


def find_out(
    asked: Asked,
    crew: Crew,
    out: Path | None = None,
    see: "Callable[[TriedChanges], None] | None" = None,
) -> Answer:
    """Play what is missing of the chapter and of the changes, and write the page.

    ``see`` is shown what is known after each change, as `try_changes` does.  Raises InputError and
    RunError.
    """
    from analysis.mice_and_mystics.contract import facts_of
    from analysis.mice_and_mystics.experiments.assumptions import GAMES_FOLDER
    from analysis.mice_and_mystics.experiments.effects import try_changes
    from analysis.mice_and_mystics.experiments.sensitivity import (
        sensitivity_table,
        write_sensitivity,
    )
    from analysis.runs import open_run
    from reports.mice_and_mystics.sensitivity.page import write_sensitivity_page
    from reports.mice_and_mystics.sensitivity.text import findings, headline
    from simcore.work.about import working_on

    with working_on(asked.question, out) as work:
        folder = work.folder
        with as_input_error():
            play_run(asked.played.spec(asked.games, asked.seed), folder, crew)
        run = open_run(folder)
        with (
            resumable("finished changes stay", folder),
            crew.progress("trying changes", "games") as advance,
        ):
            effects = try_changes(
                run,
                facts_of(run),
                asked.changes,
                folder / GAMES_FOLDER / str(asked.games),
                games=asked.games,
                threads=crew.threads,
                executor=crew.executor,
                on_progress=advance,
                see=see,
            )
        table = sensitivity_table(effects, asked.player)
        write_sensitivity(table, run)
        with waiting("drawing the charts"):
            page = write_sensitivity_page(table, run.manifest, folder, asked.command)
        found = findings(table)
        work.finish(f"{headline(table)}.", page.name)
    return Answer(effects, table, run.manifest, found, page)


def _print(answer: Answer) -> None:
    """What was played, a table, and what is worth knowing first."""
    from reports.mice_and_mystics.sensitivity.text import (
        describe,
        left_out,
        steps_headings,
        steps_rows,
    )

    print(f"{describe(answer.manifest)}\n")
    print_table(steps_headings(), steps_rows(answer.table), right=range(1, 5))
    print_wrapped(["", *filter(None, [left_out(answer.table)])])
    print_findings(answer.findings)
    print()
    print_report(answer.page.parent, {"html": answer.page}, tables=True)


def _check_words(named: str, words: list[str]) -> None:
    """Raise InputError with all words that mean nothing in the chapter, whoever plays it how."""
    from card_data.faults import CardFileError

    try:
        played = load_chapter(named, ALL_PARTIES, ["parties=any", "encounter_deck=all"])
    except CardFileError:
        return  # told already
    _read_changes(played, words)


def _read_changes(played: "PlayableChapter", words: list[str]) -> "list[Change]":
    """The changes that are tried.  Raises InputError with all words that mean nothing."""
    from analysis.mice_and_mystics.experiments.sensitivity import choose
    from card_data.mice_and_mystics.changes import steps, variables

    facts, settings = played.played()
    try:
        wanted = choose(variables(facts, settings), words)
    except ValueError as error:
        raise InputError("\n".join(f"--of: {line}" for line in str(error).split("\n"))) from None
    changes = steps(facts, settings, wanted)
    if not changes:
        raise InputError("--of: none of these numbers can be one less or one more")
    return changes
