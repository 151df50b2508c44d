"""The command `fairdeal prices` of cards."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import evolve
from cyclopts import Parameter

from analysis.mindbug.experiments.usual import PLAYER
from reports.cli.compute import HERE, Compute, Crew
from reports.cli.console import (
    InputError,
    as_input_error,
    print_json,
    print_table,
    print_wrapped,
    resumable,
    waiting,
)
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.options import MAX_GAMES, Json, Seed, decimal, to_place, whole, with_confidence
from reports.mindbug.cli.options import ONLY_SETS, OnePolicy, PoolOptions, read_one_policy
from reports.mindbug.cli.questions import found_json, pool_question
from reports.mindbug.cli.steps import COUNTING, compile_engine, plan
from reports.mindbug.cli.verdict_pool import homes, is_whole
from reports.prices.command import print_list

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.experiments.price_designs import Design, Kept
    from analysis.mindbug.experiments.prices import PriceGames
    from analysis.questions.price_list import Price, Pricer
    from card_data.mindbug.schema import Card, Pool
    from reports.prices.text import About
    from simcore.work.cost import Plan

_BATCHES, _CARDS, _GAMES = 8, 125, 40_000
_FARTHEST, _MOST_DESIGNS = 30, 15


@with_confidence
def prices(
    *named: Annotated[
        str,
        Parameter(
            name="SET",
            help="The pool, as for balance. A card file of your own before it is priced by the"
            " list; with --cards its cards are played with the pool.",
        ),
    ],
    pool: PoolOptions = ONLY_SETS,
    policy: OnePolicy = PLAYER,
    batches: Annotated[
        int,
        Parameter(
            converter=whole(3, 50),
            help="Batches of cards that are made up. The player learns each batch by itself, and"
            " the list is tried on each with the others.",
        ),
    ] = _BATCHES,
    batch_cards: Annotated[
        int, Parameter(converter=whole(20, 500), help="Made-up cards of a batch.")
    ] = _CARDS,
    games: Annotated[
        int, Parameter(converter=whole(1_000, MAX_GAMES), help="Games with each batch.")
    ] = _GAMES,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder. Default: runs/prices-SETS-POLICY-DAY. Run the same command again to"
            " resume; a finished list prices cards at once.",
        ),
    ] = None,
    sheet: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="A spreadsheet to write, whose name ends in .xlsx: the list, and a formula that"
            " prices your own cards by power, keywords, effect and amount.",
        ),
    ] = None,
    target: Annotated[
        float | None,
        Parameter(
            converter=decimal,
            help="List cards whose price is nearest to so many points; 0 is the average card."
            " --keep says what stays; powers, one more keyword and an amount are free.",
        ),
    ] = None,
    keep: Annotated[
        str | None,
        Parameter(
            help="What cards for --target have, with commas between: keywords, 'power 3', a line"
            " of text such as 'gain 2 life' or 'attack: gain 2 life'.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find what each thing on a card is worth, and price any card by that list.

    Makes up cards from the card language, plays a few of them at a time among those of the pool,
    with players who have learned them, and fits what powers, keywords and effects add to a card.
    It says first how good the list is, by cards that had no part in it.
    """
    from simcore.work.about import working_on

    mine, sets = _split(named, pool)
    cards = pool.load(sets)
    asked = _asked(cards, read_one_policy(policy), batches, batch_cards, games, seed)
    wanted, kept = _cards_of(mine), _kept(target, keep, sheet)
    question = pool_question(
        *("prices", cards, (asked.policy,)),
        games=games * batches,
        seed=seed,
        batches=batches,
        cards=batch_cards,
    )
    if dry_run:
        tell_cost(_plans(asked), compute, as_json=as_json)
        return
    with compute.start() as crew, working_on(question, out) as work:
        folder = work.folder
        pricer, tables = _list(asked, folder, crew)
        from reports.prices.page import PAGE, write_page
        from reports.prices.text import findings, headline

        page = folder / PAGE
        if not page.is_file() or not (wanted or kept):
            with waiting("drawing the charts"):
                write_page(tables, folder, _about(asked))
        work.finish(f"{headline(tables)}.", page.name)
    if sheet is not None:
        from reports.mindbug.price_sheet import write_sheet

        write_sheet(sheet, pricer, tables)
    priced = [pricer.price(card) for card in wanted]
    found = list(findings(tables))
    made = _designs(pricer, kept, target) if kept and target is not None else []
    if as_json:
        answer: dict[str, Any] = {"folder": str(folder), "page": str(page)}
        if mine:
            answer["cards"] = [one.as_json() for one in priced]
        if kept:
            answer["designs"] = [_design_json(one) for one in made]
        print_json(answer | found_json(found, tables, folder))
    elif mine or kept:
        if kept:
            _print_designs(made)
        _print_cards(priced, headline(tables))
    else:
        print_list(tables, page, _about(asked).played)
    if sheet is not None and not as_json:
        print(f"sheet: {sheet}")


