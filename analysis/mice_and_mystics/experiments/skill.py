"""How much of a game is luck, and how much it matters who plays: ``skill``, ``skill_players``.

The mechanism is that of all games (`analysis.questions.skill`).  A *deal* is what chance gives
before the first decision: the party, where one is drawn, the order of both decks, and the starting
abilities, which all players draw.  Chance is a sequence of numbers, so replays that share all of it
meet the same dice and draws for as long as their games stay alike, and others once a decision
differs.  The parts of the variance are:

* ``party``: between the mean results of parties;
* ``deal``: between deals of a party, whatever dice follow;
* ``dice``: what games with the same chance have in common beyond their deal.  It counts dice that
  decide in the same way whatever is done, so it is the least that dice decide;
* ``course``: the rest, between games of the same player with the same chance: which of its equally
  good options it takes, and the other dice that its game then meets.
"""

import os
from collections.abc import Mapping
from typing import Unpack

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import evolve, frozen

from analysis.confidence import normal_z
from analysis.estimates import RatioSums, estimate_mean, estimate_rate, interval, interval_columns
from analysis.mice_and_mystics.experiments.trials import Trials, folder_kind, new_trial
from analysis.mice_and_mystics.experiments.usual import SKILL_GAMES
from analysis.mice_and_mystics.outcomes import SCORE
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.questions import skill
from analysis.registry import Table, with_interval
from analysis.tables import write_tables
from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.settings import Settings
from simcore.arrays import Floats, Records
from simcore.mice_and_mystics.players.seats import fingerprints
from simcore.places import located
from simcore.work.hands import Who
from simcore.work.progress import Progress

#: What results are of: won or not, and the score.
MEASURES = {
    "win_rate": "1 for a game that was won, 0 for any other",
    "score": SCORE,
}
#: The parts of the variance.
SOURCES = {
    skill.PLAYER: skill.PLAYER_MEANS,
    "party": "between the parties that are drawn",
    "deal": "between deals of a party: the order of the decks, the starting abilities",
    "dice": "between dice and draws of a deal, as far as they decide in the same way whatever is "
    "done",
    "course": "between games of a player with the same chance: the choice among equally good "
    "options, and the dice that the game meets because of it",
}
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
        return -(-self.games // skill.REPLAYS)


def play_players(
    asked: Comparison,
    folder: str | os.PathLike[str],
    *,
    command: str = "",
    on_progress: Progress | None = None,
    **who: Unpack[Who],
) -> dict[str, pd.DataFrame]:
    """Play what the folder lacks, and write the tables ``skill`` and ``skill_players`` to it.

    Whoever calls holds the folder (`simcore.work.lock.holding`).  Raises RunError when it holds
    something else or cannot be written, and ValueError for players that cannot play.
    """
    every = [
        new_trial(
            *(asked.facts, asked.settings, player),
            replays=skill.REPLAYS,
            fresh_from=skill.FRESH_FROM,
        )
        for player in asked.players
    ]
    thinking = [one for trial in every for one in trial.players]
    games = asked.deals * skill.REPLAYS
    wanted = {
        "players": list(asked.players),
        "games": games,
        "weights": fingerprints(thinking),
        "command": command,
    }
    trials = Trials(KIND, located(folder), every[0], seed=asked.seed, asked=wanted, **who)
    played = trials.play([(trial, range(games)) for trial in every], on_progress)
    results = {
        player: one.reshape(asked.deals, skill.REPLAYS)
        for player, one in zip(asked.players, played, strict=True)
    }
    tables = skill_tables(results, RunFacts(asked.facts, asked.settings, "").page_end)
    write_tables(tables, located(folder), trials.identity())
    return tables


def skill_tables(games: Mapping[str, Records], page_end: int) -> dict[str, pd.DataFrame]:
    """The tables ``skill`` and ``skill_players``; see `SKILL` and `SKILL_PLAYERS`.

    ``games`` are those of each player, (n_deals, REPLAYS) of `trials.RESULT`, the same deals for
    all; ``page_end`` is the page on which the chapter is lost.
    """
    party = next(iter(games.values()))["party"][:, 0]
    rows = []
    for measure, field, unit in (("win_rate", "won", 1), ("score", "score", page_end)):
        moments = {player: _moments(found[field] / unit, party) for player, found in games.items()}
        rows += skill.player_rows(moments, measure)
    return {SKILL.name: SKILL.frame(rows), SKILL_PLAYERS.name: _players_table(games, page_end)}


def _moments(results: Floats, party: npt.NDArray[np.int8]) -> skill.Moments:
    """The moments of a player's results, (n_deals, REPLAYS); ``party`` is that of each deal."""
    found = skill.Moments.of(results, "deal", "dice", "course")
    if len(np.unique(party)) == 1:
        return found
    same_party = _of_parties((results - found.mean.value).mean(axis=1), party)
    return evolve(found, shared={"party": same_party, **found.shared})


def _of_parties(by_deal: Floats, party: npt.NDArray[np.int8]) -> skill.Known:
    """The mean product of the results of two deals of the same party."""
    value, influence = 0.0, np.empty(len(by_deal))
    for one in np.unique(party):
        there = party == one
        results, n = by_deal[there], int(there.sum())
        mean = results.mean()
        square = (results.sum() ** 2 - (results**2).sum()) / (n * (n - 1)) if n > 1 else mean**2
        value += n / len(party) * square
        influence[there] = 2 * mean * results - mean**2
    return skill.Known(value, influence - influence.mean())


def _players_table(games: Mapping[str, Records], page_end: int) -> pd.DataFrame:
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
            known = skill.Known.mean(gain)
            row |= interval(name, known.value, normal_z() * known.std_err)
        before = {"win_rate_gain": wins, "score_gain": scores}
        rows.append(row)
    return SKILL_PLAYERS.frame(rows)


def _sums(values: Floats) -> RatioSums:
    """Sums over deals of the results of their replays, (n_deals, REPLAYS)."""
    deals, n = values.shape
    return RatioSums.of_games(np.full(deals, n), values.sum(axis=1))


SKILL = skill.parts_table("who plays all mice", MEASURES, SOURCES)
SKILL_PLAYERS = Table(
    "skill_players",
    "One row per player",
    {
        "player": "who plays all mice",
        "rung": skill.RUNG,
        "n_games": "games played",
        "n_deals": f"deals; each was played {skill.REPLAYS} times",
        **with_interval("win_rate", "share of games that were won; interval clustered by deal"),
        **with_interval("score", f"mean score: {SCORE}; interval clustered by deal"),
        **with_interval(
            "win_rate_gain", "`win_rate` minus that of the player before, deal by deal"
        ),
        **with_interval("score_gain", "`score` minus that of the player before, deal by deal"),
    },
    where=skill.WHERE,
    differences=("win_rate_gain",),
    numbers=("score", "score_gain"),
)
