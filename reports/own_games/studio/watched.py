"""What is watched of a game that somebody brings: what an entry is worth, or how seats come off."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from attrs import frozen

from analysis.own_games.contract import SEATS, UNJUDGED, games_table, seats_table
from analysis.own_games.effects import Games
from analysis.own_games.trials import OwnTrials
from analysis.own_games.verdict import Case
from analysis.stopping import LEAST_GAMES, Known, Promise, Watched
from analysis.verdicts import BAND, VERDICTS
from card_data.schema.fields import plain_words
from card_data.schema.kinds import SWAP
from reports.cli.compute import HERE
from reports.cli.console import InputError
from reports.kit.words import capital, percent
from reports.own_games.options import OwnOptions, no_peer
from reports.own_games.page import findings_of_games, rate_of
from reports.own_games.verdict_text import EntryWords, nouns_of
from reports.studio.bench import Stage
from reports.studio.live import RunStage, rows_of
from reports.studio.measure import POINTS, SHARE, Eye, Measure, Seen
from reports.studio.words import pool_sentence
from simcore.own_games.run import NAME
from simcore.work.about import Question, working_on
from simcore.work.hands import Hands

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.own_games.contract import UntilKnown
    from simcore.contract.play import Table

#: Games before somebody asks for more, and from one look to the next at first: of players who
#: search, and of others.
_SEARCHES, _OTHERS = (1_000, 25), (10_000, 250)
# Looks are as far apart as these games at first, and farther the more games there are.
_LOOKS = 8
#: How well a number is to be known at best, in percentage points.
_PRECISION = 1


def stage_of_all(said: str, table: "Table", player: str, options: OwnOptions) -> RunStage:
    """Games in which all entries and seats are watched; of one team and no entries its outcome."""
    game = table.game
    games, _ = _SEARCHES if ":" in player else _OTHERS
    are_rivals = len(game.teams_of(table.seats)) > 1
    if not (table.cards or are_rivals):
        return RunStage(player, games, _OUTCOME, options, (said,), f"{_PRECISION}:{SEATS}")
    kinds = game.kinds
    entries = plain_words(kinds[0].plural) if len(kinds) == 1 else "entries"
    nouns = [*([entries] if table.cards else []), *(["seats"] if are_rivals else [])]
    measure = Measure(
        column="share",
        unit=POINTS,
        words=partial(_standing, nouns=" and ".join(nouns)),
        title="Outcome",
        caption="",
        noun=capital(" and ".join(nouns)),
        least=-1,
        middle=0,
        band=BAND,
        ground=(-0.1, 0.1),
        known=partial(_shares, are_rivals=are_rivals),
        facts=partial(_facts, are_rivals=are_rivals),
        hint="Press a name to ask about it alone." if table.cards else "",
    )
    return RunStage(player, games, measure, options, (said,), str(_PRECISION))


def _shares(
    rule: "UntilKnown", sums: np.ndarray, *, are_rivals: bool
) -> tuple[Sequence[Watched], Known]:
    """By how much seats with each entry come off better, and each seat that has a rival."""
    watched, known = rule.shares(sums)
    n = len(watched) if are_rivals else len(watched) - rule.manifest["seats"]
    return watched[:n], Known(*(values[:n] for values in known))


def _facts(rule: "UntilKnown", sums: np.ndarray, *, are_rivals: bool) -> Sequence[str]:
    """What the games are like."""
    counts = rule.counts(sums)
    seats, games = seats_table(counts), games_table(counts)
    facts = [f"{one.topic}: {one.text}" for one in findings_of_games(games, seats)]
    first = seats[seats["player"] == ""]
    if not are_rivals:
        facts.insert(0, f"Outcome: {rate_of(seats.iloc[0])} of the best, on average.")
    elif len(first):
        facts.insert(0, f"Going first: {rate_of(first.iloc[0])} for whoever chooses first.")
    return facts


def _standing(rows: pd.DataFrame, nouns: str) -> str:
    """Where all stand that are judged, and how many entries are not."""
    said = pool_sentence(rows[rows["verdict"].isin(VERDICTS)], "share", nouns, nouns)
    if unjudged := (rows["verdict"] == UNJUDGED).sum():
        verb = "was" if unjudged == 1 else "were"
        said += f" {unjudged} more {verb} {UNJUDGED}, not dealt by lot."
    return said.strip()


def _outcome(rows: pd.DataFrame) -> str:
    """How those who play together come off."""
    value = rows.iloc[0]["outcome"]
    known = f"The mean outcome is {percent(value)}, where 100% is the best."
    return "There are not enough games yet." if pd.isna(value) else known


#: What is watched where nobody has a rival and nothing is brought.
_OUTCOME = Measure(
    column="outcome",
    unit=SHARE,
    words=_outcome,
    title="Outcome",
    caption="Mean outcome, 1 for the best, as games are added.",
    noun="Seat",
)


@frozen
class WorthStage(Stage):
    """Games, with those beside them that the measure of an entry takes; ``said`` names the game.

    They lie in a folder of their own, and games that were played there are not played again.
    """

    said: str
    case: Case

    def play(self, _game: str, most: int, eye: Eye) -> None:
        """Play part after part, until the worth is known well or there are so many games."""
        promise = Promise(_PRECISION / 100, anytime=True)
        with HERE.start() as crew, working_on(self._question) as work:
            eye.begin(work.folder)
            games = 0
            with crew.progress(f"games of {self.player}", "games") as advance:
                for played in self._parts(most, work.folder, crew.threads):
                    games = len(played[0])
                    advance(games, most)
                    seen = self._seen(played, promise)
                    eye.see(seen)
                    if seen.reached:
                        break
            work.finish(eye.headline, games=games)

    @property
    def _question(self) -> Question:
        case = self.case
        return Question(
            game=NAME,
            question="worth",
            named=("worth", case.entry.id),
            what=f"{case.entry.name}, {case.played.game.title}",
            players=(self.player,),
            seed=case.seed,
            asked={**case.entries, "seats": case.played.seats, "measure": case.effect.measure}
            | {"players": [self.player], "seed": case.seed},
        )

    def _parts(self, most: int, folder: "Path", threads: int | None) -> Iterator[list[Games]]:
        """The games of each table so far, after each part."""
        case, effect = self.case, self.case.effect
        own, average = effect.own_tables(case.played), effect.average_tables(case.played)
        tables = [case.played, *own, *average]
        trials = OwnTrials(folder, case.played, case.seats(self.player), case.seed, Hands(threads))
        so_far: list[list[Games]] = [[] for _ in tables]
        for part in trials.play_in_turn(tables, effect, [*_ranges(most, self.player)], None):
            for games, more in zip(so_far, part, strict=True):
                games.append(more)
            yield [np.concatenate(games) for games in so_far]

    def _seen(self, played: Sequence[Games], promise: Promise) -> Seen:
        """What the games show of the entry."""
        case, table = self.case, self.case.played
        n_own = len(case.effect.own_tables(table))
        games, own, average = played[0], played[1 : 1 + n_own], played[1 + n_own :]
        worth = case.effect.worth(table, games, own, average)
        is_known = worth.games >= LEAST_GAMES and worth.std_err == worth.std_err
        rate = np.array([worth.estimate if is_known else np.nan])
        std_err = np.array([worth.std_err if is_known else np.inf])
        known = Known(rate, std_err, promise.half_width(std_err))
        watched = [Watched(case.entry.id, case.entry.name, self.player)]
        width = float(known.half_width[0])
        share = float(std_err[0]) * promise.span / promise.precision
        more = max(int(len(games) * (share**2 - 1)), 1) if np.isfinite(share) else None
        rows = rows_of(watched, self.measure, known, len(games))
        return Seen(len(games), rows, width <= promise.precision, more)


def _ranges(most: int, player: str) -> Iterator[range]:
    """The games from one look to the next, farther apart the more there are."""
    _, step = _SEARCHES if ":" in player else _OTHERS
    done = 0
    while done < most:
        games = min(step * max(1, done // (_LOOKS * step)), most - done)
        yield range(done, done + games)
        done += games


def stage_of_entry(said: str, table: "Table", entry: str, player: str) -> WorthStage:
    """Games in which the worth of an entry is watched.  Raises InputError."""
    found = next((one for one in table.cards if one.id == entry), None)
    if found is None:
        raise InputError(f"{entry} is not in what is played; choose another entry")
    case = Case(table, found, policy=player)
    effect = case.effect
    kind = table.game.schema.kind_of(found)
    has_average = bool(effect.average_tables(table))
    if effect.measure == SWAP and not has_average:
        raise InputError(no_peer(found))
    games, _ = _SEARCHES if ":" in player else _OTHERS
    measure = Measure(
        column="worth",
        unit=POINTS,
        words=partial(_sentence, nouns=nouns_of(kind)),
        title="Worth",
        caption="What it is worth in percentage points of the outcome, with the interval, as games"
        " are added. The shaded band is fair.",
        noun=plain_words(kind.word),
        least=-1,
        middle=0,
        band=BAND,
        more={
            "measure": effect.measure,
            "average": f"an average {plain_words(kind.word)}" if has_average else "",
        },
    )
    return WorthStage(player, games, measure, said, case)


def _sentence(rows: pd.DataFrame, nouns: dict[str, str]) -> str:
    """Where the entry stands."""
    if rows["worth"].isna().any():
        return "There are not enough games yet in which it came up."
    return EntryWords({"verdict": rows}, nouns).sentence
