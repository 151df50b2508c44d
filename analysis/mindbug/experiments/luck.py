"""The table ``luck``: how much of a game the deal decides, and how much the players' choices.

The first deals of a run are played eight times each by its players.  What the replays of a deal
share gets less, step by step: all but what the players choose; all but that and the chance in play;
the cards and who starts alone.  Two games that share more agree more often, and by how much more is
the part of the variance that the new step decides (`analysis.questions.skill`).  It is the variance
of the result around an even game, and its parts add up, as their shares do:

* ``player``: which of two different players one is;
* ``start``: who starts;
* ``cards``: which ten cards each player is dealt, in whatever order they come;
* ``order``: in which order they come;
* ``chance``: dice, and cards that effects pick at random;
* ``choices``: the rest.  The same players with the same cards in the same order and the same chance
  choose otherwise, and the other wins.

Players who think choose the same option whenever they can, so by themselves they would play the
same game again, and every accident of it would count as luck of the deal.  So they slip: one
decision in fifty, about one in a game of First Contact, is made at random.

The replays are kept in ``RUN/luck``, where the same command resumes.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Unpack

import numpy as np
import pandas as pd

from analysis.confidence import confidence, normal_z
from analysis.experiments.paired_sums import COMPARED
from analysis.mindbug.runs import Run
from analysis.questions.skill import Known, adding_up, products
from analysis.registry import Table, with_interval
from analysis.tables import Beside, level_in
from card_data.mindbug import pool_files
from card_data.mindbug.schema import Pool
from simcore.arrays import Floats, Records
from simcore.mindbug import CardTable, parse_player
from simcore.mindbug.play.asked import EXPERIMENT, differing, experiment_entries
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players.seats import fingerprints, seat
from simcore.mindbug.rules.new_game import REPLAY
from simcore.mindbug.table.records import SEATS
from simcore.places import located
from simcore.setup import new_task, read_task
from simcore.work.folder import FolderKind, begin, versions_of
from simcore.work.hands import Who
from simcore.work.lock import holding
from simcore.work.pieces import Piece, Workers
from simcore.work.progress import Meter, Progress
from simcore.work.tasks import Task

#: The folder of the replays in that of a run.
LUCK_FOLDER = "luck"
#: How often players slip, unless they make mistakes anyway.
SLIPS = 0.02
#: Fewer deals say too little, and more are not needed.
LEAST_DEALS, MOST_DEALS = 100, 10_000
#: Games of a run for each game of the replays.
_RUN_GAMES = 10

#: Games of a deal that share everything but the players' private random numbers, that share the
#: order of the cards, and that share the cards: each group begins with the one before.
_SAME_CHANCE, _SAME_ORDER, REPLAYS = 3, 5, 8
# Added to the number of a deal for each of its games, in the order of these groups.
_REPLAYS = REPLAY * np.array([0, 1, 4, 2, 5, 3, 6, 9])

#: One deal: ``result`` is how player 0 fared in each game: 1 won, 0 drawn, -1 lost.
DEAL_RECORD = np.dtype(
    [("deal", np.int64), ("first_player", np.int8), ("result", np.int8, (REPLAYS,))]
)

_ENDS = "_ci_low", "_ci_high"

#: Deals in one file at most, that a worker plays in one go, and of players who search.
_BLOCK, _AT_ONCE, _AT_ONCE_SEARCHING = 1000, 250, 1

KIND = FolderKind(
    "test of luck",
    "luck.json",
    1,
    "deals/*.parquet",
    {**EXPERIMENT, "policies": [str]},
    differing=differing,
)

#: Where the variance comes from.
SOURCES = {
    "player": "which of two different players one is",
    "start": "who starts",
    "cards": "which ten cards each player is dealt, in whatever order they come",
    "order": "in which order they come",
    "chance": "dice, and cards that effects pick at random",
    "choices": "what the players choose: the rest",
}


def check_players(policies: Iterable[str]) -> None:
    """Raise ValueError for a function of a person's own, which does not slip."""
    for one in policies:
        if parse_player(one).function:
            raise ValueError(
                f"{one} is a function of your own, which makes no slips, so its choices cannot be"
                " told from luck; leave --luck out"
            )


