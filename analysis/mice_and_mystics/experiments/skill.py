"""How much of a game is luck, and how much it matters who plays: ``skill``, ``skill_players``.

Each player plays the same deals, and each deal several times.  A *deal* is what chance gives before
the first decision: the party, where one is drawn, the order of both decks, and the starting
abilities, which all players draw.  The replays of a deal are of two kinds.  Some share all chance:
chance is a sequence of numbers, so they meet the same dice and draws for as long as their games
stay alike, and others once a decision differs.  The others share the deal alone.

The variance of the result is then a sum [1]_, each part estimated without bias from products of
games of different replays or deals:

* ``party``: between the mean results of parties;
* ``deal``: between deals of a party, whatever dice follow;
* ``dice``: what games with the same chance have in common beyond their deal.  It counts dice that
  decide in the same way whatever is done, so it is the least that dice decide;
* ``course``: the rest, between games of the same player with the same chance: which of its equally
  good options it takes, and the other dice that its game then meets.

Of all players together there is one more part: ``player``, between their mean results, each
counting the same.  It is about the players who are compared, and grows with the weakest of them.

Deals are the units of independence.  Intervals come from the influence of each deal on the estimate
(the infinitesimal jackknife [2]_), and end at 0 and at 100 %.

References
----------
.. [1] S. R. Searle, G. Casella, C. E. McCulloch, *Variance Components*, Wiley 1992, chapter 4.
.. [2] B. Efron, "Nonparametric estimates of standard error: the jackknife, the bootstrap and other
   methods", Biometrika 68 (1981), 589-599.
"""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import frozen

from analysis.confidence import normal_z
from analysis.estimates import RatioSums, estimate_mean, estimate_rate, interval_columns
from analysis.mice_and_mystics.experiments.trials import Trials, folder_kind, new_trial
from analysis.mice_and_mystics.experiments.usual import SKILL_GAMES
from analysis.mice_and_mystics.outcomes import SCORE
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.registry import Table, with_interval
from analysis.tables import write_tables
from analysis.variance_parts import Known, adding_up, average, products
from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.settings import Settings
from simcore.mice_and_mystics.players.seats import fingerprints
from simcore.places import located
from simcore.work.progress import Progress

_FLOAT = npt.NDArray[np.float64]

#: Replays of each deal, and the first of them with dice of its own.
REPLAYS, FRESH_FROM = 8, 4
#: What results are of: won or not, and the score.
MEASURES = {
    "win_rate": "1 for a game that was won, 0 for any other",
    "score": SCORE,
}
#: The parts of the variance.
SOURCES = {
    "player": "between the players who are compared (of all players together alone)",
    "party": "between the parties that are drawn",
    "deal": "between deals of a party: the order of the decks, the starting abilities",
    "dice": "between dice and draws of a deal, as far as they decide in the same way whatever is "
    "done",
    "course": "between games of a player with the same chance: the choice among equally good "
    "options, and the dice that the game meets because of it",
}
#: The player of rows about all of them together.
ALL_PLAYERS = "all"

KIND = folder_kind("comparison of players", "skill.json", players=[str], games=range(1, 2**63))


