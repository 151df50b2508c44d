"""A price list: what each thing on an entry of a game is worth, and the price of any entry.

What entries are made of, and which things have a price, is the game's: a `Describer` says it.
"""

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from attrs import field, frozen

from analysis.confidence import confidence, normal_z
from analysis.estimates import adjust_p, interval, two_sided_p
from analysis.mixed_model import FREE, MixedModel
from analysis.questions.prices import WIDEST, Calibration, Held, Quality, cross_calibrated
from analysis.registry import Registry, Table, q_value, with_ends, with_interval
from analysis.tables import level_in, read_table, write_tables
from simcore.arrays import Bools, Floats, Integers
from simcore.sealed import RunError
from simcore.work.folder import FolderKind, identity, read_asked, work_in

#: The part of an entry that is how its other parts go together.
TOGETHER = "together"
#: The block of what must have been met: where it never was, there is no price.
WORD = "effect"
#: The feature that is the price of an entry by other lists, in tens of points.
ELSEWHERE = FREE, "other lists"
_TENS = 10
#: An entry priced within this many points of the average is one that somebody would print.
NEAR = 8.0
_OPEN, _CLOSE = "\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"
#: What stands for a number in the wording of a thing, "gain # life".
ANY_NUMBER = "#"
_NUMBER = re.compile(r"\d+")
MORE, LESS = "worth more than its parts", "worth less than its parts"


def without_number(thing: str) -> str:
    """The wording of a thing of any amount: "gain 2 life" -> "gain # life"."""
    return _NUMBER.sub(ANY_NUMBER, thing)


def amount_of(thing: str) -> int | None:
    """The number in the wording of a thing; None where there is none, or several."""
    found = _NUMBER.findall(thing)
    return int(found[0]) if len(found) == 1 else None


class Feature(NamedTuple):
    """A feature of a card: its block, its name there, the part of the card, and how much."""

    block: str
    name: str
    part: str
    amount: float


#: What features are worth by other lists, in points, by block and name.
Elsewhere = Mapping[tuple[str, str], float]


def elsewhere_in(table: pd.DataFrame) -> Elsewhere:
    """What a table ``price_elsewhere`` says."""
    keys = zip(table["block"], table["feature"], strict=True)
    return dict(zip(keys, table["points"], strict=True))


class Columns:
    """The columns of features, by their ``keys``: block and name of each.

    Where other lists say what features are worth, their price of an entry is one more column.
    """

    def __init__(self, keys: Iterable[tuple[str, str]], elsewhere: Elsewhere | None = None) -> None:
        self.elsewhere = elsewhere or {}
        self.keys = sorted({*keys, ELSEWHERE} if self.elsewhere else {*keys})
        self.blocks = tuple(block for block, _ in self.keys)
        self._place = {key: place for place, key in enumerate(self.keys)}

    def matrix(self, described: Sequence[Sequence[Feature]]) -> Floats:
        """The features of some cards, (n_cards, n_columns); those never met are left out."""
        found = np.zeros((len(described), len(self.keys)))
        for row, card in enumerate(described):
            for one in card:
                key = one.block, one.name
                if (place := self._place.get(key)) is not None:
                    found[row, place] += one.amount
                if key in self.elsewhere:
                    there = self._place[ELSEWHERE]
                    found[row, there] += one.amount * self.elsewhere[key] / _TENS
        return found

    def unmet(self, described: Sequence[Feature]) -> Iterator[tuple[str, float]]:
        """The block and the amount of each feature of a card that is no column."""
        amounts: defaultdict[tuple[str, str], float] = defaultdict(float)
        for one in described:
            if (key := (one.block, one.name)) not in self._place:
                amounts[key] += one.amount
        yield from ((block, amount) for (block, _), amount in amounts.items())

    def unknown(self, described: Sequence[Feature]) -> list[str]:
        """The parts of a card whose words were never met."""
        parts = (
            one.part
            for one in described
            if one.block == WORD and (one.block, one.name) not in self._place
        )
        return [*dict.fromkeys(parts)]

    def by_part(self, described: Sequence[Feature]) -> Mapping[str, Floats]:
        """The features of each part of a card, (n_columns,), in the order of the parts."""
        parts: dict[str, list[Feature]] = defaultdict(list)
        for one in described:
            parts[one.part].append(one)
        return {part: self.matrix([several])[0] for part, several in parts.items()}


