"""The command `balancelab verdict`."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from reports.cli.console import (
    as_input_error,
    print_findings,
    print_json,
    print_wrapped,
    progress,
    resumable,
    say,
    waiting,
)
from reports.cli.formats import print_report
from reports.cli.options import Json, Seed, Threads, check_band, whole
from reports.cli.steps import say_compiling
from reports.mindbug.cli.answers import found_json
from reports.mindbug.cli.options import ONLY_SETS, PoolOptions, read_one_policy, use_players
from reports.mindbug.cli.questions import pool_question
from reports.mindbug.cli.steps import ANALYSIS, SINGLE_GAMES, compile_engine
from reports.mindbug.cli.verdict_pool import read_case

if TYPE_CHECKING:
    from analysis.mindbug.experiments.verdict import Case

#: The word for no stronger player.
NOBODY = "none"


def verdict(
    card: Annotated[
        str,
        Parameter(
            name="CARD",
            help="The id or name of a card, or the card file of your own that it is in.",
        ),
    ],
    /,
    *sets: Annotated[
        str,
        Parameter(
            name="SET",
            help="What the card is played with: sets, card files of your own, a pool file, as for"
            " balance. Default: the set that has the card; a card of your own is mixed into First"
            " Contact, or into the sets whose cards its file changes.",
        ),
    ],
    pool: PoolOptions = ONLY_SETS,
    band: Annotated[
        float,
        Parameter(help="Up to this many percentage points from half of the games are balanced."),
    ] = 2.0,
    policy: Annotated[
        str, Parameter(help="Who plays first, as for balance; the same player on both sides.")
    ] = "expert",
    stronger: Annotated[
        str,
        Parameter(
            help="A stronger player, who shows by how much the verdict still moves, or 'none'."
        ),
    ] = "search:16",
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(1_000, 100_000_000),
            help="How many games to play of the pool as it is; all else is in proportion. Default:"
            " 100,000, up to 300,000 in a pool of many cards, a fifth for players who search.",
        ),
    ] = None,
    seed: Seed = 0,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The folder of the verdict. Default: runs/verdict-CARD-SETS-PLAYERS-DAY."
            " Run the same command again to resume."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Find whether a card is too strong, why, and which smallest change mends it.

    Plays the card among those it belongs to, again with an average card in its place, and with each
    step of power and keywords, on the same deals. Says how far the answer holds over players, what
    the card works with and against, and in which games it decided.
    """
    from analysis.mindbug.experiments.verdict import Case, play_case
    from analysis.mindbug.experiments.verdict_tables import verdict_tables
    from reports.mindbug.verdict import text
    from reports.mindbug.verdict.page import write_proposal, write_verdict_page
    from simcore.work.about import working_on

    check_band(band)
    player = read_one_policy(policy)
    beyond = "" if stronger == NOBODY else _read_stronger(stronger, player)
    found = read_case(card, sets, pool)
    case = Case(found.pool, found.card, player, beyond, band / 100, games or 0, seed)
    question = pool_question(
        *("verdict", case.pool, (player, *filter(None, [beyond]))),
        of=case.card.card_id,
        games=case.run_games,
        seed=seed,
        band=band,
    )
    if found.note:
        say(found.note)
    compile_engine([*filter(None, [player, beyond])])
    say_compiling(*ANALYSIS)
    with working_on(question, out) as work:
        out = work.folder
        command = ["balancelab", "verdict", case.card.card_id]
        command += found.options.words(found.sets, out / "pool.toml")
        command += ["--band", f"{band:g}", "--policy", player, "--stronger", stronger]
        more = shlex.join([*command, "--games", str(4 * case.run_games), "--seed", str(seed)])
        command += ["--games", str(case.run_games), "--seed", str(seed)]
        with as_input_error(), resumable("finished games stay", out):
            evidence = play_case(
                case, out, watch=lambda what: progress(what, "games"), threads=threads
            )
        tables = verdict_tables(evidence)
        proposal = write_proposal(evidence, out)
        with waiting("measuring the speed"):
            minutes = 4 * _seconds(case, threads) / 60
        play_it = ""
        if proposal is not None:
            again = ["balancelab", "verdict", case.card.card_id]
            again += found.options.words(found.sets, out / "pool.toml")
            play_it = f"To play it: {shlex.join([*again, '--cards', str(proposal)])}"
        findings = text.findings(tables, text.surer_text(more, minutes), play_it)
        say_compiling(*SINGLE_GAMES)
        with waiting("drawing the page"):
            page = write_verdict_page(evidence, tables, findings, out, shlex.join(command))
        sentence = text.sentence(tables)
        work.finish(sentence, page.name)
    if as_json:
        answer = {
            "folder": str(out),
            "page": str(page),
            "card": case.card.card_id,
            "sentence": sentence.replace("\N{WORD JOINER}", ""),
            "proposal": None if proposal is None else str(proposal),
        }
        print_json(answer | found_json(findings, tables, out))
        return
    print_wrapped([sentence, "", text.describe(evidence.manifest)])
    print_findings(findings)
    print()
    print_report(out, {"html": page}, tables=True)


def _read_stronger(text: str, player: str) -> str:
    """The stronger player.  Raises InputError where it is the first one."""
    from reports.cli.console import InputError
    from simcore.mindbug.players.seats import fingerprints, parse_player

    with as_input_error("--stronger"):
        parse_player(text)
        use_players([text])
        fingerprints([text])
    if text == player:
        raise InputError(
            f"--stronger is {text}, who plays first already; name another, or '{NOBODY}'"
        )
    return text


def _seconds(case: "Case", threads: int | None) -> float:
    """About how long everything takes that a case asks for, measured with a few games of each."""
    import os
    from time import thread_time

    from simcore.mindbug import compile_cards, play_games

    table, seconds = compile_cards(case.pool.sets, case.pool.modes), 0.0
    for player, games in case.most_games.items():
        few = 50 if ":" in player else 400
        began = thread_time()
        play_games(table, n_games=few, seed=case.seed, policies=(player, player))
        seconds += (thread_time() - began) * games / few
    return seconds / (threads or os.cpu_count() or 1)
