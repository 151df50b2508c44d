"""A game that somebody brings, told: every choice, every card that moves, and what rules note."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from analysis.runs import Run
from simcore.contract.faults import GameError
from simcore.contract.play import Play
from simcore.own_games.setup import ENTRIES, table_of
from simcore.sealed import RunError, read_file
from simcore.work.parts import deal_of

# The fields of a record that say how a game went, and nothing of what is counted of it.
_RESULT = "decisions", "first", "deal", "outcome", "points"


class ToldGame(NamedTuple):
    """One game: its record, and what happened, line by line."""

    record: np.void
    lines: list[str]


def tell(run: Run, game: int) -> ToldGame:
    """A game of a run, played again.  Raises RunError where it goes otherwise by now."""
    manifest = run.manifest
    text = read_file(run.folder / ENTRIES) if manifest["kinds"] else b""
    table = table_of(manifest, text, as_played=False)
    part, place = divmod(game, manifest["part_games"])
    record, lines, is_same = run.part(part)[place], list[str](), False
    with suppress(GameError):  # of other rules than were played
        play = Play(table, *deal_of(manifest, game), told=True)
        lines += _story(play, manifest["policies"])
        result = play.decisions, play.first, play.deal, play.outcomes, play.points
        is_same = result == tuple(record[name].tolist() for name in _RESULT)
    if not is_same:
        raise RunError(
            f"game {game} of {run.folder} no longer goes the same way: {table.game.file} has other"
            " rules"
            " than it was played with"
        )
    return ToldGame(record, lines)


def _story(play: Play, players: Sequence[str]) -> Iterator[str]:
    """A game from its beginning to its end, with the options of each decision, line by line."""
    yield from happened(play, play.log())
    while not play.over:
        chosen = play.think(players[play.seat])
        options = map(play.said, play.options)
        marked = (f"[{one}]" if at == chosen else one for at, one in enumerate(options))
        yield from ("", f"Decision {play.decisions + 1}: seat {play.seat + 1}")
        yield f"  ? {' | '.join(marked)}"
        play.choose(chosen)
        yield from happened(play, play.log())
    yield from ("", *ended(play))


def happened(play: Play, log: Iterable[tuple[Any, ...]], seat: int | None = None) -> Iterator[str]:
    """What happened, line by line; as a ``seat`` may see it, or with nothing hidden."""
    for what, *more in log:
        if what == "choice":
            who, option = more
            play_seat, play.seat = play.seat, who
            yield f"Seat {who + 1}: {play.said(option)}"
            play.seat = play_seat
        elif what == "note":
            yield f"  {more[0]}"
        else:
            card, before, after = more
            zones = [zone for zone in (before, after) if zone is not None]
            name = "a card"
            if seat is None or any(zone.seen(seat) for zone in zones):
                name = card.name
            yield f"  {name}: {' to '.join(map(zone_name, zones))}"


def ended(play: Play) -> Iterator[str]:
    """How a game ended."""
    unit = play.table.game.unit
    for seat, (points, outcome) in enumerate(zip(play.points, play.outcomes, strict=True)):
        yield f"Seat {seat + 1} ends with {points:g}: {outcome / unit:.2f}"


def zone_name(zone: Any) -> str:
    """A zone in words: "hand of seat 1"."""
    name = zone.name.replace("_", " ")
    return name if zone.seat is None else f"{name} of seat {zone.seat + 1}"
