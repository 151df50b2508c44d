"""The command `fairdeal rebalance` of a pool, and its options: goals, and what may be changed."""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import evolve, frozen
from cyclopts import Group, Parameter

from analysis.mindbug.experiments.usual import (
    CANDIDATE_GAMES,
    CONFIRM_GAMES,
    PLAYER,
    SEARCH_GAMES,
)
from card_data.faults import unknown_word
from card_data.typed_numbers import decimal_number
from reports.cli.console import InputError
from reports.cli.options import decimal, whole
from reports.mindbug.cli import steps
from reports.mindbug.cli.named_cards import read_card_list, read_cards
from reports.mindbug.cli.options import ONLY_SETS, OnePolicy, PoolOptions, Sets, read_one_policy
from reports.mindbug.cli.questions import pool_question
from reports.mindbug.cli.steps import compile_engine
from reports.mindbug.cli.taught import taught
from reports.rebalance import command as shared
from reports.rebalance.command import ALLOWED, Budget, Confirm, Games, RebalanceOptions
from simcore.commands import command

if TYPE_CHECKING:
    from analysis.mindbug.experiments.rebalance import Question
    from analysis.mindbug.experiments.rebalance_goals import Goals
    from analysis.questions.rebalance import Answer as Found
    from card_data.mindbug.adjustments import Adjustment
    from card_data.mindbug.schema import Card, Pool
    from reports.mindbug.rebalance import PoolRebalancing
    from simcore.work.cost import Plan

_GOALS = Group("Goals", sort_key=2, help="The goals for the pool.")
_STARTER = ("starter", "first_player", "start", "starts")
_MOST_WEIGHT = 100


@Parameter(name="*", help="What is to be reached, and how.")
@frozen(kw_only=True)
class PoolGoals(RebalanceOptions):
    """Goals, and what may be changed of a pool."""

    band: Annotated[
        float,
        Parameter(
            converter=decimal,
            group=_GOALS,
            help="Players dealt a card should win within this many percentage points of average.",
        ),
    ] = 2.0
    first_player: Annotated[
        float | None,
        Parameter(
            converter=decimal,
            group=_GOALS,
            help="The player who starts should win, and lose, at most this percentage of games,"
            " as in '52'.",
        ),
    ] = None
    turns: Annotated[
        str | None,
        Parameter(
            group=_GOALS,
            help="The mean number of turns in a game should be in this range, as in '15:30'.",
        ),
    ] = None
    changes: Annotated[
        str,
        Parameter(
            group=ALLOWED,
            help="What may be changed, separated by commas: 'power' and 'keywords' of cards,"
            " 'copies' (one more or less), the rules 'life', 'mindbugs' and 'hand_size' (by one),"
            " and 'who_starts' (the player with the weaker or stronger first hand).",
        ),
    ] = "power,keywords"
    power_step: Annotated[
        int,
        Parameter(
            group=ALLOWED,
            converter=whole(1, 10),
            help="How much a power may change, up or down: 1 to 10.",
        ),
    ] = 2
    only: Annotated[
        str | None,
        Parameter(
            group=ALLOWED,
            help="Change and judge only these cards: ids or names, commas between, or"
            " those of your own.",
        ),
    ] = None
    keep: Annotated[
        str | None,
        Parameter(group=ALLOWED, help="Leave these cards unchanged: ids or names."),
    ] = None
    weights: Annotated[
        str | None,
        Parameter(
            group=ALLOWED,
            help="How much one step of a change counts, 1 to 100. Default:"
            " 'power=1,keywords=2,copies=1,life=2,mindbugs=2,hand_size=2,who_starts=2'.",
        ),
    ] = None
    games: Games = CANDIDATE_GAMES
    confirm: Confirm = CONFIRM_GAMES
    budget: Budget = SEARCH_GAMES

    def question(self, pool: "Pool", policy: str) -> "Question":
        """What is asked for.  Raises InputError."""
        from analysis.mindbug.experiments.rebalance import Question

        goals = evolve(self.goals(), cards=self._judged(pool))
        return Question(
            pool=pool,
            changes=self.adjustments(pool),
            goals=goals,
            policy=policy,
            **self.sizes(),
        )

    def goals(self) -> "Goals":
        """The goals that were asked for.  Raises InputError."""
        from analysis.mindbug.experiments.rebalance_goals import Goals

        if not 0 < self.band < 50:
            raise InputError(
                f"--band is {self.band:g}; it must be above 0 and below 50 percentage points, for"
                " instance 2"
            )
        first = self.first_player
        if first is not None and not 50 < first < 100:
            raise InputError(
                f"--first-player is {first:g}; it must be above 50 and below 100 per cent, for"
                " instance 52"
            )
        return Goals(self.band / 100, None if first is None else first / 100, self._turns())

    def adjustments(self, pool: "Pool") -> "tuple[Adjustment, ...]":
        """The changes that are allowed.  Raises InputError."""
        from card_data.mindbug.adjustments import adjustments_of

        found = adjustments_of(
            pool,
            _read_levers(self.changes),
            self._cards(pool),
            power_step=self.power_step,
            weights=_read_weights(self.weights),
        )
        if not found:
            raise InputError("nothing may be changed; --changes, --only and --keep leave nothing")
        return tuple(found)

    def _cards(self, pool: "Pool") -> "list[Card]":
        """The cards that may be changed."""
        only = read_card_list(pool, "--only", self.only)
        keep = read_card_list(pool, "--keep", self.keep)
        if both := [card.name for card in only if card in keep]:
            raise InputError(f"{both[0]} is named by --only and by --keep; name it once")
        return [card for card in only or read_cards(pool, "all") if card not in keep]

    def _judged(self, pool: "Pool") -> tuple[str, ...]:
        """The ids of the cards that are judged: those of --only alone, or none for all."""
        return tuple(card.card_id for card in read_card_list(pool, "--only", self.only))

    def _turns(self) -> tuple[float, float] | None:
        if self.turns is None:
            return None
        try:
            least, most = map(decimal_number, self.turns.split(":"))
        except ValueError:
            least = most = math.nan
        if not 0 <= least < most:
            raise InputError(
                f"--turns is '{self.turns}'; give the least and the most with a colon between, for"
                " instance '15:30'"
            )
        return least, most


