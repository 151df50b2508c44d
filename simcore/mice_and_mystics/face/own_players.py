"""What a player of a person's own is shown, and how a function becomes a player.

A function takes `View` and returns the number of an option.  Everything lies open in this game but
the order of the decks and what dice will show, and that is not in a view.
"""

from collections.abc import Callable
from random import Random

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from card_data.mice_and_mystics.facts import Facts
from simcore.jit import cached_kernel
from simcore.mice_and_mystics.face.labels import labels
from simcore.mice_and_mystics.face.moments import bits
from simcore.mice_and_mystics.players.seats import OWN_SEATS
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.state import CHOICES
from simcore.mice_and_mystics.table.table import Table
from simcore.own_code import use
from simcore.own_seats import choose
from simcore.random_streams import _random_below

_BITS = np.int64(1 << 32)


@cached_kernel
def _draw(states, below):
    """The next number of those that players draw.  Modifies the streams of states[0]."""
    return _random_below(states[0].streams, CHOICES, below)


@frozen
class SeenOption:
    """An option: ``word`` says what is done, ``given`` to or with what, ``label`` both.

    The words are those of section 24 of the rules: "BATTLE collins_sword 2" attacks figure 2 with
    Collin's sword.
    """

    label: str

    @property
    def word(self) -> str:
        """The kind of option: END, MOVE, BATTLE, SEARCH and so on."""
        return self.label.partition(" ")[0]

    @property
    def given(self) -> tuple[str, ...]:
        """The words behind it: ids, spaces, numbers of figures."""
        return (*self.label.split()[1:],)


@frozen
class SeenMouse:
    """A mouse of the party; ``space`` is "" without a figure on the tile.

    ``wounds`` counts poison.  ``equipped``, ``pack`` and ``abilities`` are ids.
    """

    hero: str
    space: str
    wounds: int
    life: int
    cheese: int
    equipped: tuple[str, ...]
    pack: tuple[str, ...]
    abilities: tuple[str, ...]
    captured: bool
    missing: bool
    stunned: bool
    webbed: bool
    down: bool


@frozen
class SeenFigure:
    """A minion on the tile; ``figure`` is its number in labels of options."""

    figure: int
    minion: str
    space: str
    wounds: int
    life: int
    down: bool


@frozen
class View:
    """What the players see of a game, and what the one who decides may do.

    ``decision`` is "D1" … "D11" of the rules, and ``mouse`` the hero who decides; the function
    returns the place of one of ``options``.  ``track`` has heroes and minions from the top,
    ``wheel`` is the cheese of the minions.  ``random`` draws numbers that are the same whenever
    this game is played again: use no others.  ``facts`` say what everything is.
    """

    decision: str
    options: tuple[SeenOption, ...]
    mouse: str
    round: int
    page: int
    wheel: int
    actions: int
    room: str
    mice: tuple[SeenMouse, ...]
    minions: tuple[SeenFigure, ...]
    track: tuple[str, ...]
    facts: Facts = field(repr=False)
    random: Random = field(eq=False, repr=False)


def own_player(code: str | Callable[[View], int]) -> str:
    """Let a function of a person's own play in this process; how the player is spelled.

    Parameters
    ----------
    code
        ``FILE.py:FUNCTION``, whose file is run, or a function.  It takes `View` and returns the
        number of an option.  For the same position it has to decide the same; chance comes from
        ``View.random``.

    Returns
    -------
    str
        What stands for the player wherever players are named.

    Raises
    ------
    OwnCodeError
        When there is no such file or function, or the file cannot be run.
    """
    own = use(code)

    def chosen(table: Table, states: npt.NDArray[np.void]) -> int:
        seen = see(table, states[0], Random(int(_draw(states, _BITS))))
        where = f"round {seen.round} ({seen.decision}, {seen.mouse})"
        return choose(own, seen, len(seen.options), where)

    OWN_SEATS.seat(own.text, chosen)
    return own.text


def see(table: Table, state: np.void, dice: Random) -> View:
    """What the players see where a state stands at a decision."""
    ids = table.ids
    heroes = [ids["heroes"][int(hero)] for hero in state["hero"][: table.n_mice]]
    cards = [int(card) for card in state["track"][: int(state["n_track"])]]
    return View(
        f"D{int(state['point'])}",
        tuple(map(SeenOption, labels(table, state))),
        heroes[int(state["decider"])],
        int(state["round"]),
        int(state["page"]),
        int(state["wheel"]),
        int(state["actions"]),
        ids["tiles"][int(state["tile"])],
        tuple(mouse_seen(table, state, mouse) for mouse in range(table.n_mice)),
        tuple(figure_seen(table, state, figure) for figure in bits(int(state["figures"]))),
        tuple(heroes[card] if card < MICE else ids["track"][card - MICE] for card in cards),
        table.facts,
        dice,
    )


def mouse_seen(table: Table, state: np.void, mouse: int) -> SeenMouse:
    """A mouse by party index."""
    spaces = table.spaces[int(state["tile"])]
    hero, space = int(state["hero"][mouse]), int(state["space"][mouse])
    cards = table.ids["cards"]
    pack = state["pack"][mouse, : int(state["n_pack"][mouse])]
    return SeenMouse(
        table.ids["heroes"][hero],
        spaces[space] if space >= 0 else "",
        int(state["wounds"][mouse]) + int(state["poison"][mouse]),
        table.facts.heroes[hero].life,
        int(state["cheese"][mouse]),
        tuple(cards[int(card)] for card in state["slots"][mouse] if card >= 0),
        tuple(cards[int(card)] for card in pack),
        tuple(table.ids["abilities"][one] for one in bits(int(state["abilities"][mouse]))),
        *(
            bool(int(state[name]) >> mouse & 1)
            for name in ("captured", "missing", "stunned", "webbed", "down")
        ),
    )


def figure_seen(table: Table, state: np.void, figure: int) -> SeenFigure:
    """A figure of minions."""
    spaces = table.spaces[int(state["tile"])]
    kind = int(state["type"][figure])
    return SeenFigure(
        figure,
        table.ids["minions"][kind],
        spaces[int(state["figure_space"][figure])],
        int(state["damage"][figure]),
        table.facts.minions[kind].life,
        bool(int(state["knocked"]) >> figure & 1),
    )
