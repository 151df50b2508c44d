"""Attacks of mice (M47-M58, P6), and hits that come without an attack roll (section 28)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from card_data.mice_and_mystics.facts import Face
from support.mice_and_mystics import clock
from support.mice_and_mystics.decisions import Asking, Entry, ask
from support.mice_and_mystics.state import Figure, Mouse, State, effect_of


def roll(game: State, n: int) -> list[Face]:
    """Roll n dice, one after the other."""
    return [game.box.faces[game.chance.die()] for _ in range(n)]


# --------------------------------------------------------------------------------------------------
# Weapons
# --------------------------------------------------------------------------------------------------


def weapons(game: State, mouse: Mouse) -> list[str]:
    """Different equipped weapons, in the order of the data."""
    held = [card for card in mouse.equipped if game.box.cards[card].type == "weapon"]
    return game.box.in_order(held)


def weapon_targets(game: State, space: int, weapon: str) -> list[Figure]:
    """Whom a weapon can be used against from a space (M47, M53, M54)."""
    if game.box.cards[weapon].attack == "melee":
        return game.near_figures(space)
    return game.ranged_targets(space)


def weapon_kind(game: State, space: int, weapon: str, target: Figure) -> str:
    """Which faces hit: "melee" or "ranged" (M56, S3)."""
    if game.box.has(weapon, "melee_when_same_space"):
        near = game.board.near[space] if game.switch["S3"] == "melee" else {space}
        return "melee" if target.space in near else "ranged"
    return game.box.cards[weapon].attack


def weapon_dice(game: State, mouse: Mouse, space: int, weapon: str, target: Figure) -> int:
    """Attack dice of a weapon from a space before reactions (M48, P6 step 2)."""
    box = game.box
    dice = mouse.hero.battle + box.total(weapon, "battle")
    dice += sum(
        box.total(card, "battle") for card in mouse.equipped if box.cards[card].type != "weapon"
    )
    if target.space != space:
        dice += box.total(weapon, "battle_if_target_other_space")
    if target.kind.size == "large":
        dice += box.total(weapon, "battle_vs_large")
    per_mouse = box.total(weapon, "battle_per_other_wounded_mouse_same_space")
    if per_mouse:
        others = [other for other in game.mice_at(space) if other is not mouse]
        dice += per_mouse * sum(other.wounds + other.poison > 0 for other in others)
    return max(0, dice + game.lasting_bonus(mouse, "battle"))


def defense_change(game: State, mouse: Mouse, weapon: str, target: Figure) -> int:
    """What a weapon adds to the defense dice of a minion that is slower than the mouse."""
    lower = game.track.index(game.top_card(target)) > game.track_place(mouse)
    return game.box.total(weapon, "target_defense_if_lower_on_track") if lower else 0


def battle_entries(game: State, mouse: Mouse) -> list[Entry]:
    """One entry for each equipped weapon type and legal target (D1)."""
    return [
        ("BATTLE", weapon, figure.number)
        for weapon in weapons(game, mouse)
        for figure in weapon_targets(game, mouse.space, weapon)
    ]


# --------------------------------------------------------------------------------------------------
# One attack
# --------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Attack:
    """An attack of a mouse on a figure, with what reactions have added (P6)."""

    mouse: Mouse
    target: Figure
    kind: str  # "melee" or "ranged"
    dice: int
    weapon: str | None = None  # None: a spell
    defense_change: int = 0
    factor: int = 1


def battle(game: State, mouse: Mouse, weapon: str, number: int) -> Asking:
    """A BATTLE entry, of the mouse's own turn or by Give Order; Backslash may follow."""
    game.counts["battles"] += 1
    attack = weapon_attack(game, mouse, weapon, game.figure(number))
    defeated = yield from strike(game, attack)
    if defeated and attack.kind == "melee":
        yield from _backslash_window(game, mouse)


def weapon_attack(game: State, mouse: Mouse, weapon: str, target: Figure) -> Attack:
    kind = weapon_kind(game, mouse.space, weapon, target)
    return Attack(mouse, target, kind, 0, weapon)


