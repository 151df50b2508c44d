"""The command `balancelab restrict`."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from reports.cli.console import (
    InputError,
    as_input_error,
    print_findings,
    print_json,
    print_table,
    print_wrapped,
    progress,
    resumable,
    waiting,
)
from reports.cli.json_answers import found_json
from reports.mindbug.balance.report_formats import print_report
from reports.mindbug.cli.options import (
    MAX_GAMES,
    ONLY_SETS,
    Json,
    PoolOptions,
    Seed,
    Sets,
    Threads,
    check_band,
    check_even,
    in_a_name,
    read_one_policy,
    whole,
)
from reports.mindbug.cli.steps import compile_engine

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.experiments.ablation import RestrictedPlay
    from card_data.mindbug.schema import Pool
    from reports.kit.words import Finding


def restrict(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    policy: Annotated[
        str, Parameter(help="Who plays, with and without each restriction: one player.")
    ] = "heuristic",
    restrictions: Annotated[
        str | None,
        Parameter(
            help="What the player never does, with commas between: 'mindbugs', 'blocks', 'attacks',"
            " 'repeats', 'hunts', 'sneaks', 'actions', 'boosts', 'purchases', 'rerolls', or a"
            " keyword such as 'tough', for playing the cards that print it; docs/players.md tells"
            " them. Each is played by itself. Default: all that mean something in the pool."
        ),
    ] = None,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(2, MAX_GAMES),
            help="How many games are played with each restriction, an even number: every deal is"
            " played from both sides. Default: 20,000, or 400 where the player searches.",
        ),
    ] = None,
    seed: Seed = 0,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The folder. Default: runs/restrict-SETS-POLICY-GAMES-sSEED. What was interrupted"
            " goes on with the next restriction."
        ),
    ] = None,
    band: Annotated[
        float, Parameter(help="Costs of up to so many percentage points are taken for none.")
    ] = 1.0,
    as_json: Json = False,
) -> None:
    """Restricted play: what it costs a player never to block, attack, use a Mindbug or a keyword.

    The player with the restriction plays the same player without, each deal from both sides. What
    costs much carries the game; what costs nothing is without use, or these players do not know how
    to use it.
    """
    from analysis.mindbug.experiments.ablation import RestrictedPlay

    check_band(band)
    check_even(games)
    one, cards = read_one_policy(policy), pool.load(sets)
    words = _read_restrictions(restrictions, cards, one)
    with as_input_error():
        asked = RestrictedPlay(cards, one, words, games, seed)
    folder = out or _folder(pool.name(sets, cards), asked, restrictions)
    compile_engine([player for player, *_ in asked.pairs])
    source = pool.words(sets, folder / "pool.toml")
    command = _command(source, asked, restrictions, band)
    page, tables = _run(asked, folder, band=band, threads=threads, command=command)
    if as_json:
        answer = {"folder": str(folder), "page": str(page)}
        print_json(answer | found_json(_findings(folder, tables["restrictions"]), tables, folder))
    else:
        _print(folder, tables["restrictions"])
        print()
        print_report(folder, {"html": page}, tables=True)


def _read_restrictions(text: str | None, pool: "Pool", policy: str) -> tuple[str, ...]:
    """The restrictions asked for; without a text all that mean something in the pool.

    Raises InputError.
    """
    from simcore.mindbug import compile_cards, parse_player
    from simcore.mindbug.players.restrictions import RESTRICTIONS, applicable
    from simcore.mindbug.players.seats import unknown_restriction

    with as_input_error():
        means = applicable(compile_cards(pool.sets, pool.modes))
    if text is None:
        known = parse_player(policy).never
        return tuple(word for word in means if word not in known)
    words = tuple(dict.fromkeys(word.strip().lower() for word in text.split(",")))
    for word in words:
        if word not in RESTRICTIONS:
            raise InputError(f"--restrictions: {unknown_restriction(word)}")
        if word not in means:
            raise InputError(
                f"--restrictions: in this pool nobody ever gets to {RESTRICTIONS[word].never}, so"
                f" '{word}' means nothing. Here there are: {', '.join(means)}"
            )
    return tuple(word for word in RESTRICTIONS if word in words)


def _folder(pool: str, asked: "RestrictedPlay", restrictions: str | None) -> Path:
    """The folder of restricted play that was not given one."""
    who = in_a_name(asked.policy)
    some = [] if restrictions is None else ["never", *asked.restrictions]
    return Path(
        "runs",
        "-".join(["restrict", pool, who, *some, str(asked.games or "usual"), f"s{asked.seed}"]),
    )


def _command(
    source: Sequence[str], asked: "RestrictedPlay", restrictions: str | None, band: float
) -> str:
    """The command that plays it again; ``source`` are the words that name the pool."""
    words = ["balancelab", "restrict", *source, "--policy", asked.policy]
    words += [] if restrictions is None else ["--restrictions", ",".join(asked.restrictions)]
    words += [] if asked.games is None else ["--games", str(asked.games)]
    return shlex.join([*words, "--seed", str(asked.seed), "--band", f"{band:g}"])


def _run(
    asked: "RestrictedPlay", folder: Path, *, band: float, threads: int | None, command: str
) -> "tuple[Path, dict[str, pd.DataFrame]]":
    """Play what is missing, and write table, chart and page.  Raises InputError."""
    from analysis.mindbug.experiments.ladder_games import play_pairs
    from reports.mindbug.ablation.page import write_restricted
    from simcore.work.lock import holding

    with holding(folder):
        with (
            as_input_error(),
            resumable("finished restrictions stay", folder),
            progress("playing", "games") as advance,
        ):
            play_pairs(asked, folder, command=command, threads=threads, on_progress=advance)
        with waiting("drawing the chart"):
            return write_restricted(folder, band=band / 100, command=command)


def _findings(folder: Path, table: "pd.DataFrame") -> "list[Finding]":
    """What is worth knowing first."""
    from analysis.mindbug.experiments.ablation import RestrictedPlay
    from analysis.mindbug.experiments.ladder_games import read_contest
    from reports.mindbug.ablation.text import findings

    return list(findings(table, read_contest(RestrictedPlay.kind, folder)["left_out"]))


def _print(folder: Path, table: "pd.DataFrame") -> None:
    """What was played, what each restriction costs, and what is worth knowing first."""
    from analysis.mindbug.experiments.ablation import RestrictedPlay
    from analysis.mindbug.experiments.ladder_games import read_contest
    from reports.kit.words import percent
    from reports.mindbug.ablation.text import describe, q_value, verdict
    from reports.mindbug.balance.text import Q_IN_WORDS

    manifest = read_contest(RestrictedPlay.kind, folder)
    print(f"{describe(manifest)}\n")
    print_table(
        ("never", "what it costs", "q", "games", "came up in"),
        [
            (
                row["never"],
                verdict(row),
                q_value(row),
                f"{row['games']:,}",
                percent(row["games_barred"]),
            )
            for row in table.to_dict("records")
        ],
        right=(2, 3, 4),
    )
    print_wrapped(["", Q_IN_WORDS, ""])
    print_findings(_findings(folder, table))
