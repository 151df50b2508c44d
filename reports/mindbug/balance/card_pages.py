"""What is known of each card, as the page shows it by itself.

Its text, the win rate of each selection of its players, what changes with who plays, what it is
worth by experiment, and games to read.  Nothing is estimated here.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import pandas as pd

from analysis.mindbug.pairs import pairs_of, shown_pairs
from analysis.mindbug.runs import Run
from analysis.mindbug.selections import MEASURES, SELECTIONS
from analysis.panel import PANEL_VERDICTS
from analysis.verdicts import VERDICTS
from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.schema import Card, CardSet, Pool
from reports.kit.cells import Cell, Dot, Scale, estimate, rate, scale_of
from reports.kit.verdicts import KINDS
from reports.kit.words import bare_percent, count, percent, points
from reports.mindbug.balance import text as wording
from reports.mindbug.explain.experiments import experiments_of_run
from reports.mindbug.explain.tables import explained
from reports.mindbug.explain.text import AVERAGE
from simcore.commands import command
from simcore.mindbug.face.replay_text import named

#: Cards of which a game is told; they are those furthest from the average.
TOLD = 6

# Width of an interval beyond which a win rate says too little for an axis to make room for it.
_WIDE = 0.15
# Pairs of either kind that the page of a card names.
_PAIRS = 3
# Who plays the card of a page, and against whom, in stories.
_PLAYERS = ("the card's player", "the opponent")
# Lines of a story beyond which its middle is left out.
_LONGEST = 40
_NOT_EVENTS = re.compile(r"\s+(\?|Player \d: life|Power cards: |Set aside: \D*$)")
_STAGES = ("", "I", "II", "III")
_POINTS = partial(points, digits=1)


class Line(NamedTuple):
    """A number about a card: what it is, with its interval and n, and its place on the axis."""

    heading: str
    meaning: str
    cell: Cell
    n: str
    dot: Dot | None = None


class Face(NamedTuple):
    """What is printed on a card: its head, and a line for each ability."""

    title: str
    lines: list[str]


class StoryLine(NamedTuple):
    """A line of a game that is told; ``turn`` where a turn begins."""

    text: str
    turn: bool


class Game(NamedTuple):
    """A game to read: the command that tells it whole, in words, and its end, if that is told."""

    command: str
    words: str
    story: list[StoryLine]


class CardPages(NamedTuple):
    """The pages of all cards, and the ends of the axes that they share, in words.

    ``skill_zero`` is where no advantage lies on the axis of the advantages, in per cent.
    """

    pages: list[dict[str, Any]]
    scale: tuple[str, str]
    skill_scale: tuple[str, str] | None
    skill_zero: str


def target_of(card_id: str) -> str:
    """The id of the page of a card."""
    return f"card-{card_id}"


def rate_scale(cards: pd.DataFrame) -> Scale:
    """The axis on which intervals of all cards and selections have room, in steps of five points.

    Wide ones do not stretch it; they may lie beyond its ends.
    """
    found = []
    for selection in SELECTIONS:
        low, high = (cards[f"{selection.name}_ci_{end}"] for end in ("low", "high"))
        found += [*low[high - low < _WIDE], *high[high - low < _WIDE]]
    return scale_of(found, 0.05)


def advantage_scale(skill_cards: pd.DataFrame, panel: pd.DataFrame | None) -> Scale:
    """The axis on which the advantages of all cards among all players have room, and their mean."""
    tables = [skill_cards] if panel is None else [skill_cards, panel]
    ends = (table[f"advantage{end}"] for table in tables for end in ("", "_ci_low", "_ci_high"))
    return scale_of([*chain.from_iterable(ends), -0.01, 0.01], 0.01)


def told_cards(cards: pd.DataFrame) -> pd.DataFrame:
    """The rows of the cards of which a game is told, those furthest from the average first."""
    by_advantage = cards.loc[cards["advantage"].abs().sort_values(ascending=False).index]
    outliers = by_advantage[by_advantage["verdict"].isin(wording.OUTLYING)]
    return outliers.drop_duplicates("card_id").head(TOLD)


def end_of_story(lines: Sequence[str], turn: int) -> list[StoryLine]:
    """What happened from a turn of a told game on, without the options that there were."""
    heads = [n for n, line in enumerate(lines) if line.startswith(f"Turn {turn}: ")]
    told = [
        StoryLine(line.strip(), turn=line.startswith("Turn "))
        for line in lines[heads[0] if heads else 0 :]
        if line and not _NOT_EVENTS.match(line)
    ]
    if len(told) > _LONGEST:
        half = _LONGEST // 2
        told = [*told[:half], StoryLine("…", turn=False), *told[-half:]]
    return told


def card_pages(
    pool: Pool,
    tables: Mapping[str, pd.DataFrame],
    games: pd.DataFrame,
    stories: Mapping[int, list[StoryLine]],
    run: Run,
) -> CardPages:
    """A page for each card that is dealt, the strongest first.

    Parameters
    ----------
    pool
        What was played.
    tables
        Those of the run, with those of the skill and of the sensitivity analysis, and of pairs of
        cards, where there are such.
    games
        Of `analysis.mindbug.replays.sample_games`.
    stories
        The ends of those games that are told, by their number.
    run
        The run, which commands name.
    """
    cards = tables["cards"]
    by_card = dict(list(cards.groupby("card_id", sort=False)))
    by_seat = tables["card_seats"].set_index(["card_id", "policy"])
    ranked = cards.sort_values("dealt_win_rate", ascending=False, kind="stable")
    order = list(ranked.drop_duplicates("card_id")["card_id"])
    faces = {card.card_id: card for one in pool.sets for card in one.cards}
    sets = {card.card_id: one.name for one in pool.sets for card in one.cards}
    scale = rate_scale(cards)
    names = dict(zip(cards["card_id"], cards["name"], strict=True))
    neighbours = [None, *((target_of(card_id), names[card_id]) for card_id in order), None]
    skill = dict(list(tables["skill_cards"].groupby("card_id"))) if "skill_cards" in tables else {}
    skill_scale = (
        advantage_scale(tables["skill_cards"], tables.get("card_panel")) if skill else None
    )
    parts = dict(list(tables["card_parts"].groupby("card_id")))
    panel = dict(list(tables["card_panel"].groupby("card_id"))) if "card_panel" in tables else {}
    of_games, shown = dict(list(games.groupby("card_id"))), shown_pairs(tables)
    pages = [
        {
            "target": target_of(card_id),
            "name": names[card_id],
            "before": neighbours[place],
            "after": neighbours[place + 2],
            "faces": list(_faces(faces[card_id], sets[card_id], faces)),
            "players": [
                _of_policy(
                    row,
                    by_seat.loc[(card_id, row["policy"])],
                    scale,
                    several=len(by_card[card_id]) > 1,
                )
                for _, row in by_card[card_id].iterrows()
            ],
            "parts": list(_parts(by_card[card_id], parts.get(card_id), run)),
            "skill": _of_skill(skill[card_id], panel.get(card_id), skill_scale)
            if skill_scale
            else None,
            "pairs": _pairs(card_id, shown),
            "sensitivity": _of_experiments(card_id, tables, names),
            "games": [
                _game(row, stories.get(row["game"], []), run)
                for _, row in of_games.get(card_id, games.iloc[:0]).iterrows()
            ],
        }
        for place, card_id in enumerate(order)
    ]
    return CardPages(
        pages,
        (percent(scale.low, 0), percent(scale.high, 0)),
        skill_scale and (points(skill_scale.low, 0), points(skill_scale.high, 0)),
        skill_scale.place(0) if skill_scale else "",
    )


def faces_of(card: Card, card_set: CardSet, pool: Pool) -> list[Face]:
    """What is printed on a card of a set of a pool, and on the later stages of its line."""
    faces = {one.card_id: one for own in pool.sets for one in own.cards}
    return [*_faces(card, card_set.name, faces)]


def _faces(card: Card, set_name: str, faces: Mapping[str, Card]) -> Iterator[Face]:
    """What is printed on a card, and on the later stages of its line."""
    copies = "1 copy" if card.copies == 1 else f"{card.copies} copies"
    own = [copies, set_name]
    face: Card | None = card
    while face is not None:
        facts = [f"Power {face.power}"]
        if face.keywords:
            facts.append(", ".join(word.name.capitalize() for word in sorted(face.keywords)))
        if face.dice:
            facts.append("1 die" if face.dice == 1 else f"{face.dice} dice")
        stage = [] if face is card else [f"Stage {_STAGES[face.stage]}, {face.name}"]
        yield Face(" · ".join([*stage, *facts, *own]), rules_text(face))
        own = []
        face = faces.get(face.evolves_to or "")


def _of_policy(row: pd.Series, seats: pd.Series, scale: Scale, *, several: bool) -> dict[str, Any]:
    """How players of a policy fared with the card, in both seats and in each."""
    selections = [selection for selection in SELECTIONS if row[f"{selection.name}_n"] > 0]
    average, own = row["dealt_win_rate"] - row["advantage"], row["verdict"]
    said = f"Verdict: {own}, {VERDICTS[own]}; the intervals of all cards hold together."
    row = row.copy()
    row["dealt_ci_low"], row["dealt_ci_high"] = wording.judged_ends(row)
    rates = [
        Line(
            _words(selection.name),
            f"The player-games in which {selection.definition}.",
            rate(row, selection.name),
            count(row[f"{selection.name}_n"]),
            _dot(row, f"{selection.name}_win_rate", selection.name, scale),
        )
        for selection in selections
    ]
    others = [
        Line(heading, MEASURES[column].replace("`", ""), cell, "" if n is None else count(row[n]))
        for heading, column, n, cell in (
            ("taken by opponents who had a Mindbug, % of plays", "mindbug_rate", "mindbug_n",
             estimate(row, "mindbug_rate", bare_percent)),
            ("never played, % of those who drew it", "dead_rate", "drawn_n",
             estimate(row, "dead_rate", bare_percent)),
            ("turn on which it is played", "mean_turn_played", None,
             estimate(row, "mean_turn_played", "{:.1f}".format)),
        )
        if not math.isnan(row[column])
    ]  # fmt: skip
    return {
        "policy": row["policy"] if several else "",
        "words": f"{wording.card_text(row)} {said} {wording.seats_text(seats)}".strip(),
        "kind": KINDS.get(own, ""),
        "zero": scale.place(average) if selections else "",
        "rates": rates,
        "others": others,
    }


def _parts(
    cards: pd.DataFrame, parts: pd.DataFrame | None, run: Run
) -> Iterator[Mapping[str, Any]]:
    """What goes with the advantage of a card among the players for whom it is not fair."""
    for _, row in cards[cards["verdict"].isin(wording.OUTLYING)].iterrows():
        if parts is not None:
            mine = parts[parts["policy"] == row["policy"]]
            whose = f" ({row['policy']})" if len(cards) > 1 else ""
            heading = f"What goes with its {_POINTS(row['advantage'])} points{whose}"
            yield {
                "heading": heading,
                **explained(mine, AVERAGE, partial(experiments_of_run, run, row["card_id"])),
            }


def _of_skill(rows: pd.DataFrame, panel: pd.DataFrame | None, scale: Scale) -> dict[str, Any]:
    """How the advantage of the card changes with who plays, weak to strong, and their mean.

    ``panel`` is what a panel of the strong ones says of the card.
    """
    lines = [
        Line(
            row["policy"],
            f"Both players {row['policy']}.",
            estimate(row, "advantage", _POINTS),
            count(row["n"]),
            _dot(row, "advantage", "advantage", scale),
        )
        for _, row in rows.sort_values("rung").iterrows()
    ]
    verdicts = [rows["skill_verdict"].iloc[0]]
    if panel is not None:
        mean = panel.iloc[0]
        verdicts.append(mean["panel_verdict"])
        lines.append(
            Line(
                "mean of the strong players",
                f"{mean['panel_verdict']}: {PANEL_VERDICTS[mean['panel_verdict']]}.",
                estimate(mean, "advantage", _POINTS),
                "",
                _dot(mean, "advantage", "advantage", scale),
            )
        )
    return {"verdict": "; ".join(verdicts), "lines": lines}


def _pairs(card_id: str, shown: Mapping[str, pd.DataFrame]) -> list[Line]:
    """The pairs that a card is shown to be in, the strongest of either kind."""
    lines: list[Line] = []
    policies = list(dict.fromkeys(policy for table in shown.values() for policy in table["policy"]))
    for policy in policies:
        mine = pairs_of(card_id, shown, policy)
        for opposed, words in ((False, "together with"), (True, "against")):
            for _, row in mine[mine["opposed"] == opposed].head(_PAIRS).iterrows():
                whose = f" ({policy})" if len(policies) > 1 else ""
                cell = estimate(row, "shrunk", _POINTS)
                heading = f"{words} {row['name_b']}{whose}"
                lines.append(Line(heading, "", cell, count(row["n"])))
    return lines


def _of_experiments(
    card_id: str, tables: Mapping[str, pd.DataFrame], names: Mapping[str, str]
) -> dict[str, Any] | None:
    """What the card and changes of it are worth by experiment."""
    if "values" not in tables:
        return None
    values = tables["values"][tables["values"]["card_id"] == card_id]
    changes = tables["sensitivity"][
        (tables["sensitivity"]["card_id"] == card_id)
        & (tables["sensitivity"]["measure"] == "dealt")
        & ~tables["sensitivity"]["kind"].isin(["parts", "value"])
    ]
    two_digits = partial(points, digits=2)
    lines = [
        Line(
            f"worth, against {names.get(row['reference'], row['reference'])} in its place",
            "",
            estimate(row, "value", two_digits),
            count(row["n"]),
        )
        for _, row in values.dropna(subset=["value"]).iterrows()
        if row["reference"] != card_id
    ]
    lines += [
        Line(row["label"], "", estimate(row, "difference", two_digits), count(row["n"]))
        for _, row in changes.iterrows()
    ]
    if not lines:
        return None
    return {
        "heading": f"By experiment, on the same deals ({values['policy'].iloc[0]})",
        "lines": lines,
    }


def _dot(row: pd.Series, value: str, name: str, scale: Scale) -> Dot | None:
    """The interval of an estimate and the estimate on an axis."""
    return scale.dot(row[f"{name}_ci_low"], row[value], row[f"{name}_ci_high"])


def _game(row: pd.Series, story: list[StoryLine], run: Run) -> Game:
    """A game to read, in words."""
    played, turns = row["turn_played"], row["turns"]
    end = "won" if row["won"] else "lost"
    when = "on the same turn" if played == turns else f"on turn {turns}"
    names = _PLAYERS if row["player"] == 0 else _PLAYERS[::-1]
    told = [line._replace(text=named(line.text, names)) for line in story]
    how = f"Played on turn {played} by a player who {end} {when}:"
    return Game(command("replay", run.folder, row["game"]), how, told)


def _words(selection: str) -> str:
    """The players of a selection, after "Won by players"."""
    return {
        "dealt": "dealt it",
        "drawn": "who drew it",
        "not_drawn": "dealt it, who did not draw it",
        "played": "who played it",
        "taken": "who took it with a Mindbug",
        "lost_to_mindbug": "who lost it to a Mindbug",
        "entered": "who had it in play",
    }[selection]
