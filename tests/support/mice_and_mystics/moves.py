"""Movement of mice, water, mousetraps and where mice are put (M28-M46, P2, D2, D3, D6)."""

from dataclasses import dataclass
from heapq import heappop, heappush

from support.mice_and_mystics import clock
from support.mice_and_mystics.attacks import roll
from support.mice_and_mystics.decisions import Asking, Entry, ask
from support.mice_and_mystics.state import Mouse, State


@dataclass
class _Way:
    """The best way found to a space: cheapest, then fewest trapped spaces (D2)."""

    cost: int
    traps: int
    before: int


def reach(game: State, mouse: Mouse, allowance: int) -> dict[int, _Way]:
    """P2: every space a mouse on land can move to, and the way D2 takes."""
    board, start = game.board, mouse.space
    crosses = _crosses_red_lines(game, mouse)
    full = game.full_spaces()
    ends = {figure.space for figure in game.figures if figure.kind.size != "token"}  # M35
    ways = {start: _Way(0, 0, start)}
    line = [(0, start)]  # by rising cost and index
    while line:
        cost_here, here = heappop(line)
        if cost_here > ways[here].cost:
            continue
        if here != start and (here in ends or board.water[here]):
            continue
        costs = board.cost[here]
        if crosses and board.red[here]:
            costs = costs | dict.fromkeys(board.red[here], 1)
        for other, price in costs.items():
            cost = cost_here + price
            if cost > allowance or other in full or other == start:
                continue
            traps = ways[here].traps + (other in game.mousetraps)
            known = ways.get(other)
            if known is None or (cost, traps) < (known.cost, known.traps):
                if known is None or cost < known.cost:
                    heappush(line, (cost, other))
                ways[other] = _Way(cost, traps, here)
    del ways[start]
    return ways


def _crosses_red_lines(game: State, mouse: Mouse) -> bool:
    if not game.board.has_red_lines:
        return False
    return game.is_active(mouse, "cross_red_lines") or game.holds("fish_hook") is not None


def move_entries(game: State, mouse: Mouse, allowance: int) -> list[Entry]:
    """MOVE, LEAVE_WATER and SWIM entries of a mouse that is not knocked down (D1, D3)."""
    if not game.may_leave(mouse):
        return []
    board, here = game.board, mouse.space
    if not board.water[here]:
        return [("MOVE", board.spaces[space]) for space in sorted(reach(game, mouse, allowance))]
    free = [space for space in board.adjacent[here] if not game.is_full(space)]
    land = [space for space in free if not board.water[space]]
    upstream = {space for space, end in board.current.items() if end == here}
    water = [space for space in free if board.water[space] and space not in upstream]
    return [("LEAVE_WATER", board.spaces[space]) for space in land] + [
        ("SWIM", board.spaces[space]) for space in water
    ]


def do_move(game: State, mouse: Mouse, entry: Entry, allowance: int) -> Asking:
    """A MOVE, LEAVE_WATER or SWIM entry."""
    kind, goal = entry[0], game.board.index[entry[1]]
    if kind == "SWIM":
        game.counts["swims"] += 1
        mouse.space = goal
    elif kind == "LEAVE_WATER":
        game.counts["leave_tries"] += 1
        if any(face.star for face in roll(game, 1 + len(game.mice_at(goal)))):
            game.counts["leave_success"] += 1
            _enter(game, mouse, goal)
    else:
        ways = reach(game, mouse, allowance)
        path = [goal]
        while ways[path[-1]].before != mouse.space:
            path.append(ways[path[-1]].before)
        for space in reversed(path):
            if _enter(game, mouse, space):
                break
    yield from ()


def _enter(game: State, mouse: Mouse, space: int) -> bool:
    """A mouse enters a space on foot; whether a mousetrap caught it (M43, M44)."""
    mouse.space = space
    if space not in game.mousetraps or game.innate(mouse, "immune_mousetrap"):
        return False
    game.counts["traps_entered"] += 1
    if any(face.star for face in roll(game, trap_dice(game, mouse))):
        return False
    game.counts["traps_sprung"] += 1
    game.mousetraps.remove(space)
    mouse.knocked_down = True
    game.turn.over = True
    clock.gain(game, mouse, 1, "trap")
    clock.wound(game, mouse, 1, "trap")
    clock.capture_if_beaten(game, mouse, "trap")
    return True


def trap_dice(game: State, mouse: Mouse) -> int:
    """Dice against a mousetrap (M43, S9)."""
    if "tinkerer" not in mouse.hero.classes:
        return game.move(mouse)
    lore = game.lore(mouse)
    return lore if game.switch["S9"] == "lore" else max(game.move(mouse), lore)


def extra_move(game: State, mouse: Mouse) -> Asking:
    """Scurry or an extra move: roll and move again, or stay (M45, D3)."""
    number = roll(game, 1)[0].number
    allowance = game.move(mouse) + number
    entries = [("STAY",), *move_entries(game, mouse, allowance)]
    entry = yield from ask(game, "D3", mouse, entries, allowance=allowance)
    if entry[0] != "STAY":
        yield from do_move(game, mouse, entry, allowance)


def drift(game: State, mouse: Mouse) -> None:
    """M40: a mouse in a current is carried along it at the end of its turn."""
    if mouse.space is None or mouse.space not in game.board.current:
        return
    goal = game.board.current[mouse.space]
    if goal is None:
        game.counts["drifts"] += 1
        clock.capture(game, mouse, "drift")
    elif not game.is_full(goal):
        game.counts["drifts"] += 1
        mouse.space = goal


# --------------------------------------------------------------------------------------------------
# Putting mice on spaces (D6)
# --------------------------------------------------------------------------------------------------


def put(game: State, mouse: Mouse, spaces: list[int]) -> Asking:
    """A mouse comes onto one of these spaces; movement rules and traps do not apply."""
    entries: list[Entry] = [("PLACE", game.board.spaces[space]) for space in sorted(spaces)]
    entry = yield from ask(game, "D6", mouse, entries)
    mouse.space = game.board.index[entry[1]]


def free_of(game: State, spaces: list[int]) -> list[int]:
    """Those with room, else their neighbours with room."""
    next_to = sorted({other for space in spaces for other in game.board.adjacent[space]})
    free = [space for space in spaces if not game.is_full(space)]
    return free or [space for space in next_to if not game.is_full(space)]


def _with_or_next_to(game: State, mice: list[Mouse]) -> list[int]:
    """Spaces with room in or next to those of mice, any with room if there is none (M107)."""
    near = {space for mouse in mice for space in game.board.near[mouse.space]}
    free = [space for space in near if not game.is_full(space)]
    return free or [s for s in range(len(game.board.spaces)) if not game.is_full(s)]


def rescue(game: State, mouse: Mouse) -> Asking:
    """M107: a captured mouse returns in or next to a space with another mouse."""
    mouse.captured = False
    game.counts["rescues"] += 1
    yield from put(game, mouse, _with_or_next_to(game, game.mice_here()))


def bring_back(game: State, searcher: Mouse) -> Asking:
    """M126: a missing mouse returns in or next to the space of the searcher."""
    mouse = next(mouse for mouse in game.mice if mouse.missing)
    mouse.missing = False
    yield from put(game, mouse, _with_or_next_to(game, [searcher]))
