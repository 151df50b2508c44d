"""Player against player: the tables ``first_player``, ``card_seats`` and ``outcomes``."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from analysis.estimates import (
    Estimate,
    RatioSums,
    adjust_p,
    corrected,
    estimate_contrast,
    estimate_rate,
    estimate_seen,
    estimate_share,
    interval_columns,
    two_sided_p,
)
from analysis.mindbug.selections import FIRST_WINS, PAIRING, POLICY, SCORE, SEEN, p_value
from analysis.mindbug.tallies import N_OUTCOMES, OWNED, SCORES, Tally, groups
from analysis.registry import HIGH, LOW, Table, q_value, with_ends, with_interval
from analysis.verdicts import CHANGES, LESS, MIN_GAMES, MORE, NOT_SETTLED, changes
from card_data.mindbug.schema import Card
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
                        f"{result}_rate", results.at(place)
                    ).items()
                },
            }
        )
    return pd.DataFrame(rows)


def card_seats_table(
    tally: Tally, pool: Sequence[tuple[str, Card]], policies: Sequence[str]
) -> pd.DataFrame:
    """One row per card and policy; see `CARD_SEATS`.

    ``pool[i]`` is the set id and the card with row number i in the records.  Later stages of an
    evolution line are never dealt and have no row (R101).
    """
    dealt = [row for row, (_, card) in enumerate(pool) if card.stage == 1]
    facts = pd.DataFrame(
        [
            {"card_id": card.card_id, "name": card.name, "set_id": set_id}
            for set_id, card in (pool[row] for row in dealt)
        ]
    )
    counts = tally.seats[dealt].reshape(len(dealt), -1)
    tables = []
    for policy, players in groups(policies):
        table = facts.assign(policy=policy)
        mine = [_seat_cells(players, OWNED, starts=starts) for starts in (True, False)]
        anyone = [
            _seat_cells(players, np.ones_like(OWNED), starts=starts) for starts in (True, False)
        ]
        for seat, cells, base in zip(("first", "second"), mine, anyone, strict=True):
            found = estimate_rate(RatioSums.of_cells(counts, *cells))
            table[f"{seat}_n"] = found.n.astype(np.int64)
            table = table.assign(**interval_columns(f"{seat}_win_rate", found))
            average = RatioSums.of_cells(counts, *base)
            table[f"average_{seat}_win_rate"] = estimate_rate(average).estimate
        gain = estimate_contrast(counts, [*mine, *anyone], (1, -1, -1, 1))
        known = (gain.n >= MIN_GAMES) & (gain.std_err > 0)
        std_err = np.where(known, gain.std_err, np.nan)
        gain = corrected(Estimate.normal(gain.estimate, std_err, gain.n))
        p_values = two_sided_p(gain.estimate, gain.std_err)
        tables.append(
            table.assign(
                **interval_columns("gain", gain),
                std_err=gain.std_err,
                p_value=p_values,
                q_value=adjust_p(p_values),
                verdict=changes(gain.ci_low, gain.ci_high),
            )
        )
    return pd.concat(tables, ignore_index=True)


def _seat_cells(
    players: Sequence[int], owned: np.ndarray, *, starts: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Player-games of players in a seat who own a card, and their points, in each cell of seats.

    ``owned`` has for (player, to whom the card was dealt) whether they count as owners.
    """
    shape = (2, N_OUTCOMES, owned.shape[1])
    n, score = np.zeros((2, *shape))
    for player in players:
        first = player if starts else 1 - player
        n[first] += owned[player]
        score[first] += SCORES[player][:, None] * owned[player]
    return n.ravel(), score.ravel()


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
_IN_SEAT = "player-games in which the card was dealt to a player who {}"
CARD_SEATS = Table(
    "card_seats",
    "One row per card and policy",
    {
        "card_id": "the card",
        "name": "its printed name",
        "set_id": "the set that it belongs to",
        "policy": POLICY,
        **{
            column: meaning
            for seat, who in (("first", "started"), ("second", "did not start"))
            for column, meaning in {
                f"{seat}_n": _IN_SEAT.format(who),
                **with_interval(f"{seat}_win_rate", f"win rate of those player-games. {SCORE}"),
                f"average_{seat}_win_rate": "win rate of all player-games of this policy in which"
                f" the player {who}, whatever they were dealt: that of an average card",
            }.items()
        },
        **with_interval(
            "gain",
            "`first_win_rate` - `second_win_rate` less the same difference of the average card:"
            " by how much more the players dealt the card profit from going first",
        ),
        "std_err": "standard error of `gain`",
        "p_value": p_value("a `gain`"),
        "q_value": q_value("cards"),
        "verdict": "; ".join(f"{word}: {CHANGES[word]}" for word in (MORE, LESS))
        + f"; {NOT_SETTLED}: zero is in the interval, or it is missing. The interval is that of"
        " `gain`, corrected for the number of cards",
    },
    make=lambda run: card_seats_table(run.tally, run.cards, run.policies),
    differences=("gain",),
    json_columns=(
        *("card_id", "name", "policy", "first_n", *with_ends("first_win_rate")),
        *("average_first_win_rate", "second_n", *with_ends("second_win_rate")),
        *("average_second_win_rate", *with_ends("gain"), "q_value", "verdict"),
    ),
    json_rows=lambda table: table["verdict"] != NOT_SETTLED,
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
