"""What the page of a training says of a player of Mice & Mystics (`reports.training.page`)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from card_data.mice_and_mystics.fingerprint import facts_hash
from card_data.mice_and_mystics.settings import legal_parties
from reports.kit.cells import Cell, counted, number
from reports.kit.words import Finding, bare_percent, between, count, listed, percent
from reports.mice_and_mystics.training.fit import ChapterTrainer
from reports.training.page import Trained
from simcore.mice_and_mystics import RULES_VERSION

_METHOD = (
    "The weights come from an evolution strategy: the covariance matrix adaptation of Hansen and"
    " Ostermeier (2001), restricted to a diagonal matrix as Ros and Hansen (2008) describe. A"
    " candidate is better the more games it wins, and a little for each room that it enters. All"
    " candidates of a generation meet the same decks and, as long as they decide alike, the same"
    " dice. Afterwards the weights of positions are fitted to who won, by logistic regression.",
    "At the end the trained player and heuristic played the same fresh games.",
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
