"""What commands about a chapter are asked: the name of their folder, and what tells it apart."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis.confidence import unusual_confidence
from reports.cli.console import as_input_error
from reports.mice_and_mystics.cli.options import PlayableChapter

if TYPE_CHECKING:
    from card_data.mice_and_mystics.facts import Entry
    from simcore.work.about import Question


def chapter_question(
    command: str,
    chapters: Sequence[PlayableChapter],
    players: Sequence[str],
    *,
    of: "Entry | None" = None,
    games: int | None = None,
    seed: int,
    **asked: Any,
) -> "Question":
    """The question of a command about chapters with the same facts.

    ``of`` is an entry that it is about, None for none.

    ``players`` are as ``--policy`` spells them; ``asked`` is what else the answer depends on, as
    values of JSON.  Raises InputError for players whose weights cannot be read.
    """
    from card_data.mice_and_mystics.fingerprint import facts_hash
    from simcore.mice_and_mystics import RULES_VERSION
    from simcore.mice_and_mystics.players.seats import fingerprints, split_players
    from simcore.work.about import Question

    with as_input_error():
        weights = fingerprints([one for who in players for one in split_players(who)])
    return Question(
        game="mice_and_mystics",
        question=command,
        named=(command, *([of.id] if of else []), "+".join(one.name for one in chapters)),
        what=", ".join([*([of.name] if of else []), " and ".join(one.title for one in chapters)]),
        players=tuple(players),
        games=games,
        seed=seed,
        asked={
            "rules_version": RULES_VERSION,
            "facts_hash": facts_hash(chapters[0].played()[0]),
            "chapters": [one.played()[1].as_json() for one in chapters],
            "players": [*players],
            "weights": weights,
            "games": games,
            "seed": seed,
            **({"of": of.id} if of else {}),
            **asked,
            **unusual_confidence(),
        },
    )
