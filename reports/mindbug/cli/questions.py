"""What commands about a pool are asked, their folders, and what they answer to ``--json``."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.confidence import unusual_confidence
from reports.cli import json_answers
from reports.cli.console import as_input_error

if TYPE_CHECKING:
    import pandas as pd

    from card_data.mindbug.schema import Pool
    from reports.kit.words import Finding
    from simcore.work.about import Question


def pool_question(
    command: str,
    pool: "Pool",
    players: Sequence[str],
    *,
    of: str = "",
    games: int | None = None,
    seed: int,
    **asked: Any,
) -> "Question":
    """The question of a command about a pool, perhaps ``of`` one of its cards.

    ``asked`` is what else the answer depends on, as values of JSON.  Raises InputError for players
    whose weights cannot be read.
    """
    from reports.mindbug.run_text import called
    from simcore.mindbug.play.asked import experiment_entries
    from simcore.mindbug.players.seats import fingerprints
    from simcore.work.about import Question

    names = {card.card_id: card.name for card_set in pool.sets for card in card_set.cards}
    with as_input_error():
        weights = fingerprints(players)
    played = experiment_entries(pool)
    del played["set_names"]  # words for people
    return Question(
        game="mindbug",
        question=command,
        named=(command, of, pool_name(pool)),
        what=" in ".join(filter(None, [names.get(of, of and f"{of} cards"), pool_title(pool)])),
        players=tuple(players),
        games=games,
        seed=seed,
        who=tuple(map(called, players)),
        asked={
            **played,
            "of": of,
            "players": [*players],
            "weights": weights,
            "games": games,
            "seed": seed,
            **asked,
            **unusual_confidence(),
        },
    )


def pool_name(pool: "Pool") -> str:
    """A pool in the name of a folder: the ids of its sets."""
    return "+".join(card_set.set_id for card_set in pool.sets)


def pool_title(pool: "Pool") -> str:
    """A pool in words: its sets, and the modes that are not the usual ones."""
    from card_data.mindbug.display import unusual_modes
    from reports.mindbug.run_text import describe_sets
    from simcore.mindbug.play.asked import experiment_entries

    return ", ".join([describe_sets(experiment_entries(pool)), *unusual_modes(pool.modes)])


def found_json(
    findings: "Iterable[Finding]", tables: "Mapping[str, pd.DataFrame]", folder: Path
) -> dict[str, Any]:
    """What the console says of a folder, and what is told of its tables."""
    return json_answers.found_json("mindbug", findings, tables, folder)
