"""Player against player: the tables ``first_player`` and ``outcomes``, by who started."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from analysis.estimates import (
    Estimate,
    RatioSums,
    estimate_rate,
    estimate_seen,
    estimate_share,
    interval_columns,
)
from analysis.mindbug.columns import FIRST_WINS, PAIRING, SEEN
from analysis.mindbug.tallies import N_OUTCOMES, Tally
from analysis.registry import HIGH, LOW, Table, with_interval
from simcore.mindbug.table.records import STOPPED, Ending

_SCORE = np.array([1.0, 0.5, 0.0])  # of the player who starts: won, drew, lost


def pairings(tally: Tally, policies: Sequence[str]) -> Iterator[tuple[str, str, np.ndarray]]:
    """Each pair of policies in the order of play, with its games.

    Yields
    ------
    policy_first, policy_second : str
    games : ndarray(int64), shape (n_turns, 3, n_endings)
        Games by turns, outcome for the player who starts (won, drew, lost) and ending.
    """
    first_is_0, first_is_1 = tally.games[:, 0], tally.games[:, 1, ::-1]
    if policies[0] == policies[1]:
        yield policies[0], policies[0], first_is_0 + first_is_1
    else:
        yield policies[0], policies[1], first_is_0
        yield policies[1], policies[0], first_is_1


def first_player_table(tally: Tally, policies: Sequence[str]) -> pd.DataFrame:
    """One row per pair of policies in the order of play; see `FIRST_PLAYER`."""
    rows = []
    for first, second, games in pairings(tally, policies):
        won, drawn, lost = games.sum(axis=(0, 2))
        rate = estimate_rate(RatioSums.of_cells([won, drawn, lost], np.ones(N_OUTCOMES), _SCORE))
        results = estimate_share([won, drawn, lost], won + drawn + lost)
        rows.append(
            {
                "policy_first": first,
                "policy_second": second,
                "n_games": won + drawn + lost,
                "first_player_win_rate": float(rate.estimate),
                "ci_low": float(rate.ci_low),
                "ci_high": float(rate.ci_high),
                "won": won,
                "drawn": drawn,
                "lost": lost,
                **{
                    column: value
                    for place, result in enumerate(("won", "draw", "lost"))
                    for column, value in interval_columns(
                        f"{result}_rate", Estimate(*(ends[place] for ends in results))
                    ).items()
                },
            }
        )
    return pd.DataFrame(rows)


def outcomes_table(tally: Tally, policies: Sequence[str]) -> pd.DataFrame:
    """One row per pair of policies, ending and seat; see `OUTCOMES`."""
    rows = []
    for first, second, games in pairings(tally, policies):
        by_ending = games.sum(axis=0).T  # (ending, outcome for the player who starts)
        n_games = by_ending.sum()
        for ending in Ending:
            for seat, policy in (("first", first), ("second", second)):
                won, drawn, lost = by_ending[ending] if seat == "first" else by_ending[ending][::-1]
                rows.append(
                    {
                        "policy_first": first,
                        "policy_second": second,
                        "ending": ending.name.lower(),
                        "seat": seat,
                        "policy": policy,
                        "n_games": n_games,
                        "ended": won + drawn + lost,
                        **interval_columns(
                            "ended_rate", estimate_share(won + drawn + lost, n_games)
                        ),
                        "won": won,
                        **interval_columns("won_rate", estimate_share(won, n_games)),
                        "drawn": drawn,
                        "lost": lost,
                    }
                )
    return pd.DataFrame(rows)


def turns_table(tally: Tally, policies: Sequence[str]) -> pd.DataFrame:
    """Game length: one row per pair of policies and number of turns; see `TURNS`."""
    blocks = []
    for first, second, games in pairings(tally, policies):
        by_outcome = games.sum(axis=2)
        n_games = by_outcome.sum(axis=1)
        rate = estimate_rate(RatioSums.of_cells(by_outcome, np.ones(N_OUTCOMES), _SCORE))
        block = pd.DataFrame(
            {
                "policy_first": first,
                "policy_second": second,
                "turns": np.arange(len(n_games)),
                "n_games": n_games,
                "won": by_outcome[:, 0],
                "drawn": by_outcome[:, 1],
                "lost": by_outcome[:, 2],
                "stopped": games[:, :, list(STOPPED)].sum(axis=(1, 2)),
                **interval_columns("share", estimate_seen(n_games, n_games.sum())),
                "cumulative_share": n_games.cumsum() / max(n_games.sum(), 1),
                "first_player_win_rate": rate.estimate,
                "ci_low": rate.ci_low,
                "ci_high": rate.ci_high,
            }
        )
        blocks.append(block[n_games > 0])
    return pd.concat(blocks, ignore_index=True)


FIRST_PLAYER = Table(
    "first_player",
    "One row per pair of policies, in the order of play",
    {
        **PAIRING,
        "n_games": "games in which these policies met in this order",
        "first_player_win_rate": FIRST_WINS,
        "ci_low": f"`first_player_win_rate`: {LOW}",
        "ci_high": f"`first_player_win_rate`: {HIGH}",
        "won": "games won by the player who started",
        "drawn": "games without a winner",
        "lost": "games lost by the player who started",
        **with_interval("won_rate", "share of games won by the player who started"),
        **with_interval("draw_rate", "share of games without a winner"),
        **with_interval("lost_rate", "share of games lost by the player who started"),
    },
    make=lambda run: first_player_table(run.tally, run.policies),
)
TURNS = Table(
    "turns",
    "One row per pair of policies and number of turns",
    {
        **PAIRING,
        "turns": "number of turns; extra turns count (R20)",
        "n_games": "games that lasted this many turns",
        "won": "those of them that the player who started won",
        "drawn": "those of them without a winner",
        "lost": "those of them that the player who started lost",
        "stopped": "those of them that were stopped (R20) and did not end by the rules",
        **with_interval("share", f"share of the games of this pair of policies; {SEEN}"),
        "cumulative_share": "share of games that lasted this many turns or fewer",
        "first_player_win_rate": f"among the games of this length: {FIRST_WINS}",
        "ci_low": f"`first_player_win_rate`: {LOW}",
        "ci_high": f"`first_player_win_rate`: {HIGH}",
    },
    make=lambda run: turns_table(run.tally, run.policies),
    json_columns=(),
)
OUTCOMES = Table(
    "outcomes",
    "One row per pair of policies, ending and seat",
    {
        **PAIRING,
        "ending": "how games ended: life, no_action (R18), capped or looped (R20), "
        "effect (C52, C59)",
        "seat": "first or second: the player that the row is about, by who starts",
        "policy": "the policy of that player",
        "n_games": "games of this pair of policies, however they ended",
        "ended": "games that ended this way, the same for both seats",
        **with_interval("ended_rate", "share of games that ended this way"),
        "won": "games that the player of this seat won this way",
        **with_interval("won_rate", "share of games that the player of this seat won this way"),
        "drawn": "draws that ended this way",
        "lost": "games that the player of this seat lost this way",
    },
    make=lambda run: outcomes_table(run.tally, run.policies),
    json_columns=(),
)
