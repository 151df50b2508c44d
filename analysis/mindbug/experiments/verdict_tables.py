"""The tables of a verdict on a card: by who plays, changes, the place, pairs, games it turned.

Pairs are observed (`analysis.mindbug.pairs`); only those of one card are asked about, so only their
number is corrected for.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.confidence import confidence
from analysis.estimates import Estimate, adjust_p, corrected_z
from analysis.mindbug.experiments.sensitivity import sensitivity_tables
from analysis.mindbug.experiments.trials import Scores
from analysis.mindbug.experiments.verdict import Experiment
from analysis.mindbug.game_records import plays_of
from analysis.mindbug.pairs import CARD_PAIRS, pairs_of
from analysis.mindbug.selections import BEATEN, BEATS, IN_THE_WAY, NO_PAIR, TOGETHER
from analysis.questions import verdict_tables as shared
from analysis.questions.smallest_change import Tried
from analysis.registry import Registry, Table, q_value, with_interval
from analysis.verdicts import MEANINGS, NARROWER, NEEDS_GAMES
from simcore.mindbug.table.records import GAME_RECORD

# Of the named games so many went the other way where the card is in the band.
_OTHER_WAY = 1


def verdict_tables(experiment: Experiment) -> dict[str, pd.DataFrame]:
    """All tables about the card: `VERDICT_TABLES`, and its rows of other tables.

    These are ``sensitivity`` (what changes do on the deals of the run), ``card_parts`` (what became
    of the card in the run), where two players were asked ``skill_cards`` and ``card_panel``, and
    where a strong one was ``strong_cards``, who then has the last row of ``verdict``.
    """
    case = experiment.case
    tried = shared.changes(experiment, VERDICT_CHANGES, _of_change)
    trials = case.pool, case.policy, experiment.base, [experiment.trials]
    verdicts = shared.by_player(experiment, VERDICT, lambda player: _of_player(experiment, player))
    if strong := experiment.strong:
        verdicts = pd.concat([verdicts, VERDICT.frame([_of_strong(experiment)])], ignore_index=True)
    tables = {
        "verdict": verdicts,
        "verdict_changes": tried,
        "verdict_place": _place(experiment, tried),
        "verdict_pairs": _pairs(experiment),
        "verdict_games": _games(experiment),
        "sensitivity": sensitivity_tables(*trials)["sensitivity"],
    }
    others = {"card_parts": experiment.tables[case.policy]["card_parts"], **experiment.compared}
    others |= strong
    for name in ("card_parts", "skill_cards", "card_panel", "strong_cards"):
        if name in others:
            table = others[name]
            tables[name] = table[table["card_id"] == case.card.card_id].reset_index(drop=True)
    return tables


def _of_player(experiment: Experiment, player: str) -> dict[str, Any]:
    """The card among players of a kind."""
    row = experiment.row(player)
    return {
        "n": int(row["dealt_n"]),
        **_win_rate(row),
        "drawn": row["dealt_draw_rate"],
        "verdict_in_set": row["verdict"],
        **({"reference": experiment.average} if player == experiment.case.policy else {}),
    }


def _of_strong(experiment: Experiment) -> dict[str, Any]:
    """The card where the strong play, joined from all games, with an interval of its own."""
    case, cards = experiment.case, experiment.strong["strong_cards"]
    [row] = cards[cards["card_id"] == case.card.card_id].to_dict("records")
    found = Estimate.normal(*([row[name]] for name in ("advantage", "std_err", "n")))
    return {
        **case.about,
        "policy": row["policy"],
        "n_games": case.strong_games,
        "n": row["n"],
        **shared.ends("win_rate", found, case.fair),
        "band": case.band,
        "verdict": case.verdict(found),
        "verdict_in_set": row["verdict"],
    }


def _win_rate(row: pd.Series) -> dict[str, float]:
    names = {"": "dealt_win_rate", "_ci_low": "dealt_ci_low", "_ci_high": "dealt_ci_high"}
    return {f"win_rate{end}": row[name] for end, name in names.items()}


def _of_change(one: Tried[Any]) -> dict[str, Any]:
    """The card with a change."""
    keywords = " ".join(word.name for word in sorted(one.plan.made.keywords))
    return {"power": one.plan.made.power, "keywords": keywords}


def _place(experiment: Experiment, tried: pd.DataFrame) -> pd.DataFrame:
    """All cards among each of the players, and the card with the proposed change."""
    case = experiment.case
    rows: list[Any] = [
        {
            "policy": player,
            "change": "",
            "card_id": row["card_id"],
            "name": row["name"],
            "asked": row["card_id"] == case.card.card_id,
            **_win_rate(row),
            "band": case.band,
        }
        for player, tables in experiment.tables.items()
        for _, row in tables["cards"].iterrows()
    ]
    if experiment.strong:
        rows += _strong_places(experiment)
    rows += [{**row, "asked": True} for row in tried[tried["proposed"]].to_dict("records")]
    return VERDICT_PLACE.frame(rows)


def _strong_places(experiment: Experiment) -> list[dict[str, Any]]:
    """All cards where the strong play, the one that is asked about with its own interval."""
    case, mine, names = experiment.case, _of_strong(experiment), ("", "_ci_low", "_ci_high")
    rows = []
    for _, row in experiment.strong["strong_cards"].iterrows():
        asked = row["card_id"] == case.card.card_id
        numbers = {f"win_rate{end}": case.fair + row[f"advantage{end}"] for end in names}
        if asked:
            numbers = {name: mine[name] for name in numbers}
        facts = {name: row[name] for name in ("policy", "card_id", "name")}
        rows.append({**facts, "change": "", "asked": asked, **numbers, "band": case.band})
    return rows


def _pairs(experiment: Experiment) -> pd.DataFrame:
    """The pairs of the card in the run, the largest shrunk effect first."""
    case = experiment.case
    found = pairs_of(case.card.card_id, experiment.tables[case.policy], case.policy)
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


def _games(experiment: Experiment) -> pd.DataFrame:
    """Three games that came out otherwise, those that ended soonest after it was played."""
    case, numbers, moved = experiment.case, experiment.numbers, experiment.moved
    turned = experiment.alone & (np.abs(moved) == 1) & (numbers < experiment.run.n_games)
    plays = _played(experiment, np.flatnonzero(turned))
    plays = plays.sort_values(["away", "game"], kind="stable")
    advantage = float(experiment.row(case.policy)["advantage"])
    most = shared.N_GAMES if abs(advantage) > case.band else shared.N_GAMES - _OTHER_WAY
    chosen = plays.iloc[shared.named_games(plays["won"].to_numpy(), advantage > 0, most)]
    rows = [
        case.about
        | {name: row[name] for name in ("game", "player", "won", "turn_played", "turns")}
        | {"policy": case.policy, "reference": experiment.average}
        for _, row in chosen.iterrows()
    ]
    return VERDICT_GAMES.frame(rows)


def _played(experiment: Experiment, places: npt.NDArray[np.intp]) -> pd.DataFrame:
    """Of some of the games those in which the player who was dealt the card played and kept it."""
    case, run = experiment.case, experiment.run
    numbers, part_games = experiment.numbers[places], run.manifest["part_games"]
    found = [plays_of(np.empty(0, GAME_RECORD))]
    for part in np.unique(numbers // part_games):
        rows = numbers[numbers // part_games == part] % part_games
        found.append(plays_of(run.part(int(part))[rows]))
    plays = pd.concat(found, ignore_index=True)
    dealt = Scores(case.pool, experiment.base).dealt(case.card)[places]
    whose = dict(zip(numbers.tolist(), dealt.argmax(axis=1).tolist(), strict=True))
    card = list(run.manifest["cards"]).index(case.card.card_id)
    mine = (plays["card"] == card) & (plays["player"] == plays["game"].map(whose))
    return plays[mine].sort_values("turn_played").drop_duplicates("game")


_CARD = {"card_id": "the card", "name": "its printed name"}
_WHO = "who played, on both sides"
_BAND = shared.band_meaning("one half") + NARROWER
VERDICT = Table(
    "verdict",
    "One row per player",
    {
        **_CARD,
        "policy": _WHO,
        "n_games": "games of the run; of players after the first only such in which somebody is"
        " dealt the card",
        "n": "player-games in which the player was dealt the card",
        **with_interval("win_rate", "win rate of those player-games; a draw counts one half"),
        "drawn": "share of them that had no winner",
        "band": _BAND,
        "verdict": f"{MEANINGS}. One card is asked about, so the interval is its own",
        "verdict_in_set": "the verdict in the table `cards`, where intervals hold for all cards "
        "together",
        "reference": "the average card, which takes its place; this and what follows for the first "
        "player alone",
        "second": "the next most average card, for a swap with next to no effect",
        **shared.turned_columns(
            "games in which one player was dealt the card, on the deals of the changes; won and"
            " lost by this player",
            "with `reference` in its place",
            "of the same games those in which one player was dealt `reference`",
            "with `second` in its place",
        ),
    },
    where=shared.WHERE,
)
VERDICT_CHANGES = shared.changes_table(
    _CARD,
    _WHO,
    "a step of power counts 1, a keyword 2",
    {
        "n": "player-games in which the player was dealt the card; only games are played in which"
        " somebody is",
        **with_interval(
            "win_rate",
            "win rate of those player-games, with the change; in fresh games the intervals of all "
            "changes of the first player hold together",
        ),
    },
    _BAND,
    made={
        "power": "the power with the change",
        "keywords": "the keywords with the change, separated by spaces",
    },
)
VERDICT_PLACE = Table(
    "verdict_place",
    "One row per player and card of the pool, and one for the card with the proposed change",
    {
        "policy": _WHO,
        "change": "what is changed; empty for cards as they are",
        **_CARD,
        "asked": "whether it is the card that is asked about",
        **with_interval("win_rate", "win rate of players who were dealt the card"),
        "band": _BAND,
    },
    where=shared.WHERE,
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
    where=shared.WHERE,
    differences=("interaction", "shrunk"),
    json_rows=lambda table: ~table["verdict"].isin([NO_PAIR, NEEDS_GAMES]),
)
VERDICT_GAMES = Table(
    "verdict_games",
    "One row per game",
    {
        **_CARD,
        "policy": _WHO,
        "game": "number of the game in `run`, for `fairdeal replay`",
        "player": "the player who was dealt the card and played it",
        "won": "whether that player won; with `reference` in the place of the card, on the same "
        "deal with the same luck, the result is the reverse",
        "turn_played": "turn on which the card was first played and kept",
        "turns": "turns of the game",
        "reference": "the card that took its place: the one with the win rate dealt nearest to "
        "one half",
    },
    where=shared.WHERE,
)

#: The tables, as `verdict_tables` gives them.
VERDICT_TABLES = Registry(VERDICT, VERDICT_CHANGES, VERDICT_PLACE, VERDICT_PAIRS, VERDICT_GAMES)
