"""Which players are compared, and the runs that they play: the options of ``--skill``."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from reports.console import InputError, whole

#: Games of a searching player, unless said otherwise.
SEARCHED_GAMES = 2_000
_MOST_GAMES = 1_000_000_000

Skill = Annotated[
    str | None,
    Parameter(
        help="Players from weak to strong, with commas, as in 'random,greedy,learned'. Each plays"
        " against its equal, too, and the report tells on which cards who plays changes the"
        " verdict. Their runs lie in RUN/skill."
    ),
]
SkillGames = Annotated[
    int | None,
    Parameter(
        converter=whole(1, _MOST_GAMES),
        help="Games of each player of --skill. Default: as many as --games, for players who search"
        f" at most {SEARCHED_GAMES:,}. A player of the run itself plays no others.",
    ),
]


def parse_rungs(skill: str | None, skill_games: int | None) -> list[str]:
    """The players of ``--skill``, none if it was not said.  Raises InputError."""
    if skill is None:
        if skill_games is not None:
            raise InputError("--skill-games says nothing without --skill; name the players")
        return []
    from simcore.mindbug.players import parse_player
    from simcore.mindbug.policies import POLICIES
    from simcore.mindbug.weights import read_weights

    players = [text.strip() for text in skill.split(",")]
    strength: dict[str, int] = {}  # of those whose order is known
    try:
        for text in players:
            player = parse_player(text)
            if player.weights is not None:
                read_weights(Path(player.weights))
            elif player.mistakes == 0:
                strength[text] = list(POLICIES).index(player.policy)
    except ValueError as error:
        raise InputError(f"--skill: {error}") from None
    if twice := [text for text in players if players.count(text) > 1]:
        raise InputError(f"--skill: '{twice[0]}' is named twice")
    if len(players) < 2:
        raise InputError(f"--skill: '{players[0]}' is one player; name two or more, with commas")
    known = list(strength)
    for weaker, stronger in pairwise(known):
        if strength[weaker] > strength[stronger]:
            raise InputError(
                f"--skill: players go from weak to strong; name '{stronger}' before '{weaker}'"
            )
    return players


def games_of(player: str, games: int, skill_games: int | None) -> int:
    """How many games a player of ``--skill`` plays beside a run of so many."""
    from simcore.mindbug.players import parse_player

    if skill_games is not None:
        return skill_games
    return min(games, SEARCHED_GAMES) if parse_player(player).simulations else games


def rung_folder(run: Path, player: str) -> Path:
    """The folder of the games of a player of ``--skill`` in the folder of a run."""
    return run / "skill" / re.sub(r"[^\w.]+", "-", player)