class Worths(NamedTuple):
    """What entries are worth in points of win rate, against the average one that is printed.

    ``batch`` has the number of the batch of each made-up entry, -1 for those that are printed.  All
    arrays are of shape (n_entries,).
    """

    cards: Sequence[Any]
    worth: Floats
    std_err: Floats
    batch: Integers


class Contrast(NamedTuple):
    """A thing that has a price: its kind, field and name, and on how many played cards it rests.

    ``steps`` are the features that it adds to each of some entries.
    """

    kind: str
    field: str
    thing: str
    steps: Sequence[Floats]
    n_cards: int


class Describer(ABC):
    """Says what entries of a game are made of."""

    #: Variances from which the fit begins.
    start: Mapping[str, float] = {}

    @abstractmethod
    def features(self, card: Any) -> Iterator[Feature]:
        """All features of an entry."""

    @abstractmethod
    def named(self, card: Any) -> tuple[str, str]:
        """The id and the name of an entry."""

    @abstractmethod
    def contrasts(
        self, worths: Worths, row: Callable[[Any], Floats], described: Sequence[Sequence[Feature]]
    ) -> Iterator[Contrast]:
        """The things that have a price; ``row`` gives the features of an entry as numbers."""

    def modifiers(self, card: Any) -> int:  # noqa: ARG002 - most games have none
        """How many things an entry has that make a price less sure."""
        return 0

    def is_plain(self, card: Any) -> bool:  # noqa: ARG002 - by default all are
        """Whether an entry says one thing at most."""
        return True


@frozen
class Price:
    """What a card is worth by the list, in points, and its sum line by line.

    ``why`` says why it has no price, "" where it has one.
    """

    card_id: str
    name: str
    price: float | None
    ci_low: float | None
    ci_high: float | None
    lines: tuple[tuple[str, float], ...]
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        """The price as values of JSON."""
        lines = [{"line": line, "points": round(points, 2)} for line, points in self.lines]
        known = {"price": self.price, "ci_low": self.ci_low, "ci_high": self.ci_high}
        rounded = {key: None if one is None else round(one, 2) for key, one in known.items()}
        return {"card_id": self.card_id, "name": self.name, **rounded} | {
            "lines": lines,
            "reason": self.why or None,
        }


