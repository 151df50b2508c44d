"""The command `fairdeal prices` of cards."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from analysis.mindbug.experiments.usual import PLAYER
from reports.cli.compute import HERE, Compute, Crew
from reports.cli.console import (
    InputError,
    as_input_error,
    print_findings,
    print_json,
    print_table,
    print_wrapped,
    resumable,
    waiting,
)
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.formats import print_report
from reports.cli.options import MAX_GAMES, Json, Seed, to_place, whole, with_confidence
from reports.mindbug.cli.options import ONLY_SETS, OnePolicy, PoolOptions, read_one_policy
from reports.mindbug.cli.questions import found_json, pool_question
from reports.mindbug.cli.steps import COUNTING, compile_engine, plan
from reports.mindbug.cli.verdict_pool import homes, is_whole

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.experiments.prices import PriceGames
    from analysis.questions.price_list import Price, Pricer
    from card_data.mindbug.schema import Card, Pool

_BATCHES, _CARDS, _GAMES = 8, 125, 40_000


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
            " resume; a list that is there is read and prices cards at once.",
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
    wanted = _cards_of(mine)
    question = pool_question(
        *("prices", cards, (asked.policy,)),
        games=games * batches,
        seed=seed,
        batches=batches,
        cards=batch_cards,
    )
    if dry_run:
        whole_plan = plan(cards, (asked.policy,), asked.all_games, seed)
        tell_cost([whole_plan], compute, as_json=as_json)
        return
    with compute.start() as crew, working_on(question, out) as work:
        folder = work.folder
        pricer, tables = _list(asked, folder, crew)
        from reports.prices.page import write_page
        from reports.prices.text import findings, headline

        with waiting("drawing the charts"):
            page = write_page(tables, folder, **_about(asked))
        work.finish(f"{headline(tables)}.", page.name)
    priced = [pricer.price(card) for card in wanted]
    found = list(findings(tables))
    if as_json:
        answer: dict[str, Any] = {"folder": str(folder), "page": str(page)}
        if mine:
            answer["cards"] = [one.as_json() for one in priced]
        print_json(answer | found_json(found, tables, folder))
    elif mine:
        _print_cards(priced, headline(tables))
    else:
        _print(tables, folder, page, asked)


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


def _about(asked: "PriceGames") -> "dict[str, Any]":
    """What the page says of what was played."""
    from reports.kit.words import DOT
    from reports.kit.words import games as told
    from reports.mindbug import run_text

    manifest = asked.asked()
    sets, games = run_text.describe_sets(manifest), told(asked.games * asked.batches)
    seed = f"seed {asked.seed}"
    return {
        "title": sets,
        "played": DOT.join((sets, games, run_text.called(asked.policy), seed)),
        "facts": [
            ("Sets", sets),
            ("Player", asked.policy),
            ("Cards made up", f"{asked.batches} batches of {asked.cards}, a lesson with each"),
            ("Games", f"{told(asked.games)} with each batch"),
            ("Seed", str(asked.seed)),
            ("Pool", f"SHA-256 {manifest['pool_hash']}"),
            ("Versions", run_text.versions_of(manifest)),
        ],
    }


def _print(
    tables: "dict[str, pd.DataFrame]", folder: Path, page: Path, asked: "PriceGames"
) -> None:
    """How good the list is, and the list."""
    from reports.kit.words import games as told
    from reports.kit.words import level
    from reports.prices.text import findings, headline, price_rows

    first, *others = findings(tables)
    print_wrapped([f"{headline(tables)}.", first.text, ""])
    heads = "field", "thing", "points", f"{level()} interval"
    print_table(heads, price_rows(tables["prices"]), right=(2, 3))
    print()
    print_findings(others)
    print(f"\n{told(asked.games * asked.batches)}, {asked.policy}, seed {asked.seed}")
    print_report(folder, {"html": page}, tables=True)


def _print_cards(priced: "Sequence[Price]", quality: str) -> None:
    """The price of each card, with its sum."""
    from reports.prices.text import card_lines, card_text

    for price in priced:
        print_wrapped([card_text(price)])
        if lines := card_lines(price):
            print_table(("", ""), [("   " + line, points) for line, points in lines], right=(1,))
        print()
    print_wrapped([f"{quality}. A verdict plays a card: 'fairdeal verdict CARD'."])
