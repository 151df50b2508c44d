"""A person plays Mice & Mystics in a terminal: for all mice or some, told again to the same end."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from card_data.mice_and_mystics.loader import load_named
from card_data.mice_and_mystics.settings import read_settings
from reports.mice_and_mystics.play.match import MiceMatch
from reports.play.log import read_log
from reports.play.sitting import Sitting
from reports.play.told import tell_game, tell_moments
from simcore.mice_and_mystics.face.game import Game, first_game_with
from simcore.mice_and_mystics.face.seen import Seen
from simcore.mice_and_mystics.players.registry import POLICIES
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.mice_and_mystics.table.table import Table
from support.typist import Piped, plain, typed

CHAPTER = "ch1_flight_to_barksburg"
GAME = ["play", CHAPTER, "--seed", "5"]
EVERY_PLAYER = ["search:4" if name == "search" else name for name in POLICIES]
#: A person whose mice end their turns at once.
FIRST = [*["1"] * 400]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has a folder of its own."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def table() -> Table:
    """Chapter 1 with a party."""
    facts, chapter = load_named(CHAPTER)
    party = ["collin", "nez", "tilda", "filch"]
    return compile_facts(facts, read_settings(facts, chapter, party, []))


@pytest.mark.parametrize("player", EVERY_PLAYER)
def test_a_game_with_each_player_at_a_terminal(player: str, piped: Piped) -> None:
    """A script plays a mouse to the end; the file leads to the same end again."""
    game = [*GAME, "--player", player, "--mice", "nez", "--out", "game.json"]
    status, seen = typed(game, FIRST)
    assert status == 0
    end = plain(seen).partition("The game is over.")[0].rpartition("\n\n")[2].splitlines()[0]
    log = read_log(Path("game.json"))
    assert log.record is not None
    assert (log.players, log.person) == ((player,), (1,))
    told = piped("replay", "game.json").done().out
    assert end in told
    assert max(map(len, plain(seen).splitlines())) <= 80


def test_a_game_is_laid_out(piped: Piped) -> None:
    """The room, who stands in it, the party with what they have; options lead to spaces."""
    piped(*GAME, "--mice", "nez", "--out", "game.json", lines=FIRST)
    log = read_log(Path("game.json"))
    left = MiceMatch(evolve(log, decisions=log.decisions[:9], record=None))
    sitting = Sitting(left, "game.json")
    question, scene = sitting.question, left.scene()
    assert question is not None
    room, *party = scene.sides
    assert room.plan is not None
    assert room.words.startswith("The chapter is won when")
    names = [spot.name for spot in room.plan.spots]
    assert {choice.spot for choice in question.choices} - {""} <= {*names}
    moves = [choice for choice in question.choices if choice.text == "move to"]
    assert moves
    assert all(choice.spot == choice.item for choice in moves)
    letters = "".join(text for spot in room.plan.spots for text in spot.friends)
    assert sorted(letters) == ["C", "F", "N", "T"]
    [mine] = [side for side in party if side.is_own]
    assert mine.name.startswith("Nez Bellows, ")
    numbers, hurt = dict(mine.numbers), [line for line in left.glance() if "Nez Bellows:" in line]
    assert (numbers["Life"] == "4 of 4") == ("wound" not in hurt[0])
    [gear, abilities, _] = mine.areas
    assert [(piece.title, bool(piece.words)) for piece in gear.pieces] == [("Nez's Hammer", True)]
    assert [piece.number.isdigit() for piece in abilities.pieces] == [True]


def test_a_game_is_told_move_by_move(piped: Piped) -> None:
    """Every decision with its options; what the person saw briefly is among what is told."""
    piped(*GAME, "--mice", "nez", "--out", "game.json", lines=FIRST)
    log = read_log(Path("game.json"))
    *moments, last = tell_moments(MiceMatch(log), "game.json")
    assert len(moments) == len(log.decisions)
    for moment, (place, option) in zip(moments, log.decisions, strict=True):
        assert moment.move is not None
        assert moment.move.chosen == option
        side = moment.scene.sides[1 + place]
        assert moment.move.asked.startswith(side.name.partition(",")[0])
        assert side.is_own == (place in log.person)
    assert last.move is None
    assert [one.turn for one in moments] == sorted(one.turn for one in moments)
    told = {line.strip() for line in tell_game(MiceMatch(log), "game.json")}
    sitting = Sitting(MiceMatch(log), "game.json")
    moves = [one.move for one in moments if one.move]
    mine = {f"Nez Bellows: {one.options[one.chosen].text}." for one in moves}
    seen = {line.strip() for line in sitting.lines}
    assert len(seen & told) > 30
    assert seen & mine, "what the person decides is told where nobody has typed it"
    assert not any("+---" in line for line in sitting.lines)


def test_undo_has_the_same_luck(piped: Piped) -> None:
    """Whoever goes back and decides as before meets the same dice and companions."""
    game = [*GAME, "--player", "search:4", "--mice", "collin,nez,tilda"]
    piped(*game, "--out", "straight.json", lines=FIRST)
    wavering = ["1", "1", "undo", "1", "undo", "undo", "1", "1"] * 3
    piped(*game, "--out", "wavering.json", lines=[*wavering, *FIRST])
    straight, other = (read_log(Path(f"{name}.json")) for name in ("straight", "wavering"))
    assert straight.record == other.record
    assert straight.decisions == other.decisions
    assert (straight.taken_back, other.taken_back > 5) == (0, True)


def test_a_game_that_was_left_goes_on(piped: Piped) -> None:
    """By the end of input; what follows is what would have followed."""
    piped(*GAME, "--out", "whole.json", lines=FIRST)
    piped(*GAME, "--out", "parts.json", lines=["1"] * 30)
    out = piped("play", "parts.json", lines=FIRST)[1]
    assert read_log(Path("parts.json")) == read_log(Path("whole.json"))
    assert re.search(r"^Round \d+: page", out, re.MULTILINE)


def test_hints_thoughts_and_cards(piped: Piped) -> None:
    """What would be chosen, what the companions thought, and what an ability says."""
    lines = [*["1"] * 4, "hint", "1", "1", "thoughts", "table", "card protect", "quit"]
    _, out, _ = piped(*GAME, "--mice", "collin,filch", lines=lines)
    assert re.search(r"^search:100 would choose \d+, ", out, re.MULTILINE)
    assert re.search(
        r"^By how many percentage points each option changes the chance", out, re.MULTILINE
    )
    assert re.search(r"^ +0  .* ←$", out, re.MULTILINE)
    assert "equipped: Leather Breastplate and Collin's Sword; abilities: " in out.replace("\n", " ")
    assert "  [ability.protect]\n" in out
    assert "cheese, when mouse in same space attacked: the user is attacked instead" in out
    assert "confidence" not in out


def test_no_deck_is_shown(table: Table) -> None:
    """What is shown at decisions is the same in whatever order the hidden cards lie (M9)."""
    n_compared = 0

    def choose(game: Game) -> int:
        nonlocal n_compared
        shown, state = everything(), game.states[0]
        kept = state["deck"].copy(), state["events"].copy()
        for deck, first, end in (("deck",) * 3, ("events",) * 3):
            cards = state[deck][int(state[f"{first}_first"]) : int(state[f"{end}_end"])]
            n_compared += len(cards) > 1
            cards[:] = np.roll(cards, 1)
        assert everything() == shown
        state["deck"], state["events"] = kept
        return game.choose("learned", (1, n_compared))

    def everything() -> list[object]:
        return [seen.question(), seen.phrases(), *seen.glance(), *seen.table()]

    seen = Seen(Game(table, seed=4, to_decision=False), (0, 1, 2, 3), choose)
    assert len([*seen.tell()]) > 100
    assert n_compared > 50


def test_a_card_of_ones_own_comes_first(piped: Piped, table: Table) -> None:
    """--start-with finds the first game with it on top of its deck: card, encounter, minion."""
    Path("mine.toml").write_text(
        'game = "mice_and_mystics"\n[search_card.pea_shooter]\nname = "Pea Shooter"\n'
        'type = "weapon"\ncount = 1\npaws = 1\nattack = "ranged"\n'
        'effect = [{ op = "battle", delta = 1 }]\n'
    )
    game = ["play", f"{CHAPTER}+mine.toml", "--seed", "5", "--start-with", "pea shooter"]
    _, out, _ = piped(*game, "--out", "game.json", lines=["quit"])
    assert "the first deal with Pea Shooter on top of its deck" in out.replace("\n  ", " ")
    number = first_game_with(table, "toothpick", seed=5)
    state = Game(table, seed=5, game=number).state
    assert table.ids["cards"][int(state["deck"][int(state["deck_first"])])] == "toothpick"
    number = first_game_with(table, "spider", seed=5)
    state = Game(table, seed=5, game=number).state
    encounter = table.facts.encounters[int(state["events"][int(state["events_first"])])]
    assert "spider" in {group.type for group in encounter.bands[0].minions}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--mice", "collin,tilde"], "mouse in this party 'tilde'; did you mean 'tilda'?"),
        (["--mice", "maginos"], "there is no mouse in this party 'maginos'"),
        (["--mice", ""], "--mice"),
        (["--party", "all"], "name the heroes of one party"),
        (["--player", "serch:4"], "--player: unknown player 'serch:4'; did you mean 'search'?"),
        (["--start-with", "dagger"], "is on top of no deck"),
        (["--start-with", "nez"], "nez is a hero, who is met in a party"),
        (["--start-with", "protect"], "which you choose at the beginning"),
        (["--start-with", "toothpik"], "did you mean 'toothpick'?"),
        (["--seat", "1"], "--seat is an option of Mindbug"),
    ],
)
def test_what_cannot_be_played(arguments: list[str], message: str, piped: Piped) -> None:
    """One message, status 2, and nothing is written."""
    piped(*GAME, *arguments).refused_at_once(message)


def test_a_log_of_another_party_is_no_game(piped: Piped) -> None:
    """Places that there are not are refused when the file is opened."""
    piped(*GAME, "--out", "game.json", lines=["1"])
    log = read_log(Path("game.json"))
    assert tell_game(MiceMatch(log), "game.json")
    import attrs

    with pytest.raises(ValueError, match="one or more of the mice"):
        MiceMatch(attrs.evolve(log, person=(7,)))
