"""The turn of a minion card: order, movement, victims and attacks (M86-M95, P4, P7)."""

from collections import Counter

from support.mice_and_mystics import attacks, clock, placement
from support.mice_and_mystics.attacks import roll
from support.mice_and_mystics.board import FAR
from support.mice_and_mystics.decisions import Asking, Entry, ask
from support.mice_and_mystics.state import Figure, Mouse, State, effect_of

# --------------------------------------------------------------------------------------------------
# The turn of a card
# --------------------------------------------------------------------------------------------------


def minion_turn(game: State, card: str) -> Asking:
    """P4."""
    game.counts["minion_card_turns"] += 1
    game.attacked = set()
    if card in game.slowed:
        game.slowed.remove(card)
        return
    figures = _in_order(game, [f for f in game.figures if card in game.cards_of(f)])
    _summon(game, figures)
    aggressive = any(effect_of(game.fury(figure).abilities, "aggressive") for figure in figures)
    for figure in figures:
        if game.goes_on(figure):
            yield from _act(game, figure)
    if aggressive and card in game.track:  # M18
        place = game.track.index(card)
        if place:
            game.track[place - 1 : place + 1] = [card, game.track[place - 1]]


def _summon(game: State, figures: list[Figure]) -> None:
    """What each type of the card summons as its turn begins (section 28)."""
    present = {figure.kind.id: game.fury(figure) for figure in figures}
    for name in game.box.minion_order:
        effect = effect_of(present[name].abilities, "summon") if name in present else None
        if effect is not None:
            placement.place(game, {str(effect["minion"]): int(effect["count"])})
            placement.append_to_track(game)


def _in_order(game: State, figures: list[Figure]) -> list[Figure]:
    """Nearest to the mice first, ties at random or as they stand (M86, S4)."""
    mice = game.targets_of_minions()
    distance = {figure: game.distance_to_mice(figure.space, mice) for figure in figures}
    ordered = []
    for steps in sorted(set(distance.values())):
        group = [figure for figure in figures if distance[figure] == steps]
        if game.switch["S4"] == "random":
            game.chance.shuffle(group)
        ordered += group
    return ordered


def _act(game: State, figure: Figure) -> Asking:
    """One figure rolls, moves and attacks."""
    kind = game.fury(figure)
    for op, swoop in (("pounce", _pounce), ("chase", _chase)):
        if effect_of(kind.abilities, op) is not None:
            yield from swoop(game, figure)
            return
    faces = roll(game, kind.move_dice)
    if _stays_at_the_counter(game, figure):
        if any(face.cheese for face in faces):
            game.counter_cheese -= 1
            yield from clock.put_on_wheel(game, 1, "counter")
            yield from clock.settle_surge(game)
        return
    if figure.knocked_down:
        figure.knocked_down = False
    else:
        yield from _move(game, figure, sum(face.number for face in faces))
    if game.goes_on(figure):
        yield from _attack(game, figure)


def _stays_at_the_counter(game: State, figure: Figure) -> bool:
    """M128: roaches on the counter prefer its cheese while no mouse is there."""
    rule = game.rule_here("counter_cheese")
    if rule is None or not game.counter_cheese or figure.kind.figure_pool != "roach":
        return False
    counter = game.board.index[rule.space]
    return figure.space == counter and not game.mice_at(counter)


# --------------------------------------------------------------------------------------------------
# Movement
# --------------------------------------------------------------------------------------------------


def _move(game: State, figure: Figure, number: int) -> Asking:
    """P4a."""
    mice = game.targets_of_minions()
    if not mice or _is_content(game, figure, mice):
        return
    distance = game.board.distance[figure.space]
    nearest = min(mice, key=lambda mouse: (distance[mouse.space], game.track_place(mouse)))
    left = _steps_left(game, figure, nearest.space)
    if game.fury(figure).attack == "ranged" and game.switch["S5"] == "unlimited":
        number = FAR
    for _ in range(number):
        here = left[figure.space]
        ways = [
            space
            for space in game.board.steps[figure.space]
            if left[space] < here and game.may_enter(figure, space)
        ]
        if not ways:
            return
        figure.space = ways[game.chance.below(len(ways))]
        if figure.space in game.set_traps:
            user, hits = game.set_traps.pop(figure.space)
            yield from attacks.hits_without_roll(game, figure, hits, user, "set_trap")
            return
        if game.mice_at(figure.space) or _is_content(game, figure, mice):
            return


