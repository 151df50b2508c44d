"""What was played, in words: the sets, the players, the games, and the caption of a chart.

Every room tells it in the same way, from the manifest of what was played.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from card_data.mindbug import available_sets, load_sets, pool_hash
from card_data.mindbug.modes import Modes
from card_data.mindbug.schema import CardSet, Pool
from card_data.mindbug.vocabulary import Ruling
from reports.kit.words import games, intervals, listed, seed_text

# What a player is called by who has learned new cards (`reports.mindbug.cli.taught`).
_LEARNED = re.compile(r"(?<=expert|search)=(?!learned|second|third)[\w+]+(-\d+)?(?=[:@\s,;)-]|$)")
_LEARNED_TOLD = re.compile(f"{_LEARNED.pattern}(?P<depth>:\\d+)?")


def describe_sets(manifest: Mapping[str, Any], *, most_sets: int | None = None) -> str:
    """The sets played: "First Contact and New Servants", at most so many by name.

    It is said when their cards are not as they come: changed, left out or counted otherwise.
    """
    changed = " with changed cards" if _has_changed_cards(manifest) else ""
    return f"{listed(manifest['set_names'], most_sets)}{changed}"


def _has_changed_cards(manifest: Mapping[str, Any]) -> bool:
    """Whether sets that come with fairdeal were played with other cards than they have.

    Not known, and not said, where there are sets of a person's own among them: their names say it.
    """
    if "modes" not in manifest or not {*manifest["sets"]} <= {*available_sets()}:
        return False
    rulings = frozenset(Ruling[name.upper()] for name in manifest["modes"]["rulings"])
    modes = Modes(**{**manifest["modes"], "rulings": rulings})
    return pool_hash(Pool(_shipped(*manifest["sets"]), modes)) != manifest["pool_hash"]


@lru_cache
def _shipped(*names: str) -> tuple[CardSet, ...]:
    """Sets as they come with fairdeal."""
    return tuple(load_sets(names))


def describe_policies(manifest: Mapping[str, Any]) -> str:
    """Who played: "random against random"."""
    policies = manifest["policies"]
    return " against ".join(map(called, policies)) + learned_text(policies)


def called(player: str) -> str:
    """A player in a sentence: "expert" for "expert=my_cards-2", who learned new cards."""
    return _LEARNED.sub("", player)


def called_in_game(players: Sequence[str], first: int) -> tuple[str, str]:
    """What the two players of a game are called, by seat: "random player", "expert player".

    Where both are the same, the one who starts, of the seat ``first``, is the "first player".
    """
    one, other = map(called, players)
    if one != other:
        return f"{one} player", f"{other} player"
    names = "first player", "second player"
    return names if first == 0 else names[::-1]


def learned_in_words(text: str) -> str:
    """A text that names such players: "expert (who learned your cards) plays"."""
    return _LEARNED_TOLD.sub(r"\g<depth> (who learned your cards)", text)


def learned_text(players: Iterable[str]) -> str:
    """That some players had learned new cards first; "" where none had."""
    return ", after a lesson with these cards" if any(map(_LEARNED.search, players)) else ""


def weights_of(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """With which weights the players thought, as a fact of a page; none where nobody has any."""
    told = [f"{player} {digest}" for player, digest in manifest.get("weights", {}).items()]
    return [("Weights", f"SHA-256 {', '.join(told)}")] if told else []


def describe_run(manifest: Mapping[str, Any], *, most_sets: int | None = None) -> str:
    """One line that says what was played; a few sets by name, more only counted, for captions."""
    ended = ", stopped once precise enough" if "until" in manifest else ""
    parts = [
        describe_sets(manifest, most_sets=most_sets),
        f"{games(manifest['games'])}{ended}",
        describe_policies(manifest),
        seed_text(manifest),
    ]
    return " · ".join(parts)


def caption(said: str, *manifests: Mapping[str, Any]) -> str:
    """What stands under a chart: what was played, how sure that is; below, with which versions.

    ``said`` names games, players and seed; of several runs versions that differ are all named.
    """
    pools = dict.fromkeys(manifest["pool_hash"][:8] for manifest in manifests)
    tools = dict.fromkeys(manifest["versions"]["fairdeal"] for manifest in manifests)
    rules = dict.fromkeys(str(manifest["rules_version"]) for manifest in manifests)
    made = [f"fairdeal {listed(tools)}", f"rules {listed(rules)}", f"cards {listed(pools)}"]
    return f"{said}{intervals()}\n{' · '.join(made)}"


def caption_of_run(manifest: Mapping[str, Any]) -> str:
    """What stands under a chart of a run: games, players, seed, and versions below.

    ``manifest`` is that of an `analysis.mindbug.Run`; `theme.add_caption` writes it.
    """
    return caption(describe_run(manifest, most_sets=1), manifest)


def versions_of(manifest: Mapping[str, Any]) -> str:
    """With which versions of what was played: "fairdeal 0.1.0, numpy 2.3.5, …"."""
    return ", ".join(f"{name} {version}" for name, version in manifest["versions"].items())
