"""The command `balancelab rebalance` of Mice & Mystics."""

import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from analysis.mice_and_mystics.experiments.levers import LEVERS, USUAL_LEVERS
from analysis.mice_and_mystics.experiments.usual import (
    CANDIDATE_GAMES,
    CONFIRM_GAMES,
    PLAYER,
    SEARCH_GAMES,
)
from card_data.faults import CardFileError, unknown_word
from reports.cli.compute import HERE, Compute
from reports.cli.console import (
    InputError,
    as_input_error,
    print_findings,
    print_json,
    read_all,
    resumable,
    waiting,
)
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.json_answers import found_json
from reports.cli.options import Json, Seed, to_place, whole
from reports.games import reports_of
from reports.mice_and_mystics.cli.options import (
    ALL_PARTIES,
    NAMED,
    Policy,
    Switches,
    load_chapter,
    read_players,
)
from reports.mice_and_mystics.cli.questions import chapter_question

if TYPE_CHECKING:
    from analysis.mice_and_mystics.experiments.rebalance_goals import Band


def rebalance(
    *chapter: Annotated[str, Parameter(name="CHAPTER", help=NAMED)],
    band: Annotated[
        str,
        Parameter(
            help="The band of win rates in per cent that every party should be in, as in '45,55'."
        ),
    ] = "45,55",
    party: Annotated[
        str,
        Parameter(
            help=f"The heroes, as in 'collin,nez,tilda,filch', or '{ALL_PARTIES}': every legal"
            " party should be in the band."
        ),
    ] = ALL_PARTIES,
    switches: Switches = None,
    policy: Policy = None,
    changes: Annotated[
        str,
        Parameter(
            help="What may be changed, with commas between: 'heroes', 'minions', 'encounters',"
            " 'chapters' (minions at the start, the last page), 'rules' (the numbers of --set),"
            " 'abilities', 'search_cards'."
        ),
    ] = ",".join(USUAL_LEVERS),
    step: Annotated[
        int,
        Parameter(converter=whole(1, 5), help="By how much a number may be changed, up or down."),
    ] = 1,
    keep: Annotated[
        str | None,
        Parameter(
            help="Ids of entries, with commas between, and numbers of --set, that stay as they"
            " are: 'collin,roach,page_end'."
        ),
    ] = None,
    most_changes: Annotated[
        int | None,
        Parameter(converter=whole(1, 1000), help="How many numbers may change. Default: any."),
    ] = None,
    games: Annotated[
        int,
        Parameter(
            converter=whole(100, 10_000_000),
            help="How many games to play with each candidate, of all parties together.",
        ),
    ] = CANDIDATE_GAMES,
    confirm: Annotated[
        int,
        Parameter(
            converter=whole(100, 100_000_000),
            help="How many fresh games to play with each plan of the answer.",
        ),
    ] = CONFIRM_GAMES,
    budget: Annotated[
        int,
        Parameter(
            converter=whole(100, 1_000_000_000), help="How many games the search may play in all."
        ),
    ] = SEARCH_GAMES,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder of the search. Default:"
            " runs/rebalance-CHAPTER-PARTY-PLAYER-DAY. Run the same command again to"
            " resume.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find small changes that bring every party into a band of win rates, and confirm them.

    Changes race on the same chance, the best are combined, and fresh games confirm the answer. The
    proposal is a file of your own and settings, which 'balance' and 'compare' can play.
    """
    named, levers = "+".join(chapter), [one.strip() for one in changes.split(",")]
    kept = [one.strip() for one in keep.split(",")] if keep else []
    read_all(
        lambda: _read_band(band),
        lambda: read_players(policy),
        lambda: _check_levers(levers),
        lambda: load_chapter(named, party, switches or ()),
        lambda: _check_kept(named, kept),
    )
    from analysis.mice_and_mystics.experiments.rebalance import Question, allowed_changes
    from analysis.mice_and_mystics.experiments.rebalance import rebalance as search
    from reports.mice_and_mystics.rebalance.page import write_rebalance_page
    from reports.mice_and_mystics.rebalance.text import commands_to_play, describe, findings
    from reports.rebalance.text import headline
    from simcore.work.about import working_on

    played, player = load_chapter(named, party, switches or ()), policy or PLAYER
    facts, settings = played.played()
    allowed = allowed_changes(
        facts,
        settings,
        levers,
        step=step,
        but=lambda one: one.entry in kept or one.number in kept,
    )
    question = Question(
        *(facts, settings, _read_band(band), allowed, player),
        games=games,
        confirm=confirm,
        budget=budget,
        most=most_changes,
        seed=seed,
    )
    words = ["balancelab", "rebalance", named, "--band", band, "--party", party]
    words += [word for one in switches or () for word in ("--set", one)]
    words += ["--policy", player, "--changes", ",".join(levers), "--step", str(step)]
    words += ["--keep", keep] if keep else []
    words += ["--most-changes", str(most_changes)] if most_changes else []
    words += ["--games", str(games), "--confirm", str(confirm), "--budget", str(budget)]
    words += ["--seed", str(seed)]
    asked = chapter_question("rebalance", [played], (player,), games=games, seed=seed, words=words)
    if dry_run:
        players = read_players(policy)
        plans = [
            played.plan(budget, seed, players, bound="at most"),
            played.plan(2 * confirm, question.fresh_seed, players, bound="at least"),
        ]
        tell_cost(plans, compute, as_json=as_json)
        return
    reports_of("mice_and_mystics").compile_engine(read_players(policy))
    with compute.start() as crew, working_on(asked, out) as work:
        folder = work.folder
        with as_input_error(), resumable("games played so far stay", folder):
            answer = search(
                question,
                folder,
                watch=crew.watch,
                solving=lambda: waiting("choosing changes"),
                threads=crew.threads,
                executor=crew.executor,
            )
        tables, manifest = answer.tables, answer.manifest
        to_play = commands_to_play(manifest, folder, named)
        with waiting("drawing the charts"):
            page = write_rebalance_page(
                tables, manifest, folder, command=shlex.join(words), to_play=to_play
            )
        found = findings(tables, manifest)
        work.finish(headline(manifest, tables["changes"]), page.name)
    if as_json:
        answers = {"folder": str(folder), "page": str(page), "to_play": to_play, **manifest}
        print_json(answers | found_json("mice_and_mystics", found, tables, folder))
        return
    print(describe(manifest))
    print_findings(found)
    if to_play:
        print("\nto play it:")
        for line in to_play:
            print(f"  {line}")
    print(f"\nreport: {page}")
    if manifest["file"]:
        print(f"proposal: {folder / manifest['file']}")
    print(f"tables: {folder / 'tables'}\ncharts: {folder / 'figures'}")


def _read_band(text: str) -> "Band":
    """The band that two numbers with a comma between them spell, in per cent."""
    from analysis.mice_and_mystics.experiments.rebalance_goals import Band

    try:
        least, most = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(
            f"--band: '{text}' is no band; write two numbers in per cent, as in 45,55"
        ) from None
    if not (math.isfinite(least) and math.isfinite(most) and 0 <= least < most <= 100):
        raise InputError(
            f"--band: {text} is no band; the first number must be below the second, both from 0 to"
            " 100 per cent"
        )
    return Band(least / 100, most / 100)


def _check_levers(levers: list[str]) -> None:
    """Raise InputError with all words of ``--changes`` that are none."""
    wrong = [
        f"--changes: {unknown_word('kind of change', one, LEVERS)}"
        for one in levers
        if one not in LEVERS
    ]
    if wrong:
        raise InputError("\n".join(wrong))


def _check_kept(named: str, kept: list[str]) -> None:
    """Raise InputError with all words of ``--keep`` that name nothing."""
    from card_data.mice_and_mystics.changes import OF_ENTRIES
    from card_data.mice_and_mystics.loader import load_named
    from card_data.mice_and_mystics.settings import SETTINGS

    if not kept:
        return
    try:
        facts, _ = load_named(named)
    except CardFileError:
        return  # told already
    known = (*(entry.id for kind in OF_ENTRIES for entry in getattr(facts, kind)), *SETTINGS)
    wrong = [f"--keep: {unknown_word('entry', one, known)}" for one in kept if one not in known]
    if wrong:
        raise InputError("\n".join(wrong))
