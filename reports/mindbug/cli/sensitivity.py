"""The command `balancelab sensitivity`."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import frozen
from cyclopts import Parameter

from reports.cli.console import (
    InputError,
    as_input_error,
    print_findings,
    print_json,
    print_table,
    print_wrapped,
    progress,
    resumable,
    waiting,
)
from reports.cli.json_answers import found_json
from reports.mindbug.balance.report_formats import print_report
from reports.mindbug.cli.options import (
    ONLY_SETS,
    Json,
    OnePolicy,
    PoolOptions,
    Seed,
    Sets,
    Threads,
    in_a_name,
    read_one_policy,
    unknown_word,
    whole,
)
from reports.mindbug.cli.steps import compile_engine

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.experiments.sensitivity_games import Experiments
    from card_data.mindbug.schema import Card, Pool

#: The word that stands for every card.
ALL = "all"


def sensitivity(
    card: Annotated[
        str,
        Parameter(
            name="CARD",
            help="The id or the name of a card of the pool, or 'all' for every card.",
        ),
    ],
    /,
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    changes: Annotated[
        str | None,
        Parameter(
            help="What is tried, with commas between: 'value' (the reference in its place),"
            " 'power', 'keywords', 'copies', 'lines' (each line of text left out) and 'parts' (what"
            " each part adds). Default: everything for one card, 'value' for all."
        ),
    ] = None,
    reference: Annotated[
        str | None,
        Parameter(
            help="The card that takes the place of others. Default: the one in the middle, by games"
            " won when dealt."
        ),
    ] = None,
    games: Annotated[
        int,
        Parameter(
            converter=whole(1, 2_000_000),
            help="How many games are played with the pool and with each variant.",
        ),
    ] = 100_000,
    policy: OnePolicy = "heuristic",
    seed: Seed = 0,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The folder of the analysis. Default:"
            " runs/sensitivity-CARD-SETS-POLICY-GAMES-sSEED. What was interrupted goes on with the"
            " next variant."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """What a card is worth, and what each part of it does, by experiments on the same deals.

    Each variant changes one card in its place: another card there, other power, a keyword or a copy
    more or less, a line left out. Game by game the deals and the luck are the same, so the
    difference is what the change does.
    """
    from analysis.mindbug.experiments.sensitivity_games import Experiments
    from reports.mindbug.sensitivity.text import findings

    one, wanted, cards = read_one_policy(policy), _read_changes(changes, card), pool.load(sets)
    asked = read_cards(cards, card)
    if reference == ALL:
        raise InputError(f"--reference is one card, not {ALL}")
    experiments = Experiments(cards, one, games, seed)
    if out is None:
        name = ALL if card == ALL else asked[0].card_id
        who = [in_a_name(one), str(games), f"s{seed}"]
        out = Path("runs", "-".join(["sensitivity", name, pool.name(sets, cards), *who]))
    words = ["balancelab", "sensitivity", card, *pool.words(sets, out / "pool.toml")]
    words += [] if changes is None else ["--changes", changes]
    words += [] if reference is None else ["--reference", reference]
    words += ["--games", str(games), "--policy", one, "--seed", str(seed)]
    compile_engine((one,))
    answer = _run(
        experiments,
        asked,
        changes=wanted,
        reference=reference,
        folder=out,
        threads=threads,
        command=shlex.join(words),
    )
    if as_json:
        said = {"folder": str(out), "page": str(answer.page)}
        found = findings(answer.tables, answer.names)
        print_json(said | found_json(found, answer.tables, out))
    else:
        _print(answer)


@frozen
class _Answer:
    """What came of it: the tables, the names of all cards by id, the manifest and the page."""

    tables: "dict[str, pd.DataFrame]"
    names: dict[str, str]
    manifest: dict[str, Any]
    page: Path


def _read_changes(text: str | None, wanted: str) -> tuple[str, ...]:
    """The changes that are asked for; of all cards the value alone, of one card everything."""
    from card_data.mindbug.variants import CHANGES, VALUE

    if text is None:
        return (VALUE,) if wanted == ALL else CHANGES
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in CHANGES:
            raise InputError(f"--changes: {unknown_word('change', word, CHANGES)}")
    return tuple(change for change in CHANGES if change in words)


def read_cards(pool: "Pool", wanted: str) -> "list[Card]":
    """The card of that id or name, or all that are dealt.  Raises InputError."""
    from card_data.faults import nearest
    from card_data.mindbug.variants import dealt_cards

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
        f" '{ALL}' stands for every card. A card of your own is played with its file:"
        " --cards FILE.toml"
    )


def _run(
    experiments: "Experiments",
    cards: "Sequence[Card]",
    *,
    changes: Sequence[str],
    reference: str | None,
    folder: Path,
    threads: int | None,
    command: str,
) -> _Answer:
    """Play what is missing, and write tables, charts and page.  Raises InputError."""
    from analysis.mindbug.experiments.sensitivity import choose_reference, sensitivity_tables
    from analysis.mindbug.experiments.sensitivity_games import Laboratory
    from analysis.mindbug.experiments.trials import Trials
    from card_data.mindbug.variants import variants_of
    from reports.mindbug.sensitivity.page import write_sensitivity_page
    from simcore.work.lock import holding

    middle = None if reference is None else read_cards(experiments.pool, reference)[0]
    names = {card.card_id: card.name for one in experiments.pool.sets for card in one.cards}
    with holding(folder):
        with as_input_error(), resumable("finished variants stay", folder):
            laboratory = Laboratory(experiments, folder, threads=threads)
            with progress("playing the pool", "games") as advance:
                base = laboratory.play_base(advance)
            middle = middle or choose_reference(experiments.pool, base)
            variants = [variants_of(card, middle, changes) for card in cards]
            with progress("playing variants", "games") as advance:
                faces = [variant.card for mine in variants for variant in mine]
                outcomes = iter(laboratory.play(faces, advance))
        tested = [
            Trials(card, middle, tuple(mine), tuple(next(outcomes) for _ in mine))
            for card, mine in zip(cards, variants, strict=True)
        ]
        with waiting("drawing the charts"):
            tables = sensitivity_tables(experiments.pool, experiments.policy, base, tested)
            page = write_sensitivity_page(tables, laboratory.manifest, names, folder, command)
    return _Answer(tables, names, laboratory.manifest, page)


def _print(answer: _Answer) -> None:
    """What was played, a table, and what is worth knowing first."""
    from reports.mindbug.balance.text import Q_IN_WORDS
    from reports.mindbug.sensitivity.text import describe, findings

    print(f"{describe(answer.manifest)}\n")
    headings, rows = _table(answer.tables)
    print_table(headings, rows, right=(1, 2, 3, 4, 5))
    print_wrapped(["", Q_IN_WORDS, ""])
    print_findings(findings(answer.tables, answer.names))
    print()
    print_report(answer.page.parent, {"html": answer.page}, tables=True)


def _table(tables: "dict[str, pd.DataFrame]") -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Headings and rows: the changes of one card, else cards by worth, else changes on average."""
    from reports.kit.words import chance, percent, points
    from reports.mindbug.sensitivity.text import change_in_words, interval, short

    values, table = tables["values"], tables["sensitivity"]
    if len(values) == 1:
        lines = table[(table["measure"] == "dealt") & (table["kind"] != "parts")]
        return ("change", "after", "difference", "95 % interval", "q", "n"), [
            (
                short(row["label"]),
                percent(row["variant"]),
                points(row["difference"], 2),
                interval(row, "difference", 2),
                chance(row["q_value"]),
                f"{row['n']:,}",
            )
            for _, row in lines.iterrows()
        ]
    if (table["kind"] == "value").any():
        return ("card", "dealt", "worth", "95 % interval", "q", "n"), [
            (
                row["name"],
                percent(row["dealt_win_rate"]),
                points(row["value"], 2),
                "the reference"
                if row["card_id"] == row["reference"]
                else interval(row, "value", 2),
                chance(row["q_value"]),
                f"{row['n']:,}",
            )
            for _, row in values.sort_values("value", ascending=False).iterrows()
        ]
    return ("change", "cards", "mean", "95 % interval", "q", "n"), [
        (
            change_in_words(row["change"]),
            f"{row['n_cards']:,}",
            points(row["effect"], 2),
            interval(row, "effect", 2),
            chance(row["q_value"]),
            f"{row['n']:,}",
        )
        for _, row in tables["by_change"].iterrows()
    ]
