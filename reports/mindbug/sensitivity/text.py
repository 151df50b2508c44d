"""A sensitivity analysis in words.  Nothing is estimated here; sentences quote the tables."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import pandas as pd

from analysis.mindbug.experiments.sensitivity import SHAPLEY
from analysis.verdicts import NOT_SETTLED, is_settled
from reports.kit.verdicts import doubt, settled
from reports.kit.words import (
    ARROW,
    Finding,
    chance,
    count,
    display_name,
    interval_of,
    level,
    listed,
    percent,
    points,
    signed,
    times,
)
from reports.mindbug.run_text import describe_run

_NAMED = 3
# Letters of a change or part that a sentence repeats.
_LONGEST = 44
_GAME_TEXT = {"first_player_win_rate": "the win rate of the player who starts",
               "mean_turns": "the turns in a game"}  # fmt: skip


def findings(tables: Mapping[str, pd.DataFrame], names: Mapping[str, str]) -> list[Finding]:
    """What is worth knowing first, about one card or about all; ``names`` are those of all ids."""
    if len(tables["values"]) == 1:
        return list(_of_one(tables, names))
    return list(_of_all(tables, names))


def headline(tables: Mapping[str, pd.DataFrame], names: Mapping[str, str]) -> str:
    """What the card is worth, or which card or change is worth most; "" where nothing is known."""
    values = tables["values"].dropna(subset=["value"])
    others = values[values["card_id"] != values["reference"]]
    if len(others):
        best = others.sort_values("value").iloc[-1]
        reference, name = display_name(names[best["reference"]]), display_name(best["name"])
        if len(tables["values"]) > 1:
            return f"{name} is worth most: {points(best['value'])} points against {reference}"
        if not is_settled(best, "value"):
            return f"Whether {name} is worth more or less than {reference} is {NOT_SETTLED}"
        more = "more" if best["value"] > 0 else "less"
        return f"{name} is worth {abs(100 * best['value']):.1f} points {more} than {reference}"
    if len(tables["values"]) == 1:
        return _moved_most(tables["sensitivity"], display_name(tables["values"].iloc[0]["name"]))
    means = tables["by_change"]
    if not len(means):
        return ""
    most = means.loc[means["effect"].abs().idxmax()]
    return (
        f"On average {change_text(most['change'])} moves a card most:"
        f" {points(most['effect'])} points"
    )


def _moved_most(table: pd.DataFrame, name: str) -> str:
    """Which change of one card moves how often players dealt it win; "" where none was tried."""
    tried = table[(table["measure"] == "dealt") & ~table["kind"].isin(["parts", "value"])]
    if tried.empty:
        return ""
    sure = settled(tried, "difference")
    if sure.empty:
        return f"What moves {name} is {NOT_SETTLED}"
    most = sure.loc[sure["difference"].abs().idxmax()]
    return f"What moves {name} most: {short(most['label'])}, {points(most['difference'])} points"


def overview(tables: Mapping[str, pd.DataFrame], names: Mapping[str, str]) -> list[Finding]:
    """The first things to know: of many changes those that matter most."""
    found = findings(tables, names)
    if len(tables["values"]) > 1 and len(means := tables["by_change"]):
        sure = settled(means, "effect")
        far = sure.loc[sure["effect"].abs().sort_values(ascending=False).index].head(_NAMED)
        told = [
            f"{change_text(row['change'])} ({points(row['effect'])})" for _, row in far.iterrows()
        ]
        text = f"What moves a card most, in points and on average: {listed(told)}."
        text = text if told else f"What moves cards on average is {NOT_SETTLED}."
        found = [Finding("On average", text) if one.topic == "Changes" else one for one in found]
    return found[:5]


def describe(manifest: Mapping[str, Any], *, most_sets: int | None = None) -> str:
    """One line that says what was played; a few sets by name, more only counted, for captions."""
    played = describe_run(manifest, most_sets=most_sets)
    return played.replace(" games ", " games of the pool and each variant ", 1)


def console_table(
    tables: Mapping[str, pd.DataFrame],
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Headings and rows: the changes of one card, else cards by worth, else changes on average."""
    values, table = tables["values"], tables["sensitivity"]
    if len(values) == 1:
        lines = table[(table["measure"] == "dealt") & (table["kind"] != "parts")]
        return ("change", "after", "difference", f"{level()} interval", "q", "n"), [
            (
                short(row["label"]),
                percent(row["variant"]),
                points(row["difference"], 2),
                interval(row, "difference", 2),
                chance(row["q_value"]),
                count(row["n"]),
            )
            for _, row in lines.iterrows()
        ]
    if (table["kind"] == "value").any():
        return ("card", "dealt", "worth", f"{level()} interval", "q", "n"), [
            _value_row(row) for _, row in values.sort_values("value", ascending=False).iterrows()
        ]
    return ("change", "cards", "mean", f"{level()} interval", "q", "n"), [
        (
            change_text(row["change"]),
            count(row["n_cards"]),
            points(row["effect"], 2),
            interval(row, "effect", 2),
            chance(row["q_value"]),
            count(row["n"]),
        )
        for _, row in tables["by_change"].iterrows()
    ]


