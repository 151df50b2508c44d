"""Players of mice: text such as ``heuristic@0.1`` becomes numbers in the table.

One player plays all four mice, or four of them one each, by party index:
``heuristic:uniform:uniform:heuristic``.
"""

import hashlib
import math
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt
from attrs import frozen

from card_data.faults import nearest
from simcore.mice_and_mystics.players.policies import CERTAIN
from simcore.mice_and_mystics.players.registry import POLICIES, Number
from simcore.mice_and_mystics.players.weights import Weights, own_weights, read_weights
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.table import Table

_SPELLING = re.compile(
    r"(?P<policy>[^@:=]*)(=(?P<weights>[^@]+?))?(:(?P<number>[^@:=]*))?(@(?P<noise>.*))?"
)


@frozen
class Player:
    """A player: ``policy`` names one of ``POLICIES``, ``number`` is what its colon says.

    ``noise`` is the share of decisions that it takes as ``category`` would; ``weights`` is a file
    to take the weights from, None for those that come with balancelab.
    """

    policy: str
    number: int = 0
    noise: float = 0.0
    weights: str | None = None


def parse_player(text: str) -> Player:
    """The player that ``POLICY[=FILE][:NUMBER][@NOISE]`` spells.

    Raises ValueError if it spells none; the message says what is wrong, what is allowed and what is
    nearest.
    """
    found = _SPELLING.fullmatch(text)
    name = found["policy"] if found else text
    allowed = f"players are: {', '.join(POLICIES)}"
    if not name.strip():
        raise ValueError(f"{text!r} names no player; {allowed}")
    if not found or name not in POLICIES:
        guess = nearest(name, POLICIES)
        meant = f"; did you mean {guess!r}?" if guess else ";"
        raise ValueError(f"unknown player {text!r}{meant} {allowed[0].upper()}{allowed[1:]}")
    number = _number(POLICIES[name].number, name, found["number"], text)
    weights = found["weights"]
    if weights is not None and not POLICIES[name].weights:
        raise ValueError(f"{text!r}: {name} has no weights; write '{name}' alone")
    return Player(name, number, _noise(found["noise"], text), weights)


def _number(number: Number | None, name: str, given: str | None, whole: str) -> int:
    """The number behind a colon."""
    if number is None:
        if given is not None:
            raise ValueError(f"{whole!r}: {name} has no number; write '{name}' alone")
        return 0
    if given is None:
        if number.default is None:
            raise ValueError(f"{whole!r} does not say {number.help}; try '{name}:{number.usual}'")
        return number.default
    if not re.fullmatch(r"[0-9]{1,9}", given) or not number.least <= int(given) <= number.most:
        raise ValueError(
            f"{whole!r}: {number.name} is {given!r}; it must be {number.least} to {number.most:,}"
            f" ({number.help})"
        )
    return int(given)


def _noise(given: str | None, whole: str) -> float:
    """A share of decisions."""
    if given is None:
        return 0.0
    try:
        share = float(given)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"{whole!r}: the noise is {given!r}; it must be 0 to 1")
    return share


def split_players(text: str) -> tuple[str, ...]:
    """The players of ``A`` or ``A:B:C:D``, one or four; a number after a colon belongs to its own.

    Raises ValueError for any other number of players, and what `parse_player` raises.
    """
    players: list[str] = []
    for part in text.split(":"):
        if players and re.match(r"\d", part):
            players[-1] += f":{part}"
        else:
            players.append(part)
    if len(players) not in (1, MICE):
        raise ValueError(
            f"'{text}' names {len(players)} players; it is one for all mice, or {MICE} with colons,"
            " one for each mouse"
        )
    for player in players:
        parse_player(player)
    return tuple(players)


def seat(table: Table, players: tuple[str, ...]) -> npt.NDArray[np.void]:
    """The rows of a table with players seated, as the kernels want them: shape (1,) of TABLE.

    ``players`` are one for all mice, or one for each by party index, spelled as `parse_player`
    reads them.  Raises what it and `read_weights` raise.
    """
    seated = [parse_player(text) for text in players]
    rows = table.rows.copy()
    for mouse in range(MICE):
        player = seated[mouse % len(seated)]
        row = rows[0]["players"][mouse]
        row["policy"] = list(POLICIES).index(player.policy)
        row["noise"] = math.ceil(player.noise * int(CERTAIN))
        row["number"] = player.number
        if POLICIES[player.policy].weights:
            row["weights"] = _weights_of(player)
    return rows


def _weights_of(player: Player) -> Weights:
    """The weights that a player thinks with."""
    if player.weights is None:
        return own_weights()
    path = Path(player.weights)
    if not path.is_file():
        raise ValueError(
            f"there is no file {path} to take the weights of {player.policy} from;"
            f" without '=FILE' it has weights of its own"
        )
    return read_weights(path)


def fingerprints(players: Iterable[str]) -> dict[str, str]:
    """A digest of the weights of each player who has some: 16 hex digits.

    A file may hold other weights tomorrow; a run says with these which it was played with.  Raises
    what `parse_player` and `read_weights` raise.
    """
    return {
        text: hashlib.sha256(_weights_of(player).tobytes()).hexdigest()[:16]
        for text, player in ((text, parse_player(text)) for text in players)
        if POLICIES[player.policy].weights
    }
