"""What each hero is worth: the tables ``heroes`` and ``hero_pairs``.

In a run of all parties the party of each game is drawn at random, so it is a treatment of an
experiment, and differences between parties are caused by them.  Only whole parties play, so a hero
is worth something against those who come along instead.  Two measures say how much, both weighted
sums of the parties' results, each party counting the same:

* the *worth*: the mean of the parties with the hero minus the mean of those without;
* the *Shapley value* [1]_ over party sets.  A party's result is known, that of a smaller or larger
  set of heroes is not, so the value is fixed by its axioms: it is linear, it treats heroes alike,
  what all parties have in common adds nothing, and where a party's result is the sum of what each
  of its heroes brings, it gives those parts, less their mean.  Legal parties are all sets of one
  size of the heroes who are not in every party, and over such sets only one number does that: the
  worth times (n - 1) / n, for n such heroes.  It is also the least-squares fit of sums of values to
  the parties' results [2]_, and in proportion to every average of what a hero adds to sets that are
  filled up to a party.  The values of a party's heroes add up to its lead over the mean of all
  parties where heroes simply add up; what is left is in the table ``parties``.

Of a hero who is in every legal party neither is known, and both are missing.

References
----------
.. [1] L. S. Shapley, "A value for n-person games", in *Contributions to the Theory of Games II*,
   Princeton 1953, 307-317.
.. [2] A. Charnes, B. Golany, M. Keane, J. Rousseau, "Extremal principle solutions of games in
   characteristic function form: core, Chebychev and Shapley value generalizations", in
   *Econometrics of Planning and Efficiency*, Dordrecht 1988, 123-133; L. M. Ruiz, F. Valenciano,
   J. M. Zarzuelo, "The family of least square values for transferable utility games", Games and
   Economic Behavior 24 (1998), 109-130.
"""

from itertools import combinations

import numpy as np
import pandas as pd

from analysis.estimates import adjust_p, interval_columns, two_sided_p
from analysis.mice_and_mystics.cells import Sums, combined, mean_win_rates, number_of, party_results
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.outcomes import SCORE
from analysis.mice_and_mystics.run_facts import shapley, with_without
from analysis.registry import Table, q_value, with_interval
from analysis.simultaneous import together as hold_together
from analysis.verdicts import judge, judged_meanings

# Counters of each hero, as means over the games of the parties with them.
_OF_HERO = {
    "captures": "captures of the hero",
    "cheese_income": "cheese that the hero got",
    "attacks": "attacks of the hero",
    "wounds_dealt": "unblocked hits of the hero",
    "level_ups": "abilities that the hero took by levelling up",
}


def together(members: np.ndarray) -> np.ndarray:
    """Weights of parties in what two heroes are worth beyond what each is, shape (n, n, n_parties).

    Mean of the parties with both, minus those with the one alone and with the other alone, plus
    mean of those with neither.  All 0 where there is no party of some kind.
    """
    one, other = members[:, None], members[None]
    kinds = [one & other, one & ~other, ~one & other, ~one & ~other]
    sizes = [kind.sum(axis=-1, keepdims=True) for kind in kinds]
    known = np.logical_and.reduce([size > 0 for size in sizes])
    means = [
        np.where(known, kind / np.maximum(size, 1), 0.0)
        for kind, size in zip(kinds, sizes, strict=True)
    ]
    return np.einsum("k,kijp->ijp", (1, -1, -1, 1), means)


def heroes_table(counts: RunCounts) -> pd.DataFrame:
    """One row per hero of some party; see `HEROES`."""
    facts = counts.facts
    there = np.flatnonzero(facts.members.any(axis=1))
    members = facts.members[there]
    wins, scores = (party_results(counts, result) for result in ("win", "score"))
    worth = hold_together(combined(wins, with_without(members)))
    score_worth = combined(scores, with_without(members))
    score_p = two_sided_p(score_worth.estimate, score_worth.std_err)
    averages = {
        "win_rate_with": mean_win_rates(wins, _mean_of(members)),
        "win_rate_without": mean_win_rates(wins, _mean_of(~members)),
    }
    first = {
        "hero": [facts.ids["heroes"][int(hero)] for hero in there],
        "name": [facts.data.heroes[hero].name for hero in there],
        "player": facts.player,
        "parties_with": members.sum(axis=1),
        "parties_without": (~members).sum(axis=1),
        "n_games_with": members @ counts.n_games,
        "n_games_without": ~members @ counts.n_games,
    }
    for name, estimates in averages.items():
        first |= interval_columns(name, estimates)
    first |= interval_columns("worth", worth)
    more = {
        **interval_columns("shapley", combined(wins, shapley(members))),
        **interval_columns("score_worth", score_worth),
        "score_q_value": adjust_p(score_p),
        **interval_columns("score_shapley", combined(scores, shapley(members))),
    }
    for name in _OF_HERO:
        sums = [
            Sums(*(members[row] @ column for column in number_of(counts, f"{name}_{hero}")))
            for row, hero in enumerate(first["hero"])
        ]
        means = Sums(*(np.array(column) for column in zip(*sums, strict=True))).mean()
        more |= interval_columns(f"mean_{name}", means)
    tables = [pd.DataFrame(first), judge(worth), pd.DataFrame(more)]
    return pd.concat(tables, axis="columns")


