"""Players who think with a network get to know new cards, before they say whether these are fair.

A network judges a card by what it says.  Of words that no card had it knows nothing, and plays
them badly (docs/players.md).  So before a command plays with cards that the network of a player was
not trained with, the network learns from games with them.  What it has learned stays in
``runs/players`` for the next command.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, count
from typing import TYPE_CHECKING

from reports.cli.console import as_input_error, progress, resumable, say
from reports.mindbug.cli.steps import COUNTING, compile_engine, plans_of_lessons

if TYPE_CHECKING:
    from card_data.mindbug.schema import Pool

_MOST_NAMED, _LONGEST = 3, 40


def taught(
    players: Sequence[str],
    pools: Sequence["Pool"],
    *,
    threads: int | None = None,
    learn: bool = True,
) -> tuple[str, ...]:
    """The players, those who think with a network with one that knows all cards of some pools.

    Players whose network knows them, who name a file of their own, and who have no network are
    returned as they are; unless they may ``learn``, so are all, and a dry run foresees their
    lessons.  Raises InputError and RunError.
    """
    from simcore.mindbug import parse_player
    from simcore.mindbug.players.seats import with_file

    found = []
    for text in players:
        names = _unknown(text, pools)
        name = parse_player(text).weights or "expert"
        if names and not learn:
            _foresee(name, tuple(pools))
        if not names or not learn:
            found.append(text)
            continue
        found.append(with_file(text, _learned(name, tuple(pools), names, threads)))
    return tuple(found)


def must_learn(player: str, pool: "Pool") -> bool:
    """Whether `taught` would play a lesson.  Raises InputError."""
    from simcore.mindbug import parse_player
    from simcore.places import TAUGHT

    if not _unknown(player, [pool]):
        return False
    name = parse_player(player).weights or "expert"
    return not (TAUGHT / f"{_called(name, [pool])}.npz").exists()


def _unknown(player: str, pools: Sequence["Pool"]) -> list[str]:
    """The names of cards that the network of a player does not know.  Raises InputError."""
    from simcore.mindbug import compile_cards, parse_player
    from simcore.mindbug.players.seats import thinks_with

    with as_input_error():
        faces = [card for pool in pools for card in compile_cards(pool).faces]
    network = thinks_with(parse_player(player))
    new = [] if network is None else network.unknown(faces)
    return list(dict.fromkeys(card.name for card in new))


def _foresee(name: str, pools: Sequence["Pool"]) -> None:
    """Note what a lesson would play, in a dry run."""
    from reports.mindbug.training.network import NetworkTrainer
    from simcore.places import TAUGHT
    from simcore.work.cost import foreseen

    lessons, called = foreseen(), _called(name, pools)
    if lessons is None or (TAUGHT / f"{called}.npz").exists():
        return
    lesson = NetworkTrainer.of(pools, start=name, against=None, seed=0).training
    lessons.plans[name, called] = [one for pool in pools for one in plans_of_lessons(pool, lesson)]


def _learned(name: str, pools: Sequence["Pool"], new: Sequence[str], threads: int | None) -> str:
    """What the network ``name`` is called after games of some pools, which are played if need be.

    It is kept as ``TAUGHT/NAME.npz``; a folder of that name says what was learned, and has what an
    interruption leaves.
    """
    from reports.mindbug.training.network import NetworkTrainer
    from reports.training.folder import begin_training
    from simcore.mindbug import compile_cards
    from simcore.mindbug.players.network_files import read_network, write_network
    from simcore.places import TAUGHT

    called = _called(name, pools)
    file, folder = TAUGHT / f"{called}.npz", TAUGHT / called
    if file.exists():
        with as_input_error():
            read_network(file)
        return called
    listed = ", ".join(dict.fromkeys(new[:_MOST_NAMED]))
    more = f" and {len(new) - _MOST_NAMED} more" if len(new) > _MOST_NAMED else ""
    say(f"{name} was not trained with {listed}{more}: it first learns from games with these cards")
    with as_input_error():
        lesson = NetworkTrainer.of(pools, start=name, against=None, seed=0)
        identity = begin_training(lesson.kind, folder, lesson.asked)
    tables = [compile_cards(pool) for pool in pools]
    # Whoever gets to know new cards is going to be counted.
    compile_engine((lesson.learner, *lesson.players), tables, [*lesson.compiled, COUNTING])
    with (
        resumable("what was learned stays", folder),
        progress("learning the new cards", lesson.units) as advance,
    ):
        network = lesson.learn(folder, identity, threads=threads, on_progress=advance)
    write_network(network, file)
    return called


def _called(name: str, pools: Sequence["Pool"]) -> str:
    """The name of this lesson, after the sets of one's own: "my_cards", the next "my_cards-2"."""
    from card_data.mindbug import available_sets, pool_hash
    from reports.mindbug.training.network import NetworkTrainer
    from simcore.mindbug.players.network_files import own_network
    from simcore.places import TAUGHT
    from simcore.sealed import RunError
    from simcore.work.folder import read_asked

    lesson = {
        "network": own_network(name).digest,
        "pools": [pool_hash(pool) for pool in pools],
    }
    sets = dict.fromkeys(card_set.set_id for pool in pools for card_set in pool.sets)
    own = [one for one in sets if one not in available_sets()] or list(sets)
    first = re.sub(r"[^\w+]", "_", "+".join(own))[:_LONGEST]
    for called in chain([first], (f"{first}-{number}" for number in count(2))):
        folder = TAUGHT / called
        if not folder.exists() and not (TAUGHT / f"{called}.npz").exists():
            return called
        with suppress(RunError):
            found = read_asked(NetworkTrainer.kind, folder)
            if all(found.get(part) == value for part, value in lesson.items()):
                return called
    raise AssertionError
