"""The tables of a verdict that are alike in all games.

A game *came out otherwise* if it is won, and lost with the same luck when an average one lies in
the place of what is asked about; or the reverse.  Most do so by chance: any other change makes the
game go another way.  So the shares that turn either way stand beside those of a change with next to
no effect.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.estimates import Estimate
from analysis.questions.smallest_change import Tried
from analysis.questions.verdict import Experiment
from analysis.registry import Table, with_interval
from simcore.arrays import Bools, Floats

#: Where the tables lie.
WHERE = "in the folder of `fairdeal verdict`"
#: Games that came out otherwise that are named.
N_GAMES = 3


def ends(column: str, found: Estimate, middle: float = 0) -> dict[str, float]:
    """An estimate of shape (1,) and its interval as columns, from a ``middle`` that it is from."""
    names = (column, f"{column}_ci_low", f"{column}_ci_high")
    return {name: float(end[0]) + middle for name, end in zip(names, found[:3], strict=True)}


def by_player(
    experiment: Experiment, table: Table, columns: Callable[[str], Mapping[str, Any]]
) -> pd.DataFrame:
    """A row for each player, weaker first; ``columns`` are what a game says of one."""
    case, rows = experiment.case, list[dict[str, Any]]()
    for player, run in experiment.runs.items():
        found = experiment.stands_for(player)
        row = {
            **case.about,
            "policy": player,
            "n_games": run.n_games,
            **ends(case.number, found, case.fair),
            **(_moved_from(experiment.stands, found) if rows else {}),
            "band": case.band,
            "verdict": case.verdict(found),
        }
        rows.append(row | dict(columns(player)))
    turned = _turned(swap=experiment.swapped, chance=experiment.alike)
    rows[0] |= {"second": experiment.second, **turned}
    return table.frame(rows)


def _moved_from(base: Estimate, found: Estimate) -> dict[str, float]:
    """The columns ``move``: an estimate minus that of other games, each of shape (1,)."""
    error = np.hypot(found.std_err, base.std_err)
    return ends("move", Estimate.normal(found.estimate - base.estimate, error, found.n))


def tables_alike(
    experiment: Experiment,
    tables: tuple[Table, Table, Table],
    of_player: Callable[[str], Mapping[str, Any]],
    of_change: Callable[[Tried[Any]], Mapping[str, Any]] = lambda _one: {},
) -> dict[str, pd.DataFrame]:
    """The tables of players, of the place and of changes, by their names.

    In the place stands each player, and each who played the proposed change in fresh games.
    """
    players = by_player(experiment, tables[0], of_player)
    tried = changes(experiment, tables[2], of_change)
    proposed = tried.loc[tried["proposed"], "change"]
    with_it = tried[tried["fresh"] & tried["change"].isin(proposed)]
    place = pd.concat([players.assign(change=""), with_it])[[*tables[1].columns]]
    found = players, place.reset_index(drop=True), tried
    return {table.name: rows for table, rows in zip(tables, found, strict=True)}


def _turned(**moved: Floats) -> dict[str, float]:
    """How many games come out otherwise in another version, by the name of the version.

    ``moved`` are the results minus those of the version, (n_games,): 1 where a game is won, and
    lost there.
    """
    found: dict[str, float] = {}
    for name, games in moved.items():
        found[f"{name}_n"] = len(games)
        for word, sign in (("won", 1), ("lost", -1)):
            share = np.count_nonzero(games == sign) / max(len(games), 1)
            found[f"{name}_{word}"] = share if len(games) else np.nan
    return found


def changes(
    experiment: Experiment, table: Table, columns: Callable[[Tried[Any]], Mapping[str, Any]]
) -> pd.DataFrame:
    """A row for each change and player who tried it; ``columns`` are what a game says of one."""
    case = experiment.case
    found = table.frame(
        [
            {
                **case.about,
                "change": one.plan.label,
                "amount": one.plan.amount,
                "joined": one.plan.is_joined,
                "policy": one.policy,
                "fresh": one.fresh,
                "n_games": one.games,
                "n": int(one.stands.n[0]),
                **ends(case.number, one.stands, case.fair),
                **ends("difference", one.moved),
                **columns(one),
                "band": case.band,
                "verdict": case.verdict(one.stands),
                "proposed": one.fresh and one.plan == experiment.proposal,
            }
            for one in experiment.tried
        ]
    )
    # Of no rows nobody would know what they hold.
    return found.astype(dict.fromkeys(("joined", "fresh", "proposed"), bool))


def named_games(won: Bools, good: bool, most: int = N_GAMES) -> npt.NDArray[np.intp]:
    """The places of the games that are named, of those that came out otherwise, best first.

    At most so many that were ``won`` as its effect says, which is ``good`` or not; then others.
    """
    first = np.flatnonzero(won == good)[:most]
    return np.concatenate([first, np.flatnonzero(won != good)[: N_GAMES - len(first)]])


def band_meaning(middle: str) -> str:
    """The meaning of the column with the band around a ``middle``."""
    return f"half the width of the band of `verdict`, around {middle}"


def turned_columns(games: str, place: str, alike: str, second: str) -> dict[str, str]:
    """The columns of how many games come out otherwise.

    ``games`` and ``alike`` say which are counted of the swap, and of a change with next to no
    effect; ``place`` and ``second`` what is otherwise in them.
    """
    return {
        "swap_n": games,
        "swap_won": f"share of them that are won, and lost {place}",
        "swap_lost": f"share of them that are lost, and won {place}",
        "chance_n": alike,
        "chance_won": f"share of them that are won, and lost {second}",
        "chance_lost": f"share of them that are lost, and won {second}",
    }


def place_table(about: Mapping[str, str], who: str, judged: Mapping[str, str], band: str) -> Table:
    """The table of players, and of the proposed change; its arguments are as in `changes_table`."""
    number = next(name for name in judged if f"{name}_ci_low" in judged)
    return Table(
        "verdict_place",
        "One row per player, and one per player of the proposed change",
        {
            **about,
            "policy": who,
            "change": "the proposed change; empty for the entry as it is",
            "n_games": "games played",
            **judged,
            "band": band,
            "verdict": f"that on `{number}`",
        },
        where=WHERE,
        differences=(number,),
    )


def changes_table(
    about: Mapping[str, str],
    who: str,
    amount: str,
    judged: Mapping[str, str],
    band: str,
    *,
    made: Mapping[str, str] | None = None,
    more: Mapping[str, str] | None = None,
    differences: Sequence[str] = ("difference",),
) -> Table:
    """The table of changes.

    ``who`` played them; ``amount`` says how much a change is, ``judged`` are the columns of the
    number that is judged, ``made`` and ``more`` those that only one game has.
    """
    number = next(name for name in judged if f"{name}_ci_low" in judged)
    columns = {
        **about,
        "change": "what is changed",
        "amount": f"how much that is: {amount}",
        "joined": "whether several things are changed at once",
        **(made or {}),
        "policy": who,
        "fresh": "whether in games that had no part in choosing the change; else in those of the "
        "run",
        "n_games": "games played with the change; fewer where others of its size came nearer",
        **judged,
        **with_interval("difference", f"`{number}` minus that without the change, in these games"),
        **(more or {}),
        "band": band,
        "verdict": f"that on `{number}`, as in the table `verdict`; in fresh games those of the "
        "first player hold together",
        "proposed": "whether it is the smallest change shown to bring it into the band, or where "
        "none is, the smallest with an estimate inside it; in fresh games",
    }
    return Table(
        "verdict_changes",
        "One row per change and player",
        columns,
        where=WHERE,
        differences=differences,
    )
