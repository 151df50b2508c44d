"""What the shared code of `analysis` is told of games that people bring: tables and comparisons.

``python -m analysis.games own_games > docs/own_games_columns.md`` writes the page about all tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from attrs import frozen

from analysis import stopping
from analysis.estimates import (
    Estimate,
    RatioSums,
    estimate_apart,
    estimate_mean,
    estimate_rate,
    interval_columns,
)
from analysis.experiments.ladder import LADDER_TABLES
from analysis.experiments.paired_sums import (
    Lines,
    PairCounter,
    PairSums,
    comparison_entry,
    sum_pairs,
)
from analysis.games import Analysis
from analysis.own_games.counts import (
    DEALT,
    OwnCounts,
    observations,
    observed_in,
    rows_of,
    strata_of,
)
from analysis.own_games.matchups import MATCHUPS_TABLE, METAGAME_TABLE
from analysis.own_games.rebalance import REBALANCE_TABLES
from analysis.own_games.sensitivity import SENSITIVITY
from analysis.own_games.skill import SKILL_TABLES
from analysis.own_games.verdict import VERDICT_TABLES
from analysis.playtests import PLAYTEST_TABLES, Facts, plain_numbers, wins
from analysis.questions.price_list import PRICE_PLAYERS, PRICE_TABLES
from analysis.questions.story import STORY_TABLES
from analysis.registry import Registry, Table, with_interval
from analysis.runs import Run
from analysis.simultaneous import of_enough_games, together
from analysis.stopping import LEAST_GAMES, GoalError, Known, Watched
from analysis.verdicts import BAND, MEANINGS, verdicts
from card_data.faults import did_you_mean
from card_data.schema.kinds import ACCESS, CONTRAST, SHARE, SWAP, WITHIN
from simcore.contract.faults import GameError
from simcore.contract.rules import CHOSEN, INCLUDED
from simcore.own_games.run import teams_in
from simcore.own_games.setup import OBSERVED, fingerprints
from simcore.work.parts import COUNTED

if TYPE_CHECKING:
    from analysis.story_games import Judge, Judges

#: What is watched where no entry is named.
ALL, SEATS = "all", "seats"
#: What is said of entries of which nothing was by lot, of those that nobody has had to do with, and
#: of those that nobody need ever have to do with.
UNJUDGED, NOT_YET, ALONE = "observed", "not come up yet", "asked about alone"
# The measures of what was by lot.
_BY_LOT = (SHARE, WITHIN, CONTRAST)
# The event of the row that each measure is about, where that is not the main one.
_EVENTS = {SHARE: DEALT, WITHIN: DEALT, ACCESS: CHOSEN, CONTRAST: INCLUDED}


def _share(counts: OwnCounts) -> Estimate:
    """What seats with an entry were better by than others: by the measure of its kind."""
    games, n = counts.of_entries[:2]
    rate, std_err = counts.shares()
    std_err = np.where(games >= LEAST_GAMES, std_err, np.inf)
    rows = strata_of(counts.manifest)[:, 0]
    if len(rows):
        within = np.unique(rows)
        rate[within], std_err[within] = _within(counts, rows)
    found = Estimate.normal(rate, std_err, n.astype(float))
    if at := [place for place, one in enumerate(_measured(counts.manifest)) if one == CONTRAST]:
        for values, of_contrast in zip(found, _contrast(counts, at), strict=True):
            values[at] = of_contrast
    return of_enough_games(found)


def _contrast(counts: OwnCounts, rows: Sequence[int]) -> Estimate:
    """By how much seats did better in games that have an entry by lot than in games without it.

    All seats of a game have these rows.  Which games have an entry was drawn by itself, so these
    are two samples of games that differ in nothing else but chance.
    """
    have = [values[rows] for values in counts.rates()]
    have_not = [of_all - mine for of_all, mine in zip(counts.all_seats(), have, strict=True)]
    return estimate_apart(*(estimate_rate(RatioSums(*sums)) for sums in (have, have_not)))


def _measured(manifest: Mapping[str, Any]) -> list[str]:
    """The measure that each row is about, "" for none."""
    rows = ((row, manifest[COUNTED][row.kind]["measure"]) for row in rows_of(manifest))
    return [
        measure if row.event == _EVENTS.get(measure, row.event if row.is_main else "") else ""
        for row, measure in rows
    ]


def _within(counts: OwnCounts, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The difference of seats with an entry from all seats alike, and its standard error.

    Of each row that is in ``rows``, one for each stratum.  Both means come from the same games: the
    error is that of the difference of two ratios.  An entry has the mean of its strata, weighted
    with its seats; that two of them may be in one game is left out, which makes intervals a little
    wider where seats are rivals.  One whole win is added, as in `know`.
    """
    games, n, s, nn, ns, ss, all_n, all_s, aa, ab, bb, na, nb, sa, sb = counts.strata()
    with np.errstate(divide="ignore", invalid="ignore"):
        mine, alike = s / n, all_s / all_n
        of_mine = (ss - 2 * mine * ns + mine**2 * nn) / n**2
        of_alike = (bb - 2 * alike * ab + alike**2 * aa) / all_n**2
        of_both = (sb - alike * sa - mine * nb + mine * alike * na) / (n * all_n)
        variance = np.maximum(of_mine + of_alike - 2 * of_both, 0)

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(rows, np.where(n > 0, values, 0))[np.unique(rows)]

    with np.errstate(divide="ignore", invalid="ignore"):
        weight = total(n)
        difference = total(n * (mine - alike)) / weight
        std_err = np.sqrt(total(n**2 * variance) + 1) / weight
    return difference, np.where(total(games) >= LEAST_GAMES, std_err, np.inf)


