"""Who is captured, how dice fell and who acted first: ``captures``, ``dice`` and ``initiative``.

The first track of initiative is shuffled when the game is set up, whoever plays (M13): it is a
treatment of an experiment.  The tracks of later rooms are shuffled as well, but only games that
last have them, and an ambush moves minions up; what goes with them is observed.
"""

from collections.abc import Iterator, Sequence
from math import perm

import numpy as np
import pandas as pd

from analysis.estimates import (
    RatioSums,
    adjust_p,
    estimate_mean,
    estimate_share,
    interval_columns,
    two_sided_p,
)
from analysis.mice_and_mystics.cells import (
    OBSERVED,
    Sums,
    contrast_of,
    effect_columns,
    effect_meanings,
    more_effect_meanings,
    more_effects,
    number_of,
    picked,
)
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.run_facts import ALL, CAUSES_OF_CAPTURE, RunFacts
from analysis.mice_and_mystics.tallies import GIVEN, ROLLED_SUMS, ROLLS
from analysis.registry import Table, q_value, with_interval
from card_data.mice_and_mystics.facts import by_id

# What the rows are split by: the kinds of row, in their order.
_SPLITS = {
    "all": "all captures",
    "cause": "by cause",
    "minion": "those in battle by the minion that attacked",
    "hero": "by the hero who was captured",
    "hero_cause": "by hero and cause",
    "room": "by room",
}

_KEYS = ("cause", "minion", "hero", "room")
_AHEAD_OF = ("n", "win", "captures", "captures²")


def captures_table(counts: RunCounts) -> pd.DataFrame:
    """One row per cause, minion, hero and so on; see `CAPTURES`."""
    facts = counts.facts
    rows = list(_rows(facts))
    places = [facts.places[name] for _, _, name in rows]
    # Games of the parties in which a capture of this kind could be: (n_rows, n_parties).
    parties = np.array([_parties_with(facts, keys.get("hero", "")) for _, keys, _ in rows], int)
    of_rows = np.einsum("rp,prk->rk", parties, counts.sums["numbers"][:, places])
    everything = parties @ counts.sums["results"]
    n, s, ss = (of_rows[:, column].astype(float) for column in range(3))
    given = of_rows[:, 3:]
    total = s[0]
    with np.errstate(invalid="ignore"):
        share_of_captures = s / total
    keys = {key: [row.get(key, ALL) for _, row, _ in rows] for key in _KEYS}
    return pd.DataFrame(
        {
            "split": [split for split, _, _ in rows],
            **keys,
            "player": facts.player,
            "n_games": n.astype(np.int64),
            "captures": s.astype(np.int64),
            **interval_columns("per_game", Sums(n, s, ss).mean()),
            "share_of_captures": share_of_captures,
            "games_with": given[:, 0],
            **interval_columns("share", estimate_share(given[:, 0], n)),
            **interval_columns("win_rate", picked(given, GIVEN, "win").rate()),
            **interval_columns("win_rate_without", picked(everything - given, GIVEN, "win").rate()),
        }
    ).astype({"split": "str", **dict.fromkeys(_KEYS, "str")})


def _rows(facts: RunFacts) -> Iterator[tuple[str, dict[str, str], str]]:
    """What each row is about: how it is split, what of, and the number that counts it."""
    heroes: Sequence[str] = facts.used["heroes"]
    yield "all", {}, "captures"
    for cause in CAUSES_OF_CAPTURE:
        yield "cause", {"cause": cause}, f"captures_{cause}"
    for minion in facts.used["minions"]:
        yield "minion", {"cause": "battle", "minion": minion}, f"captures_by_{minion}"
    for hero in heroes:
        yield "hero", {"hero": hero}, f"captures_{hero}"
    for hero in heroes:
        for cause in CAUSES_OF_CAPTURE:
            yield "hero_cause", {"hero": hero, "cause": cause}, f"captures_{hero}_{cause}"
    for room in facts.ids["tiles"]:
        yield "room", {"room": room}, f"captures_in_{room}"