def _is_content(game: State, figure: Figure, mice: list[Mouse]) -> bool:
    """In a space with a mouse, or for ranged figures with a mouse in sight (M88, M91)."""
    if any(mouse.space == figure.space for mouse in mice):
        return True
    sees = game.board.sees[figure.space]
    return game.fury(figure).attack == "ranged" and any(sees[mouse.space] for mouse in mice)


def _steps_left(game: State, figure: Figure, goal: int) -> list[int]:
    """R of P4a for all spaces, or d0 if the figure is cut off from the goal."""
    board = game.board
    if game.switch["S18"] == "closed" and game.barred(goal):
        return board.distance[goal]
    taken = {other.space for other in game.figures} | {mouse.space for mouse in game.mice_here()}
    taken |= {space for space in (game.barred_spaces.get(board.id),) if space is not None}
    closed = {space for space in taken if not game.may_enter(figure, space)} - {figure.space}
    found = [FAR] * len(board.spaces)
    found[goal] = 0
    line = [goal]
    for space in line:
        for other in board.steps[space]:
            if found[other] == FAR and other not in closed:
                found[other] = found[space] + 1
                line.append(other)
    return board.distance[goal] if found[figure.space] == FAR else found


# --------------------------------------------------------------------------------------------------
# Pounce and chase
# --------------------------------------------------------------------------------------------------


def _others(game: State, figure: Figure) -> list[Figure]:
    """Minions that count as figures beside a boss (M35)."""
    return [one for one in game.figures if one is not figure and one.kind.size != "token"]


def _pounce(game: State, figure: Figure) -> Asking:
    """M97: to the space with the most figures, whose attack roll every figure there meets."""
    mice, minions = game.targets_of_minions(), _others(game, figure)
    everybody: list[Mouse | Figure] = [*mice, *minions]
    there = Counter(one.space for one in everybody if not game.barred(one.space))
    if not there:
        return
    best = {space for space, n in there.items() if n == max(there.values())}
    for card in game.track:
        on_it: list[Mouse | Figure] = [mouse for mouse in mice if mouse.id == card]
        on_it += [one for one in minions if card in game.cards_of(one)]
        spaces = sorted({one.space for one in on_it} & best)
        if spaces:
            break
    figure.space = spaces[game.chance.below(len(spaces))] if len(best) > 1 else best.pop()
    yield from _sweep(game, figure, {figure.space})


def _chase(game: State, figure: Figure) -> Asking:
    """M98: to one mouse after the other; every figure in a space touched meets the attack roll."""
    number = sum(face.number for face in roll(game, 2))
    touched = {figure.space}
    goal, left = figure.space, game.board.distance[figure.space]
    while number:
        if goal in touched:
            mice = [mouse for mouse in game.targets_of_minions() if mouse.space not in touched]
            if not mice:
                break
            distance = game.board.distance[figure.space]
            goal = min(mice, key=lambda m: (distance[m.space], game.track_place(m))).space
            left = _steps_left(game, figure, goal)
        ways = [
            space
            for space in game.board.steps[figure.space]
            if left[space] < left[figure.space] and game.may_enter(figure, space)
        ]
        if not ways:
            break
        figure.space = ways[game.chance.below(len(ways))]
        touched.add(figure.space)
        number -= 1
        if figure.space in game.set_traps:
            user, hits = game.set_traps.pop(figure.space)
            yield from attacks.hits_without_roll(game, figure, hits, user, "set_trap")
            break
    if game.goes_on(figure):
        yield from _sweep(game, figure, touched)


