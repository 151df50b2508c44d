"""Players at the table: text such as ``search:400`` or ``greedy@0.1`` becomes numbers.

A player is a policy (``policies.py``), with a share of random mistakes if wanted, the number of
simulations of a searching one, a file of weights in place of the policy's own, and what they
never do (``restrictions.py``).
"""

import hashlib
import re
import weakref
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import evolve, frozen

from card_data.faults import did_you_mean
from simcore.mindbug.players.card_worth import worths
from simcore.mindbug.players.greedy import card_worth
from simcore.mindbug.players.network_files import (
    NETWORKS,
    Network,
    own_network,
    read_network,
    seat_network,
)
from simcore.mindbug.players.policies import thinking
from simcore.mindbug.players.registry import POLICIES
from simcore.mindbug.players.restrictions import RESTRICTIONS, bits_of
from simcore.mindbug.players.weights import Weights, own_weights, read_weights
from simcore.mindbug.table.card_table import CardTable
from simcore.own_code import fingerprint, is_own
from simcore.own_seats import OwnSeats
from simcore.places import TAUGHT
from simcore.setup import spelled_players, spelled_share

#: The functions of a person's own that play in this process (``face/own_players.py``).
OWN_SEATS = OwnSeats()
MAX_SIMULATIONS = 1_000_000
#: Players from weak to strong, one of each policy: what is measured and compared by default.
RUNGS = tuple(f"{name}:400" if policy.searches else name for name, policy in POLICIES.items())
# A file may have hyphens in its name: behind one only the words of restrictions are read as such.
_SPELLING = re.compile(
    r"(?P<policy>[^@:=-]*)(=(?P<weights>[^@]+?))?(:(?P<simulations>[^@:=-]*))?"
    rf"(?P<never>(?(weights)(-({'|'.join(RESTRICTIONS)}))*|(-[^@:=-]*)*))(@(?P<mistakes>.*))?"
)


@frozen
class Player:
    """A player: ``policy`` names one of ``POLICIES``.

    ``weights`` is a file to take the weights from, None for the policy's own; ``simulations`` is 0
    for a policy that does not search; ``mistakes`` is the share of decisions made at random;
    ``never`` are words of ``RESTRICTIONS``, in their order.  ``function`` spells a function of a
    person's own that chooses in place of the policy, which is "random" then; "" for none.
    """

    policy: str
    weights: str | None = None
    simulations: int = 0
    mistakes: float = 0.0
    never: tuple[str, ...] = ()
    function: str = ""

    @property
    def imagines(self) -> bool:
        """Whether cards that nobody was dealt matter to them.

        They do where a player deals anew what they cannot see; a function may ask for the pool.
        """
        return self.simulations > 0 or POLICIES[self.policy].levels > 0 or self.function != ""

    @property
    def is_slow(self) -> bool:
        """Whether a single game may take long, since they simulate or a function is asked."""
        return self.simulations > 0 or self.function != ""

    @property
    def considers(self) -> bool:
        """Whether the engine for players who search or are restricted plays their games."""
        return not self.function and (self.imagines or self.never != ())


def parse_player(text: str) -> Player:
    """The player that ``POLICY[=FILE][:SIMULATIONS][-RESTRICTION]...[@MISTAKES]`` spells.

    Or ``FILE.py:FUNCTION``, a player of a person's own (`simcore.own_code`).

    Raises
    ------
    ValueError
        If it spells none; the message says what is wrong, what is allowed and what is nearest.
    """
    if is_own(text):
        return Player("random", function=text)
    found = _SPELLING.fullmatch(text)
    name = found["policy"] if found else text
    if not name.strip():
        where = f"{text!r} names no policy" if text.strip() else "the policy is empty"
        raise ValueError(f"{where}; policies are: {', '.join(POLICIES)}")
    if not found or name not in POLICIES:
        meant = did_you_mean(name, POLICIES)
        raise ValueError(f"unknown policy {text!r}{meant} Policies are: {', '.join(POLICIES)}")
    policy = POLICIES[name]
    simulations = 0
    if policy.searches:
        if found["simulations"] is None:
            raise ValueError(f"{text!r} does not say how often to simulate; try '{name}:400'")
        simulations = _whole(found["simulations"], text)
    elif found["simulations"] is not None:
        raise ValueError(f"{text!r}: {name} does not simulate; write '{name}' alone")
    if found["weights"] is not None and policy.weights is None:
        raise ValueError(f"{text!r}: {name} has no weights; write '{name}' alone")
    mistakes = spelled_share(found["mistakes"], text, "the share of mistakes")
    never = _restrictions(found["never"], text)
    return Player(name, found["weights"], simulations, mistakes, never)


