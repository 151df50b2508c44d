"""What a card is worth and what each part of it does, in the studio: rows and maps that fill."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import Factory, define

from analysis.mindbug.experiments.usual import EVERY_CARD_GAMES, VARIANT_GAMES
from reports.kit.words import count, display_name, interval, percent
from reports.mindbug.studio.card_texts import PoolOf, changed_text
from reports.studio.bench import Cell, Chart, Choice, Map, Row, Show, Trial, Tried
from reports.studio.changes import (
    effect,
    effect_cell,
    effect_map,
    effect_row,
    fine_points,
    interval_heading,
    seldom,
    shares_of,
)
from reports.studio.rows import LONGEST, UNKNOWN, games_choice, points_chart, points_row

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.experiments.pool_experiments import TriedChanges
    from analysis.mindbug.experiments.trials import Trials
    from card_data.mindbug.variants import Variant
    from reports.studio.work import Asked

#: What is tried: values of ``--changes`` and the words for them.
_CHANGES = {
    "": "everything of one card; of all cards what each is worth",
    "value": "what it is worth alone",
    "power,keywords,copies": "power, keywords and copies (of all cards: a map)",
    "power": "power alone (of all cards: a map)",
}
_EFFECT = ("Change", "Difference", "Effect")
_WORTH = ("Card", "Worth", "Against the reference")
_HOW = (
    "By how many percentage points players dealt the card win more, with a power of so much more, a"
    " keyword added, or (in brackets) taken away; bold where the interval leaves 0 out. Press a"
    " number to take the change into the editor."
)
# What is said of more worth and of less.
_OF_WORTH = ("worth more", "worth less")


def trial(pool_of: PoolOf) -> Trial:
    """The experiment as it can be asked for."""
    usual = f"usual: {VARIANT_GAMES:,} each, {EVERY_CARD_GAMES:,} of all cards"
    return Trial(
        "What does each part of a card do?",
        "Changes one thing after the other (its power, a keyword, a line of text) and plays each on"
        " the same deals with the same luck. A press takes a change into the editor.",
        "Try changes",
        partial(_try, pool_of),
        [
            Choice("changes", "Changes", _CHANGES),
            games_choice({"": usual}, 2_000, 60_000),
        ],
    )


def _try(pool_of: PoolOf, asked: "Asked", show: Show) -> None:
    """Do what ``fairdeal sensitivity`` does, of a card or of all cards."""
    from reports.cli.compute import HERE
    from reports.mindbug.cli.named_cards import ALL
    from reports.mindbug.cli.options import PoolOptions
    from reports.mindbug.cli.sensitivity import ask, find_out
    from reports.mindbug.sensitivity.text import describe, headline

    options, named = pool_of(Path(asked.file), asked.chosen)
    said = ask(
        asked.entry or ALL,
        named,
        PoolOptions(**options),
        changes=asked.more["changes"] or None,
        games=int(asked.more["games"]) if asked.more["games"] else None,
        policy=asked.chosen["player"],
    )
    seen = _Seen(asked.own)
    with HERE.start() as crew:
        answer = find_out(said, crew, see=seldom(partial(seen.see, show)))
    played, tables = answer.played, answer.tables
    seen.take(tables["sensitivity"])
    answered = headline(tables, played.card_names)
    show(
        Tried(
            f"{answered or seen.subject(played)}.",
            describe(played.manifest),
            [f"{one.topic}: {one.text}" for one in answer.findings],
            seen.chart(played),
            (answer.page.parent.name, answer.page.name),
            seen.map(played),
        )
    )


@define
class _Seen:
    """What is known of each variant: its line of the table ``sensitivity``.

    The intervals of all are corrected together in the end.
    """

    own: Sequence[str]
    lines: "dict[tuple[str, str], pd.Series]" = Factory(dict)
    _texts: dict[tuple[str, str], str] = Factory(dict)

    def see(self, show: Show, tried: "TriedChanges") -> None:
        """Show what is known of the changes that are played."""
        from attrs import evolve

        for one in tried.trials:
            new = [
                place
                for place, variant in enumerate(one.variants[: len(one.outcomes)])
                if (variant.card.card_id, variant.change) not in self.lines
            ]
            if new:
                only = slice(new[0], new[-1] + 1)
                fresh = evolve(one, variants=one.variants[only], outcomes=one.outcomes[only])
                table = evolve(tried, trials=[fresh]).tables()["sensitivity"]
                self.take(table)
        done = sum(len(one.outcomes) for one in tried.trials)
        n = sum(len(one.variants) for one in tried.trials)
        show(
            Tried(
                f"{self.subject(tried)}: {count(done)} of {count(n)} changes are played.",
                chart=self.chart(tried),
                map=self.map(tried),
            )
        )

    def take(self, table: "pd.DataFrame") -> None:
        """Note lines."""
        for _, line in table[table["measure"] == "dealt"].iterrows():
            self.lines[line["card_id"], line["change"]] = line

    def subject(self, tried: "TriedChanges") -> str:
        """What is asked about."""
        if len(tried.trials) > 1:
            return "All cards"
        return display_name(tried.trials[0].card.name, LONGEST)

    def chart(self, tried: "TriedChanges") -> Chart | None:
        """The changes of one card, or what each of all cards is worth."""
        if len(tried.trials) == 1:
            [one] = tried.trials
            rows = [self._row(tried, one, variant) for variant in one.variants]
            return points_chart(_EFFECT, [*filter(None, rows)], more=[interval_heading(), "After"])
        worth = [self._worth(one) for one in tried.trials if _value(one) or _is_reference(one)]
        if not any(map(_value, tried.trials)):
            return None
        worth.sort(key=lambda row: (row.at is None, -(row.at or 0)))
        return points_chart(_WORTH, worth, more=[interval_heading(), "Dealt"])

    def _row(self, tried: "TriedChanges", one: "Trials", variant: "Variant") -> Row | None:
        """A change; None for a combination of parts, of which the page tells what they add."""
        if variant.kind == "parts":
            return None
        line = self.lines.get((one.card.card_id, variant.change))
        return effect_row(variant.label, line, text=self._text(tried, variant))

    def _worth(self, one: "Trials") -> Row:
        """What a card is worth against the reference: the other way round than the change."""
        name, is_own = display_name(one.card.name, LONGEST), one.card.card_id in self.own
        if _is_reference(one):
            return Row(
                name, "0", "the reference", 0, 0, 0, "the reference", is_own=is_own, more=["", ""]
            )
        line = self.lines.get((one.card.card_id, "value"))
        if line is None:
            return Row(name, word=UNKNOWN, is_own=is_own, more=["", ""])
        shares = [0.0 - share for share in reversed(shares_of(line))]
        ends = interval(shares[0], shares[2], fine_points)
        return points_row(
            name,
            fine_points(shares[1]),
            ends,
            shares,
            **effect(shares, _OF_WORTH),
            is_own=is_own,
            more=[ends, percent(line["base"])],
        )

    def _text(self, tried: "TriedChanges", variant: "Variant") -> str:
        """The changed card for the file; "" where another card lies in its place."""
        from card_data.mindbug.variants import with_card

        key = variant.card.card_id, variant.change
        if key not in self._texts:
            pool = tried.experiments.pool
            changed = (
                "" if variant.kind == "value" else changed_text(pool, with_card(pool, variant.card))
            )
            self._texts[key] = changed
        return self._texts[key]

    def map(self, tried: "TriedChanges") -> Map | None:
        """The changes of all cards, one's own first; None where a chart tells all."""
        from reports.mindbug.sensitivity.charts import MAPPED, mapped_column, mapped_columns

        every = [
            (one, variant)
            for one in tried.trials
            for variant in one.variants
            if variant.kind in MAPPED
        ]
        if len(tried.trials) == 1 or not every:
            return None
        columns = mapped_columns(variant.change for _, variant in every)
        known = [abs(line["difference"]) for line in self.lines.values()]
        rows: dict[str, tuple[str, bool, dict[str, Cell | None]]] = {}
        for one, variant in every:
            card = one.card
            cell = effect_cell(
                variant.label,
                self.lines.get((card.card_id, variant.change)),
                max(known, default=0),
                self._text(tried, variant),
                in_brackets=variant.kind == "remove_keyword",
            )
            is_own = card.card_id in self.own
            *_, cells = rows.setdefault(card.card_id, (card.name, is_own, {}))
            cells[mapped_column(variant.change)] = cell
        return effect_map("Card", columns, rows.values(), _HOW)


def _value(one: "Trials") -> bool:
    """Whether a card is changed for the reference."""
    return any(variant.kind == "value" for variant in one.variants)


def _is_reference(one: "Trials") -> bool:
    return one.card.card_id == one.reference.card_id
