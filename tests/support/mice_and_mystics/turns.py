"""The turn of a mouse, its menu, and exploring (M23-M27, M67-M72, D1, P3)."""

from typing import Any

from support.mice_and_mystics import attacks, clock, effects, finds, moves, placement
from support.mice_and_mystics.decisions import Asking, Entry, ask
from support.mice_and_mystics.state import LEVEL_PRICE, Mouse, State, Turn

EDGES = ("N", "E", "S", "W")

# --------------------------------------------------------------------------------------------------
# The turn
# --------------------------------------------------------------------------------------------------


def mouse_turn(game: State, mouse: Mouse) -> Asking:
    """P3."""
    game.counts["mouse_turns"] += 1
    game.lasting = [
        last for last in game.lasting if not (last.user is mouse and last.until == "own_turn")
    ]
    cut = False
    if mouse.captured:
        if game.figures:
            game.counts["turns_skipped_captured"] += 1
        else:
            yield from moves.rescue(game, mouse)
    elif not mouse.missing:
        number = attacks.roll(game, 1)[0].number
        game.turn = Turn(mouse, number, game.move(mouse) + number)
        yield from take_turn(game, game.turn)
        cut = game.turn.cut
        game.turn = None
    if not cut:
        moves.drift(game, mouse)
    game.lasting = [last for last in game.lasting if last.until != "end_of_turn"]
    if not cut and mouse is game.mice_on_track()[-1] and not game.figures:  # M20
        yield from clock.put_on_wheel(game, 1, "idle")
        yield from clock.settle_surge(game)


def take_turn(game: State, turn: Turn) -> Asking:
    """D1: the menu, again and again."""
    while not turn.over:
        entry = yield from ask(game, "D1", turn.mouse, menu(game, turn))
        if entry[0] == "END":
            return
        yield from do(game, turn, entry)
        turn.entries_taken += 1


# --------------------------------------------------------------------------------------------------
# The menu
# --------------------------------------------------------------------------------------------------


def menu(game: State, turn: Turn) -> list[Entry]:
    """All entries of D1 in their order."""
    mouse = turn.mouse
    entries: list[Entry] = [("END",)]
    if not turn.moved and not mouse.webbed:  # M109
        if mouse.knocked_down:
            entries.append(("STAND",))
        else:
            if game.switch["S15"] == "at_once":
                turn.allowance = game.move(mouse) + turn.number
            entries += moves.move_entries(game, mouse, turn.allowance)
    if turn.actions:
        entries += _action_entries(game, turn)
    entries += _ability_entries(game, turn)
    if not game.in_water(mouse):
        entries += _card_entries(game, turn)
        entries += _free_entries(game, turn)
    return entries


def _action_entries(game: State, turn: Turn) -> list[Entry]:
    """D1, part 3."""
    mouse = turn.mouse
    if mouse.stunned:
        return [("RECOVER",)]
    entries = attacks.battle_entries(game, mouse)
    if finds.may_search(game, mouse):
        entries.append(("SEARCH",))
    if turn.moved and not mouse.knocked_down and not mouse.webbed:
        entries.append(("SCURRY",))
    if mouse.webbed:
        entries.append(("RECOVER",))
    return entries + explore_entries(game, mouse)


def ordered_entries(game: State, mouse: Mouse) -> list[Entry]:
    """The actions that Give Order opens to another mouse (section 28)."""
    if mouse.stunned:
        return [("RECOVER",)]
    entries = attacks.battle_entries(game, mouse)
    if finds.may_search(game, mouse):
        entries.append(("SEARCH",))
    if mouse.webbed:
        entries.append(("RECOVER",))
    return entries + explore_entries(game, mouse)


def _ability_entries(game: State, turn: Turn) -> list[Entry]:
    """D1, part 4."""
    mouse = turn.mouse
    entries: list[Entry] = []
    for ability in game.own_abilities(mouse):
        facts = game.box.abilities[ability]
        if game.can_pay(mouse, ability) and _is_time(game, turn, facts.timing):
            found = effects.targets(game, mouse, ability, facts.effect)
            entries += [("ABILITY", ability, *target) for target in found]
    heal = game.innate(mouse, "heal")
    if heal is not None and _is_time(game, turn, str(heal["timing"])):
        entries += [("HEAL", *target) for target in effects.targets(game, mouse, "", (heal,))]
    if _may_pay_for_action(game, turn):
        entries.append(("PAY_ACTION",))
    return entries


