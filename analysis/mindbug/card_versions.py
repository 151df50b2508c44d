"""Versions of a card side by side: what each was, and what was measured of it, in a project folder.

Two rows may be compared where the same players played them with the same other cards by the same
rules: ``measured`` numbers these circumstances.  Nothing is played.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
from attrs import evolve, frozen

from analysis.mindbug.card_strength import CARDS
from analysis.mindbug.runs import Run, open_run
from analysis.runs import identity_of_run
from analysis.tables import read_table
from analysis.verdicts import verdict
from card_data.faults import did_you_mean
from card_data.mindbug import pool_hash
from card_data.mindbug.display import unusual_modes
from card_data.mindbug.schema import Card
from simcore.commands import command
from simcore.sealed import RunError
from simcore.work.about import About, folders_in, read_about
from simcore.work.parts import MANIFEST, RUN

#: Where the runs of a comparison and of a verdict lie in their folders.
_SIDES = ("base", "variant")
_PLAYERS = ("run", "stronger")
_FOUND = "dealt"


@frozen
class RunOfCard:
    """A finished run in which a card was dealt; ``note`` says why it was changed, if anything does.

    ``others`` is a fingerprint of everything that was played besides the card.
    """

    run: Run
    card: Card
    others: str
    day: str
    note: str

    def table(self) -> pd.DataFrame:
        """The rows of the card in the table of cards.  Raises RunError where there is none."""
        folder = self.run.folder
        again = f"run '{command('analyze', folder)}'"
        table = read_table(RUN, folder, CARDS, identity_of_run(self.run.manifest), again)
        return table[table["card_id"] == self.card.card_id]


def runs_of_card(project: Path, wanted: str) -> list[RunOfCard]:
    """The finished runs in which a card of that id or name was dealt, the oldest first.

    Raises ValueError, which names the nearest card, where there is none.
    """
    runs = [*_runs(project)]
    ids = {card_id for run, *_ in runs for card_id in run.card_ids}
    names: dict[str, str] = {}
    if wanted not in ids:
        names = {
            card.name.casefold(): card.card_id
            for run, *_ in runs
            for card_set in run.pool().sets
            for card in card_set.cards
        }
    card_id = names.get(wanted.casefold(), wanted)
    found = [_of_card(run, card_id, *more) for run, *more in runs if card_id in run.card_ids]
    if not found:
        meant = did_you_mean(wanted, [*ids, *names], "")
        raise ValueError(f"no finished run in {project} has a card '{wanted}'{meant}")
    found.sort(key=lambda one: (one.day, (one.run.folder / MANIFEST).stat().st_mtime))
    each: dict[str, RunOfCard] = {}
    for one in found:  # the same games may lie in a run and in a comparison
        each.setdefault(identity_of_run(one.run.manifest)[RUN.noun], one)
    return [*each.values()]


def _runs(project: Path) -> Iterator[tuple[Run, str, str]]:
    """The finished runs of Mindbug of a project, each with its day and the note on it."""
    for folder in folders_in(project):
        about: About | None = None
        with suppress(RunError):
            about = read_about(folder)
        for path in (folder, *(folder / side for side in (*_SIDES, *_PLAYERS))):
            with suppress(RunError, OSError):
                if (path / MANIFEST).exists():
                    begun = date.fromtimestamp((path / MANIFEST).stat().st_mtime).isoformat()
                    note = about.note if about and path.name == _SIDES[1] else ""
                    yield open_run(path), about.begun if about else begun, note


def _of_card(run: Run, card_id: str, day: str, note: str) -> RunOfCard:
    pool = run.pool()
    [card] = [one for card_set in pool.sets for one in card_set.cards if one.card_id == card_id]
    others = evolve(
        pool,
        sets=tuple(
            evolve(one, cards=tuple(other for other in one.cards if other.card_id != card_id))
            for one in pool.sets
        ),
    )
    return RunOfCard(run, card, pool_hash(others), day, note)


def versions_table(runs: Sequence[RunOfCard], texts: Sequence[str]) -> pd.DataFrame:
    """A row for each run and player: the version, what was measured of it, and among what.

    ``texts`` say what the card was in each run.  ``version`` and ``measured`` count from 1 in the
    order of the runs.  Raises RunError where a run has no table.
    """
    versions, circumstances = [*dict.fromkeys(texts)], []
    rows: list[dict[str, Any]] = []
    for one, text in zip(runs, texts, strict=True):
        manifest = one.run.manifest
        for _, row in one.table().iterrows():
            who = [manifest["policies"], manifest.get("weights"), row["policy"], one.others]
            if who not in circumstances:
                circumstances.append(who)
            rows.append(
                {
                    "version": versions.index(text) + 1,
                    "day": one.day,
                    "text": text,
                    "policies": " against ".join(dict.fromkeys(manifest["policies"])),
                    "policy": row["policy"],
                    "sets": " and ".join(manifest["set_names"]),
                    "rules": ", ".join(unusual_modes(one.run.pool().modes)),
                    "measured": circumstances.index(who) + 1,
                    "n_games": manifest["games"],
                    "win_rate": row[f"{_FOUND}_win_rate"],
                    "ci_low": row[f"{_FOUND}_ci_low"],
                    "ci_high": row[f"{_FOUND}_ci_high"],
                    "verdict": verdict(
                        row[f"{_FOUND}_ci_low"],
                        row[f"{_FOUND}_ci_high"],
                        band=row["band"],
                        null=row[f"{_FOUND}_win_rate"] - row["advantage"],
                    ),
                    "note": one.note,
                    "folder": str(one.run.folder),
                }
            )
    return pd.DataFrame(rows).sort_values(["version", "measured"], kind="stable")
