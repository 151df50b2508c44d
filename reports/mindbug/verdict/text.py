"""A verdict on one card in words.  Nothing is estimated here; sentences quote the tables.

"Worth", "brings" and "costs" are said of experiments: the card changed or swapped on the same deals
with the same luck.  What became of the card, and its pairs, are reported as observed.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from analysis.estimates import CONFIDENCE
from analysis.mindbug.selections import BEATEN, BEATS, IN_THE_WAY, TOGETHER
from analysis.verdicts import BALANCED, STRONG, UNDECIDED, WEAK
from reports.kit.words import (
    Finding,
    between,
    display_name,
    games,
    listed,
    percent,
    points,
    points_text,
)
from reports.mindbug.explain.text import AVERAGE, parts_text
from reports.mindbug.run_text import describe_sets
from reports.mindbug.sensitivity.text import amount, is_sure

_LEVEL = 1 - CONFIDENCE
_HALF = 0.5
_NAMED = 3
# Letters of a change that a sentence repeats.
_LONGEST = 70
_JUDGED = {STRONG: "too strong", WEAK: "too weak", BALANCED: "balanced"}
_TAKEN_AWAY = ("remove_keyword", "remove_line", "remove_all")


def headline(tables: Mapping[str, pd.DataFrame]) -> str:
    """The verdict as a designer would repeat it, without numbers: "X is too strong"."""
    row = tables["verdict"].iloc[0]
    name, excess = row["name"], row["win_rate"] - _HALF
    if row["verdict"] != UNDECIDED:
        return f"{name} is {_JUDGED[row['verdict']]}"
    if abs(excess) > row["band"]:
        return f"{name} may be {_JUDGED[STRONG if excess > 0 else WEAK]}"
    return f"{name} is at the edge of {_JUDGED[STRONG if excess > 0 else WEAK]}"


def sentence(tables: Mapping[str, pd.DataFrame]) -> str:
    """The verdict with its interval, and whether stronger players agree."""
    row, *others = (row for _, row in tables["verdict"].iterrows())
    said = f"{headline(tables)}: players dealt it win {_rate(row)} of their games"
    band = f"{between(_HALF - row['band'], _HALF + row['band'], 0)}"
    if row["band"] * 100 % 1:
        band = between(_HALF - row["band"], _HALF + row["band"])
    where = "and" if row["verdict"] == BALANCED else "where"
    if row["verdict"] == UNDECIDED:
        said += f", and {games(row['n_games'])} do not settle whether that is inside {band}."
    else:
        said += f", {where} {band} is balanced."
    return " ".join([said, *(_agreement(row, other) for other in others)])


def findings(tables: Mapping[str, pd.DataFrame], surer: str, proposal: str) -> list[Finding]:
    """What is worth knowing first, the answer itself left out.

    ``surer`` says what to run to be surer, ``proposal`` how to play the proposed change; "" for
    none.
    """
    return [
        *_over_players(tables),
        Finding("Why", why_text(tables)),
        Finding("What became of it", fates_text(tables)),
        Finding("With and against", pairs_text(tables["verdict_pairs"])),
        Finding("Smallest change", " ".join(filter(None, [change_text(tables), proposal]))),
        *_games(tables["verdict_games"]),
        Finding("To be surer", surer),
    ]


def describe(manifest: Mapping[str, Any], *, most_sets: int | None = None) -> str:
    """One line that says what was played; a few sets by name, more only counted, for captions."""
    said = describe_sets(manifest, most_sets=most_sets)
    first, *others = manifest["policies"]
    beside = f", then {' and '.join(others)}" if others else ""
    return f"{said} · {games(manifest['games'])} · {first}{beside} · seed {manifest['seed']}"


def over_players_text(tables: Mapping[str, pd.DataFrame]) -> str:
    """How far the verdict holds over players; "" where only one kind of player was asked."""
    first, last = tables["verdict"]["policy"].iloc[[0, -1]]
    if first == last:
        return ""
    panel = tables.get("card_panel")
    if panel is None:
        row, column, q_value = tables["skill_cards"].iloc[0], "change", "change_q_value"
    else:
        row, column, q_value = panel.iloc[0], "move", "move_q_value"
    doubt = "" if row[q_value] < _LEVEL else ", no clear difference"
    said = f"From {first} to {last} its win rate moves by {amount(row, column)}{doubt}."
    if panel is None or pd.isna(row["same_side"]):
        return said
    side = "above" if row["advantage"] > 0 else "below"
    said += (
        f" A further player of this strength would have it {side} average with a chance of"
        f" {_chance(row['same_side'])}, and within {points_text(row['band'])} of average with"
        f" {_chance(row['in_band'])}."
    )
    return f"{said}{_kinship([first, last])}"


def why_text(tables: Mapping[str, pd.DataFrame]) -> str:
    """What the card and its parts are worth, by experiment on the same deals."""
    table = tables["sensitivity"]
    dealt = table[table["measure"] == "dealt"]
    value = dealt[dealt["kind"] == "value"]
    texts = []
    for _, row in value.iterrows():
        other = row["label"].removesuffix(" in its place")
        less = {**row}
        less |= {
            "worth": -row["difference"],
            "worth_ci_low": -row["difference_ci_high"],
            "worth_ci_high": -row["difference_ci_low"],
        }
        texts.append(
            f"With the average card {other} in its place, on the same deals with the same luck,"
            f" these players win {percent(row['variant'])}: {row['name']} is worth"
            f" {amount(pd.Series(less), 'worth')}{_doubt(row)}."
        )
    parts = dealt[dealt["kind"].isin(_TAKEN_AWAY)]
    parts = parts.loc[parts["difference"].abs().sort_values(ascending=False).index]
    parts = parts[(parts["kind"] != "remove_all") | (len(parts) > 2)]
    if len(parts):
        said = [f"{_quoted(row['label'])} {_moved(row)}" for _, row in parts.iterrows()]
        texts.append(f"One thing taken away, in points: {'; '.join(said)}.")
    power = dealt[dealt["change"].isin(["power-1", "power+1"])]
    if len(power):
        said = [f"{_quoted(row['label'])} {_moved(row)}" for _, row in power.iterrows()]
        texts.append(f"One step of power: {'; '.join(said)}.")
    return " ".join(texts)


def fates_text(tables: Mapping[str, pd.DataFrame]) -> str:
    """What became of the card, as observed."""
    return f"Observed: {parts_text(tables['card_parts'], AVERAGE)}"


def pairs_text(pairs: pd.DataFrame) -> str:
    """What the card works with and against, as observed."""
    tested = int(pairs["p_value"].notna().sum())
    said = []
    for words, verdict in (
        ("works best with", TOGETHER),
        ("gets in the way of", IN_THE_WAY),
        ("does better than expected against", BEATS),
        ("does worse than expected against", BEATEN),
    ):
        rows = pairs[pairs["verdict"] == verdict].head(_NAMED)
        if len(rows):
            names = listed(f"{_other(row)} ({points(row['shrunk'])})" for _, row in rows.iterrows())
            said.append(f"{words} {names}")
    if not said:
        return f"None of its {tested} pairs and matchups shows an effect of its own."
    shown = int(pairs["verdict"].isin([TOGETHER, IN_THE_WAY, BEATS, BEATEN]).sum())
    return (
        f"Observed, in points beyond what the two cards do by themselves: it {'; it '.join(said)}."
        f" {shown} of {tested} pairs and matchups show an effect."
    )


def change_text(tables: Mapping[str, pd.DataFrame]) -> str:
    """The smallest change that brings the card into the band, as it was tried."""
    row, changes = tables["verdict"].iloc[0], tables["verdict_changes"]
    fresh = changes[changes["fresh"]]
    mine = fresh[fresh["policy"] == row["policy"]]
    if mine.empty:
        return _steps_text(row, changes)
    proposed = mine[mine["proposed"]]
    tried = int((~changes["fresh"]).sum())
    if proposed.empty:
        near = mine.loc[(mine["win_rate"] - _HALF).abs().idxmin()]
        return (
            f"None was found. {tried} steps of power and keywords were tried, and joined where one"
            f" step was too small; on fresh deals {near['change']} comes nearest, with"
            f" {_rate(near)}. The text of the card has to change."
        )
    best = proposed.iloc[0]
    inside = (
        "inside the band"
        if best["verdict"] == BALANCED
        else ("inside the band as far as these games show, which is not yet beyond doubt")
    )
    said = (
        f"{_capital(best['change'])}. On {games(best['n_games'])} of fresh deals, which had no part"
        f" in choosing it, players dealt it then win {_rate(best)}: {inside}."
    )
    for _, one in fresh[fresh["policy"] != row["policy"]].iterrows():
        outcome = {BALANCED: ", balanced as well", UNDECIDED: ""}.get(
            one["verdict"], f", still {_JUDGED.get(one['verdict'], '')}"
        )
        said += f" Among {one['policy']} players they win {_rate(one)}{outcome}."
    return said


def _steps_text(row: pd.Series, changes: pd.DataFrame) -> str:
    """Why nothing is proposed, and which single steps would take the card out of the band."""
    out = changes[changes["verdict"].isin([STRONG, WEAK])]
    kept = changes[changes["verdict"] == BALANCED]
    said = "None is needed." if row["verdict"] == BALANCED else "None is called for yet."
    if len(out):
        names = listed(f"{one['change']} ({_JUDGED[one['verdict']]},"
                       f" {percent(one['win_rate'])})" for _, one in out.iterrows())  # fmt: skip
        said += f" Of {len(changes)} steps tried, these would take it out of the band: {names}."
    if len(kept):
        names = listed(
            f"{one['change']} ({percent(one['win_rate'])})" for _, one in kept.iterrows()
        )
        said += f" It stays balanced with {names}."
    return said


def game_text(row: pd.Series) -> str:
    """One game that the card decided."""
    player, end = row["player"], "won" if row["won"] else "lost"
    otherwise = "lost" if row["won"] else "won"
    when = "on the same turn" if row["turn_played"] == row["turns"] else f"on turn {row['turns']}"
    return (
        f"Game {row['game']}: player {player} played {row['name']} on turn {row['turn_played']} and"
        f" {end} {when}. On the same deal with {row['reference']} in its place that player"
        f" {otherwise}."
    )


def surer_text(command: str, minutes: float) -> str:
    """What to run for intervals half as wide, and how long that takes."""
    time = "about a minute" if minutes < 1.5 else f"about {round(minutes)} minutes"
    return f"{command} has intervals half as wide and takes {time} on this machine."


def _over_players(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    if text := over_players_text(tables):
        yield Finding("Over players", text)


def _games(table: pd.DataFrame) -> Iterator[Finding]:
    if len(table):
        yield Finding(
            "Games",
            " ".join(game_text(row) for _, row in table.iterrows()),
        )


def _agreement(row: pd.Series, other: pd.Series) -> str:
    """What a stronger player makes of it."""
    who = f"{other['policy']} players, who are stronger,"
    if other["verdict"] == row["verdict"] != UNDECIDED:
        return f"Among {who} it is {_JUDGED[row['verdict']]} as well ({_bare(other)})."
    if other["verdict"] == UNDECIDED:
        return (
            f"Among {who} they win {_rate(other)}; {games(other['n_games'])} are too few for a"
            " verdict of their own."
        )
    if row["verdict"] == UNDECIDED:
        return f"Among {who} it is {_JUDGED[other['verdict']]} ({_bare(other)})."
    words = f"But among {who} it is {_JUDGED[other['verdict']]} ({_bare(other)})"
    return f"{words}: the verdict depends on who plays."


def _kinship(players: list[str]) -> str:
    """That two players are no independent opinions, where they are related."""
    names = {player.partition(":")[0].partition("@")[0] for player in players}
    if names != {"expert", "search"}:
        return ""
    return (
        " Both judge positions with the same network, so they are less than two opinions; people"
        " may play otherwise."
    )


def _chance(share: float) -> str:
    """A chance in whole per cent; never quite 0 or 1."""
    if share > 0.99:
        return f"over {percent(0.99, 0)}"
    return f"under {percent(0.01, 0)}" if share < 0.01 else percent(share, 0)


def _rate(row: pd.Series) -> str:
    """A win rate with its interval: "53.9 % (53.5-54.3 %)"."""
    return (
        f"{percent(row['win_rate'])} ({between(row['win_rate_ci_low'], row['win_rate_ci_high'])})"
    )


def _bare(row: pd.Series) -> str:
    ends = between(row["win_rate_ci_low"], row["win_rate_ci_high"])
    return f"{percent(row['win_rate'])}, {ends}"


def _moved(row: pd.Series) -> str:
    ends = [points(row[f"difference_ci_{end}"]) for end in ("low", "high")]
    return f"{points(row['difference'])} ({ends[0]} to {ends[1]}){_doubt(row)}"


def _quoted(label: str) -> str:
    """A change; of a long text the beginning, with its closing mark."""
    closing = "\N{RIGHT DOUBLE QUOTATION MARK}"
    if len(label) <= _LONGEST or not label.endswith(closing):
        return label
    return f"{display_name(label, _LONGEST)}{closing}"


def _doubt(row: pd.Series) -> str:
    return "" if is_sure(row) else ", no clear difference"


def _other(row: pd.Series) -> str:
    if row["card_a"] == row["card_b"] and not row["opposed"]:
        return "a second copy of itself"
    return str(row["name_b"])


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
