"""A game told to one player names nothing that R4 hides from them, and speaks to them."""

import random
import re
from collections.abc import Iterator, Sequence

import pytest
from attrs import evolve

from card_data.mindbug import available_sets, load_pool
from card_data.mindbug.schema import Pool
from simcore.mindbug import CardTable, Creature, Game, Side, compile_cards
from simcore.mindbug.face import replay_text as words
from simcore.mindbug.face.game import first_game_with
from simcore.mindbug.face.laid_out import laid_out
from simcore.mindbug.face.replay_text import addressed, named
from simcore.mindbug.face.seen import Seen
from support.hidden import hidden_and_open


def single_cards(sets: Sequence[str]) -> Pool:
    """Sets with one copy of each card, so that a name says which card it is."""
    pool = load_pool(sets)
    changed = tuple(
        evolve(one, cards=tuple(evolve(card, copies=min(card.copies, 1)) for card in one.cards))
        for one in pool.sets
    )
    return evolve(pool, sets=changed)


def watched(table: CardTable, number: int) -> int:
    """Play a game at random as one player sees it; how often a hidden card could have been named.

    Fails where one is named that the player has not seen before.
    """
    seat, chance, n_hidden = number % 2, random.Random(number), 0
    known: set[str] = set()

    def check(text: str) -> None:
        nonlocal n_hidden
        hidden, lies_open = hidden_and_open(game, seat)
        known.update(lies_open)
        n_hidden += len(hidden - known)
        told = [name for name in hidden - known if re.search(rf"\b{re.escape(name)}\b", text)]
        assert told == [], text

    def choose(game: Game) -> int:
        offers = seen.offers()
        texts = [offer.text for offer in offers]
        laid = laid_out(seen)
        check("\n".join([seen.question(), *seen.glance(), *seen.table(), *texts, str(laid)]))
        hands = [len(side.hand) + side.face_down for side in laid.sides]
        assert hands == [len(game.hand(player)) for player in (0, 1)]
        assert laid.sides[seat].face_down == 0
        if game.decider == seat:
            assert not any(offer.hidden for offer in offers)
        return chance.randrange(len(offers))

    game = Game(table, seed=11, game=number, to_decision=False)
    seen = Seen(game, seat, choose)
    for line in seen.tell():
        check(line)
    return n_hidden


@pytest.mark.parametrize("sets", [["first_contact"], available_sets()], ids=["one", "all"])
def test_nothing_hidden_is_named(sets: list[str]) -> None:
    """R4: no line, question, option, table or layout names a card before the player has seen it."""
    pool = single_cards(sets)
    table = compile_cards(pool.sets, pool.modes)
    assert sum(watched(table, number) for number in range(3)) > 1000


def told_at_first(hands: Sequence[Sequence[str]], draws: Sequence[Sequence[str]]) -> list[str]:
    """All that player 0 is shown at their first decision of a position."""
    pool = load_pool(["first_contact"])
    sides = [
        Side(
            play=[Creature("killer_bee")],
            hand=hand,
            draw=draw,
            discard=["gorillion"] if player else ["killer_bee"],
            mindbugs=1,
        )
        for player, (hand, draw) in enumerate(zip(hands, draws, strict=True))
    ]
    game = Game.from_position(
        compile_cards(pool.sets, pool.modes), sides, active=1, to_decision=False
    )
    shown: list[str] = []

    class Stopped(Exception):
        pass

    def choose(game: Game) -> int:
        if game.decider == 1:
            attacks = [n for n, option in enumerate(game.options) if option.word == "attack"]
            return (attacks or [0])[0]
        shown.extend([seen.question(), *seen.glance(), *seen.table()])
        shown.extend(offer.text for offer in seen.offers())
        raise Stopped

    def lines() -> Iterator[str]:
        try:
            yield from seen.tell()
        except Stopped:
            return

    seen = Seen(game, 0, choose)
    return [*lines(), *shown]


def test_numbers_of_copies_tell_nothing_hidden() -> None:
    """R4: what is shown is the same whatever hidden cards are, copies of seen ones among them."""
    own = ["luchataur", "rhino_turtle", "rhino_turtle", "bee_bear", "lone_yeti"]
    first = told_at_first(
        [own, ["luchataur", "killer_bee", "bee_bear", "gorillion", "turbo_bug"]],
        [["killer_bee", "turbo_bug"], ["rhino_turtle", "luchataur"]],
    )
    second = told_at_first(
        [own, ["axolotl_healer", "spider_owl", "shark_dog", "snail_hydra", "brain_fly"]],
        [["spider_owl", "snail_thrower"], ["plated_scorpion", "gorillion"]],
    )
    assert first == second
    assert any("Rhino Turtle #2" in line for line in first)


@pytest.mark.parametrize(
    "template", [*words.MOVES.values(), *words.SPECIAL_MOVES.values(), *words.ENDINGS.values()]
)
@pytest.mark.parametrize("seat", [0, 1])
def test_the_player_is_spoken_to(template: str, seat: int) -> None:
    """No line of a story keeps a number in place of "you" or "the opponent", or a verb in -s."""
    fields = {"cards": "Bee Bear", "s": "s", "es": "es", "turn": 3, "source": "Bee Bear"}
    for one, other in ((0, 1), (1, 0)):
        line = addressed(template.format(of=one, to=other, loser=one, **fields), seat)
        assert not re.search(r"[Pp]layer \d", line)
        assert not re.search(r"\b[Yy]ou \w+s\b", line), line


def test_whose_turn_it_is_is_told_as_at_the_table() -> None:
    """The head of a turn says "yours" or "the opponent's", as `Seen` does."""
    for head, whose in (("Turn 4: player 1", "yours"), ("Turn 4: player 0", "the opponent's")):
        assert addressed(f"{head} (extra turn)", 1) == f"Turn 4, {whose} (extra turn)"


def test_a_story_has_names_for_its_players() -> None:
    """A name begins a sentence as the number did, and no number is left."""
    names = ["the second player", "the first player"]
    assert named("Player 1 wins: player 0 has no life left.", names) == (
        "The first player wins: the second player has no life left."
    )
    assert named("  ? Player 0 may block: do not block", names) == (
        "  ? The second player may block: do not block"
    )


def test_a_deal_with_a_card_is_found() -> None:
    """It is the first of the seed, and the card is in that player's hand; none is an error."""
    pool = load_pool(["first_contact"])
    table = compile_cards(pool.sets, pool.modes)
    for seat in (0, 1):
        number = first_game_with(table, "bee_bear", seat=seat, seed=5)
        holds = [
            "bee_bear" in {card.card_id for card in Game(table, seed=5, game=n).hand(seat)}
            for n in range(number)
        ]
        assert not any(holds)
        game = Game(table, seed=5, game=number, to_decision=False)
        assert "bee_bear" in {card.card_id for card in game.hand(seat)}
    with pytest.raises(ValueError, match="no player begins with 'dodo'"):
        first_game_with(table, "dodo", seat=0, seed=5)
