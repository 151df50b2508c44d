"""A sensitivity analysis in words.  Nothing is estimated here; sentences quote the tables."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
from attrs import field, frozen

from analysis.experiments.comparison import MIN_DIFFERING
from analysis.questions.sensitivity import PARTS
from analysis.questions.worth import SHAPLEY
from analysis.verdicts import MIN_GAMES, NOT_SETTLED, is_settled
from reports.kit.verdicts import doubt, predicate, settled
from reports.kit.words import (
    ARROW,
    Finding,
    capital,
    chance,
    count,
    decimal,
    display_name,
    interval_of,
    level,
    listed,
    percent,
    points,
    signed,
    times,
)

#: Rows of the console's table where changes are in the order of their size.
_MOST_ROWS = 20
_NAMED = 3
# Letters of a change or part that a sentence repeats.
_LONGEST = 44


@frozen(kw_only=True)
class Nouns:
    """What a game calls things.

    Attributes
    ----------
    result
        What changes move: "win rate".
    as_it_is
        A sentence on what is won as it is, with {} for it; "" for none.
    measures
        The other measures of the table: what each is, its unit for a mean, and its heading.
    same
        What is the same in game i with every change.
    where
        Where the effects hold: "in this pool".
    more
        What else the page says of the method.
    """

    result: str = "win rate"
    as_it_is: str = ""
    measures: Mapping[str, tuple[str, str, str]] = field(factory=dict)
    same: str
    where: str
    more: str = ""


@frozen(kw_only=True)
class Shown:
    """An analysis as it is shown.

    Attributes
    ----------
    tables
        Its tables: ``sensitivity``, and those of `analysis.questions.worth` that there are.
    subject
        Of what it is: "Killer Bee", "All cards", the name of a chapter.
    moved
        What its changes move: "Killer Bee", "the win rate".
    played, caption, facts
        What was played, in one line, under a chart, and with all that is needed to play it again.
    names
        The names of all entries by their ids.
    """

    tables: Mapping[str, pd.DataFrame]
    subject: str
    moved: str
    played: str
    caption: str
    facts: Sequence[tuple[str, str]]
    nouns: Nouns
    names: Mapping[str, str] = field(factory=dict)

    def table(self, name: str) -> pd.DataFrame:
        """A table; one without rows where there is none."""
        return self.tables.get(name, pd.DataFrame())

    @property
    def lines(self) -> pd.DataFrame:
        """What changes do to the main measure, without those for the shares of parts."""
        table = main_lines(self.table("sensitivity"))
        return table[table["kind"] != PARTS]

    @property
    def steps(self) -> pd.DataFrame:
        """Those of them that no other table tells."""
        told = self.table("values"), self.table("by_change")
        lines = self.lines
        return lines.iloc[:0] if len(told[1]) else lines[(lines["kind"] != "value") | told[0].empty]

    @property
    def worth(self) -> pd.DataFrame:
        """Entries of which it was measured what they are worth against another."""
        values = self.table("values")
        if values.empty:
            return values
        known = values.dropna(subset=["value"])
        return known[known["card_id"] != known["reference"]]

    @property
    def several(self) -> bool:
        """Whether changes are of several entries, so that each says its name."""
        return len(self.table("values")) > 1


def main_lines(sensitivity: pd.DataFrame) -> pd.DataFrame:
    """The lines about the most important measure, which comes first."""
    if sensitivity.empty:
        return sensitivity
    return sensitivity[sensitivity["measure"] == sensitivity["measure"].iloc[0]]


# ---------------------------------------------------------------- single changes and numbers


def amount(row: pd.Series, column: str, digits: int = 1) -> str:
    """An estimate with its interval, in percentage points: "+1.3 points (+1.1 to +1.5)"."""
    return f"{points(row[column], digits)} points ({interval(row, column, digits)})"


def interval(row: pd.Series, column: str, digits: int = 1) -> str:
    """The interval of an estimate, in percentage points: "+1.1 to +1.5"."""
    return interval_of(row, column, partial(points, digits=digits))


def percent_of(share: float) -> str:
    """A share that may be negative, in whole per cent: "−17%"."""
    return f"{100 * share:.0f}%".replace("-", "\N{MINUS SIGN}")


def short(label: str) -> str:
    """A change or part as a sentence names it: the text of a card is not repeated at length."""
    return display_name(label, _LONGEST).rstrip(".")


# What a word or a flag is that an entry has or lacks.
_FLAG = {"True": "yes", "False": "no"}


def change_text(row: Mapping[str, Any] | pd.Series, *, named: bool = True) -> str:
    """A change in words: "Filch: life 2 instead of 3", "power +1 (6)"."""
    if "changed_to" not in row:
        return f"{short(row['label'])} of {row['name']}" if named else short(row["label"])
    if not row["number"]:  # of the whole entry: "being able to choose Wall"
        return str(row["label"])
    if str(row["changed_to"]) in _FLAG:  # "Wall without guard"
        has = "with" if str(row["changed_to"]) == "True" else "without"
        return f"{row['name']} {has} {str(row['label']).rpartition(', ')[2]}".strip()
    return f"{what(row)}{': ' if row['kind'] == 'switch' else ' '}{step(row)}"


def what(row: Mapping[str, Any] | pd.Series) -> str:
    """What is changed: "Filch: life"."""
    told = [row["name"], row["label"] if row["number"] else ""]
    return ": ".join(filter(None, told))


def step(row: Mapping[str, Any] | pd.Series) -> str:
    """How a number is changed: "2 instead of 3"."""
    if not row["number"]:
        return str(row["label"])
    said = (str(row[name]) for name in ("changed_to", "value"))
    to, now = (_FLAG.get(one, one).replace("_", " ") for one in said)
    return f"{to} instead of {now}".replace("-", "\N{MINUS SIGN}")


def kind_of_change(change: str) -> str:
    """A change of the table ``by_change``: "power +1", "SNEAKY added", "TOUGH removed"."""
    if change.startswith("power"):
        return f"power {change.removeprefix('power')}".replace("-", "\N{MINUS SIGN}")
    if change == "-all":
        return "without keywords and text"
    return f"{change[1:]} {'added' if change[0] == '+' else 'removed'}"


def _by_size(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    return rows.iloc[(-rows[column].abs()).to_numpy(float).argsort(kind="stable")]


# ---------------------------------------------------------------- the finding, and findings


def headline(shown: Shown) -> str:
    """What an entry is worth, or which entry or change matters most; "" for nothing known."""
    worth, means, steps = shown.worth, shown.table("by_change"), shown.steps
    if len(worth):
        best = worth.sort_values("value").iloc[-1]
        reference, name = display_name(shown.names[best["reference"]]), display_name(best["name"])
        if shown.several:
            if not best["value"] > 0 or not is_settled(best, "value"):
                return f"Whether any is worth more than {reference} is {NOT_SETTLED}"
            return f"{name} is worth most: {points(best['value'])} points against {reference}"
        if not is_settled(best, "value"):
            return f"Whether {name} is worth more or less than {reference} is {NOT_SETTLED}"
        more = "more" if best["value"] > 0 else "less"
        return f"{name} is worth {abs(100 * best['value']):.1f} points {more} than {reference}"
    if len(steps):
        sure = settled(steps, "difference")
        if sure.empty:
            return f"What moves {shown.moved} is {NOT_SETTLED}"
        most = _by_size(sure, "difference").iloc[0]
        change = change_text(most, named=shown.several)
        return f"What moves {shown.moved} most: {change}, {points(most['difference'])} points"
    if len(means):
        sure = settled(means, "effect")
        if sure.empty:
            return f"What moves cards on average is {NOT_SETTLED}"
        most = _by_size(sure, "effect").iloc[0]
        change = kind_of_change(most["change"])
        return f"On average {change} moves a card most: {points(most['effect'])} points"
    return ""


def findings(shown: Shown) -> list[Finding]:
    """What is worth knowing first."""
    first, then = [*_worth(shown)], [*_steps(shown)]
    if shown.worth.empty:
        first, then = then, first
    found = [*first, *then, *_on_average(shown), *_parts(shown), *_game(shown)]
    factor = shown.lines["variance_reduction"].median() if len(shown.lines) else float("nan")
    if pd.notna(factor):
        but = ", except those that change copies" if (shown.lines["kind"] == "copies").any() else ""
        brief = f"separate runs would have needed {times(factor)} times as many games."
        text = f"All changes were played in the same games{but}. For the median change {brief}"
        found.append(Finding("Pairing", text, capital(brief)))
    return found


def _worth(shown: Shown) -> Iterator[Finding]:
    values = shown.table("values")
    if len(values) == 1:
        value = values.iloc[0]
        copies = shown.table("by_copies")
        text, more = _value_text(value, shown.names), ""
        if len(copies) > 1:
            each = (
                f"{amount(row, 'value')} to players dealt {row['copies_dealt']}"
                for _, row in copies.iterrows()
            )
            more = f" By copies: {'; '.join(each)}."
        yield Finding("Worth", text + more, text if more else "")
    elif len(shown.worth):
        ranked = shown.worth.sort_values("value", ascending=False)
        ends = ranked.head(_NAMED), ranked.tail(_NAMED).iloc[::-1]
        best, worst = (
            listed(f"{row['name']} ({points(row['value'])})" for _, row in rows.iterrows())
            for rows in ends
        )
        against = f"In points against {shown.names[ranked['reference'].iloc[0]]} in their place"
        sure = len(settled(ranked, "value"))
        yield Finding(
            "Worth",
            f"{against}, the cards worth most are {best}, those worth least {worst}."
            f" {sure} of {len(values) - 1} are shown to differ from it.",
            f"{against}, {best.partition(')')[0]}) is worth most,"
            f" {worst.partition(')')[0]}) least.",
        )
        same = values[["value", "advantage"]].corr("spearman").iloc[0, 1]
        if pd.notna(same):
            text = (
                "The order by worth and the order by games won when dealt have a rank correlation"
            )
            yield Finding("As observed", f"{text} of {decimal(same)}.")


def _value_text(value: pd.Series, names: Mapping[str, str]) -> str:
    won = f"Players dealt {value['name']} win {percent(value['dealt_win_rate'])} of their games"
    reference = names[value["reference"]]
    if value["card_id"] == value["reference"]:
        return f"{won}. It is the reference, which other cards are set against."
    if pd.isna(value["value"]):
        return f"{won}; its worth against {reference} was not measured (--changes value)."
    rest = percent(value["dealt_win_rate"] - value["value"])
    return (
        f"{won}, and {rest} with {reference} in its place on the same deals: it is worth"
        f" {amount(value, 'value')}{doubt(value, 'value')}."
    )


def _steps(shown: Shown) -> Iterator[Finding]:
    """What is won as it is, which changes raise and lower it most, and what is not settled."""
    rows, nouns = shown.steps, shown.nouns
    if rows.empty:
        return
    if nouns.as_it_is:
        yield Finding("As it is", nouns.as_it_is.format(percent(rows["base"].iloc[0])))
    sure = _by_size(settled(rows, "difference"), "difference")
    for topic, verb, mine in (
        ("Better", "raise", sure[sure["difference"] > 0]),
        ("Worse", "lower", sure[sure["difference"] < 0]),
    ):
        if mine.empty:
            continue
        named = [
            f"{change_text(row, named=shown.several)} ({points(row['difference'])},"
            f" {interval(row, 'difference')})"
            for _, row in mine.head(_NAMED).iterrows()
        ]
        more = len(mine) - _NAMED
        does = f"{verb}s" if more == 1 else verb
        rest = f" {count(more)} more {does} the {nouns.result}." if more > 0 else ""
        brief = f"In points: {'; '.join(named[:2])}{f'; {len(mine) - 2} more' * (len(mine) > 2)}."
        yield Finding(topic, f"In points: {'; '.join(named)}.{rest}", brief)
    if n_rest := len(rows) - len(sure):
        widest = rows.drop(index=sure.index)
        reach = max(widest["difference_ci_high"].max(), -widest["difference_ci_low"].min())
        unclear = f"{count(n_rest)} of {count(len(rows))} changes {predicate(NOT_SETTLED, n_rest)}"
        beyond = "by their intervals none of these moves it by more than"
        yield Finding(
            "Not settled", f"{unclear}; {beyond} {points(reach).removeprefix('+')} points."
        )


def _on_average(shown: Shown) -> Iterator[Finding]:
    means = shown.table("by_change")
    if means.empty:
        return
    texts = []
    for _, row in means.iterrows():
        text = (
            f"{kind_of_change(row['change'])} {points(row['effect'])} ({interval(row, 'effect')})"
        )
        if row["spread_ci_low"] > 0:
            text += f", give or take {100 * row['spread']:.1f} from card to card"
        lines = settled(shown.lines[shown.lines["change"] == row["change"]], "difference")
        text += doubt(row, "effect")
        if len(lines):
            far = _by_size(lines, "difference").iloc[0]
            text += f", most for {far['name']} ({points(far['difference'])})"
        texts.append(text)
    far = _by_size(settled(means, "effect"), "effect").head(_NAMED)
    most = (f"{kind_of_change(r['change'])} ({points(r['effect'])})" for _, r in far.iterrows())
    brief = f"What moves a card most, in points and on average: {listed(most)}."
    if far.empty:
        brief = f"What moves cards on average is {NOT_SETTLED}."
    yield Finding("On average", f"Over the cards, in points: {'; '.join(texts)}.", brief)


def _parts(shown: Shown) -> Iterator[Finding]:
    parts = shown.table("parts")
    if parts.empty:
        return
    rest = _by_size(parts[parts["kind"] != "total"], "worth")
    far = rest.iloc[0]
    if shown.several:
        named = (f"{short(row['label'])} of {row['name']} {amount(row, 'worth')}"
                 for _, row in rest.head(_NAMED).iterrows())  # fmt: skip
        yield Finding("Parts", f"The parts that matter most: {'; '.join(named)}.")
        return
    total = parts.iloc[-1]
    text = (
        "Against a plain creature with the reference's power, the whole card is worth"
        f" {amount(total, 'worth')}."
    )
    told = [f"{short(one['label'])} {amount(one, 'worth')}{doubt(one, 'worth')}"
            for _, one in rest.iterrows()]  # fmt: skip
    brief = f"{capital(told[0])}." if is_settled(far, "worth") else text
    if total["method"] != SHAPLEY:
        more = f" Each of its many parts adds to all the others: {'; '.join(told)}."
        yield Finding("Parts", text + more, brief)
        return
    told = [f"{one}{_orders(row)}" for one, (_, row) in zip(told, rest.iterrows(), strict=True)]
    text += f" Averaged over all orders of adding them, the parts add: {'; '.join(told)}."
    opposed = [
        f"{short(part['label'])} ({points(part['alone'])} {ARROW} {points(part['last'])})"
        for _, part in rest.iterrows()
        if part["alone_ci_low"] > 0 > part["last_ci_high"]
        or part["last_ci_low"] > 0 > part["alone_ci_high"]
    ]
    if opposed:
        text += (
            " Parts depend on each other: what they add changes sign between the plain creature and"
            f" the full card for {listed(opposed)}."
        )
    if rest["share"].isna().all() and abs(total["worth"]) > 0:
        text += " Shares are missing: parts work against each other, or the whole is unclear."
    yield Finding("Parts", text, brief)


def _orders(part: pd.Series) -> str:
    """What share of the whole a part is, and what it adds first and last."""
    share = "" if pd.isna(part["share"]) else f", {percent_of(part['share'])} of the whole"
    ends = (
        f"{points(part['alone'])} to the plain creature and {points(part['last'])} to the rest of"
    )
    return f"{share}; it adds {ends} the card"


def _game(shown: Shown) -> Iterator[Finding]:
    """How the changes move the other measures."""
    table = shown.table("sensitivity")
    sentences, briefs = [], []
    for measure, (subject, unit, _) in shown.nouns.measures.items():
        lines = table[(table["measure"] == measure) & (table["kind"] != PARTS)]
        if lines.empty:
            continue
        sure = _by_size(settled(lines, "difference"), "difference")
        n = len(sure)
        briefs.append(f"{n or 'none'} of {len(lines)} changes is shown to move {subject}"
                      if n < 2 else f"{n} of {len(lines)} changes move {subject}")  # fmt: skip
        if not n:
            sentences.append(f"No change is shown to move {subject}.")
            continue
        by = sure.iloc[0]["difference"]
        by = f"{signed(by, 2)} {unit}" if unit else f"{points(by)} points"
        most = change_text(sure.iloc[0], named=shown.several)
        sentences.append(f"{capital(briefs[-1])}, most of all {most}: {by}.")
    if sentences:
        yield Finding("The game", " ".join(sentences), f"{capital(listed(briefs))}.")


# ---------------------------------------------------------------- the console


def console_table(shown: Shown) -> tuple[tuple[str, ...], list[tuple[str, ...]], int]:
    """Headings and rows: entries by worth, changes on average, or one by one; rows left out."""
    values, means, lines = shown.worth, shown.table("by_change"), shown.lines
    if shown.several and len(values):
        values = shown.table("values").sort_values("value", ascending=False)
        rows = [_console_value(row) for _, row in values.iterrows()]
        return ("card", "dealt", "worth", f"{level()} interval", "q", "n"), rows, 0
    if len(means):
        rows = [
            (
                kind_of_change(row["change"]),
                count(row["n_cards"]),
                points(row["effect"], 2),
                interval(row, "effect", 2),
                chance(row["q_value"]),
                count(row["n"]),
            )
            for _, row in means.iterrows()
        ]
        return ("change", "cards", "mean", f"{level()} interval", "q", "n"), rows, 0
    rows = [
        (
            change_text(row, named=shown.several),
            percent(row["variant"]),
            points(row["difference"], 2),
            interval(row, "difference", 2),
            chance(row["q_value"]),
            count(row["n"]),
        )
        for _, row in lines.iterrows()
    ]
    most = _MOST_ROWS if "difference_shrunk" in lines else len(rows)
    after = f"{shown.nouns.result} with it"
    headings = ("change", after, "difference", f"{level()} interval", "q", "n")
    return headings, rows[:most], len(rows[most:])


def around_zero(lines: pd.DataFrame) -> str:
    """Why some intervals stand around zero and not around their differences; "" if none does."""
    ends = lines["difference_ci_low"], lines["difference_ci_high"]
    if not (lines["p_value"].isna() & (ends[1] > 0) & (ends[0] == -ends[1])).any():
        return ""
    return (
        f"Where fewer than {MIN_DIFFERING} games differ, or fewer than {MIN_GAMES} were played, the"
        " interval is centred on 0: it shows the largest effect still possible either way."
    )


def _console_value(row: pd.Series) -> tuple[str, ...]:
    """An entry by its worth."""
    is_reference = row["card_id"] == row["reference"]
    return (
        row["name"],
        percent(row["dealt_win_rate"]),
        points(row["value"], 2),
        "the reference" if is_reference else interval(row, "value", 2),
        chance(row["q_value"]),
        count(row["n"]),
    )
