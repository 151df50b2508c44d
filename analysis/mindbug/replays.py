"""Games of a run: played once more and told, in words or step by step; and which to read of a card.

Of each card two show how it plays: one won soon after it was played, and one lost.  They were
chosen for that, and say nothing about how often a game goes that way.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import pandas as pd

from analysis.mindbug.contract import ANALYSIS
from analysis.mindbug.game_records import plays_of
from analysis.mindbug.runs import Run
from analysis.runs import play_again
from card_data.mindbug.schema import Pool
from simcore.mindbug import compile_cards
from simcore.mindbug.face.replay import replay_game
from simcore.mindbug.face.steps import step_through
from simcore.narration import Replay, Stepped
from simcore.work.parts import games_of_part, n_parts

_Told = TypeVar("_Told", Replay, Stepped)
#: How many games at the beginning of a run are searched.
SEARCHED = 20_000


def replay(run: Run, game: int) -> Replay:
    """The story of game number ``game`` of a run, checked against the record of that game.

    Raises
    ------
    RunError
        When the part or the cards are damaged, a player has other weights now, or this version
        plays the game otherwise.
    ValueError
        When the run has no such game.
    """
    return next(replays(run, run.pool(), [game]))


def stepped(run: Run, game: int) -> Stepped:
    """Game number ``game`` of a run step by step, checked as in `replay`, which says the errors."""
    return next(_again(run, run.pool(), [game], step_through))


def replays(run: Run, pool: Pool, games: Iterable[int]) -> Iterator[Replay]:
    """The stories of several games, as `replay` tells them; ``pool`` is that of the run."""
    return _again(run, pool, games, replay_game)


def _again(
    run: Run, pool: Pool, games: Iterable[int], play: Callable[..., _Told]
) -> Iterator[_Told]:
    """Games with the cards of a run."""
    table, policies = compile_cards(pool), run.manifest["policies"]
    ANALYSIS.check_players(run)

    def told(seed: int, number: int) -> _Told:
        return play(table, seed=seed, game=number, policies=policies)

    return (play_again(run, game, told) for game in games)


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
        found.append(plays_of(run.part(part)))
    plays = pd.concat(found, ignore_index=True)
    plays = plays[plays["game"] < searched]
    plays = plays.sort_values(["card", "won", "away", "game"], ascending=[True, False, True, True])
    best = plays.drop_duplicates(["card", "won"])
    card_ids = best["card"].map(dict(enumerate(run.card_ids)))
    columns = ["card_id", "won", "game", "player", "turn_played", "turns"]
    return best.assign(card_id=card_ids)[columns].reset_index(drop=True)
