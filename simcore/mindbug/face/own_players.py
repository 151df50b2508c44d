"""What a player of a person's own is shown, and how a function becomes a player.

A function takes `View` and returns the number of an option.  It is shown what a player may know
(R4) and nothing else: the opponent's hand, the draw piles, the unused pile and the power deck are
numbers of cards.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import field, frozen
from numba import NumbaError
from numba.extending import is_jitted

from card_data.mindbug.schema import Card, PowerCard
from simcore.jit import cached_kernel
from simcore.mindbug.face.game import Game
from simcore.mindbug.face.observation import shown_slots
from simcore.mindbug.face.options import Option
from simcore.mindbug.play.own_view import SIGHT, compile_function, names_of, show
from simcore.mindbug.players.seats import OWN_SEATS
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.state import Decision
from simcore.own_code import OwnCode, OwnCodeError, use
from simcore.own_seats import choose
from simcore.random_streams import CHOICE, _random_below

_BITS = np.int64(1 << 32)
_ATTACK_GOES_ON = (Decision.HUNT, Decision.BLOCK, Decision.SECOND_ATTACK)


@cached_kernel
def _draw(states, player, below):
    """The next private number of a player.  Modifies the streams of states[0]."""
    return _random_below(states[0].streams, CHOICE + player, below)


@frozen
class SeenCard:
    """A card that the player sees: as it is printed, or as it is in play.

    ``card`` is the face that is up, with its name and abilities.  ``power`` and ``keywords`` are
    those of the moment; ``boosts`` are the cards under a creature.
    """

    card: Card
    power: int
    keywords: tuple[str, ...]
    exhausted: bool = False
    boosts: tuple[Card, ...] = ()

    @property
    def card_id(self) -> str:
        """The id of the card."""
        return self.card.card_id

    @property
    def name(self) -> str:
        """The name of the card."""
        return self.card.name


@frozen
class SeenOption:
    """An option: ``word`` says what is done, as in `simcore.mindbug.Option`.

    ``card`` is the card that it names, the same object as in a hand or in play, and ``other`` the
    second creature of a pair; None for no card, and for one that the player does not see.
    ``number`` is a mode, a player (pile) or a die, else -1; ``power_card`` what is bought,
    ``keyword`` a keyword that is named.
    """

    word: str
    card: SeenCard | None = None
    other: SeenCard | None = None
    number: int = -1
    power_card: PowerCard | None = None
    keyword: str = ""


@frozen
class SeenSide:
    """What a player has, as far as the one who decides may know; the opponent's ``hand`` is ()."""

    life: int
    mindbugs: int
    energy: int
    hand_size: int
    draw_pile: int
    creatures: tuple[SeenCard, ...]
    discard_pile: tuple[SeenCard, ...]
    hand: tuple[SeenCard, ...] = ()


@frozen
class View:
    """What the player who decides may know (R4), and what they may do.

    ``decision`` is the decision point in small letters: "action", "mindbug", "hunt", "block" …
    The function returns the place of one of ``options``.  ``shown`` are cards on the table that lie
    nowhere yet, such as the one being played, and ``attacker`` is the creature whose attack is
    going on.  ``power_cards`` can be bought.  ``random`` draws numbers that are the same whenever
    this game is played again: use no others.
    """

    decision: str
    options: tuple[SeenOption, ...]
    turn: int
    your_turn: bool
    you: SeenSide
    opponent: SeenSide
    shown: tuple[SeenCard, ...]
    attacker: SeenCard | None
    power_cards: tuple[PowerCard, ...]
    random: Random = field(eq=False, repr=False)


def own_player(code: str | Callable[[Any], int]) -> str:
    """Let a function of a person's own play in this process; how the player is spelled.

    Parameters
    ----------
    code
        ``FILE.py:FUNCTION``, whose file is run, or a function.  It takes `View` and returns the
        number of an option.  One that Numba has jitted takes `SEEN`, and is compiled here.  For the
        same position it has to decide the same; chance comes from ``View.random``, or
        `random_below`.

    Returns
    -------
    str
        What stands for the player wherever players are named: ``play_run(…, policy=…)``.

    Raises
    ------
    OwnCodeError
        When there is no such file or function, or the file cannot be run or compiled.
    """
    own = use(code)
    if not is_jitted(own.function):
        OWN_SEATS.seat(own.text, lambda table, states: _ask(own, table, states, _look))
        return own.text
    try:
        address = compile_function(own.function)
    except (NumbaError, TypeError) as error:
        raise OwnCodeError(f"{own.text} cannot be compiled: {error}") from error
    OWN_SEATS.seat(own.text, lambda table, states: _ask(own, table, states, _show), address)
    return own.text