def _split(named: Sequence[str], pool: PoolOptions) -> tuple[list[str], list[str]]:
    """The card files whose cards are priced, and what makes the pool.  Raises InputError."""
    from card_data.mindbug.loader import is_pool_file
    from card_data.mindbug.pool_reader import split_names

    parts = split_names(named)
    mine = [one for one in parts if one.endswith(".toml") and not is_pool_file(Path(one))]
    sets = [one for one in parts if one not in mine]
    if mine and not sets and pool.pool is None:
        sets, mine = (mine, []) if is_whole(mine) else (homes(mine), mine)
    return mine, sets


def _cards_of(files: Sequence[str]) -> "list[Card]":
    """The cards of some files that are dealt.  Raises CardFileError and InputError."""
    from card_data.mindbug.pool import load_cards

    cards = [card for one in load_cards(files) for card in one.cards if card.copies]
    if files and not cards:
        raise InputError(f"{files[0]} has no card that is dealt, so there is nothing to price")
    return cards


def _kept(target: float | None, keep: str | None, sheet: Path | None) -> "Kept | None":
    """What a design keeps, if one is asked for.  Raises InputError."""
    from analysis.mindbug.experiments.price_designs import Kept

    if sheet is not None and sheet.suffix != ".xlsx":
        raise InputError(f"--sheet is {sheet}; end its name in .xlsx")
    if target is None:
        if keep is not None:
            raise InputError("--keep is for --target, such as --target 0")
        return None
    if not -_FARTHEST <= target <= _FARTHEST:
        raise InputError(f"--target: {target:g} is not between -{_FARTHEST} and {_FARTHEST} points")
    with as_input_error("--keep"):
        return Kept.of(keep or "")


def _designs(pricer: "Pricer", kept: "Kept", target: float) -> "list[Design]":
    """The cards that come nearest to a target.  Raises InputError."""
    from analysis.mindbug.experiments.price_designs import designs

    if not (found := designs(pricer, kept, target)):
        raise InputError(
            f"--keep: “{kept.text}” has no price in this list, which never met it or knows it to no"
            " better than 6 points; take another line"
        )
    return found[:_MOST_DESIGNS]


def _design_json(one: "Design") -> dict[str, Any]:
    """A design for a program."""
    said = {"power": one.card.power, "keywords": sorted(word.name for word in one.card.keywords)}
    priced = {name: one.price.as_json()[name] for name in ("price", "ci_low", "ci_high")}
    return {**said, "text": one.text, **priced}


