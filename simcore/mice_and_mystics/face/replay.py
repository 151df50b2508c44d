"""One game, played again and told."""

from typing import NamedTuple

import numpy as np

from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.table.records import Outcome
from simcore.mice_and_mystics.table.table import Table

#: How a game ended, in words.
ENDINGS = {
    Outcome.WIN: "The party wins",
    Outcome.LOSS_PAGE: "The party loses: the hourglass has reached the end page",
    Outcome.LOSS_CAPTURED: "The party loses: all mice are captured",
    Outcome.TIMEOUT: "The game is stopped after too many rounds",
}


class Replay(NamedTuple):
    """A game that has been told."""

    record: np.void
    lines: list[str]


def replay_game(table: Table, *, seed: int, game: int, players: tuple[str, ...]) -> Replay:
    """Game ``game`` of a seed, with every choice between two or more entries.

    Raises what `Game` raises.
    """
    played = Game(table, seed=seed, game=game, players=players)
    names = {hero.id: hero.name for hero in table.facts.heroes}
    party = [names[table.ids["heroes"][hero]] for hero in played.state["hero"]]
    lines, clock = [f"Party: {', '.join(party)}."], (-1, -1)
    while (decider := played.decider) is not None:
        now = int(played.record["rounds"]), int(played.state["page"])
        if now != clock:
            clock = now
            lines.append(f"Round {now[0]}, page {now[1]}.")
        labels = played.labels
        option = played.choose()
        lines.append(f"  {names[decider]}: {labels[option]} (of {len(labels)})")
        played.step(option)
    assert played.outcome is not None
    lines.append(f"{ENDINGS[played.outcome]}, on page {played.record['page_final']}.")
    return Replay(played.record, lines)
