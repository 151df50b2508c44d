"""Training the player ``learned`` of Mice & Mystics (`reports.training.trainer`), and its page."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from attrs import frozen

from card_data.mice_and_mystics.facts import Facts, by_id
from card_data.mice_and_mystics.formatter import facts_hash
from card_data.mice_and_mystics.settings import Settings, legal_parties
from reports.games import reports_of
from reports.kit.cells import Cell, counted, number
from reports.kit.words import DOT, Finding, bare_percent, between, count, listed, percent
from reports.mice_and_mystics.cli.options import PlayableChapter
from reports.training.folder import CURVE, heading, training_folder
from reports.training.page import MEASURED, Trained, measured
from reports.training.trainer import Trainer
from simcore.evolution import PAST_EVERY, Evolution
from simcore.mice_and_mystics import RULES_VERSION
from simcore.mice_and_mystics.play.setup import ChapterSetup
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.play.training import (
    ChapterTraining,
    first_weights,
    fit_positions,
    score,
    worlds_of,
)
from simcore.mice_and_mystics.players.registry import POLICIES
from simcore.mice_and_mystics.players.weights import (
    Weights,
    own_weights,
    read_weights,
    write_weights,
)
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.mice_and_mystics.table.records import Outcome
from simcore.mice_and_mystics.table.table import Table
from simcore.training import train
from simcore.work.cost import Plan

#: The word for the weights that learning begins with.
FIRST = "first"

_METHOD = (
    "The weights come from an evolution strategy: the covariance matrix adaptation of Hansen and"
    " Ostermeier (2001), restricted to a diagonal matrix as Ros and Hansen (2008) describe. A"
    " candidate is better the more games it wins, and a little for each room that it enters. All"
    " candidates of a generation meet the same decks and, as long as they decide alike, the same"
    " dice. Afterwards a network of one hidden layer learns from who won what positions are worth.",
    "At the end the trained player and heuristic played the same fresh games.",
)


def _say(name: str, _there: Any) -> str | None:
    """How a setting is said that a training in a folder has otherwise than asked."""
    said = {
        "start": "other weights to begin with",
        "facts_hash": "other facts",
        "worlds": "other chapters, parties or switches",
    }
    return said.get(name)


_TEST_GAMES = 20_000
# The shape of how often a world is won.
_BESIDE = {"heuristic": float, "heuristic_ci_low": float, "heuristic_ci_high": float}
_WIN = {"what": str, "win_rate": float, **MEASURED, **_BESIDE}
# Games in each world that what positions are worth is learned from.
_POSITIONS = 40_000


@frozen(slots=False)
class ChapterTrainer(Trainer):
    """Trains weights in some chapters, and tests them beside ``heuristic``."""

    kind = training_folder({"facts_hash": str, "worlds": [dict]}, _say)
    scores, shape = "wins", [_WIN]
    shown = "games won, and 3 for each room"

    facts: Facts
    training: ChapterTraining

    @classmethod
    def of(
        cls,
        facts: Facts,
        chapters: Sequence[Settings],
        *,
        start: str,
        games: int,
        evolution: Evolution,
    ) -> "ChapterTrainer":
        """A training as it is asked for.

        Raises ValueError for weights that there are not, and TableError for facts that the engine
        cannot play.
        """
        worlds = worlds_of(facts, chapters)
        training = ChapterTraining(
            worlds=worlds, start=_weights(start), evolution=evolution, games=games
        )
        for world in worlds:
            compile_facts(facts, world)  # they can be played
        return cls(facts, training)

    @property
    def generations(self) -> int:
        """How many generations are played."""
        return self.training.evolution.generations

    @property
    def asked(self) -> dict[str, Any]:
        """The training and what it plays."""
        return {
            "start": self.training.start.tolist(),
            **self.training.numbers,
            "facts_hash": facts_hash(self.facts),
            "worlds": [world.as_json() for world in self.training.worlds],
        }

    @property
    def plans(self) -> list[Plan]:
        """All games in each world: of the learner to learn and to be judged, and of both.

        Candidates play them, now and then what has been learned so far, and at the end the outcome.
        """
        evolution, seed = self.training.evolution, self.training.seed
        judged = len(range(0, evolution.generations, PAST_EVERY))
        tried = evolution.generations * evolution.population + judged
        own = tried * self.training.games + _POSITIONS + _TEST_GAMES
        return [
            PlayableChapter("", self.facts, world).plan(n, seed, (who,))
            for world in self.training.worlds
            for who, n in (("learned", own), ("heuristic", _TEST_GAMES))
        ]

    def compile(self) -> None:
        """Compile the engine."""
        reports_of("mice_and_mystics").compile_engine(("learned",))

    @cached_property
    def tables(self) -> list[Table]:
        """What is played, compiled."""
        return [compile_facts(self.facts, world) for world in self.training.worlds]

    @property
    def names(self) -> list[str]:
        """What the worlds are called, each once."""
        return list(dict.fromkeys(map(_name, self.tables)))

    @property
    def how(self) -> str:
        """How much was played, and the seed."""
        evolution = self.training.evolution
        parts = [
            f"{evolution.generations} generations of {evolution.population} candidates",
            f"{self.training.games:,} games each",
            f"in {' and '.join(self.names)}",
            f"seed {evolution.seed}",
        ]
        return DOT.join(parts)

    def learn(self, folder: Path, identity: str, **how: Any) -> Weights:
        """The weights, those of positions among them."""
        setups = [ChapterSetup(self.facts, world) for world in self.training.worlds]
        how |= {"curve": folder / CURVE, "identity": identity}
        weights = train(setups, self.training, **how)
        seed = self.training.seed
        return fit_positions(self.tables, weights, n_games=_POSITIONS, seed=seed)

    def write(self, learned: Weights, path: Path) -> None:
        """Write weights."""
        write_weights(learned, path, heading=heading())

    def test(self, learned: Weights) -> list[dict[str, Any]]:
        """The win rate in each world that was trained in.

        ``what`` it is, ``win_rate`` as `measured` tells it, and ``heuristic``, the win rate of that
        player in the same games, with the ends of its interval.
        """
        return [self._test(table, learned) for table in self.tables]

    def _test(self, table: Table, weights: Weights) -> dict[str, Any]:
        seed = self.training.seed ^ 1
        _, (share,) = score([table], weights, n_games=_TEST_GAMES, seed=seed)
        usual = play_games(table, n_games=_TEST_GAMES, seed=seed, players=("heuristic",))
        beside = measured(float(np.mean(usual["outcome"] == Outcome.WIN)), _TEST_GAMES)
        return {
            "what": _name(table),
            **measured(share, _TEST_GAMES, name="win_rate"),
            "heuristic": beside["score"],
            "heuristic_ci_low": beside["ci_low"],
            "heuristic_ci_high": beside["ci_high"],
        }


def _name(table: Table) -> str:
    """What a world is called: its chapter, and who may play it."""
    settings = table.settings
    name = by_id(table.facts.chapters)[settings.chapter].name
    if settings.party:
        return f"{name} with {', '.join(settings.party)}"
    return f"{name} with any party" if settings.parties == "any" else name


def _weights(text: str) -> Weights:
    """The weights of a player or a file, or those that learning begins with."""
    if text == FIRST:
        return first_weights()
    if text in POLICIES and POLICIES[text].weights:
        return own_weights()
    if text.endswith(".toml"):
        return read_weights(Path(text))
    raise ValueError(
        f"--start is {text!r}; it is '{FIRST}', 'learned', or a file of weights that ends in .toml"
    )


def describe(
    trainer: ChapterTrainer, wins: Sequence[Mapping[str, Any]], file: Path, *, named: Sequence[str]
) -> Trained:
    """What the page says of a training that is done.

    ``wins`` are those of `ChapterTrainer.test`, ``file`` has the weights; ``named`` are the words
    of a command line that name the first chapter, its party and its switches.
    """
    player, world = f"learned={file}", trainer.training.worlds[0]
    mouse = (world.party or legal_parties(trainer.facts, world)[0])[0]
    return Trained(
        title=f"{listed(trainer.names)}: training",
        headline=_headline(wins[0]),
        played=trainer.how,
        lines=[
            f"{one['what']}: wins {one['win_rate']:.1%} ± {one['margin']:.1%} of games,"
            f" 'heuristic' {one['heuristic']:.1%}"
            for one in wins
        ],
        findings=[Finding(one["what"], _sentence(one)) for one in wins],
        scores=pd.DataFrame(wins),
        headings=[("Played", ""), ("Won, %", ""), ("heuristic wins, %", ""), ("Games", "")],
        rows=[_row(one) for one in wins],
        how_to_read="How many games the trained player won in each chapter that it was trained in,"
        " and beside it how many heuristic won.",
        player=player,
        to_play=[
            ["play", *named, "--mice", mouse, "--player", player],
            ["balance", *named, "--policy", player],
        ],
        first_use="play one hero yourself while it plays the others, and have it play the chapter",
        method=_METHOD,
        facts=[
            *(("Chapter", name) for name in trainer.names),
            ("Facts", f"SHA-256 {facts_hash(trainer.facts)}"),
            ("Training", trainer.how),
            ("Rules version", str(RULES_VERSION)),
        ],
    )


def _headline(win: Mapping[str, Any]) -> str:
    """How often the first chapter is won."""
    share, ends = percent(win["win_rate"]), between(win["ci_low"], win["ci_high"])
    return (
        f"{win['what']}: the trained player wins {share} of games ({ends}), heuristic"
        f" {percent(win['heuristic'])}"
    )


def _sentence(win: Mapping[str, Any]) -> str:
    share, ends = percent(win["win_rate"]), between(win["ci_low"], win["ci_high"])
    beside = between(win["heuristic_ci_low"], win["heuristic_ci_high"])
    return (
        f"It wins {share} of {count(win['n'])} games ({ends}), heuristic"
        f" {percent(win['heuristic'])} ({beside})."
    )


def _row(win: Mapping[str, Any]) -> list[Cell]:
    beside = win["heuristic"], win["heuristic_ci_low"], win["heuristic_ci_high"]
    return [
        Cell(win["what"]),
        number(win["win_rate"], win["ci_low"], win["ci_high"], bare_percent),
        number(*beside, bare_percent),
        counted(win["n"]),
    ]
