"""Training players of Mindbug (`reports.training.trainer`): their weights, and the page."""

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
from attrs import frozen

from card_data.mindbug import pool_hash
from card_data.mindbug.schema import Pool
from reports.games import Compiled
from reports.kit.cells import Cell, counted, number
from reports.kit.words import DOT, Finding, bare_percent, between, count, listed, percent
from reports.mindbug.cli.steps import compile_engine, plan
from reports.training.folder import CURVE, heading, training_folder
from reports.training.page import MEASURED, Trained, measured
from reports.training.trainer import Trainer
from simcore.evolution import PAST_EVERY
from simcore.mindbug import RULES_VERSION, CardTable, compile_cards, parse_player
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.play.training import PoolTraining, fit_positions, score
from simcore.mindbug.players.network_files import NETWORKS
from simcore.mindbug.players.registry import POLICIES
from simcore.mindbug.players.seats import fingerprints
from simcore.mindbug.players.weights import Weights, own_weights, read_weights, write_weights
from simcore.mindbug.table.weight_names import SECTIONS
from simcore.sealed import Shape
from simcore.training import train
from simcore.work.cost import Plan

_TESTED = (
    "At the end the player met each opponent in fresh games with every pool it was trained in. Each"
    " deal is played from both sides, with the same cards and the same luck."
)
_WEIGHTS = (
    "The weights come from an evolution strategy: the covariance matrix adaptation of Hansen and"
    " Ostermeier (2001), restricted to a diagonal matrix as Ros and Hansen (2008) describe. All"
    " candidates of a generation meet the same deals from both sides. Afterwards the weights of"
    " positions are fitted to who won, by logistic regression."
)
_NETWORK = (
    "The network learns from positions at the starts of turns: what the player thought after"
    " looking ahead, and who won. In the games it learns from, the player makes a random mistake"
    " now and then, so that it also sees what it would not play into."
)


def _say(name: str, there: Any) -> str | None:
    """How a setting is said that a training in a folder has otherwise than asked."""
    if name == "start":
        return "other weights to begin with"
    if name == "pools":
        return "other cards"
    if name == "panel":
        return f"--against {','.join(there or ())}"
    if name == "times":
        return "opponents that are met more or less often"
    if name == "only":
        return "no --only" if there in (None, [*SECTIONS]) else f"--only {','.join(there)}"
    if name == "self_play":
        return "--self-play" if there else "--no-self-play"
    return None


_OFTEN = re.compile(r"(?P<player>[^*]*)(\*(?P<times>[1-9][0-9]?))?")
_TEST_GAMES = 20_000
_POSITIONS = 20_000


@frozen
class PoolTrainer(Trainer):
    """Trains with the cards of some pools, and tests against opponents; draws count half."""

    even = True
    shape: ClassVar[Shape] = {str: {"score": float, **MEASURED}}
    #: Who plays like the learner.
    learner: ClassVar[str]

    pools: tuple[Pool, ...]
    training: Any

    @property
    @abstractmethod
    def players(self) -> Sequence[str]:
        """Who plays, besides the learner."""

    @property
    @abstractmethod
    def opponents(self) -> Sequence[str]:
        """Whom what is learned meets at the end, whom it was to beat first."""

    @property
    @abstractmethod
    def compiled(self) -> Sequence[Compiled]:
        """What only training compiles."""

    @abstractmethod
    def score(self, learned: Any, opponent: str) -> tuple[float, int]:
        """The share of fresh games that is won against an opponent, and their number."""

    @property
    def tables(self) -> list[CardTable]:
        """The pools, compiled."""
        return [compile_cards(pool) for pool in self.pools]

    def compile(self) -> None:
        """Compile the engine, and what only training compiles."""
        compile_engine((self.learner, *self.players), more=self.compiled)

    def test(self, learned: Any) -> dict[str, dict[str, float]]:
        """How well it does against each opponent, as `measured` tells it."""
        return {who: measured(*self.score(learned, who)) for who in dict.fromkeys(self.opponents)}