CAPTURES = Table(
    "captures",
    "One row per cause, minion, hero, hero and cause, and room",
    {
        "split": "what captures are counted by: "
        + "; ".join(f"`{split}`: {meaning}" for split, meaning in _SPLITS.items()),
        "cause": f"the cause (M104): wounds in a battle, a mousetrap, drifting off the tile, or an"
        f" event card; `{ALL}` where a row is about all",
        "minion": f"the minion; `{ALL}` where a row is about all",
        "hero": f"the hero; `{ALL}` where a row is about all",
        "room": f"the room; `{ALL}` where a row is about all",
        "player": "who plays all mice",
        "n_games": "games in which it could be: of the parties with the hero, or all",
        "captures": "captures of this kind in these games",
        **with_interval("per_game", "captures of this kind in a game, on average"),
        "share_of_captures": "the share of all captures of the run that these are",
        "games_with": "games with at least one capture of this kind",
        **with_interval("share", "the share of `n_games` that these are"),
        **with_interval(
            "win_rate",
            f"win rate of the games with at least one. {OBSERVED}, and each capture costs a page",
        ),
        **with_interval("win_rate_without", "win rate of the other games. Observed, not caused"),
    },
    make=captures_table,
    numbers=("per_game",),
)


def dice_table(counts: RunCounts) -> pd.DataFrame:
    """One row per roll and symbol; see `DICE`."""
    by_party = dict(
        zip(ROLLED_SUMS, np.moveaxis(counts.sums["dice"].astype(float), 2, 0), strict=True)
    )
    sums = {name: one.sum(axis=0) for name, one in by_party.items()}
    n_games, faces = counts.n_games.sum().astype(float), counts.facts.data.die.faces
    expected = [sum(int(getattr(face, roll.face)) for face in faces) / len(faces) for roll in ROLLS]
    ratio = RatioSums(*(sums[name] for name in ("games", "n", "s", "nn", "ns", "ss")))
    rate = estimate_mean(ratio)
    difference = rate._replace(
        estimate=rate.estimate - expected,
        ci_low=rate.ci_low - expected,
        ci_high=rate.ci_high - expected,
    )
    p_value = two_sided_p(difference.estimate, difference.std_err)
    sides = [
        Sums(*(by_party[column].T for column in (side, f"{side}_win", f"{side}_win")))
        for side in ("lucky", "unlucky")
    ]
    luck = contrast_of(counts, *sides, are_shares=True)
    return pd.DataFrame(
        {
            "who": [roll.who for roll in ROLLS],
            "roll": [roll.roll for roll in ROLLS],
            "symbol": [roll.symbol for roll in ROLLS],
            "player": counts.facts.player,
            "n_games": sums["games"].astype(np.int64),
            "dice": sums["n"].astype(np.int64),
            "successes": sums["s"].astype(np.int64),
            **interval_columns("dice_per_game", Sums(n_games, sums["n"], sums["nn"]).mean()),
            **interval_columns("success_rate", rate),
            "expected": expected,
            **interval_columns("difference", difference),
            "p_value": p_value,
            "q_value": adjust_p(p_value),
            "lucky_n": luck.n_with,
            **interval_columns("lucky_win_rate", luck.with_it),
            "unlucky_n": luck.n_without,
            **interval_columns("unlucky_win_rate", luck.without),
            **interval_columns("luck_effect", luck.difference),
        }
    )


_LUCK = "Observed: within a game luck comes and goes, and long games see more dice"

DICE = Table(
    "dice",
    "One row per roll and symbol",
    {
        "who": "who rolls: mice or minions",
        "roll": "what for; `attack` is melee and ranged attack together",
        "symbol": "the symbol that is counted: sword, bow, shield, star or cheese",
        "player": "who plays all mice",
        "n_games": "games with such dice",
        "dice": "dice rolled in all games, rerolled ones included",
        "successes": "symbols that they showed",
        **with_interval("dice_per_game", "dice rolled in a game, on average over all games"),
        **with_interval("success_rate", "`successes` per die"),
        "expected": "what a fair die gives, from the faces of the data (M118)",
        **with_interval("difference", "`success_rate` minus `expected`"),
        "p_value": "probability of a `difference` at least this large with fair dice",
        "q_value": q_value("rolls"),
        "lucky_n": "games with more symbols than expected of the dice that were rolled",
        **with_interval(
            "lucky_win_rate", f"win rate of these games, averaged over parties. {_LUCK}"
        ),
        "unlucky_n": "games with fewer symbols than expected",
        **with_interval(
            "unlucky_win_rate", f"win rate of these games, averaged over parties. {_LUCK}"
        ),
        **with_interval(
            "luck_effect",
            "`lucky_win_rate` minus `unlucky_win_rate`, compared within each party. Observed, not"
            " caused by this roll alone",
        ),
    },
    make=dice_table,
    differences=("difference", "luck_effect"),
    numbers=("dice_per_game",),
)


