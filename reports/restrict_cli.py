"""What `balancelab restrict` does, apart from its options, which are in `reports.cli`."""

import math
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reports.console import InputError, print_table, print_wrapped, progress, waiting

if TYPE_CHECKING:
    import pandas as pd

    from analysis.restricted import RestrictedPlay
    from card_data.schema import Pool
    from reports.wording import Finding


def read_restrictions(text: str | None, pool: "Pool", policy: str) -> tuple[str, ...]:
    """The restrictions asked for; without a text all that mean something in the pool.

    Raises InputError.
    """
    from simcore.mindbug import compile_cards, parse_player
    from simcore.mindbug.players import unknown_restriction
    from simcore.mindbug.restrictions import RESTRICTIONS, applicable

    try:
        means = applicable(compile_cards(pool.sets, pool.modes))
    except ValueError as error:
        raise InputError(str(error)) from None
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


def check_options(games: int | None, band: float) -> None:
    """What can be wrong before anything is read.  Raises InputError."""
    if not (math.isfinite(band) and 0 < band < 100):
        raise InputError(f"--band is {band:g}; it must be above 0 and below 100 percentage points")
    if games is not None and games % 2:
        raise InputError(
            f"--games is {games:,}; it must be even, since every deal is played from both sides,"
            f" for instance {games + 1:,}"
        )


def restrict_folder(pool: str, asked: "RestrictedPlay", restrictions: str | None) -> Path:
    """The folder of restricted play that was not given one."""
    who = re.sub(r"[^\w.]+", "-", asked.policy)
    some = [] if restrictions is None else ["never", *asked.restrictions]
    return Path(
        "runs",
        "-".join(["restrict", pool, who, *some, str(asked.games or "usual"), f"s{asked.seed}"]),
    )


def restrict_command(
    source: Sequence[str], asked: "RestrictedPlay", restrictions: str | None, band: float
) -> str:
    """The command that plays it again; ``source`` are the words that name the pool."""
    words = ["balancelab", "restrict", *source, "--policy", asked.policy]
    words += [] if restrictions is None else ["--restrictions", ",".join(asked.restrictions)]
    words += [] if asked.games is None else ["--games", str(asked.games)]
    return shlex.join([*words, "--seed", str(asked.seed), "--band", f"{band:g}"])


def run_restricted(
    asked: "RestrictedPlay", folder: Path, *, band: float, threads: int | None, command: str
) -> "tuple[Path, dict[str, pd.DataFrame]]":
    """Play what is missing, and write table, chart and page.  Raises InputError."""
    from analysis.ladder_games import play_pairs
    from reports.restrict_page import write_restricted

    try:
        with progress("playing", "games") as advance:
            play_pairs(asked, folder, command=command, threads=threads, on_progress=advance)
    except ValueError as error:
        raise InputError(str(error)) from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"finished restrictions stay in {folder} and the same command goes on from there"
        ) from None
    with waiting("drawing the chart"):
        return write_restricted(folder, band=band / 100, command=command)


def restricted_findings(folder: Path, table: "pd.DataFrame") -> "list[Finding]":
    """What is worth knowing first."""
    from analysis.ladder_games import read_asked
    from analysis.restricted import RestrictedPlay
    from reports.restrict_words import findings

    return list(findings(table, read_asked(RestrictedPlay.kind, folder)["left_out"]))


def print_restricted(folder: Path, table: "pd.DataFrame") -> None:
    """What was played, what each restriction costs, and what is worth knowing first."""
    from analysis.ladder_games import read_asked
    from analysis.restricted import RestrictedPlay
    from reports.restrict_words import describe, q_value, verdict
    from reports.theme import percent

    manifest = read_asked(RestrictedPlay.kind, folder)
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
    print()
    found = restricted_findings(folder, table)
    print_wrapped(f"{told.topic}: {told.text}" for told in found)