@frozen(eq=False)
class Pricer:
    """Prices entries of a game: the model of what they are worth, and how sure it is."""

    model: MixedModel
    columns: Columns
    describer: Describer
    calibration: Calibration

    def price(self, card: Any) -> Price:
        """The price of a card, which need not have been played."""
        described = [*self.describer.features(card)]
        found = self.model.forecast(self.columns.matrix([described]))
        # What was never met has mean 0 and the variance of its block.
        known = self.model.variances
        unmet = self.columns.unmet(described)
        found.variance[:] += sum(known.get(block, 0.0) * n**2 for block, n in unmet)
        half = float(self.calibration.half_width(found, self.describer.modifiers(card))[0])
        at, unknown = float(found.mean[0]), self.columns.unknown(described)
        named, lines = self.describer.named(card), tuple(self._sum(described))
        if unknown:
            told = " and ".join(f"{_OPEN}{one}{_CLOSE}" for one in unknown)
            return Price(*named, None, None, None, lines, f"no price for {told}: never played")
        if half > WIDEST:
            why = f"no price: known to no better than \N{PLUS-MINUS SIGN}{half:.1f} points"
            return Price(*named, None, None, None, lines, why)
        return Price(*named, at, at - half, at + half, lines)

    def mean(self, card: Any) -> float:
        """What a card is worth in points, however sure that is."""
        row = self.columns.matrix([[*self.describer.features(card)]])
        return float((row @ self.model.effects)[0])

    def _sum(self, described: Sequence[Feature]) -> Iterator[tuple[str, float]]:
        """What each part of a card adds, in points; how they go together last."""
        parts = self.columns.by_part(described)
        for part in sorted(parts, key=TOGETHER.__eq__):
            yield part, float(parts[part] @ self.model.effects)

    @cached_property
    def points(self) -> Mapping[tuple[str, str], float]:
        """What each feature adds to an entry, in points."""
        own = dict(zip(self.columns.keys, map(float, self.model.effects), strict=True))
        share, elsewhere = own.pop(ELSEWHERE, 0.0) / _TENS, self.columns.elsewhere
        return {
            key: own.get(key, 0.0) + share * elsewhere.get(key, 0.0)
            for key in own.keys() | elsewhere.keys()
        }

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables that `read` makes it of, with ``price_worths``."""
        model = self.model
        card, column = np.nonzero(model.features)
        keys = [self.columns.keys[one] for one in column]
        fit = {**model.variances, **self.calibration._asdict()}
        return {
            "price_features": pd.DataFrame(
                {
                    "card": card,
                    "block": [block for block, _ in keys],
                    "feature": [name for _, name in keys],
                    "times": model.features[card, column],
                }
            ),
            "price_fit": pd.DataFrame({"number": [*fit], "value": [*fit.values()]}),
            "price_elsewhere": PRICE_ELSEWHERE.frame(
                [
                    {"block": block, "feature": name, "points": points}
                    for (block, name), points in self.columns.elsewhere.items()
                ]
            ),
        }

    @classmethod
    def read(cls, describer: Describer, tables: Mapping[str, pd.DataFrame]) -> "Pricer":
        """The one whose `tables` these are."""
        worths, features = tables["price_worths"], tables["price_features"]
        named = features.groupby(["block", "feature"])
        columns = Columns(named.size().index, elsewhere_in(tables["price_elsewhere"]))
        matrix = np.zeros((len(worths), len(columns.keys)))
        matrix[features["card"], named.ngroup()] = features["times"]
        fit = dict(zip(tables["price_fit"]["number"], tables["price_fit"]["value"], strict=True))
        calibration = Calibration(*(fit.pop(name) for name in Calibration._fields))
        worth, variance = (worths[name].to_numpy() for name in ("worth", "variance"))
        model = MixedModel(matrix, columns.blocks, worth, variance, fit)
        return cls(model, columns, describer, calibration)


@frozen(eq=False)
class PriceList:
    """A model of what cards are worth, fitted to cards that were played."""

    worths: Worths
    model: MixedModel
    columns: Columns = field(repr=False)
    describer: Describer = field(repr=False)
    described: Sequence[Sequence[Feature]] = field(repr=False)

    @classmethod
    def fit(
        cls,
        describer: Describer,
        worths: Worths,
        known: Mapping[str, float] | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> "PriceList":
        """The list of a game, by what its entries and made-up ones were worth when played.

        ``known`` are the variances, where they were found before; ``elsewhere`` is what other lists
        say, which counts for as much as it foretells what was played here.
        """
        described = [[*describer.features(card)] for card in worths.cards]
        met = {(one.block, one.name) for card in described for one in card}
        columns = Columns(met, elsewhere)
        played = columns.matrix(described), columns.blocks, worths.worth, worths.std_err**2
        model = MixedModel(*played, known) if known else MixedModel.fit(*played, describer.start)
        return cls(worths, model, columns, describer, described)

    @cached_property
    def held(self) -> Held:
        """Every card with its price without its batch, or for a printed one without itself."""
        worths = self.worths
        return Held(
            self.model.left_out(worths.batch),
            worths.worth,
            worths.std_err**2,
            np.array([self.describer.modifiers(card) for card in worths.cards]),
            worths.batch,
        )

    @property
    def _made_up(self) -> Bools:
        return self.worths.batch >= 0

    @cached_property
    def calibration(self) -> Calibration:
        """How wide intervals are: as made-up cards show whose whole batch was left out."""
        return Calibration.of(self.held.where(self._made_up))

    @property
    def pricer(self) -> Pricer:
        """What prices any card."""
        return Pricer(self.model, self.columns, self.describer, self.calibration)

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of `PRICE_TABLES`."""
        return {
            "prices": self._things(),
            "price_quality": self._quality(),
            "price_curve": self._curve(),
            "price_worths": self._worths(),
            **self.pricer.tables(),
        }

    def _worths(self) -> pd.DataFrame:
        """What was played, from which the list can be made anew."""
        played = self.worths
        return pd.DataFrame(
            {
                "card_id": [self.describer.named(card)[0] for card in played.cards],
                "batch": played.batch,
                "worth": played.worth,
                "variance": played.std_err**2,
            }
        )

    def _things(self) -> pd.DataFrame:
        """What things are worth beside what else is on entries."""
        rows = []

        def features(card: Any) -> Floats:
            return self.columns.matrix([[*self.describer.features(card)]])[0]

        for one in self.describer.contrasts(self.worths, features, self.described):
            steps = np.array(one.steps)
            mean = self.model.contrast(steps.mean(axis=0, keepdims=True))
            half = float(self.calibration.half_width(mean, 0)[0])
            row: dict[str, object] = {"kind": one.kind, "field": one.field, "thing": one.thing}
            row |= interval("price", float(mean.mean[0]), half)
            spread = float(np.std(steps @ self.model.effects))
            rows.append(row | {"spread": spread, "n_cards": one.n_cards})
        table = PRICES.frame(rows)
        return table[table["price_ci_high"] - table["price_ci_low"] <= 2 * WIDEST].reset_index(
            drop=True
        )

    def _quality(self) -> pd.DataFrame:
        """How good prices are that had no part in the fit, of cards that have one."""
        made_up, printed = (self.held.where(one) for one in (self._made_up, ~self._made_up))
        near = np.abs(made_up.price.mean) <= NEAR
        pairs = zip(self.worths.cards, self._made_up, strict=True)
        plain = np.array([self.describer.is_plain(card) for card, mine in pairs if mine])
        known = made_up, *cross_calibrated(made_up)
        spread = self.calibration.variance(printed.price, printed.modifiers)
        of_pool = printed, spread, np.full(len(spread), self.calibration.times)
        every = np.ones(len(self.worths.worth), bool)
        parts = {
            "whole batches": (known, every[: len(near)]),
            "whole batches, priced near the average": (known, near),
            "whole batches, one plain effect at most": (known, plain),
            "cards of the pool, each left out": (of_pool, every[: len(spread)]),
        }
        if plain.all():  # it would say the same again
            del parts["whole batches, one plain effect at most"]
        rows = []
        for name, ((held, variance, times), chosen) in parts.items():
            priced = times * np.sqrt(variance) <= WIDEST
            told = chosen & priced
            found = Quality.of(held.where(told), variance[told], times[told])
            without = int((chosen & ~priced).sum())
            rows.append({"cards": name, **found._asdict(), "n_without": without})
        return PRICE_QUALITY.frame(rows)

    def _curve(self) -> pd.DataFrame:
        """The cards of the pool, priced without themselves against played."""
        printed = ~self._made_up
        held = self.held.where(printed)
        chosen = zip(self.worths.cards, printed, strict=True)
        named = [self.describer.named(card) for card, mine in chosen if mine]
        half = self.calibration.half_width(held.price, held.modifiers)
        variance = self.calibration.variance(held.price, held.modifiers) + held.error
        off = held.worth - held.price.mean
        # Intervals hold with their own quantile, and so do the tests.
        p_value = two_sided_p(off * normal_z() / self.calibration.times, np.sqrt(variance))
        corrected = adjust_p(p_value)
        reach = normal_z() * np.sqrt(held.error)
        shown = corrected < 1 - confidence()
        return pd.DataFrame(
            {
                "card_id": [one for one, _ in named],
                "name": [one for _, one in named],
                **interval("price", held.price.mean, half),
                **interval("played", held.worth, reach),
                "off": off,
                "p_value": p_value,
                "q_value": corrected,
                "verdict": np.where(shown, np.where(off > 0, MORE, LESS), ""),
            }
        )[list(PRICE_CURVE.columns)]