def deals_for(n_games: int, policies: Iterable[str] = ()) -> int:
    """Deals whose replays take about a tenth of the time of a run of ``n_games``.

    None where one of the players cannot slip.
    """
    if any(parse_player(one).function for one in policies):
        return 0
    return min(n_games // (_RUN_GAMES * REPLAYS), MOST_DEALS)


def slipping(policy: str) -> str:
    """The player who now and then makes a random choice, as ``--policy`` spells it."""
    player = parse_player(policy)
    return policy if player.mistakes or player.policy == "random" else f"{policy}@{SLIPS:g}"


def measure_luck(
    run: Run, *, deals: int, on_progress: Progress | None = None, **who: Unpack[Who]
) -> pd.DataFrame:
    """Play the replays of the first deals of a finished run, or those that are missing.

    Writes the table `LUCK` to the run's folder and returns it; it does not depend on who plays.
    KeyboardInterrupt loses the deals that are being played.  Raises RunError when the folder of the
    replays holds something else or cannot be written, or another process works there, and
    ValueError as `check_players` does.
    """
    pool, policies = run.pool(), run.manifest["policies"]
    check_players(policies)
    players = [slipping(policy) for policy in policies]
    seed = run.seed
    asked = {
        **experiment_entries(pool),
        "policies": players,
        "weights": fingerprints(players),
        "seed": seed,
        "versions": versions_of("numba", "numpy"),
    }
    at_once = _AT_ONCE
    if any(parse_player(player).is_slow for player in players):
        at_once = _AT_ONCE_SEARCHING
    meter = Meter(deals * REPLAYS, on_progress)
    path = run.folder / LUCK_FOLDER
    with holding(path), Workers(meter, **who) as workers:
        folder = begin(KIND, path, asked, files=pool_files(pool))
        pieces = []
        for first in range(0, deals, _BLOCK):
            rows = range(first, min(first + _BLOCK, deals))
            name = f"deals-{rows.start:06}-{rows.stop:06}"
            pieces.append(
                Piece(
                    partial(_task, pool, seed, players),
                    DEAL_RECORD,
                    SEATS,
                    rows,
                    folder,
                    f"deals/{name}.parquet",
                    name,
                    at_once=at_once,
                    first_batch=min(16, at_once),
                    units=REPLAYS,
                )
            )
        played = np.concatenate(list(workers.finish(pieces, lambda piece: piece.found)))
    table = luck_table(played, ":".join(dict.fromkeys(policies)), equals=len(set(policies)) == 1)
    _BESIDE.write(table, run)
    return table


def luck_table(deals: Records, policy: str, *, equals: bool) -> pd.DataFrame:
    """The table `LUCK` of some deals, an array (n_deals,) of DEAL_RECORD.

    ``equals`` says that both players are the same, so that neither is the better one.
    """
    results = deals["result"] / 2  # above an even game
    begins = 1 - 2 * deals["first_player"].astype(float)  # 1 where player 0 starts, else -1
    by_deal, shared = results.mean(axis=1), _shared(results)
    means = {"player": Known.mean(by_deal), "start": Known.mean(by_deal * begins)}
    if equals:
        del means["player"]
    parts = {source: mean.squared() for source, mean in means.items()}
    dealt = shared["cards"]
    for part in parts.values():
        dealt -= part
    parts["cards"] = dealt
    for source, less, more in (
        ("order", "cards", "order"),
        ("chance", "order", "chance"),
        ("choices", "chance", "game"),
    ):
        parts[source] = shared[more] - shared[less]
    whole = shared["game"]
    estimates = adding_up([part.of(whole).value for part in parts.values()])
    rows = []
    for (source, part), share in zip(parts.items(), estimates, strict=True):
        shares, variances = part.of(whole).interval(1), part.interval()
        if source in means:
            variances = _square(means[source])
            with np.errstate(invalid="ignore"):  # nobody ever won
                shares = tuple(np.minimum(np.array(variances) / whole.value, 1))
        shares = share, min(shares[1], share), max(shares[2], share)
        names = [f"{name}{end}" for name in ("share", "spread") for end in ("", *_ENDS)]
        numbers = dict(zip(names, [*shares, *np.sqrt(variances)], strict=True))
        rows.append({"policy": policy, "source": source, "n_deals": len(deals), **numbers})
    return LUCK.frame(rows)


def _square(mean: Known) -> tuple[float, float, float]:
    """The square of a mean and its interval: that of the mean, which may contain 0, squared."""
    reach = normal_z() * mean.std_err
    low, high = max(abs(mean.value) - reach, 0.0), abs(mean.value) + reach
    return max(mean.squared().value, 0.0), low**2, high**2


def _shared(results: Floats) -> dict[str, Known]:
    """The mean product of the results of two games of a deal, by what they share.

    ``results`` are (n_deals, REPLAYS), above an even game.
    """
    found = {"game": Known.mean((results**2).mean(axis=1))}
    inner, n_inner = np.zeros(len(results)), 0
    for name, n_alike in (("chance", _SAME_CHANCE), ("order", _SAME_ORDER), ("cards", REPLAYS)):
        outer, n_outer = products(results[:, :n_alike])
        found[name] = Known.mean((outer - inner) / (n_outer - n_inner))
        inner, n_inner = outer, n_outer
    return found


def compare_luck(
    base: str | os.PathLike[str], variant: str | os.PathLike[str]
) -> dict[str, pd.DataFrame]:
    """The table `LUCK_CHANGES` of two runs, by its name; none unless luck was measured in both.

    The interval joins those of both shares as if their deals were independent (square and add); the
    same deals on both sides make it too wide, if anything.  Shares of another confidence level than
    the present one are not compared.  Raises RunError as `read_luck` does.
    """
    folders = [located(folder) for folder in (base, variant)]
    if any(level_in(folder, LUCK.name) != confidence() for folder in folders):
        return {}
    before, after = (read_luck(folder)[LUCK.name].set_index("source") for folder in folders)
    down, up = (
        np.hypot(after["share"] - after[f"share{one}"], before[f"share{other}"] - before["share"])
        for one, other in (_ENDS, _ENDS[::-1])
    )
    change = after["share"] - before["share"]
    table = pd.DataFrame(
        {
            "policy": before["policy"],
            "base": before["share"],
            "variant": after["share"],
            "change": change,
            "change_ci_low": change - down,
            "change_ci_high": change + up,
        }
    )
    return {LUCK_CHANGES.name: table.reset_index()[list(LUCK_CHANGES.columns)]}


def _task(pool: Pool, seed: int, players: Sequence[str]) -> Task:
    """How deals are played."""
    setup = PoolSetup(pool)
    built = Deals(setup.table, seed, players)
    return new_task(
        f"{__name__}:rebuild", [setup], players, built, seed=seed, policies=list(players)
    )


class Deals:
    """Plays all games of deals: the `RowPlayer` of a task."""

    def __init__(self, table: CardTable, seed: int, players: Sequence[str]) -> None:
        self._table, self._seed, (self._one, self._other) = table, seed, players

    @cached_property
    def _rows(self) -> Records:
        """The table with both players.  Compiles what they think."""
        return seat(self._table, (self._one, self._other))

    def play(self, first: int, out: Records) -> None:
        """Fill ``out``, rows of DEAL_RECORD, with deals ``first`` and following."""
        out["deal"] = deals = np.arange(first, first + len(out))
        games = (deals[:, None] + _REPLAYS).ravel()
        played = play_rows(self._rows, seed=self._seed, games=games)
        winner = played["winner"].reshape(len(out), REPLAYS)
        out["result"] = np.where(winner < 0, 0, 1 - 2 * winner)
        out["first_player"] = played["first_player"][::REPLAYS]


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> Deals:
    """The player of a task in another process.  Raises RunError as `read_task` does."""
    (setup,), players = read_task(settings, files)
    seated = [players[policy] for policy in settings["policies"]]
    return Deals(setup.table, settings["seed"], seated)


_OF_SOURCE = {
    "policy": "who plays: one policy on both sides, or two with a colon between. They slip:"
    f" {SLIPS:.0%} of the decisions of players who think are made at random",
    "source": "what decides who wins: "
    + "; ".join(f"`{name}`: {meaning}" for name, meaning in SOURCES.items()),
}
LUCK = Table(
    "luck",
    "One row per source of variance",
    {
        **_OF_SOURCE,
        "n_deals": f"deals, the units of independence; each was played {REPLAYS} times",
        **with_interval("share", "share of the variance of the result that comes from there"),
        **with_interval(
            "spread",
            "square root of that part of the variance: by how much one standard deviation of it"
            " moves the chance of winning",
        ),
    },
    where="where luck was measured (`fairdeal balance --luck`)",
)
_BESIDE = Beside(LUCK, "luck", ("pool_hash",), "--luck")
read_luck = _BESIDE.read
LUCK_CHANGES = Table(
    "luck_changes",
    "One row per source of variance, where luck was measured in both runs",
    {
        **_OF_SOURCE,
        "base": "`share` of the table `luck` in the base",
        "variant": "the same in the variant",
        **with_interval("change", "`variant` minus `base`"),
    },
    where=COMPARED,
    differences=("change",),
)