def _is_time(game: State, turn: Turn, timing: str) -> bool:
    """Whether a timing word of section 25 allows a D1 entry now."""
    if timing in {"action", "replace_battle"}:
        return turn.actions > 0 and not turn.mouse.stunned
    if game.in_water(turn.mouse):  # M41
        return False
    if timing == "start_of_own_turn":
        return turn.entries_taken == 0
    if timing == "no_action_left":
        return turn.actions == 0
    return timing in {"free_action", "own_turn"}


def _may_pay_for_action(game: State, turn: Turn) -> bool:
    effect, mouse = game.inspire, turn.mouse
    return (
        effect is not None
        and turn.actions == 0
        and not game.in_water(mouse)
        and mouse.cheese >= int(effect["cheese"])
        and mouse.paid_for_action < int(effect["times_per_mouse"])
    )


def _card_entries(game: State, turn: Turn) -> list[Entry]:
    """D1, part 5; not in water."""
    mouse, box = turn.mouse, game.box
    entries: list[Entry] = []
    for card in box.in_order(mouse.pack):
        facts = box.cards[card]
        usable = facts.type in {"scroll", "item"} or facts.timing == "no_action_left"
        if usable and game.meets(mouse, card) and _is_time(game, turn, facts.timing or "own_turn"):
            found = effects.targets(game, mouse, card, facts.effect)
            entries += [("USE", card, *target) for target in found]
    if game.holds("grape") is not None:
        spaces = {f.space for f in game.figures if f.kind.figure_pool == "roach"}
        entries += [("GRAPE", game.board.spaces[space]) for space in sorted(spaces)]
    return entries


def _free_entries(game: State, turn: Turn) -> list[Entry]:
    """D1, part 6; not in water."""
    mouse = turn.mouse
    entries: list[Entry] = []
    if "SHARE" not in turn.free_used:
        near = game.board.near[mouse.space]
        for other in game.mice_here():
            close = other is not mouse and other.space in near
            if close and finds.share_entries(game, mouse, other):
                entries.append(("SHARE", other.id))
    if "EQUIP" not in turn.free_used and finds.equip_entries(game, mouse):
        entries.append(("EQUIP",))
    if "LEVEL_UP" not in turn.free_used and mouse.cheese >= LEVEL_PRICE:
        entries += [("LEVEL_UP", ability) for ability in game.free_abilities(mouse)]
    return entries


# --------------------------------------------------------------------------------------------------
# What the entries do
# --------------------------------------------------------------------------------------------------


def do(game: State, turn: Turn, entry: Entry) -> Asking:
    """Carry out an entry of the menu."""
    mouse, kind = turn.mouse, entry[0]
    if kind in {"BATTLE", "SEARCH", "RECOVER", "EXPLORE"}:
        turn.actions -= 1
        yield from act(game, mouse, entry)
    elif kind == "STAND":
        game.counts["stands"] += 1
        turn.moved = True
        mouse.knocked_down = False
    elif kind in {"MOVE", "LEAVE_WATER", "SWIM"}:
        turn.moved = True
        yield from moves.do_move(game, mouse, entry, turn.allowance)
    elif kind == "SCURRY":
        game.counts["scurries"] += 1
        turn.actions -= 1
        yield from moves.extra_move(game, mouse)
    elif kind == "HEAL":
        turn.actions -= 1
        heal = game.innate(mouse, "heal")
        yield from effects.apply(game, turn, "", (heal,), entry[1:])
    elif kind == "ABILITY":
        facts = game.box.abilities[entry[1]]
        turn.actions -= facts.timing in {"action", "replace_battle"}
        attacks.pay_for(game, mouse, facts.id)
        yield from effects.apply(game, turn, facts.id, facts.effect, entry[2:])
    elif kind == "USE":
        attacks.discard_used(game, mouse, entry[1])
        card = game.box.cards[entry[1]]
        yield from effects.apply(game, turn, card.id, card.effect, entry[2:])
    else:
        yield from _do_free(game, turn, entry)


def _do_free(game: State, turn: Turn, entry: Entry) -> Asking:
    """PAY_ACTION, GRAPE, SHARE, EQUIP, LEVEL_UP."""
    mouse, kind = turn.mouse, entry[0]
    if kind == "PAY_ACTION":
        clock.pay(game, mouse, int(game.inspire["cheese"]), "pay")
        mouse.paid_for_action += 1
        turn.actions += 1
        return
    if kind == "GRAPE":
        _use_grape(game, mouse, game.board.index[entry[1]])
        return
    turn.free_used.add(kind)
    if kind == "SHARE":
        yield from finds.share(game, mouse, game.mouse[entry[1]])
    elif kind == "EQUIP":
        yield from finds.equip(game, mouse)
    else:
        clock.pay(game, mouse, LEVEL_PRICE, "level")
        mouse.abilities.append(entry[1])
        game.counts["level_ups"] += 1
        game.counts[f"level_ups_{mouse.id}"] += 1
        game.marks.setdefault("first_level_up_round", game.rounds)


