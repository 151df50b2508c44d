"""What the studio says of games that are being watched."""

from typing import TYPE_CHECKING, Protocol

import pandas as pd

from analysis.verdicts import BALANCED, STRONG, UNDECIDED, WEAK
from reports.kit.words import display_name, listed, plural
from reports.studio.bench import Bench

if TYPE_CHECKING:
    from reports.studio.live import Seen

_NAMED = 3


class Watched(Protocol):
    """Games of which something is known."""

    @property
    def last(self) -> "Seen | None":
        """What is known now."""


def sentence(games: Watched, entry: str, bench: Bench) -> str:
    """The answer, as far as there is one: of an entry, or of all that is played for ""."""
    if games.last is None:
        return ""
    rows = games.last.rows
    return bench.words(rows).sentence if entry else pool_sentence(rows)


def pool_sentence(rows: pd.DataFrame) -> str:
    """How many cards of a pool stand where, and which stand out most."""
    by_rate = rows.sort_values("win_rate", ascending=False)
    strong, weak = (by_rate[by_rate["verdict"] == what] for what in (STRONG, WEAK))
    inside, unknown = (int((rows["verdict"] == what).sum()) for what in (BALANCED, UNDECIDED))
    said = []
    for what, found in (("too strong", strong), ("too weak", weak[::-1])):
        if len(found):
            names = listed([display_name(name) for name in found["name"]], _NAMED)
            said.append(f"{len(found)} of {len(rows)} cards {_are(len(found))} {what}: {names}.")
    if inside:
        said.append(f"{inside} {_are(inside)} balanced.")
    if unknown:
        needs = "needs" if unknown == 1 else "need"
        said.append(f"{unknown} {plural('card', unknown)} {needs} more games.")
    return " ".join(said)


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
