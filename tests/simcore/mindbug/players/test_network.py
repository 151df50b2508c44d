"""Networks: what they see of a position, and that kernels count as anybody would by hand."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from attrs import evolve

from card_data.mindbug import available_sets, load_sets
from card_data.mindbug.schema import Card
from card_data.mindbug.vocabulary import Keyword
from simcore.jit import cached_kernel
from simcore.mindbug import compile_cards, play_games
from simcore.mindbug.players.card_features import CARD_FEATURES, CARD_UNIT, describe_cards
from simcore.mindbug.players.network import UNIT, WEIGHT_UNIT, WIDTH, _judge, _network_at
from simcore.mindbug.players.network_files import SHAPES, Network, face_rows, own_network
from simcore.mindbug.players.position_features import (
    JOINED,
    MAX_ACTIVE,
    N_FEATURES,
    N_JOINED,
    N_ZONES,
    SECTIONS,
    ZONES,
    _list_rows,
)
from simcore.mindbug.players.search import SEARCH
from simcore.mindbug.players.seats import seat
from support.fast_game import SETS, FastGame, card_table
from support.lockstep import pair_from_deal, pair_from_position, random_position, reference_cards
from support.positions import Position
from support.purpose_made import made_table
from support.random_cards import random_set
from support.reference_game import ReferenceGame

Features = list[int]

#: Pools of which positions are judged.
POOLS = {
    "first_contact": card_table(sets=SETS[:1]),
    "every card": card_table(),
    "with dice": card_table("action", kot_parts=True),
}
STARTS = dict(
    zip(SECTIONS, np.cumsum([0, *map(np.prod, SECTIONS.values())]).tolist(), strict=False)
)


@cached_kernel
def _judge_here(tables, states, works, me, hidden):
    """How many rows a position has, and the log odds of a player.  Modifies works."""
    state, table, work = states[0], tables[0], works[0]
    odds = _judge(state, table, _network_at(table.network[me]), work, me, hidden)
    return _list_rows(state, table, me, hidden, work.active), odds


def judged(
    game: FastGame, rows: npt.NDArray[np.void], me: int, hidden: Sequence[int]
) -> tuple[Features, float]:
    """The features of a position by number, and the log odds that a player wins from there."""
    states, works = game.game._states.copy(), np.zeros(1, SEARCH)
    mask = np.uint64(sum(1 << slot for slot in hidden))
    n, odds = _judge_here(rows, states, works, np.int64(me), mask)
    assert n < MAX_ACTIVE
    found: Features = []
    for row in works[0]["active"][:n].tolist():
        joined = JOINED[row] if row < N_JOINED else np.array([row - N_JOINED + N_FEATURES])
        found += joined[joined >= 0].tolist()
    return sorted(found), odds


def unseen(game: FastGame, me: int) -> list[int]:
    """The slots that a player does not see (R4)."""
    players = game.snapshot()["players"]
    piles = players[0]["draw"] + players[1]["draw"] + game.game.details()["unused"]
    return [*piles, *players[1 - me]["hand"]]


# Features -----------------------------------------------------------------------------------------


def feature(section: str, *place: int) -> int:
    """The number of a feature of the table; numbers beyond the last count as the last."""
    shape = SECTIONS[section]
    cut = tuple(
        min(max(number, 0), length - 1) for number, length in zip(place, shape, strict=True)
    )
    return STARTS[section] + int(np.ravel_multi_index(cut, shape))


def seen_by_hand(game: FastGame, slow: ReferenceGame, me: int, hidden: Sequence[int]) -> Features:
    """The features of a position, read off it by hand; the slow engine says who may block."""
    position, table = game.snapshot(), game.game.table
    sides = [position["players"][player] for player in (me, 1 - me)]
    hand = [slot for slot in sides[0]["hand"] if slot not in hidden]
    found = [
        feature("to_move", int(position["active"] != me)),
        feature("mindbugs", *(side["mindbugs"] for side in sides)),
        feature("creatures", *(len(side["play"]) for side in sides)),
        feature("unknown", len(sides[0]["hand"]) - len(hand)),
        feature("turn", sum(position["turn"] > limit for limit in (4, 8, 16))),
        feature("unanswered", unanswered(game, slow, sides, hand)),
    ]
    strongest = [0, 0]
    for whose, side in enumerate(sides):
        costs = [table.power_cards[card].cost for card in position["display"]]
        found += [
            feature("life", whose, side["life"]),
            feature("hand", whose, len(side["hand"])),
            feature("draw_pile", whose, len(side["draw"])),
            feature("energy", whose, side["energy"]),
            feature("affordable", whose, sum(cost <= side["energy"] for cost in costs)),
        ]
        free = 0
        for slot in side["play"]:
            creature = position["creatures"][slot]
            strongest[whose] = max(strongest[whose], creature["power"])
            blockers, stopping = faced(position, slow, slot, sides[1 - whose]["play"])
            free += stopping == 0
            bits = sum(1 << k for k in Keyword if k.name in creature["keywords"])
            found += [
                feature("power", whose, creature["power"]),
                feature("keywords", whose, bits),
                feature("faced", whose, blockers, stopping),
            ]
            if creature["exhausted"] and "TOUGH" in creature["keywords"]:
                found.append(feature("exhausted", whose))
        found.append(feature("free", whose, free, sides[1 - whose]["life"] - 1))
    found.append(feature("lead", strongest[0] - strongest[1] + 5))
    zones = dict(zip(ZONES, (sides[0]["play"], sides[1]["play"], hand), strict=False))
    zones |= {"my discard pile": sides[0]["discard"], "their discard pile": sides[1]["discard"]}
    faces = {id(card): number for number, card in enumerate(table.faces)}
    for number, zone in enumerate(ZONES):
        for slot in zones[zone]:
            found.append(N_FEATURES + N_ZONES * faces[id(game.game.card(slot))] + number)
    return sorted(found)


def faced(
    position: Mapping[str, Any], slow: ReferenceGame, attacker: int, enemies: Sequence[int]
) -> tuple[int, int]:
    """How many enemies may block a creature (R68), and how many of them would stop it (R72)."""
    creatures = position["creatures"]
    blockers = [creatures[slot] for slot in enemies if slow.can_block(slot, attacker)]
    power = creatures[attacker]["power"]
    stopping = [one for one in blockers if one["power"] >= power or "POISONOUS" in one["keywords"]]
    return len(blockers), len(stopping)


def unanswered(
    game: FastGame, slow: ReferenceGame, sides: Sequence[Mapping[str, Any]], hand: Sequence[int]
) -> int:
    """How many creatures of theirs neither mine nor a card of my hand could stop."""
    position, count = game.snapshot(), 0
    for slot in sides[1]["play"]:
        attacker = position["creatures"][slot]
        able = [
            card
            for card in map(game.game.card, hand)
            if (card.power >= attacker["power"] or Keyword.POISONOUS in card.keywords)
            and ("SNEAKY" not in attacker["keywords"] or Keyword.SNEAKY in card.keywords)
        ]
        count += not able and faced(position, slow, slot, sides[0]["play"])[1] == 0
    return count


def positions(pool: str, n: int) -> list[tuple[FastGame, ReferenceGame]]:
    """Crowded positions of a pool on both engines."""
    table = POOLS[pool]
    cards = reference_cards(table)
    drawn = (random_position(random.Random(number), table) for number in range(n))
    pairs = [pair_from_position(one, table, cards, seed=i) for i, one in enumerate(drawn)]
    return [(game, slow) for game, slow in pairs if not game.over]


@pytest.mark.parametrize("pool", POOLS)
def test_features_are_what_their_names_say(pool: str) -> None:
    """A slow reading of the position finds the same features, for both players.

    Now a player has seen their hand, now the first card of it is still unknown to them.
    """
    rows, seen = seat(POOLS[pool], ("expert", "expert")), set[int]()
    for number, (game, slow) in enumerate(positions(pool, 120)):
        for me in range(2):
            mine = game.snapshot()["players"][me]["hand"]
            hidden = unseen(game, me) + mine[: number % 2]
            features, _ = judged(game, rows, me, hidden)
            assert features == seen_by_hand(game, slow, me, hidden)
            seen |= {one for one in features if one < N_FEATURES}
    assert len(seen) > N_FEATURES / 3


@pytest.mark.parametrize("pool", ["first_contact", "with dice"])
def test_features_all_through_games(pool: str) -> None:
    """The same at every decision of games, whatever is going on and whatever lasts this turn."""
    table, rng, turns = POOLS[pool], random.Random(3), set[int]()
    rows, cards = seat(table, ("expert", "expert")), reference_cards(table)
    for number in range(8):
        game, slow = pair_from_deal(table, 5, number, cards)
        while game.decision is not None:
            me = game.decision.player
            hidden = unseen(game, me)
            assert judged(game, rows, me, hidden)[0] == seen_by_hand(game, slow, me, hidden)
            turns.add(game.snapshot()["turn"])
            option = rng.choice(game.decision.options)
            game.choose(option)
            slow.choose(option)
    assert max(turns) > 16


def swapped(position: Position) -> Position:
    """The same position with Alice in Bob's seat."""
    return replace(position, alice=position.bob, bob=position.alice, active=1 - position.active)