def entries_table(counts: OwnCounts) -> pd.DataFrame:
    """One row per event and entry that came up; see `ENTRIES_TABLE`."""
    rows = rows_of(counts.manifest)
    if not rows:
        return ENTRIES_TABLE.frame([]).astype({"is_main": bool})
    rate, share = estimate_rate(counts.rates()), _share(counts)
    measure = np.array(_measured(counts.manifest))
    judged = np.isin(measure, _BY_LOT)
    joint = together(share, n=int((judged & np.isfinite(share.ci_low)).sum()))
    share = share._replace(
        ci_low=np.where(judged, joint.ci_low, share.ci_low),
        ci_high=np.where(judged, joint.ci_high, share.ci_high),
    )
    table = pd.DataFrame(rows, columns=["kind", "id", "name", "event", "is_main"]).assign(
        measure=measure,
        n=rate.n.astype(int),
        **interval_columns("outcome", rate),
        **interval_columns("share", share),
    )
    words = verdicts(share.ci_low, share.ci_high, band=BAND)
    table["verdict"] = np.where(judged, words, "")
    return table[table["n"] > 0].reset_index(drop=True)


def seats_table(counts: OwnCounts) -> pd.DataFrame:
    """One row per seat, and one for the seat of the first decision; see `SEATS_TABLE`."""
    rate, manifest = estimate_rate(counts.seats()), counts.manifest
    seats = range(manifest["seats"])
    table = pd.DataFrame(
        {
            "seat": [*(f"seat {seat + 1}" for seat in seats), "first to choose"],
            "player": [*manifest["policies"], ""],
            "n": rate.n.astype(int),
            **interval_columns("outcome", rate),
        }
    )
    return table[table["n"] > 0].reset_index(drop=True)


def games_table(counts: OwnCounts) -> pd.DataFrame:
    """One row about all games; see `GAMES_TABLE`."""
    sums = counts.numbers()
    decisions, drawn = (RatioSums(*(one[n : n + 1] for one in sums)) for n in range(2))
    draws = estimate_rate(drawn)
    if len(teams_in(counts.manifest)) == 1:
        draws = Estimate(*(np.full(1, np.nan) for _ in draws))
    length, is_fixed = estimate_mean(decisions), decisions.ss * decisions.n == decisions.s**2
    columns = interval_columns("decisions", length)
    if is_fixed.all() and np.isfinite(length.ci_low).all():  # no game was longer or shorter
        columns |= {f"decisions_ci_{end}": length.estimate for end in ("low", "high")}
    columns |= interval_columns("draws", draws)
    return pd.DataFrame({"n_games": counts.of_games[:1], **columns})


