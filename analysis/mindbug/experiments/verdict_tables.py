"""The tables of a verdict: by who plays, what was tried, pairs of the card, games it turned.

A game *came out otherwise* if the player who was dealt the card wins, and loses the same deal with
the same luck when an average card lies in its place; or the reverse.  That is an experiment, game
by game, but most such games turn by chance: any other card makes the game go another way.  So the
shares that turn either way stand beside those of a swap of two average cards.  Pairs are observed
(`analysis.mindbug.pairs`); only those of one card are asked about, so only their number is
corrected for.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.confidence import confidence
from analysis.estimates import adjust_p, corrected_z
from analysis.experiments.smallest_change import Tried
from analysis.experiments.verdict import turned_columns, turned_shares
from analysis.mindbug.experiments.sensitivity import sensitivity_tables
from analysis.mindbug.experiments.trials import Scores
from analysis.mindbug.experiments.verdict import Evidence, row_of
from analysis.mindbug.pairs import CARD_PAIRS, pairs_of
from analysis.mindbug.runs import Run
from analysis.mindbug.selections import BEATEN, BEATS, IN_THE_WAY, NO_PAIR, TOGETHER
from analysis.registry import Registry, Table, q_value, with_interval
from analysis.verdicts import MEANINGS, NEEDS_GAMES, verdict
from card_data.mindbug.schema import Card
from card_data.mindbug.variants import VALUE

#: Games that are named, and how many of them went the other way where the card is in the band.
N_GAMES, _OTHER_WAY = 3, 1
_HALF = 0.5
# A game shows most if it ends this many turns after the card was played, won or lost with it.
_WON_AFTER, _LOST_AFTER = 2, 1


def verdict_tables(evidence: Evidence) -> dict[str, pd.DataFrame]:
    """All tables about the card: `VERDICT_TABLES`, and its rows of other tables.

    These are ``sensitivity`` (what changes do on the deals of the run), ``card_parts`` (what became
    of the card in the run), and where two players were asked ``skill_cards`` and ``card_panel``.
    """
    case, card_id = evidence.case, evidence.case.card.card_id
    tables = {
        "verdict": _by_player(evidence),
        "verdict_changes": _changes(evidence),
        "verdict_place": _place(evidence),
        "verdict_pairs": _pairs(evidence),
        "verdict_games": _games(evidence),
        "sensitivity": sensitivity_tables(case.pool, case.policy, evidence.base, [evidence.trials])[
            "sensitivity"
        ],
    }
    parts = evidence.tables[case.policy]["card_parts"]
    of_players = {
        name: evidence.compared[name]
        for name in ("skill_cards", "card_panel")
        if name in evidence.compared
    }
    others = {"card_parts": parts, **of_players}
    for name, table in others.items():
        tables[name] = table[table["card_id"] == card_id].reset_index(drop=True)
    return tables


def _about(evidence: Evidence) -> dict[str, str]:
    card = evidence.case.card
    return {"card_id": card.card_id, "name": card.name}


def _by_player(evidence: Evidence) -> pd.DataFrame:
    """A row for each player, weaker first."""
    case, rows = evidence.case, []
    for player, tables in evidence.tables.items():
        row = row_of(tables["cards"], case.card)
        ends = row["dealt_ci_low"], row["dealt_ci_high"]
        rows.append(
            _about(evidence)
            | {
                "policy": player,
                "n_games": int(tables["first_player"]["n_games"].iloc[0]),
                "n": int(row["dealt_n"]),
                "win_rate": row["dealt_win_rate"],
                "win_rate_ci_low": row["dealt_ci_low"],
                "win_rate_ci_high": row["dealt_ci_high"],
                "band": case.band,
                "verdict": verdict(*ends, band=case.band, null=_HALF),
                "verdict_in_set": row["verdict"],
            }
        )
    rows[0] |= _turned_shares(evidence)
    return VERDICT.frame(rows)


def _turned_shares(evidence: Evidence) -> dict[str, float | str]:
    """How many games come out otherwise with an average card, and by a swap of average cards."""
    trials = evidence.trials
    [place] = [n for n, one in enumerate(trials.variants) if one.kind == VALUE]
    swapped, swap = _turns(evidence, evidence.case.card, trials.outcomes[place])
    alike, chance = _turns(evidence, evidence.reference, evidence.swapped)
    return {
        "reference": trials.reference.name,
        "second": evidence.second.name,
        **turned_shares(swap=swap[swapped], chance=chance[alike]),
    }


def _turns(
    evidence: Evidence, card: Card, swapped: npt.NDArray[np.void]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float64]]:
    """Which games have one player with the card, and what they win more with it than swapped."""
    scores = Scores(evidence.case.pool, evidence.base)
    dealt = scores.dealt(card)
    moved = scores.of(evidence.base, dealt) - scores.of(swapped, dealt)
    return dealt.sum(axis=1) == 1, moved


def _changes(evidence: Evidence) -> pd.DataFrame:
    """A row for each change and each player who tried it."""
    return VERDICT_CHANGES.frame([_change(evidence, one) for one in evidence.tried])


def _change(evidence: Evidence, one: Tried[Card]) -> dict[str, Any]:
    case = evidence.case
    columns = {
        f"{name}{end}": float(ends[0]) + middle
        for name, found, middle in (
            ("win_rate", one.stands, _HALF),
            ("difference", one.moved, 0),
        )
        for end, ends in zip(("", "_ci_low", "_ci_high"), found[:3], strict=True)
    }
    return _about(evidence) | {
        "change": one.plan.label,
        "amount": one.plan.amount,
        "joined": one.plan.is_joined,
        "power": one.plan.made.power,
        "keywords": " ".join(word.name for word in sorted(one.plan.made.keywords)),
        "policy": one.policy,
        "fresh": one.fresh,
        "n_games": one.games,
        "n": int(one.stands.n[0]),
        **columns,
        "band": case.band,
        "verdict": one.verdict(case.band),
        "proposed": evidence.is_proposed(one),
    }


def _place(evidence: Evidence) -> pd.DataFrame:
    """All cards among each of the players, and the card with the proposed change."""
    case, rows = evidence.case, []
    for player, tables in evidence.tables.items():
        for _, row in tables["cards"].iterrows():
            rows.append(
                {
                    "policy": player,
                    "change": "",
                    "card_id": row["card_id"],
                    "name": row["name"],
                    "asked": row["card_id"] == case.card.card_id,
                    "win_rate": row["dealt_win_rate"],
                    "win_rate_ci_low": row["dealt_ci_low"],
                    "win_rate_ci_high": row["dealt_ci_high"],
                    "band": case.band,
                }
            )
    for change in (_change(evidence, one) for one in evidence.tried):
        if change["proposed"]:
            columns = {name: change[name] for name in VERDICT_PLACE.columns if name in change}
            rows.append({"asked": True} | columns)
    return VERDICT_PLACE.frame(rows)


def _pairs(evidence: Evidence) -> pd.DataFrame:
    """The pairs of the card in the run, the largest shrunk effect first."""
    case = evidence.case
    found = pairs_of(case.card.card_id, evidence.tables[case.policy], case.policy)
    p_value = found["p_value"].to_numpy()
    found["q_value"] = adjust_p(p_value)
    for end, side in (("low", -1), ("high", 1)):
        reach = side * corrected_z(p_value) * found["std_err"]
        found[f"interaction_ci_{end}"] = found["interaction"] + reach
    shown = (found["q_value"] < 1 - confidence()).to_numpy()
    up, opposed = (found["interaction"] > 0).to_numpy(), found["opposed"].to_numpy()
    words = np.where(opposed, np.where(up, BEATS, BEATEN), np.where(up, TOGETHER, IN_THE_WAY))
    judged = (found["verdict"] != NEEDS_GAMES).to_numpy()
    found["verdict"] = np.where(judged, np.where(shown, words, NO_PAIR), NEEDS_GAMES)
    return found[list(VERDICT_PAIRS.columns)]


def _games(evidence: Evidence) -> pd.DataFrame:
    """Three games that came out otherwise, those that ended soonest after it was played."""
    case, trials = evidence.case, evidence.trials
    dealt = Scores(case.pool, evidence.base).dealt(case.card)
    [place] = [n for n, one in enumerate(trials.variants) if one.kind == VALUE]
    alone, moved = _turns(evidence, case.card, trials.outcomes[place])
    turned = alone & (np.abs(moved) == 1) & (evidence.numbers < evidence.run.n_games)
    plays = _played(evidence, np.flatnonzero(turned), dealt)
    plays["won"] = moved[plays["place"]] > 0
    after_play = plays["turns"] - plays["turn_played"]
    plays["away"] = (after_play - np.where(plays["won"], _WON_AFTER, _LOST_AFTER)).abs()
    plays = plays.sort_values(["away", "game"], kind="stable")
    advantage = float(evidence.card_row["advantage"])
    good = advantage > 0
    most = N_GAMES if abs(advantage) > case.band else N_GAMES - _OTHER_WAY
    chosen = plays[plays["won"] == good].head(most)
    chosen = pd.concat([chosen, plays[plays["won"] != good].head(N_GAMES - len(chosen))])
    rows = [
        _about(evidence)
        | {name: row[name] for name in ("game", "player", "won", "turn_played", "turns")}
        | {"policy": case.policy, "reference": trials.reference.name}
        for _, row in chosen.iterrows()
    ]
    return VERDICT_GAMES.frame(rows)


def _played(
    evidence: Evidence, places: npt.NDArray[np.intp], dealt: npt.NDArray[np.bool_]
) -> pd.DataFrame:
    """Of some of the games those in which the player who was dealt the card played and kept it."""
    run: Run = evidence.run
    row = run.card_ids.index(evidence.case.card.card_id)
    part_games = run.manifest["part_games"]
    found: dict[str, list[int]] = {
        name: [] for name in ("place", "game", "player", "turn_played", "turns")
    }
    numbers = evidence.numbers[places]
    for part in np.unique(numbers // part_games):
        games = run.part(int(part))
        for place in places[numbers // part_games == part]:
            game = games[evidence.numbers[place] % part_games]
            player = int(np.flatnonzero(dealt[place])[0])
            slots = np.flatnonzero(game["cards"] == row)
            bits = int(game["played"][player])
            turns = [
                int(game["turn_played"][slot])
                for slot in slots
                if bits >> int(slot) & 1 and game["turn_played"][slot] > 0
            ]
            if turns:
                values = (place, game["game"], player, min(turns), game["turns"])
                for name, value in zip(found, values, strict=True):
                    found[name].append(int(value))
    return pd.DataFrame(found)


_WHERE = "in the folder of `fairdeal verdict`"
_BAND = "half the width of the band of `verdict`, around one half"
VERDICT = Table(
    "verdict",
    "One row per player",
    {
        "card_id": "the card",
        "name": "its printed name",
        "policy": "who played, on both sides",
        "n_games": "games of the run",
        "n": "player-games in which the player was dealt the card",
        **with_interval("win_rate", "win rate of those player-games; a draw counts one half"),
        "band": _BAND,
        "verdict": f"{MEANINGS}. One card is asked about, so the interval is its own",
        "verdict_in_set": "the verdict in the table `cards`, where intervals hold for all cards "
        "together",
        "reference": "the average card, which takes its place; this and what follows for the first "
        "player alone",
        "second": "the next most average card, for a swap with next to no effect",
        **turned_columns(
            "games in which one player was dealt the card, on the deals of the changes; won and"
            " lost by this player",
            "with `reference` in its place",
            "of the same games those in which one player was dealt `reference`",
            "with `second` in its place",
        ),
    },
    where=_WHERE,
)
VERDICT_CHANGES = Table(
    "verdict_changes",
    "One row per change of the card and player",
    {
        "card_id": "the card",
        "name": "its printed name",
        "change": "what is changed",
        "amount": "how much that is: a step of power counts 1, a keyword 2",
        "joined": "whether several things are changed at once",
        "power": "the power with the change",
        "keywords": "the keywords with the change, separated by spaces",
        "policy": "who played, on both sides",
        "fresh": "whether on deals that had no part in choosing the change; else on those of the "
        "run",
        "n_games": "games played with the change: only such in which somebody is dealt the card; "
        "fewer where others of its size came nearer",
        "n": "player-games in which the player was dealt the card",
        **with_interval(
            "win_rate",
            "win rate of those player-games, with the change; on fresh deals the intervals of all "
            "changes of the first player hold together",
        ),
        **with_interval(
            "difference", "`win_rate` minus that of the card as it is, on the same deals"
        ),
        "band": _BAND,
        "verdict": "that on `win_rate`, as in the table `verdict`; on fresh deals those of the "
        "first player hold together",
        "proposed": "whether it is the smallest change shown to bring the card into the band, or "
        "where none is, the smallest with an estimate inside it; on fresh deals",
    },
    where=_WHERE,
    differences=("difference",),
)
VERDICT_PLACE = Table(
    "verdict_place",
    "One row per player and card of the pool, and one for the card with the proposed change",
    {
        "policy": "who played, on both sides",
        "change": "what is changed; empty for cards as they are",
        "card_id": "the card",
        "name": "its printed name",
        "asked": "whether it is the card that is asked about",
        **with_interval("win_rate", "win rate of players who were dealt the card"),
        "band": _BAND,
    },
    where=_WHERE,
    json_columns=(),
)
VERDICT_PAIRS = Table(
    "verdict_pairs",
    "One row per pair of the card with another",
    {
        **{
            name: meaning
            for name, meaning in CARD_PAIRS.columns.items()
            if name not in ("q_value", "verdict")
        },
        "q_value": q_value("pairs of the card"),
        "verdict": CARD_PAIRS.columns["verdict"],
        "opposed": "whether the other card is the opponent's; then the row is one of "
        "`card_matchups`, seen from the card",
    },
    where=_WHERE,
    differences=("interaction", "shrunk"),
    json_rows=lambda table: ~table["verdict"].isin([NO_PAIR, NEEDS_GAMES]),
)
VERDICT_GAMES = Table(
    "verdict_games",
    "One row per game",
    {
        "card_id": "the card",
        "name": "its printed name",
        "policy": "who played, on both sides",
        "game": "number of the game in `run`, for `fairdeal replay`",
        "player": "the player who was dealt the card and played it",
        "won": "whether that player won; with `reference` in the place of the card, on the same "
        "deal with the same luck, the result is the reverse",
        "turn_played": "turn on which the card was first played and kept",
        "turns": "turns of the game",
        "reference": "the card that took its place: the one with the win rate dealt nearest to "
        "one half",
    },
    where=_WHERE,
)

#: The tables, as `verdict_tables` gives them.
VERDICT_TABLES = Registry(VERDICT, VERDICT_CHANGES, VERDICT_PLACE, VERDICT_PAIRS, VERDICT_GAMES)
