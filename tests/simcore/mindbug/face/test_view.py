"""Players who are functions: what they are shown, and that they play as kernels do."""

import random
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from numba import njit

from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug import (
    CardTable,
    Decision,
    Game,
    Place,
    View,
    Word,
    card_number,
    own_player,
    play_games,
    random_below,
)
from simcore.mindbug.face.own_players import SeenCard, SeenOption, _show, see
from simcore.mindbug.players.seats import OWN_SEATS
from simcore.mindbug.table.state import GAME_STATE
from simcore.own_code import OwnCodeError
from simcore.own_seats import BY_PYTHON
from support.fast_game import FastGame, card_table
from support.lockstep import alike_but_for_hidden, random_position


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

    OWN_SEATS.seat(f"{policy}.py:ask", ask)
    return f"{policy}.py:ask"


@pytest.mark.parametrize("pool", [("first_contact",), None], ids=["first_contact", "all sets"])
def test_functions_play_as_kernels_do(
    pool: tuple[str, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function that decides as a kernel does plays the same games, byte for byte (R121)."""
    monkeypatch.setattr(OWN_SEATS, "seated", {})
    table = card_table() if pool is None else card_table(sets=pool)
    for kernels in (("random", "random"), ("heuristic", "random"), ("learned", "expert")):
        played = play_games(table, n_games=12, seed=3, policies=kernels)
        one, other = (as_kernel(policy) for policy in kernels)
        for players in ((one, other), (one, kernels[1]), (kernels[0], other)):
            again = play_games(table, n_games=12, seed=3, policies=players)
            assert again.tobytes() == played.tobytes()


def test_functions_see_nothing_hidden() -> None:
    """R4: other cards in hidden places change nothing that a function is shown."""
    compared = 0
    for one, other in alike_but_for_hidden(200):
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


@njit
def carefully(seen):
    """Blocks with the strongest creature, keeps Mindbugs for power 7 and more, else at random."""
    if seen.decision == Decision.BLOCK:
        best, power = 0, -1
        for number in range(seen.n_options):
            card = seen.options[number].card
            if card >= 0 and seen.cards[card].power > power:
                best, power = number, seen.cards[card].power
        return best
    if seen.decision == Decision.MINDBUG:
        for place in range(seen.n_cards):
            if seen.cards[place].place == Place.SHOWN:
                return int(seen.cards[place].power >= 7)
    return random_below(seen, seen.n_options)


def shown_to(game: Game) -> np.void:
    """What a compiled function is shown of a game."""
    states = np.zeros(1, GAME_STATE)
    states[0] = game._states[0]
    return _show(game.table, states)


def test_compiled_functions_are_shown_what_others_are() -> None:
    """The record says of every card, option and number what the view in Python says."""
    table = card_table(kot_parts=True)
    ids = [face.card_id for face in table.faces] + [card.card_id for card in table.power_cards]
    names = {card_number(card_id): card_id for card_id in ids}
    words = set()
    for number in range(150):
        rng = random.Random(number)
        game = FastGame.from_position(random_position(rng, table), table=table, seed=number).game
        for _ in range(12):
            if game.over:
                break
            seen, record = see(game, Random(0)), shown_to(game)
            cards = [_card(one, names) for one in record["cards"][: record["n_cards"]]]
            for place, there in (
                (Place.HAND, seen.you.hand),
                (Place.YOUR_CREATURES, seen.you.creatures),
                (Place.THEIR_CREATURES, seen.opponent.creatures),
                (Place.YOUR_DISCARD_PILE, seen.you.discard_pile),
                (Place.THEIR_DISCARD_PILE, seen.opponent.discard_pile),
            ):
                looks = [_looks(card) for card in there]
                assert sorted(card[:4] for card in cards if card[4] == place) == sorted(looks)
            for field in ("life", "mindbugs", "energy", "hand_size", "draw_pile"):
                both = [getattr(seen.you, field), getattr(seen.opponent, field)]
                assert record[field].tolist() == both
            assert (record["turn"], record["your_turn"]) == (seen.turn, seen.your_turn)
            assert Decision(int(record["decision"])).name.lower() == seen.decision
            attacker = int(record["attacker"])
            assert (attacker >= 0) == (seen.attacker is not None)
            if seen.attacker is not None:
                assert cards[attacker][:4] == _looks(seen.attacker)
            assert record["n_options"] == len(seen.options)
            for option, offered in zip(record["options"], seen.options, strict=False):
                words.add(offered.word)
                assert Word(int(option["word"])).name.lower() == offered.word
                for field, card in (("card", offered.card), ("other", offered.other)):
                    at = int(option[field])
                    assert (cards[at][:4] if at >= 0 else None) == (card and _looks(card))
                assert _number(int(option["number"]), offered, names)
            game.step(rng.randrange(len(seen.options)))
    assert {"play", "attack", "block", "hunt", "use", "target", "buy", "resolve"} <= words


def _card(card: np.void, names: dict[int, str]) -> tuple[str, int, tuple[str, ...], bool, int]:
    """A card of a record, with its place behind what it looks like."""
    keywords = tuple(k.name for k in Keyword if int(card["keywords"]) >> k & 1)
    looks = names[int(card["card"])], int(card["power"]), tuple(sorted(keywords))
    return *looks, bool(card["exhausted"]), int(card["place"])


def _looks(card: SeenCard) -> tuple[str, int, tuple[str, ...], bool]:
    """What a card looks like."""
    return card.card_id, card.power, card.keywords, card.exhausted


def _number(number: int, option: SeenOption, names: dict[int, str]) -> bool:
    """Whether a number of a record says what an option does."""
    if option.power_card is not None:
        return names[number] == option.power_card.card_id
    if option.keyword:
        return Keyword(number).name == option.keyword
    return number == option.number


def test_compiled_functions_see_nothing_hidden() -> None:
    """R4: other cards in hidden places change no byte of what a compiled function is shown."""
    compared = 0
    for one, other in alike_but_for_hidden(200):
        assert shown_to(one).tobytes() == shown_to(other).tobytes()
        compared += 1
    assert compared > 130


@pytest.mark.parametrize("pool", [("first_contact",), None], ids=["first_contact", "all sets"])
def test_compiled_functions_play_as_if_python_asked(
    pool: tuple[str, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Called where its code lies, a function plays the games that it plays when Python asks it."""
    monkeypatch.setattr(OWN_SEATS, "seated", {})
    table = card_table() if pool is None else card_table(sets=pool)
    me = own_player(carefully)
    players = ((me, me), (me, "learned"))
    compiled = [play_games(table, n_games=40, seed=3, policies=both) for both in players]
    assert OWN_SEATS.seated[me].address != BY_PYTHON
    OWN_SEATS.seat(me, OWN_SEATS.seated[me].chooser)
    asked = [play_games(table, n_games=40, seed=3, policies=both) for both in players]
    assert [one.tobytes() for one in compiled] == [one.tobytes() for one in asked]


@njit
def breaks(seen):
    """Fails on a later turn."""
    if seen.turn >= 3:
        raise ValueError("no idea")
    return 0


@njit
def exceeds(seen):
    """Names an option that is not there."""
    return seen.n_options


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (breaks, r"breaks in game 7, turn \d+ \(\w+\): ValueError: no idea"),
        (exceeds, r"exceeds in game 7, turn \d+ \(\w+\) chose option (\d+); options are 0 to \d+$"),
    ],
)
def test_faults_of_compiled_functions_are_told(function, message: str) -> None:
    """An exception or an illegal answer of compiled code is told as that of any function."""
    me = own_player(function)
    with pytest.raises(OwnCodeError, match=message):
        play_games(card_table(sets=("first_contact",)), n_games=1, first_game=7, policies=(me, me))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("return seen.lives", r"mine.py:me cannot be compiled: what it is shown has no 'lives'"),
        ("return 0.5", r"mine.py:me cannot be compiled: it returns float64; return the number"),
    ],
)
def test_functions_that_cannot_be_compiled(tmp_path: Path, code: str, message: str) -> None:
    """What Numba cannot compile, or what is no number of an option, is refused by name."""
    (tmp_path / "mine.py").write_text(
        f"from numba import njit\n\n@njit\ndef me(seen):\n    {code}\n"
    )
    with pytest.raises(OwnCodeError, match=f"(?s){message}"):
        own_player(f"{tmp_path}/mine.py:me")


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
