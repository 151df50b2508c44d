"""The PettingZoo environment: its interface, what is seen, what may be done, how games end."""

import importlib
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from card_data.mindbug import available_sets, load_pool
from simcore.mindbug import Decision, Game
from simcore.mindbug.face.environment import MindbugEnvironment, environment
from simcore.mindbug.face.observation import CREATURE, SCALE, Block, Sight

PAGE = (Path(__file__).parents[4] / "docs" / "environment.md").read_text()
POOLS = {"first_contact": ("first_contact",), "all sets": tuple(available_sets())}
both_pools = pytest.mark.parametrize("name", POOLS)
#: Of an agent whose game is over.
no_actions_left = pytest.mark.filterwarnings(
    "ignore:Action mask numpy array is all zeros:UserWarning"
)
#: Asked of every environment with a mask that is not one of PettingZoo's own.
masked = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)


@cache
def shared(name: str) -> MindbugEnvironment:
    """An environment of a pool; every test begins games of its own."""
    return environment(POOLS[name])


def moments(env: MindbugEnvironment, seed: int, game: int = 0) -> Iterator[Game]:
    """The game at each decision, played with random allowed actions to its end."""
    env.reset(seed=seed, options={"game": game})
    chance = np.random.default_rng(seed + game)
    while not any(env.terminations.values()):
        yield env._game
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(chance.choice(np.flatnonzero(mask)))


@masked
@no_actions_left
@both_pools
def test_pettingzoo_is_content(name: str) -> None:
    """The tests that come with PettingZoo pass, over several games."""
    for _ in range(3):
        api_test(shared(name), num_cycles=60)
    seed_test(lambda: environment(POOLS[name]), num_cycles=100)


@both_pools
def test_mask_is_the_options(name: str) -> None:
    """Every option has an action of its own, and the mask of the one who decides shows those."""
    env, unlike = shared(name), 0
    others = env.layout.action_place["others"]
    for number in range(12):
        for game in moments(env, seed=7, game=number):
            masks = [env.observe(agent)["action_mask"] for agent in env.possible_agents]
            assert not masks[1 - game.decider].any()
            assert set(np.flatnonzero(masks[game.decider])) == set(env._offered)
            if game.options[0].word == "pair":
                continue
            assert sorted(env._offered.values()) == list(range(len(game.options)))
            unlike += any(action >= others for action in env._offered)
    assert not unlike  # no card of the sets needs the block of last resort


def test_actions_say_what_they_do() -> None:
    """The name of an action agrees with the option that it chooses."""
    env = shared("first_contact")
    for game in moments(env, seed=3):
        for action, number in env._offered.items():
            option, name = game.options[number], env.layout.action_names[action]
            if option.slot < 0:
                assert name == f"words: {option.word}"
            elif option.word == "resolve":
                assert "triggers: " in name
            else:
                zone, _, card = name.partition(": ")
                assert card.partition(" ")[0] == game.card(option.slot).card_id
                words = {"play": "your hand", "attack": "your creatures", "block": "your creatures"}
                assert zone == words.get(option.word, zone)
                slots = game.snapshot()["players"][game.decider]["hand"]
                assert (option.slot in slots) == (zone == "your hand")


def entry(env: MindbugEnvironment, agent: int, name: str) -> float:
    """One entry of an observation by its name."""
    place = env.layout.observation_names.index(name)
    return float(env.observe(env.possible_agents[agent])["observation"][place])


