"""The command `fairdeal prices` of cards."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import frozen
from cyclopts import Parameter

from analysis.mindbug.experiments.usual import PLAYER
from reports.cli.compute import Crew
from reports.cli.console import InputError, as_input_error, print_table, print_wrapped, waiting
from reports.cli.options import MAX_GAMES, Seed, decimal, to_place, whole
from reports.mindbug.cli.options import ONLY_SETS, PoolOptions, read_one_policy
from reports.mindbug.cli.questions import pool_question
from reports.mindbug.cli.steps import COUNTING, compile_engine, plan, plans_of_lessons
from reports.mindbug.cli.verdict_pool import homes, is_whole
from reports.prices import command as shared
from reports.prices.entries import MOST_DESIGNS, check_asked, print_prices
from simcore.commands import command

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.experiments.price_designs import Design, Kept
    from analysis.mindbug.experiments.prices import PriceGames
    from card_data.mindbug.schema import Card
    from reports.prices.text import About
    from simcore.work.cost import Plan

_BATCHES, _CARDS, _GAMES = 6, 125, 40_000


@frozen
class CardsAsked(shared.Asked):
    """The list of a pool, the cards that it prices, what designs keep, and the sheet."""

    games: "PriceGames"
    mine: "Sequence[Card]"
    kept: "Kept | None"
    target: float
    sheet: Path | None
    #: The command that plays the cards that are priced.
    verdict: str

    @property
    def quick(self) -> bool:  # type: ignore[override]
        """Whether cards are priced or designed, for which a page is not drawn again."""
        return bool(self.mine) or self.kept is not None

    def plans(self) -> "list[Plan]":
        """The games with all batches, and those of lessons."""
        asked, n = self.games, self.games.batches
        if asked.shipped is not None:
            return []
        pool, players = asked.pools[0], (asked.policy,)
        plans = [plan(pool, players, asked.games * n, asked.seed)]
        if (lesson := asked.lesson) is not None:
            plans += plans_of_lessons(pool, lesson, n)
        return plans

    def tables(self, folder: Path, crew: Crew) -> "dict[str, pd.DataFrame]":
        """The tables of the list, which are read where they were made."""
        from analysis.mindbug.experiments.prices import FOLDER, list_of, made_again, play_prices
        from analysis.questions.price_list import read_list, write_list
        from card_data.mindbug import pool_files
        from simcore.work.folder import begin

        asked = self.games
        tables = read_list(FOLDER, asked.asked(), folder)
        if tables is not None:
            return tables
        if asked.shipped is not None:
            begin(FOLDER, folder, asked.asked(), files=pool_files(asked.pool))
            tables = read_list(FOLDER, asked.asked(), asked.shipped)
            if tables is None:
                with waiting("making the price list for another confidence level"):
                    tables = made_again(asked, asked.shipped).tables()
        else:
            compile_engine((asked.policy,), asked.tables, [COUNTING])
            worths = play_prices(asked, folder, **crew.watched)
            with waiting("fitting the price list"):
                tables = list_of(asked, worths).tables()
        write_list(FOLDER, tables, folder)
        return tables

    @property
    def about(self) -> "About":
        """What the page says of what was played."""
        from reports.kit.words import DOT
        from reports.kit.words import games as told
        from reports.mindbug import run_text
        from reports.mindbug.price_list import stretch_at_hand
        from reports.prices.text import About

        asked, manifest = self.games, self.games.asked()
        sets, games = run_text.describe_sets(manifest), told(asked.games * asked.batches)
        return About(
            sets,
            DOT.join((sets, games, run_text.called(asked.policy), f"seed {asked.seed}"))
            + self._whose,
            (
                ("Sets", sets),
                ("Player", asked.policy),
                ("Cards made up", f"{asked.batches} batches of {asked.cards}, a lesson with each"),
                ("Games", f"{told(asked.games)} with each batch{self._whose}"),
                ("Seed", str(asked.seed)),
                ("Pool", f"SHA-256 {manifest['pool_hash']}"),
                ("Versions", run_text.versions_of(manifest)),
            ),
            stretch=stretch_at_hand(asked.pool, asked.policy),
        )

    @property
    def _whose(self) -> str:
        return "; this list comes with fairdeal" if self.games.shipped else ""

    def beside(
        self, tables: "Mapping[str, pd.DataFrame]"
    ) -> tuple[dict[str, Any], Sequence[Callable[[], None]]]:
        """The sheet, the designs and the prices of cards that are asked for."""
        from analysis.mindbug.experiments.price_features import CardDescriber
        from analysis.questions.price_list import Pricer
        from reports.prices.text import headline

        pricer = Pricer.read(CardDescriber.of(self.games.pool), tables)
        answer, shown = dict[str, Any](), list[Callable[[], None]]()
        if self.sheet is not None:
            from reports.mindbug.price_sheet import write_sheet

            write_sheet(self.sheet, pricer, tables)
            answer["sheet"] = str(self.sheet)
        if self.kept is not None:
            from analysis.mindbug.experiments.price_designs import designs

            if not (found := designs(pricer, self.kept, self.target)):
                raise InputError(
                    f"--keep: “{self.kept.text}” has no price in this list, which never met it or"
                    " knows it to no better than 6 points; take another line"
                )
            answer["designs"] = [_design_json(one) for one in found[:MOST_DESIGNS]]
            shown.append(partial(_print_designs, answer["designs"]))
        if self.mine:
            priced = [pricer.price(card) for card in self.mine]
            answer["cards"] = [one.as_json() for one in priced]
            shown.append(partial(print_prices, priced, [f"{headline(tables)}."], played=False))
            shown.append(partial(print, f"\nTo play what was priced:\n  {self.verdict}\n"))
        if self.sheet is not None and shown:
            shown.append(partial(print, f"sheet: {self.sheet}"))
        return answer, shown


def ask(
    *named: Annotated[
        str,
        Parameter(
            name="SET",
            help="The pool, as for balance. A card file of your own named before it is priced"
            " from the list; with --cards its cards join the pool.",
        ),
    ],
    pool: PoolOptions = ONLY_SETS,
    policy: Annotated[
        str,
        Parameter(
            help="Who plays, as for balance, on both sides. With two players, such as"
            " greedy,expert, their lists are shown side by side."
        ),
    ] = PLAYER,
    batches: Annotated[
        int | None,
        Parameter(
            converter=whole(3, 50),
            help="Batches of made-up cards. The player learns each batch by itself, and"
            f" the list is tried on each with the others. Default: {_BATCHES}, or those of the list"
            " that comes with fairdeal.",
        ),
    ] = None,
    batch_cards: Annotated[
        int | None,
        Parameter(converter=whole(20, 500), help=f"Made-up cards in a batch. Default: {_CARDS}."),
    ] = None,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(1_000, MAX_GAMES), help=f"Games with each batch. Default: {_GAMES}."
        ),
    ] = None,
    seed: Seed = 0,
    sheet: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="A spreadsheet to write (.xlsx), with the list and a formula that prices your"
            " own cards by power, keywords, effect and amount.",
        ),
    ] = None,
    target: Annotated[
        float | None,
        Parameter(
            converter=decimal,
            help="List the cards priced nearest to this many points; 0 is the average card."
            " --keep says what stays; powers, one more keyword and an amount are free.",
        ),
    ] = None,
    keep: Annotated[
        str | None,
        Parameter(
            help="What cards for --target must have, separated by commas: keywords, 'power 3', a"
            " line"
            " of text such as 'gain 2 life' or 'attack: gain 2 life'.",
        ),
    ] = None,
) -> shared.Asked | shared.SideBySide:
    """Find what each part of a card is worth, and price any card from that list.

    Makes up cards from the card language, plays a few of them at a time among those of the pool,
    with players who have learned them, and fits what powers, keywords and effects add to a card.
    It says first how good the list is, by cards that had no part in it.
    """
    from analysis.mindbug.experiments.prices import PriceGames, usual_numbers

    files, sets = _split(named, pool)
    cards = pool.load(sets)
    mine, kept = _cards_of(files), _kept(target, keep, sheet)
    players = [one.strip() for one in policy.split(",")]
    if len(players) > 1 and (mine or kept or sheet is not None):
        raise InputError(
            f"--policy is {policy}, whose lists are compared; name one player to price cards, for"
            " --target or for --sheet"
        )

    players = [_player(one) for one in players]
    numbers = usual_numbers(cards, players)
    given = {"batches": batches, "cards": batch_cards, "games": games}
    if seed or any(given.values()):
        numbers = usual_numbers(cards, ())
    numbers |= {name: n for name, n in given.items() if n} | {"seed": seed}

    def of_one(player: str) -> CardsAsked:
        asked = PriceGames(pool=cards, policy=player, **numbers)
        question = pool_question(
            *("prices", cards, (player,)),
            games=asked.games * asked.batches,
            seed=seed,
            batches=asked.batches,
            cards=asked.cards,
        )
        with as_input_error():
            asked.check()
        own = None if player == PLAYER else player
        verdict = command("verdict", *files, *pool.typed(sets), *pool.mode_words(), policy=own)
        return CardsAsked(question, asked, mine, kept, target or 0.0, sheet, verdict)

    return shared.side_by_side(of_one, players)


prices = shared.command_of(ask)


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


def _player(text: str) -> str:
    """A player who can learn made-up cards.  Raises InputError."""
    from simcore.mindbug import parse_player

    player = read_one_policy(text)
    if parse_player(player).function:
        raise InputError(
            f"--policy is {player}, a function of your own, which cannot learn made-up cards; name"
            f" a player that comes with fairdeal, such as {PLAYER}"
        )
    return player


def _kept(target: float | None, keep: str | None, sheet: Path | None) -> "Kept | None":
    """What a design keeps, if one is asked for.  Raises InputError."""
    from analysis.mindbug.experiments.price_designs import Kept

    check_asked(target, keep, sheet)
    if target is None:
        return None
    with as_input_error("--keep"):
        return Kept.of(keep or "")


def _design_json(one: "Design") -> dict[str, Any]:
    """A design for a program."""
    said = {"power": one.card.power, "keywords": sorted(word.name for word in one.card.keywords)}
    priced = {name: one.price.as_json()[name] for name in ("price", "ci_low", "ci_high")}
    return {**said, "text": one.text, **priced}


def _print_designs(made: Sequence[dict[str, Any]]) -> None:
    """The cards that come nearest to a target."""
    from reports.kit.words import signed
    from reports.prices.text import ESTIMATE

    print_wrapped([f"Nearest to that many points, {ESTIMATE}:", ""])
    told = [
        (
            str(row["power"]),
            ", ".join(row["keywords"]),
            row["text"],
            signed(row["price"], 1),
            f"{signed(row['ci_low'], 1)} to {signed(row['ci_high'], 1)}",
        )
        for row in made
    ]
    print_table(("power", "keywords", "text", "points", "interval"), told, right=(0, 3, 4))
    print()
