"""Verdicts on cards: which stand out, which are balanced, which need more games.

With a million games every card differs "significantly" from the average, so the question asked is
whether it differs by more than matters: whether its advantage lies outside a *band* around zero.
Each card is tested three ways at once (superiority, inferiority, equivalence [1]_ [2]_): is its
advantage above the band, below the band, or inside it?  Each family of tests is corrected for the
number of cards with Benjamini and Hochberg's method, so that among the cards called strong or weak
at most 5 % are expected to be called so wrongly, and likewise among those called balanced.  A card
about which neither can be said needs more games, or lies on the edge of the band.

References
----------
.. [1] D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach",
   J. Pharmacokinetics and Biopharmaceutics 15 (1987), 657-680.
.. [2] J. J. Goeman, A. Solari, T. Stijnen, "Three-sided hypothesis testing: simultaneous testing
   of superiority, equivalence and inferiority", Statistics in Medicine 29 (2010), 2117-2125.
"""

import numpy as np
import pandas as pd
from scipy.special import ndtr

from analysis.estimates import CONFIDENCE, Estimate, adjust_p, two_sided_p

#: The verdicts on one number, and on a difference.
STRONG, WEAK, BALANCED, UNDECIDED = "strong", "weak", "balanced", "not enough games"
CHANGED, UNCHANGED = "changed", "shown unchanged"

#: What each verdict on the difference between two runs says.
CHANGES = {
    CHANGED: "shown to differ from zero, and not shown to be inside the band",
    UNCHANGED: "shown to be inside the band, between minus and plus the number in `band`",
    UNDECIDED: "neither is shown yet",
}

#: Advantages up to two points (a player dealt the card wins 48 to 52 games of 100) are balanced.
BAND = 0.02
#: With fewer games the normal approximation says nothing.
MIN_GAMES = 100


def judge(
    advantage: Estimate, *, band: float = BAND, level: float = 1 - CONFIDENCE
) -> pd.DataFrame:
    """Judge cards that are tested together.

    Parameters
    ----------
    advantage : Estimate, arrays of shape (n_cards,)
        Rate of each card minus the rate it is compared with.
    band
        Advantages between ``-band`` and ``band`` are called balanced.
    level
        Share of wrong ones that is expected, at most, among the cards called strong or weak, and
        among those called balanced.

    Returns
    -------
    DataFrame
        ``p_value`` and ``q_value`` (against no advantage at all, before and after correction),
        ``band`` and ``verdict``, one row per card.
    """
    if not 0 < band < 1:
        raise ValueError(f"the band is {band}; it must be between 0 and 1, for instance {BAND}")
    tested = advantage.n >= MIN_GAMES
    std_err = np.where(tested & (advantage.std_err > 0), advantage.std_err, np.nan)
    excess = (np.abs(advantage.estimate) - band) / std_err
    outside, inside = adjust_p(ndtr(-excess)), adjust_p(ndtr(excess))
    p_values = two_sided_p(advantage.estimate, std_err)
    stands_out = np.where(advantage.estimate > 0, STRONG, WEAK)
    verdict = np.select([outside < level, inside < level], [stands_out, BALANCED], UNDECIDED)
    return pd.DataFrame(
        {"p_value": p_values, "q_value": adjust_p(p_values), "band": band, "verdict": verdict}
    )