def _use_grape(game: State, mouse: Mouse, space: int) -> None:
    """All roaches in a space leave, credited to the user."""
    card = game.holds("grape")
    game.party_cards.remove(card)
    game.search_discard.append(card)
    game.counts[f"used_{card}"] += 1
    for figure in game.figures_at(space):
        if figure.kind.figure_pool == "roach":
            game.counts[f"wounds_dealt_{mouse.id}"] += 1
            clock.defeat(game, figure, mouse, "grape")


def act(game: State, mouse: Mouse, entry: Entry) -> Asking:
    """An action that Give Order can ask for too: BATTLE, SEARCH, RECOVER or EXPLORE."""
    if entry[0] == "BATTLE":
        yield from attacks.battle(game, mouse, entry[1], entry[2])
    elif entry[0] == "SEARCH":
        yield from finds.search(game, mouse)
    elif entry[0] == "RECOVER":
        game.counts["recovers"] += 1
        if mouse.stunned:
            mouse.stunned = False
        elif any(face.star for face in attacks.roll(game, 1)):
            mouse.webbed = False
    else:
        yield from explore(game, mouse, entry[1])


# --------------------------------------------------------------------------------------------------
# Exploring
# --------------------------------------------------------------------------------------------------


def explore_entries(game: State, mouse: Mouse) -> list[Entry]:
    """Links that can be used from the mouse's space, exits first (M67, M68, M70)."""
    if game.figures:
        return []
    ways = [*EDGES, "flip"]
    return [("EXPLORE", way) for way in ways if link_from(game, mouse, way) is not None]


def link_from(game: State, mouse: Mouse, way: str) -> Any:
    """Where a way leads from the mouse's space: tile and spaces of arrival; None for nowhere."""
    board = game.board
    if way != "flip" and mouse.space not in board.exits.get(way, []):
        return None
    if way == "flip" and (mouse.space != board.flip or not _may_flip(game, mouse)):
        return None
    for link in game.chapter.links:
        for a, a_edge, b, b_edge in (
            (link.a, link.a_edge, link.b, link.b_edge),
            (link.b, link.b_edge, link.a, link.a_edge),
        ):
            if a == board.id and (a_edge or "flip") == way:
                there = game.box.boards[b]
                return b, there.exits[b_edge] if b_edge else [there.flip]
    return None


def _may_flip(game: State, mouse: Mouse) -> bool:
    needs = game.board.flip_requires
    if needs == "fish_hook":
        return game.holds("fish_hook") is not None
    if needs:
        return not {"tinkerer", "scamp"}.isdisjoint(mouse.hero.classes)
    return True


def explore(game: State, mouse: Mouse, way: str) -> Asking:
    """M67-M72: all mice go to another tile, where an encounter may wait."""
    game.counts["explores"] += 1
    tile, arrival = link_from(game, mouse, way)
    travellers = [other for other in game.mice_on_track() if other.space is not None]
    for traveller in travellers:
        traveller.space = None
    game.board = game.box.boards[tile]
    game.mousetraps = set()
    game.set_traps = {}
    for traveller in travellers:
        yield from moves.put(game, traveller, moves.free_of(game, arrival))
    if tile in game.explored:
        game.counts["returns_to_explored"] += 1
        return
    enter_first_time(game)
    yield from placement.encounter(game)
    if game.switch["S1"] == "new_round":  # M21
        game.round_over = True
        game.turn.over = game.turn.cut = True


def enter_first_time(game: State) -> None:
    """Note when a room is entered, and lay out its cheese (M128)."""
    tile = game.board.id
    game.explored.add(tile)
    counter = game.rule_here("counter_cheese")
    if counter is not None:
        game.counter_cheese = counter.amount
        game.marks["page_at_entry_kitchen"] = game.page
    if tile in game.chapter.route:
        k = game.chapter.route.index(tile) + 1
        game.marks[f"page_at_entry_room{k}"] = game.page
        game.marks[f"round_at_entry_room{k}"] = max(1, game.rounds)