def _sweep(game: State, figure: Figure, spaces: set[int]) -> Asking:
    """One attack roll against every figure in some spaces: mice by the track, then minions."""
    kind = game.fury(figure)
    mice = sorted(game.targets_of_minions(), key=game.track_place)
    mice = [mouse for mouse in mice if mouse.space in spaces]
    minions = [one for one in _others(game, figure) if one.space in spaces]
    game.counts[f"attacks_by_{kind.id}"] += 1
    faces = roll(game, kind.battle + game.more_minion_dice)
    game.counts[f"dice_by_{kind.id}"] += len(faces)
    if kind.rolls_cheese:
        yield from clock.put_on_wheel(game, sum(face.cheese for face in faces), "attack")
    hits = sum(face.melee if kind.attack == "melee" else face.ranged for face in faces)
    for mouse in mice if hits else []:
        if game.goes_on(figure) and mouse.space is not None:
            target = yield from _redirect(game, mouse)
            if target is None:
                game.counts["minion_attacks_cancelled"] += 1
                continue
            game.counts["minion_hits"] += hits
            yield from _resolve_hits(game, figure, target, hits)
            yield from clock.settle_surge(game)
    for other in minions if hits else []:
        if game.goes_on(figure) and other in game.figures:
            shields, cheese = attacks.defense_roll(game, other, max(0, game.defense_of(other)))
            yield from clock.put_on_wheel(game, cheese, "defense")
            if other in game.figures and hits > shields and game.goes_on(figure):
                other.wounds += hits - shields
                if other.wounds >= other.kind.life:
                    clock.leave(game, other)
                    clock.check_win(game)
    yield from clock.settle_surge(game)


# --------------------------------------------------------------------------------------------------
# Attacks
# --------------------------------------------------------------------------------------------------


def victims(game: State, figure: Figure) -> list[Mouse]:
    """Whom a figure can attack (M92, M54)."""
    mice = game.targets_of_minions()
    near = game.board.near[figure.space]
    close = [mouse for mouse in mice if mouse.space in near]
    if game.fury(figure).attack == "melee":
        return close
    sees = game.board.sees[figure.space]
    if game.switch["S16"] == "ignored":
        close = [mouse for mouse in close if sees[mouse.space]]
    return [mouse for mouse in close or mice if sees[mouse.space]]


def _victim(game: State, figure: Figure) -> Mouse | None:
    """M93: the closest that this card has not attacked yet, then the highest on the track."""
    mice = victims(game, figure)
    fresh = [mouse for mouse in mice if mouse not in game.attacked]
    if fresh:
        distance = game.board.distance[figure.space]
        closest = min(distance[mouse.space] for mouse in fresh)
        mice = [mouse for mouse in fresh if distance[mouse.space] == closest]
    return min(mice, key=game.track_place, default=None)


def _attack(game: State, figure: Figure) -> Asking:
    """One attack, and more for figures whose cheese gives them extra attacks."""
    attacks_left = 1
    kind = game.fury(figure)
    extra = effect_of(kind.abilities, "cheese_rolled_attacking_is_extra_attack")
    while attacks_left and game.goes_on(figure):
        victim = _victim(game, figure)
        if victim is None:
            return
        cheese = yield from _attack_once(game, figure, victim)
        attacks_left += (cheese if extra else 0) - 1


def _attack_once(game: State, figure: Figure, victim: Mouse) -> Asking:
    """P7; the cheese of the attack roll."""
    kind = game.fury(figure)
    game.counts[f"attacks_by_{kind.id}"] += 1
    game.attacked.add(victim)
    target = yield from _redirect(game, victim)
    if target is None:
        game.counts["minion_attacks_cancelled"] += 1
        return 0
    victim = target
    game.attacked.add(victim)
    faces = roll(game, kind.battle + game.more_minion_dice)
    game.counts[f"dice_by_{kind.id}"] += len(faces)
    cheese = sum(face.cheese for face in faces)
    if kind.rolls_cheese:
        yield from clock.put_on_wheel(game, cheese, "attack")
    hits = sum(face.melee if kind.attack == "melee" else face.ranged for face in faces)
    if figure in game.figures and victim.space is not None and hits:
        game.counts["minion_hits"] += hits
        yield from _resolve_hits(game, figure, victim, hits)
    yield from clock.settle_surge(game)
    return cheese


def _redirect(game: State, victim: Mouse) -> Asking:
    """P7 step 1: who is the victim in the end; None if the attack is cancelled."""
    for mouse in game.mice_on_track():
        if mouse.space is None:
            continue
        if mouse is victim:
            entries = attacks.trick_entries(game, mouse, "when_attacked")
        elif mouse.space == victim.space:
            entries = attacks.ability_entries(game, mouse, "when_mouse_in_same_space_attacked")
        else:
            continue
        if not entries:
            continue
        entry = yield from ask(game, "D9", mouse, [("PASS",), *entries], victim=victim)
        if entry[0] == "TRICK":
            attacks.discard_used(game, mouse, entry[1])
            return None
        if entry[0] == "REACT":
            attacks.pay_for(game, mouse, entry[1])
            victim = mouse
            game.attacked.add(victim)
    return victim


