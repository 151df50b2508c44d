"""What was found of each entry of a file, kept beside its versions: what stands in the list.

A result is of an entry as it then said; of another text it is out of date.  A change that a verdict
has tried is a result as well, of an entry that nobody has written yet: an estimate, which is shown
as soon as somebody writes it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
from attrs import asdict, frozen

from card_data.toml_files import Unreadable, read_text
from reports.kit.verdicts import KINDS
from reports.studio.bench import Face
from reports.studio.measure import Measure

# The file beside the versions, and how many results of an entry are kept.
_FILE, _MOST = "results.json", 40


def said_by(face: Face) -> str:
    """What an entry says, but for its name, and by what rules: a result is known by this."""
    return "\n".join((face.facts, *face.lines, *([face.rules] if face.rules else [])))


@frozen
class Result:
    """Where an entry stands: its number and its interval, in words and in numbers.

    ``said`` is what it said.  ``fair`` are the ends of the band, or None where nothing is judged,
    and ``ground`` those of the axis.  ``tried`` says that a verdict has tried it as a change, in
    fewer games and in those of the entry as it was.
    """

    entry: str
    said: str
    value: str
    ends: str
    low: float
    at: float
    high: float
    ground: tuple[float, float]
    fair: tuple[float, float] | None
    word: str
    games: int
    player: str
    tried: bool = False
    change: str = ""
    day: str = ""

    @property
    def kind(self) -> str:
        """The class of its verdict in the style sheet."""
        return KINDS.get(self.word, "")


def result_of(row: pd.Series, measure: Measure, **more: Any) -> Result | None:
    """A row with the columns of the measure, and ``verdict``; None where nothing is known."""
    at, low, high = (float(row[f"{measure.column}{end}"]) for end in ("", "_ci_low", "_ci_high"))
    if pd.isna(at) or pd.isna(low) or pd.isna(high):
        return None
    band = measure.band
    return Result(
        value=measure.unit.number(at),
        ends=measure.unit.between(low, high),
        low=low,
        at=at,
        high=high,
        ground=measure.ground,
        fair=None if band is None else (measure.middle - band, measure.middle + band),
        word="" if band is None else str(row["verdict"]),
        day=date.today().isoformat(),
        **more,
    )


def known(folder: Path) -> dict[str, list[Result]]:
    """The results of the entries of a file, the newest last; ``folder`` is that of its versions."""
    said: Any = {}
    with suppress(Unreadable, ValueError, RecursionError):
        said = json.loads(read_text(folder / _FILE))
    found: dict[str, list[Result]] = {}
    for one in said if isinstance(said, list) else ():
        with suppress(TypeError, ValueError, KeyError):  # somebody else's file may say anything
            result = _read(one)
            found.setdefault(result.entry, []).append(result)
    return found


def _read(said: Mapping[str, Any]) -> Result:
    """A result as it was written.  Raises TypeError, ValueError and KeyError for anything else."""
    low, high = said["ground"]
    fair = None if said["fair"] is None else (float(said["fair"][0]), float(said["fair"][1]))
    texts = ("entry", "said", "value", "ends", "word", "player", "change", "day")
    as_read: dict[str, Any] = {
        **{name: str(said[name]) for name in texts},
        **{name: float(said[name]) for name in ("low", "at", "high")},
        "games": int(said["games"]),
        "tried": bool(said["tried"]),
    }
    return Result(ground=(float(low), float(high)), fair=fair, **as_read)


def keep(folder: Path, results: Iterable[Result]) -> None:
    """Add results; one of the same entry that says the same gives way, but no game to an estimate.

    Raises RunError.
    """
    from simcore.sealed import write_file, writing

    now = known(folder)
    for one in results:
        old = now.setdefault(one.entry, [])
        same = [before for before in old if before.said == one.said]
        if one.tried and any(not before.tried for before in same):
            continue
        now[one.entry] = [*(before for before in old if before.said != one.said), one][-_MOST:]
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    lines = [asdict(one) for of in now.values() for one in of]
    write_file(folder / _FILE, json.dumps(lines, ensure_ascii=False, indent=0).encode() + b"\n")


def standing(results: Sequence[Result], said: str) -> tuple[Result | None, bool]:
    """What is known of an entry that says this, and whether it is out of date.

    That of another text is out of date, and an estimate of another text tells nothing.
    """
    for one in reversed(results):
        if one.said == said:
            return one, False
    played = [one for one in results if not one.tried]
    return (played[-1], True) if played else (None, False)
