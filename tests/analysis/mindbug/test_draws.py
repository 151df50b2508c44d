"""Where many games are drawn, wins and losses stand apart, and little is fair."""

import numpy as np
import pandas as pd
import pytest

from analysis.mindbug.card_strength import cards_table
from analysis.mindbug.game_tables import first_player_table
from analysis.mindbug.tallies import CardTraits, Tally, tally_games
from analysis.verdicts import BAND, NEEDS_GAMES, TOO_STRONG
from reports.mindbug.balance.rows import card_columns
from reports.mindbug.balance.text import (
    _draws_sentences,
    _first_player_sentences,
    card_text,
    cards_text,
)
from support.synthetic import synthetic_cards, synthetic_games

CARDS = synthetic_cards()
RANDOM = ("random", "random")
DRAWN = 0.84


def tally_of(n_games: int) -> Tally:
    """Games most of which are drawn, with a card that is worth a lot in the others."""
    worth = np.where(np.arange(len(CARDS.cards)) == 3, 0.1, 0.0)
    games = synthetic_games(CARDS, n_games, seed=8, worth=worth, draw_rate=DRAWN)
    return tally_games(games, CardTraits.of(CARDS.cards), same_policy=True, mindbugs_each=2)


def cards_of(n_games: int) -> pd.DataFrame:
    """The table ``cards`` of such games."""
    return cards_table(tally_of(n_games), [("set", card) for card in CARDS.cards], RANDOM)


def test_draws_make_no_card_fair() -> None:
    """A card whose score is near the average is too strong where it wins most decided games."""
    cards = cards_of(60_000)
    strong = cards.iloc[3]
    assert strong["advantage_ci_high"] < BAND and strong["verdict"] == TOO_STRONG
    assert strong["band"] == pytest.approx(BAND * (1 - DRAWN), rel=0.02)
    few = cards_of(400)
    assert (few["advantage_ci_high"] - few["advantage_ci_low"]).max() < 0.1
    assert set(few["verdict"]) == {NEEDS_GAMES}


def test_where_nobody_wins_no_card_is_judged() -> None:
    """Games that are all drawn say nothing of a card, however many they are."""
    games = synthetic_games(CARDS, 3000, seed=8, draw_rate=1.0)
    tally = tally_games(games, CardTraits.of(CARDS.cards), same_policy=True, mindbugs_each=2)
    cards = cards_table(tally, [("set", card) for card in CARDS.cards], RANDOM)
    assert set(cards["verdict"]) == {NEEDS_GAMES}


def test_shares_of_results_add_up() -> None:
    """P(win), P(draw) and P(loss) of a card, and of the player who starts, add up to one."""
    cards = cards_of(3000)
    results = cards[[f"dealt_{result}_rate" for result in ("won", "draw", "lost")]]
    np.testing.assert_allclose(results.sum(axis=1), 1)
    np.testing.assert_allclose(results @ [1, 0.5, 0], cards["dealt_win_rate"])
    (first,) = first_player_table(tally_of(3000), RANDOM).to_dict("records")
    assert first["won_rate"] + first["draw_rate"] + first["lost_rate"] == pytest.approx(1)
    assert first["won_rate_ci_low"] < first["won"] / 3000 < first["won_rate_ci_high"]


def test_words_know_of_draws() -> None:
    """No sentence tells a score as games won."""
    tally, cards = tally_of(60_000), cards_of(60_000)
    assert "Card 3 (" in cards_text(cards)
    assert "what is fair is narrower" in " ".join(_draws_sentences(DRAWN))
    [first] = _first_player_sentences(first_player_table(tally, RANDOM))
    assert "draws 84." in first and "loses" in first
    assert "drew 84." in card_text(cards.iloc[3])
    headings = [column.heading for column in card_columns(cards, {}, {})]
    assert {"P(win)", "P(draw)", "P(loss)"} <= set(headings)


def test_without_draws_nothing_of_them_is_told() -> None:
    """The band is the usual one, and the page has no columns of draws."""
    games = synthetic_games(CARDS, 2000, seed=8)
    games = games[games["winner"] >= 0]
    tally = tally_games(games, CardTraits.of(CARDS.cards), same_policy=True, mindbugs_each=2)
    cards = cards_table(tally, [("set", card) for card in CARDS.cards], RANDOM)
    assert set(cards["band"]) == {BAND}
    assert "P(draw)" not in [column.heading for column in card_columns(cards, {}, {})]
