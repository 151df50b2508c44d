"""Mindbug in the studio: what can be chosen is what the commands play."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import asdict

from analysis.mindbug.experiments.usual import STRONG_WITH_CARD
from card_data.mindbug.modes import Modes
from card_data.mindbug.vocabulary import Ruling
from reports.mindbug.studio.bench import BENCH
from reports.mindbug.studio.forms import shipped
from reports.studio.bench import Choice

CARD = """name = "Mine"

[killer_bee]
name = "Killer Bee"
power = 4
copies = 2
"""
USUAL = {one.name: one.usual for one in BENCH.choices()}


def modes(folder: Path, **chosen: str) -> Modes:
    """The modes of the pool that is played where so much is chosen."""
    (folder / "mine.toml").write_text(CARD)
    [stage] = BENCH.stages(folder / "mine.toml", "", USUAL | {"player": "random"} | chosen)
    modes: Modes = stage.options.load(stage.named).modes
    return modes


def test_every_mode_and_ruling_can_be_chosen(tmp_path: Path) -> None:
    """Each open point of the rules and each mode but the limits is a choice; usual is usual."""
    names = {*USUAL} - {"player", "set"}
    rulings = {name.lower() for name in Ruling.__members__}
    assert names == ({*asdict(Modes())} | rulings) - {"rulings", "turn_cap", "effect_cap"}
    assert modes(tmp_path) == Modes()
    for ruling in Ruling:
        assert modes(tmp_path, **{ruling.name.lower(): "other"}).rulings == {ruling}


@pytest.mark.parametrize("choice", BENCH.choices()[2:], ids=lambda one: one.name)
def test_every_choice_can_be_played(tmp_path: Path, choice: Choice) -> None:
    """Each value of each mode is one that the commands take, and does not stay the usual one."""
    for value in choice.options:
        found = modes(tmp_path, **{choice.name: value})
        usual = not value or (choice.name, value) in {
            ("after_mindbug", "turn"),
            ("kot_parts", "False"),
        }
        assert (found == Modes()) == usual


@pytest.mark.parametrize(
    ("player", "strong"),
    [("expert", [0, STRONG_WITH_CARD]), ("heuristic", [0]), ("search:16", [0])],
)
def test_a_verdict_goes_on_to_strong_play(tmp_path: Path, player: str, strong: list[int]) -> None:
    """Where `expert` was asked, a strong search follows, in the same folder; else nobody does."""
    file = tmp_path / "mine.toml"
    file.write_text(f'name = "Mine"\n\n{shipped(creatures=True)["Brain Fly"]}')
    asked = [*BENCH.verdicts(file, "brain_fly", USUAL | {"player": player})]
    assert [one.case.strong_games for one in asked] == strong
    assert all(one.question.asked == asked[0].question.asked for one in asked)
