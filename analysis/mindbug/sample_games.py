"""Games to read of each card: one won soon after it was played, and one lost.

They show how a card plays.  They were chosen for that, and say nothing about how often a game goes
that way.
"""

import numpy as np
import pandas as pd

from analysis.mindbug.runs import Run
from simcore.mindbug.table.records import DEALT
from simcore.work.parts import games_of_part, n_parts

#: How many games at the beginning of a run are searched.
SEARCHED = 20_000

# The most telling games end this many turns after the card was played: its player wins on their
# next turn, or loses on the opponent's.
_WON_AFTER, _LOST_AFTER = 2, 1


def sample_games(run: Run, *, searched: int = SEARCHED) -> pd.DataFrame:
    """For each card a game that was won with it and one that was lost, where there are such games.

    Looks at games among the first ``searched`` in which a player played a copy from hand as a turn
    action and kept it.  Of games won, the one that ended nearest to the player's next turn is
    chosen; of games lost, nearest to the opponent's next turn; of several, the first.  Draws and
    stopped games are never chosen.

    Returns
    -------
    DataFrame
        ``card_id``; ``won``, whether the player won who had played it; ``game``, ``player`` (0 or
        1), ``turn_played`` and ``turns`` of the game.  Sorted by card, games won first.

    Raises RunError when a part is damaged.
    """
    found = []
    for part in range(n_parts(run.manifest)):
        if games_of_part(run.manifest, part).start >= searched:
            break
        found.append(_played(run.part(part)))
    plays = pd.concat(found, ignore_index=True)
    plays = plays[plays["game"] < searched]
    after = plays["turns"] - plays["turn_played"]
    plays["away"] = (after - np.where(plays["won"], _WON_AFTER, _LOST_AFTER)).abs()
    plays = plays.sort_values(["card", "won", "away", "game"], ascending=[True, False, True, True])
    best = plays.drop_duplicates(["card", "won"])
    card_ids = best["card"].map(dict(enumerate(run.card_ids)))
    columns = ["card_id", "won", "game", "player", "turn_played", "turns"]
    return best.assign(card_id=card_ids)[columns].reset_index(drop=True)


def _played(games: np.ndarray) -> pd.DataFrame:
    """Every play of a card in decided games: its row number, game, player, turns and result."""
    games = games[games["winner"] >= 0]
    bits = np.uint64(1) << np.arange(DEALT, dtype=np.uint64)
    # Axes: game, player, slot.
    is_played = (games["played"][:, :, None] & bits != 0) & (games["turn_played"] > 0)[:, None, :]
    game, player, slot = np.nonzero(is_played)
    return pd.DataFrame(
        {
            "card": games["cards"][game, slot].astype(int),
            "game": games["game"][game].astype(int),
            "player": player,
            "turn_played": games["turn_played"][game, slot].astype(int),
            "turns": games["turns"][game].astype(int),
            "won": games["winner"][game] == player,
        }
    )
