"""Random games of the reference engine, and what has to be true at every point of them."""

import random
from typing import Any

from support.positions import Position, Side
from support.reference_cards import ALL_CARDS, POWER_CARDS, SETS, card_pool
from support.reference_deal import find_starting_player
from support.reference_game import ReferenceGame

POOLS = {name: card_pool(cards) for name, cards in SETS.items()}
POOLS["all_sets"] = card_pool(*SETS.values())

KOT_POOLS = ("king_of_tokyo", "all_sets")


def random_game(seed: int, pool: str, mode: str, **settings: Any) -> ReferenceGame:
    """Start a random game of two players; the same seed gives the same game (R8-R13)."""
    rng = random.Random(f"{pool} {seed}")
    cards = rng.sample(POOLS[pool], len(POOLS[pool]))
    kot_parts = pool in KOT_POOLS
    first_player, _, unused = find_starting_player(cards[20:], rng.randrange)
    return ReferenceGame.from_deal(
        (cards[:10], cards[10:20]),
        first_player,
        pick_random=rng.sample,
        roll=rng.randrange,
        unused=unused,
        power_deck=rng.sample(range(len(POWER_CARDS)), len(POWER_CARDS)) if kot_parts else (),
        kot_parts=kot_parts,
        after_mindbug=mode,
        **settings,
    )


def random_position(seed: int) -> Position:
    """A position with crowded play areas of all sets, in which rare things meet."""
    rng = random.Random(f"position {seed}")
    cards = sorted(ALL_CARDS)
    in_piles = [card_id for card_id in cards if ALL_CARDS[card_id].copies]

    def creature() -> str:
        words = rng.choice(cards)
        if rng.random() < 0.3:
            words += " exhausted"
        if rng.random() < 0.3:
            words += f" boosts:{','.join(rng.choices(in_piles, k=rng.randint(1, 3)))}"
        return words

    def side() -> Side:
        return Side(
            play=[creature() for _ in range(rng.randint(0, 7))],
            hand=rng.choices(in_piles, k=rng.randint(0, 8)),
            draw=rng.choices(in_piles, k=rng.randint(0, 6)),
            discard=rng.choices(in_piles, k=rng.randint(0, 7)),
            life=rng.randint(1, 6),
            mindbugs=rng.randint(0, 2),
            energy=rng.randint(0, 4),
        )

    power_deck = rng.sample(sorted(POWER_CARDS), rng.randint(0, 16))
    return Position(
        side(),
        side(),
        active=rng.randrange(2),
        after_mindbug=rng.choice(["turn", "action"]),
        unused=rng.choices(in_piles, k=rng.randint(0, 5)),
        power_deck=power_deck,
        kot_parts=True,
    )


def check_invariants(game: ReferenceGame) -> None:
    """Check what has to be true at every decision and at the end of every game."""
    state = game.snapshot()
    _check_places(game, state)
    _check_power_cards(game, state)
    assert all(creature["power"] >= 1 for creature in state["creatures"].values())  # R86
    for number, player in enumerate(state["players"]):
        assert player["life"] >= 0
        assert player["energy"] >= 0
        full = len(player["hand"]) >= 5 or not player["draw"] or not game.may_receive(number)
        assert game.over or full  # R27, C44
    if game.decision is not None:
        options = game.decision.options
        assert len(options) == len(set(options)) >= 2  # R120
        assert all(player["life"] > 0 for player in state["players"])  # R14
        if game.decision.point in ("D1", "D15"):
            assert game.decision.player == state["active"]
            assert state["waiting"] == 0  # R58
        if game.decision.point not in ("D2", "D11", "D12"):
            assert state["limbo"] == []  # R34, C15


def _check_places(game: ReferenceGame, state: dict[str, Any]) -> None:
    """Every card that has ever left the unused pile is in exactly one zone."""
    places = state["limbo"] + state["set_aside"]
    for player in state["players"]:
        for zone in ("hand", "draw", "discard", "play"):
            places += player[zone]
    for creature in state["creatures"].values():
        places += creature["boosts"]
    assert sorted(places) == list(range(len(game.card_ids)))
    in_play = state["players"][0]["play"] + state["players"][1]["play"]
    assert sorted(state["creatures"]) == sorted(in_play)


def _check_power_cards(game: ReferenceGame, state: dict[str, Any]) -> None:
    """No power card is in two places; the display has a gap only when the deck is empty (R111)."""
    places = state["display"] + state["power_deck"] + state["power_discard"]
    assert len(set(places)) == len(places)
    assert len(state["display"]) <= 3
    assert len(state["display"]) == 3 or not state["power_deck"]
