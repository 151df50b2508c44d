"""Chapters for one to six mice on the command line: tables, told games and players by mouse."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path

import pandas as pd
import pytest
from attrs import evolve

from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.formatter import changes_text

CHAPTER = "standin_four_rooms"


def chapter_for(mice: int) -> str:
    """A chapter of one's own for so many mice, as it is named."""
    facts = load_facts()
    chapters = tuple(
        evolve(one, mice=mice, start=evolve(one.start, mice_spaces=("b1", "c1")))
        if one.id == CHAPTER
        else one
        for one in facts.chapters
    )
    Path("mine.toml").write_text(changes_text(evolve(facts, chapters=chapters), facts))
    return f"{CHAPTER}+mine.toml"


@pytest.mark.parametrize("mice", [1, 2, 6])
def test_a_chapter_says_how_many_mice(ask, mice: int) -> None:
    """Every set of so many heroes is a party; a game is told with so many."""
    said = chapter_for(mice)
    few = ("--games", 300, "--policy", "heuristic", "--threads", 1, "--assumptions", 0)
    told = ask("balance", said, "--party", "all", *few, "--out", "run", "--json").done()
    parties = pd.read_parquet("run/tables/parties.parquet")
    assert len(parties) == comb(6, mice)
    assert parties["party"].str.count(",").eq(mice - 1).all()
    assert parties["n_games"].sum() == 300
    initiative = pd.read_parquet("run/tables/initiative.parquet")
    ahead = initiative[initiative["kind"] == "mice_ahead"]
    assert ahead["id"].astype(int).max() == mice
    assert ahead["expected"].sum() == pytest.approx(1)
    game = ask("replay", "run", 3).done()
    names = [hero.name for hero in load_facts().heroes]
    head = game.out.partition("Setting up")[0]
    assert sum(name in head for name in names) == mice
    assert json.loads(told.out)["run"] == "run"


def test_each_mouse_of_two_has_a_player(ask) -> None:
    """Two players for two mice; another number is told, and what is allowed."""
    said = chapter_for(2)
    few = ("--games", 50, "--threads", 1, "--assumptions", 0, "--stronger", "none")
    assert ask("balance", said, *few, "--policy", "heuristic:uniform", "--out", "run").status == 0
    for command in ("balance", "simulate"):
        wrong = ask(command, said, "--games", 50, "--policy", "heuristic:uniform:uniform")
        wrong.refused("names 3 players; it is one for all mice, or 2 with colons")
    wrong = ask("play", said, "--player", "heuristic:uniform:uniform")
    wrong.refused("--player", "names 3 players")
    ask("balance", said, "--games", 50, "--policy", "uniform:uniform:uniform", "--dry-run").refused(
        "names 3 players"
    )
