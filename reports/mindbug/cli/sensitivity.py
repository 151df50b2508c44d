"""The command `fairdeal sensitivity` of cards."""

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen
from cyclopts import Parameter

from analysis.confidence import confidence_said
from analysis.mindbug.experiments.usual import EVERY_CARD_GAMES, PLAYER, VARIANT_GAMES
from card_data.faults import unknown_word
from reports.cli.compute import Crew
from reports.cli.console import InputError
from reports.cli.options import Seed, whole
from reports.mindbug.cli.named_cards import ALL, read_cards
from reports.mindbug.cli.options import ONLY_SETS, OnePolicy, PoolOptions, Sets, read_one_policy
from reports.mindbug.cli.questions import pool_question
from reports.mindbug.cli.steps import compile_engine, plan_of_changes
from reports.mindbug.cli.taught import taught
from reports.mindbug.cli.verdict_pool import find_pool
from reports.sensitivity import command as shared
from simcore.commands import command, option_words

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.experiments.sensitivity import TriedCards
    from analysis.mindbug.experiments.sensitivity_games import Experiments
    from card_data.mindbug.schema import Card, Pool
    from reports.kit.drawing import Chart
    from reports.sensitivity.text import Shown
    from simcore.work.about import Question
    from simcore.work.cost import Plan


@frozen
class Asked(shared.Asked):
    """Which changes of which cards are tried, and how; the players know the cards by then.

    ``words`` are those of the command but for the pool, which ``pool`` and ``sets`` name.
    """

    experiments: "Experiments"
    cards: "list[Card]"
    changes: tuple[str, ...]
    reference: "Card | None"
    question: "Question"
    pool: PoolOptions
    sets: tuple[str, ...]
    card: str
    words: list[str]

    def command(self, folder: Path) -> str:
        """The command that asks the same again."""
        pool = self.pool.words(self.sets, folder / "pool.toml")
        return command("sensitivity", self.card, *pool, *self.words)

    def plans(self) -> "list[Plan]":
        """The pool as it is, and with every change."""
        played = self.experiments
        plan = plan_of_changes(
            *(played.pool, (played.policy,), played.games, played.seed),
            cards=self.cards,
            changes=self.changes,
            reference=self.reference,
        )
        return [plan]

    def play(self, folder: Path, crew: Crew) -> "Generator[TriedCards]":
        """Play what is missing of the pool and of the changes."""
        from analysis.mindbug.experiments.pool_experiments import try_changes

        compile_engine((self.experiments.policy,))
        yield from try_changes(
            self.experiments,
            self.cards,
            folder,
            changes=self.changes,
            reference=self.reference,
            **crew.watched,
        )

    def show(self, tried: "TriedCards", folder: Path) -> "Shown":  # type: ignore[override]
        """What was found of the cards."""
        from analysis.mindbug.experiments.sensitivity import write_sensitivity
        from reports.mindbug.sensitivity import shown

        found = shown(tried)
        write_sensitivity(dict(found.tables), folder)
        return found

    def charts(self, tables: "Mapping[str, pd.DataFrame]") -> "dict[str, Chart]":
        """Those of one card, or of all cards."""
        from reports.mindbug.sensitivity import charts

        return charts(tables)


def ask(
    card: Annotated[
        str,
        Parameter(
            name="CARD", help="The id or name of a card of the pool, or 'all' for every card."
        ),
    ],
    /,
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    changes: Annotated[
        str | None,
        Parameter(
            help="What to try, separated by commas: 'value' (the reference in its place), 'power',"
            " 'keywords', 'copies', 'lines' (each line of text removed) and 'parts' (what each part"
            " adds). Default: everything for one card, 'value' for all."
        ),
    ] = None,
    reference: Annotated[
        str | None,
        Parameter(
            help="The card that takes the place of others. Default: the average card, whose"
            " win rate when dealt is nearest to one half."
        ),
    ] = None,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(1, 2_000_000),
            help="How many games to play with the pool and with each variant. Default:"
            f" {VARIANT_GAMES:,}, which show an effect to about 0.9 points either way, or"
            f" {EVERY_CARD_GAMES:,} for all cards.",
        ),
    ] = None,
    policy: OnePolicy = PLAYER,
    seed: Seed = 0,
    threads: int | None = None,
    learn: bool = True,
) -> Asked:
    """Find what a card is worth, and what each part of it does, by experiments on the same deals.

    Each variant changes one card in its place: another card there, a different power, a keyword or
    a copy more or less, a line of text removed. In every game the deal and the luck are the same,
    so the difference is what the change does.
    """
    from analysis.mindbug.experiments.sensitivity_games import Experiments

    if not sets and pool == ONLY_SETS and card != ALL:
        found = find_pool(card, ("sensitivity",), of_all=("sensitivity", ALL))
        sets = tuple(name for part in found for name in part)
    typed, tried, cards = read_one_policy(policy), _read_changes(changes, card), pool.load(sets)
    wanted, middle = read_cards(cards, card), _read_reference(cards, reference)
    (player,) = taught([typed], [cards], threads=threads, learn=learn)
    games = games or (EVERY_CARD_GAMES if card == ALL else VARIANT_GAMES)
    question = pool_question(
        *("sensitivity", cards, (player,)),
        of=ALL if card == ALL else wanted[0].card_id,
        games=games,
        seed=seed,
        changes=tried,
        reference=middle and middle.card_id,
    )
    words = option_words(
        changes=changes,
        reference=reference,
        games=games,
        policy=typed,
        seed=seed,
        confidence=confidence_said(),
    )
    played = Experiments(cards, player, games, seed)
    return Asked(played, wanted, tried, middle, question, pool, (*sets,), card, [*words])


sensitivity = shared.command_of(ask)


def _read_changes(text: str | None, wanted: str) -> tuple[str, ...]:
    """The changes to try; by default the value of all cards, or everything for one card."""
    from card_data.mindbug.variants import CHANGES, VALUE

    if text is None:
        return (VALUE,) if wanted == ALL else CHANGES
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in CHANGES:
            raise InputError(f"--changes: {unknown_word('change', word, CHANGES)}")
    return tuple(change for change in CHANGES if change in words)


def _read_reference(pool: "Pool", reference: str | None) -> "Card | None":
    """The card that takes the place of others, if one was named.  Raises InputError."""
    if reference is None:
        return None
    if reference == ALL:
        raise InputError(f"--reference is one card, not {ALL}")
    return read_cards(pool, reference)[0]
