"""Restricted play: what it costs a player never to block, use a Mindbug or play a keyword.

A player who may never use a mechanic plays the same player who may [1]_, each deal from both sides
with the same cards and the same luck.  Without the restriction both would be the same player, and
each side of a deal would win once: the score would be one half, and how far it falls short of that
is the cost of the restriction.  A costly restriction marks a mechanic that carries the game; one
that costs nothing marks a mechanic that is of no use, or that these players do not know how to use.
All restrictions are played on the same deals.

The two games of a deal depend on each other, so the deal is the unit of independence, and a cost
has the interval of every other rate (`analysis.estimates`).  Verdicts are those of three-sided
tests against a band, corrected for the number of restrictions (`analysis.verdicts`).

References
----------
.. [1] A. Jaffe, A. Miller, E. Andersen, Y.-E. Liu, A. Karlin, Z. Popović, "Evaluating competitive
   game balance with restricted play", AIIDE 2012, 26-31.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import frozen

from analysis.confidence import normal_z
from analysis.estimates import Estimate, RatioSums, estimate_rate, interval_columns
from analysis.experiments import pair_games
from analysis.mindbug.experiments.ladder import DEAL_RECORD, PoolContest, contest_kind, searches
from analysis.mindbug.experiments.usual import PAIR_GAMES, PLAYER, SEARCHING_PAIR_GAMES
from analysis.mindbug.selections import p_value
from analysis.registry import Table, q_value, with_interval
from analysis.simultaneous import together
from analysis.tables import write_tables
from analysis.verdicts import FAIR, NEEDS_GAMES, TOO_STRONG, TOO_WEAK, judge
from card_data.mindbug.schema import Pool
from simcore.arrays import Bools, Records
from simcore.mindbug import compile_cards, parse_player
from simcore.mindbug.players.restrictions import RESTRICTIONS, applicable
from simcore.mindbug.players.seats import unknown_restriction
from simcore.places import located
from simcore.work.folder import identity

#: Costs up to one percentage point are treated as zero.
BAND = 0.01
COSTS, GAINS, NOTHING, NEVER = "costs", "gains", "nothing", "never came up"
#: Verdicts on a restriction.
VERDICTS = COSTS, GAINS, NOTHING, NEEDS_GAMES, NEVER

#: One deal: ``p`` is the side of the restricted player, whose decisions are counted.
RESTRICTED_DEAL = np.dtype(
    [
        *DEAL_RECORD.descr,
        ("decisions", np.int32, (2,)),
        ("barred", np.int32, (2,)),  # some of the options were forbidden
        ("waived", np.int32, (2,)),  # all of them were, so none was
    ]
)


@frozen
class RestrictedPlay(PoolContest):
    """What is to be played: pool, player, restrictions, games of each restriction, and seed.

    ``games`` are even; None stands for PAIR_GAMES, or SEARCHING_PAIR_GAMES where the
    player searches.
    """

    kind: ClassVar[pair_games.ContestKind] = contest_kind(
        "test of restrictions",
        "restrict.json",
        0,
        policy=str,
        restrictions=[str],
        left_out=[str],
    )
    deal: ClassVar[np.dtype] = RESTRICTED_DEAL

    pool: Pool
    policy: str
    restrictions: tuple[str, ...]
    games: int | None = None
    seed: int = 0

    def __attrs_post_init__(self) -> None:
        player = parse_player(self.policy)
        if player.function:
            raise ValueError(
                f"{self.policy} is a function of your own, to which nothing can be forbidden; name"
                f" a player that comes with fairdeal, such as {PLAYER}"
            )
        known = player.never
        for word in self.restrictions:
            if word not in RESTRICTIONS:
                raise ValueError(unknown_restriction(word))
            if word in known:
                raise ValueError(
                    f"{self.policy!r} may never {RESTRICTIONS[word].never} already; name another"
                    " restriction"
                )
        if self.games is not None:
            pair_games.check_games(self.games, 2)

    @property
    def recorded(self) -> tuple[str, ...]:
        """The player whose weights are recorded; the restricted player has the same."""
        return (self.policy,)

    @property
    def pairs(self) -> list[tuple[str, str, int]]:
        """The player with each restriction against the player without."""
        games = self.games or (SEARCHING_PAIR_GAMES if searches(self.policy) else PAIR_GAMES)
        return [(restrict(self.policy, word), self.policy, games) for word in self.restrictions]

    @property
    def who(self) -> dict[str, Any]:
        """Who plays under which restrictions, and which restrictions do not apply to the pool."""
        known = applicable(compile_cards(self.pool))
        return {
            "policy": self.policy,
            "restrictions": list(self.restrictions),
            "left_out": [word for word in RESTRICTIONS if word not in known],
        }


class RestrictedGames(NamedTuple):
    """The games with one restriction: ``deals`` are (n_deals,) of RESTRICTED_DEAL.

    ``seconds`` is the processor time that they took.
    """

    restriction: str
    deals: Records
    seconds: float


def choose_restrictions(
    pool: Pool, policy: str, wanted: Iterable[str] | None = None
) -> tuple[str, ...]:
    """The restrictions that are ``wanted``, in their order; by default all that apply to the pool.

    A restriction applies if somebody can ever do in the pool what it forbids, and if the player is
    not under it already.  Raises ValueError for a pool that cannot be compiled, and for a word that
    is no restriction or does not apply to the pool.
    """
    known = applicable(compile_cards(pool))
    if wanted is None:
        already = parse_player(policy).never
        return tuple(word for word in known if word not in already)
    words = {word.strip().lower() for word in wanted}
    for word in sorted(words):
        if word not in RESTRICTIONS:
            raise ValueError(unknown_restriction(word))
        if word not in known:
            raise ValueError(
                f"in this pool nobody can ever {RESTRICTIONS[word].never}, so '{word}' does not"
                f" apply. These do: {', '.join(known)}"
            )
    return tuple(word for word in RESTRICTIONS if word in words)


def restrict(policy: str, word: str) -> str:
    """The player with one more restriction, as ``--policy`` spells it."""
    player, at, mistakes = policy.partition("@")
    return f"{player}-{word}{at}{mistakes}"


def analyze_restricted(
    folder: str | os.PathLike[str], *, band: float = BAND
) -> dict[str, pd.DataFrame]:
    """Read the games of a folder and write their tables to ``tables/``; return them by name.

    These are ``restrictions``, and ``speed``, which alone depends on the clock.

    Raises RunError when games are missing, unfinished or damaged, or the table cannot be written,
    and ValueError for a band that is none.
    """
    kind, folder = RestrictedPlay.kind, located(folder)
    manifest = pair_games.read_contest(kind, folder)
    words = manifest["restrictions"]
    played = pair_games.read_pairs(kind, folder, manifest, RESTRICTED_DEAL, len(words))
    games = [RestrictedGames(word, *pair) for word, pair in zip(words, played, strict=True)]
    policy = manifest["policy"]
    speed = [(restrict(policy, one.restriction), policy, one.deals["result"].size, one.seconds)
             for one in games]  # fmt: skip
    tables = {
        "restrictions": restrictions_table(policy, games, band=band),
        "speed": pair_games.speed_table(speed),
    }
    write_tables(tables, folder, identity(kind.folder, manifest, ""))
    return tables


def restrictions_table(
    policy: str, games: Sequence[RestrictedGames], *, band: float = BAND
) -> pd.DataFrame:
    """One row per restriction, the costliest first; the columns are those of `RESTRICTIONS_TABLE`.

    ``games`` are of one player, at least one deal each; costs up to ``band`` are treated as zero.
    """
    results, decisions, barred = (
        [one.deals[name] for one in games] for name in ("result", "decisions", "barred")
    )
    once = [np.ones(result.shape) for result in results]
    score = _rate([(result + 1) / 2 for result in results], once)
    came_up = _rate([count > 0 for count in barred], once)
    score = together(score)
    cost = Estimate(
        0.5 - score.estimate, 0.5 - score.ci_high, 0.5 - score.ci_low, score.std_err, score.n
    )
    table = pd.DataFrame(
        {
            "restriction": [one.restriction for one in games],
            "never": [RESTRICTIONS[one.restriction].never for one in games],
            "policy": policy,
            "games": [result.size for result in results],
            **{
                name: [int((result == value).sum()) for result in results]
                for name, value in (("wins", 1), ("draws", 0), ("losses", -1))
            },
            **interval_columns("cost", cost),
            **_verdicts(cost, came_up.estimate > 0, band),
            **interval_columns("games_barred", came_up),
            **{
                name: [int(one.deals[name].sum()) for one in games]
                for name in ("decisions", "barred", "waived")
            },
            **interval_columns("barred_rate", _rate(barred, decisions)),
        }
    )
    table = table.sort_values("cost", ascending=False, kind="stable", ignore_index=True)
    return table[list(RESTRICTIONS_TABLE.columns)]


def _rate(totals: Sequence[npt.NDArray[Any]], numbers: Sequence[npt.NDArray[Any]]) -> Estimate:
    """Totals divided by numbers, both (n_deals, 2) of each restriction, clustered by deal."""
    sums = []
    for total, number in zip(totals, numbers, strict=True):
        s, n = total.sum(axis=1, dtype=float), number.sum(axis=1, dtype=float)
        sums.append(RatioSums.of_games(n, s))
    return estimate_rate(RatioSums(*np.array(sums, float).reshape(-1, 6).T))


def _verdicts(cost: Estimate, came_up: Bools, band: float) -> Mapping[str, Any]:
    """The columns of the tests; a restriction that never came up is not tested."""
    # Where all deals went alike the standard error is not zero: the interval says how large it is.
    std_err = np.where(
        cost.std_err > 0, cost.std_err, (cost.ci_high - cost.ci_low) / (2 * normal_z())
    )
    judged = judge(cost._replace(std_err=std_err, n=np.where(came_up, cost.n, 0)), band=band)
    words = {TOO_STRONG: COSTS, TOO_WEAK: GAINS, FAIR: NOTHING, NEEDS_GAMES: NEEDS_GAMES}
    verdict = judged["verdict"].map(words).where(came_up, NEVER)
    return {**judged[["p_value", "q_value", "band"]], "verdict": verdict}


RESTRICTIONS_TABLE = Table(
    "restrictions",
    "One row per restriction",
    {
        "restriction": "the word that spells it, as in `heuristic-blocks`",
        "never": "what the player never does, in words",
        "policy": "who played: on one side with the restriction, on the other without",
        "games": "games played, each deal once from either side",
        "wins": "games that the restricted player won",
        "draws": "games without a winner",
        "losses": "games that the restricted player lost",
        **with_interval(
            "cost",
            "what the restriction costs: one half, the score of the player against itself, minus "
            "the restricted player's score, clustered by deal",
            "all restrictions",
        ),
        "p_value": p_value("a cost"),
        "q_value": q_value("restrictions"),
        "band": "half the width of the band of `verdict`, around zero",
        "verdict": "costs, gains (the player is better off with the restriction), nothing (shown "
        "to be within the band), needs more games, or never came up",
        **with_interval(
            "games_barred",
            "share of games in which an option was forbidden at least once, clustered by deal",
        ),
        "decisions": "decisions of the restricted player, among two or more options",
        "barred": "those at which some of the options were forbidden",
        "waived": "those at which all of them were, so that none was",
        **with_interval("barred_rate", "`barred` divided by `decisions`, clustered by deal"),
    },
    where="in the folder of `fairdeal restrict`",
)
