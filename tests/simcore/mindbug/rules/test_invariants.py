"""What holds in every game, whoever plays: zones, hands, options, records, caps, repeatability."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_data.mindbug import parse_set
from simcore.mindbug import (
    DEALT,
    DEALT_EACH,
    GAME_RECORD,
    RUNGS,
    CardTable,
    Creature,
    Decision,
    Ending,
    Game,
    Side,
    compile_cards,
    play_games,
)
from support.fast_game import SETS, FastGame, card_table
from support.lockstep import random_position
from support.positions import ZONES, board
from support.reference_cards import SETS as SHIPPED

MODES = ("turn", "action")
FIRST_CONTACT = SETS[:1]
QUICK = RUNGS[:-1]


def slots(mask: np.integer[Any] | int) -> set[int]:
    """The slots of a mask."""
    return {slot for slot in range(64) if int(mask) >> slot & 1}


def check_state(game: Game, n_cards: int, n_power_cards: int) -> None:
    """What must be true at every decision and at the end."""
    state = game.snapshot()
    players = state["players"]
    _check_places(state, n_cards, n_power_cards)
    stopped = "NO_CARDS_TO_HAND" in game_rules(game, state)
    for player in players:
        assert player["life"] >= 0
        assert player["mindbugs"] >= 0
        assert player["energy"] >= 0  # R108
        full = len(player["hand"]) >= 5 or not player["draw"]
        assert game.over or full or stopped  # R27, C44
    assert all(creature["power"] >= 1 for creature in state["creatures"].values())  # R86
    assert not game.over or not game.options
    if not game.over:
        assert all(player["life"] > 0 for player in players)  # R14
        assert len(game.options) >= 2  # R120
        assert len(set(game.options)) == len(game.options)
        # A card in no zone is being played (R34), or was given (C15), whatever is asked meanwhile.
        if game.decision in (Decision.ACTION, Decision.BUY, Decision.BLOCK, Decision.HUNT):
            assert state["limbo"] == []
        assert (game.decision == Decision.MINDBUG) <= (len(state["limbo"]) == 1)
        assert state["waiting"] == 0 or game.decision != Decision.ACTION  # R58
        assert game.decision != Decision.ORDER or state["waiting"] >= len(game.options)
        assert game.decider in (0, 1)


def game_rules(game: Game, state: dict[str, Any]) -> set[str]:
    """The rules that creatures in play print."""
    faces = {creature["face"] for creature in state["creatures"].values()}
    cards = [card for card in game._table.cards if card.card_id in faces]
    return {rule.rule.name for card in cards for rule in card.constant}


def _check_places(state: dict[str, Any], n_cards: int, n_power_cards: int) -> None:
    """Every card is in exactly one zone, boosts under creatures in play (R103); so power cards."""
    players = state["players"]
    zones = [player[zone] for player in players for zone in ZONES]
    boosts = [creature["boosts"] for creature in state["creatures"].values()]
    places = sum([*zones, *boosts], state["limbo"] + state["set_aside"])
    # Cards leave the unused pile one after another, with the next numbers (R32).
    assert sorted(places) == list(range(len(places)))
    assert len(places) >= n_cards
    assert sorted(state["creatures"]) == sorted(players[0]["play"] + players[1]["play"])
    powers = state["display"] + state["power_deck"] + state["power_discard"]
    assert len(set(powers)) == len(powers) <= n_power_cards
    assert len(state["display"]) <= 3  # R111
    assert len(state["display"]) == 3 or not state["power_deck"]


POOLS = {**{name: (name,) for name in SHIPPED}, "all_sets": tuple(SHIPPED), "test_cards": SETS}


def some_games(pool: str, mode: str) -> Iterator[tuple[Game, int, int]]:
    """Games from deals, and from crowded positions; with their cards and power cards."""
    kot_parts = pool in ("king_of_tokyo", "all_sets", "test_cards")
    table = card_table(mode, sets=POOLS[pool], kot_parts=kot_parts)
    for number in range(15):
        yield Game(table, seed=5, game=number), DEALT, len(table.power_cards)
    table = card_table(mode, turn_cap=20, sets=POOLS[pool], kot_parts=kot_parts)
    for number in range(25):
        position = random_position(random.Random(number), table)
        game = FastGame.from_position(position, table=table).game
        yield game, len(position.cards()), len(table.power_cards)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pool", POOLS)
def test_every_state_is_sound(pool: str, mode: str) -> None:
    """At each decision every card is in one zone, hands are full, life is not negative (R27)."""
    rng = random.Random(mode)
    for number, (game, n_cards, n_power_cards) in enumerate(some_games(pool, mode)):
        while not game.over:
            check_state(game, n_cards, n_power_cards)
            greedy = number % 3 == 0
            game.step(game.choose("greedy") if greedy else rng.randrange(len(game.options)))
        check_state(game, n_cards, n_power_cards)
        assert (game.decision, game.decider) == (Decision.NONE, -1)


@pytest.mark.parametrize("mode", MODES)
def test_every_option_can_be_taken(mode: str) -> None:
    """R121: each offered option is accepted and leads to a sound state."""
    table = card_table(mode, turn_cap=3, kot_parts=True)
    for number in range(20):
        rng = random.Random(number)
        position = random_position(rng, table)
        path: list[int] = []
        while True:
            game = replayed(position, table, path)
            if game.over:
                break
            for option in range(len(game.options)):
                branch = replayed(position, table, [*path, option])
                check_state(branch, len(position.cards()), len(table.power_cards))
            path.append(rng.randrange(len(game.options)))


def replayed(position: Any, table: CardTable, path: list[int]) -> Game:
    """The game of a position after the options of ``path``."""
    game = FastGame.from_position(position, table=table).game
    for option in path:
        game.step(option)
    return game


@given(st.integers(-(2**70), 2**70))
def test_other_option_numbers_are_refused(option: int) -> None:
    """A number that is not that of an option is a ValueError that changes nothing."""
    game = FastGame.from_position(board(["gorillion"], ["bee_bear"])).game
    before = game.snapshot()
    if 0 <= option < len(game.options):
        game.step(option)
        return
    with pytest.raises(ValueError, match="options are 0 to 3"):
        game.step(option)
    assert game.snapshot() == before


def test_a_finished_game_cannot_be_stepped() -> None:
    """To step after the end is a ValueError; before the end there is no record."""
    game = FastGame.from_position(board(["gorillion"], [], bob_life=1)).game
    with pytest.raises(ValueError, match="not over"):
        game.record()
    game.step(3)
    assert game.over
    before = game.snapshot()
    for option in (-1, 0, 1):
        with pytest.raises(ValueError, match="over"):
            game.step(option)
    assert game.snapshot() == before
    game.step_phase()
    assert game.snapshot() == before


ONE = Side(hand=["gorillion"])


@pytest.mark.parametrize(
    ("sides", "more", "message"),
    [
        ([Side(hand=["gorillon"]), ONE], {}, "gorillon"),
        ([Side(play=[Creature("gorillion", profile=0)]), ONE], {}, "profile"),
        ([Side(hand=["gorillion"] * 65), ONE], {}, "66"),
        ([ONE], {}, "two players"),
        ([ONE, ONE], {"active": 2}, "active"),
        ([ONE, ONE], {"active": -1}, "active"),
        ([Side(hand=["gorillion"], life=0), ONE], {}, "life"),
        ([Side(hand=["gorillion"], mindbugs=-1), ONE], {}, "mindbugs"),
        ([Side(hand=["gorillion"], energy=-1), ONE], {}, "energy"),
        ([ONE, ONE], {"unused": ["gorillon"]}, "gorillon"),
        ([ONE, ONE], {"power_deck": [0]}, "power cards"),
        ([ONE, ONE], {"seed": -1}, "seed"),
    ],
)
def test_wrong_positions_are_refused(sides: Any, more: dict[str, Any], message: str) -> None:
    """What cannot be on a table is a ValueError that says what is wrong."""
    with pytest.raises(ValueError, match=message):
        Game.from_position(card_table(sets=FIRST_CONTACT), sides, **more)


@pytest.mark.parametrize("wrong", [{"seed": -1}, {"seed": 2**64}, {"game": -1}])
def test_wrong_games_are_refused(wrong: dict[str, Any]) -> None:
    """The numbers that ``play_games`` refuses are refused for one game, too."""
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Game(card_table(), **wrong)


# Records ------------------------------------------------------------------------------------------


def stepped_record(table: CardTable, seed: int, game: int, policies: tuple[str, str]) -> np.void:
    """The record of one game that was played option by option."""
    one = Game(table, seed=seed, game=game)
    while not one.over:
        one.step(one.choose(policies[one.decider]))
    return one.record()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("policies", [("random", "random"), ("greedy", "random")])
@pytest.mark.parametrize(
    ("sets", "kot_parts"),
    [
        (FIRST_CONTACT, False),
        (("promos",), False),
        (("king_of_tokyo",), True),
        (SETS, False),
        (SETS, True),
    ],
)
def test_games_step_by_step_are_those_played_at_once(
    sets: tuple[str, ...], kot_parts: bool, policies: tuple[str, str], mode: str
) -> None:
    """``play_games`` and ``Game`` with the same policies give the same records.

    ``Game`` knows every card from the start; games played at once look cards of the unused pile and
    of the power deck up when they are needed.
    """
    table = card_table(mode, sets=sets, kot_parts=kot_parts)
    games = play_games(table, n_games=150, seed=9, first_game=50, policies=policies)
    for record in games:
        assert record == stepped_record(table, 9, int(record["game"]), policies)


def test_a_deal_set_up_by_hand_plays_like_the_dealt_game() -> None:
    """R8, R9: the dealt cards laid out as a position give the same decisions to the end."""
    table = card_table(sets=FIRST_CONTACT)
    for number in range(30):
        rng = random.Random(number)
        game = Game(table, seed=6, game=number)
        cards = [game.card(slot).card_id for slot in range(DEALT)]
        decks = cards[:DEALT_EACH], cards[DEALT_EACH:]
        sides = [Side(hand=deck[:5], draw=deck[5:], mindbugs=2) for deck in decks]
        twin = Game.from_position(table, sides, active=game.snapshot()["active"])
        while not game.over and "strange_barrel" not in cards:
            assert (game.snapshot(), game.options) == (twin.snapshot(), twin.options)
            option = rng.randrange(len(game.options))
            game.step(option)
            twin.step(option)
            assert (game.over, game.winner, game.ending) == (twin.over, twin.winner, twin.ending)


@given(st.lists(st.integers(0, 40), max_size=8), st.integers(0, 2**63 - 1))
def test_any_split_gives_the_same_games(lengths: list[int], seed: int) -> None:
    """Game i of a seed is the same game in any call of ``play_games``."""
    table = card_table(sets=FIRST_CONTACT)
    starts = np.cumsum([0, *lengths])
    parts = [
        play_games(table, n_games=int(end - start), seed=seed, first_game=int(start))
        for start, end in pairwise(starts)
    ]
    whole = play_games(table, n_games=int(starts[-1]), seed=seed)
    np.testing.assert_array_equal(np.concatenate([np.zeros(0, GAME_RECORD), *parts]), whole)
    assert whole["game"].tolist() == list(range(int(starts[-1])))


@pytest.mark.parametrize("policies", [*product(QUICK, QUICK), ("search:3", "learned@0.2")])
def test_threads_give_the_same_games(policies: tuple[str, str]) -> None:
    """Two threads that play at the same time get the records that one thread gets."""
    table = card_table()
    whole = play_games(table, n_games=1600, seed=21, policies=policies)
    out = np.zeros(1600, GAME_RECORD)

    def play(first: int) -> None:
        part = out[first : first + 100]
        play_games(table, n_games=100, seed=21, first_game=first, policies=policies, out=part)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(play, range(0, 1600, 100)))
    np.testing.assert_array_equal(out, whole)


def test_different_seeds_and_games_are_different_games() -> None:
    """No two games of the same or of neighbouring seeds are dealt alike."""
    table = card_table(sets=FIRST_CONTACT)
    deals = [
        tuple(cards)
        for seed in range(4)
        for cards in play_games(table, n_games=500, seed=seed)["cards"].tolist()
    ]
    assert len(set(deals)) == len(deals)


def test_wrong_arguments_of_play_games_are_refused() -> None:
    """Negative numbers, bad seeds, unknown policies and wrong arrays are ValueErrors."""
    table = card_table(sets=FIRST_CONTACT)
    with pytest.raises(ValueError, match="n_games is -1"):
        play_games(table, n_games=-1)
    with pytest.raises(ValueError, match="first_game -2"):
        play_games(table, n_games=1, first_game=-2)
    for seed in (-1, 2**63):
        with pytest.raises(ValueError, match=f"seed is {seed}"):
            play_games(table, n_games=1, seed=seed)
    with pytest.raises(ValueError, match="did you mean 'random'"):
        play_games(table, n_games=1, policies=("random", "randon"))
    with pytest.raises(ValueError, match="3 rows of GAME_RECORD"):
        play_games(table, n_games=3, out=np.zeros(2, GAME_RECORD))
    assert len(play_games(table, n_games=0)) == 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("policy", QUICK)
@pytest.mark.parametrize("sets", [FIRST_CONTACT, SETS])
def test_records_are_consistent(sets: tuple[str, ...], policy: str, mode: str) -> None:
    """Outcome, life, Mindbugs, masks and counts of every record fit together."""
    table = card_table(mode, sets=sets)
    games = play_games(table, n_games=5000, seed=31, policies=(policy, policy))
    life, mindbugs, winner = games["life"], games["mindbugs"], games["winner"]
    by_life, lost = games["ending"] == Ending.LIFE, games["ending"] == Ending.NO_ACTION
    drawn_game = (games["ending"] == Ending.CAPPED) | (games["ending"] == Ending.LOOPED)
    assert (by_life | lost | drawn_game | (games["ending"] == Ending.EFFECT)).all()
    np.testing.assert_array_equal(winner == -1, drawn_game)  # R20
    np.testing.assert_array_equal((life == 0).sum(axis=1), by_life)  # R14, R15
    rows, winner = np.flatnonzero(by_life), winner[by_life]
    assert (life[rows, winner] > 0).all()
    assert (life[rows, 1 - winner] == 0).all()
    assert (life >= 0).all()
    assert ((mindbugs >= 0) & (mindbugs <= 2)).all()
    assert ((games["turns"] >= 1) & (games["turns"] <= 500)).all()
    assert (games["turns"][games["ending"] == Ending.CAPPED] == 500).all()
    used = games["thefts"].sum(axis=1)
    spent = 4 - mindbugs.sum(axis=1)  # R35; cards of the unused pile may be taken as well
    assert (used <= spent).all()
    assert sets == SETS or (used == spent).all()
    assert (games["offers"] >= games["thefts"]).all()
    assert (games["attacks"] >= games["hunts"] + games["blocks"]).all()
    assert (games["second_attacks"] * 2 <= games["attacks"]).all()  # R74
    assert (games["defeats"] >= np.bitwise_count(games["defeated"])).all()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("policy", QUICK)
def test_masks_of_records_are_consistent(policy: str, mode: str) -> None:
    """What became of each of the 20 cards: masks within the slots, and true to one another."""
    table = card_table(mode, sets=FIRST_CONTACT)
    for record in play_games(table, n_games=1500, seed=32, policies=(policy, policy)):
        drawn, defeated = slots(record["drawn"]), slots(record["defeated"])
        played = [slots(mask) for mask in record["played"]]
        taken = [slots(mask) for mask in record["taken"]]
        for mask in (drawn, defeated, *played, *taken):
            assert mask <= set(range(DEALT))
        for player in range(2):
            first = DEALT_EACH * player
            mine = drawn & set(range(first, first + DEALT_EACH))
            assert mine == set(range(first, first + len(mine)))  # drawn in order (R8)
            assert len(mine) >= 5  # R9
        stolen = {slot for slot in range(DEALT) if record["thefts"][slot]}
        assert stolen == taken[0] | taken[1]
        kept = {slot for slot in range(DEALT) if record["turn_played"][slot]}
        assert kept == played[0] | played[1]
        assert all(record["turn_played"][slot] <= record["turns"] for slot in kept)
        assert all(0 <= row < len(table.cards) for row in record["cards"])
        # What was never in a hand was never played; only a discarded card comes to play otherwise.
        assert kept | stolen <= drawn


def test_records_follow_the_game() -> None:
    """Counting along with the decisions of a game gives the counts of its record."""
    table = card_table(sets=FIRST_CONTACT)
    for number in range(150):
        game = Game(table, seed=8, game=number)
        counts = dict.fromkeys(("decisions", "hunts", "blocks", "second_attacks"), 0)
        thefts = np.zeros(DEALT, int)
        words = {"hunt": "hunts", "block": "blocks", "attack_again": "second_attacks"}
        while not game.over:
            option = game.choose("random")
            word = game.options[option].word
            counts["decisions"] += 1
            if word in words:
                counts[words[word]] += 1
            if word == "use":
                thefts[game.snapshot()["limbo"][0]] += 1
            game.step(option)
        record = game.record()
        assert {field: int(record[field]) for field in counts} == counts
        assert record["thefts"].tolist() == thefts.tolist()
        state = game.snapshot()
        assert record["life"].tolist() == [player["life"] for player in state["players"]]
        assert record["mindbugs"].tolist() == [player["mindbugs"] for player in state["players"]]
        assert (record["turns"], record["winner"]) == (state["turn"], game.winner)


# Caps ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("turn_cap", [1, 2, 7, 30])
def test_turn_cap_ends_games_as_draws(turn_cap: int, mode: str) -> None:
    """R20, T133: a game that completes ``turn_cap`` turns is a draw, capped; others are the same.

    The cap is tested when a turn has ended, so a game may still end in its last turn.
    """
    uncapped = play_games(card_table(mode, sets=FIRST_CONTACT), n_games=1500, seed=2)
    games = play_games(card_table(mode, turn_cap, sets=FIRST_CONTACT), n_games=1500, seed=2)
    capped = games["ending"] == Ending.CAPPED
    np.testing.assert_array_equal(capped, uncapped["turns"] > turn_cap)
    assert (games["turns"][capped] == turn_cap).all()
    assert (games["winner"][capped] == -1).all()
    np.testing.assert_array_equal(games[~capped], uncapped[~capped])


def test_effect_cap_ends_games_as_draws() -> None:
    """R20: a turn in which more than ``effect_cap`` effects are resolved is a draw, looped."""
    uncapped = play_games(card_table(sets=FIRST_CONTACT), n_games=3000, seed=2)
    before = 0
    for effect_cap in (3, 2, 1):
        table = card_table("turn", 500, effect_cap, FIRST_CONTACT)
        games = play_games(table, n_games=3000, seed=2)
        looped = games["ending"] == Ending.LOOPED
        assert (games["winner"][looped] == -1).all()
        assert (games["life"][looped] > 0).all()
        np.testing.assert_array_equal(games[~looped], uncapped[~looped])
        assert looped.sum() > before
        before = looped.sum()


ENDLESS = """
name = "Endless"
[healer]
name = "Healer"
power = 1
keywords = ["FRENZY"]
copies = 20
play_attack = "gain 9 life"
constant = "creatures cannot block"
"""


def test_a_pool_that_cannot_end_is_capped() -> None:
    """R20, R119: two sides that only ever gain life reach the cap of 500 turns; all are counted."""
    games = play_games(compile_cards([parse_set(ENDLESS)]), n_games=20, seed=1)
    assert (games["ending"] == Ending.CAPPED).all()
    assert (games["turns"] == 500).all()
    assert (games["decisions"] > 400).all()


def test_counts_of_the_longest_games_do_not_overflow() -> None:
    """Records hold the counts of games of 30,000 turns."""
    table = compile_cards([parse_set(ENDLESS)], turn_cap=30_000)
    games = play_games(table, n_games=4, seed=1)
    assert (games["turns"] == 30_000).all()
    assert (games["decisions"] > 50_000).all()
    assert (games["attacks"] > 40_000).all()
    assert (games["attacks"] >= 2 * games["second_attacks"]).all()


def test_looking_changes_nothing() -> None:
    """What a narrator or a test asks for is worked out aside: the game itself stays as it is."""
    table = card_table()
    for number in range(100):
        position = random_position(random.Random(number), table)
        game = FastGame.from_position(position, table=table).game
        before = game._states.tobytes()
        assert (game.snapshot(), game.options, game.waiting) == (
            game.snapshot(),
            game.options,
            game.waiting,
        )
        assert game._states.tobytes() == before