def _value_row(row: pd.Series) -> tuple[str, ...]:
    """A card by its worth."""
    is_reference = row["card_id"] == row["reference"]
    return (
        row["name"],
        percent(row["dealt_win_rate"]),
        points(row["value"], 2),
        "the reference" if is_reference else interval(row, "value", 2),
        chance(row["q_value"]),
        count(row["n"]),
    )


def amount(row: pd.Series, column: str, digits: int = 1) -> str:
    """An estimate with its interval, in percentage points: "+1.3 points (+1.1 to +1.5)"."""
    return f"{points(row[column], digits)} points ({interval(row, column, digits)})"


def interval(row: pd.Series, column: str, digits: int = 1) -> str:
    """The interval of an estimate, in percentage points: "+1.1 to +1.5"."""
    return interval_of(row, column, partial(points, digits=digits))


def percent_of(share: float) -> str:
    """A share that may be negative, in whole per cent: "−17 %"."""
    return f"{100 * share:.0f}\N{NO-BREAK SPACE}%".replace("-", "\N{MINUS SIGN}")


def short(label: str) -> str:
    """A change or part as a sentence names it: the text of a card is not repeated at length."""
    return display_name(label, _LONGEST).rstrip(".")


def change_text(change: str) -> str:
    """A change of the table ``by_change``: "power +1", "SNEAKY added", "TOUGH removed"."""
    if change.startswith("power"):
        return f"power {_step(change)}"
    if change == "-all":
        return "without keywords and text"
    return f"{change[1:]} {'added' if change[0] == '+' else 'removed'}"


def _of_one(tables: Mapping[str, pd.DataFrame], names: Mapping[str, str]) -> Iterator[Finding]:
    value, table = tables["values"].iloc[0], tables["sensitivity"]
    worth = _value_text(value, names) + _by_copies(tables["by_copies"])
    yield Finding("Worth", worth, _value_brief(value, names))
    dealt = table[(table["measure"] == "dealt")]
    power = dealt[dealt["kind"] == "power"]
    if len(power):
        steps = [
            f"{_step(row['change'])} power is worth {amount(row, 'difference')}"
            f"{doubt(row, 'difference')}"
            for _, row in power.iterrows()
        ]
        yield Finding("Power", f"{'; '.join(steps)}.", _largest(power))
    for topic, kinds in (
        ("Keywords", ["remove_keyword", "add_keyword"]),
        ("Copies", ["copies"]),
        ("Text", ["remove_line", "remove_all"]),
    ):
        lines = dealt[dealt["kind"].isin(kinds)]
        lines = lines.loc[lines["difference"].abs().sort_values(ascending=False).index]
        if len(lines):
            changes = [
                f"{short(row['label'])} {points(row['difference'])}"
                f" ({interval(row, 'difference')}){doubt(row, 'difference')}"
                for _, row in lines.iterrows()
            ]
            yield Finding(topic, f"In points: {'; '.join(changes)}.", _largest(lines))
    if len(tables["parts"]):
        rest = tables["parts"].iloc[:-1].rename(columns=_LAST)
        yield Finding("Parts", _parts_text(tables["parts"]), _largest(rest, "part"))
    if moved := _game_text(table):
        yield Finding("The game", moved, _game_brief(table))
    yield from _pairing(dealt)


# What a part adds, as the columns of a change.
_LAST = {"worth": "difference"} | {
    f"worth_ci_{end}": f"difference_ci_{end}" for end in ("low", "high")
}


