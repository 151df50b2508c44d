"""The command `fairdeal skill`, and the runs that `balance --skill` plays."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from analysis.mindbug.experiments.usual import (
    BASELINE,
    PLAYER,
    SEARCHED_GAMES,
    STRONGER,
    STRONGER_GAMES,
    strong_players,
)
from reports.cli.compute import Crew
from reports.cli.console import InputError, as_input_error, print_json, print_wrapped
from reports.cli.options import MAX_GAMES, Json, Threads, to_place, whole, with_confidence
from reports.cli.steps import analyze_run, play_run, report_run
from reports.mindbug.cli.options import use_players
from reports.mindbug.cli.questions import found_json

if TYPE_CHECKING:
    import pandas as pd

#: The word for nobody to compare with.
NOBODY = "none"

Skill = Annotated[
    str | None,
    Parameter(
        help="Players from weak to strong, separated by commas, as in 'random,greedy,learned', or"
        f" '{NOBODY}'. Each also plays against itself, and the report shows which cards are worth"
        " more among stronger players, and which less. Their runs are in RUN/skill."
        f" Default: '{BASELINE}' and the player of the run, with '{PLAYER}' also '{STRONGER}', who"
        " shows by how much the verdicts still move; nobody where the players of the run differ or"
        " choose at random."
    ),
]
SkillGames = Annotated[
    int | None,
    Parameter(
        converter=whole(1, MAX_GAMES),
        help="Games of each player of --skill. Default: as many as the run has, but at most"
        f" {STRONGER_GAMES:,} for '{STRONGER}' and {SEARCHED_GAMES:,} for others who search. The"
        " player of the run itself plays no more.",
    ),
]
AskedPanel = Annotated[
    str | None,
    Parameter(
        name="--panel",
        help="Which of the players form the panel, separated by commas: the report shows which"
        " verdicts would hold for another player like them. Default: those for whom a network"
        " judges, without mistakes or restrictions, if they are two or more.",
    ),
]


@with_confidence
def skill(
    *runs: Annotated[
        Path,
        Parameter(
            converter=to_place,
            name="RUN",
            help="Folders of finished runs of one pool, from weak players to strong ones. In each"
            " run the same player is on both sides.",
        ),
    ],
    panel: AskedPanel = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Compare finished runs of different players: what cards are worth in stronger hands.

    Where two or more play well, they form a panel: which verdicts hold for another player like
    them. Tables and charts go to the folder of the last run, and a section to its report. 'balance
    --skill' also plays the runs.
    """
    from analysis.mindbug import open_run
    from analysis.mindbug.experiments.skill import compare_skill, keep_skill, rungs_of
    from reports.mindbug.balance.text import skill_findings
    from simcore.work.lock import holding

    opened = [open_run(run) for run in runs]
    players = panel_of(rungs_of(opened), panel)
    with holding(runs[-1]):
        found = [analyze_run(run, threads) for run in runs]
        tables = compare_skill(opened, found, players)
        keep_skill(tables, opened[-1])
        page = report_run(runs[-1])["html"]
    findings = skill_findings(tables)
    if as_json:
        answer = {"run": str(runs[-1]), "page": str(page)}
        print_json(answer | found_json(findings, tables, runs[-1]))
    else:
        print_wrapped([finding.text for finding in findings])
        print(f"\nreport: {page}\ntables: {runs[-1] / 'tables'}")


def compare_players(
    folder: Path,
    tables: "dict[str, pd.DataFrame]",
    players: Sequence[str],
    panel: Sequence[str],
    games: int | None,
    crew: Crew,
) -> "dict[str, pd.DataFrame]":
    """Play what the comparison of ``players`` needs, and write its tables to the run's folder.

    ``tables`` are those of the run, which counts as the games of its own player.
    """
    from analysis.mindbug import open_run
    from analysis.mindbug.experiments.skill import compare_skill, keep_skill
    from simcore.mindbug.play.run import new_run

    run, runs, found = open_run(folder), [], []
    for player in players:
        if run.manifest["policies"] == [player, player]:
            runs.append(run)
            found.append(tables)
            continue
        spec = new_run(
            run.pool(),
            n_games=games_of(player, run.n_games, games),
            seed=run.seed,
            policies=(player, player),
        )
        played = play_run(spec, rung_folder(folder, player), crew, f"playing {player}")
        found.append(analyze_run(played, crew.threads))
        runs.append(open_run(played))
    compared = compare_skill(runs, found, panel)
    keep_skill(compared, run)
    return compared


