"""What a chart says: one sentence that its intervals bear out, for `drawing.set_titles`.

A difference that is not shown is not told as one: what is named leads by more than chance, and
where nothing does, the sentence says that.  Every finding has a number in it or begins with "No".
"""

import re
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from reports.kit.words import display_name, percent, points_text

# Letters of a title that takes no more than two lines.
_LONGEST = 92
_FINDING = re.compile(r"\d|^(No|Neither|Nothing)\b")


def is_finding(title: str) -> bool:
    """Whether a title says what was found, and not just what it is about."""
    return bool(_FINDING.search(title))


def ends(
    names: Sequence[str],
    rows: pd.DataFrame,
    column: str,
    says: str,
    *,
    none: str,
    interval: str = "",
    number: Callable[[float], str] = percent,
) -> str:
    """The highest and the lowest row, where their intervals lie apart; ``none`` where not.

    ``says`` has places for name and number of both; the columns of ends begin with ``interval``.
    """
    known = rows[column].reset_index(drop=True).dropna()
    if len(known) < 2:
        return none
    low, high = (
        rows[f"{interval}_ci_{end}" if interval else f"ci_{end}"].reset_index(drop=True)
        for end in ("low", "high")
    )
    best, worst = known.idxmax(), known.idxmin()
    if not low[best] > high[worst]:
        return none
    numbers = number(known[best]), number(known[worst])
    room = (_LONGEST - len(says) - sum(map(len, numbers))) // 2
    one, other = (display_name(names[at], min(max(room, 12), 40)) for at in (best, worst))
    return says.format(one, numbers[0], other, numbers[1])


def leader(
    names: Sequence[str],
    rows: pd.DataFrame,
    column: str,
    says: str,
    *,
    none: str,
    number: Callable[[float], str] = percent,
) -> str:
    """The highest row, where its interval lies above those of all others; ``none`` where not.

    ``says`` has places for its name and number.
    """
    ordered = rows.reset_index(drop=True).sort_values(column, ascending=False)
    if ordered[column].isna().all():
        return none
    first, others = ordered.iloc[0], ordered.iloc[1:]
    if (others[f"{column}_ci_high"] >= first[f"{column}_ci_low"]).any():
        return none
    return says.format(display_name(names[ordered.index[0]], 40), number(first[column]))


def effects(
    names: Sequence[str],
    rows: pd.DataFrame,
    column: str,
    *,
    none: str,
    interval: str = "",
    shown: ArrayLike | None = None,
    says: str = "{0} {2} {1}",
    then: str = " and {0} {2} {1}",
    ways: tuple[str, str] = ("adds", "takes away"),
    number: Callable[[float], str] | None = None,
) -> str:
    """The largest effects up and down that are ``shown``; ``none`` where none is.

    By default those are shown whose interval, in columns that begin with ``interval`` or else
    ``column``, leaves out zero.  ``says`` and, for the second of them, ``then`` have places for
    name, size and the word of ``ways``.  Where both are too long, the larger stands alone.
    """
    size = rows[column].reset_index(drop=True)
    if shown is None:
        low, high = (rows[f"{interval or column}_ci_{end}"].to_numpy() for end in ("low", "high"))
        shown = (low > 0) | (high < 0)
    kept = size[np.asarray(shown, dtype=bool) & size.notna().to_numpy()]
    parts = []
    for way, of_sign in zip(ways, (kept[kept > 0], -kept[kept < 0]), strict=True):
        if len(of_sign):
            at = of_sign.idxmax()
            told = (number or _size)(of_sign[at])
            parts.append((of_sign[at], (display_name(names[at], 40), told, way)))
    if not parts:
        return none
    both = says.format(*parts[0][1]) + (then.format(*parts[1][1]) if len(parts) > 1 else "")
    return both if len(both) <= _LONGEST else says.format(*max(parts)[1])


def _size(difference: float) -> str:
    """A size in points: 0.0123 -> "1.2 points", 0.0004 -> "0.04 points"."""
    digits = 1 if difference >= 0.0005 else 2
    return points_text(round(difference, digits + 2))