def strike(game: State, attack: Attack) -> Asking:
    """P6 steps 1 to 8; whether the target was defeated."""
    mouse, target = attack.mouse, attack.target
    yield from _before_attack(game, attack)
    dice = attack.dice
    if attack.weapon is not None:
        dice += weapon_dice(game, mouse, mouse.space, attack.weapon, target)
    hits = yield from _attack_roll(game, attack, dice * attack.factor)
    defeated = False
    if hits:
        defeated = yield from _defend(game, attack, hits)
    yield from clock.settle_surge(game)
    return defeated


def blast(game: State, mouse: Mouse, space: int, dice: int) -> Asking:
    """Mystic Blast: one roll against every figure in a space (section 28)."""
    targets = game.figures_at(space)
    hits = yield from _attack_roll(game, Attack(mouse, targets[0], "ranged", dice), dice)
    if hits:
        for target in targets:
            if target in game.figures:
                yield from _defend(game, Attack(mouse, target, "ranged", dice), hits)
    yield from clock.settle_surge(game)


def _attack_roll(game: State, attack: Attack, n: int) -> Asking:
    """P6 steps 2 to 4: the hits; Lucky Squeak may roll all dice again."""
    mouse = attack.mouse
    game.counts[f"attacks_{mouse.id}"] += 1
    game.counts[f"mouse_attacks_{attack.kind}"] += 1
    while True:
        faces = roll(game, n)
        game.counts[f"attack_dice_{mouse.id}"] += n
        hits = sum(face.melee if attack.kind == "melee" else face.ranged for face in faces)
        tricks = trick_entries(game, mouse, "after_attack_roll")
        if not tricks:
            break
        entry = yield from ask(game, "D9", mouse, [("PASS",), *tricks], hits=hits)
        if entry[0] == "PASS":
            break
        discard_used(game, mouse, entry[1])
    clock.gain(game, mouse, sum(face.cheese for face in faces), "attack")
    return hits


def _defend(game: State, attack: Attack, hits: int) -> Asking:
    """P6 steps 5 to 7 of one figure."""
    mouse, target = attack.mouse, attack.target
    defense = game.defense_of(target) + attack.defense_change
    if attack.weapon is not None:
        defense += defense_change(game, mouse, attack.weapon, target)
    to_mouse = attack.weapon is not None and game.box.has(
        attack.weapon, "defender_cheese_to_attacker"
    )
    receiver = mouse if to_mouse else None
    return (yield from _take_hits(game, target, hits, max(0, defense), mouse, "attack", receiver))


def hits_without_roll(game: State, target: Figure, hits: int, by: Mouse, means: str) -> Asking:
    """A figure defends against hits of a scroll or a set trap."""
    yield from _take_hits(game, target, hits, max(0, game.defense_of(target)), by, means, None)
    yield from clock.settle_surge(game)


def defense_roll(game: State, target: Figure, dice: int) -> tuple[int, int]:
    """A figure rolls its defense: hits that it blocks, and cheese (M49)."""
    faces = roll(game, dice)
    doubled = effect_of(game.guard(target).abilities, "star_shields_block_two") is not None
    shields = sum(face.shield * (2 if doubled and face.star else 1) for face in faces)
    return shields, sum(face.cheese for face in faces)


def _take_hits(
    game: State,
    target: Figure,
    hits: int,
    defense: int,
    by: Mouse,
    means: str,
    receiver: Mouse | None,
) -> Asking:
    """A figure rolls its defense and takes what is left; whether it was defeated.

    Its cheese goes to the wheel or to a receiver (P6 step 6).
    """
    shields, cheese = defense_roll(game, target, defense)
    blocked = min(hits, shields)
    game.counts["mouse_hits"] += hits
    game.counts["mouse_hits_blocked"] += blocked
    if receiver is not None:
        clock.gain(game, receiver, cheese, "bow")
    else:
        yield from clock.put_on_wheel(game, cheese, "defense")
        if target not in game.figures or (by.space is None and means == "attack"):
            return False  # gone by a surge between two steps (S2)
    if hits == blocked:
        return False
    return (yield from clock.wound_figure(game, target, hits - blocked, by, means))


