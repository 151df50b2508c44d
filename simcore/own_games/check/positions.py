"""Positions of a game: looking changes nothing, copies play alike, nothing hidden shows."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType, GeneratorType
from typing import Any

from simcore.contract.faults import RuleError, place_of
from simcore.contract.game import RANDOM
from simcore.contract.luck import Luck, address_of
from simcore.contract.play import Play, Table
from simcore.contract.rules import RESERVED, Option, Rules, carry_out, options_of
from simcore.contract.state import Cards, Zone, is_seen
from simcore.own_games.check.findings import FAULT, WARNING, Budget, Finding

_GAMES, _WORLDS, _OPTIONS, _MANY_OPTIONS = 6, 4, 6, 200


def positions(table: Table, budget: Budget, _: Any) -> Iterator[Finding]:
    """What is asked at every third decision of some games."""
    hidden = differing = 0
    for number in budget.numbers(_GAMES):
        play = Play(table, 0, number)
        while not play.over:
            if play.decisions % 3 == 0:
                with play.telling():
                    yield from _at(play)
                    there, differ = _differing(play)
                    hidden, differing = hidden + there, differing + differ
            play.choose(play.think(RANDOM))
        with play.telling():
            yield from _looking(play.rules, {"scores": play.rules.scores})
    if hidden and not differing:
        yield Finding(
            WARNING,
            "every imagined game was the true one: possible or could_hold refuse all others, and"
            " players that look ahead see what is hidden",
        )


def _at(play: Play) -> Iterator[Finding]:
    rules, seat = play.rules, play.seat
    asked: dict[str, Callable[[], Any]] = {"options": lambda: [*rules.options(seat)]}
    if hasattr(rules, "standing"):
        asked["standing"] = lambda: rules.standing(seat)
    if findings := [*_looking(rules, asked)]:
        yield from findings
        return
    if len([*rules.options(seat)]) > _MANY_OPTIONS:
        yield Finding(
            WARNING, f"a seat has over {_MANY_OPTIONS} options: let it choose in smaller steps"
        )
    yield from _free_state(play.rules)
    luck = Luck(address_of(play.seed, play.number)).fork("check", play.decisions)
    worlds = [play.rules.imagined(play.seat, luck) for _ in range(_WORLDS)]
    yield from _imagined(play, worlds)
    yield from _carried_out(play, worlds)
    yield from _own_players(play, worlds)


def _looking(rules: Rules, asked: Mapping[str, Callable[[], Any]]) -> Iterator[Finding]:
    """What is only to look changes nothing, and answers the same again."""
    for name, method in asked.items():
        where = place_of(RuleError(name, getattr(type(rules), name)))
        before = _state(rules)
        first, after = method(), _state(rules)
        if after != before:
            yield Finding(
                FAULT, f"{where}: {name} changes the game or draws luck: it may only look"
            )
        elif first != method():
            yield Finding(FAULT, f"{where}: {name} gives another answer when it is asked again")


def _imagined(play: Play, worlds: Sequence[Rules]) -> Iterator[Finding]:
    rules, seat = play.rules, play.seat
    offered, sight = {*rules.options(seat)}, _sight(rules, seat)
    for world in worlds:
        if _sight(world, seat) != sight:
            yield Finding(
                FAULT,
                "a seat sees something else in an imagined game: hidden and unseen may change only"
                " what the seat does not see",
            )
        elif {*world.options(seat)} != offered:
            yield Finding(
                FAULT,
                "options of a seat depend on what it does not see: say in seen_by who sees the"
                " zone, or offer by what the seat knows",
            )
    possible = getattr(rules, "possible", None)
    if possible is not None and not possible(seat):
        yield Finding(FAULT, "possible refuses the game as it is: it may refuse others only")


def _carried_out(play: Play, worlds: Sequence[Rules]) -> Iterator[Finding]:
    """Options in copies, with the same luck."""
    rules, seat, options = play.rules, play.seat, play.options
    before = _state(rules)
    for option in options[:: len(options) // _OPTIONS + 1]:
        one, other = (_after(rules, seat, option) for _ in range(2))
        if _state(one) != _state(other):
            yield Finding(FAULT, "two copies of a game go on otherwise: they share something")
        if _state(rules) != before:
            yield Finding(
                FAULT,
                "an option that is carried out in a copy of a game changes the game: something is"
                " kept on the class or in the module",
            )
            return
        first, second = (_after(world, seat, option) for world in worlds[:2])
        acting = [world.__dict__["acting"] for world in (first, second)]
        if None in acting or acting[0] == acting[1]:
            continue
        if _sight(first, seat, without_acting=True) == _sight(second, seat, without_acting=True):
            yield Finding(
                FAULT,
                f"who is asked after '{play.said(option)}' depends on cards that are hidden, and"
                " gives them away: ask every seat that could have an answer by what all see",
            )


def _after(rules: Rules, seat: int, option: Option) -> Rules:
    """A copy in which an option was carried out; seats beside it choose their first."""
    new = rules._copied(Luck(0))
    acting = rules.__dict__["acting"]
    together = acting if isinstance(acting, tuple) else (seat,)
    carry_out(new, [(one, option if one == seat else options_of(new, one)[0]) for one in together])
    return new


def _own_players(play: Play, worlds: Sequence[Rules]) -> Iterator[Finding]:
    for name, player in play.table.game.players.items():
        chosen = {
            player(world._copied(Luck(0)), play.seat, tuple(play.options), Luck(1))
            for world in worlds
        }
        if len(chosen) > 1:
            yield Finding(
                WARNING,
                f"the player {name} chooses by cards that its seat does not see: those it is shown"
                " are imagined, so it chooses partly by chance",
            )


def _free_state(rules: Rules) -> Iterator[Finding]:
    """State that is not declared: data that can be copied, each list in one place."""
    places: dict[int, str] = {}
    for name, value in rules.__dict__.items():
        if name in rules._declared or name in RESERVED or name in ("_notes", "_log"):
            continue
        for thing in _parts(value):
            if isinstance(thing, FunctionType | GeneratorType):
                what = "function" if isinstance(thing, FunctionType) else "generator"
                yield Finding(FAULT, f"self.{name} holds a {what}: keep plain data there")
            elif isinstance(thing, list | dict | set):
                if id(thing) in places:
                    where = dict.fromkeys((places[id(thing)], f"self.{name}"))
                    yield Finding(
                        WARNING,
                        f"one list stands in two places of {' and '.join(where)}: what is put in"
                        " one is in both",
                    )
                places[id(thing)] = f"self.{name}"


def _parts(value: Any, seen: frozenset[int] = frozenset()) -> Iterator[Any]:
    yield value
    if id(value) in seen or not isinstance(value, list | tuple | set | dict):
        return
    for one in value.values() if isinstance(value, dict) else value:
        yield from _parts(one, seen | {id(value)})


def _differing(play: Play) -> tuple[int, int]:
    """Whether different cards are hidden from a seat in one pool, and an imagined game differs."""
    rules, seat = play.rules, play.seat
    pools: dict[str, set[Any]] = {}
    for zone in rules.zones():
        hidden = {card for place, card in enumerate(zone) if not zone.sees(seat, place)}
        pools.setdefault(zone.declared.group, set()).update(hidden)
    if not any(len(cards) > 1 for cards in pools.values()):
        return 0, 0
    world = rules.imagined(seat, Luck(play.decisions))
    return 1, [[*zone] for zone in world.zones()] != [[*zone] for zone in rules.zones()]


def _sight(rules: Rules, seat: int, *, without_acting: bool = False) -> dict[str, Any]:
    """What a seat sees of the declared state."""
    found: dict[str, Any] = {} if without_acting else {"acting": rules.__dict__["acting"]}
    for zone in rules.zones():
        found[str(zone)] = [
            card.id if zone.sees(seat, place) else None for place, card in enumerate(zone)
        ]
    for name, one in rules._declared.items():
        if isinstance(one, Cards):
            continue
        by, values = getattr(one, "seen_by", "all"), rules.__dict__[name]
        for owner, value in enumerate(values) if one.per_seat else [(None, values)]:
            if is_seen(by, owner, seat):
                found[f"{name} of {owner}"] = repr(value)
    return found


def _state(rules: Rules) -> str:
    """All that a game holds, and how much luck was drawn, as text that can be compared."""
    held = rules.__dict__.items()
    state = {name: value for name, value in held if name not in ("setup", "rng", "_log")}
    for zone in rules.zones():
        state[str(zone)] = (zone._cards, zone._known, zone._marks)
    luck = sorted(map(repr, rules.rng._counters.items()))
    return repr(
        [
            (name, value)
            for name, value in state.items()
            if not isinstance(value, Zone)
            and not (isinstance(value, tuple) and value and isinstance(value[0], Zone))
        ]
        + [luck]
    )