@frozen
class Comparison:
    """What is played: a chapter, players from weak to strong, games of each, seed.

    The number of games is rounded up to whole deals.
    """

    facts: Facts
    settings: Settings
    players: tuple[str, ...]
    games: int = SKILL_GAMES
    seed: int = 0

    @property
    def deals(self) -> int:
        """Deals of each player."""
        return -(-self.games // REPLAYS)


def play_players(
    asked: Comparison,
    folder: str | os.PathLike[str],
    *,
    command: str = "",
    threads: int | None = None,
    executor: Executor | None = None,
    on_progress: Progress | None = None,
) -> dict[str, pd.DataFrame]:
    """Play what the folder lacks, and write the tables ``skill`` and ``skill_players`` to it.

    Whoever calls holds the folder (`simcore.work.lock.holding`).  Raises RunError when it holds
    something else or cannot be written, and ValueError for players that cannot play.
    """
    every = [
        new_trial(*(asked.facts, asked.settings, player), replays=REPLAYS, fresh_from=FRESH_FROM)
        for player in asked.players
    ]
    thinking = [one for trial in every for one in trial.players]
    games = asked.deals * REPLAYS
    wanted = {
        "players": list(asked.players),
        "games": games,
        "weights": fingerprints(thinking),
        "command": command,
    }
    trials = Trials(
        KIND,
        located(folder),
        every[0],
        seed=asked.seed,
        asked=wanted,
        threads=threads,
        executor=executor,
    )
    played = trials.play([(trial, range(games)) for trial in every], on_progress)
    results = {
        player: one.reshape(asked.deals, REPLAYS)
        for player, one in zip(asked.players, played, strict=True)
    }
    tables = skill_tables(results, RunFacts(asked.facts, asked.settings, "").page_end)
    write_tables(tables, located(folder), trials.identity())
    return tables


def skill_tables(
    games: Mapping[str, npt.NDArray[np.void]], page_end: int
) -> dict[str, pd.DataFrame]:
    """The tables ``skill`` and ``skill_players``; see `SKILL` and `SKILL_PLAYERS`.

    ``games`` are those of each player, (n_deals, REPLAYS) of `trials.RESULT`, the same deals for
    all; ``page_end`` is the page on which the chapter is lost.
    """
    party = next(iter(games.values()))["party"][:, 0]
    rows = []
    for measure, field, unit in (("win_rate", "won", 1), ("score", "score", page_end)):
        values = {player: found[field] / unit for player, found in games.items()}
        moments = [_Moments(of_player, party) for of_player in values.values()]
        rows_of = partial(_rows, measure=measure, several_parties=len(np.unique(party)) > 1)
        for rung, (player, one) in enumerate(zip(values, moments, strict=True)):
            rows += rows_of([one], player, rung)
        if len(moments) > 1:
            rows += rows_of(moments, ALL_PLAYERS, len(moments))
    return {SKILL.name: SKILL.frame(rows), SKILL_PLAYERS.name: _players_table(games, page_end)}


class _Moments:
    """Means of products of results of a player; their differences are the parts of the variance.

    ``results`` are (n_deals, REPLAYS), ``party`` the party of each deal.  Products are of results
    less their mean, which leaves the differences as they are and makes them more exact.
    """

    def __init__(self, results: _FLOAT, party: npt.NDArray[np.int8]) -> None:
        self.mean = Known.mean(results.mean(axis=1))
        results = results - self.mean.value
        by_deal = results.mean(axis=1)
        self.same_game = Known.mean((results**2).mean(axis=1))
        alike, fresh = results[:, :FRESH_FROM], results[:, FRESH_FROM:]
        in_alike, n_alike = products(alike)
        self.same_chance = Known.mean(in_alike / n_alike)
        in_fresh, n_fresh = products(fresh)
        across = 2 * alike.sum(axis=1) * fresh.sum(axis=1)
        n_across = 2 * alike.shape[1] * fresh.shape[1]
        self.same_deal = Known.mean((in_fresh + across) / (n_fresh + n_across))
        self.same_party = _of_parties(by_deal, party)
        self.any_game = Known.mean(by_deal).squared()


def _of_parties(by_deal: _FLOAT, party: npt.NDArray[np.int8]) -> Known:
    """The mean product of the results of two deals of the same party."""
    value, influence = 0.0, np.empty(len(by_deal))
    for one in np.unique(party):
        there = party == one
        results, n = by_deal[there], int(there.sum())
        mean = results.mean()
        square = (results.sum() ** 2 - (results**2).sum()) / (n * (n - 1)) if n > 1 else mean**2
        value += n / len(party) * square
        influence[there] = 2 * mean * results - mean**2
    return Known(value, influence - influence.mean())


def _rows(
    moments: Sequence[_Moments], player: str, rung: int, measure: str, *, several_parties: bool
) -> list[dict[str, object]]:
    """The rows of one player, or of several together."""

    def mean(name: str) -> Known:
        return average([getattr(one, name) for one in moments])

    whole = mean("same_game") - mean("any_game")
    steps = ["any_game", "same_deal", "same_chance", "same_game"]
    sources = ["deal", "dice", "course"]
    if several_parties:
        steps.insert(1, "same_party")
        sources.insert(0, "party")
    parts = {
        source: mean(more) - mean(less)
        for source, (less, more) in zip(sources, pairwise(steps), strict=True)
    }
    if len(moments) > 1:
        means = [one.mean for one in moments]
        between = average([one.squared() for one in means]) - average(means).squared()
        whole, parts = whole + between, {"player": between, **parts}
    rows = []
    estimates = adding_up([part.of(whole).value for part in parts.values()])
    for (source, part), share in zip(parts.items(), estimates, strict=True):
        _, share_low, share_high = part.of(whole).interval(1)
        variance, low, high = part.interval()
        rows.append(
            {
                "player": player,
                "rung": rung,
                "measure": measure,
                "source": source,
                "n_deals": len(part.influence),
                "share": share,
                "share_ci_low": min(share_low, share),
                "share_ci_high": max(share_high, share),
                "spread": np.sqrt(variance),
                "spread_ci_low": np.sqrt(low),
                "spread_ci_high": np.sqrt(high),
            }
        )
    return rows


def _players_table(games: Mapping[str, npt.NDArray[np.void]], page_end: int) -> pd.DataFrame:
    """One row per player, from weak to strong as they were named."""
    rows, before = [], None
    for rung, (player, found) in enumerate(games.items()):
        wins, scores = found["won"].astype(float), found["score"] / page_end
        row: dict[str, object] = {
            "player": player,
            "rung": rung,
            "n_games": wins.size,
            "n_deals": len(wins),
            **interval_columns("win_rate", estimate_rate(_sums(wins))),
            **interval_columns("score", estimate_mean(_sums(scores))),
        }
        for name, values in (("win_rate_gain", wins), ("score_gain", scores)):
            gain = np.full(len(wins), np.nan)
            if before is not None:
                gain = (values - before[name]).mean(axis=1)
            known = Known.mean(gain)
            row[name] = known.value
            row[f"{name}_ci_low"] = known.value - normal_z() * known.std_err
            row[f"{name}_ci_high"] = known.value + normal_z() * known.std_err
        before = {"win_rate_gain": wins, "score_gain": scores}
        rows.append(row)
    return SKILL_PLAYERS.frame(rows)


def _sums(values: _FLOAT) -> RatioSums:
    """Sums over deals of the results of their replays, (n_deals, REPLAYS)."""
    deals, n = values.shape
    total = values.sum(axis=1)
    sums = (deals, deals * n, total.sum(), deals * n * n, n * total.sum(), (total**2).sum())
    games, *others = (np.asarray(one, float) for one in sums)
    return RatioSums(games, *others)


_WHERE = "in the folder of a comparison of players"
SKILL = Table(
    "skill",
    "One row per player, measure and source of variance",
    {
        "player": f"who plays all mice; `{ALL_PLAYERS}`: the players together, each as often",
        "rung": "place of the player among those compared, from the weakest, 0",
        "measure": "what varies: "
        + "; ".join(f"`{name}`: {meaning}" for name, meaning in MEASURES.items()),
        "source": "where that comes from: "
        + "; ".join(f"`{name}`: {meaning}" for name, meaning in SOURCES.items()),
        "n_deals": f"deals, the units of independence; each was played {REPLAYS} times",
        **with_interval("share", "share of the variance that comes from there"),
        **with_interval(
            "spread",
            "square root of that part of the variance: the standard deviation of what it does",
        ),
    },
    where=_WHERE,
    numbers=("spread",),
)
SKILL_PLAYERS = Table(
    "skill_players",
    "One row per player",
    {
        "player": "who plays all mice",
        "rung": "place of the player among those compared, from the weakest, 0",
        "n_games": "games played",
        "n_deals": f"deals; each was played {REPLAYS} times",
        **with_interval("win_rate", "share of games that were won; interval clustered by deal"),
        **with_interval("score", f"mean score: {SCORE}; interval clustered by deal"),
        **with_interval(
            "win_rate_gain", "`win_rate` minus that of the player before, deal by deal"
        ),
        **with_interval("score_gain", "`score` minus that of the player before, deal by deal"),
    },
    where=_WHERE,
    differences=("win_rate_gain",),
    numbers=("score", "score_gain"),
)