@both_pools
def test_observation_tells_the_position(name: str) -> None:
    """Numbers, hands, creatures and discard piles are those of the game, for both players."""
    env = shared(name)
    layout = env.layout
    for game in moments(env, seed=11, game=2):
        position = game.snapshot()
        for player in (0, 1):
            seen = env._sight.observe(player)

            def block(name: str, seen: np.ndarray = seen) -> np.ndarray:
                size = next(len(b.names) for b in layout.observation if b.name == name)
                return seen[layout.place[name] : layout.place[name] + size]

            sides = position["players"][player], position["players"][1 - player]
            told = block("players") * SCALE
            for side, values in zip(sides, (told[:5], told[5:]), strict=True):
                expected = [side["life"], side["mindbugs"], side["energy"]]
                assert np.allclose(values, [*expected, len(side["hand"]), len(side["draw"])])
            for zone, slots in (
                ("your hand", sides[0]["hand"]),
                ("your discard pile", sides[0]["discard"]),
                ("opponent's discard pile", sides[1]["discard"]),
            ):
                held = [layout.copies[i].partition(" ")[0] for i in np.flatnonzero(block(zone))]
                assert sorted(held) == sorted(game.card(slot).card_id for slot in slots)
            for zone, side in zip(("your creatures", "opponent's creatures"), sides, strict=True):
                rows = block(zone).reshape(-1, len(CREATURE))
                powers = sorted(np.round(rows[rows[:, 0] > 0, 1] * SCALE))
                creatures = [position["creatures"][slot] for slot in side["play"]]
                assert powers == sorted(creature["power"] for creature in creatures)
                exhausted = rows[:, CREATURE.index("exhausted")].sum()
                assert exhausted == sum(creature["exhausted"] for creature in creatures)
            assert block("decision")[game.decision - 1] == block("decision").sum() == 1


@both_pools
def test_observation_keeps_what_is_hidden(name: str) -> None:
    """Nothing changes for a player when what they cannot see is shuffled (R4)."""
    env, chance, compared = shared(name), np.random.default_rng(5), 0
    for number in range(6):
        for game in moments(env, seed=13, game=number):
            for player in (0, 1):
                before = env._sight.observe(player)
                state = game._states[0].copy()
                shuffle_hidden(game, player, chance)
                sight = Sight(env.layout, game, env._sight.first)
                compared += not np.array_equal(state["card"], game._states[0]["card"])
                assert np.array_equal(before, sight.observe(player))
                if player == game.decider:
                    assert list(sight.actions()) == list(env._offered)
                game._states[0] = state
    assert compared > 100


def shuffle_hidden(game: Game, player: int, chance: np.random.Generator) -> None:
    """Deal anew what a player does not see, but for cards that have just been seen."""
    state, position = game._states[0], game.snapshot()
    you, opponent = position["players"][player], position["players"][1 - player]
    seen = {slot for slot, *_ in game.waiting} | {granter for *_, granter in game.waiting}
    if any(option.word == "pile" for option in game.options):
        seen |= set(game.details()["gathered"])
    hidden = [*opponent["hand"], *opponent["draw"], *you["draw"], *game.details()["unused"]]
    slots = np.array([slot for slot in hidden if slot not in seen], int)
    state["card"][slots] = state["card"][chance.permutation(slots)]
    first, end = int(state["power_deck_next"]), int(state["power_deck_size"])
    state["power_deck"][first:end] = chance.permutation(state["power_deck"][first:end])


@both_pools
def test_games_end_as_game_does(name: str) -> None:
    """The options chosen, given to `Game`, lead to the same end; rewards sum to zero."""
    env, winners = shared(name), set()
    for number in range(8):
        for _ in moments(env, seed=17, game=number):
            assert set(env.rewards.values()) == {0.0}
        game = Game(env.layout.table, seed=17, game=number)
        for option in env.chosen:
            game.step(option)
        assert game.over
        assert game.record() == env._game.record()
        rewards = [env.rewards[agent] for agent in ("player_0", "player_1")]
        assert sum(rewards) == 0
        if game.winner >= 0:
            assert rewards[game.winner] == 1
        assert all(env.terminations.values()) and not any(env.truncations.values())
        winners.add(game.winner)
    assert winners >= {0, 1}


def test_a_draw_pays_nothing() -> None:
    """A game that is stopped is a draw: it has ended, and nobody is paid."""
    env = environment(load_pool(["first_contact"], modes={"turn_cap": 2}))
    for _ in moments(env, seed=0):
        pass
    assert env._game.winner == -1
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
    assert all(env.terminations.values()) and not any(env.truncations.values())


