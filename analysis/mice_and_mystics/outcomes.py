"""How games end: the tables ``outcomes``, ``parties`` and ``clock``."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.estimates import Estimate, adjust_p, estimate_share, interval_columns, two_sided_p
from analysis.mice_and_mystics import cells
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.run_facts import ALL, RunFacts, party_name, shapley
from analysis.mice_and_mystics.run_facts import OUTCOMES as WORDS
from analysis.registry import HIGH, LOW, Table, q_value, with_interval
from analysis.simultaneous import together
from analysis.verdicts import judge, judged_meanings

#: What the words of the outcomes mean.
ENDINGS = {
    "win": "share of games that were won",
    "loss_page": "share of games lost because the hourglass reached the end page (M115)",
    "loss_captured": "share of games lost because all mice were captured (M105)",
    "timeout": "share of games stopped after 400 rounds (M116)",
}
SCORE = (
    "rooms of the route that were entered; for a win 1 more, and the share of all pages that was "
    "left"
)
PARTY = f"heroes of the party in the order of the data; `{ALL}`: all games of the run"
PLAYER = "who plays all mice"
_MEANS = ("score", "route_depth", "rooms_explored", "page_final", "pages_left")


def outcomes_table(counts: RunCounts) -> pd.DataFrame:
    """One row per party and statistic; see `OUTCOMES`."""
    facts, rows = counts.facts, list[dict[str, object]]()
    for party, games in _parties(counts):
        for statistic, found in _statistics(counts, games):
            estimate, low, high = (float(values) for values in found[:3])
            rows.append(
                {
                    "party": party,
                    "player": facts.player,
                    "statistic": statistic,
                    "n_games": int(found.n),
                    "estimate": estimate,
                    "ci_low": low,
                    "ci_high": high,
                }
            )
    return OUTCOMES.frame(rows)


def _parties(counts: RunCounts) -> Iterator[tuple[str, slice]]:
    """All games, then each party if there are several: name, and which rows of the sums."""
    parties = counts.facts.parties
    if len(parties) > 1:
        yield ALL, slice(None)
    for number, party in enumerate(parties):
        yield party_name(party), slice(number, number + 1)


def _statistics(counts: RunCounts, games: slice) -> Iterator[tuple[str, Estimate]]:
    """The lines of one party."""

    def of(name: str) -> cells.Sums:
        return cells.all_games(
            cells.Sums(*(column[games] for column in cells.number_of(counts, name)))
        )

    endings = counts.sums["endings"][games].sum(axis=0)
    n_games = endings.sum()
    for place, outcome in enumerate(WORDS):
        yield outcome, estimate_share(endings[place].sum(), n_games)
    by_depth = endings.sum(axis=(0, 2))
    for room in range(2, len(counts.facts.chapter.route) + 1):
        yield f"reached_room_{room}", estimate_share(by_depth[room:].sum(), n_games)
    for name in _MEANS:
        yield f"mean_{name}", of(name).mean()
    won = endings[0].sum(axis=0).astype(float)
    left = np.maximum(counts.facts.page_end - np.arange(len(won)), 0)
    of_wins = cells.Sums(won.sum(), won @ left, won @ (left * left))
    yield "mean_pages_left_of_wins", of_wins.mean()


def parties_table(counts: RunCounts) -> pd.DataFrame:
    """One row per party; see `PARTIES`."""
    facts = counts.facts
    wins, scores = (cells.party_results(counts, result) for result in ("win", "score"))
    lead = _lead(len(facts.parties))
    additive = facts.members.T @ shapley(facts.members)
    over, added, beyond = (
        [cells.combined(estimates, weights) for estimates in (wins, scores)]
        for weights in (lead, additive, lead - additive)
    )
    judged = together(over[0])
    q_values = [adjust_p(two_sided_p(one.estimate, one.std_err)) for one in (over[1], *beyond)]
    losses = {
        word: cells.number_of(counts, word).rate()
        for word in ("loss_page", "loss_captured", "timeout")
    }
    means = {
        name: cells.number_of(counts, name).mean()
        for name in ("route_depth", "rounds", "surges", "captures", "level_ups")
    }
    first = {
        "party": [party_name(party) for party in facts.parties],
        "player": facts.player,
        "n_games": counts.n_games,
        **interval_columns("win_rate", wins),
        **interval_columns("over_average", judged),
    }
    more = {
        **interval_columns("additive", added[0]),
        **interval_columns("beyond", beyond[0]),
        "beyond_q_value": q_values[1],
        **interval_columns("score", scores),
        **interval_columns("score_over_average", over[1]),
        "score_q_value": q_values[0],
        **interval_columns("score_additive", added[1]),
        **interval_columns("score_beyond", beyond[1]),
        "score_beyond_q_value": q_values[2],
        **{
            column: values
            for word, one in losses.items()
            for column, values in interval_columns(f"{word}_rate", one).items()
        },
        **{
            column: values
            for name, one in means.items()
            for column, values in interval_columns(f"mean_{name}", one).items()
        },
    }
    tables = [pd.DataFrame(first), judge(judged), pd.DataFrame(more)]
    return pd.concat(tables, axis="columns")


def _lead(n_parties: int) -> np.ndarray:
    """Weights of the parties in the lead of each over the mean of all; 0 for one by itself."""
    return np.eye(n_parties) - 1 / n_parties


def clock_table(counts: RunCounts) -> pd.DataFrame:
    """One row per page and deepest room; see `CLOCK`."""
    facts, n_games = counts.facts, counts.n_games.sum()
    clock, endings = (counts.sums[name].sum(axis=0) for name in ("clock", "endings"))
    ended = endings.sum(axis=1)  # (outcome, page)
    rows = []
    for page in np.flatnonzero(clock.sum(axis=1)):
        reached = clock[page].sum()
        for depth in np.flatnonzero(clock[page]):
            there = {word: int(endings[one, depth, page]) for one, word in enumerate(WORDS)}
            rows.append(
                {
                    "page": page,
                    "depth": depth,
                    **_room(facts, depth),
                    "games_on_page": reached,
                    "page_share": reached / n_games,
                    "n_games": clock[page, depth],
                    **interval_columns("share", estimate_share(clock[page, depth], n_games)),
                    **there,
                    "ended_on_page": ended[:, page].sum(),
                }
            )
    return CLOCK.frame(rows)


def _room(facts: RunFacts, depth: "int | np.integer") -> dict[str, str]:
    """Id and printed name of a room of the route by its place, which counts from 1."""
    room = facts.chapter.route[depth - 1] if depth else ""
    return {"room": room, "name": facts.names.get(room, "")}


OUTCOMES = Table(
    "outcomes",
    "One row per party and statistic",
    {
        "party": PARTY,
        "player": PLAYER,
        "statistic": "what is estimated; the words are explained below",
        "n_games": "number of games that it rests on",
        "estimate": "the estimate",
        "ci_low": LOW,
        "ci_high": HIGH,
    },
    make=outcomes_table,
    words={
        **ENDINGS,
        "reached_room_K": "share of games that entered the K-th room of the route",
        "mean_score": f"mean score: {SCORE}",
        "mean_route_depth": "rooms of the route entered, the start room included, on average",
        "mean_rooms_explored": "rooms entered, start room and kitchen included, on average",
        "mean_page_final": "page on which the hourglass stood at the end, on average",
        "mean_pages_left": "pages left at the end, on average over all games",
        "mean_pages_left_of_wins": "pages left at the end, on average over games that were won",
    },
)
_OF_PARTY = {
    "route_depth": "rooms of the route entered",
    "rounds": "rounds",
    "surges": "surges",
    "captures": "captures",
    "level_ups": "abilities taken by levelling up",
}
PARTIES = Table(
    "parties",
    "One row per party",
    {
        "party": "heroes of the party in the order of the data",
        "player": PLAYER,
        "n_games": "games of the party",
        **with_interval("win_rate", "share of games that were won"),
        **with_interval(
            "over_average",
            "`win_rate` minus the mean of all parties; the party is set or drawn before the game,"
            " so this is what the party does. Missing for a run of one party",
            "all parties",
        ),
        **judged_meanings("over_average", "parties"),
        **with_interval(
            "additive",
            "what the Shapley values of its heroes add up to (`shapley` in the table `heroes`):"
            " the part of `over_average` that goes with single heroes",
        ),
        **with_interval(
            "beyond",
            "`over_average` minus `additive`: what these heroes are worth together beyond what each"
            " is. Missing where sums fit all parties exactly, as with four parties of four heroes",
        ),
        "beyond_q_value": q_value("parties", "the probability of a `beyond` this large"),
        **with_interval("score", f"mean score: {SCORE}"),
        **with_interval("score_over_average", "`score` minus the mean of all parties"),
        "score_q_value": q_value("parties", "the probability of a `score_over_average` this large"),
        **with_interval("score_additive", "`additive` in the mean score"),
        **with_interval("score_beyond", "`beyond` in the mean score"),
        "score_beyond_q_value": q_value(
            "parties", "the probability of a `score_beyond` this large"
        ),
        **{
            column: meaning
            for word in ("loss_page", "loss_captured", "timeout")
            for column, meaning in with_interval(f"{word}_rate", ENDINGS[word]).items()
        },
        **{
            column: meaning
            for name, what in _OF_PARTY.items()
            for column, meaning in with_interval(f"mean_{name}", f"{what}, on average").items()
        },
    },
    make=parties_table,
    differences=("over_average", "additive", "beyond"),
    numbers=("score", "score_over_average", "score_additive", "score_beyond"),
)
CLOCK = Table(
    "clock",
    "One row per page and deepest room entered while the hourglass was there",
    {
        "page": "a page that the hourglass reached",
        "depth": "rooms of the route entered by the time the hourglass left the page, or the game"
        " ended there",
        "room": "the last of them",
        "name": "its printed name",
        "games_on_page": "games whose hourglass reached the page",
        "page_share": "the share of all games that these are",
        "n_games": "those of them that had come this far",
        **with_interval("share", "the share of all games that `n_games` are"),
        **{word: f"games that ended on this page, this far, as {word}" for word in WORDS},
        "ended_on_page": "games that ended on this page, however far",
    },
    make=clock_table,
)
