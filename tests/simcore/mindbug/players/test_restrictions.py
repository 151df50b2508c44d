"""Restricted players never take what is forbidden, and are otherwise who they are."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from card_data.mindbug import available_sets, load_pool
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug import (
    CardTable,
    Creature,
    Decision,
    Game,
    Option,
    Side,
    compile_cards,
    play_games,
)
from simcore.mindbug.face.replay import replay_game
from simcore.mindbug.players.restrictions import BARRED, FREE, RESTRICTIONS, WAIVED, applicable

KEYWORDS = {keyword.name.lower(): keyword for keyword in Keyword}
WORDS = {
    "mindbugs": {"use"},
    "blocks": {"block"},
    "attacks": {"attack", "attack_again"},
    "repeats": {"attack_again"},
    "hunts": {"hunt"},
    "actions": {"activate"},
    "rerolls": {"reroll", "reroll_both"},
}


def table_of(*sets: str) -> CardTable:
    """The compiled cards of some sets."""
    pool = load_pool(sets)
    return compile_cards(pool.sets, pool.modes)


def forbids(word: str, game: Game, option: Option, position: dict[str, Any]) -> bool:
    """Whether a restriction forbids an option, read off the position as a person would.

    ``position`` is ``game.snapshot()``.
    """
    if word in WORDS:
        return option.word in WORDS[word]
    if word == "purchases":
        return game.decision == Decision.BUY and option.word == "buy"
    if word == "boosts":
        return game.decision == Decision.BOOST and option.slot >= 0
    if word == "sneaks":
        slot = {"attack": option.slot, "attack_again": game.fight[0]}.get(option.word, -1)
        return slot >= 0 and "SNEAKY" in position["creatures"][slot]["keywords"]
    if game.decision == Decision.ACTION and option.word == "play":
        return KEYWORDS[word] in game.card(option.slot).keywords
    return option.word == "use" and KEYWORDS[word] in game.card(position["limbo"][0]).keywords


@pytest.mark.parametrize(
    ("sets", "players"),
    [
        *(((name,), ("random", "heuristic")) for name in available_sets() if name != "promos"),
        (("first_contact", "promos"), ("greedy", "learned@0.5", "expert")),
        (tuple(available_sets()), ("random", "greedy", "heuristic", "expert", "search:4")),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, tuple) else value,
)
def test_what_is_forbidden_is_never_chosen(sets: tuple[str, ...], players: tuple[str, ...]) -> None:
    """At each decision of random games: exactly the forbidden options are barred, unless all are.

    Asking changes nothing that the game offers.
    """
    table, seen = table_of(*sets), Counter[tuple[str, str]]()
    words = [*RESTRICTIONS, "blocks-attacks-mindbugs"]
    for number in range(9):
        game, rng = Game(table, seed=3, game=number), random.Random(number)
        player = players[number % len(players)]
        while not game.over:
            options, position = game.options, game.snapshot()
            for word in words:
                forbidden = {
                    place
                    for place, option in enumerate(options)
                    if any(forbids(part, game, option, position) for part in word.split("-"))
                }
                waived = len(forbidden) == len(options)
                name, at, mistakes = player.partition("@")
                choice = game.choose(f"{name}-{word}{at}{mistakes}")
                assert 0 <= choice < len(options)
                assert waived or choice not in forbidden
                assert set(game.barred) == (set() if waived else forbidden)
                assert game.options == options
                if forbidden:
                    seen[word, "waived" if waived else "barred"] += 1
            game.step(rng.randrange(len(options)))
    assert {word for word, _ in seen} <= {*applicable(table), words[-1]}
    assert {word for word, what in seen if what == "barred"} >= {*applicable(table), words[-1]}


@pytest.mark.parametrize(
    ("player", "word"),
    [
        ("random-blocks", "blocks"),
        ("heuristic-attacks", "attacks"),
        ("search:3-tough@0.2", "tough"),
        ("expert-blocks", "blocks"),
    ],
)
def test_whole_games_are_those_played_option_by_option(player: str, word: str) -> None:
    """`play_games` and `Game` take the same choices and count the same decisions."""
    table, n_games = table_of("first_contact", "king_of_tokyo"), 6
    limits = np.zeros((n_games, 2, 3), np.int32)
    games = play_games(table, n_games=n_games, seed=2, policies=(player, "greedy"), limits=limits)
    for number in range(n_games):
        game, counts = Game(table, seed=2, game=number), np.zeros((2, 3), int)
        while not game.over:
            n, decider = len(game.options), game.decider
            choice = game.choose((player, "greedy")[decider])
            position = game.snapshot()
            waived = decider == 0 and all(forbids(word, game, o, position) for o in game.options)
            counts[decider, BARRED if game.barred else WAIVED if waived else FREE] += 1
            assert len(game.barred) < n
            game.step(choice)
        assert game.record() == games[number]
        np.testing.assert_array_equal(counts, limits[number])


def test_a_restriction_is_waived_where_nothing_else_is_left() -> None:
    """With no card left to play, who never attacks attacks; nothing is barred."""
    bees, other = Side(play=[Creature("killer_bee")] * 2), Side(play=[Creature("gorillion")])
    game = Game.from_position(table_of("first_contact"), [bees, other])
    for player in ("random-attacks", "heuristic-attacks", "search:5-attacks"):
        assert game.options[game.choose(player)].word == "attack"
        assert game.barred == ()
    cards = Side(play=[Creature("killer_bee")] * 2, hand=["gorillion"])
    game = Game.from_position(table_of("first_contact"), [cards, other])
    for player in ("random-attacks", "heuristic-attacks", "search:5-attacks"):
        assert game.options[game.choose(player)].word == "play"
        assert game.barred == (1, 2)


@pytest.mark.parametrize("policy", ["random", "greedy", "heuristic", "learned@0.2"])
def test_what_never_comes_up_changes_nothing(policy: str) -> None:
    """Nobody can boost in First Contact: with and without are the same games."""
    table, n_games = table_of("first_contact"), 300
    name, at, mistakes = policy.partition("@")
    restricted = f"{name}-boosts-actions-purchases-rerolls{at}{mistakes}"
    limits = np.zeros((n_games, 2, 3), np.int32)
    one = play_games(table, n_games=n_games, policies=(policy, policy))
    other = play_games(table, n_games=n_games, policies=(restricted, policy), limits=limits)
    np.testing.assert_array_equal(one, other)
    assert (limits[:, :, [BARRED, WAIVED]] == 0).all()
    assert (limits[:, :, FREE].sum(axis=1) == one["decisions"]).all()


def test_restricted_games_show_it() -> None:
    """Who never uses a Mindbug keeps both; who never blocks, hunts or repeats does it never."""
    table = table_of("first_contact")
    games = play_games(table, n_games=500, policies=("heuristic-mindbugs", "heuristic"))
    assert (games["mindbugs"][:, 0] == 2).all()
    assert (games["mindbugs"][:, 1] < 2).any()
    never = "heuristic-blocks-hunts-repeats"
    games = play_games(table, n_games=500, policies=(never, never))
    for counted in ("blocks", "hunts", "second_attacks"):
        assert (games[counted] == 0).all()


def test_limits_of_another_shape_are_refused() -> None:
    """They are counted for each game and player."""
    with pytest.raises(ValueError, match="limits must be int32"):
        play_games(table_of("first_contact"), n_games=2, limits=np.zeros((3, 2, 3), np.int32))


@pytest.mark.parametrize(
    ("sets", "missing"),
    [
        (("first_contact",), {"actions", "boosts", "purchases", "rerolls"}),
        (("king_of_tokyo",), {"actions", "boosts"}),
        (("beyond_eternity",), {"actions", "purchases", "rerolls"}),
        (tuple(available_sets()), set()),
    ],
)
def test_only_what_a_pool_has_is_applicable(sets: tuple[str, ...], missing: set[str]) -> None:
    """What its cards never offer means nothing."""
    assert set(applicable(table_of(*sets))) == {*RESTRICTIONS} - missing


def test_without_mindbugs_or_tokyo_parts_there_is_less() -> None:
    """The modes of a pool count as well as its cards."""
    pool = load_pool(["king_of_tokyo"])
    table = compile_cards(pool.sets, pool.modes, mindbugs=0, kot_parts=False)
    assert not {"mindbugs", "purchases", "rerolls"} & set(applicable(table))


def test_replay_shows_what_is_never_done() -> None:
    """Forbidden options stand in a replay, marked, and are not the one in brackets."""
    told = replay_game(
        table_of("first_contact"), seed=1, game=0, policies=("heuristic-mindbugs", "random-attacks")
    )
    choices = [line for line in told.lines if line.lstrip().startswith("?")]
    marked = [line for line in choices if "(never)" in line]
    assert any("Player 0" in line for line in marked)
    assert any("Player 1" in line for line in marked)
    for line in marked:
        for part in line.split(": ", 1)[1].split(" | "):
            assert not (part.startswith("[") and part.endswith("(never)]"))
    assert not any("nan" in line for line in choices)
