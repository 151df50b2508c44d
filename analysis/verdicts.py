"""Verdicts: the one word that an interval allows.

With a million games every card differs "significantly" from the average, so what is asked is
whether it differs by more than matters: where the interval lies beside a *band* around the value
of a fair thing.  All of it above the band is too strong, all of it below too weak, all
of it inside fair (equivalence is shown by two one-sided tests [1]_, all three at once in [2]_);
otherwise it needs more games.  The interval is the one that stands beside the word.  On the pages
of a set it holds for all cards together (`simultaneous.together`), in a verdict on one by itself.

A difference between two versions has a word of its own: all of its interval above zero is more,
below zero less; with zero in it, it is the same where all of it lies inside the band, and otherwise
not settled.  Where many lines are tested, the interval is corrected for them
(`estimates.corrected`).

References
----------
.. [1] D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach",
   J. Pharmacokinetics and Biopharmaceutics 15 (1987), 657-680.
.. [2] J. J. Goeman, A. Solari, T. Stijnen, "Three-sided hypothesis testing: simultaneous testing
   of superiority, equivalence and inferiority", Statistics in Medicine 29 (2010), 2117-2125.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from analysis.estimates import Estimate, adjust_p, two_sided_p
from analysis.registry import q_value

#: The verdicts on one number, and what each says.
TOO_STRONG, TOO_WEAK, FAIR, NEEDS_GAMES = "too strong", "too weak", "fair", "needs more games"
VERDICTS = {
    TOO_STRONG: "the whole interval is above the band",
    TOO_WEAK: "the whole interval is below the band",
    FAIR: "the whole interval is inside the band",
    NEEDS_GAMES: "the interval reaches across an end of the band",
}
MEANINGS = "; ".join(f"{word}: {meaning}" for word, meaning in VERDICTS.items())
#: The words for a difference, and what each says.
MORE, LESS, SAME, NOT_SETTLED = "more", "less", "the same", "not settled"
SETTLED = (MORE, LESS)
CHANGES = {
    MORE: "the whole interval is above zero",
    LESS: "the whole interval is below zero",
    SAME: "zero is in the interval, and all of it is inside the band, between minus and plus the"
    " number in `band`",
    NOT_SETTLED: "zero is in the interval, and it reaches across an end of the band",
}

#: Up to two points from the middle (a player dealt the card wins 48 to 52 games of 100) is fair.
BAND = 0.02
#: The share of draws from which on they count for what is fair, and pages tell of them.
MANY_DRAWS = 0.01
#: What is said of a band that does.
NARROWER = (
    f"; where {100 * MANY_DRAWS:g}% of the games or more are drawn, it is narrower by their share"
)
#: With fewer games the normal approximation says nothing.
MIN_GAMES = 100


def band_with_draws(draws: float, band: float = BAND) -> float:
    """Half the width of what is fair where this share of the games is drawn.

    A draw brings a win rate to the middle, whatever is judged.  The band narrows along, so that it
    means what it means in the games with a winner; below `MANY_DRAWS` it stays as it is.
    """
    return band * (1 - draws) if draws >= MANY_DRAWS else band


def verdicts(
    low: ArrayLike, high: ArrayLike, *, band: ArrayLike, null: ArrayLike = 0.0, of_foe: bool = False
) -> np.ndarray:
    """The verdicts that intervals allow, beside a band of this half width around ``null``.

    nan is an end that is not known, and allows none.  ``of_foe`` says that what is judged stands
    against those whose results are counted: it is strong where they win less.
    """
    band = np.asarray(band, float)
    below, above = (np.asarray(end, float) - null for end in (low, high))
    return np.select(
        [below > band, above < -band, (below >= -band) & (above <= band)],
        [TOO_WEAK, TOO_STRONG, FAIR] if of_foe else [TOO_STRONG, TOO_WEAK, FAIR],
        NEEDS_GAMES,
    )


def verdict(
    low: float, high: float, *, band: float, null: float = 0.0, of_foe: bool = False
) -> str:
    """The verdict that one interval allows; see `verdicts`."""
    return str(verdicts(low, high, band=band, null=null, of_foe=of_foe))


def changes(low: ArrayLike, high: ArrayLike, *, band: ArrayLike = 0.0) -> np.ndarray:
    """The words that intervals of differences allow; without a band none is the same."""
    below, above = (np.asarray(end, float) for end in (low, high))
    band = np.asarray(band)
    inside = (band > 0) & (below >= -band) & (above <= band)
    return np.select([below > 0, above < 0, inside], [MORE, LESS, SAME], NOT_SETTLED)


def is_settled(row: "pd.Series[float]", column: str) -> bool:
    """Whether the interval of a difference, in a row of a table, leaves zero out."""
    ends = (row[f"{column}_ci_low"], row[f"{column}_ci_high"])
    return str(changes(*ends)) in SETTLED


def judge(found: Estimate, *, band: float = BAND, of_foe: bool = False) -> pd.DataFrame:
    """Judge differences from what is fair, by the intervals that they have.

    Parameters
    ----------
    found : Estimate, arrays of shape (n,)
        With intervals that hold together where several are judged (`simultaneous.together`).
    band
        Differences between ``-band`` and ``band`` are fair.
    of_foe
        See `verdicts`.

    Returns
    -------
    DataFrame
        ``p_value`` and ``q_value`` (against no difference at all, before and after correction),
        ``band`` and ``verdict``, one row each.
    """
    if not 0 <= band < 1:
        raise ValueError(f"the band is {band}; it must be between 0 and 1, for instance {BAND}")
    std_err = np.where((found.n >= MIN_GAMES) & (found.std_err > 0), found.std_err, np.nan)
    p_values = two_sided_p(found.estimate, std_err)
    return pd.DataFrame(
        {
            "p_value": p_values,
            "q_value": adjust_p(p_values),
            "band": band,
            "verdict": verdicts(found.ci_low, found.ci_high, band=band, of_foe=of_foe),
        }
    )


def judged_meanings(column: str, family: str, *, of_foe: bool = False) -> dict[str, str]:
    """The columns of `judge`; ``column`` is what is judged, ``family`` are all that are."""
    turned = ", with its sign turned: what makes the players win less is strong" if of_foe else ""
    return {
        "p_value": f"probability of a `{column}` at least this large if the truth is zero",
        "q_value": q_value(family),
        "band": "half the width of the band of `verdict`, around zero",
        "verdict": f"{MEANINGS}. The interval is that of `{column}`{turned}",
    }