def test_pairs_are_named_one_by_one() -> None:
    """An option that names two creatures takes one action for each (C31)."""
    env = shared("all sets")
    for number in range(400):
        for game in moments(env, seed=1, game=number):
            if game.options[0].word != "pair":
                continue
            slots = {slot for option in game.options for slot in (option.slot, option.other)}
            assert set(env._offered.values()) == slots
            agent, n_chosen = env.agent_selection, len(env.chosen)
            action = env.choose("random")
            first = env._offered[action]
            env.step(action)
            if len(env.chosen) == n_chosen:
                assert env.agent_selection == agent
                place = env.layout.action_names[action]
                assert entry(env, game.decider, f"{place}, picked") == 1
                env.step(env.choose("random"))
            assert len(env.chosen) == n_chosen + 1
            assert first in slots
            return
    pytest.fail("no pair in all these games")


def test_players_of_fairdeal_can_be_asked() -> None:
    """`choose` gives the action of the option that a policy chooses."""
    env = shared("first_contact")
    env.reset(seed=2)
    game = Game(env.layout.table, seed=2)
    while not game.over:
        env.step(env.choose("greedy"))
        game.step(game.choose("greedy"))
    assert env._game.record() == game.record()


def test_games_come_one_after_another() -> None:
    """A seed begins with its first game; without one the next game is dealt."""
    env = environment("first_contact", seed=4)
    dealt = []
    for seed in (None, None, 4, None):
        env.reset(seed=seed)
        dealt.append((env.seed, env.number, *env._sight.observe(0)))
    assert dealt[:2] == dealt[2:]
    assert dealt[0][2:] != dealt[1][2:]


def test_what_is_not_allowed_is_refused() -> None:
    """An action outside the mask changes nothing and is told."""
    env = shared("first_contact")
    env.reset(seed=0)
    refused = next(iter(set(range(len(env.layout.action_names))) - set(env._offered)))
    with pytest.raises(ValueError, match=f"action {refused} is not allowed here"):
        env.step(refused)
    assert not env.chosen
    with pytest.raises(ValueError, match="render_mode is 'rgb_array'"):
        environment("first_contact", render_mode="rgb_array")


def test_render_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    """The position is told, or printed."""
    env = environment("first_contact", render_mode="ansi")
    env.reset(seed=0)
    text = env.render()
    assert text is not None
    assert re.match(r"Turn 1, player_\d decides: ACTION\nplayer_0: life 3, Mindbugs 2", text)
    env.render_mode = "human"
    assert env.render() is None
    assert capsys.readouterr().out == text + "\n"
    for _ in moments(env, seed=0):
        pass
    assert "the game is over: player_" in env._sight.tell()


def test_without_pettingzoo_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not installed it is told how."""
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "simcore.mindbug.face.environment")
    with pytest.raises(ImportError, match=r"pip install -e '\.\[rl\]'"):
        importlib.import_module("simcore.mindbug.face.environment")


def rows(blocks: tuple[Block, ...]) -> list[str]:
    """The table of a page about blocks of first_contact."""
    begin, lines = 0, []
    for block in blocks:
        lines.append(f"| {begin} | {len(block.names)} | {block.name} | {block.about} |")
        begin += len(block.names)
    return lines


def test_page_describes_the_layout() -> None:
    """The tables of docs/environment.md are those of the code."""
    layout = shared("first_contact").layout
    told = re.findall(r"^\| \d+ \| .*$", PAGE, re.MULTILINE)
    assert told == rows(layout.observation) + rows(layout.actions)
    for what in CREATURE:
        assert what in PAGE
    assert f"{len(layout.observation_names)} numbers" in PAGE
    assert f"{len(layout.action_names)} actions" in PAGE


def test_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The example of docs/environment.md prints what stands below it."""
    (example,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (printed,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    exec(example, {})
    assert capsys.readouterr().out == printed


def test_names_are_unique() -> None:
    """No two entries and no two actions have one name."""
    for name in POOLS:
        layout = shared(name).layout
        for names in (layout.observation_names, layout.action_names):
            assert len(set(names)) == len(names)
        assert layout.observation[3].names == tuple(d.name for d in Decision if d)
