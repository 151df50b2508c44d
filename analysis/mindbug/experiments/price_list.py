"""The price list of a pool: what each thing on a card is worth, and the price of any card."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import evolve, field, frozen

from analysis.confidence import confidence, normal_z
from analysis.estimates import adjust_p, two_sided_p
from analysis.mindbug.experiments.price_features import (
    TOGETHER,
    WORD,
    Columns,
    Describer,
    Feature,
    field_of,
    modifiers,
)
from analysis.mindbug.experiments.prices import FOLDER, PriceGames, Worths
from analysis.mixed_model import MixedModel
from analysis.questions.prices import WIDEST, Calibration, Held, Quality, cross_calibrated
from analysis.registry import Registry, Table, q_value, with_ends, with_interval
from analysis.tables import level_in, read_table, write_tables
from card_data.mindbug.invention import Line, lines_of
from card_data.mindbug.language.rules_text import format_line
from card_data.mindbug.schema import (
    MAX_POWER,
    Card,
    ConstantAbility,
    Pool,
    TriggeredAbility,
)
from card_data.mindbug.variants import dealt_cards
from card_data.mindbug.vocabulary import Keyword
from simcore.sealed import RunError
from simcore.work.folder import identity, read_asked, work_in

_FLOAT = npt.NDArray[np.float64]

#: Variances from which the fit begins: about those that seven batches of First Contact gave.
START = {
    "keyword": 7.4,
    "keyword × keyword": 4.9,
    "keyword × power": 1.1,
    "power": 7.0,
    "power²": 2.9,
    "field": 5.1,
    "field × keyword": 1.0,
    "field × power": 0.9,
    "effect": 2.1,
    "effect × field": 1.7,
    "effect × whose": 7.7,
    "effect × whose × field": 0.1,
    "wording": 0.5,
    "wording × field": 2.1,
    "amount": 1.3,
    "log amount": 1.1,
    "cap": 10.0,
    "cap × effect": 3.9,
    "floor": 9.2,
    "filter × effect": 5.1,
    "for each × effect": 13.2,
    "abilities": 0.2,
    "own": 3.5,
    **dict.fromkeys(("chain", "choose", "condition", "condition × effect", "filter"), 0.05),
    **dict.fromkeys(("floor × effect", "for each", "given", "may", "may × effect"), 0.05),
    **dict.fromkeys(("timing", "timing × effect"), 0.05),
}
#: A card priced within this many points of the average is one that somebody would print.
NEAR = 8.0
_POWER_STEP, _FEWEST_CARDS = 3, 4
_OPEN, _CLOSE = "\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"
MORE, LESS = "worth more than its parts", "worth less than its parts"


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
    """Prices cards of a pool: the model of what they are worth, and how sure it is."""

    model: MixedModel
    columns: Columns
    describer: Describer
    calibration: Calibration

    def price(self, card: Card) -> Price:
        """The price of a card, which need not have been played."""
        described = [*self.describer.features(card)]
        found = self.model.forecast(self.columns.matrix([described]))
        half = float(self.calibration.half_width(found, modifiers(card))[0])
        at, unknown = float(found.mean[0]), self.columns.unknown(described)
        named, lines = (card.card_id, card.name), tuple(self._sum(described))
        if unknown:
            told = " and ".join(f"{_OPEN}{one}{_CLOSE}" for one in unknown)
            return Price(*named, None, None, None, lines, f"no price for {told}: never played")
        if half > WIDEST:
            why = f"no price: known to no better than \N{PLUS-MINUS SIGN}{half:.1f} points"
            return Price(*named, None, None, None, lines, why)
        return Price(*named, at, at - half, at + half, lines)

    def _sum(self, described: Sequence[Feature]) -> Iterator[tuple[str, float]]:
        """What each part of a card adds, in points; how they go together last."""
        parts = self.columns.by_part(described)
        for part in sorted(parts, key=TOGETHER.__eq__):
            yield part, float(parts[part] @ self.model.effects)

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables that `read` makes it of."""
        model = self.model
        card, column = np.nonzero(model.features)
        keys = [self.columns.keys[one] for one in column]
        fit = {**model.variances, **self.calibration._asdict()}
        return {
            "price_worths": pd.DataFrame({"worth": model.worth, "variance": model.error}),
            "price_features": pd.DataFrame(
                {
                    "card": card,
                    "block": [block for block, _ in keys],
                    "feature": [name for _, name in keys],
                    "times": model.features[card, column],
                }
            ),
            "price_fit": pd.DataFrame({"number": [*fit], "value": [*fit.values()]}),
        }

    @classmethod
    def read(cls, pool: Pool, tables: Mapping[str, pd.DataFrame]) -> "Pricer":
        """The one whose `tables` these are."""
        worths, features = tables["price_worths"], tables["price_features"]
        keys = sorted(set(zip(features["block"], features["feature"], strict=True)))
        columns = Columns(keys)
        of = pd.MultiIndex.from_tuples(keys).get_indexer(
            pd.MultiIndex.from_frame(features[["block", "feature"]])
        )
        matrix = np.zeros((len(worths), len(keys)))
        matrix[features["card"], of] = features["times"]
        fit = dict(zip(tables["price_fit"]["number"], tables["price_fit"]["value"], strict=True))
        calibration = Calibration(*(fit.pop(name) for name in Calibration._fields))
        worth, variance = (worths[name].to_numpy() for name in ("worth", "variance"))
        model = MixedModel(matrix, columns.blocks, worth, variance, fit)
        return cls(model, columns, Describer.of(pool), calibration)