def compare_players(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """The things that have a price in the lists of two players, and by how much these differ.

    Lists are taken for independent.  They were played with the same made-up cards, so what cards
    have of their own is partly in both, and intervals are too wide rather than too narrow.
    """
    things = ["kind", "field", "thing"]
    both = first.merge(second, on=things, suffixes=("_first", "_second"))
    found, halves = both[things].copy(), []
    for player in _PLAYERS:
        found[player] = both[f"price_{player}"]
        for end in ("ci_low", "ci_high"):
            found[f"{player}_{end}"] = both[f"price_{end}_{player}"]
        halves.append((found[f"{player}_ci_high"] - found[f"{player}_ci_low"]) / 2)
    reach = np.hypot(*halves)
    found = found.assign(**interval("gap", found["first"] - found["second"], reach))
    found["p_value"] = two_sided_p(found["gap"], reach / normal_z())
    found["q_value"] = adjust_p(found["p_value"])
    shown = found["q_value"] < 1 - confidence()
    ahead = np.where(found["gap"] > 0, *_PLAYERS)
    return found.assign(favourite_of=np.where(shown, ahead, ""))[list(PRICE_PLAYERS.columns)]


_PLAYERS = "first", "second"
_WHERE = "in the folder of a price list (`fairdeal prices`)"
PRICES = Table(
    "prices",
    "One row per thing on a card",
    {
        "kind": "power, body (a creature without keyword and text), keyword, together (what two"
        " things are worth more together than each by itself), line, or amount (what one more adds"
        " to a line)",
        "field": "the field of a line, such as play or attack",
        "thing": "the thing: a keyword, or a line as the card language writes it",
        **with_interval("price", "what it adds to a card, in points of win rate"),
        "spread": "standard deviation of the price over the cards of the pool without their lines",
        "n_cards": "played cards with the thing; of a line, with its word in its field",
    },
    where=_WHERE,
    numbers=(*with_ends("price"), "spread"),
)
PRICE_QUALITY = Table(
    "price_quality",
    "One row per kind of cards that had no part in the fit",
    {
        "cards": "which cards were left out",
        "n": "their number; the others of the row are about these",
        "error": "standard deviation of price minus worth, in points, without the chance in games",
        "error_played": "the same with the chance in games",
        "slope": "by how many points the worth grows with a point of the price",
        "slope_ci_low": "`slope`: lower end of its interval",
        "slope_ci_high": "`slope`: upper end of its interval",
        "correlation": "correlation of price and worth, without the chance in games",
        "correlation_played": "the same with the chance in games",
        "covered": "share of intervals that held",
        "half_width": "mean half width of the intervals, in points",
        "spread": "standard deviation of the worths, in points, without the chance in games",
        "n_without": "how many more have no price, since it is known to no better than"
        f" {WIDEST:g} points",
    },
    where=_WHERE,
    numbers=(
        *("error", "error_played", *with_ends("slope"), "correlation", "correlation_played"),
        *("half_width", "spread"),
    ),
)
PRICE_CURVE = Table(
    "price_curve",
    "One row per card of the pool",
    {
        "card_id": "the card",
        "name": "its printed name",
        **with_interval("price", "its price in points, by all other cards"),
        **with_interval("played", "its worth in points, as played"),
        "off": "`played` minus `price`",
        "p_value": "probability of a difference at least this large if the price were right",
        "q_value": q_value("cards"),
        "verdict": f"“{MORE}” or “{LESS}” where that is shown, else empty",
    },
    where=_WHERE,
    numbers=(*with_ends("price", "played"), "off"),
)
PRICE_PLAYERS = Table(
    "price_players",
    "One row per thing that has a price in the lists of two players",
    {
        "kind": "as in `prices`",
        "field": "as in `prices`",
        "thing": "as in `prices`",
        **with_interval("first", "its price in points, by the list of the player named first"),
        **with_interval("second", "the same, by that of the other"),
        **with_interval("gap", "`first` minus `second`"),
        "p_value": "probability of a difference at least this large if the prices were the same",
        "q_value": q_value("things"),
        "favourite_of": "“first” or “second” where it is shown that the thing is worth more to that"
        " player, else empty",
    },
    where="in the folder of two price lists (`fairdeal prices --policy greedy,expert`)",
    numbers=with_ends("first", "second", "gap"),
)
PRICE_WORTHS = Table(
    "price_worths",
    "One row per card that was played, those of the pool first",
    {
        "card_id": "the card",
        "batch": "its batch of made-up cards, from 0; -1 for the cards of the pool",
        "worth": "its worth in points",
        "variance": "the sampling variance of `worth`",
    },
    where=_WHERE,
    numbers=("worth", "variance"),
    json_columns=(),
)
PRICE_FEATURES = Table(
    "price_features",
    "One row per feature of a card of `price_worths`",
    {
        "card": "the row of the card, from 0",
        "block": "the block of features, whose effects have one variance",
        "feature": "its name",
        "times": "how much of it the card has",
    },
    where=_WHERE,
    numbers=("times",),
    json_columns=(),
)
PRICE_FIT = Table(
    "price_fit",
    "One row per number that was fitted",
    {
        "number": "a block of features, whose variance it is; `own`, that of what cards have of"
        " their own; `level`, `by_price`, `by_modifier`, `slope` and `times`, which make intervals",
        "value": "the number",
    },
    where=_WHERE,
    numbers=("value",),
    json_columns=(),
)
PRICE_ELSEWHERE = Table(
    "price_elsewhere",
    "One row per feature that has a price in the lists of other pools; none for other games",
    {
        "block": "as in `price_features`",
        "feature": "as in `price_features`",
        "points": "what it adds there, in points; how much of that counts here is fitted",
    },
    where=_WHERE,
    numbers=("points",),
    json_columns=(),
)

#: The tables, as `PriceList.tables` gives them.
PRICE_TABLES = Registry(
    *(PRICES, PRICE_QUALITY, PRICE_CURVE),
    *(PRICE_WORTHS, PRICE_FEATURES, PRICE_FIT, PRICE_ELSEWHERE),
)


def write_list(kind: FolderKind, tables: Mapping[str, pd.DataFrame], folder: Path) -> None:
    """Write the tables of a list to its folder.  Raises RunError."""
    write_tables(tables, folder, identity(kind, read_asked(kind, folder), ""))


def read_list(
    kind: FolderKind, asked: Mapping[str, Any], folder: Path
) -> dict[str, pd.DataFrame] | None:
    """The tables of a list that was made; None where there is none, or it is of other games.

    Those of another confidence level are none either.
    """
    try:
        manifest = work_in(kind, folder, asked).asked
        if {level_in(folder, name) for name in PRICE_TABLES} != {confidence()}:
            return None
        said = identity(kind, manifest, "")
        return {
            name: read_table(kind, folder, table, said, "repeat the command")
            for name, table in PRICE_TABLES.items()
        }
    except RunError:  # it is told where the games are played, or they make the tables anew
        return None
