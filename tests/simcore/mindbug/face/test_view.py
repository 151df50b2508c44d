"""Players who are functions: what they are shown, and that they play as kernels do."""

from __future__ import annotations

import random
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from simcore.mindbug import CardTable, Game, View, own_player, play_games
from simcore.mindbug.face.own_players import see
from simcore.mindbug.players.own import seat_function
from simcore.own_code import OwnCodeError
from support.fast_game import FastGame, card_table
from support.lockstep import random_position
from support.positions import hidden_anew


def at_random(seen: View) -> int:
    """Any option."""
    return seen.random.randrange(len(seen.options))


def as_kernel(policy: str) -> str:
    """A function that asks a kernel at each decision, and draws that player's numbers."""

    def ask(table: CardTable, states: npt.NDArray[np.void]) -> int:
        game = Game.looking_at(table, states)
        option = game.choose(policy)
        states[0]["streams"] = game._states[0]["streams"]
        return option

    seat_function(f"{policy}.py:ask", ask)
    return f"{policy}.py:ask"


@pytest.mark.parametrize("pool", [("first_contact",), None], ids=["first_contact", "all sets"])
def test_functions_play_as_kernels_do(
    pool: tuple[str, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function that decides as a kernel does plays the same games, byte for byte (R121)."""
    monkeypatch.setattr("simcore.mindbug.players.own._choosers", {})
    table = card_table() if pool is None else card_table(sets=pool)
    for kernels in (("random", "random"), ("heuristic", "random"), ("learned", "expert")):
        played = play_games(table, n_games=12, seed=3, policies=kernels)
        one, other = (as_kernel(policy) for policy in kernels)
        for players in ((one, other), (one, kernels[1]), (kernels[0], other)):
            again = play_games(table, n_games=12, seed=3, policies=players)
            assert again.tobytes() == played.tobytes()


def test_functions_see_nothing_hidden() -> None:
    """R4: other cards in hidden places change nothing that a function is shown."""
    table = card_table()
    deck = [card.card_id for card in table.cards if card.stage == 1]
    compared = 0
    for number in range(200):
        rng = random.Random(number)
        position = random_position(rng, table)
        for side in (position.alice, position.bob):  # a full hand: no refill changes it
            side.hand = (side.hand + ["gorillion"] * 5)[:5]
        one = FastGame.from_position(position, table=table, seed=number).game
        hidden = hidden_anew(rng, position, deck)
        other = FastGame.from_position(hidden, table=table, seed=number).game
        if not one.over and one.options == other.options:
            assert see(one, Random(0)) == see(other, Random(0))
            compared += 1
    assert compared > 130


def test_what_is_seen_is_the_position() -> None:
    """Life, cards and options are those of the game, and options name the cards in their zones."""
    table = card_table(kot_parts=True)
    words = set()
    for number in range(150):
        rng = random.Random(number)
        game = FastGame.from_position(random_position(rng, table), table=table, seed=number).game
        for _ in range(12):
            if game.over:
                break
            seen, now = see(game, Random(0)), game.snapshot()
            you = now["players"][game.decider]
            assert seen.decision == game.decision.name.lower()
            assert (seen.you.life, seen.you.mindbugs) == (you["life"], you["mindbugs"])
            assert [card.name for card in seen.you.hand] == [
                game.card(slot).name for slot in you["hand"]
            ]
            assert seen.opponent.hand == ()
            assert sorted(c.power for c in seen.you.creatures) == sorted(
                now["creatures"][slot]["power"] for slot in you["play"]
            )
            for option, offered in zip(seen.options, game.options, strict=True):
                words.add(option.word)
                assert option.word == offered.word
                if option.word == "play" and option.card:  # and not "play or keep"
                    assert any(option.card is card for card in seen.you.hand)
                if option.word in ("attack", "block", "activate"):
                    assert any(option.card is card for card in seen.you.creatures)
                if option.word == "hunt":
                    assert any(option.card is card for card in seen.opponent.creatures)
                if option.word == "buy":
                    assert option.power_card in seen.power_cards
            game.step(rng.randrange(len(seen.options)))
    assert {"play", "attack", "block", "hunt", "activate", "use", "target", "buy"} <= words


def test_games_with_functions_are_the_same_again() -> None:
    """The same seed gives the same games in any batch, and `Game` plays them too."""
    me = own_player(at_random)
    table = card_table(sets=("first_contact",))
    played = play_games(table, n_games=6, seed=5, policies=(me, "random"))
    assert len({*played["turns"].tolist()}) > 1
    later = play_games(table, n_games=3, first_game=3, seed=5, policies=(me, "random"))
    assert later.tobytes() == played[3:].tobytes()
    game = Game(table, seed=5, game=4)
    while not game.over:
        game.step(game.choose((me, "random")[game.decider]))
    assert game.record() == played[4]


def fails(seen: View) -> int:
    """Fails on a later turn."""
    return 0 if seen.turn < 3 else 1 // 0


def says_nothing(seen: View) -> None:
    """Forgets to return."""


def says_too_much(seen: View) -> int:
    """Names an option that is not there."""
    return len(seen.options)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (fails, r"fails in game 7, turn [34] \(\w+\): ZeroDivisionError: .* \(line \d+\)$"),
        (says_nothing, r"says_nothing in game 7, turn \d+ \(\w+\) chose None; return the number"),
        (says_too_much, r"in game 7, turn \d+ \(\w+\) chose option (\d+); options are 0 to \d+$"),
    ],
)
def test_faults_of_functions_are_told(function, message: str) -> None:
    """An exception or an illegal answer is one message with the game, the turn and the decision."""
    me = own_player(function)
    with pytest.raises(OwnCodeError, match=message):
        play_games(card_table(sets=("first_contact",)), n_games=1, first_game=7, policies=(me, me))


def test_a_player_who_was_not_named_does_not_play(tmp_path: Path) -> None:
    """`play_games` runs no file because a text names it."""
    (tmp_path / "mine.py").write_text("raise SystemExit('it ran')")
    me = f"{tmp_path}/mine.py:me"
    with pytest.raises(OwnCodeError, match="only where you name it"):
        play_games(card_table(sets=("first_contact",)), n_games=1, policies=(me, me))