# --------------------------------------------------------------------------------------------------
# Reactions
# --------------------------------------------------------------------------------------------------


def ability_entries(game: State, mouse: Mouse, timing: str) -> list[Entry]:
    """Abilities of a mouse on the tile that can be used at this time (D9)."""
    if mouse.space is None:
        return []
    return [
        ("REACT", ability)
        for ability in game.own_abilities(mouse)
        if game.box.abilities[ability].timing == timing and game.can_pay(mouse, ability)
    ]


def trick_entries(game: State, mouse: Mouse, timing: str) -> list[Entry]:
    """Trick types of a mouse that can be used at this time (D9)."""
    cards = game.box.cards
    tricks = [c for c in mouse.pack if cards[c].type == "trick" and cards[c].timing == timing]
    return [("TRICK", card) for card in game.box.in_order(tricks)]


def pay_for(game: State, mouse: Mouse, ability: str, amount: int | None = None) -> None:
    """A mouse pays for an ability and has used its one of this turn (M26, M103)."""
    cost = game.cost(mouse, ability) if amount is None else amount
    clock.pay(game, mouse, cost, "ability")
    mouse.ability_used = True
    game.counts[f"cheese_ability_{ability}"] += cost
    game.counts[f"used_ability_{ability}"] += amount is None


def discard_used(game: State, mouse: Mouse, card: str) -> None:
    """A scroll, item or trick is used up (M65)."""
    mouse.pack.remove(card)
    game.search_discard.append(card)
    game.counts[f"used_{card}"] += 1


def _before_attack(game: State, attack: Attack) -> Asking:
    """P6 step 1: reactions in track order, one use each."""
    for mouse in game.mice_on_track():
        timings = {"before_any_mouse_attack"}
        if mouse is attack.mouse and attack.weapon is not None:
            timings.add(f"before_{attack.kind}_attack")
        usable = [
            ("REACT", ability)
            for ability in game.own_abilities(mouse)
            if game.box.abilities[ability].timing in timings and game.can_pay(mouse, ability)
        ]
        if mouse.space is None or not usable:
            continue
        entry = yield from ask(game, "D9", mouse, [("PASS",), *usable])
        if entry[0] == "PASS":
            continue
        pay_for(game, mouse, entry[1])
        for effect in game.box.abilities[entry[1]].effect:
            if effect.op == "battle":
                attack.dice += int(effect["delta"])
            elif effect.op == "battle_multiply":
                attack.factor *= int(effect["factor"])
            elif effect.get("scope") == "one_minion_until_end_of_round":
                attack.target.meeps += int(effect["delta"])
            else:
                attack.defense_change += int(effect["delta"])


def _backslash_window(game: State, mouse: Mouse) -> Asking:
    """P6 step 9."""
    entries = [
        (*entry, weapon, figure.number)
        for entry in ability_entries(game, mouse, "after_melee_kill")
        for weapon in weapons(game, mouse)
        for figure in weapon_targets(game, mouse.space, weapon)
        if weapon_kind(game, mouse.space, weapon, figure) == "melee"
    ]
    yield from _strike_or_pass(game, mouse, entries)


def _strike_or_pass(game: State, mouse: Mouse, entries: Sequence[Any]) -> Asking:
    """Let a mouse take one of several attacks, or pass; without any nothing is asked."""
    if entries:
        entry = yield from ask(game, "D9", mouse, [("PASS",), *entries])
        if entry[0] != "PASS":
            pay_for(game, mouse, entry[1])
            target = game.figure(entry[3])
            yield from strike(game, weapon_attack(game, mouse, entry[2], target))


def preemptive_window(game: State, placed: list[Figure]) -> Asking:
    """P5: figures just placed may be shot, once by each mouse in track order."""
    for mouse in game.mice_on_track():
        entries = [
            (*entry, weapon, figure.number)
            for entry in ability_entries(game, mouse, "when_minions_placed")
            for weapon in weapons(game, mouse)
            if game.box.cards[weapon].attack == "ranged"
            for figure in game.ranged_targets(mouse.space)
            if figure in placed
        ]
        yield from _strike_or_pass(game, mouse, entries)
