"""The command `balancelab rebalance`."""

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen
from cyclopts import Group, Parameter

from reports.cli.console import (
    InputError,
    as_input_error,
    print_findings,
    print_json,
    progress,
    resumable,
    waiting,
)
from reports.cli.json_answers import found_json
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
from reports.mindbug.cli.sensitivity import read_cards
from reports.mindbug.cli.steps import compile_engine

if TYPE_CHECKING:
    from analysis.mindbug.experiments.rebalance import Answer, Question
    from analysis.mindbug.experiments.rebalance_goals import Goals
    from card_data.mindbug.adjustments import Adjustment
    from card_data.mindbug.schema import Card, Pool

_GOALS = Group("Goals", sort_key=2, help="What the pool is to reach.")
_ALLOWED = Group("Changes", sort_key=3, help="What may be changed to reach it.")
_STARTER = ("starter", "first_player", "start", "starts")
_MOST_WEIGHT = 100


@Parameter(name="*", help="What is to be reached, and how.")
@frozen(kw_only=True)
class RebalanceOptions:
    """Goals, what may be changed, and how many games that may take."""

    band: Annotated[
        float,
        Parameter(
            group=_GOALS,
            help="The win rate of the players dealt a card lies within so many percentage points of"
            " the average, for every card.",
        ),
    ] = 2.0
    first_player: Annotated[
        float | None,
        Parameter(
            group=_GOALS,
            help="The player who starts wins at most so many per cent of the games, and loses no"
            " more, as in '52'.",
        ),
    ] = None
    turns: Annotated[
        str | None,
        Parameter(group=_GOALS, help="A game takes so many turns on average, as in '15:30'."),
    ] = None
    changes: Annotated[
        str,
        Parameter(
            group=_ALLOWED,
            help="What may be changed, with commas between: 'power' and 'keywords' of cards,"
            " 'copies' (one more or less), by one the rules 'life', 'mindbugs' and 'hand_size', and"
            " 'who_starts' (the player with the weaker or stronger first hand).",
        ),
    ] = "power,keywords"
    power_step: Annotated[
        int,
        Parameter(
            group=_ALLOWED,
            converter=whole(1, 10),
            help="By how much a power may be changed, either way: 1 to 10.",
        ),
    ] = 2
    only: Annotated[
        str | None,
        Parameter(group=_ALLOWED, help="Change these cards alone: ids or names, commas between."),
    ] = None
    keep: Annotated[
        str | None,
        Parameter(group=_ALLOWED, help="Leave these cards as they are: ids or names."),
    ] = None
    most_changes: Annotated[
        int | None,
        Parameter(
            group=_ALLOWED,
            converter=whole(1, 1000),
            help="Change so many things at most. Default: as many as it takes, but as little as"
            " possible.",
        ),
    ] = None
    weights: Annotated[
        str | None,
        Parameter(
            group=_ALLOWED,
            help="How much one step of a change counts, 1 to 100. Default:"
            " 'power=1,keywords=2,copies=1,life=2,mindbugs=2,hand_size=2,who_starts=2'.",
        ),
    ] = None
    games: Annotated[
        int,
        Parameter(converter=whole(100, 2_000_000), help="Games of each candidate in the search."),
    ] = 50_000
    confirm: Annotated[
        int,
        Parameter(
            converter=whole(100, 10_000_000),
            help="Fresh games, of the seed after --seed, with which the proposal is confirmed.",
        ),
    ] = 200_000
    budget: Annotated[
        int,
        Parameter(
            converter=whole(1, 1_000_000_000),
            help="Games of the search, of all candidates together, at most.",
        ),
    ] = 20_000_000

    def words(self) -> list[str]:
        """What was said, as words of a command line."""
        usual = RebalanceOptions()
        said = {
            name: getattr(self, name)
            for name in self.__annotations__
            if getattr(self, name) != getattr(usual, name)
        }
        return [word for name, value in said.items()
                for word in (f"--{name.replace('_', '-')}", f"{value}")]  # fmt: skip

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
        only, keep = _read_names(pool, "--only", self.only), _read_names(pool, "--keep", self.keep)
        if both := [card.name for card in only if card in keep]:
            raise InputError(f"{both[0]} is named by --only and by --keep; name it once")
        return [card for card in only or read_cards(pool, "all") if card not in keep]

    def _turns(self) -> tuple[float, float] | None:
        if self.turns is None:
            return None
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*:\s*(\d+(?:\.\d+)?)\s*", self.turns)
        if match is None or not float(match[1]) < float(match[2]):
            raise InputError(
                f"--turns is '{self.turns}'; say the least and the most with a colon between, for"
                " instance '15:30'"
            )
        return float(match[1]), float(match[2])


_USUAL = RebalanceOptions()


