"""Luck and skill in words.  Nothing is estimated here; sentences quote the tables."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.mice_and_mystics.experiments.skill import ALL_PLAYERS, REPLAYS
from reports.kit.words import (
    DOT,
    Finding,
    bare_percent,
    between,
    count,
    interval,
    listed,
    percent,
    points,
)
from reports.mice_and_mystics.run_text import changed_settings, party_text

#: The headings of the console's table.
PLAYERS_TABLE = ("player", "wins", "from", "to", "gained", "party", "cards", "dice", "course")
#: Players in one line before "and n more".
_NAMED = 6
# Width of an interval from which on a share is hardly known.
_WIDE = 0.2
_PARTS = ("party", "deal", "dice", "course")


def describe(manifest: Mapping[str, Any]) -> str:
    """One line that says what was played."""
    parts = [
        manifest["chapter_name"],
        party_text(manifest),
        *([listed(changed)] if (changed := changed_settings(manifest)) else []),
        listed(manifest["players"], _NAMED),
        f"{count(manifest['games'] // REPLAYS)} deals, each played {REPLAYS} times",
        f"seed {manifest['seed']}",
    ]
    return DOT.join(parts)


def findings(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """What is worth knowing first: what skill is worth, what luck is, and how they compare."""
    players, skill = tables["skill_players"], tables["skill"]
    found = [Finding("Skill", _skill_text(players), _skill_brief(players))]
    of_wins = skill[(skill["measure"] == "win_rate") & skill["share"].notna()]
    winners = [player for player in players["player"] if player in set(of_wins["player"])]
    if not winners:
        found.append(Finding("Luck", "No game was won, so luck can only be seen in the score."))
        return found
    best = winners[-1]
    parts = of_wins[of_wins["player"] == best].set_index("source")
    found.append(Finding("Luck", _luck_text(best, parts), _luck_brief(best, parts)))
    if len(players) > 1:
        found.append(Finding("Compared", *_compared_text(players, best, parts)))
        of_all = of_wins[of_wins["player"] == ALL_PLAYERS].set_index("source")
        found.append(Finding("All players", *_all_text(len(players), of_all)))
    return found


def headline(tables: Mapping[str, pd.DataFrame]) -> str:
    """Who wins most."""
    players = tables["skill_players"]
    best = players.loc[players["win_rate"].idxmax()]
    return f"{best['player']} wins most: {percent(best['win_rate'])} of the games"


def players_rows(tables: Mapping[str, pd.DataFrame]) -> list[tuple[str, ...]]:
    """The rows of the console's table, a player each; the headings are `PLAYERS_TABLE`."""
    skill = tables["skill"]
    shares = skill[skill["measure"] == "win_rate"].pivot(
        index="player", columns="source", values="share"
    )
    rows = []
    for row in tables["skill_players"].itertuples():
        parts = [shares.loc[row.player].get(part, float("nan")) for part in _PARTS]
        rows.append(
            (
                row.player,
                *(f"{100 * one:.1f}" for one in (row.win_rate, row.win_rate_ci_low)),
                f"{100 * row.win_rate_ci_high:.1f}",
                points(row.win_rate_gain) if row.rung else "",
                *("–" if pd.isna(part) else f"{100 * part:.0f} %" for part in parts),
            )
        )
    return rows


def _skill_text(players: pd.DataFrame) -> str:
    rates = [
        f"{row.player} wins {percent(row.win_rate)}"
        f" ({between(row.win_rate_ci_low, row.win_rate_ci_high)})"
        for row in players.itertuples()
    ]
    gains = [
        f"{row['player']} is {_gain(row)} {before}"
        for before, (_, row) in zip(players["player"], list(players.iterrows())[1:], strict=False)
        if row["win_rate_gain_ci_high"] > row["win_rate_gain_ci_low"]
    ]
    text = f"{listed(rates)}."
    return f"{text} On the same deals {listed(gains)}." if gains else text


