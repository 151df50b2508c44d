"""The player H of section 24: for every decision the entries that it finds best."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from card_data.mice_and_mystics.facts import Effect
from support.mice_and_mystics import attacks, effects, finds, turns
from support.mice_and_mystics.board import FAR, Board
from support.mice_and_mystics.chance import Numbers
from support.mice_and_mystics.decisions import Decision, Entry
from support.mice_and_mystics.game import SlowGame
from support.mice_and_mystics.odds import at_least, score, wounds_of_hits
from support.mice_and_mystics.players import by_category
from support.mice_and_mystics.state import LEVEL_PRICE, Figure, Mouse

SAME = 1e-9  # values this close count as equal
FAR_ENOUGH = 40  # exit distances of this and more count as equal in water
LONELY = 5  # with this many on the wheel the party goes on whatever happens

Places = list[int]  # indices of entries


def heuristic(game: SlowGame, numbers: Numbers) -> int:
    """H: any of the best entries."""
    places = best(game)
    return places[numbers.below(len(places))]


def noisy(chance: float) -> Callable[[SlowGame, Numbers], int]:
    """H with noise: with this chance it acts as C."""

    def choose(game: SlowGame, numbers: Numbers) -> int:
        if numbers.happens(chance):
            return by_category(game, numbers)
        return heuristic(game, numbers)

    return choose


def best(game: SlowGame) -> Places:
    """The entries of the present decision that H chooses among, by index."""
    decision = game.decision
    entries = decision.entries
    chosen = _BY_POINT.get(decision.point, _any)(game, decision)
    wanted = set(chosen)
    places = [i for i, entry in enumerate(entries) if entry in wanted]
    return places or list(range(len(entries)))


def _any(game: SlowGame, decision: Decision) -> list[Entry]:
    return decision.entries


# --------------------------------------------------------------------------------------------------
# Words for choosing
# --------------------------------------------------------------------------------------------------


def _of(entries: list[Entry], *words: str) -> list[Entry]:
    """Entries that begin with one of these words."""
    return [entry for entry in entries if entry[0] in words]


def _named(entries: list[Entry], *names: str) -> list[Entry]:
    """ABILITY and USE entries of these abilities and cards."""
    return [entry for entry in entries if entry[0] in {"ABILITY", "USE"} and entry[1] in names]


def _highest(valued: Iterable[tuple[Entry, Any]]) -> list[Entry]:
    """The entries of highest value; a value is a number, or numbers that break ties in order."""
    left = list(valued)
    if not left:
        return []
    n = len(left[0][1]) if isinstance(left[0][1], tuple) else 0
    for i in range(max(1, n)):
        top = max(value[i] if n else value for _, value in left)
        left = [(e, value) for e, value in left if (value[i] if n else value) >= top - SAME]
    return [entry for entry, _ in left]


# --------------------------------------------------------------------------------------------------
# Distances
# --------------------------------------------------------------------------------------------------


def next_room(game: SlowGame) -> str | None:
    """The room that H wants to go to: the next of the route, or back to the route."""
    route, here = game.chapter.route, game.board.id
    if here in route:
        i = route.index(here) + 1
        return route[i] if i < len(route) else None
    ends = [(link.a, link.b) for link in game.chapter.links]
    linked = [b if a == here else a for a, b in ends if here in (a, b)]
    return next(tile for tile in linked if tile in route)


def exit_distance(game: SlowGame) -> tuple[int, ...]:
    """The cost from every space to the way on; FAR where there is none."""
    board, room = game.board, next_room(game)
    if room is not None:
        return _costs_to(board, tuple(_ways_to(game, room)))
    win = game.chapter.win
    if win.op == "all_uncaptured_mice_on_space":
        return _costs_to(board, (board.index[win.space],))
    return (0,) * len(board.spaces)


def _ways_to(game: SlowGame, room: str) -> list[Any]:
    """The spaces from which a link leads to a room."""
    board = game.board
    for link in game.chapter.links:
        for a, edge, b in ((link.a, link.a_edge, link.b), (link.b, link.b_edge, link.a)):
            if (a, b) == (board.id, room):
                return board.exits[edge] if edge else [board.flip]
    raise ValueError(f"no link from {board.id} to {room}")


@lru_cache(maxsize=64)
def _costs_to(board: Board, goals: tuple[int, ...]) -> tuple[int, ...]:
    """Cheapest mouse cost over listed edges, with water as the start alone."""
    found = [FAR] * len(board.spaces)
    for goal in goals:
        found[goal] = 0
    changed = True
    while changed:
        changed = False
        for space, costs in enumerate(board.cost):
            for other, price in costs.items():
                if not board.water[other] and found[other] + price < found[space]:
                    found[space] = found[other] + price
                    changed = True
    return tuple(found)


def _minion_distance(game: SlowGame, space: int) -> int:
    row = game.board.distance[space]
    return min(row[figure.space] for figure in game.figures)


def _all_ranged(game: SlowGame) -> bool:
    return bool(game.figures) and all(f.kind.attack == "ranged" for f in game.figures)


def _flows_off(game: SlowGame, space: int) -> bool:
    return game.board.current.get(space, space) is None


# --------------------------------------------------------------------------------------------------
# Worth of attacks
# --------------------------------------------------------------------------------------------------


def _life(game: SlowGame, figure: Figure) -> int:
    return game.life_left_of(figure)


def weapon_score(game: SlowGame, mouse: Mouse, space: int, weapon: str, target: Figure) -> float:
    """The score of an attack with a weapon from a space."""
    kind = attacks.weapon_kind(game, space, weapon, target)
    dice = attacks.weapon_dice(game, mouse, space, weapon, target)
    defense = game.defense_of(target) + attacks.defense_change(game, mouse, weapon, target)
    return score(game.box.faces, kind, dice, max(0, defense), _life(game, target))


def _spell_score(game: SlowGame, dice: int, target: Figure) -> float:
    defense = max(0, game.defense_of(target))
    return score(game.box.faces, "ranged", dice, defense, _life(game, target))


def _best_weapon_score(game: SlowGame, mouse: Mouse, space: int) -> float | None:
    """The best score that a weapon has from a space; None without a target."""
    scores = [
        weapon_score(game, mouse, space, weapon, target)
        for weapon in attacks.weapons(game, mouse)
        for target in attacks.weapon_targets(game, space, weapon)
    ]
    return max(scores, default=None)


def _value(game: SlowGame, mouse: Mouse, entry: Entry) -> float | None:
    """Rule 8e: the worth of an attack entry; None for other entries."""
    if entry[0] == "BATTLE":
        return weapon_score(game, mouse, mouse.space, entry[1], game.figure(entry[2]))
    if entry[0] != "ABILITY":
        return None
    effect = game.box.abilities[entry[1]].effect[0]
    worth = _ability_worth(game, mouse, effect, entry[2:])
    return None if worth is None else worth - 0.1 * game.cost(mouse, entry[1])


def _ability_worth(game: SlowGame, mouse: Mouse, effect: Effect, target: Entry) -> float | None:
    """What the attacks of an ability are worth, its cost left out."""
    if effect.op == "magic_ranged_attack":
        dice = effects.magic_dice(game, mouse, effect)
        return _spell_score(game, dice, game.figure(target[0]))
    if effect.op == "magic_attack_all":
        dice = effects.magic_dice(game, mouse, effect)
        here = game.figures_at(game.board.index[target[0]])
        return sum(_spell_score(game, dice, figure) for figure in here)
    if effect.op == "magic_attack_each":
        dice = effects.magic_dice(game, mouse, effect)
        sees = game.board.sees[mouse.space]
        scores = [_spell_score(game, dice, f) for f in game.figures if sees[f.space]]
        return sum(sorted(scores)[::-1][: effects.most_targets(game, mouse, effect)])
    if effect.op == "attack_once_per_equipped":
        knives = effects.tagged(game, mouse, effect)
        near = game.near_figures(mouse.space)
        scores = [weapon_score(game, mouse, mouse.space, k, f) for k in knives for f in near]
        return max(scores) * len(knives)
    if effect.op == "other_mouse_acts" and target[1] == "BATTLE":
        other = game.mouse[target[0]]
        return weapon_score(game, other, other.space, target[2], game.figure(target[3]))
    return None


# --------------------------------------------------------------------------------------------------
# D1: the menu
# --------------------------------------------------------------------------------------------------


def _menu(game: SlowGame, decision: Decision) -> list[Entry]:
    """The first rule that applies."""
    mouse, entries = decision.mouse, decision.entries
    for rule in (_first_things, _out_of_water, _with_minions, _without_minions):
        chosen = rule(game, mouse, entries)
        if chosen:
            return chosen
    return _of(entries, "END")


def _first_things(game: SlowGame, mouse: Mouse, entries: list[Entry]) -> list[Entry]:
    """Rules 1 to 6."""
    for word in ("STAND", "RECOVER", "LEVEL_UP"):
        if found := _of(entries, word):
            return found
    if _of(entries, "EQUIP") and any(_fits(displaced) for displaced in _puts(game, mouse)):
        return _of(entries, "EQUIP")
    shares = [e for e in _of(entries, "SHARE") if _helps(game, mouse, game.mouse[e[1]])]
    if shares:
        return shares
    healing = _named(entries, "first_aid", "si_balm")
    healing = [entry for entry in healing if game.in_danger(game.mouse[entry[2]])]
    return healing + _named(entries, "heal_all", "tinkerers_treasure")


def _puts(game: SlowGame, mouse: Mouse) -> list[list[str]]:
    return [displaced for _, displaced in finds.put_entries(game, mouse)]


def _fits(displaced: list[str]) -> bool:
    return not displaced


def _helps(game: SlowGame, mouse: Mouse, other: Mouse) -> bool:
    """Rule 5: cheese from this mouse lets the other one level up."""
    together = mouse.cheese + other.cheese
    enough = mouse.cheese <= other.cheese < LEVEL_PRICE <= together
    return enough and bool(game.free_abilities(other))


def _out_of_water(game: SlowGame, mouse: Mouse, entries: list[Entry]) -> list[Entry]:
    """Rule 7."""
    if not game.in_water(mouse):
        return []
    leave, swim = _of(entries, "LEAVE_WATER"), _of(entries, "SWIM")
    index = game.board.index
    if not _all_ranged(game):
        cost = exit_distance(game)
        return _highest(
            (e, (len(game.mice_at(index[e[1]])), -min(FAR_ENOUGH, cost[index[e[1]]])))
            for e in leave
        )
    here = _minion_distance(game, mouse.space)
    nearer = [
        entry
        for entry in swim
        if _minion_distance(game, index[entry[1]]) < here and not _flows_off(game, index[entry[1]])
    ]
    valued = []
    for entry in leave + nearer:
        space = index[entry[1]]
        on_land = entry[0] == "LEAVE_WATER"
        mice = len(game.mice_at(space))
        valued.append((entry, (-_minion_distance(game, space), on_land, mice)))
    return _highest(valued)


def _with_minions(game: SlowGame, mouse: Mouse, entries: list[Entry]) -> list[Entry]:
    """Rule 8."""
    if not game.figures:
        return []
    if grapes := _of(entries, "GRAPE"):
        return grapes
    if sparks := _named(entries, "si_spark"):
        return _highest((entry, _spark_value(game, entry)) for entry in sparks)
    boosts = _named(entries, "fortify", "battle_leader", "inspire")
    if game.in_danger(mouse):
        boosts += _named(entries, "invisibility")
    if boosts:
        return boosts
    if scrolls := _named(entries, "cheddar_golem", "slow_scroll"):
        return scrolls
    valued = [(entry, _value(game, mouse, entry)) for entry in entries]
    attack = _highest((entry, value) for entry, value in valued if value is not None and value > 0)
    if attack:
        return attack
    if not mouse.stunned and attacks.battle_entries(game, mouse):
        more = _of(entries, "PAY_ACTION") + _named(entries, "si_second_wind")
        if more:
            return more
    if game.turn.actions and not mouse.stunned:
        return _approach(game, mouse, _of(entries, "MOVE")) or _first_of(
            _healing(entries), _of(entries, "SEARCH"), _of(entries, "SCURRY")
        )
    return []


def _spark_value(game: SlowGame, entry: Entry) -> float:
    """Rule 8b."""
    hits = int(game.box.cards[entry[1]].effect[0]["hits"])
    figure = game.figure(entry[2])
    odds = wounds_of_hits(game.box.faces, hits, max(0, game.defense_of(figure)))
    life = _life(game, figure)
    return at_least(odds, life) if life <= hits else 0.2 * at_least(odds, 1)


def _healing(entries: list[Entry]) -> list[Entry]:
    return _of(entries, "HEAL") + _named(entries, "major_heal", "cure")


def _first_of(*lists: list[Entry]) -> list[Entry]:
    return next((entries for entries in lists if entries), [])


def _approach(game: SlowGame, mouse: Mouse, moves: list[Entry]) -> list[Entry]:
    """Rule 8g: where to go with minions on the tile; STAY is the own space."""
    board = game.board

    def space_of(entry: Entry) -> int:
        return mouse.space if entry[0] == "STAY" else board.index[entry[1]]

    valued = []
    for entry in moves:
        space = space_of(entry)
        worth = _best_weapon_score(game, mouse, space)
        if worth is not None:
            valued.append((entry, worth - 0.05 * len(game.near_figures(space))))
    if valued:
        return _highest(valued)
    here = _minion_distance(game, mouse.space)
    nearer = [
        (entry, -_minion_distance(game, space_of(entry)))
        for entry in moves
        if _minion_distance(game, space_of(entry)) < here
    ]
    dry = [(entry, value) for entry, value in nearer if not board.water[space_of(entry)]]
    if dry or not _all_ranged(game):
        return _highest(dry)
    return _highest((e, v) for e, v in nearer if not _flows_off(game, space_of(e)))


def _without_minions(game: SlowGame, mouse: Mouse, entries: list[Entry]) -> list[Entry]:
    """Rule 9."""
    if game.figures:
        return []
    cost = exit_distance(game)
    scurry = _of(entries, "SCURRY") if cost[mouse.space] > 0 else []
    return _first_of(
        _explore(game, mouse, entries),
        _of(entries, "SEARCH"),
        _healing(entries),
        _go_on(game, mouse, _of(entries, "MOVE")),
        scurry,
    )


def _explore(game: SlowGame, mouse: Mouse, entries: list[Entry], wait: int = 0) -> list[Entry]:
    """Rule 9a: along the route if the party is ready."""
    here = game.mice_here()
    searched = all(game.search_key() in other.searched for other in here)
    complete = not any(other.captured for other in game.mice)
    ready = complete and (game.wheel >= wait or searched)
    if not ready and game.wheel < LONELY:
        return []
    room = next_room(game)
    return [e for e in _of(entries, "EXPLORE") if turns.link_from(game, mouse, e[1])[0] == room]


def _go_on(game: SlowGame, mouse: Mouse, moves: list[Entry]) -> list[Entry]:
    """Rule 9d."""
    board, cost = game.board, exit_distance(game)
    spaces = {entry: board.index[entry[1]] for entry in moves}
    return _highest(
        (entry, -cost[space])
        for entry, space in spaces.items()
        if cost[space] < cost[mouse.space] and not board.water[space]
    )


# --------------------------------------------------------------------------------------------------
# Other decisions
# --------------------------------------------------------------------------------------------------


def _move_again(game: SlowGame, decision: Decision) -> list[Entry]:
    """D3."""
    mouse, entries = decision.mouse, decision.entries
    chosen = _out_of_water(game, mouse, entries)
    if not chosen and game.figures:
        chosen = _approach(game, mouse, _of(entries, "STAY", "MOVE"))
    elif not chosen:
        chosen = _go_on(game, mouse, _of(entries, "MOVE"))
    return chosen or _of(entries, "STAY")


def is_useful(game: SlowGame, mouse: Mouse, card: str) -> bool:
    """Whether H keeps a found card."""
    facts = game.box.cards[card]
    if facts.type == "trick":
        return True
    if not game.meets(mouse, card):
        return False
    if facts.type in {"scroll", "item"}:
        return True
    return finds.has_slot(game, card) and [] in finds.displaced_by(game, mouse, card)


def _found(game: SlowGame, decision: Decision) -> list[Entry]:
    """D4."""
    mouse, entries = decision.mouse, decision.entries
    if entries[0][0] == "KEEP":
        useful = is_useful(game, mouse, decision.about["card"])
        return [("KEEP",) if useful else ("DISCARD",)]
    if entries[0][0] == "PICK":
        types = game.box.cards
        return [
            entry
            for entry in entries
            if types[entry[1]].type == "party" or is_useful(game, mouse, entry[1])
        ]
    return entries


def _submenu(game: SlowGame, decision: Decision) -> list[Entry]:
    """D5."""
    entries, about = decision.entries, decision.about
    if about["kind"] == "equip":
        puts = [e for e in _of(entries, "PUT") if not about["displaced"][e]]
        return puts or _of(entries, "STOP")
    if about["kind"] == "drop":
        return entries
    gift = _of(entries, "GIVE_CHEESE") if about["other"].cheese < LEVEL_PRICE else []
    return gift or _of(entries, "STOP")


def _placement(game: SlowGame, decision: Decision) -> list[Entry]:
    """D6."""
    board = game.board
    return [entry for entry in decision.entries if not board.water[board.index[entry[1]]]]


def _reaction(game: SlowGame, decision: Decision) -> list[Entry]:
    """D9."""
    mouse, about = decision.mouse, decision.about

    def is_wanted(entry: Entry) -> bool:
        if entry[0] == "TRICK":
            effect = game.box.cards[entry[1]].effect[0]
            if effect.op == "reroll_own_attack":
                return about["hits"] == 0
            if effect.op == "cancel_attack":
                return game.in_danger(mouse)
        elif entry[0] == "REACT" and entry[1] in game.box.abilities:
            effect = game.box.abilities[entry[1]].effect[0]
            if effect.op == "redirect_attack_to_self":
                return game.life_left(mouse) > game.life_left(about["victim"])
        return entry[0] != "PASS"

    return [entry for entry in decision.entries if is_wanted(entry)] or [("PASS",)]


def _target(game: SlowGame, decision: Decision) -> list[Entry]:
    """D11."""
    mouse, about = decision.mouse, decision.about
    targets = _of(decision.entries, "TARGET")
    if "weapon" in about:
        weapon = about["weapon"]
        return _highest(
            (e, weapon_score(game, mouse, mouse.space, weapon, game.figure(e[1]))) for e in targets
        )
    if "dice" in about:
        return _highest((e, _spell_score(game, about["dice"], game.figure(e[1]))) for e in targets)
    return targets


_BY_POINT: dict[str, Callable[[SlowGame, Decision], list[Entry]]] = {
    "D1": _menu,
    "D3": _move_again,
    "D4": _found,
    "D5": _submenu,
    "D6": _placement,
    "D9": _reaction,
    "D11": _target,
}
