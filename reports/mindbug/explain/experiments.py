"""Experiments that show whether a part of an advantage is a cause, as commands."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from analysis.confidence import confidence_said
from analysis.experiments.comparison import Comparison
from analysis.mindbug.runs import Run
from simcore.commands import command, option_words
from simcore.mindbug.players.registry import POLICIES
from simcore.mindbug.players.seats import parse_player
from simcore.places import located

#: Simulations of a searching player that is proposed first, and games that it is asked to play.
_SIMULATIONS, _GAMES_OF_SEARCH = 100, 4000
# Percentage points within which `compare` calls a difference the same where nobody says others.
_USUAL_BAND = "1"


class Experiment(NamedTuple):
    """What is played otherwise, the command that does so, and the parts that it checks.

    No part stands for all that no other experiment checks.
    """

    what: str
    command: str
    parts: tuple[str, ...] = ()


class _Check(NamedTuple):
    """The parts that it is about, what is played otherwise, and how that is said."""

    parts: tuple[str, ...]
    what: str
    never: str = ""
    options: tuple[str, ...] = ()


_CHECKS = (
    _Check(("taken", "mindbugs"), "nobody uses a Mindbug", never="mindbugs"),
    _Check(("defeated", "stayed", "kills", "losses"), "nobody blocks", never="blocks"),
    _Check(
        ("not_drawn",), "all ten cards are in hand from the start", options=("--hand-size", "10")
    ),
    _Check(("starts",), "chance decides who starts", options=("--who-starts", "random")),
    _Check(
        ("plays",),
        "a Mindbug gives one more action in place of a turn",
        options=("--after-mindbug", "action"),
    ),
    _Check(("by_life",), "both players begin with six life", options=("--life", "6")),
)
_STRONGER = "stronger players"
_CHANGED = "the card is changed, one thing at a time"
# Parts that no option takes away.
_OF_THE_CARD = ("not_played", "late", "by_no_action", "by_other", "rest")


def experiments_of_run(run: Run, card_id: str, parts: Iterable[str]) -> list[Experiment]:
    """The experiments that check some parts of the advantage of a card in a run.

    Between players of one policy the last one changes the card itself.
    """
    pool, players = str(run.folder / "pool.toml"), run.manifest["policies"]
    found = _experiments(["balance", "--pool", pool], run.manifest, parts)
    if len({*players}) == 1:
        again = command(
            *("sensitivity", card_id),
            pool=pool,
            policy=players[0],
            seed=run.manifest["seed"] or None,
            confidence=confidence_said(),
        )
        found.append(Experiment(_CHANGED, again, _OF_THE_CARD))
    return found


def experiments_of_change(comparison: Comparison, parts: Iterable[str]) -> list[Experiment]:
    """The experiments that check some parts of what a change did."""
    folders = comparison.base.folder, comparison.variant.folder
    pools = [str(located(folder) / "pool.toml") for folder in folders]
    table = comparison.table
    band = f"{100 * table.loc[table['kind'] == 'card', 'band'].iloc[0]:g}"
    how = option_words(
        band=None if band == _USUAL_BAND else band, simultaneous=comparison.joint_z is not None
    )
    return _experiments(["compare", *pools, *how], comparison.base.manifest, parts)


def _experiments(
    words: Sequence[str], manifest: Mapping[str, Any], parts: Iterable[str]
) -> list[Experiment]:
    """Those of `_CHECKS` that are about the parts, then one with stronger players."""
    asked, players, games = set(parts), manifest["policies"], manifest["games"]

    def said(policies: Sequence[str], n_games: int, options: Sequence[str] = ()) -> str:
        policy = ":".join(dict.fromkeys(policies))
        how = option_words(
            games=n_games, policy=policy, seed=manifest["seed"], confidence=confidence_said()
        )
        return command(*words, *how, *options)

    functions = any(parse_player(player).function for player in players)  # nothing is forbidden
    found = [
        Experiment(
            check.what,
            said([_forbidden(player, check.never) for player in players], games, check.options),
            check.parts,
        )
        for check in _CHECKS
        if asked & {*check.parts} and not (check.never and functions)
    ]
    better = [stronger(player) for player in players]
    if better != list(players):
        searches = any(parse_player(player).simulations for player in better)
        n_games = min(games, _GAMES_OF_SEARCH) if searches else games
        found.append(Experiment(_STRONGER, said(better, n_games)))
    return found


def stronger(text: str) -> str:
    """A stronger player: the best that does not search, one that does, or with more simulations.

    A player who makes mistakes is the same without them; none is restricted.
    """
    player = parse_player(text)
    if player.mistakes:
        return text.partition("@")[0]
    if player.simulations:
        return f"{player.policy}:{4 * player.simulations}"
    fast, searching = (
        [name for name, policy in POLICIES.items() if policy.searches == searches]
        for searches in (False, True)
    )
    return f"{searching[-1]}:{_SIMULATIONS}" if player.policy == fast[-1] else fast[-1]


def _forbidden(text: str, never: str) -> str:
    """A player who never does something as well; nothing is forbidden by ""."""
    if not never or never in parse_player(text).never:
        return text
    head, at, mistakes = text.partition("@")
    return f"{head}-{never}{at}{mistakes}"
