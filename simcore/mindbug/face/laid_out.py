"""Where a game stands as players would lay it out: what lies where, and what it says."""

from collections.abc import Iterable
from typing import NamedTuple

from card_data.mindbug.language.rules_text import rules_text
from simcore.mindbug.face import replay_text as words
from simcore.mindbug.face.observation import ATTACK_GOES_ON
from simcore.mindbug.face.replay import _Narrator


class LaidCard(NamedTuple):
    """A card that lies face up: in play with the power, keywords and marks of the moment."""

    name: str
    power: int
    keywords: tuple[str, ...]
    marks: tuple[str, ...]
    says: str


class LaidSide(NamedTuple):
    """What a player has.  ``face_down`` counts the cards of their hand that are not to be seen."""

    life: int
    mindbugs: int
    energy: int
    draw_pile: int
    in_play: tuple[LaidCard, ...]
    hand: tuple[LaidCard, ...]
    face_down: int
    discard_pile: tuple[LaidCard, ...]


class Layout(NamedTuple):
    """A position: the sides by seat, and cards that belong to neither player at the moment.

    ``shown`` are cards on their way, and those that an effect shows.  ``turn`` is 0 before the
    first one, ``active`` the player whose turn it is.
    """

    turn: int
    active: int
    sides: tuple[LaidSide, LaidSide]
    shown: tuple[LaidCard, ...]
    set_aside: tuple[LaidCard, ...]
    power_cards: tuple[LaidCard, ...]
    with_energy: bool


def laid_out(narrator: _Narrator) -> Layout:
    """Where the game of a narrator stands; what the one who is told may not see lies face down."""
    now, face_up = narrator._now.position, narrator.face_up()
    first, second = (_side(narrator, player, face_up) for player in (0, 1))
    zones = {slot: zone for slot, (zone, _) in narrator._now.places.items()}
    elsewhere = {slot for slot in face_up if zones.get(slot, "unused") in ("draw", "unused")}
    return Layout(
        now["turn"],
        now["active"],
        (first, second),
        _cards(narrator, [*now["limbo"], *sorted(elsewhere)]),
        _cards(narrator, now["set_aside"]),
        tuple(_power_card(narrator, number) for number in now["display"]),
        narrator.game.table.modes.kot_parts,
    )


def _side(narrator: _Narrator, player: int, face_up: set[int]) -> LaidSide:
    side = narrator._now.position["players"][player]
    hand = [slot for slot in side["hand"] if slot in face_up]
    return LaidSide(
        side["life"],
        side["mindbugs"],
        side["energy"],
        len(side["draw"]),
        _cards(narrator, side["play"]),
        _cards(narrator, hand),
        len(side["hand"]) - len(hand),
        _cards(narrator, side["discard"]),
    )


def _cards(narrator: _Narrator, slots: Iterable[int]) -> tuple[LaidCard, ...]:
    return tuple(_card(narrator, slot) for slot in slots)


def _card(narrator: _Narrator, slot: int) -> LaidCard:
    card = narrator.game.card(slot)
    says = " ".join(rules_text(card))
    creature = narrator._now.creatures.get(slot)
    if creature is None:
        keywords = tuple(keyword.name for keyword in sorted(card.keywords))
        return LaidCard(narrator._name(slot), card.power, keywords, (), says)
    marks = ["exhausted"] if creature["exhausted"] else []
    if creature["boosts"]:
        marks.append(f"boosted by {narrator._list(creature['boosts'])}")
    if narrator.game.decision in ATTACK_GOES_ON and slot == narrator.game.fight[0]:
        marks.append("attacks")
    marks += [
        what.format(has="has")
        for key, what in words.MARKS.items()
        if slot in narrator._now.details[key]
    ]
    return LaidCard(
        narrator._name(slot), creature["power"], (*creature["keywords"],), (*marks,), says
    )


def _power_card(narrator: _Narrator, number: int) -> LaidCard:
    card = narrator.game.table.power_cards[number]
    return LaidCard(card.name, card.cost, (), (), " ".join(rules_text(card)))
