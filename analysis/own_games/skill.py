"""What stronger play changes in a game that somebody brings, and how much of it is luck.

The parts of the variance are those of all games (`analysis.questions.skill`): the *deal* is what
lies where before the first decision, *chance* is dice and draws behind it, *choices* are the rest.
Of a game with several sides each part is the mean over the sides.

What playing better gains is measured side by side: on the same deals with the same luck a player
takes the seats of one side, in turn each, where all others are the player before.  Where all play
together that is everybody.  What entries are worth is measured among players of one kind, by the
measure of their kind (`analysis.own_games.effects`).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pandas as pd
from attrs import evolve, frozen

from analysis.estimates import adjust_p, corrected_z, interval, two_sided_p
from analysis.experiments.watch import Watch
from analysis.influence import Influence
from analysis.own_games.effects import EntryEffect, EntryEffects, Games, difference, estimate_of
from analysis.own_games.trials import PLAYED, OwnTrials
from analysis.questions import skill
from analysis.registry import Registry, q_value, with_interval
from analysis.registry import Table as Columns
from analysis.tables import write_tables
from analysis.verdicts import BAND, CHANGES, MEANINGS, MIN_GAMES, changes, verdict
from card_data.schema import Entry
from card_data.schema.kinds import MEASURES
from simcore.arrays import Floats, Integers
from simcore.contract.play import Replay, Table
from simcore.own_games.setup import ENTRIES, OwnSetup, entries_of
from simcore.work.about import in_a_name
from simcore.work.folder import VERSIONS, FolderKind, begin, versions_of
from simcore.work.hands import Hands, Who

#: What the parts of the variance are.
SOURCES = {
    skill.PLAYER: skill.PLAYER_MEANS,
    "deal": "between deals: what lies where before the first decision",
    "chance": "between dice and draws behind the deal, as far as they decide in the same way"
    " whatever is done",
    "choices": "between games with the same luck: what the players choose, who take one option in"
    " 50 at random, and the luck that the game meets because of it",
}
KIND = FolderKind(
    "comparison of players",
    "skill.json",
    1,
    "",
    {
        "game": str,
        **PLAYED,
        "players": [str],
        "games": range(1, 2**63),
        "seed": range(2**63),
        "versions": VERSIONS,
    },
)


@frozen
class Comparison:
    """A game, its players from weak to strong, and the entries whose worth is told.

    Each plays ``games`` with its like, as many on each side against the player before, and about as
    many as replays.
    """

    table: Table
    players: tuple[str, ...]
    judged: tuple[Entry, ...]
    games: int
    seed: int = 0

    @property
    def deals(self) -> int:
        """Deals that are replayed by each player."""
        return -(-self.games // skill.REPLAYS)

    @cached_property
    def effects(self) -> EntryEffects:
        """How the worth of each entry is measured.  Raises GameError."""
        return EntryEffects(tuple(EntryEffect.of_each(self.table, self.judged)))

    @property
    def sides(self) -> list[list[int]]:
        """The seats of each side."""
        return [[*team] for team in self.table.game.teams_of(self.table.seats)]

    @property
    def asked(self) -> dict[str, Any]:
        """What the folder says of it."""
        return {
            "game": "own_games",
            **OwnSetup(self.table).digests,
            "rules_version": self.table.game.version,
            "set_names": [self.table.game.title],
            "players": [*self.players],
            "games": self.games,
            "seed": self.seed,
            "versions": versions_of(),
        }


@frozen
class _Played:
    """The games of one player: what entries are worth, replays, and the gain on each side."""

    worths: list[Influence]
    observed: list[int]
    replays: list[Floats]
    outcome: Influence
    gain: Influence | None


@frozen
class _Player:
    """Plays what the folder lacks."""

    asked: Comparison
    folder: Path
    watch: Watch
    hands: Hands

    def play(self, rung: int) -> _Played:
        """The games of a player, and those on each side against the player before."""
        asked, player = self.asked, self.asked.players[rung]
        table, seats = asked.table, asked.table.seats
        alike, unit = (player,) * seats, 1 / table.game.unit
        effects = asked.effects
        every = effects.tables_of(table) if effects.each else [table]
        played = self._games(alike, every, effects if effects.each else EntryEffect(), asked.games)
        besides = effects.sort(table, played)
        again = [
            evolve(table, replay=Replay(one, one if one >= skill.FRESH_FROM else 0))
            for one in range(skill.REPLAYS)
        ]
        found = self._games(alike, again, EntryEffect(), asked.deals)
        results = [
            np.stack([one["outcome"][:, side].mean(axis=1) for one in found], axis=1) * unit
            for side in asked.sides
        ]
        outcome = _mean([_of(played[0], side) for side in asked.sides], seats, unit)
        gain = None
        if rung:
            outcome, gain = self._against(rung, unit)
        pairs = [*zip(effects.each, besides, strict=True)]
        return _Played(
            [effect.worth(*one) for effect, one in pairs],
            [effect.observed(one.table, one.games) for effect, one in pairs],
            results,
            outcome,
            gain,
        )

    def _against(self, rung: int, unit: float) -> tuple[Influence, Influence]:
        """How a player comes off on each side against the one before, and what that gains."""
        asked = self.asked
        before, player = asked.players[rung - 1 : rung + 1]
        table, one = asked.table, EntryEffect()
        (usual,) = self._games((before,) * table.seats, [table], one, asked.games)
        mine, others = [], []
        for side in asked.sides:
            seated = tuple(player if at in side else before for at in range(table.seats))
            (games,) = self._games(seated, [table], one, asked.games)
            mine.append(_of(games, side))
            others.append(_of(usual, side))
        outcome = _mean(mine, table.seats, unit)
        return outcome, difference(outcome, _mean(others, table.seats, unit))

    def _games(
        self,
        seated: tuple[str, ...],
        tables: Sequence[Table],
        effect: EntryEffect | EntryEffects,
        n: int,
    ) -> list[Games]:
        who = ":".join(dict.fromkeys(seated))
        place = self.folder / "games" / in_a_name(":".join(seated))
        trials = OwnTrials(place, self.asked.table, seated, self.asked.seed, self.hands)
        with self.watch(f"{who} plays") as advance:
            return trials.play(tables, effect, n, advance)


def play_players(
    asked: Comparison, folder: Path, *, watch: Watch, **who: Unpack[Who]
) -> dict[str, pd.DataFrame]:
    """Play what the folder lacks, and write the tables `SKILL_TABLES` to it.

    Whoever calls holds the folder.  Raises RunError when it holds something else or cannot be
    written, and GameError.
    """
    work = begin(KIND, folder, asked.asked, files={ENTRIES: entries_of(asked.table)})
    player = _Player(asked, folder, watch, Hands(**who))
    played = {name: player.play(rung) for rung, name in enumerate(asked.players)}
    tables = {
        SKILL.name: SKILL.frame(_parts(asked, played)),
        SKILL_PLAYERS.name: SKILL_PLAYERS.frame([*_players(asked, played)]),
        SKILL_ENTRIES.name: SKILL_ENTRIES.frame([*_entries(asked, played)]),
    }
    write_tables(tables, folder, work.identity(""))
    return tables


def _of(games: Games, side: Sequence[int]) -> Integers:
    """What the seats of a side score together in each game."""
    found: Integers = games["outcome"][:, side].astype(np.int64).sum(axis=1)
    return found


def _mean(scored: Sequence[Integers], seats: int, unit: float) -> Influence:
    """The mean outcome of all seats, from what those of each side score."""
    total = np.sum(scored, axis=0)
    return Influence.ratio(total, np.full(len(total), seats), unit)


def _parts(asked: Comparison, played: Mapping[str, _Played]) -> list[dict[str, Any]]:
    """The rows of `SKILL`."""
    moments = {
        player: skill.together(
            [skill.Moments.of(one, "deal", "chance", "choices") for one in found.replays]
        )
        for player, found in played.items()
    }
    return skill.player_rows(moments, "outcome", joined=len(asked.sides) == 1)


def _players(asked: Comparison, played: Mapping[str, _Played]) -> Iterator[dict[str, Any]]:
    """The rows of `SKILL_PLAYERS`."""
    for rung, (player, found) in enumerate(played.items()):
        gain = found.gain or Influence(np.nan, np.full(2, np.nan), 2)
        yield {
            "player": player,
            "rung": rung,
            "n_games": asked.games,
            "n_deals": asked.deals,
            **found.outcome.interval("outcome"),
            **gain.interval("gain"),
        }


def _entries(asked: Comparison, played: Mapping[str, _Played]) -> Iterator[dict[str, Any]]:
    """The rows of `SKILL_ENTRIES`."""
    weakest, *_, strongest = played.values()
    moved = [difference(*pair) for pair in zip(strongest.worths, weakest.worths, strict=True)]
    enough = np.minimum(strongest.observed, weakest.observed) >= MIN_GAMES
    change = np.array([one.estimate for one in moved])
    error = np.where(enough, [one.std_err for one in moved], np.nan)
    p_value = two_sided_p(change, error)
    reach = corrected_z(p_value) * error
    words, q_values = changes(change - reach, change + reach), adjust_p(p_value)
    for at, (entry, effect) in enumerate(zip(asked.judged, asked.effects.each, strict=True)):
        for rung, (player, found) in enumerate(played.items()):
            n, worth = found.observed[at], found.worths[at]
            known = estimate_of(worth, n) if n >= MIN_GAMES else estimate_of(_UNKNOWN, n)
            low, high = float(known.ci_low[0]), float(known.ci_high[0])
            yield {
                "kind": entry.kind,
                "entry": entry.id,
                "name": entry.name,
                "measure": effect.measure,
                "player": player,
                "rung": rung,
                "n": n,
                "worth": worth.estimate,
                "worth_ci_low": low,
                "worth_ci_high": high,
                "verdict": verdict(low, high, band=BAND),
                **interval("change", change[at], reach[at]),
                "change_q_value": q_values[at],
                "skill_verdict": words[at],
            }


_UNKNOWN = Influence(np.nan, np.full(2, np.nan), 2)
SKILL = skill.parts_table("who plays in all seats", {"outcome": "the outcome of a side"}, SOURCES)
SKILL_PLAYERS = Columns(
    "skill_players",
    "One row per player",
    {
        "player": "who plays",
        "rung": skill.RUNG,
        "n_games": "games played on each side",
        "n_deals": f"deals that were played {skill.REPLAYS} times",
        **with_interval(
            "outcome",
            "mean outcome of the seats of this player, 1 for the best: on each side in turn, where"
            " all others are the player before; of the first player among its like",
        ),
        **with_interval(
            "gain",
            "`outcome` minus that of the same seats in the same games where the player before sits"
            " there as well",
        ),
    },
    where=skill.WHERE,
    differences=("gain",),
)
SKILL_ENTRIES = Columns(
    "skill_entries",
    "One row per entry and player",
    {
        "kind": "the kind of the entry",
        "entry": "its id",
        "name": "its name",
        "measure": f"how its worth is measured: one of {', '.join(MEASURES)}, as in `verdict`",
        "player": "who plays in all seats",
        "rung": skill.RUNG,
        "n": "of how many seats, or by contrast of how many games, `worth` speaks",
        **with_interval(
            "worth", "what the entry is worth by its `measure`, a difference of mean outcomes"
        ),
        "verdict": f"of `worth`: {MEANINGS}",
        **with_interval(
            "change",
            "`worth` among the strongest players minus that among the weakest, on the same deals;"
            " this and what follows is the same in all rows of an entry. The interval is corrected"
            " for the number of entries",
        ),
        "change_q_value": q_value(
            "entries", "the probability of a `change` at least this large if the truth is zero"
        ),
        "skill_verdict": f"of `change`: one of {', '.join(CHANGES)}",
    },
    where=skill.WHERE,
    differences=("worth", "change"),
)

#: The tables, as `play_players` gives them.
SKILL_TABLES = Registry(SKILL, SKILL_PLAYERS, SKILL_ENTRIES)