def rebalance(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    options: RebalanceOptions = _USUAL,
    policy: OnePolicy = "heuristic",
    seed: Seed = 0,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The folder of the search. Default:"
            " runs/rebalance-SETS-POLICY-GAMES-CONFIRM-sSEED. What was interrupted goes on."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Find small changes that balance a pool, and confirm them with fresh games.

    Tries single changes on the same deals, puts the best together, and shows what more or less
    change would bring. The proposal is a card file that can be played at once.
    """
    from reports.mindbug.rebalance.text import findings

    one = read_one_policy(policy)
    question = _question(options, pool.load(sets), one, seed)
    if out is None:
        games = f"{question.games}-{question.confirm}"
        name = f"rebalance-{pool.name(sets, question.pool)}-{in_a_name(one)}-{games}-s{seed}"
        out = Path("runs", name)
    compile_engine((one,))
    again = pool.words(sets, out / "search" / "pool.toml") + options.words()
    shipped = list(sets) if pool.is_shipped(sets) else None
    done = _run(question, out, again=again, sets=shipped, threads=threads)
    if as_json:
        tables, manifest = done.answer.tables, done.answer.manifest
        said = {"folder": str(out), "page": str(done.page), **manifest}
        print_json(said | found_json(findings(tables, manifest), tables, out))
    else:
        _print(done)


@frozen
class _Done:
    """What came of it, the page, and commands that play the proposal."""

    answer: "Answer"
    page: Path
    to_play: list[str]


def _run(
    question: "Question",
    folder: Path,
    *,
    again: Sequence[str],
    sets: list[str] | None,
    threads: int | None,
) -> _Done:
    """Search, confirm, and write everything.

    ``again`` are the words that ask the same again, but for player and seed.  ``sets`` are those
    that come with balancelab if nothing else is played, so that commands can name them.  Raises
    InputError.
    """
    from analysis.mindbug.experiments.rebalance import rebalance
    from reports.mindbug.rebalance.page import write_rebalance_page
    from simcore.work.lock import holding

    words = ["balancelab", "rebalance", *again, "--policy", question.policy]
    with holding(folder):
        with as_input_error(), resumable("what was played stays", folder):
            answer = rebalance(
                question,
                folder,
                watch=lambda what: progress(what, "games"),
                solving=lambda: waiting("choosing changes"),
                threads=threads,
            )
        to_play = _commands(answer, folder, sets, question.policy)
        with waiting("drawing the charts"):
            page = write_rebalance_page(
                answer.tables,
                answer.manifest,
                folder,
                command=shlex.join([*words, "--seed", str(question.seed)]),
                to_play=to_play,
            )
    return _Done(answer, page, to_play)


def _print(done: _Done) -> None:
    """What was asked and found, in words, and where it is."""
    from reports.mindbug.rebalance.text import describe, findings

    answer, folder = done.answer, done.page.parent
    print(describe(answer.manifest))
    print_findings(findings(answer.tables, answer.manifest))
    if done.to_play:
        print("\nto play it:")
        for line in done.to_play:
            print(f"  {line}")
    print(f"\nreport: {done.page}")
    if answer.manifest["card_file"]:
        print(f"proposal: {folder / answer.manifest['card_file']}")
    elif answer.manifest["proposal"]:
        print(f"proposal: {folder / answer.manifest['pool_file']}")
    print(f"tables: {folder / 'tables'}\ncharts: {folder / 'figures'}")


def _question(options: RebalanceOptions, pool: "Pool", policy: str, seed: int) -> "Question":
    """What is asked for.  Raises InputError."""
    from analysis.mindbug.experiments.rebalance import Question

    goals = options.goals()
    if options.budget < 2 * options.games:
        raise InputError(
            f"--budget is {options.budget:,} games, which is not even two candidates of"
            f" {options.games:,} (--games)"
        )
    return Question(
        pool=pool,
        adjustments=options.adjustments(pool),
        goals=goals,
        policy=policy,
        games=options.games,
        confirm=options.confirm,
        budget=options.budget,
        most=options.most_changes,
        seed=seed,
    )


def _commands(answer: "Answer", folder: Path, sets: list[str] | None, policy: str) -> list[str]:
    """Commands that play the proposal, and that compare it with the pool as it is.

    A card file of its own plays with named sets; all else is played from the folder.
    """
    manifest = answer.manifest
    if not manifest["proposal"]:
        return []
    pool_file = str(folder / manifest["pool_file"])
    balance, both = ["--pool", pool_file], [str(folder / "search" / "pool.toml"), pool_file]
    only_cards = (answer.tables["changes"]["card_id"] != "").all()
    if sets is not None and only_cards:
        card_file = str(folder / manifest["card_file"])
        balance, both = [*sets, "--cards", card_file], ["+".join(sets), card_file]
    return [
        shlex.join(["balancelab", *words, "--policy", policy])
        for words in (["balance", *balance], ["compare", *both])
    ]


def _read_levers(text: str) -> tuple[str, ...]:
    """The words of --changes.  Raises InputError."""
    from card_data.mindbug.adjustments import LEVERS

    words = [word.strip() for word in text.split(",")]
    for word in words:
        _check_lever("--changes", word)
    return tuple(lever for lever in LEVERS if lever in words)


def _check_lever(option: str, word: str) -> None:
    """Raise InputError for a word that is none of what can be changed."""
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
                f" '='; say for instance '{lever}=2'"
            )
        weights[lever] = int(number)
    return weights


def _read_names(pool: "Pool", option: str, text: str | None) -> "list[Card]":
    """The cards of a list of ids or names.  Raises InputError."""
    found: list[Card] = []
    for word in [] if text is None else text.split(","):
        try:
            found += read_cards(pool, word.strip())
        except InputError as error:
            raise InputError(f"{option}: {error}") from None
    return found
