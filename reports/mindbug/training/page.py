"""What the page of a training says of a player of Mindbug (`reports.training.page`)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from card_data.mindbug import pool_hash
from card_data.mindbug.schema import Pool
from reports.kit.cells import Cell, counted, number
from reports.kit.words import DOT, Finding, bare_percent, between, count, listed, percent
from reports.mindbug.training.fit import PoolTrainer
from reports.training.page import Trained
from simcore.mindbug import RULES_VERSION

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
        " half. A player as strong as the opponent wins 50 %.",
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