def observed_table(counts: OwnCounts) -> pd.DataFrame:
    """One row per number that the game observes; see `OBSERVED_TABLE`."""
    sums = RatioSums(*(values[2:] for values in counts.numbers()))
    mean, rate = estimate_mean(sums), estimate_rate(sums)
    is_share = sums.s == sums.ss  # of what is only so or not so
    found = Estimate(*(np.where(is_share, *of) for of in zip(rate, mean, strict=True)))
    columns = interval_columns("mean", found)
    names = observed_in(counts.manifest)
    return pd.DataFrame({"name": names, "is_share": is_share, **columns})


ENTRIES_TABLE = Table(
    "entries",
    "One row per event and entry that came up",
    {
        "kind": "the kind of the entry",
        "id": "the entry",
        "name": "its name",
        "event": "what its seats had to do with it: `dealt`, they had it before the first decision;"
        " `chosen`, they chose an option that names it; `included`, their game had it by lot; any"
        " other word is one that the rules note",
        "is_main": "whether the event is the one that tells most of entries of this kind",
        "measure": "what tells the worth of such an entry: `share`, `share within` or `contrast`,"
        " which the verdict is about, where it was dealt or included by lot; `access`, where"
        " options name it before anybody holds it, and otherwise `swap`, which `fairdeal"
        " sensitivity --worth` measures",
        "n": "seats, of all games, for which that is so",
        **with_interval("outcome", "mean outcome of these seats, 1 for the best"),
        **with_interval(
            "share",
            "the same minus the mean outcome of the same seats in all games, since hands may differ"
            " in size; where `measure` is `share within`, minus that of the same seat with the same"
            " entry of the kind that it is within, such as the same faction; where it is"
            " `contrast`, minus the mean outcome of all seats of games without the entry",
            "all rows with a verdict",
        ),
        "verdict": f"of `share`, where it is by lot: {MEANINGS}",
    },
    make=entries_table,
    differences=("share",),
)
SEATS_TABLE = Table(
    "seats",
    "One row per seat, and one for the seat of the first decision",
    {
        "seat": "the seat",
        "player": "who plays there",
        "n": "games",
        **with_interval("outcome", "mean outcome, 1 for the best"),
    },
    make=seats_table,
)
GAMES_TABLE = Table(
    "games",
    "One row about all games",
    {
        "n_games": "games",
        **with_interval("decisions", "mean number of decisions of a game"),
        **with_interval(
            "draws",
            "share of games in which several seats, or teams, have the best outcome; missing where"
            " all play together",
        ),
    },
    make=games_table,
    numbers=("decisions", "decisions_ci_low", "decisions_ci_high"),
)
OBSERVED_TABLE = Table(
    "observed",
    "One row per number that the game observes",
    {
        "name": "its name in `observe`",
        "is_share": "whether it is only so or not so (1 or 0) in each game, and `mean` a share",
        **with_interval("mean", "mean over games"),
    },
    make=observed_table,
    numbers=("mean", "mean_ci_low", "mean_ci_high"),
)
OF_A_RUN = (
    *(ENTRIES_TABLE, SEATS_TABLE, MATCHUPS_TABLE, METAGAME_TABLE),
    *(GAMES_TABLE, OBSERVED_TABLE),
)
COMPARISON = comparison_entry(
    {
        "kind": "the kind of entry, `seat`, or nothing for all games",
        "id": "the entry or seat",
        "name": "its name",
        "policy": "who plays there, for a seat",
        "measure": "what is measured: `outcome`, or the mean of something",
    },
    observations="seats that the entry was dealt to, or whatever `entries` has as its main event",
    words={"mean_decisions": "mean number of decisions of a game"},
    json_rows=lambda table: table["kind"] != "",
)


