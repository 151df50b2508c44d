"""One row for each search card that came up in a game: what became of it, and the outcome."""

import numpy as np
import pandas as pd

from analysis.mice_and_mystics.game_records import GAMES
from analysis.mice_and_mystics.run_facts import OUTCOMES, RunFacts, party_name
from analysis.registry import Table

_OF_CARD = {
    "drawn": "times that the card was drawn",
    "equipped": "times that it was equipped (PUT, D5)",
    "used": "times that it was used",
    "top8": "copies of it among the top 8 of the first search deck",
}
_OF_GAME = ("route_depth", "rooms_explored", "page_final", "pages_left", "rounds", "captures")

CARD_GAMES = Table(
    "card_games",
    "One row per game and search card that came up in it, in the party's hands or near the top of "
    "its deck",
    {
        "game": "number of the game",
        "policy": "who played all mice",
        "party": "the heroes, as `--party` names them",
        "card_id": "the card",
        **_OF_CARD,
        "won": "whether the game was won",
        "outcome": f"how it ended: {', '.join(OUTCOMES)}",
        **{name: GAMES.columns[name] for name in _OF_GAME},
    },
    files="`tables/card_games.parquet` after `fairdeal analyze RUN --card-games`, or "
    "`analysis.card_games(run)`",
    note=". Every column is a plain number, text or truth value",
    types={
        "game": "int64",
        "policy": "text",
        "party": "text",
        "card_id": "text",
        **dict.fromkeys(_OF_CARD, "int16"),
        "won": "bool",
        "outcome": "text",
        **dict.fromkeys(_OF_GAME, "int16"),
    },
)


def card_games(games: np.ndarray, facts: RunFacts) -> pd.DataFrame:
    """The table ``card_games`` of some games of a run, an array (n_games,) of GAME_RECORD."""
    cards = facts.ids["cards"]
    counts = {name: games[name][:, : len(cards)].astype(np.int16) for name in _OF_CARD}
    row, card = np.nonzero(np.sum([*counts.values()], axis=0))
    parties = np.array([party_name(party) for party in facts.parties], object)
    outcome = np.array(OUTCOMES, object)[games["outcome"][row] - 1]
    return pd.DataFrame(
        {
            "game": games["game"][row],
            "policy": np.full(len(row), facts.player, object),
            "party": parties[facts.party_of(games)[row]],
            "card_id": np.array(cards, object)[card],
            **{name: count[row, card] for name, count in counts.items()},
            "won": outcome == OUTCOMES[0],
            "outcome": outcome,
            **{name: games[name][row].astype(np.int16) for name in _OF_GAME},
        }
    )