@frozen
class WeightTrainer(PoolTrainer):
    """Trains weights: ``training`` is a `PoolTraining`."""

    kind = training_folder(
        {"panel": [str], "times": [int], "only": [str], "pools": [str], "self_play": bool}, _say
    )
    shown = "games won against its opponents"
    learner = "heuristic"

    training: PoolTraining

    @classmethod
    def of(
        cls, pools: Sequence[Pool], *, against: Sequence[str], start: str, **how: Any
    ) -> "WeightTrainer":
        """A training as it is asked for; ``how`` are the other fields of `PoolTraining`.

        Raises ValueError for players or weights that there are not, and pools that cannot be
        played.
        """
        panel, times = _panel(against)
        check_opponents(panel)
        training = PoolTraining(start=_weights(start), panel=panel, times=times, **how)
        return cls(playable(pools), training)

    @property
    def generations(self) -> int:
        """How many generations are played."""
        return self.training.evolution.generations

    @property
    def asked(self) -> dict[str, Any]:
        """The training and its pools."""
        training = self.training
        return {
            "start": training.start.tolist(),
            "panel": [*training.panel],
            "times": [*training.often],
            "self_play": training.self_play,
            **training.numbers,
            "only": [*training.only],
            "pools": [pool_hash(pool) for pool in self.pools],
        }

    @property
    def players(self) -> Sequence[str]:
        """The panel."""
        return self.training.panel

    @property
    def opponents(self) -> Sequence[str]:
        """The panel, and ``random``."""
        return (*self.training.panel, "random")

    @property
    def plans(self) -> list[Plan]:
        """All games with each pool: to learn, to be judged.

        Candidates play them, now and then what has been learned so far, and at the end the outcome.
        """
        training, evolution = self.training, self.training.evolution
        past = [("heuristic", 1)] if training.self_play else []
        candidates = evolution.generations * evolution.population
        judged = len(range(0, evolution.generations, PAST_EVERY))
        learning = [
            (who, candidates * 2 * (times * training.games // 2))
            for who, times in (*zip(training.panel, training.often, strict=True), *past)
        ]
        games = [
            *learning,
            *((who, judged * 2 * (training.games // 2)) for who in training.panel),
            *dict.fromkeys(self.opponents, _TEST_GAMES).items(),
            ("heuristic", _POSITIONS),
        ]
        return [
            plan(pool, (self.learner, who), n, training.seed, kept=0)
            for pool in self.pools
            for who, n in games
        ]

    @property
    def compiled(self) -> list[Compiled]:
        """What looks at positions."""
        fit = partial(fit_positions, self.tables[:1], self.training.start, n_games=500, seed=0)
        return [("simcore.mindbug.play.training._sample_positions", 14, fit)]

    @property
    def how(self) -> str:
        """How much was played, against whom, and the seed."""
        training, evolution = self.training, self.training.evolution
        own_past = " and the learner's past" if training.self_play else ""
        parts = [
            f"{evolution.generations} generations of {evolution.population} candidates",
            f"{training.games:,} games each",
            f"against {' and '.join(training.panel)}{own_past}",
            f"seed {training.seed}",
        ]
        return DOT.join(parts)

    def learn(self, folder: Path, identity: str, **how: Any) -> Weights:
        """The weights, those of positions among them."""
        setups, training = [*map(PoolSetup, self.pools)], self.training
        how |= {"curve": folder / CURVE, "identity": identity}
        weights = train(setups, training, **how)
        return fit_positions(self.tables, weights, n_games=_POSITIONS, seed=training.seed)

    def write(self, learned: Weights, path: Path) -> None:
        """Write weights."""
        write_weights(learned, path, heading=heading())

    def score(self, learned: Weights, opponent: str) -> tuple[float, int]:
        """With another seed than that of the training; draws count as games of their own."""
        seed = self.training.seed ^ 1
        share = score(self.tables, learned, [opponent], n_games=_TEST_GAMES, seed=seed)
        return share, _TEST_GAMES * len(self.pools)


def playable(pools: Sequence[Pool]) -> tuple[Pool, ...]:
    """The same pools.  Raises what cards raise that cannot be played."""
    for pool in pools:
        compile_cards(pool)
    return tuple(pools)


def check_opponents(players: Sequence[str]) -> None:
    """Raise ValueError for players that there are not, or against whom nobody can be trained."""
    for one in players:
        if parse_player(one).function:
            raise ValueError(
                f"--against has {one}, a function of your own; training meets players that come"
                " with fairdeal, such as heuristic"
            )
    fingerprints(players)  # their weights can be read


def _panel(against: Sequence[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Players and how many times the games each is met in: "random*8" in eight times as many.

    Raises ValueError for a number that is none.
    """
    found = [_OFTEN.fullmatch(text) for text in against]
    for text, match in zip(against, found, strict=True):
        if match is None:
            raise ValueError(
                f"--against has {text!r}; behind the star stands how many times as many games are"
                " played against that player, 1 to 99, as in 'heuristic,random*8'"
            )
    pairs = [(match["player"], int(match["times"] or 1)) for match in found if match]
    return tuple(player for player, _ in pairs), tuple(times for _, times in pairs)


def _weights(text: str) -> Weights:
    """The weights of a policy or a file."""
    if text in POLICIES and POLICIES[text].weights is not None:
        return own_weights(str(POLICIES[text].weights))
    if text.endswith(".toml"):
        return read_weights(Path(text))
    having = [name for name, policy in POLICIES.items() if policy.weights is not None]
    raise ValueError(
        f"--start is {text!r}; it is a file that ends in .toml or .npz, or one of: nothing,"
        f" {', '.join(dict.fromkeys([*having, *NETWORKS]))}"
    )


def describe(
    trainer: PoolTrainer, scores: Mapping[str, Any], file: Path, *, pool: Sequence[str]
) -> Trained:
    """What the page says of a training that is done.

    ``scores`` are those of `PoolTrainer.test`, ``file`` has what was learned; ``pool`` are the
    words of a command line that name the cards.
    """
    player = f"{'learned' if trainer.learned == 'weights' else 'expert'}={file}"
    sets, opponent = _sets_text(trainer.pools[-1]), next(iter(scores))
    return Trained(
        title=f"{sets}: training",
        headline=_headline(scores),
        played=f"{sets}{DOT}{trainer.how}",
        lines=[
            f"wins {score['score']:.1%} ± {score['margin']:.1%} of games against {who}"
            for who, score in scores.items()
        ],
        findings=[_finding(who, score) for who, score in scores.items()],
        scores=pd.DataFrame({"opponent": who, **score} for who, score in scores.items()),
        headings=[("Opponent", ""), ("Won, %", ""), ("Games", "")],
        rows=[_row(who, score) for who, score in scores.items()],
        how_to_read="How many games the trained player won against each opponent; a draw counts"
        " half. A player as strong as the opponent wins 50%.",
        player=player,
        to_play=[
            ["play", *pool, "--player", player],
            ["ladder", *pool, "--players", ",".join(dict.fromkeys([player, opponent, "random"]))],
        ],
        first_use="play against it yourself, and have it play others",
        method=[_WEIGHTS if trainer.learned == "weights" else _NETWORK, _TESTED],
        facts=[
            *(("Pool", _sets_text(one)) for one in trainer.pools),
            *(("Card data", f"SHA-256 {pool_hash(one)}") for one in trainer.pools),
            ("Training", trainer.how),
            ("Rules version", str(RULES_VERSION)),
        ],
    )


def _headline(scores: Mapping[str, Mapping[str, float]]) -> str:
    """How strong the player is against the first opponent, whom it was asked to beat."""
    who, score = next(iter(scores.items()))
    ends = between(score["ci_low"], score["ci_high"])
    share = percent(score["score"])
    return f"The trained player wins {share} of games against {who} ({ends})"


def _sets_text(pool: Pool) -> str:
    return listed(card_set.name for card_set in pool.sets)


def _finding(who: str, score: Mapping[str, float]) -> Finding:
    ends = between(score["ci_low"], score["ci_high"])
    return Finding(
        f"Against {who}",
        f"It wins {percent(score['score'])} of {count(score['n'])} games ({ends}).",
    )


def _row(who: str, score: Mapping[str, Any]) -> list[Cell]:
    return [
        Cell(who),
        number(score["score"], score["ci_low"], score["ci_high"], bare_percent),
        counted(score["n"]),
    ]