def parse_rungs(
    skill: str | None, skill_games: int | None, players_of_run: tuple[str, str]
) -> list[str]:
    """The players of ``--skill``, or those compared where it is not said.  Raises InputError."""
    if skill is None or skill == NOBODY:
        usual = [] if skill else _usual_rungs(*players_of_run)
        if skill_games is not None and not usual:
            raise InputError("--skill-games needs --skill; name the players")
        return usual
    from simcore.mindbug.players.registry import POLICIES
    from simcore.mindbug.players.seats import fingerprints, parse_player

    players = [text.strip() for text in skill.split(",")]
    strength: dict[str, int] = {}  # of those whose order is known
    with as_input_error("--skill"):
        use_players(players)
        for text in players:
            player = parse_player(text)
            fingerprints([text])
            if player.weights is None and player.mistakes == 0 and not player.function:
                strength[text] = list(POLICIES).index(player.policy)
    if twice := [text for text in players if players.count(text) > 1]:
        raise InputError(f"--skill: '{twice[0]}' is named twice")
    if len(players) < 2:
        raise InputError(f"--skill: '{players[0]}' is one player; name two or more, with commas")
    known = list(strength)
    for weaker, stronger in pairwise(known):
        if strength[weaker] > strength[stronger]:
            raise InputError(
                f"--skill: name players from weak to strong, '{stronger}' before '{weaker}'"
            )
    return players


def _usual_rungs(one: str, other: str) -> list[str]:
    """Who is compared with the players of a run unless somebody says who, from weak to strong."""
    from reports.mindbug.run_text import called
    from simcore.mindbug.players.seats import parse_player

    player = parse_player(one)
    at_random = player.policy == BASELINE and not player.function
    if one != other or at_random:
        return []
    return [BASELINE, one, *[STRONGER] * (called(one) == PLAYER)]


def panel_of(players: Sequence[str], panel: str | None) -> list[str]:
    """The players of the panel; none where less than two play well.  Raises InputError."""
    if not players:
        if panel is not None:
            raise InputError("--panel needs --skill; name the players")
        return []
    if panel is None:
        strong = strong_players(players)
        return strong if len(strong) > 1 else []
    asked = [text.strip() for text in panel.split(",")]
    for text in asked:
        if text not in players:
            from card_data.faults import did_you_mean

            meant = did_you_mean(text, players)
            raise InputError(
                f"--panel: '{text}' is not among the players compared{meant}"
                f" They are: {', '.join(players)}"
            )
    if twice := [text for text in asked if asked.count(text) > 1]:
        raise InputError(f"--panel: '{twice[0]}' is named twice")
    if len(asked) < 2:
        raise InputError(f"--panel: '{asked[0]}' is one player; name two or more, with commas")
    return [player for player in players if player in asked]


def games_of(player: str, games: int, skill_games: int | None) -> int:
    """How many games a player of ``--skill`` plays beside a run of ``games``."""
    from simcore.mindbug.players.seats import parse_player

    if skill_games is not None:
        return skill_games
    if player == STRONGER:
        return min(games, STRONGER_GAMES)
    return min(games, SEARCHED_GAMES) if parse_player(player).simulations else games


def rung_folder(run: Path, player: str) -> Path:
    """The folder of the games of a player of ``--skill`` in the folder of a run.

    An edited player of a person's own has another.
    """
    from simcore.own_code import fingerprint, is_own
    from simcore.work.about import in_a_name

    version = f"-{fingerprint(player)}" if is_own(player) else ""
    return run / "skill" / f"{in_a_name(player)}{version}"
