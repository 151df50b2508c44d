"""Plain loops that count what `analysis` counts, written from the definitions of the views."""

import numpy as np
import pandas as pd
import statsmodels.api as sm

from card_data.mindbug.schema import Card
from card_data.mindbug.vocabulary import Keyword


def slots_of(mask: np.integer) -> set[int]:
    """The slots of a mask."""
    return {slot for slot in range(64) if int(mask) >> slot & 1}


def cards_of(game: np.void) -> list[int]:
    """The row of the card table of each slot, -1 for cards that nobody saw."""
    return [*game["cards"].tolist(), *game["unused_cards"].tolist()]


def slow_player_selections(games: np.ndarray, cards: tuple[Card, ...]) -> pd.DataFrame:
    """One row per game, player and card of theirs: booleans for the selections, and ``used``."""
    rows = []
    for game in games:
        drawn = slots_of(game["drawn"])
        for player in (0, 1):
            hand = set(range(10 * player, 10 * player + 10))
            played, taken = slots_of(game["played"][player]), slots_of(game["taken"][player])
            lost = slots_of(game["taken"][1 - player])
            for index in sorted(set(game["cards"].tolist())):
                copies = {slot for slot in range(20) if game["cards"][slot] == index}
                row = {
                    "dealt": bool(copies & hand),
                    "drawn": bool(copies & hand & drawn),
                    "not_drawn": bool(copies & hand) and not copies & hand & drawn,
                    "played": bool(copies & played),
                    "taken": bool(copies & taken),
                    "lost_to_mindbug": bool(copies & lost),
                    "entered": bool(copies & (played | taken)),
                }
                if not any(row.values()):
                    continue
                used = bool(copies & hand & drawn & (played | lost))
                score = 0.5 if game["winner"] < 0 else float(game["winner"] == player)
                rows.append(
                    {
                        "game": game["game"],
                        "player": player,
                        "card_id": cards[index].card_id,
                        "score": score,
                        "used": used,
                        **row,
                    }
                )
    return pd.DataFrame(rows)


def slow_plays(games: np.ndarray, cards: tuple[Card, ...]) -> pd.DataFrame:
    """One row per game and slot: card, owner, offers, thefts and turn played."""
    return pd.DataFrame(
        {
            "game": game["game"],
            "player": slot // 10,
            "card_id": cards[game["cards"][slot]].card_id,
            "offers": int(game["offers"][slot]),
            "thefts": int(game["thefts"][slot]),
            "turn": int(game["turn_played"][slot]),
        }
        for game in games
        for slot in range(20)
    )


def slow_keyword_counts(games: np.ndarray, cards: tuple[Card, ...]) -> pd.DataFrame:
    """One row per game, player and keyword: their cards with it by selection, and the power."""
    rows = []
    for game in games:
        drawn = slots_of(game["drawn"])
        for player in (0, 1):
            hand = set(range(10 * player, 10 * player + 10))
            played, taken = slots_of(game["played"][player]), slots_of(game["taken"][player])
            selections = {
                "dealt": hand,
                "drawn": hand & drawn,
                "not_drawn": hand - drawn,
                "played": played,
                "taken": taken,
                "lost_to_mindbug": slots_of(game["taken"][1 - player]),
                "entered": played | taken,
            }
            score = 0.5 if game["winner"] < 0 else float(game["winner"] == player)
            power = sum(cards[game["cards"][slot]].power for slot in hand)
            rows += [
                {"game": game["game"], "player": player, "keyword": keyword.name}
                | {"score": score, "power": power}
                | {
                    selection: sum(
                        keyword in cards[cards_of(game)[slot]].keywords for slot in slots
                    )
                    for selection, slots in selections.items()
                }
                for keyword in Keyword
            ]
    return pd.DataFrame(rows)


def clustered(values: pd.Series, games: pd.Series) -> tuple[float, float]:
    """Mean and clustered standard error by statsmodels."""
    fit = sm.OLS(values.to_numpy(float), np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": games.to_numpy()}
    )
    return float(fit.params[0]), float(fit.bse[0])
