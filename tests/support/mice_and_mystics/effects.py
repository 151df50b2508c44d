"""What abilities and cards offer in a mouse's own turn, and what they do (section 28)."""

from collections.abc import Callable
from typing import Any

from card_data.mice_and_mystics.facts import Effect
from support.mice_and_mystics import attacks, finds, moves, turns
from support.mice_and_mystics.decisions import Asking, Entry, ask
from support.mice_and_mystics.state import Lasting, Mouse, State, Turn

Target = tuple[Any, ...]


def targets(game: State, mouse: Mouse, source: str, effects: tuple[Effect, ...]) -> list[Target]:
    """The ways in which an ability or card can be used now; one empty target if there is one."""
    return _OFFERS[effects[0].op](game, mouse, source, effects[0])


def apply(
    game: State, turn: Turn, source: str, effects: tuple[Effect, ...], target: Target
) -> Asking:
    """Do what an ability or card says; it is paid for."""
    for effect in effects:
        yield from _DOES[effect.op](game, turn, source, effect, target)


def _if(condition: object) -> list[Target]:
    return [()] if condition else []


# --------------------------------------------------------------------------------------------------
# Offers: the targets of each operation
# --------------------------------------------------------------------------------------------------


def _offer_lasting(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    return _if(not game.source_active(mouse, source))


def _offer_heal(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    wounded = [other for other in game.mice_at(mouse.space) if other.wounds]
    if effect.get("targets") == "each":
        return _if(wounded)
    return [(other.id,) for other in wounded]


def _offer_cure(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    things = []
    for other in game.mice_at(mouse.space):
        things += [(other.id, "poison")] * (other.poison > 0)
        things += [(other.id, "stunned")] * other.stunned
        things += [(other.id, "webbed")] * other.webbed
    return things


def _offer_attack_each(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    return _if(tagged(game, mouse, effect) and game.near_figures(mouse.space))


def tagged(game: State, mouse: Mouse, effect: Effect) -> list[str]:
    return [card for card in mouse.equipped if effect["item_tag"] in game.box.cards[card].tags]


def _offer_bolt(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    blindly = bool(effect.get("ignore_los"))
    return [(figure.number,) for figure in game.ranged_targets(mouse.space, blindly=blindly)]


def _offer_blast(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    spaces = {figure.space for figure in game.ranged_targets(mouse.space)}
    return [(game.board.spaces[space],) for space in sorted(spaces)]


def _offer_chain(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    return _if(game.ranged_targets(mouse.space))


def _offer_hits(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    sees = game.board.sees[mouse.space]
    return [(figure.number,) for figure in game.figures if sees[figure.space]]


def _offer_always(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    return [()]


def _offer_extra_move(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    return _if(not mouse.knocked_down and not mouse.webbed and not game.in_water(mouse))


def _offer_inspire(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    return _if(game.inspire is None)


def _offer_order(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    return [
        (other.id, *entry)
        for other in game.mice_here()
        if other is not mouse
        for entry in turns.ordered_entries(game, other)
    ]


def _offer_knock_down(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    small = _small_figures(game, mouse)
    return _if(any(not figure.knocked_down for figure in small))


def _small_figures(game: State, mouse: Mouse) -> list:
    here = game.figures_at(mouse.space)
    return [figure for figure in here if figure.kind.size == "small"]


def _offer_trap(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    return _if(mouse.space not in game.set_traps)


def _offer_levitation(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    return _if(game.board.has_red_lines and not game.source_active(mouse, source))


def _offer_teleport(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    spaces = range(len(game.board.spaces))
    free = [space for space in spaces if space != mouse.space and not game.is_full(space)]
    return [(game.board.spaces[space],) for space in free]


def _offer_slow(game: State, mouse: Mouse, source: str, effect: Effect) -> list[Target]:
    cards = [card for card in game.minion_cards() if card not in game.slowed]
    return [(card,) for card in game.box.initiative if card in cards]


_OFFERS: dict[str, Callable[[State, Mouse, str, Effect], list[Target]]] = {
    "battle": _offer_lasting,
    "defense": _offer_lasting,
    "untargetable": _offer_lasting,
    "cross_red_lines": _offer_levitation,
    "heal": _offer_heal,
    "cure_poison_or_status": _offer_cure,
    "attack_once_per_equipped": _offer_attack_each,
    "magic_ranged_attack": _offer_bolt,
    "magic_attack_all": _offer_blast,
    "magic_attack_each": _offer_chain,
    "magic_hits": _offer_hits,
    "draw_keep": _offer_always,
    "extra_move": _offer_extra_move,
    "extra_action": _offer_always,
    "party_may_pay_for_action": _offer_inspire,
    "other_mouse_acts": _offer_order,
    "knock_down": _offer_knock_down,
    "place_trap_on_space": _offer_trap,
    "move_to_any_space_on_tile": _offer_teleport,
    "minion_type_skips_turn": _offer_slow,
}

# --------------------------------------------------------------------------------------------------
# What each operation does
# --------------------------------------------------------------------------------------------------


def _do_lasting(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    ends = {"start_of_own_next_turn": "own_turn"}
    until = str(effect["until"])
    game.lasting.append(Lasting(source, turn.mouse, effect, ends.get(until, until)))
    yield from ()


def _do_heal(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    mice = [game.mouse[target[0]]] if target else game.mice_at(turn.mouse.space)
    for mouse in mice:
        heal(game, mouse, effect)
    yield from ()


def heal(game: State, mouse: Mouse, effect: Effect) -> None:
    """Normal wounds go, poison stays (M110)."""
    amount = mouse.wounds
    if effect["amount"] != "all":
        amount = min(amount, int(effect["amount"]))
    mouse.wounds -= amount
    game.counts["wounds_healed"] += amount


def _do_cure(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    """One thing is paid for; more as long as cheese, things and the card allow (D11)."""
    mouse, each = turn.mouse, int(effect["per_cheese"])
    facts = game.box.abilities[source]
    _cure_one(game, target)
    spent = game.cost(mouse, source)
    while spent + each <= facts.cost_most and mouse.cheese >= each:
        things = _offer_cure(game, mouse, source, effect)
        entries: list[Entry] = [("STOP",), *(("TARGET", *thing) for thing in things)]
        chosen = yield from ask(game, "D11", mouse, entries, source=source)
        if chosen[0] == "STOP":
            return
        attacks.pay_for(game, mouse, source, each)
        spent += each
        _cure_one(game, chosen[1:])


def _cure_one(game: State, thing: Target) -> None:
    mouse = game.mouse[thing[0]]
    if thing[1] == "stunned":
        mouse.stunned = False
    elif thing[1] == "webbed":
        mouse.webbed = False
    else:
        mouse.poison -= 1


def _do_attack_each(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    """Knife Strike: a weapon attack for each such card held at the start."""
    mouse = turn.mouse
    for weapon in tagged(game, mouse, effect):
        near = game.near_figures(mouse.space)
        if not near:
            return
        entries: list[Entry] = [("TARGET", figure.number) for figure in near]
        chosen = yield from ask(game, "D11", mouse, entries, source=source, weapon=weapon)
        figure = game.figure(chosen[1])
        yield from attacks.strike(game, attacks.weapon_attack(game, mouse, weapon, figure))


def magic_dice(game: State, mouse: Mouse, effect: Effect) -> int:
    """The attack dice of a spell."""
    return game.lore(mouse) if effect["battle"] == "lore" else int(effect["battle"])


def _do_bolt(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    dice = magic_dice(game, turn.mouse, effect)
    spell = attacks.Attack(turn.mouse, game.figure(target[0]), "ranged", dice)
    yield from attacks.strike(game, spell)


def _do_blast(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    dice = magic_dice(game, turn.mouse, effect)
    yield from attacks.blast(game, turn.mouse, game.board.index[target[0]], dice)


def most_targets(game: State, mouse: Mouse, effect: Effect) -> int:
    """How many figures Chain Lightning may hit."""
    most = effect["max_targets"]
    return game.lore(mouse) if most == "lore" else int(most)


def _do_chain(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    """Chain Lightning: several targets, one after the other."""
    mouse, dice = turn.mouse, magic_dice(game, turn.mouse, effect)
    chosen: list = []
    for i in range(most_targets(game, mouse, effect)):
        if i == 0:
            legal = game.ranged_targets(mouse.space)
        else:
            sees = game.board.sees[mouse.space]
            legal = [f for f in game.figures if sees[f.space] and f not in chosen]
        entries: list[Entry] = [("TARGET", figure.number) for figure in legal]
        entry = yield from ask(
            game, "D11", mouse, [("STOP",)] * (i > 0) + entries, source=source, dice=dice
        )
        if entry[0] == "STOP":
            return
        chosen.append(game.figure(entry[1]))
        yield from attacks.strike(game, attacks.Attack(mouse, chosen[-1], "ranged", dice))


def _do_hits(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    figure = game.figure(target[0])
    yield from attacks.hits_without_roll(game, figure, int(effect["hits"]), turn.mouse, "spark")


def _do_draw(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    yield from finds.draw_and_keep(game, turn.mouse, int(effect["draw"]))


def _do_extra_move(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    yield from moves.extra_move(game, turn.mouse)


def _do_extra_action(
    game: State, turn: Turn, source: str, effect: Effect, target: Target
) -> Asking:
    turn.actions += 1
    yield from ()


def _do_inspire(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    game.inspire = effect
    yield from ()


def _do_order(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    yield from turns.act(game, game.mouse[target[0]], target[1:])


def _do_knock_down(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    for figure in _small_figures(game, turn.mouse):
        figure.knocked_down = True
    yield from ()


def _do_trap(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    game.set_traps[turn.mouse.space] = (turn.mouse, int(effect["hits"]))
    yield from ()


def _do_teleport(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    turn.mouse.space = game.board.index[target[0]]
    yield from ()


def _do_slow(game: State, turn: Turn, source: str, effect: Effect, target: Target) -> Asking:
    game.slowed.add(target[0])
    yield from ()


_DOES: dict[str, Callable[[State, Turn, str, Effect, Target], Asking]] = {
    "battle": _do_lasting,
    "defense": _do_lasting,
    "untargetable": _do_lasting,
    "cross_red_lines": _do_lasting,
    "heal": _do_heal,
    "cure_poison_or_status": _do_cure,
    "attack_once_per_equipped": _do_attack_each,
    "magic_ranged_attack": _do_bolt,
    "magic_attack_all": _do_blast,
    "magic_attack_each": _do_chain,
    "magic_hits": _do_hits,
    "draw_keep": _do_draw,
    "extra_move": _do_extra_move,
    "extra_action": _do_extra_action,
    "party_may_pay_for_action": _do_inspire,
    "other_mouse_acts": _do_order,
    "knock_down": _do_knock_down,
    "place_trap_on_space": _do_trap,
    "move_to_any_space_on_tile": _do_teleport,
    "minion_type_skips_turn": _do_slow,
}