def initiative_table(counts: RunCounts) -> pd.DataFrame:
    """One row per number of mice ahead, and per card on top; see `INITIATIVE`."""
    facts = counts.facts
    minions = _cards_of_minions(facts)
    n_mice = facts.chapter.mice
    n_cards = n_mice + len(minions)
    heroes = facts.used["heroes"]
    rows = [
        *(
            (
                *("mice_ahead", str(mice), f"{mice} mice ahead", f"ahead_{mice}"),
                _chance(mice, n_mice, n_cards),
            )
            for mice in range(n_mice + 1)
            if minions or mice == n_mice
        ),
        *(
            ("on_top", one, facts.names[one], f"on_top_{one}", 1 / n_cards)
            for one in (*heroes, *minions)
        ),
    ]
    kinds, ids, labels, names, expected = (list(column) for column in zip(*rows, strict=True))
    there = np.array([_parties_with(facts, one) for one in ids])
    on = np.stack([number_of(counts, name).s for name in names])
    share = estimate_share((on * there).sum(axis=1), there @ counts.n_games)
    about = {
        "kind": kinds,
        "id": ids,
        "name": labels,
        "player": facts.player,
        **interval_columns("share", share),
        "expected": expected,
    }
    return pd.concat(
        [
            pd.DataFrame(about),
            effect_columns(counts, names, "given"),
            more_effects(counts, names, "given"),
        ],
        axis="columns",
    )


def initiative_rooms_table(counts: RunCounts) -> pd.DataFrame:
    """One row per room and number of mice ahead on its first track; see `INITIATIVE_ROOMS`."""
    facts = counts.facts
    sums = counts.sums["ahead"].sum(axis=0)
    tiles, ahead = np.nonzero(sums[..., 0])
    of_rows, built = sums[tiles, ahead], sums[tiles, :, 0].sum(axis=1)
    rooms = np.array(facts.ids["tiles"], object)[tiles]
    return pd.DataFrame(
        {
            "room": rooms,
            "name": [facts.names[room] for room in rooms],
            "mice_ahead": ahead,
            "player": facts.player,
            "n_games": of_rows[:, 0],
            **interval_columns("share", estimate_share(of_rows[:, 0], built)),
            **interval_columns("win_rate", picked(of_rows, _AHEAD_OF, "win").rate()),
            **interval_columns("captures_there", picked(of_rows, _AHEAD_OF, "captures").mean()),
        }
    ).astype({"room": "str", "name": "str"})


def _cards_of_minions(facts: RunFacts) -> list[str]:
    """The cards of minions on the first track, by the minions whose cards they are (M15)."""
    minions = by_id(facts.data.minions)
    return sorted({minions[group.type].initiative_card for group in facts.chapter.start.minions})


def _chance(mice: int, n_mice: int, n_cards: int) -> float:
    """The chance that this many cards of mice lie above all others of a shuffled track."""
    first = perm(n_mice, mice) / perm(n_cards, mice)
    return first if mice == n_mice else first * (n_cards - n_mice) / (n_cards - mice)


def _parties_with(facts: RunFacts, one: str) -> np.ndarray:
    """The parties in which a row can be: those with the hero that it is about, or all."""
    heroes = facts.ids["heroes"]
    return facts.members[heroes.index(one)] if one in heroes else np.ones(len(facts.parties), bool)


INITIATIVE = Table(
    "initiative",
    "One row per number of mice ahead of all minions on the first track, and per card on top of it",
    {
        "kind": "`mice_ahead`: this number of mice came before all minions on the first track;"
        " `on_top`: this card lay on top",
        "id": "the number, or the hero or minion whose card it is",
        "name": "in words",
        "player": "who plays all mice",
        **with_interval("share", "share of games in which it was so, of the parties with the hero"),
        "expected": "that share for a shuffled track (M13)",
        **effect_meanings("given", "it was so", "rows"),
        **more_effect_meanings("given", "rows"),
    },
    make=initiative_table,
    differences=("win_effect", "win_effect_shrunk"),
    numbers=(
        *("score_effect", "given_pages_lost", "pages_lost_effect", "given_captures"),
        "captures_effect",
    ),
)

INITIATIVE_ROOMS = Table(
    "initiative_rooms",
    "One row per room and number of mice ahead of all minions when its track was built",
    {
        "room": "the room",
        "name": "its printed name",
        "mice_ahead": "cards of mice above all of minions on its first track, after an ambush",
        "player": "who plays all mice",
        "n_games": "games in which it was so",
        **with_interval("share", "the share that these are of all games with a track there"),
        **with_interval("win_rate", f"win rate of these games. {OBSERVED}"),
        **with_interval(
            "captures_there", "captures in the room, on average over these games. Observed too"
        ),
    },
    make=initiative_rooms_table,
    numbers=("captures_there",),
)
