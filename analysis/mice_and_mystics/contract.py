"""The side of Mice & Mystics of the contract: what the shared code of `analysis` asks of it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analysis import runs
from analysis.games import Analysis
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.playtests import Facts, plain_numbers
from analysis.registry import Registry
from card_data.mice_and_mystics.settings import settings_from
from simcore.mice_and_mystics.play.run import read_played_facts
from simcore.mice_and_mystics.players.seats import fingerprints
from simcore.mice_and_mystics.table.records import Outcome
from simcore.sealed import RunError

if TYPE_CHECKING:
    from analysis.mice_and_mystics.counts import RunCounts
    from analysis.mice_and_mystics.pairs import PairCounter
    from analysis.story_games import Judge, Judges


def facts_of(run: runs.Run) -> RunFacts:
    """What was played in a run.  Raises RunError for settings that nobody could have asked for."""
    manifest = run.manifest
    try:
        settings = settings_from(manifest["settings"])
    except (TypeError, ValueError, KeyError) as error:
        raise RunError(f"{run.folder} has settings that cannot be read: {error}") from None
    facts = read_played_facts(run.folder, manifest)
    return RunFacts(facts, settings, ":".join(manifest["policies"]))


class _MiceAndMystics(Analysis):
    columns_title, letters = "Columns of Mice & Mystics", "M, D and I"

    @property
    def tables(self) -> Registry:
        from analysis.mice_and_mystics.tables import RUN_TABLES

        return RUN_TABLES

    @property
    def all_tables(self) -> Registry:
        from analysis.mice_and_mystics.registry import TABLES

        return TABLES

    def nothing(self, run: runs.Run) -> "RunCounts":
        from analysis.mice_and_mystics.counts import RunCounts

        return RunCounts.of_no_games(facts_of(run))

    def fingerprints(self, players: Sequence[str]) -> Mapping[str, str]:
        return fingerprints(players)

    def pair_counter(self, base: runs.Run, variant: runs.Run) -> "PairCounter":
        from analysis.mice_and_mystics.pairs import PairCounter

        return PairCounter(facts_of(base), facts_of(variant))

    def card_games(self, run: runs.Run, games: np.ndarray) -> pd.DataFrame:
        from analysis.mice_and_mystics.game_records import card_games

        return card_games(games, facts_of(run))

    def facts(self, manifest: Mapping[str, Any], games: np.ndarray) -> Facts:
        won = (games["outcome"] == Outcome.WIN).astype(float)[:, None]
        heroes, cards = manifest["heroes"], manifest["cards"]
        held = {
            hero: (games["party"] == place).any(axis=1, keepdims=True)
            for place, hero in enumerate(heroes)
        }
        held |= {card: games["drawn"][:, [place]] > 0 for place, card in enumerate(cards)}
        unknown = np.full(won.shape, np.nan)
        nobody = np.full(len(games), -1)
        return Facts(won, unknown, nobody, plain_numbers(games), held)

    @property
    def judges(self) -> "Judges":
        from analysis.mice_and_mystics.story import judge_of

        return judge_of

    def judge_in(self, run: runs.Run, game: int) -> "Judge":
        from analysis.mice_and_mystics.story import Judge
        from simcore.mice_and_mystics.table.compile_facts import compile_facts
        from simcore.work.parts import deal_of

        played, seed = facts_of(run), deal_of(run.manifest, game)[0]
        return Judge(compile_facts(played.data, played.settings), seed)

    def main_lines(self, table: pd.DataFrame) -> "pd.Series[bool]":
        return table["measure"].isin(["win_rate", "mean_score"])


ANALYSIS = _MiceAndMystics()
