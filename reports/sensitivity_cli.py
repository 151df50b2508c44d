"""What `balancelab sensitivity` does, apart from its options, which are in `reports.cli`."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from card_data.faults import nearest
from reports.console import InputError, print_table, print_wrapped, progress, waiting

if TYPE_CHECKING:
    import pandas as pd

    from analysis.sensitivity_games import Experiments
    from card_data.schema import Card, Pool

#: The word that stands for every card.
ALL = "all"


@frozen
class Answer:
    """What came of it: the tables, the names of all cards by id, the manifest and the page."""

    tables: "dict[str, pd.DataFrame]"
    names: dict[str, str]
    manifest: dict[str, Any]
    page: Path


def read_changes(text: str | None, wanted: str) -> tuple[str, ...]:
    """The changes that are asked for; of all cards the value alone, of one card everything."""
    from card_data.card_variants import CHANGES, VALUE

    if text is None:
        return (VALUE,) if wanted == ALL else CHANGES
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in CHANGES:
            guess = nearest(word, CHANGES)
            meant = f"; did you mean '{guess}'?" if guess else "."
            allowed = f"Allowed here: {', '.join(CHANGES)}."
            raise InputError(f"--changes: there is no change '{word}'{meant} {allowed}")
    return tuple(change for change in CHANGES if change in words)


def read_cards(pool: "Pool", wanted: str) -> "list[Card]":
    """The card of that id or name, or all that are dealt.  Raises InputError."""
    from card_data.card_variants import dealt_cards

    cards = dealt_cards(pool)
    if wanted == ALL:
        return cards
    by_name = {card.name.casefold(): card for card in cards}
    by_name |= {card.card_id: card for card in cards}
    found = by_name.get(wanted) or by_name.get(wanted.casefold())
    if found is not None:
        return [found]
    others = {
        card.card_id: what
        for card_set in pool.sets
        for kind, what in (
            (card_set.cards, "is reached by evolving"),
            (card_set.power_cards, "is a power card"),
        )
        for card in kind
    }
    if wanted in others:
        raise InputError(
            f"{wanted} {others[wanted]}: nobody is dealt it; name a card that is dealt"
        )
    ids = [card.card_id for card in cards]
    guess = nearest(wanted, [*ids, *by_name])
    guess = by_name[guess].card_id if guess else ""
    meant = f"; did you mean '{guess}'?" if guess else "."
    raise InputError(
        f"there is no card '{wanted}' in this pool{meant} 'balancelab cards list' names them all,"
        f" '{ALL}' stands for every card."
    )


def sensitivity_folder(name: str, pool: str, experiments: "Experiments") -> Path:
    """The folder of an analysis that was not given one."""
    who = re.sub(r"[^\w.]+", "-", experiments.policy)
    rest = [who, str(experiments.games), f"s{experiments.seed}"]
    return Path("runs", "-".join(["sensitivity", name, pool, *rest]))


def run_sensitivity(
    experiments: "Experiments",
    cards: "Sequence[Card]",
    *,
    changes: Sequence[str],
    reference: str | None,
    folder: Path,
    threads: int | None,
    command: str,
) -> Answer:
    """Play what is missing, and write tables, charts and page.  Raises InputError."""
    from analysis.sensitivity import Trials, choose_reference, sensitivity_tables
    from analysis.sensitivity_games import Laboratory
    from card_data.card_variants import variants_of
    from reports.sensitivity_page import write_sensitivity_page

    middle = None if reference is None else read_cards(experiments.pool, reference)[0]
    try:
        laboratory = Laboratory(experiments, folder, threads=threads)
        with progress("playing the pool", "games") as advance:
            base = laboratory.play_base(advance)
        middle = middle or choose_reference(experiments.pool, base)
        variants = [variants_of(card, middle, changes) for card in cards]
        with progress("playing variants", "games") as advance:
            faces = [variant.card for mine in variants for variant in mine]
            outcomes = iter(laboratory.play(faces, advance))
    except ValueError as error:
        raise InputError(str(error)) from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"finished variants stay in {folder} and the same command goes on from there"
        ) from None
    tested = [
        Trials(card, middle, tuple(mine), tuple(next(outcomes) for _ in mine))
        for card, mine in zip(cards, variants, strict=True)
    ]
    names = {card.card_id: card.name for one in experiments.pool.sets for card in one.cards}
    with waiting("drawing the charts"):
        tables = sensitivity_tables(experiments.pool, experiments.policy, base, tested)
        page = write_sensitivity_page(tables, laboratory.manifest, names, folder, command)
    return Answer(tables, names, laboratory.manifest, page)


def print_sensitivity(answer: Answer) -> None:
    """What was played, a table, and what is worth knowing first."""
    from reports.sensitivity_words import describe, findings, interval
    from reports.theme import percent, points

    print(f"{describe(answer.manifest)}\n")
    values, table = answer.tables["values"], answer.tables["sensitivity"]
    lines = table[(table["measure"] == "dealt") & (table["kind"] != "parts")]
    if len(values) == 1:
        headings = ("change", "after", "difference", "95 % interval", "q", "n")
        rows = [
            (
                row["label"],
                percent(row["variant"]),
                points(row["difference"], 2),
                interval(row, "difference", 2),
                _number(row["q_value"]),
                f"{row['n']:,}",
            )
            for _, row in lines.iterrows()
        ]
    else:
        headings = ("card", "dealt", "worth", "95 % interval", "q", "n")
        rows = [
            (
                row["name"],
                percent(row["dealt_win_rate"]),
                points(row["value"], 2),
                "the reference"
                if row["card_id"] == row["reference"]
                else interval(row, "value", 2),
                _number(row["q_value"]),
                f"{row['n']:,}",
            )
            for _, row in values.sort_values("value", ascending=False).iterrows()
        ]
    print_table(headings, rows, right=(1, 2, 3, 4, 5))
    print()
    told = findings(answer.tables, answer.names)
    print_wrapped(f"{finding.topic}: {finding.text}" for finding in told)
    folder = answer.page.parent
    print(f"\nreport: {answer.page}\ntables: {folder / 'tables'}\ncharts: {folder / 'figures'}")


def _number(value: float) -> str:
    return f"{value:.2g}" if value == value else ""
