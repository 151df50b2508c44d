"""Players of mice: text such as ``heuristic@0.1`` becomes numbers in the table.

One player plays all mice, or several of them one each, by party index:
``heuristic:uniform:uniform:heuristic``.
"""

import hashlib
import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from attrs import frozen

from card_data.faults import did_you_mean
from simcore.mice_and_mystics.players.policies import CERTAIN
from simcore.mice_and_mystics.players.registry import POLICIES, Number
from simcore.mice_and_mystics.players.weights import Weights, own_weights, read_weights
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.table import Table
from simcore.own_code import fingerprint, is_own
from simcore.own_seats import OwnSeats
from simcore.setup import spelled_players, spelled_share

#: The functions of a person's own that play in this process (``face/own_players.py``).
OWN_SEATS = OwnSeats()
_SPELLING = re.compile(
    r"(?P<policy>[^@:=]*)(=(?P<weights>[^@]+?))?(:(?P<number>[^@:=]*))?(@(?P<noise>.*))?"
)


@frozen
class Player:
    """A player: ``policy`` names one of ``POLICIES``, ``number`` is what its colon says.

    ``noise`` is the share of decisions that it takes as ``category`` would; ``weights`` is a file
    to take the weights from, None for those that come with fairdeal.  ``function`` spells a
    function of a person's own that chooses in place of the policy, which is "learned" then; it is
    how others who search imagine it.  "" for none.
    """

    policy: str
    number: int = 0
    noise: float = 0.0
    weights: str | None = None
    function: str = ""

    @property
    def imagines(self) -> bool:
        """Whether what nobody has seen yet may matter to them; a function may ask for all facts."""
        return self.policy == "search" or self.function != ""

    @property
    def is_slow(self) -> bool:
        """Whether a single game may take long, since they simulate or a function is asked."""
        return self.imagines


def parse_player(text: str) -> Player:
    """The player that ``POLICY[=FILE][:NUMBER][@NOISE]`` spells.

    Or ``FILE.py:FUNCTION``, a player of a person's own (`simcore.own_code`).

    Raises ValueError if it spells none; the message says what is wrong, what is allowed and what is
    nearest.
    """
    if is_own(text):
        return Player("learned", function=text)
    found = _SPELLING.fullmatch(text)
    name = found["policy"] if found else text
    allowed = f"players are: {', '.join(POLICIES)}"
    if not name.strip():
        raise ValueError(f"{text!r} names no player; {allowed}")
    if not found or name not in POLICIES:
        meant = did_you_mean(name, POLICIES)
        raise ValueError(f"unknown player {text!r}{meant} {allowed[0].upper()}{allowed[1:]}")
    number = _number(POLICIES[name].number, name, found["number"], text)
    weights = found["weights"]
    if weights is not None and not POLICIES[name].weights:
        raise ValueError(f"{text!r}: {name} has no weights; write '{name}' alone")
    return Player(name, number, spelled_share(found["noise"], text, "the noise"), weights)


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


def split_players(text: str) -> tuple[str, ...]:
    """The players of ``A`` or ``A:B:C:D``: one, or one for each mouse.

    Raises ValueError for more players than there can be mice, and what `parse_player` raises.
    """
    players = spelled_players(text)
    if len(players) > MICE:
        raise _wrong_number(players, f"at most {MICE}")
    for player in players:
        parse_player(player)
    return tuple(players)


def _wrong_number(players: Sequence[str], allowed: object) -> ValueError:
    """What is wrong with so many players."""
    return ValueError(
        f"'{':'.join(players)}' names {len(players)} players; it is one for all mice, or {allowed}"
        " with colons, one for each mouse"
    )


def seat(table: Table, players: tuple[str, ...]) -> npt.NDArray[np.void]:
    """The rows of a table with players seated, as the kernels want them: shape (1,) of TABLE.

    They are `OwnRows` where a player is a function.

    ``players`` are one for all mice, or one for each by party index, spelled as `parse_player`
    reads them.  Raises ValueError for another number of them than there are mice, and what it and
    `read_weights` raise.
    """
    if len(players) not in (1, table.n_mice):
        raise _wrong_number(players, table.n_mice)
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
    if any(player.function for player in seated):
        functions = [seated[mouse % len(seated)].function for mouse in range(MICE)]
        return OWN_SEATS.rows(rows, table, functions)
    return rows


def _weights_of(player: Player) -> Weights:
    """The weights that a player thinks with."""
    return own_weights() if player.weights is None else read_weights(_file_of(player))


def _file_of(player: Player) -> Path:
    """The file of a player who names one."""
    path = Path(player.weights or "")
    if not path.is_file():
        raise ValueError(
            f"there is no file {path} to take the weights of {player.policy} from;"
            f" without '=FILE' it has weights of its own"
        )
    return path


def file_of(text: str) -> Path | None:
    """The file that a player thinks with, None for what comes with fairdeal.

    Raises ValueError where it is missing.
    """
    player = parse_player(text)
    return None if player.weights is None else _file_of(player)


def with_file(text: str, name: str) -> str:
    """The same player as ``text`` spells, who thinks with another file."""
    policy, _, rest = text.partition("=")
    return f"{policy}={name}{rest.removeprefix(parse_player(text).weights or '')}"


def fingerprints(players: Iterable[str]) -> dict[str, str]:
    """A digest of the weights of each player who has some, or of their source: 16 hex digits.

    A file may hold something else tomorrow; a run says with these what it was played with.  Raises
    what `parse_player`, `read_weights` and `simcore.own_code.fingerprint` raise; runs no code.
    """
    found = {}
    for text in players:
        player = parse_player(text)
        if player.function:
            found[text] = fingerprint(player.function)
        elif POLICIES[player.policy].weights:
            found[text] = hashlib.sha256(_weights_of(player).tobytes()).hexdigest()[:16]
    return found
