"""Positions that are set up by hand: what lies where, checked, and laid out in a state."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from attrs import frozen

from simcore.jit import cached_kernel
from simcore.mindbug.rules.evolution import _show
from simcore.mindbug.rules.hands import _refill
from simcore.mindbug.rules.life import MAX_LIFE
from simcore.mindbug.rules.new_game import _place_cards
from simcore.mindbug.rules.power_cards import _show_cards
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.state import DEALING, IN_DISCARD, MAX_SLOTS, Phase

MAX_MINDBUGS = 99


@cached_kernel
def _refill_hands(tables, states):
    """Refill both hands, as R27 is a state check.  Modifies states[0]."""
    _refill(states[0], tables[0], 0)
    _refill(states[0], tables[0], 1)


@cached_kernel
def _show_power_cards(states):
    """Show the first power cards of the deck (R10).  Modifies states[0]."""
    _show_cards(states[0])


@cached_kernel
def _turn_card(tables, states, slot, face):
    """Show another face of the card in a slot.  Modifies states[0]."""
    _show(states[0], tables[0], slot, face)


_ZONES = {"play": "play_area", "hand": "hand", "draw": "draw_pile", "discard": "discard_pile"}


@frozen
class Creature:
    """A creature in play in a position that is set up by hand.

    ``card_id`` may be that of a later stage (R101); ``boosts`` are the cards under it (R103);
    ``profile`` is the number of the profile chosen when it was exhausted (C45).
    """

    card_id: str
    exhausted: bool = False
    boosts: tuple[str, ...] = ()
    profile: int | None = None


@frozen
class Side:
    """What one player has in a position that is set up by hand; cards are card ids."""

    play: Sequence[Creature] = ()
    hand: Sequence[str] = ()
    draw: Sequence[str] = ()
    discard: Sequence[str] = ()
    life: int = 3
    mindbugs: int = 0
    energy: int = 0


@frozen
class Placed:
    """One card of a position: its row in the card table and where it lies.

    ``host`` is the slot of the creature over a boost card, -1 for every other card.
    """

    row: int
    player: int
    zone: str
    host: int = -1


def _place(table: CardTable, sides: Sequence[Side], unused: Sequence[str]) -> list[Placed]:
    """The cards of a position in the order of their slots."""
    if len(sides) != 2:
        raise ValueError(f"a position has {len(sides)} sides; there are two players")
    rows = {card.card_id: i for i, card in enumerate(table.cards)}

    def row(card_id: str) -> int:
        if card_id not in rows:
            raise ValueError(f"{card_id!r} is not a card of this table")
        return rows[card_id]

    placed: list[Placed] = []
    boosts: list[Placed] = []
    for player, side in enumerate(sides):
        for creature in side.play:
            boosts += [Placed(row(card), player, "boost", len(placed)) for card in creature.boosts]
            placed.append(Placed(row(creature.card_id), player, "play"))
        for zone in ("hand", "draw", "discard"):
            placed += [Placed(row(card), player, zone) for card in getattr(side, zone)]
    placed += boosts
    placed += [Placed(row(card), -1, "unused") for card in unused]
    if len(placed) > MAX_SLOTS:
        raise ValueError(f"a position holds at most {MAX_SLOTS} cards, not {len(placed)}")
    return placed


def _check_position(sides: Sequence[Side], active: int, n_shown: int, n_power_cards: int) -> None:
    """Refuse what cannot be on a table."""
    if active not in (0, 1):
        raise ValueError(f"active is {active}; it must be 0 or 1")
    for side in sides:
        if not 1 <= side.life <= MAX_LIFE:
            raise ValueError(f"life is {side.life}; it must be 1 or more")
        if not 0 <= side.mindbugs <= MAX_MINDBUGS:
            raise ValueError(f"mindbugs is {side.mindbugs}; it must be 0 to {MAX_MINDBUGS}")
        if side.energy < 0:
            raise ValueError(f"energy is {side.energy}; it must be 0 or more")
    if n_shown > n_power_cards:
        raise ValueError(f"there are {n_shown} power cards in the deck; the table has none such")


def set_up(
    states: npt.NDArray[np.void],
    table: CardTable,
    sides: Sequence[Side],
    *,
    active: int,
    unused: Sequence[str],
    power_deck: Sequence[int],
    seed: int,
) -> None:
    """Lay out a position in states[0], at the start of a turn; see `Game.from_position`.

    Raises ValueError for what cannot be on a table.
    """
    placed = _place(table, sides, unused)
    _check_position(sides, active, len(power_deck), len(table.power_cards))
    rows = table.rows[0]["cards"]["first_face"][[card.row for card in placed]]
    dealings = np.zeros(1, DEALING)
    _place_cards(table.rows, np.int64(seed), states, dealings, rows.astype(np.uint16))
    _lay_out(states, table, placed, sides)
    state = states[0]
    state["power_deck_size"] = state["power_deck_known"] = len(power_deck)
    state["power_deck"][: len(power_deck)] = power_deck
    state["active"] = state["first_player"] = active
    state["phase"] = int(Phase.START_TURN)
    _show_power_cards(states)
    _refill_hands(table.rows, states)


def _lay_out(
    states: npt.NDArray[np.void],
    table: CardTable,
    placed: Sequence[Placed],
    sides: Sequence[Side],
) -> None:
    """Put the cards of a position where they lie, in the state they are in."""
    state = states[0]
    for slot, card in enumerate(placed):
        if card.zone == "boost":
            state["boosts"] |= np.uint64(1 << slot)
            state["host"][slot] = card.host
            state["modified"] = 1
        elif card.zone == "unused":
            state["unused"] |= np.uint64(1 << slot)
        else:
            state[_ZONES[card.zone]][card.player] |= np.uint64(1 << slot)
    piles = np.bitwise_or.reduce(state["discard_pile"])
    state["at_work_in_piles"] = state["trait"][IN_DISCARD] & piles
    for player, side in enumerate(sides):
        in_play = [
            s for s, card in enumerate(placed) if (card.player, card.zone) == (player, "play")
        ]
        for slot, creature in zip(in_play, side.play, strict=True):
            face = _face(table, placed[slot].row, creature)
            if face != int(state["card"][slot]):
                _turn_card(table.rows, states, np.int64(slot), np.int64(face))
            if creature.exhausted:
                state["exhausted"] |= np.uint64(1 << slot)
        state["life"][player] = side.life
        state["mindbugs"][player] = side.mindbugs
        state["energy"][player] = side.energy


def _face(table: CardTable, row: int, creature: Creature) -> int:
    """Row of the face that a creature of a position shows."""
    if creature.profile is None:
        return row
    profiles = table.profiles(row)
    if not 0 <= creature.profile < len(profiles):
        raise ValueError(f"{creature.card_id!r} has no profile {creature.profile}")
    return profiles[creature.profile]