@frozen(eq=False)
class PriceList:
    """A model of what cards are worth, fitted to cards that were played."""

    pool: Pool
    worths: Worths
    model: MixedModel
    columns: Columns = field(repr=False)
    describer: Describer = field(repr=False)
    described: Sequence[Sequence[Feature]] = field(repr=False)

    @classmethod
    def fit(cls, pool: Pool, worths: Worths, start: Mapping[str, float] = START) -> "PriceList":
        """The list of a pool, by what its cards and made-up ones were worth when played."""
        describer = Describer.of(pool)
        described = [[*describer.features(card)] for card in worths.cards]
        columns = Columns({(one.block, one.name) for card in described for one in card})
        features = columns.matrix(described)
        model = MixedModel.fit(features, columns.blocks, worths.worth, worths.std_err**2, start)
        return cls(pool, worths, model, columns, describer, described)

    @cached_property
    def held(self) -> Held:
        """Every card with its price without its batch, or for a printed one without itself."""
        worths = self.worths
        return Held(
            self.model.left_out(worths.batch),
            worths.worth,
            worths.std_err**2,
            np.array([modifiers(card) for card in worths.cards]),
            worths.batch,
        )

    @property
    def _made_up(self) -> npt.NDArray[np.bool_]:
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
            **self.pricer.tables(),
        }

    def _things(self) -> pd.DataFrame:
        """What things are worth on the bodies of the pool."""
        bodies = [evolve(card, triggered=(), constant=()) for card in dealt_cards(self.pool)]
        rows = []
        for kind, where, thing, changed, rests in self._contrasts(bodies):
            steps = np.array(changed)
            mean = self.model.contrast(steps.mean(axis=0, keepdims=True))
            half = float(self.calibration.half_width(mean, 0)[0])
            at = float(mean.mean[0])
            row: dict[str, object] = {"kind": kind, "field": where, "thing": thing}
            row |= {"price": at, "price_ci_low": at - half, "price_ci_high": at + half}
            spread = float(np.std(steps @ self.model.effects))
            rows.append(row | {"spread": spread, "n_cards": rests})
        table = PRICES.frame(rows)
        return table[table["price_ci_high"] - table["price_ci_low"] <= 2 * WIDEST].reset_index(
            drop=True
        )

    def _contrasts(
        self, bodies: Sequence[Card]
    ) -> Iterator[tuple[str, str, str, Sequence[_FLOAT], int]]:
        """Kind, field and name of each thing, what it adds to each body, and cards that have it."""
        cards = self.worths.cards
        has = Counter(word for card in cards for word in card.keywords)
        pairs = Counter(one for card in cards for one in combinations(sorted(card.keywords), 2))
        stronger = [
            self._step(one, evolve(one, power=one.power + 1))
            for one in bodies
            if one.power < MAX_POWER
        ]
        yield "power", "", "one more power", stronger, len(cards)
        for word in Keyword:
            without = [evolve(one, keywords=one.keywords - {word}) for one in bodies]
            steps = [self._step(one, _with(one, word)) for one in without]
            yield "keyword", "", word.name, steps, has[word]
        plain = [evolve(one, keywords=frozenset()) for one in bodies]
        for one, other in combinations(Keyword, 2):
            steps = [
                self._step(_with(body, one), _with(_with(body, one), other))
                - self._step(body, _with(body, other))
                for body in plain
            ]
            name = f"{one.name} with {other.name}"
            yield "together", "", name, steps, pairs[(one, other)]
        for word in Keyword:
            steps = [
                self._step(_with(body, word), _with(_stronger(body), word))
                - self._step(body, _stronger(body))
                for body in plain
            ]
            name = f"{word.name} on {_POWER_STEP} more power"
            yield "together", "", name, steps, has[word]
        yield from self._lines(bodies)

    def _lines(
        self, bodies: Sequence[Card]
    ) -> Iterator[tuple[str, str, str, Sequence[_FLOAT], int]]:
        """Plain lines that were played, as far as their words were played often enough."""
        rests: Counter[tuple[str, str]] = Counter()
        plain: dict[str, Line] = {}
        for card, described in zip(self.worths.cards, self.described, strict=True):
            said = {(one.part, one.name) for one in described if one.block == WORD}
            by_text = {format_line(line): line for line in lines_of(card)}
            for text, word in said:
                line = by_text[text]
                rests[field_of(line), word] += 1
                if _is_plain(line):
                    plain[f"{field_of(line)}: {text}"] = line
        for name in sorted(plain):
            line = plain[name]
            printed = [_saying(body, line) for body in bodies]
            steps = [self._step(*both) for both in zip(bodies, printed, strict=True)]
            described = [*self.describer.features(printed[0])]
            words = [one.name for one in described if one.block == WORD]
            n = min(rests[field_of(line), word] for word in words)
            if n >= _FEWEST_CARDS:
                yield "line", field_of(line), name.partition(": ")[2], steps, n

    def _step(self, card: Card, changed: Card) -> _FLOAT:
        """What changes in the features of a card."""
        both = [[*self.describer.features(one)] for one in (card, changed)]
        before, after = self.columns.matrix(both)
        return np.asarray(after - before)

    def _quality(self) -> pd.DataFrame:
        """How good prices are that had no part in the fit."""
        held, made_up = self.held, self.held.where(self._made_up)
        variance, times = cross_calibrated(made_up)
        near = np.abs(made_up.price.mean) <= NEAR
        plain = np.array(
            [
                len(lines_of(card)) <= 1 and all(map(_is_plain, lines_of(card)))
                for card, mine in zip(self.worths.cards, self._made_up, strict=True)
                if mine
            ]
        )
        every = np.ones(len(near), bool)
        rows = []
        for name, chosen in (
            ("whole batches", every),
            ("whole batches, priced near the average", near),
            ("whole batches, one plain effect at most", plain),
        ):
            found = Quality.of(made_up.where(chosen), variance[chosen], times[chosen])
            rows.append({"cards": name, **found._asdict()})
        of_pool = held.where(~self._made_up)
        spread = self.calibration.variance(of_pool.price, of_pool.modifiers)
        widths = np.full(len(spread), self.calibration.times)
        found = Quality.of(of_pool, spread, widths)
        rows.append({"cards": "cards of the pool, each left out", **found._asdict()})
        return PRICE_QUALITY.frame(rows)

    def _curve(self) -> pd.DataFrame:
        """The cards of the pool, priced without themselves against played."""
        printed = ~self._made_up
        held = self.held.where(printed)
        cards = [card for card, mine in zip(self.worths.cards, printed, strict=True) if mine]
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
                "card_id": [card.card_id for card in cards],
                "name": [card.name for card in cards],
                "price": held.price.mean,
                "price_ci_low": held.price.mean - half,
                "price_ci_high": held.price.mean + half,
                "played": held.worth,
                "played_ci_low": held.worth - reach,
                "played_ci_high": held.worth + reach,
                "off": off,
                "p_value": p_value,
                "q_value": corrected,
                "verdict": np.where(shown, np.where(off > 0, MORE, LESS), ""),
            }
        )[list(PRICE_CURVE.columns)]


