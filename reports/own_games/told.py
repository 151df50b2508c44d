"""A game that somebody brings, told: every choice, every card that moves, and what rules note."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from analysis.runs import Run
from simcore.contract.play import Play
from simcore.own_games.run import ENTRIES, OwnGames, record_at, table_of
from simcore.sealed import RunError, read_file
from simcore.work.parts import deal_of


class ToldGame(NamedTuple):
    """One game: its record, and what happened, line by line."""

    record: np.void
    lines: list[str]


def tell(run: Run, game: int) -> ToldGame:
    """A game of a run, played again.  Raises RunError where it goes otherwise by now."""
    manifest = run.manifest
    text = read_file(run.folder / ENTRIES) if manifest["kinds"] else b""
    table = table_of(manifest, text)
    seed, number = deal_of(manifest, game)
    play = Play(table, seed, number, told=True)
    lines = [*happened(play, play.log())]
    while not play.over:
        play.choose(play.think(manifest["policies"][play.seat]))
        lines += happened(play, play.log())
    lines += ended(play)
    record = np.zeros(1, record_at(table))
    OwnGames(table, seed, manifest["policies"]).write(play, record[0])
    record["game"] = game
    part, place = divmod(game, manifest["part_games"])
    if record[0] != run.part(part)[place]:
        raise RunError(f"game {game} of {run.folder} goes otherwise by now: its rules have changed")
    return ToldGame(record[0], lines)


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