def _restrictions(text: str, whole: str) -> tuple[str, ...]:
    """The restrictions behind hyphens, each once and in the order of ``RESTRICTIONS``."""
    words = text.split("-")[1:]
    for word in words:
        if word not in RESTRICTIONS:
            raise ValueError(f"{whole!r}: {unknown_restriction(word)}")
    return tuple(word for word in RESTRICTIONS if word in words)


def unknown_restriction(word: str) -> str:
    """The message about a word that names no restriction."""
    meant = did_you_mean(word, RESTRICTIONS)
    return f"there is no restriction {word!r}{meant} Restrictions are: {', '.join(RESTRICTIONS)}"


def _whole(text: str, whole: str) -> int:
    """A number of simulations."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_SIMULATIONS):
        raise ValueError(
            f"{whole!r}: the number of simulations is {text!r}; it must be 1 to {MAX_SIMULATIONS}"
        )
    return int(text)


def split_players(text: str) -> tuple[str, str]:
    """Both players of ``A`` or ``A:B``, as text.

    Raises ValueError for more than two players, and what `parse_player` raises.
    """
    players = spelled_players(text)
    if len(players) > 2:
        raise ValueError(f"'{text}' names {len(players)} players; it is one, or two with a colon")
    for player in players:
        parse_player(player)
    return players[0], players[-1]


def seat(
    table: CardTable,
    players: tuple[str, str],
    *,
    networks: Mapping[int, Network] | None = None,
) -> npt.NDArray[np.void]:
    """The rows of a table with two players seated, as the kernels want them: (1,) of CARD_TABLE.

    With a player who imagines, two more rows are what each player imagines (``search.py``).  With
    one who is a function they are `OwnRows`.

    ``players[p]`` is spelled as `parse_player` reads it; ``networks`` are those that some players
    think with in place of what that says, by their places.  Raises what it, `read_weights` and
    `read_network` raise.
    """
    seated = [parse_player(text) for text in players]
    imagining = [player.imagines for player in seated]
    rows = np.repeat(table.rows, 3 if any(imagining) else 1)
    record = rows[0]
    if any(player.policy != "random" for player in seated):
        record["thinking"] = thinking(bool(record["plain"]))
    if any(player.policy == "greedy" for player in seated):
        record["cards"]["worth"][: len(table.faces)] = list(map(card_worth, table.faces))
    for place, player in enumerate(seated):
        policy = POLICIES[player.policy]
        record["policy"][place] = list(POLICIES).index(player.policy)
        record["mistakes"][place] = round(player.mistakes * 2**32)
        record["simulations"][place] = player.simulations
        record["forbidden"][place] = bits_of(player.never)
        if policy.weights is not None:
            weights = _weights_of(player)
            record["weight"][place] = weights
            record["worth"][place, : len(table.faces)] = _worths(table, weights)
        record["levels"][place] = policy.levels
        network = (networks or {}).get(place) or _network_of(player)
        if network is not None:
            _seat_network(table, rows, place, network)
    for place, imagines in enumerate(imagining):
        if imagines:
            _imagine(rows[1 + place], record, place)
    if any(player.function for player in seated):
        return OWN_SEATS.rows(rows, table, [player.function for player in seated])
    return rows


def _imagine(imagined: np.void, record: np.void, place: int) -> None:
    """Let both players of a table think with the weights of one.  Modifies imagined.

    What they never do is left out where they choose, not in what they imagine.
    """
    imagined["thinking"] = record["thinking"]
    for other in range(2):
        imagined["policy"][other] = list(POLICIES).index("learned")
        imagined["weight"][other] = record["weight"][place]
        imagined["worth"][other] = record["worth"][place]
        for name in ("simulations", "levels", "network"):
            imagined[name][other] = record[name][place]


def _weights_of(player: Player) -> Weights:
    """The weights that a player thinks with."""
    policy = POLICIES[player.policy]
    if _takes_weights(player):
        given = player.weights or ""
        return own_weights(given) if _has_own(given) else read_weights(_file_of(player))
    assert policy.weights is not None
    return own_weights(policy.weights)


def _network_of(player: Player) -> Network | None:
    """The network that a player thinks with, if any."""
    policy = POLICIES[player.policy]
    if not has_network(player):
        return None
    name = player.weights or policy.network
    return own_network(name) if name in NETWORKS else read_network(_file_of(player))


def has_network(player: Player) -> bool:
    """Whether a network judges for a player, and no weights."""
    return POLICIES[player.policy].network is not None and not _takes_weights(player)


def thinks_with(player: Player) -> Network | None:
    """The network that a player thinks with who names no file; None for one without."""
    named_file = player.weights is not None and player.weights not in NETWORKS
    return None if named_file else _network_of(player)


def with_file(text: str, name: str) -> str:
    """The same player as ``text`` spells, who thinks with another file or network."""
    found = _SPELLING.fullmatch(text)
    assert found is not None
    policy, given = found["policy"], found["weights"]
    return f"{policy}={name}{text.removeprefix(policy).removeprefix(f'={given}')}"


def file_of(text: str) -> Path | None:
    """The file that a player thinks with, None for what comes with fairdeal.

    Raises ValueError where it is missing.
    """
    player = parse_player(text)
    given = player.weights
    if given is None or given in NETWORKS or (_takes_weights(player) and _has_own(given)):
        return None
    return _file_of(player)


def _takes_weights(player: Player) -> bool:
    """Whether what a player is given to think with are weights, not a network.

    A player who searches can do it with weights alone, by their file or their player's name.
    """
    given, policy = player.weights, POLICIES[player.policy]
    return given is not None and (
        policy.network is None or (policy.searches and (given.endswith(".toml") or _has_own(given)))
    )


def _has_own(name: str) -> bool:
    """Whether a policy of this name has weights of its own."""
    return name in POLICIES and POLICIES[name].weights == name


def _file_of(player: Player) -> Path:
    """The file that a player thinks with in place of the policy's own."""
    given = player.weights or ""
    learned = TAUGHT / f"{given}.npz"
    if POLICIES[player.policy].network is not None and learned.is_file():
        return learned
    path = Path(given)
    if path.is_file():
        return path
    thinks = POLICIES[player.policy].network is not None
    if thinks and not path.suffix and path == Path(path.name):
        names = [*NETWORKS, *sorted(file.stem for file in TAUGHT.glob("*.npz"))]
        raise ValueError(
            f"{player.policy}={given} would think with what it learned in a lesson, but there is no"
            f" {learned} here; copy that file, or name the cards and '{player.policy}' alone for"
            f" another lesson. Networks here are {', '.join(names)}"
            f"{did_you_mean(given, names)}"
        )
    raise ValueError(
        f"there is no file {path} to take the weights of {player.policy} from; 'fairdeal"
        f" train' makes one, and '{player.policy}' alone has weights of its own"
        + (f"; networks that come with fairdeal are {', '.join(NETWORKS)}" if thinks else "")
    )