def _with(card: Card, word: Keyword) -> Card:
    return evolve(card, keywords=card.keywords | {word})


def _stronger(card: Card) -> Card:
    return evolve(card, power=card.power + _POWER_STEP)


def _saying(card: Card, line: Line) -> Card:
    """A card without lines, with one."""
    if isinstance(line, ConstantAbility):
        return evolve(card, constant=(line,))
    return evolve(card, triggered=(line,))


def _is_plain(line: Line) -> bool:
    """Whether a line says one thing, without a condition, a choice or a repetition."""
    if isinstance(line, TriggeredAbility):
        [first, *others] = line.instructions
        asks = first.condition, first.per, first.modes
        return not others and not any(asks) and not first.may and not first.die_from
    return not (line.condition or line.per or line.timing or line.instructions)


_WHERE = "in the folder of a price list (`fairdeal prices`)"
PRICES = Table(
    "prices",
    "One row per thing on a card",
    {
        "kind": "power, keyword, together (what two things are worth more together than each by"
        " itself) or line",
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
        "n": "their number",
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
PRICE_WORTHS = Table(
    "price_worths",
    "One row per card that was played, those of the pool first",
    {"worth": "its worth in points", "variance": "the sampling variance of `worth`"},
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

#: The tables, as `PriceList.tables` gives them.
PRICE_TABLES = Registry(PRICES, PRICE_QUALITY, PRICE_CURVE, PRICE_WORTHS, PRICE_FEATURES, PRICE_FIT)


def write_list(tables: Mapping[str, pd.DataFrame], folder: Path) -> None:
    """Write the tables of a list to its folder.  Raises RunError."""
    write_tables(tables, folder, identity(FOLDER, read_asked(FOLDER, folder), ""))


def read_list(asked: PriceGames, folder: Path) -> dict[str, pd.DataFrame] | None:
    """The tables of a list that was made; None where there is none, or it is of other games.

    Those of another confidence level are none either.
    """
    try:
        manifest = work_in(FOLDER, folder, asked.asked()).asked
        if {level_in(folder, name) for name in PRICE_TABLES} != {confidence()}:
            return None
        said = identity(FOLDER, manifest, "")
        found = {
            name: read_table(FOLDER, folder, table, said, "repeat the command")
            for name, table in PRICE_TABLES.items()
        }
    except RunError:  # it is told where the games are played, or they make the tables anew
        return None
    return found