class OwnPairs(PairCounter):
    """Counts games of two runs of one game side by side: entries that both have, seats, length."""

    def __init__(self, base: Run, variant: Run) -> None:
        runs = (base.manifest, variant.manifest)
        main = [{row[:3]: at for at, row in enumerate(rows_of(one)) if row.is_main} for one in runs]
        self._keys = [key for key in main[0] if key in main[1]]
        self._rows = [[one[key] for key in self._keys] for one in main]
        self._seats, self.alike = runs[0]["seats"], base.identity["run"] == variant.identity["run"]
        self.lines = self._find_lines(runs[0]["policies"], runs[0]["unit"])

    def _find_lines(self, players: Sequence[str], unit: int) -> Lines:
        """A line for each entry, each seat, and the length of the game."""
        facts = [(*key, "", "outcome") for key in self._keys]
        for seat, player in enumerate(players):
            name = f"seat {seat + 1}"
            facts.append(("seat", str(seat + 1), name, player, "outcome"))
        facts.append(("", "", "", "", "mean_decisions"))
        table = pd.DataFrame(facts, columns=["kind", "id", "name", "policy", "measure"])
        units = np.full(len(facts), 1 / unit)
        units[-1] = 1
        return Lines(table, units)

    def count(self, base: np.ndarray, variant: np.ndarray) -> PairSums:
        """The sums of some games."""
        both = zip((base, variant), self._rows, strict=True)
        counted = [self._lines(games, rows) for games, rows in both]
        same = int((base["deal"] == variant["deal"]).sum()) if len(base) == len(variant) else 0
        return PairSums(sum_pairs(*counted), np.array([len(base), len(variant)]), same)

    def _lines(self, games: np.ndarray, rows: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Observations and their total of each line and game: int64 (n_lines, n_games) each."""
        parts = [*observations(games, self._seats, rows)] if rows else []
        none = np.zeros((0, len(rows)), np.int64)
        n, s = (np.concatenate([none, *(part[i] for part in parts)]) for i in (0, 1))
        n = n if rows else np.zeros((len(games), 0), np.int64)
        s = s if rows else n
        outcome, one = games["outcome"].astype(np.int64), np.ones((len(games), 1), np.int64)
        decisions = games["decisions"].astype(np.int64)[:, None]
        n = np.concatenate([n, np.repeat(one, self._seats, axis=1), one], axis=1)
        return n.T, np.concatenate([s, outcome, decisions], axis=1).T


@frozen
class UntilKnown(stopping.PlayUntil):
    """The run ends when the outcome of each seat, and of seats with each entry, is known.

    Or that of one entry, or for "seats" of each seat alone.
    """

    usual = ALL

    manifest: Mapping[str, Any]

    def __attrs_post_init__(self) -> None:
        ids = [row.id for row in rows_of(self.manifest) if row.is_main]
        if self.goal.of not in ("", SEATS, *ids):
            meant = did_you_mean(self.goal.of, [SEATS, *ids])
            raise GoalError(f"'{self.goal.of}' is no entry{meant} There are: {', '.join(ids)}.")

    @property
    def watched(self) -> Sequence[Watched]:
        """What is watched."""
        return [one for _, one in self._places()]

    def _places(self) -> Iterator[tuple[int, Watched]]:
        """What is watched, and its place in the sums."""
        rows, of = rows_of(self.manifest), self.goal.of
        for place, row in enumerate(rows):
            if row.is_main and of in ("", row.id):
                yield place, Watched(row.id, row.name, "")
        for seat in range(self.manifest["seats"] if of in ("", SEATS) else 0):
            name = f"seat {seat + 1}"
            yield len(rows) + seat, Watched(name, name, "")

    def count(self, records: np.ndarray) -> np.ndarray:
        """All sums of a run, one behind the other."""
        counts = OwnCounts.nothing(self.manifest).count(records)
        return np.concatenate([one.ravel() for one in counts.sums.values()])

    def counts(self, sums: np.ndarray) -> OwnCounts:
        """The counts that these are the sums of."""
        nothing = OwnCounts.nothing(self.manifest)
        ends = np.cumsum([one.size for one in nothing.sums.values()])
        parts = zip(nothing.sums.items(), np.split(sums, ends[:-1]), strict=True)
        return nothing.of_sums({name: part.reshape(one.shape) for (name, one), part in parts})

    def rates(self, sums: np.ndarray) -> RatioSums:
        """Those of what is watched."""
        places = [place for place, _ in self._places()]
        counts = self.counts(sums)
        both = np.concatenate([counts.of_entries, counts.of_seats[:, :-1]], axis=1)
        return counts.of_sums({"of_entries": both[:, places]}).rates()

    def shares(self, sums: np.ndarray) -> tuple[Sequence[Watched], Known]:
        """What the ``share`` of each that is watched is, as in `ENTRIES_TABLE`; or `UNJUDGED`.

        Of a seat that is by how much it comes off better than the mean of all seats.
        """
        counts, places = self.counts(sums), [place for place, _ in self._places()]
        share = _share(counts)
        both = zip((share.estimate, share.std_err), counts.seats_apart(), strict=True)
        rate, std_err = (np.concatenate(pair)[places] for pair in both)
        games = self.rates(sums).games
        std_err = np.where(games >= LEAST_GAMES, std_err, np.inf)
        measured = [*_measured(self.manifest), *[SHARE] * self.manifest["seats"]]
        watched = [
            one if measured[place] in _BY_LOT else one._replace(word=_word(measured[place], n))
            for (place, one), n in zip(self._places(), games, strict=True)
        ]
        return watched, Known(rate, std_err, self.promise.half_width(std_err))


def _word(measure: str, n_games: float) -> str:
    """What is said of an entry of which nothing is by lot."""
    return UNJUDGED if n_games else ALONE if measure == SWAP else NOT_YET


class _OwnGames(Analysis):
    columns_title = "Columns of games of your own"

    @property
    def tables(self) -> Registry:
        return Registry(*OF_A_RUN)

    @property
    def all_tables(self) -> Registry:
        return Registry(
            *self.tables.values(),
            *(COMPARISON, SENSITIVITY),
            *LADDER_TABLES.values(),
            *REBALANCE_TABLES.values(),
            *SKILL_TABLES.values(),
            *VERDICT_TABLES.values(),
            *PLAYTEST_TABLES.values(),
            *STORY_TABLES.values(),
            *PRICE_TABLES.values(),
            PRICE_PLAYERS,
        )

    def nothing(self, run: Run) -> OwnCounts:
        return OwnCounts.nothing(run.manifest)

    def fingerprints(self, players: Sequence[str]) -> Mapping[str, str]:
        try:
            return fingerprints(players)
        except GameError as error:
            raise ValueError(str(error)) from None

    def pair_counter(self, base: Run, variant: Run) -> OwnPairs:
        return OwnPairs(base, variant)

    @property
    def judges(self) -> "Judges":
        from analysis.own_games.story import judge_of

        return judge_of

    def judge_in(self, run: Run, game: int) -> "Judge":
        from analysis.own_games.story import judge_in

        return judge_in(run, game)

    def facts(self, manifest: Mapping[str, Any], games: np.ndarray) -> Facts:
        teams = teams_in(manifest)
        numbers = {
            name.removeprefix(OBSERVED): values for name, values in plain_numbers(games).items()
        }
        first, points = games["first"].astype(np.int64), games["points"]
        rows, held = rows_of(manifest), dict[str, Any]()
        if rows:
            entries = games["entries"].reshape(len(games), manifest["seats"], -1).astype(bool)
            held = {row.id: entries[:, :, at] for at, row in enumerate(rows) if row.is_main}
        if len(teams) == 1:  # all win or lose together
            scores = (games["outcome"][:, :1] >= manifest["unit"]).astype(float)  # the best is won
            held = {one: seats.any(axis=1, keepdims=True) for one, seats in held.items()}
            return Facts(scores, points[:, :1], np.full(len(games), -1), numbers, held)
        of_teams = wins(games["outcome"][:, [team[0] for team in teams]].astype(float))
        scores = np.empty(points.shape)
        for place, team in enumerate(teams):
            scores[:, team] = of_teams[:, [place]]
        return Facts(scores, points, first, numbers, held)


ANALYSIS = _OwnGames()
