"""Games that are watched: what is known at every look, with intervals that hold at all of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from attrs import evolve, frozen

from analysis.stopping import Known, PlayUntil, Watched
from analysis.verdicts import verdicts
from reports.cli.compute import Crew
from reports.cli.run import asked_run, games_of
from reports.cli.steps import play_run
from reports.studio.bench import Stage
from reports.studio.measure import Eye, Measure, See, Seen
from simcore.work.runs import Look, RunSpec


@frozen
class Watching:
    """A stopping rule that shows what it sees as a measure; it is ``rule`` in all else."""

    rule: PlayUntil
    measure: Measure
    see: See

    @property
    def asked(self) -> Mapping[str, Any]:
        """What the rule is, for the manifest."""
        return self.rule.asked

    @property
    def part_games(self) -> int:
        """Games from one look to the next."""
        return self.rule.part_games

    def count(self, records: np.ndarray) -> np.ndarray:
        """What the rule needs of some games."""
        return self.rule.count(records)

    def look(self, sums: np.ndarray, n_games: int) -> Look:
        """Judge the games so far, and show them."""
        look = self.rule.look(sums, n_games)
        self.see(seen(self.rule, self.measure, sums, n_games, look))
        return look


def seen(rule: PlayUntil, measure: Measure, sums: np.ndarray, n_games: int, look: Look) -> Seen:
    """What the sums of counts show of all that a rule watches."""
    if measure.known is not None:
        watched, known = measure.known(rule, sums)
    else:
        watched, known = rule.watched, rule.known(sums)
    rows = rows_of(watched, measure, known, n_games)
    facts = measure.facts(rule, sums) if measure.facts is not None else ()
    return Seen(n_games, rows, look.reached, look.details["more_games"], facts)


def rows_of(
    watched: Sequence[Watched], measure: Measure, known: Known, n_games: int
) -> pd.DataFrame:
    """Where all that is watched stands, with the columns of the table ``verdict``."""
    low, high = (
        np.clip(known.rate + side * known.half_width, measure.least, measure.most)
        for side in (-1, 1)
    )
    rows = {
        "entry_id": [one.key for one in watched],
        "name": [one.name for one in watched],
        "policy": [one.policy for one in watched],
        measure.column: known.rate,
        f"{measure.column}_ci_low": low,
        f"{measure.column}_ci_high": high,
        "n_games": n_games,
        **measure.more,
    }
    if measure.band is not None:
        off = low - measure.middle, high - measure.middle
        word = verdicts(*off, band=measure.band, of_foe=measure.of_foe)
        said = [one.word for one in watched]
        rows |= {"band": measure.band, "verdict": np.where(said, said, word)}
    return pd.DataFrame(rows)


@frozen
class RunStage(Stage):
    """Games of a run in the folder that the command would use.

    ``options`` are the game's options of ``balance`` (a `reports.games.MoreOptions`) and ``named``
    what is named with them; ``until`` is how well it shall be known, as on the command line.
    """

    options: Any
    named: Sequence[str]
    until: str

    is_run = True

    def play(self, game: str, most: int, eye: "Eye") -> None:
        """Play them, once the players know what is played."""
        self.options.check()
        ready = self.options.ready(self.named, None, None, True)
        play_stage(game, evolve(self, options=ready), most, eye)


def play_stage(
    game: str,
    stage: RunStage,
    games: int,
    eye: Eye,
) -> None:
    """Play the games of a stage into the folder that the command would use.

    ``stage.options`` are ready: their players know what is played.  Raises InputError, RunError,
    and KeyboardInterrupt where the listener of the steps raises it.
    """
    from simcore.work.about import read_about, working_on

    _, spec, _, question = asked_run(
        game, stage.options, stage.named, games, 0, stage.until, anytime=True
    )
    rule = spec.until
    assert isinstance(rule, PlayUntil)
    measure = stage.measure
    watched = evolve(spec, until=Watching(rule, measure, eye.see))
    with working_on(question) as work:
        eye.begin(work.folder)
        if not _see_again(spec, rule, measure, work.folder, eye.see):
            play_run(watched, work.folder, Crew(), f"games of {stage.player}")
        about = read_about(work.folder)
        told = None if about is not None and about.page else eye.headline
        work.finish(told, games=games_of(work.folder))


def _see_again(spec: RunSpec, rule: PlayUntil, measure: Measure, folder: Path, see: See) -> bool:
    """Show what was seen of a run that has all its games; whether it has."""
    from reports.cli.steps import is_run
    from simcore.records import to_records
    from simcore.work.parts import MANIFEST, games_of_part, n_parts, read_manifest, read_part

    if not (folder / MANIFEST).exists() or not is_run(spec, folder):
        return False
    manifest = read_manifest(folder)
    reached = (manifest.get("stopped") or {}).get("reached")
    if manifest["counts"] is None or not (reached or manifest["games"] >= spec.n_games):
        return False
    sums: Any = 0
    for part in range(n_parts(manifest)):
        records = to_records(read_part(folder, manifest, part), spec.record, seats=spec.seats)
        sums = sums + rule.count(records)
        n_games = games_of_part(manifest, part).stop
        see(seen(rule, measure, sums, n_games, rule.look(sums, n_games)))
    return True


def standing(looks: Sequence[Seen], column: str) -> list[tuple[int, float, float, float]]:
    """Games, the number in a column and the ends of its interval at each look at one entry.

    Looks at which nothing was known are left out.
    """
    columns = [column, f"{column}_ci_low", f"{column}_ci_high"]
    rows = [
        (one.games, *one.rows.iloc[0][columns])
        for one in looks
        if len(one.rows) == 1 and one.rows[column].notna().all()
    ]
    return [(games, float(at), float(low), float(high)) for games, at, low, high in rows]