def see(game: Game, dice: Random) -> View:
    """What the player who decides in a game may know."""
    position, details, decider = game.snapshot(), game.details(), game.decider
    options = game.options
    sides = position["players"][decider], position["players"][1 - decider]
    shown = sorted(shown_slots(game, options, position, details) | {*position["set_aside"]})
    hidden = {*sides[0]["draw"], *sides[1]["draw"], *sides[1]["hand"], *details["unused"]}
    lying = [*sides[0]["hand"], *sides[0]["discard"], *sides[1]["discard"], *shown]
    cards = {slot: _printed(game.card(slot)) for slot in lying}
    cards |= {slot: _in_play(game, slot, one) for slot, one in position["creatures"].items()}
    for creature in position["creatures"].values():
        cards |= {slot: _printed(game.card(slot)) for slot in creature["boosts"]}
    attacker = game.fight[0] if game.decision in _ATTACK_GOES_ON else -1
    power_cards = game.table.power_cards
    return View(
        game.decision.name.lower(),
        tuple(_option(option, cards, decider, power_cards) for option in options),
        position["turn"],
        position["active"] == decider,
        _side(sides[0], cards, own=True),
        _side(sides[1], cards, own=False),
        tuple(cards[slot] for slot in shown if slot not in hidden),
        cards.get(attacker),
        tuple(power_cards[number] for number in position["display"]),
        dice,
    )


def _printed(card: Card) -> SeenCard:
    """A card that is not in play."""
    return SeenCard(card, card.power, tuple(sorted(keyword.name for keyword in card.keywords)))


def _in_play(game: Game, slot: int, now: Mapping[str, Any]) -> SeenCard:
    """A creature, as `Game.snapshot` has it."""
    boosts = tuple(game.card(boost) for boost in now["boosts"])
    return SeenCard(game.card(slot), now["power"], (*now["keywords"],), now["exhausted"], boosts)


def _side(side: Mapping[str, Any], cards: Mapping[int, SeenCard], *, own: bool) -> SeenSide:
    """What one player has, in an order that says nothing of how their cards were dealt."""
    creatures = [cards[slot] for slot in side["play"]]
    return SeenSide(
        side["life"],
        side["mindbugs"],
        side["energy"],
        len(side["hand"]),
        len(side["draw"]),
        tuple(sorted(creatures, key=lambda one: (one.card_id, one.power, one.exhausted))),
        tuple(sorted((cards[slot] for slot in side["discard"]), key=lambda one: one.card_id)),
        tuple(cards[slot] for slot in side["hand"]) if own else (),
    )


def _option(
    option: Option, cards: Mapping[int, SeenCard], decider: int, power_cards: tuple[PowerCard, ...]
) -> SeenOption:
    """An option in the eyes of the player who decides; their own pile is 0."""
    bought = power_cards[option.number] if option.word == "buy" else None
    number = -1 if bought else option.number
    return SeenOption(
        option.word,
        cards.get(option.slot),
        cards.get(option.other),
        int(number != decider) if option.word == "pile" else number,
        bought,
        option.keyword.name if option.keyword is not None else "",
    )


def _look(table: CardTable, states: npt.NDArray[np.void]) -> View:
    """What a function is shown in states[0].  Modifies its private numbers."""
    game = Game.looking_at(table, states)
    return see(game, Random(int(_draw(states, game.decider, _BITS))))


def _show(table: CardTable, states: npt.NDArray[np.void]) -> np.void:
    """What a compiled function is shown in states[0], a record of SEEN.  Modifies states."""
    sights = np.zeros(1, SIGHT)
    show(states, table.rows, names_of(table), sights)
    seen: np.void = sights[0]["seen"]
    return seen


def _ask(
    own: OwnCode,
    table: CardTable,
    states: npt.NDArray[np.void],
    shown: Callable[[CardTable, npt.NDArray[np.void]], Any],
) -> int:
    """What a function chooses in states[0], of which it is ``shown`` what that gives; checked.

    Modifies the private numbers of states[0].  Raises OwnCodeError.
    """
    state = states[0]
    decision = Decision(int(state["decision"])).name.lower()
    where = f"game {int(state['game'])}, turn {int(state['turn'])} ({decision})"
    return choose(own, shown(table, states), int(state["n_options"]), where)