def fingerprints(players: Iterable[str]) -> dict[str, str]:
    """A digest of the weights of each player who has some, or of their source: 16 hex digits.

    A file may hold something else tomorrow; a run says with these what it was played with.  Raises
    what `parse_player`, `read_weights` and `simcore.own_code.fingerprint` raise; runs no code.
    """
    found = {}
    for text in players:
        player = parse_player(text)
        policy = POLICIES[player.policy]
        if player.function:
            found[text] = fingerprint(player.function)
        if policy.weights is not None:
            digest = hashlib.sha256(_weights_of(player).tobytes())
            if network := _network_of(player):
                digest.update(network.digest.encode())
            found[text] = digest.hexdigest()[:16]
    return found


def thinking_of(text: str) -> tuple[Any, ...]:
    """How a player chooses, however they are spelled: the same for two who play the same games.

    Raises what `fingerprints` raises.
    """
    player, known = parse_player(text), fingerprints([text])
    if not known:
        return (player,)
    return evolve(player, policy="", weights=known[text]), POLICIES[player.policy].levels


def _worths(table: CardTable, weights: Weights) -> npt.NDArray[np.float32]:
    """`worths` of all faces of a table, counted once for a table and weights."""
    key = weights.tobytes()
    if key not in table.judged:
        table.judged[key] = worths(table.faces, weights)
    found: npt.NDArray[np.float32] = table.judged[key]
    return found


def _seat_network(
    table: CardTable, rows: npt.NDArray[np.void], place: int, network: Network
) -> None:
    """Let player ``place`` think with a network.  Modifies rows, which `seat` makes.

    The rows know where the network lies, and it stays there as long as they do.
    """
    key = network.digest.encode()
    if key not in table.judged:
        table.judged[key] = seat_network(network, table.faces)
    seated = table.judged[key]
    weakref.finalize(rows, id, seated)  # it is kept until then
    for row in rows:
        row["network"][place] = seated.ctypes.data


def seat_weights(
    table: CardTable, rows: npt.NDArray[np.void], place: int, weights: Weights
) -> None:
    """Let player ``place`` think with other weights.  Modifies rows, which `seat` has made."""
    rows[0]["weight"][place] = weights
    rows[0]["worth"][place, : len(table.faces)] = worths(table.faces, weights)
