"""The game as a PettingZoo environment (AEC), for programs that learn to play.

Needs the extra ``rl``; nothing else in the package imports this module.  What the numbers mean is
in ``observation.py`` and in ``docs/environment.md``.
"""

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from card_data.mindbug.pool import as_pool
from card_data.mindbug.schema import Pool
from simcore.mindbug.face.game import Game
from simcore.mindbug.face.observation import Layout, Sight
from simcore.mindbug.table.compile_cards import compile_cards

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError as fault:
    raise ImportError(
        "the environment needs PettingZoo, which comes with the extra 'rl' of fairdeal: "
        "pip install -e '.[rl]'"
    ) from fault

_MODES = (None, "ansi", "human")


class MindbugEnvironment(AECEnv):
    """Games of one pool, one after another, as PettingZoo plays them.

    ``layout`` says what observation and actions mean.  ``seed``, ``number`` and ``chosen`` are the
    present game: its seed, its number and the option numbers chosen so far, which is all that
    `Game` needs to play it again.

    Parameters
    ----------
    pool
        What is played, from ``load_pool``.
    seed
        Seed of the games until ``reset`` gives another one.
    render_mode
        "human" lets ``render`` print the position; otherwise it gives it as text.
    """

    def __init__(self, pool: Pool, *, seed: int = 0, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in _MODES:
            raise ValueError(f"render_mode is {render_mode!r}; it must be 'ansi', 'human' or None")
        self.metadata = {
            "name": "mindbug_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.layout = Layout(compile_cards(pool))
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        n_actions, n_entries = len(self.layout.action_names), len(self.layout.observation_names)
        self.action_spaces = {agent: spaces.Discrete(n_actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, np.inf, (n_entries,), np.float32),
                    "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.seed, self.number = seed, -1
        self.chosen: list[int] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the first one of ``seed``, or without it the next one of the present seed.

        ``options["game"]`` asks for a game by its number: the same that ``play_games`` deals.
        """
        self.seed, self.number = (self.seed, self.number + 1) if seed is None else (seed, 0)
        self.number = (options or {}).get("game", self.number)
        self._game = Game(self.layout.table, seed=self.seed, game=self.number)
        self.chosen = []
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._look()

    def _look(self, first: int = -1) -> None:
        """See the position as it is now, and whose decision it is."""
        self._sight = Sight(self.layout, self._game, first)
        self._offered = self._sight.actions()
        self.agent_selection = self.possible_agents[max(self._game.decider, 0)]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent knows, and what it may do: nothing while the other one decides."""
        mask = np.zeros(len(self.layout.action_names), np.int8)
        if agent == self.agent_selection:
            mask[list(self._offered)] = 1
        observation = self._sight.observe(self.possible_agents.index(agent))
        return {"observation": observation, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take an action for the agent that decides, and go on to the next decision.

        Raises
        ------
        ValueError
            If the mask does not allow the action.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = -1 if action is None else operator.index(action)
        if number not in self._offered:
            raise ValueError(f"action {action} is not allowed here; the mask says which ones are")
        self._cumulative_rewards[agent] = 0.0
        self._take(self._offered[number])
        if self._game.over:
            self._end()
        self._accumulate_rewards()

    def _take(self, meant: int) -> None:
        """Choose an option, or the first creature of a pair."""
        options = self._game.options
        if options[0].word == "pair" and self._sight.first < 0:
            self._look(meant)
            if len(self._offered) > 1:
                return
            (meant,) = self._offered.values()
        self.chosen.append(meant)
        self._game.step(meant)
        self._look()

    def _end(self) -> None:
        """Give the rewards of a finished game."""
        winner = self._game.winner
        self.terminations = dict.fromkeys(self.agents, True)
        if winner >= 0:
            for player, agent in enumerate(self.possible_agents):
                self.rewards[agent] = 1.0 if player == winner else -1.0

    def choose(self, policy: str) -> int:
        """The action that a player of fairdeal, such as "greedy", takes here: an opponent."""
        number = self._game.choose(policy)
        option = self._game.options[number]
        if option.word == "pair" and self._sight.first < 0:
            number = option.slot
        found = (action for action, meant in self._offered.items() if meant == number)
        return next(found, min(self._offered))

    def render(self) -> str | None:
        """The position as text, as both players see it."""
        text = self._sight.tell()
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is open."""


def environment(
    pool: Pool | str | Iterable[str], *, seed: int = 0, render_mode: str | None = None
) -> MindbugEnvironment:
    """A PettingZoo environment of a pool, or of sets by their names.

    Parameters
    ----------
    pool
        A pool from ``load_pool``, or names of sets.
    seed, render_mode
        Those of `MindbugEnvironment`.

    Raises
    ------
    CardFileError
        If there is no such set.
    ValueError
        For a render mode that does not exist.
    """
    return MindbugEnvironment(as_pool(pool), seed=seed, render_mode=render_mode)