def hero_pairs_table(counts: RunCounts) -> pd.DataFrame:
    """One row per pair of heroes that are in some party together; see `HERO_PAIRS`."""
    facts = counts.facts
    there = np.flatnonzero(facts.members.any(axis=1))
    pairs = [
        (one, other)
        for one, other in combinations(there, 2)
        if (facts.members[one] & facts.members[other]).any()
    ]
    one, other = np.array(pairs, int).reshape(-1, 2).T
    both = facts.members[one] & facts.members[other]
    beyond = together(facts.members)[one, other]
    wins, scores = (party_results(counts, result) for result in ("win", "score"))
    synergy, score_synergy = (combined(result, beyond) for result in (wins, scores))
    p_value = two_sided_p(synergy.estimate, synergy.std_err)
    score_p = two_sided_p(score_synergy.estimate, score_synergy.std_err)
    heroes = np.array(facts.ids["heroes"], object)
    return pd.DataFrame(
        {
            "hero": heroes[one],
            "other": heroes[other],
            "player": facts.player,
            "parties_with_both": both.sum(axis=1),
            "n_games_with_both": both @ counts.n_games,
            **interval_columns("win_rate_with_both", mean_win_rates(wins, _mean_of(both))),
            **interval_columns("synergy", synergy),
            "p_value": p_value,
            "q_value": adjust_p(p_value),
            **interval_columns("score_synergy", score_synergy),
            "score_q_value": adjust_p(score_p),
        }
    ).astype({"hero": "str", "other": "str"})


def _mean_of(members: np.ndarray) -> np.ndarray:
    """Weights of the mean over the parties of each row."""
    return members / np.maximum(members.sum(axis=1, keepdims=True), 1)


_WITH = "mean over the parties with the hero, each counting the same"
HEROES = Table(
    "heroes",
    "One row per hero",
    {
        "hero": "the hero",
        "name": "their printed name",
        "player": "who plays all mice",
        "parties_with": "parties of the run with the hero",
        "parties_without": "parties of the run without the hero",
        "n_games_with": "games of the parties with the hero",
        "n_games_without": "games of the parties without",
        **with_interval("win_rate_with", f"win rate: {_WITH}"),
        **with_interval("win_rate_without", "the same over the parties without the hero"),
        **with_interval(
            "worth",
            "`win_rate_with` minus `win_rate_without`: what the hero is worth against those who"
            " come along instead. Parties are set and not chosen by how games go, so this is caused"
            " by the hero. Missing for a hero who is in every party",
            "all heroes",
        ),
        **judged_meanings("worth", "heroes"),
        **with_interval(
            "shapley",
            "the hero's Shapley value over party sets: their part of a party's win rate, less that"
            " of the average hero. The values of a party's heroes add up to its lead over the mean"
            " of all parties as nearly as sums can (`additive` and `beyond` in the table"
            " `parties`)."
            " Missing for a hero who is in every party",
        ),
        **with_interval("score_worth", f"`worth` in the mean score. Score: {SCORE}"),
        "score_q_value": q_value("heroes", "the probability of a `score_worth` this large"),
        **with_interval("score_shapley", "`shapley` in the mean score"),
        **{
            column: meaning
            for name, what in _OF_HERO.items()
            for column, meaning in with_interval(
                f"mean_{name}", f"{what}, on average over the games of the parties with the hero"
            ).items()
        },
    },
    make=heroes_table,
    differences=("worth", "shapley"),
    numbers=("score_worth", "score_shapley", *(f"mean_{name}" for name in _OF_HERO)),
)
HERO_PAIRS = Table(
    "hero_pairs",
    "One row per pair of heroes that are in some party together",
    {
        "hero": "a hero",
        "other": "another hero",
        "player": "who plays all mice",
        "parties_with_both": "parties of the run with both",
        "n_games_with_both": "games of these parties",
        **with_interval("win_rate_with_both", "win rate: mean over the parties with both"),
        **with_interval(
            "synergy",
            "win rate of the parties with both, minus that of those with the one alone, minus that"
            " of those with the other alone, plus that of those with neither, each a mean over"
            " parties: what the two are worth together beyond what each is, against other pairs."
            " Missing where there is no party of one of these kinds",
        ),
        "p_value": "probability of a `synergy` at least this large if the truth is zero",
        "q_value": q_value("pairs"),
        **with_interval("score_synergy", "`synergy` in the mean score"),
        "score_q_value": q_value("pairs", "the probability of a `score_synergy` this large"),
    },
    make=hero_pairs_table,
    differences=("synergy",),
    numbers=("score_synergy",),
)
