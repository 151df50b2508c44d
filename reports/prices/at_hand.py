"""What an entry with fields is worth by the newest price list of a project, before it is played."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from analysis.questions.price_batches import Played, PriceBatches, pricer_in
from analysis.questions.price_list import Price
from reports.kit.words import listed, signed
from reports.prices.text import card_lines
from reports.studio.bench import Priced
from simcore.sealed import RunError
from simcore.work.about import About, folders_in, read_about

_RUNS = Path("runs")
_UNIT = "points of win rate"


def price_at_hand(
    game: str, wanted: Mapping[str, Any], batches: PriceBatches[Any], entry: Played
) -> Priced | None:
    """The price of an entry by the newest finished list of which ``wanted`` was asked, and more.

    ``batches`` say what its values are.  None where there is no such list, or it has no such entry.
    """
    # Which entries are judged is only asked for where there is a list: it runs the rules of a game.
    lists = _lists(game, wanted)
    if not lists or all(one.entry.id != entry.entry.id for one in batches.entries):
        return None
    for folder, about in lists:
        if (pricer := pricer_in(folder, game, batches)) is not None:
            by = f"By the price list of {batches.title}, played by {listed(about.players)}"
            if why := batches.unpriced(entry):
                return Priced("", "", by, (), f"no price: {why}")
            return as_priced(pricer.price(entry), by, _UNIT)
    return None


def as_priced(price: Price, by: str, unit: str) -> Priced:
    """A price in words."""
    if price.price is None or price.ci_low is None or price.ci_high is None:
        return Priced("", "", by, (), price.why)
    ends = f"{signed(price.ci_low, 1)} to {signed(price.ci_high, 1)}"
    return Priced(f"about {signed(price.price, 1)}", ends, by, card_lines(price), unit=unit)


def _lists(game: str, wanted: Mapping[str, Any]) -> list[tuple[Path, About]]:
    """The folders of finished lists that were asked for this, the newest first."""
    found = []
    for folder in folders_in(_RUNS):
        with suppress(RunError, OSError):
            about = read_about(folder) if folder.name.startswith("prices-") else None
            if (
                about is not None
                and (about.game, about.question) == (game, "prices")
                and about.finished
                and _has(about.asked, wanted)
            ):
                tables = folder / "tables" / "prices.parquet"
                found.append((tables.stat().st_mtime_ns, folder, about))
    found.sort(key=lambda one: one[0], reverse=True)
    return [(folder, about) for _, folder, about in found]


def _has(asked: Any, wanted: Any) -> bool:
    """Whether a value of JSON is another one, or has all that is in it."""
    if isinstance(asked, Mapping) and isinstance(wanted, Mapping):
        return all(name in asked and _has(asked[name], wanted[name]) for name in wanted)
    return bool(asked == wanted)
