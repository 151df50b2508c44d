"""Cards that came from the unused pile count like any other once they are played or taken."""

from collections import Counter

import numpy as np
import pytest

from analysis.mindbug import expand_cards
from analysis.mindbug.card_strength import cards_table
from analysis.mindbug.expansion_tables import sets_table
from analysis.mindbug.expansion_tallies import ExpansionFeatures, tally_expansions
from analysis.mindbug.keywords import keywords_table
from analysis.mindbug.paired_sums import CARD_MEASURES, PairCounter
from analysis.mindbug.tallies import CardTraits, tally_games
from card_data.mindbug import load_pool
from card_data.mindbug.schema import Pool
from simcore.mindbug import CardTable, Game, compile_cards, play_games
from simcore.mindbug.table.records import DEALT, GAME_RECORD
from simcore.mindbug.table.state import Phase
from support.slow_tables import slow_keyword_counts

RANDOM = ("random", "random")
SEED, N_GAMES = 11, 80
#: King of Tokyo draws single cards from the unused pile (C55 on); Future Eric takes two (C61).
POOLS = [["king_of_tokyo"], ["promos"], ["king_of_tokyo", "promos", "first_contact"]]


@pytest.fixture(scope="module", params=POOLS, ids="+".join)
def pool(request: pytest.FixtureRequest) -> Pool:
    """A pool some of whose cards reach into the unused pile."""
    return load_pool(request.param)


def entries(game: Game) -> set[tuple[int, str, str]]:
    """Player, card and whether they played or took it: what a game shows while it is stepped."""
    found = set()
    while not game.over:
        if game.waits:
            game.step_option(game.choose("random"))
            continue
        entering = game.snapshot()["limbo"] if game.phase == Phase.ENTER else []
        names = {slot: game.card(slot).card_id for slot in entering}
        active = game.snapshot()["active"]
        game.step_phase()
        for slot, name in names.items():
            mine = slot in game.snapshot()["players"][active]["play"]
            found.add((active, name, "played") if mine else (1 - active, name, "taken"))
    return found


def counted(table: CardTable) -> Counter[tuple[str, str]]:
    """Player-games by card and selection, from stepping the games."""
    counts: Counter[tuple[str, str]] = Counter()
    for number in range(N_GAMES):
        found = entries(Game(table, seed=SEED, game=number, to_decision=False))
        counts.update((name, how) for _, name, how in found)
        counts.update((name, "lost_to_mindbug") for _, name, how in found if how == "taken")
        counts.update((name, "entered") for _, name in {(who, name) for who, name, _ in found})
    return counts


def test_every_copy_counts_whatever_pile_it_came_from(pool: Pool) -> None:
    """R34, R36: all tables count the plays and thefts that one sees when the games are stepped."""
    table = compile_cards(pool.sets, pool.modes)
    games = play_games(table, n_games=N_GAMES, seed=SEED)
    assert (games["unused_cards"] >= 0).any()
    expected = counted(table)
    named = list(zip(table.set_ids, table.cards, strict=True))
    tally = tally_games(games, CardTraits.of(table.cards), same_policy=True, mindbugs_each=2)
    cards = cards_table(tally, named, RANDOM).set_index("card_id")
    rows = expand_cards(games, [card.card_id for card in table.cards])
    counter = PairCounter(pool, pool, RANDOM)
    units = counter.count_units(games, games[:0])[0]
    for selection in ("played", "taken", "lost_to_mindbug", "entered"):
        mine = {card: expected[card, selection] for card in cards.index}
        assert cards[f"{selection}_n"].to_dict() == mine
        of_rows = rows[rows[selection]].groupby("card_id", observed=False).size()
        assert of_rows.loc[cards.index].to_dict() == mine
        sums = units[: len(counter.units.cards), CARD_MEASURES.index(selection), 1]
        assert dict(zip(counter.units.cards, sums.tolist(), strict=True)) == mine
    assert cards["dealt_n"].sum() <= DEALT * N_GAMES


def test_keywords_and_sets_count_them_too(pool: Pool) -> None:
    """The tables by keyword and by set count every card that was played or taken, like the loops.

    Such cards are never among those dealt or drawn.
    """
    table = compile_cards(pool.sets, pool.modes)
    games = play_games(table, n_games=N_GAMES, seed=SEED)
    tally = tally_games(games, CardTraits.of(table.cards), same_policy=True, mindbugs_each=2)
    keywords = keywords_table(tally, table.cards, RANDOM)
    slow = slow_keyword_counts(games, table.cards)
    for selection in ("dealt", "drawn", "played", "taken", "entered"):
        expected = slow[slow[selection] > 0].groupby(["keyword", selection]).size()
        found = keywords[(keywords[f"{selection}_n"] > 0) & (keywords["n_cards"] > 0)]
        assert (
            found.set_index(["keyword", "n_cards"])[f"{selection}_n"].to_dict()
            == expected.to_dict()
        )
    features = ExpansionFeatures(pool)
    sets = sets_table(tally_expansions(games, features, same_policy=True), features, RANDOM)
    if len(pool.sets) > 1:
        for selection in ("played", "taken"):
            assert sets[f"{selection}_n"].sum() == np.bitwise_count(games[selection]).sum(dtype=int)
        assert sets["dealt_n"].sum() == DEALT * N_GAMES


def test_games_tell_the_cards_of_the_unused_pile_that_entered() -> None:
    """The record has a row for each slot beyond those dealt that was played or taken, else -1."""
    pool = load_pool(["king_of_tokyo"])
    games = play_games(compile_cards(pool.sets, pool.modes), n_games=2000, seed=SEED)
    masks = np.bitwise_or.reduce(games["played"] | games["taken"], axis=1)
    n_slots = DEALT + GAME_RECORD["unused_cards"].shape[0]
    for slot in range(DEALT, n_slots):
        seen = masks >> np.uint64(slot) & np.uint64(1) == 1
        np.testing.assert_array_equal(games["unused_cards"][:, slot - DEALT] >= 0, seen)