def _largest(lines: pd.DataFrame, of: str = "change") -> str:
    """The one of some changes that matters most: the first screen has room for one."""
    sure = settled(lines, "difference")
    only = short(lines.iloc[0]["label"])
    if not len(sure):
        return f"{f'{len(lines)} {of}s' if len(lines) > 1 else only}: {NOT_SETTLED}."
    far = sure.loc[sure["difference"].abs().idxmax()]
    which = f"Of {len(lines)} {of}s {short(far['label'])} matters most" if len(lines) > 1 else only
    return f"{which}: {amount(far, 'difference')}."


def _value_brief(value: pd.Series, names: Mapping[str, str]) -> str:
    """What the card is worth, in one sentence; "" where it was not measured."""
    if pd.isna(value["value"]) or value["card_id"] == value["reference"]:
        return ""
    won, rest = percent(value["dealt_win_rate"]), percent(value["dealt_win_rate"] - value["value"])
    return (
        f"Players dealt it win {won} of their games, and {rest} with {names[value['reference']]} in"
        f" its place, a difference of {amount(value, 'value')}{doubt(value, 'value')}."
    )


def _game_brief(table: pd.DataFrame) -> str:
    """How many variants change the game as a whole, in one sentence."""
    told = []
    for measure, subject in _GAME_TEXT.items():
        lines = table[(table["measure"] == measure) & (table["kind"] != "parts")]
        if len(lines):
            n = len(settled(lines, "difference"))
            told.append(f"{n or 'none'} of {len(lines)} variants is shown to change {subject}"
                        if n < 2 else f"{n} of {len(lines)} variants change {subject}")  # fmt: skip
    text = listed(told)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _value_text(value: pd.Series, names: Mapping[str, str]) -> str:
    won = f"Players dealt {value['name']} win {percent(value['dealt_win_rate'])} of their games"
    reference = names[value["reference"]]
    if value["card_id"] == value["reference"]:
        return f"{won}. The card is the reference itself, so its worth is zero by definition."
    if pd.isna(value["value"]):
        return f"{won}. Its worth against {reference} was not measured (--changes value)."
    rest = percent(value["dealt_win_rate"] - value["value"])
    return (
        f"{won}. With {reference} in its place, on the same deals, they win {rest}."
        f" {value['name']} is worth {amount(value, 'value')} against it{doubt(value, 'value')}."
    )


def _by_copies(rows: pd.DataFrame) -> str:
    """What holding one copy and more is worth, of a card with several."""
    if len(rows) < 2:
        return ""
    worth = [
        f"{amount(row, 'value')} to players dealt {row['copies_dealt']}"
        for _, row in rows.iterrows()
    ]
    return f" By copies: {'; '.join(worth)}."


def _parts_text(parts: pd.DataFrame) -> str:
    """The parts of one card, the largest first."""
    total, rest = parts.iloc[-1], parts.iloc[:-1]
    rest = rest.loc[rest["worth"].abs().sort_values(ascending=False).index]
    text = (
        "Against a plain creature with the reference's power, the whole card is worth"
        f" {amount(total, 'worth')}."
    )
    if total["method"] != SHAPLEY:
        parts_text = [f"{short(part['label'])} {amount(part, 'last')}{doubt(part, 'last')}"
                      for _, part in rest.iterrows()]  # fmt: skip
        return f"{text} Each of its many parts adds to all the others: {'; '.join(parts_text)}."
    parts_text = [_part_text(part) for _, part in rest.iterrows()]
    text += f" Averaged over all orders of adding them, the parts add: {'; '.join(parts_text)}."
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
    return text


def _part_text(part: pd.Series) -> str:
    """A part by its mean, and by what it adds first and last."""
    share = "" if pd.isna(part["share"]) else f", {percent_of(part['share'])} of the whole"
    return (
        f"{short(part['label'])} {amount(part, 'worth')}{doubt(part, 'worth')}{share}; it adds"
        f" {points(part['alone'])} to the plain creature and {points(part['last'])} to the rest of"
        " the card"
    )