@pytest.mark.parametrize("pool", POOLS)
def test_seats_do_not_matter(pool: str) -> None:
    """Players who change seats see what they saw before, and think of it what they thought."""
    table = POOLS[pool]
    rows = seat(table, ("expert", "expert"))
    for number in range(60):
        position = random_position(random.Random(number), table)
        one, other = (
            FastGame.from_position(which, table=table) for which in (position, swapped(position))
        )
        for me in range(2):
            if not one.over:
                here = judged(one, rows, me, unseen(one, me))
                assert here == judged(other, rows, 1 - me, unseen(other, 1 - me))


def test_mine_and_theirs_change_places() -> None:
    """What both players can see is mine for the one and theirs for the other, and nothing else."""
    rows = seat(POOLS["every card"], ("expert", "expert"))
    both: tuple[str, ...] = (
        "life",
        "hand",
        "draw_pile",
        "energy",
        "affordable",
        "free",
        "power",
        "keywords",
    )
    both += ("exhausted", "faced", "to_move")
    for game, _ in positions("every card", 60):
        seen = [judged(game, rows, me, unseen(game, me))[0] for me in range(2)]
        for section in both:
            size = int(np.prod(SECTIONS[section]))
            here, there = (
                [one - STARTS[section] for one in of if 0 <= one - STARTS[section] < size]
                for of in seen
            )
            assert sorted((one + size // 2) % size for one in there) == here


# Counting -----------------------------------------------------------------------------------------


def row_by_hand(arrays: Mapping[str, Any], faces: Sequence[Card], number: int) -> list[int]:
    """The row of a feature, from the arrays of a file: plain sums of whole numbers."""
    if number < N_FEATURES:
        return list(map(int, arrays["features"][number]))
    face, zone = divmod(number - N_FEATURES, N_ZONES)
    said = describe_cards([faces[face]])[0].tolist()
    known = [(i, amount) for i, amount in enumerate(said) if amount]
    hidden = []
    for unit, bias in enumerate(arrays["card_bias"].tolist()):
        total = bias + sum(amount * int(arrays["card_hidden"][i, unit]) for i, amount in known)
        hidden.append(max(total, 0) * UNIT // (CARD_UNIT * WEIGHT_UNIT))
    row = []
    for column in range(zone * WIDTH, (zone + 1) * WIDTH):
        weights = arrays["card_rows"][:, column].tolist()
        total = sum(value * weight for value, weight in zip(hidden, weights, strict=True))
        most = np.iinfo(np.int16).max
        made = total // WEIGHT_UNIT + int(arrays["card_rows_bias"][column])
        row.append(min(max(made, -most), most))
    return row


def odds_by_hand(network: Network, rows: Sequence[Sequence[int]]) -> float:
    """The log odds of some rows: what is negative counts nothing, what is above 8 counts 8."""
    arrays, most = network.arrays, 8 * UNIT - 1
    sums = [int(bias) + sum(column) for bias, *column in zip(arrays["bias"], *rows, strict=True)]
    assert max(map(abs, sums)) < 2**15  # nothing is lost in 16 bits
    inputs = [min(max(int(one), 0), most) for one in sums]
    odds = int(arrays["out_bias"])
    for unit, weights in enumerate(arrays["hidden"].tolist()):
        total = int(arrays["hidden_bias"][unit])
        total += sum(one * weight for one, weight in zip(inputs, weights, strict=True))
        assert abs(total) < 2**31
        odds += min(max(total >> 10, 0), most) * int(arrays["out"][unit])
    return odds / (UNIT * WEIGHT_UNIT)


def some_network(seed: int) -> Network:
    """A network of random numbers, so large that sums are cut off at both ends."""
    rng = np.random.default_rng(seed)
    spread = {"features": 300, "card_rows": 500, "hidden": 1500, "out": 5000, "out_bias": 2**40}
    arrays: dict[str, npt.NDArray[Any]] = {
        name: np.asarray(rng.integers(-spread.get(name, 300), spread.get(name, 300), shape)).astype(
            kind
        )
        for name, (shape, kind) in SHAPES.items()
    }
    return Network.of(arrays)


@pytest.mark.parametrize("pool", POOLS)
def test_kernels_count_as_anybody_would(pool: str) -> None:
    """The judgement is that of plain sums of whole numbers, to the last bit.

    So it is with the network that comes with fairdeal and with one of large random numbers.
    """
    for network in (own_network("expert"), some_network(1)):
        rows = seat(POOLS[pool], ("expert", "expert"), networks={0: network, 1: network})
        made: dict[int, list[int]] = {}
        values = set()
        for game, _ in positions(pool, 20):
            features, odds = judged(game, rows, 0, unseen(game, 0))
            for number in {*features} - {*made}:
                made[number] = row_by_hand(network.arrays, POOLS[pool].faces, number)
            assert odds == odds_by_hand(network, [made[number] for number in features])
            values.add(odds)
        assert len(values) > 15


def test_each_player_thinks_with_a_network_of_their_own() -> None:
    """Two networks at one table do not get in each other's way."""
    table = POOLS["first_contact"]
    networks = {0: some_network(1), 1: own_network("expert")}
    rows = seat(table, ("expert", "expert"), networks=networks)
    for game, _ in positions("first_contact", 10):
        for me, network in networks.items():
            features, odds = judged(game, rows, me, unseen(game, me))
            made = [row_by_hand(network.arrays, table.faces, number) for number in features]
            assert odds == odds_by_hand(network, made)


# Cards --------------------------------------------------------------------------------------------


def test_rows_of_cards_depend_on_what_they_say() -> None:
    """Another name, id or set makes no difference; another keyword does, power nearly always.

    Of a few cards the layer between counts nothing: what they say has come out as the average.
    """
    cards = [card for card_set in load_sets(available_sets()) for card in card_set.cards]
    network = own_network("expert")
    rows = face_rows(network, cards).reshape(len(cards), -1)
    renamed = [
        evolve(card, card_id=f"other_{number}", name=f"Other {number}", copies=card.copies + 1)
        for number, card in enumerate(cards)
    ]
    np.testing.assert_array_equal(face_rows(network, renamed).reshape(len(cards), -1), rows)
    for share, changed in (
        (0.97, [evolve(card, power=card.power % 10 + 1) for card in cards]),
        (1.0, [evolve(card, keywords=card.keywords ^ {Keyword.SNEAKY}) for card in cards]),
    ):
        others = face_rows(network, changed).reshape(len(cards), -1)
        assert (others != rows).any(axis=1).mean() >= share
    texts = {
        (card.power, card.keywords, card.triggered, card.constant, card.stage, card.dice)
        for card in cards
    }
    assert len({row.tobytes() for row in rows}) > 0.97 * len(texts)


def test_cards_that_say_something_else_are_described_otherwise() -> None:
    """Amounts, filters, conditions and whose turn it is: no two texts are described alike."""
    texts = [
        {"play": "defeat an enemy creature with power 4 or less"},
        {"play": "defeat an enemy creature with power 6 or less"},
        {"play": "defeat an enemy creature with power 4 or more"},
        {"play": "defeat an allied creature with power 4 or less"},
        {"play": "defeat all enemy creatures with power 4 or less"},
        {"play": "if you have 2 or less life, defeat an enemy creature with power 4 or less"},
        {"play": "if you have 3 or more life, defeat an enemy creature with power 4 or less"},
        {"attack": "defeat an enemy creature with power 4 or less"},
    ]
    made = made_table({f"card_{i}": {"power": 5, **text} for i, text in enumerate(texts)})
    described = describe_cards([card for card in made.faces if card.card_id.startswith("card_")])
    assert len({row.tobytes() for row in described}) == len(described) == len(texts)


def test_a_plain_card_is_its_power_and_keywords() -> None:
    """A card without text: every other number that a network gets of it is nought."""
    card = Card("one", "One", 6, keywords=frozenset({Keyword.HUNTER}))
    (said,) = describe_cards([card])
    told = {
        name: amount / CARD_UNIT
        for name, amount in zip(CARD_FEATURES, said.tolist(), strict=True)
        if amount
    }
    powers = {f"power from {power}": 1.0 for power in range(2, 7)}
    assert told == {"power": 1.5, "HUNTER": 1.0, "power with HUNTER": 1.5, **powers}


def test_unseen_cards_are_judged() -> None:
    """Made-up cards of all words get rows that are not cut off, and are played with sense."""
    most = np.iinfo(np.int16).max
    for seed in range(5):
        made = random_set(random.Random(seed), n_lines=30)
        assert abs(face_rows(own_network("expert"), made.cards).astype(int)).max() < most
    giant = made_table({"giant": {"power": 10, "keywords": ["SNEAKY"], "play": "gain 2 life"}})
    games = play_games(giant, n_games=200, seed=1, policies=("expert", "random"))
    assert (games["winner"] == 0).mean() > 0.95


def test_a_pool_of_made_up_cards_is_played() -> None:
    """A pool whose cards training has never seen: the texts of others with other powers."""
    (first_contact,) = load_sets(["first_contact"])
    cards = [
        evolve(card, card_id=f"new_{i:02}", name=f"New {i}", power=1 + (7 * i + 5) % 10)
        for i, card in enumerate(first_contact.cards)
    ]
    table = compile_cards([evolve(first_contact, cards=tuple(cards))])
    games = play_games(table, n_games=400, seed=1, policies=("expert", "random"))
    assert (games["winner"] == 0).mean() > 0.95
