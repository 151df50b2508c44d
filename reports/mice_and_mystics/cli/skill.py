"""The command `fairdeal skill` of Mice & Mystics."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from analysis.confidence import confidence_said
from analysis.mice_and_mystics.experiments.usual import SEARCHED_SKILL_GAMES, SKILL_GAMES
from reports.cli.compute import HERE, Compute
from reports.cli.console import (
    InputError,
    as_input_error,
    print_findings,
    print_json,
    print_table,
    read_all,
    resumable,
    waiting,
)
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.formats import print_report
from reports.cli.json_answers import found_json
from reports.cli.options import MAX_GAMES, Json, Seed, to_place, whole, with_confidence
from reports.games import reports_of
from reports.mice_and_mystics.cli.options import (
    ALL_PARTIES,
    NAMED,
    Switches,
    load_chapter,
    use_players,
)
from reports.mice_and_mystics.cli.questions import chapter_question
from simcore.commands import command
from simcore.mice_and_mystics.players.registry import POLICIES

#: Players who are compared unless others are named: those who need no number.
USUAL_PLAYERS = ",".join(
    name
    for name, policy in POLICIES.items()
    if policy.number is None or policy.number.default is not None
)


@with_confidence
def skill(
    *chapter: Annotated[str, Parameter(name="CHAPTER", help=NAMED)],
    party: Annotated[
        str,
        Parameter(
            help="The heroes, as in 'collin,nez,tilda,filch', or"
            f" '{ALL_PARTIES}': every deal draws one of the legal parties."
        ),
    ] = ALL_PARTIES,
    switches: Switches = None,
    players: Annotated[
        str,
        Parameter(
            help="Players from weak to strong with commas between, each as --policy spells it:"
            " 'heuristic@0.2,heuristic,learned'."
        ),
    ] = USUAL_PLAYERS,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(80, MAX_GAMES),
            help="How many games each player plays: every deal 8 times. Default:"
            f" {SKILL_GAMES:,}, or {SEARCHED_SKILL_GAMES:,} where a player searches.",
        ),
    ] = None,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder of the comparison. Default:"
            " runs/skill-CHAPTER-PARTY-PLAYERS-DAY. Run the same command again to resume.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find how much of a chapter is luck, and how much it matters who plays.

    All players play the same deals, and each deal several times: with the same dice waiting, and
    with others. Tells what a better player gains, and how much of winning the party, the cards and
    the dice decide.
    """
    named = "+".join(chapter)
    read_all(lambda: _read_players(players), lambda: load_chapter(named, party, switches or ()))
    wanted, played = _read_players(players), load_chapter(named, party, switches or ())
    from analysis.mice_and_mystics.experiments.skill import (
        KIND,
        REPLAYS,
        Comparison,
        play_players,
    )
    from reports.kit.words import headline
    from reports.mice_and_mystics.skill.page import write_skill_page
    from reports.mice_and_mystics.skill.text import PLAYERS_TABLE, describe, findings, players_rows
    from simcore.mice_and_mystics.players.seats import split_players
    from simcore.work.about import working_on
    from simcore.work.folder import read_asked

    games = games or (
        SEARCHED_SKILL_GAMES if any("search" in one for one in wanted) else SKILL_GAMES
    )
    again = {
        "party": party,
        "set": switches,
        "players": ",".join(wanted),
        "confidence": confidence_said(),
    }
    asked = Comparison(*played.played(), wanted, games, seed)
    if dry_run:
        n = asked.deals * REPLAYS
        plans = [played.plan(n, seed, split_players(one)) for one in wanted]
        tell_cost(plans, compute, as_json=as_json)
        return
    reports_of("mice_and_mystics").compile_engine(wanted)
    question = chapter_question("skill", [played], wanted, games=games, seed=seed)
    with compute.start() as crew, working_on(question, out) as work:
        folder = work.folder
        with (
            as_input_error(),
            resumable("finished games stay", folder),
            crew.progress("playing", "games") as advance,
        ):
            tables = play_players(
                asked,
                folder,
                command=command("skill", named, **again, games=games, seed=seed),
                threads=crew.threads,
                executor=crew.executor,
                on_progress=advance,
            )
        manifest = read_asked(KIND, folder)
        with waiting("drawing the charts"):
            page = write_skill_page(tables, manifest, folder)
        found = findings(tables)
        work.finish(headline(found), page.name)
    if as_json:
        answer = {"folder": str(folder), "page": str(page)}
        print_json(answer | found_json("mice_and_mystics", found, tables, folder))
        return
    print(f"{describe(manifest)}\n")
    print_table(PLAYERS_TABLE, players_rows(tables), right=range(1, 9))
    print()
    print_findings(found)
    print()
    print_report(folder, {"html": page}, tables=True)


def _read_players(text: str) -> tuple[str, ...]:
    """The players that are compared.  Raises InputError with all that are none."""
    from simcore.mice_and_mystics.players.seats import fingerprints, split_players

    players, wrong = [one.strip() for one in text.split(",")], []
    for one in dict.fromkeys(players):
        try:
            use_players(split_players(one))
            fingerprints(split_players(one))
        except ValueError as error:
            wrong.append(f"--players: {error}")
        if players.count(one) > 1:
            wrong.append(f"--players: '{one}' is named twice")
    if wrong:
        raise InputError("\n".join(wrong))
    return tuple(players)