def _resolve_hits(game: State, figure: Figure, victim: Mouse, hits: int) -> Asking:
    """P7 steps 4 to 8."""
    if effect_of(game.fury(figure).abilities, "target_cannot_defend") is not None:
        yield from _hurt(game, figure, victim, hits)
        return
    more = yield from _brace(game, victim)
    dice = victim.hero.defense + game.gear(victim, "defense")
    dice += game.lasting_bonus(victim, "defense") + more
    faces = roll(game, max(0, dice))
    blocked = min(hits, sum(face.shield for face in faces))
    game.counts["minion_hits_blocked"] += blocked
    cheese = sum(face.cheese for face in faces)
    thrust = yield from _toothpick(game, figure, victim, cheese)
    if not thrust:
        clock.gain(game, victim, cheese, "defense")
    if hits > blocked:
        yield from _hurt(game, figure, victim, hits - blocked)
    if thrust and figure in game.figures:
        yield from clock.wound_figure(game, figure, thrust, victim, "toothpick")


def _brace(game: State, victim: Mouse) -> Asking:
    """P7 step 4: dice that the victim adds, as often as it can."""
    dice = 0
    while True:
        entries = attacks.ability_entries(game, victim, "when_defending")
        entries += attacks.trick_entries(game, victim, "when_defending")
        if not entries:
            return dice
        entry = yield from ask(game, "D9", victim, [("PASS",), *entries])
        if entry[0] == "PASS":
            return dice
        if entry[0] == "REACT":
            attacks.pay_for(game, victim, entry[1])
            effects = game.box.abilities[entry[1]].effect
        else:
            attacks.discard_used(game, victim, entry[1])
            effects = game.box.cards[entry[1]].effect
        dice += sum(int(effect["delta"]) for effect in effects)


def _toothpick(game: State, figure: Figure, victim: Mouse, cheese: int) -> Asking:
    """P7 step 6: the wounds that the attacker takes in place of the victim's cheese."""
    op = "cheese_in_defense_may_wound_attacker"
    cards = [card for card in game.box.in_order(victim.equipped) if game.box.has(card, op)]
    if not cards or not cheese or figure.space not in game.board.near[victim.space]:
        return 0
    entries: list[Entry] = [("PASS",), *(("REACT", card) for card in cards)]
    entry = yield from ask(game, "D9", victim, entries)
    if entry[0] == "PASS":
        return 0
    game.counts[f"used_{entry[1]}"] += 1
    return cheese


def _hurt(game: State, figure: Figure, victim: Mouse, hits: int) -> Asking:
    """P7 step 7: theft, Resolve, wounds, status, capture."""
    kind = game.fury(figure)
    theft = effect_of(kind.abilities, "steal_cheese")
    stolen = 0
    if theft is not None:
        each = int(theft["per_wound"])
        while hits and victim.cheese > stolen:
            stolen += min(each, victim.cheese - stolen)
            hits -= 1
        clock.pay(game, victim, stolen, "theft")
        if theft["to"] == "wheel":
            yield from clock.put_on_wheel(game, stolen, "theft")
    wounds = hits
    if wounds and (resolve := attacks.ability_entries(game, victim, "when_wounded")):
        entry = yield from ask(game, "D9", victim, [("PASS",), *resolve])
        if entry[0] != "PASS":
            attacks.pay_for(game, victim, entry[1])
            amount = int(game.box.abilities[entry[1]].effect[0]["amount"])
            game.counts["wounds_prevented"] += min(wounds, amount)
            wounds -= min(wounds, amount)
    if not wounds:
        return
    poison = effect_of(kind.abilities, "poison_wounds") is not None
    clock.wound(game, victim, wounds, f"by_{kind.id}", poison=poison)
    status = effect_of(kind.abilities, "on_wound_status")
    if status is not None and status["status"] == "stunned" and not victim.stunned:
        victim.stunned = True
        game.counts["stuns"] += 1
    elif status is not None and status["status"] == "webbed":
        victim.webbed = True
    clock.capture_if_beaten(game, victim, "battle")
