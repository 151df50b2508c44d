"""How well what was learned does in games that training did not see."""

from analysis.estimates import estimate_share

#: What `measured` gives besides the share, as a shape of `simcore.sealed.faults`.
MEASURED = {"margin": float, "ci_low": float, "ci_high": float, "n": int}


def measured(share: float, n: int, *, name: str = "score") -> dict[str, float]:
    """A share of ``n`` games under its ``name``, and how sure it is.

    ``ci_low`` and ``ci_high`` are the ends of the 95 % interval, ``margin`` is half of its length.
    """
    estimate = estimate_share(share * n, n)
    low, high = float(estimate.ci_low), float(estimate.ci_high)
    return {name: share, "margin": (high - low) / 2, "ci_low": low, "ci_high": high, "n": n}