def _print_designs(made: "Sequence[Design]") -> None:
    """The cards that come nearest to a target."""
    from reports.kit.words import signed
    from reports.prices.text import ESTIMATE

    rows = [_design_json(one) for one in made]
    heads = "power", "keywords", "text", "points", "interval"
    print_wrapped([f"Nearest to that many points, {ESTIMATE}:", ""])
    told = [
        (
            str(row["power"]),
            ", ".join(row["keywords"]),
            row["text"],
            signed(row["price"], 1),
            f"{signed(row['ci_low'], 1)} to {signed(row['ci_high'], 1)}",
        )
        for row in rows
    ]
    print_table(heads, told, right=(0, 3, 4))
    print()


def _asked(
    pool: "Pool", policy: str, batches: int, cards: int, games: int, seed: int
) -> "PriceGames":
    """What is played for the list.  Raises InputError for who cannot play it."""
    from analysis.mindbug.experiments.prices import PriceGames
    from simcore.mindbug import parse_player

    if parse_player(policy).function:
        raise InputError(
            f"--policy is {policy}, a function of your own, which cannot learn made-up cards; name"
            f" a player that comes with fairdeal, such as {PLAYER}"
        )
    asked = PriceGames(
        pool=pool, policy=policy, batches=batches, cards=cards, games=games, seed=seed
    )
    with as_input_error():
        asked.check()
    return asked


def _list(
    asked: "PriceGames", folder: Path, crew: Crew
) -> "tuple[Pricer, dict[str, pd.DataFrame]]":
    """The list in a folder, or the one that is made there."""
    from analysis.mindbug.experiments.price_features import CardDescriber
    from analysis.mindbug.experiments.prices import FOLDER, play_prices
    from analysis.questions.price_list import PriceList, Pricer, read_list, write_list

    describer = CardDescriber.of(asked.pool)
    tables = read_list(FOLDER, asked.asked(), folder)
    if tables is None:
        compile_engine((asked.policy,), asked.tables, [COUNTING])
        how: dict[str, Any] = {"threads": crew.threads, "executor": crew.executor}
        with as_input_error(), resumable("finished lessons and games stay", folder):
            worths = play_prices(asked, folder, watch=crew.watch, **how)
        with waiting("fitting the price list"):
            tables = PriceList.fit(describer, worths).tables()
        write_list(FOLDER, tables, folder)
    return Pricer.read(describer, tables), tables


def _plans(asked: "PriceGames") -> "list[Plan]":
    """The games with all batches, and those of lessons."""
    pool, players = asked.pools[0], (asked.policy,)
    plans = [plan(pool, players, asked.games * asked.batches, asked.seed)]
    if (lesson := asked.lesson) is not None:
        learned = plan(pool, players, lesson.all_games * asked.batches, asked.seed, kept=0)
        plans.append(evolve(learned, learning=lesson.learning))
    return plans


def _about(asked: "PriceGames") -> "About":
    """What the page says of what was played."""
    from reports.kit.words import DOT
    from reports.kit.words import games as told
    from reports.mindbug import run_text
    from reports.prices.text import About

    manifest = asked.asked()
    sets, games = run_text.describe_sets(manifest), told(asked.games * asked.batches)
    seed = f"seed {asked.seed}"
    return About(
        sets,
        DOT.join((sets, games, run_text.called(asked.policy), seed)),
        (
            ("Sets", sets),
            ("Player", asked.policy),
            ("Cards made up", f"{asked.batches} batches of {asked.cards}, a lesson with each"),
            ("Games", f"{told(asked.games)} with each batch"),
            ("Seed", str(asked.seed)),
            ("Pool", f"SHA-256 {manifest['pool_hash']}"),
            ("Versions", run_text.versions_of(manifest)),
        ),
    )


def _print_cards(priced: "Sequence[Price]", quality: str) -> None:
    """The price of each card, with its sum."""
    from reports.prices.text import card_lines, card_text

    for price in priced:
        print_wrapped([card_text(price)])
        if lines := card_lines(price):
            print_table(("", ""), [("   " + line, points) for line, points in lines], right=(1,))
        print()
    print_wrapped([f"{quality}.", "A verdict plays a card: 'fairdeal verdict CARD'."])