def _skill_brief(players: pd.DataFrame) -> str:
    """Who wins most and who least, in one sentence."""
    best, worst = (
        players.loc[place] for place in (players["win_rate"].idxmax(), players["win_rate"].idxmin())
    )
    if len(players) == 1:
        return f"{best['player']} wins {percent(best['win_rate'])} of the games."
    return (
        f"On the same deals {best['player']} wins {percent(best['win_rate'])} of the games, and"
        f" {worst['player']} {percent(worst['win_rate'])}."
    )


def _luck_brief(player: str, parts: pd.DataFrame) -> str:
    """What decides a game of one player, in one sentence."""
    named = {"party": "the party", "deal": "the cards dealt", "dice": "dice and draws at least"}
    told = [
        f"{words} {percent(parts.loc[part, 'share'], 0)}"
        for part, words in named.items()
        if part in parts.index
    ]
    return f"Shares of what decides who wins with {player}: {listed(told)}."


def _gain(row: pd.Series) -> str:
    """By how much a player is better, or worse: "32.6 points (31.9 to 33.2) ahead of"."""
    side = 1 if row["win_rate_gain"] >= 0 else -1
    low, high = sorted(side * row[f"win_rate_gain_ci_{end}"] for end in ("low", "high"))
    by = f"{100 * side * row['win_rate_gain']:.1f} points ({interval(low, high, _plain)})"
    return f"{by} {'ahead of' if side > 0 else 'behind'}"


def _plain(share: float) -> str:
    return points(share).removeprefix("+")


def _luck_text(player: str, parts: pd.DataFrame) -> str:
    """What decides a game of one player."""
    dealt = [part for part in ("party", "deal") if part in parts.index]
    what = {
        "party": "the party that is drawn decides",
        "deal": "the order of the decks and the starting abilities decide",
    }
    texts = [f"{what[part]} {_share(parts.loc[part])}" for part in dealt]
    return (
        f"Of the variance of winning with {player}, {listed(texts)}. Dice and draws decide at least"
        f" {_share(parts.loc['dice'])}: that much stays with them whatever is done. The remaining"
        f" {_share(parts.loc['course'])} is the course of the game, in which small choices lead to"
        f" other dice.{_more_games(parts)}"
    )


def _more_games(parts: pd.DataFrame) -> str:
    """That the shares are hardly known, where they are."""
    widest = (parts["share_ci_high"] - parts["share_ci_low"]).max()
    return " These shares need more --games." if widest > _WIDE else ""


def _share(row: pd.Series) -> str:
    return f"{percent(row['share'])} ({between(row['share_ci_low'], row['share_ci_high'])})"


def _compared_text(players: pd.DataFrame, best: str, parts: pd.DataFrame) -> tuple[str, str]:
    """What a better player is worth beside a better deal, at length and in one sentence."""
    names = {"party": "a party", "deal": "a deal of cards"}
    lucky = [
        f"{names[part]} one standard deviation above the mean adds"
        f" {100 * parts.loc[part, 'spread']:.1f} points"
        for part in names
        if part in parts.index
    ]
    text = f"When {best} plays, {listed(lucky)}."
    place = players.index[players["player"] == best][0]
    if place == 0:
        return text, ""
    before, gain = players.loc[place - 1, "player"], players.loc[place, "win_rate_gain"]
    adds = f"laying as {best} instead of {before} adds {100 * gain:.1f}"
    good = bare_percent(parts.loc["deal", "spread"])
    dealt = f"and a deal one standard deviation above the mean {good}"
    return f"{text} P{adds}.", f"P{adds} points, {dealt}."


def _all_text(n_players: int, parts: pd.DataFrame) -> tuple[str, str]:
    """What it decides who plays, at length and in one sentence."""
    brief = (
        f"If each game is played by one of these {n_players} at random, who it is decides"
        f" {_share(parts.loc['player'])} of the variance of winning."
    )
    about = "That share is about these players: weaker or stronger ones make it larger."
    return f"{brief} {about}", brief