#: What the command has where none of these options is given.
USUAL = PoolGoals()


def _read_levers(text: str) -> tuple[str, ...]:
    """The words of --changes.  Raises InputError."""
    from card_data.mindbug.adjustments import LEVERS

    words = [word.strip() for word in text.split(",")]
    for word in words:
        _check_lever("--changes", word)
    return tuple(lever for lever in LEVERS if lever in words)


def _check_lever(option: str, word: str) -> None:
    """Raise InputError for a word that names nothing that can be changed."""
    from card_data.mindbug.adjustments import LEVERS, WHO_STARTS

    if word not in LEVERS:
        guess = WHO_STARTS if word in _STARTER else ""
        raise InputError(f"{option}: {unknown_word('change', word, LEVERS, guess)}")


def _read_weights(text: str | None) -> Mapping[str, int]:
    """The weights of --weights, the others as usual.  Raises InputError."""
    from card_data.mindbug.adjustments import WEIGHTS

    weights: dict[str, int] = dict(WEIGHTS)
    for word in [] if text is None else text.split(","):
        lever, _, number = (part.strip() for part in word.partition("="))
        _check_lever("--weights", lever)
        if not re.fullmatch(r"[0-9]{1,3}", number) or not 1 <= int(number) <= _MOST_WEIGHT:
            raise InputError(
                f"--weights: '{word.strip()}' has no whole number from 1 to {_MOST_WEIGHT} after"
                f" '='; write for instance '{lever}=2'"
            )
        weights[lever] = int(number)
    return weights


@frozen
class PoolAsked(shared.Asked):
    """How a pool is balanced; the players know the cards by then."""

    pool: PoolOptions
    sets: tuple[str, ...]
    words: Sequence[str]

    def command(self, folder: Path) -> str:
        """The command that asks the same again."""
        words = self.pool.words(self.sets, folder / "search" / "pool.toml")
        return command("rebalance", *words, *self.words)

    def plan(self, games: int, seed: int, bound: str) -> "Plan":
        """Games of the pool."""
        one = self.balanced
        return steps.plan(one.pool, (one.policy,), games, seed, bound=bound)

    def told(self, found: "Found") -> "PoolRebalancing":
        """What was found of the pool."""
        from reports.mindbug.rebalance import PoolRebalancing

        shipped = self.sets if self.pool.is_shipped(self.sets) else None
        return PoolRebalancing(found.tables, found.manifest, shipped)

    def compile_engine(self) -> None:
        """Compile what plays."""
        compile_engine((self.balanced.policy,))


def ask(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    options: PoolGoals = USUAL,
    policy: OnePolicy = PLAYER,
    threads: int | None = None,
    learn: bool = True,
) -> PoolAsked:
    """Find small changes that balance a pool, and confirm them with fresh games.

    Tries single changes on the same deals, combines the best, and shows what more or less change
    would bring. The proposal is a card file that can be played at once.
    """
    typed, cards = read_one_policy(policy), pool.load(sets)
    (player,) = taught([typed], [cards], threads=threads, learn=learn)
    balanced = options.question(cards, player)
    question = pool_question(
        *("rebalance", cards, (player,)),
        games=balanced.games,
        seed=options.seed,
        words=options.words(),
    )
    return PoolAsked(balanced, question, pool, sets, options.words(policy=typed, seed=options.seed))


rebalance = shared.command_of(ask)