def _game_text(table: pd.DataFrame) -> str:
    """How the variants change the game as a whole."""
    sentences = []
    for measure, subject in _GAME_TEXT.items():
        lines = table[(table["measure"] == measure) & (table["kind"] != "parts")]
        sure = settled(lines, "difference")
        if not len(lines):
            continue
        if not len(sure):
            sentences.append(f"Of no variant is it settled that it changes {subject}.")
            continue
        far = sure.loc[sure["difference"].abs().idxmax()]
        by = far["difference"]
        by = f"{signed(by, 2)} turns" if measure == "mean_turns" else f"{points(by)} points"
        n, whose = len(sure), f" of {far['name']}" if table["card_id"].nunique() > 1 else ""
        sentences.append(f"{n} of {len(lines)} variants change {subject}, most of all"
                         f" {short(far['label'])}{whose}: {by}.")  # fmt: skip
    return " ".join(sentences)


def _pairing(dealt: pd.DataFrame) -> Iterator[Finding]:
    factor = dealt.loc[dealt["kind"] != "parts", "variance_reduction"].median()
    if pd.notna(factor):
        but = ", except those that change copies" if (dealt["kind"] == "copies").any() else ""
        text = (
            f"All variants were played on the same deals with the same luck{but}. For the median"
            f" variant separate runs would have needed {times(factor)} times as many games."
        )
        yield Finding(
            "Pairing", text, f"Separate runs would have needed {times(factor)} times as many games."
        )


def _of_all(tables: Mapping[str, pd.DataFrame], names: Mapping[str, str]) -> Iterator[Finding]:
    values, table = tables["values"].dropna(subset=["value"]), tables["sensitivity"]
    if (values["card_id"] != values["reference"]).any():
        ranked = values.sort_values("value", ascending=False)
        best, worst = (
            listed(f"{row['name']} ({points(row['value'])})" for _, row in rows.iterrows())
            for rows in (ranked.head(_NAMED), ranked.tail(_NAMED).iloc[::-1])
        )
        sure = len(settled(values, "value"))
        reference = names[values["reference"].iloc[0]]
        yield Finding(
            "Worth",
            f"Against {reference} in their place, in percentage points, the cards worth most are"
            f" {best} and those worth least {worst}. {sure} of {len(values) - 1} are shown to"
            " differ from it.",
            f"Against {reference} in their place {ranked['name'].iloc[0]} is worth most"
            f" ({points(ranked['value'].iloc[0])} points) and {ranked['name'].iloc[-1]} least"
            f" ({points(ranked['value'].iloc[-1])}).",
        )
        same = values[["value", "advantage"]].corr("spearman").iloc[0, 1]
        if pd.notna(same):
            yield Finding(
                "As observed",
                "The order by worth and the order by games won when dealt have a rank correlation"
                f" of {same:.2f}.".replace("-", "\N{MINUS SIGN}"),
            )
    dealt = table[table["measure"] == "dealt"]
    if means := [_mean_text(row, dealt) for _, row in tables["by_change"].iterrows()]:
        yield Finding("Changes", f"On average over the cards, in points: {'; '.join(means)}.")
    parts = tables["parts"][tables["parts"]["kind"] != "total"]
    if len(parts):
        far = parts.loc[parts["worth"].abs().sort_values(ascending=False).index].head(_NAMED)
        rows = [f"{short(row['label'])} of {row['name']} {amount(row, 'worth')}"
                for _, row in far.iterrows()]  # fmt: skip
        yield Finding("Parts", f"The parts that matter most: {'; '.join(rows)}.")
    if moved := _game_text(table):
        yield Finding("The game", moved, _game_brief(table))
    yield from _pairing(dealt)


def _mean_text(row: pd.Series, dealt: pd.DataFrame) -> str:
    """What one change does to the cards on average, and where most."""
    text = f"{change_text(row['change'])}: {points(row['effect'])} ({interval(row, 'effect')})"
    if row["spread_ci_low"] > 0:
        text += f", give or take {100 * row['spread']:.1f} from card to card"
    lines = settled(dealt[dealt["change"] == row["change"]], "difference")
    if not len(lines):
        return text + doubt(row, "effect")
    far = lines.loc[lines["difference"].abs().idxmax()]
    return f"{text}{doubt(row, 'effect')}, most for {far['name']} ({points(far['difference'])})"


def _step(change: str) -> str:
    """The step of a changed power: "power-2" -> "−2"."""
    return change.removeprefix("power").replace("-", "\N{MINUS SIGN}")
