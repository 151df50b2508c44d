"""The report of a run in words: how hard the chapter is, for whom, and what makes it so.

Nothing is estimated here; sentences quote the tables.
"""

from collections.abc import Iterator, Mapping

import pandas as pd

from analysis.mice_and_mystics.run_facts import ALL
from analysis.verdicts import TOO_STRONG, TOO_WEAK
from reports.balance.sections import Block, Downloads, Grid, Section, Text
from reports.kit.findings import ends
from reports.kit.verdicts import doubt, settled
from reports.kit.words import (
    ARROW,
    Finding,
    between,
    capital,
    count,
    games,
    interval_of,
    listed,
    percent,
    points,
    points_text,
)
from reports.mice_and_mystics.balance.rows import Columns
from reports.mice_and_mystics.run_text import party_name

#: Half of the games: what a win rate is held against.
EVEN = 0.5
#: Where the interval of a win rate lies.
MORE, UNCLEAR, LESS = (
    "wins more often than it loses",
    "not settled",
    "loses more often than it wins",
)
SIDES = (MORE, UNCLEAR, LESS)
# What a card does to the win rate: what charts draw and verdicts go by.
_EFFECT = "win_effect"
#: How games are lost.
LOSSES = {
    "loss_page": "run out of pages",
    "loss_captured": "end with all mice captured",
    "timeout": "are stopped after 400 rounds",
}

_TABLE = "stronger"
_ABOUT = (
    "The same chapter played by a stronger player, on other deals. It says how far the win rates"
    " depend on who plays. Won in per cent, moves in percentage points, with 95% intervals,"
    " corrected for their number."
)


def side_of(win_rates: pd.DataFrame) -> pd.Series:
    """For each win rate with its interval one of `SIDES`."""
    sides = pd.Series(UNCLEAR, index=win_rates.index)
    sides[win_rates["win_rate_ci_low"] > EVEN] = MORE
    sides[win_rates["win_rate_ci_high"] < EVEN] = LESS
    return sides


def parties_title(parties: pd.DataFrame) -> str:
    """Between what the win rates of parties lie, where best and worst are shown to differ."""
    names = [party_name(party) for party in parties["party"]]
    only = f"{names[0]} win {percent(parties['win_rate'].iloc[0])} of games"
    none = "No party is shown to win more than another" if len(names) > 1 else only
    says = "Parties win between {3} and {1} of games"
    return ends(names, parties, "win_rate", says, none=none, interval="win_rate")


def headline(tables: Mapping[str, pd.DataFrame]) -> str:
    """The verdict in a few words."""
    rate = _statistics(tables)["estimate"]["win"]
    if rate in (0, 1):
        return "every game is won" if rate else "no game is won"
    won = f"{percent(rate)} of games won; {_verdict(tables['parties'])}"
    return f"{won}{stronger_headline(tables)}"


def findings(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """What a designer wants to know first: at most five sentences."""
    won, stronger = _win_rate_text(tables), stronger_text(tables)
    found = [
        Finding("How hard", f"{won} {stronger}".rstrip(), won if stronger else ""),
        Finding("For whom", _parties_text(tables)),
        Finding("Why", _clock_text(tables)),
        Finding("Cards", _cards_text(tables)),
    ]
    if sure := _sure_text(tables):
        found.append(Finding("How sure", sure))
    return found


#: The tables with a row for each entry of a kind: what is in its own words and what it is worth.
OWN_TABLES = {
    "heroes": ("hero", "worth"),
    "encounters": ("encounter", "win_effect"),
    "abilities": ("ability", "win_effect"),
    "search_cards": ("card", "win_effect"),
}


def own_findings(
    tables: Mapping[str, pd.DataFrame], own: Mapping[tuple[str, str], str]
) -> Iterator[Finding]:
    """What a designer's own entries are worth, where a table has them, in one sentence."""
    told = own_texts(tables, own)
    others = len(own) - len(told)
    if told:
        yield Finding("Your entries", f"What they are worth: {listed(told, 3)}.")
    elif others:
        what = f"{others} changed or new {'entry' if others == 1 else 'entries'}"
        yield Finding("Your entries", f"{capital(what)} of your own played.")


def own_texts(tables: Mapping[str, pd.DataFrame], own: Mapping[tuple[str, str], str]) -> list[str]:
    """What each of a designer's own entries is worth, with the verdict, where a table has it."""
    told = []
    for kind, (entry, effect) in OWN_TABLES.items():
        mine = tables[kind][[(kind, one) in own for one in tables[kind][entry]]]
        for _, row in mine.iterrows():
            worth = "which is in every game"
            if pd.notna(row[effect]):
                known = interval_of(row, effect, points)
                worth = f"{points(row[effect])} points, {known}; {row['verdict']}"
            told.append(f"{row['name']} ({own[kind, row[entry]]}; {worth})")
    return told


def _verdict(parties: pd.DataFrame) -> str:
    """Which parties win more often than they lose."""
    sides, number = side_of(parties), len(parties)
    if number == 1:
        return {
            MORE: "the party wins more often than it loses",
            LESS: "the party loses more often than it wins",
            UNCLEAR: "about as many may be lost",
        }[sides.iloc[0]]
    more, less = (sides == MORE).sum(), (sides == LESS).sum()
    if more == number:
        return "every party wins more often than it loses"
    if less == number:
        return "every party loses more often than it wins"
    if more:
        return f"{more} of {number} parties win more often than they lose"
    if less:
        return f"{less} of {number} parties lose more often than they win"
    return "whether parties win or lose more often is not settled"


def _statistics(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The lines of the table of outcomes about all games, by statistic."""
    outcomes = tables["outcomes"]
    parties = outcomes["party"]
    return outcomes[parties == (ALL if (parties == ALL).any() else parties.iloc[0])].set_index(
        "statistic"
    )


def _win_rate_text(tables: Mapping[str, pd.DataFrame]) -> str:
    parties = tables["parties"]
    won = _statistics(tables).loc["win"]
    rate, known = won["estimate"], between(won["ci_low"], won["ci_high"])
    if rate in (0, 1):
        which = "all" if rate else "none"
        number = count(won["n_games"])
        return f"Played by {won['player']}, {which} of {number} games are won ({known})."
    text = f"Played by {won['player']}, {percent(rate)} of the games are won ({known})"
    if len(parties) > 1:
        lowest, highest = (percent(one) for one in parties["win_rate"].agg(["min", "max"]))
        text += f", {lowest} to {highest} by party"
    return f"{text}: {_verdict(parties)}."


def _parties_text(tables: Mapping[str, pd.DataFrame]) -> str:
    parties = tables["parties"]
    if len(parties) == 1:
        return (
            f"Only {party_name(parties['party'].iloc[0])} were played; to learn what each hero is"
            " worth, play every party (--party all)."
        )
    shown = list(_outliers(parties, "win_rate", parties["verdict"]))
    if not shown:
        return (
            f"None of {len(parties)} parties is shown to be {TOO_STRONG} or {TOO_WEAK}: outside"
            f" {points_text(parties['band'].iloc[0])} of their average."
        )
    ends = [
        f"{party_name(row['party'])} win {'most' if row['verdict'] == TOO_STRONG else 'least'}"
        f" ({percent(row['win_rate'])})"
        for row in shown
    ]
    text = ", ".join(ends)
    heroes = tables["heroes"]
    worths = [
        f"{row['name']} {_does(row['worth'])}"
        for row in _outliers(heroes, "worth", heroes["verdict"])
    ]
    if worths:
        text += f"; against the heroes who come along instead {listed(worths)} points"
    return f"{text}."


def _outliers(table: pd.DataFrame, estimate: str, verdict: pd.Series) -> Iterator[pd.Series]:
    """The row of the greatest and of the smallest estimate, of those that are not fair."""
    rows = table[verdict.isin([TOO_STRONG, TOO_WEAK])].sort_values(estimate, kind="stable")
    for side, place in ((1, -1), (-1, 0)):
        mine = rows[side * _over(rows, estimate) > 0]
        if len(mine):
            yield mine.iloc[place]


def _over(rows: pd.DataFrame, estimate: str) -> pd.Series:
    """How far estimates are from where nothing stands: a win rate from the mean of all parties."""
    return rows["over_average"] if estimate == "win_rate" else rows[estimate]


def _does(effect: float) -> str:
    """What something does to the win rate: "adds 13.7", "costs 13.4"."""
    return f"{'adds' if effect > 0 else 'costs'} {points(abs(effect)).lstrip('+')}"


def _clock_text(tables: Mapping[str, pd.DataFrame]) -> str:
    statistics = _statistics(tables)["estimate"]
    means = tables["counters"].set_index("counter")["mean"]
    turned = f"surges turn {means['surges']:.1f} pages a game and captures {means['captures']:.1f}"
    if statistics["win"] == 1:
        left = statistics["mean_pages_left_of_wins"]
        return f"No game is lost: {turned}, and {left:.1f} pages are left."
    how = max(LOSSES, key=lambda word: statistics[word])
    lost = tables["rooms"].groupby("name", sort=False)["lost"].sum()
    share = lost.max() / lost.sum()
    turned_in = tables["room_costs"].set_index("name")["pages_lost_share"].dropna()
    if turned_in.any():
        where, most = turned_in.idxmax(), turned_in.max()
        turned += (
            f"; most pages are turned at {where} ({percent(most)})"
            if 2 * most > 1
            else f"; more pages are turned at {where} ({percent(most)}) than anywhere else"
        )
    return (
        f"{percent(statistics[how])} of the games {LOSSES[how]}: {turned}; most often a lost game"
        f" ends at {lost.idxmax()} ({percent(share)} of losses)."
    )


def _cards_text(tables: Mapping[str, pd.DataFrame]) -> str:
    encounters = tables["encounters"]
    parts = [
        f"{row['name']} as the first encounter {_does(row[_EFFECT])}"
        for row in _outliers(encounters, _EFFECT, encounters["verdict"])
    ]
    known = [
        (row, where)
        for name, where in (
            ("abilities", "as a starting ability"),
            ("search_cards", "near the top of the search deck"),
        )
        for row in _outliers(tables[name], _EFFECT, tables[name]["verdict"])
    ]
    if known:
        row, where = max(known, key=lambda one: abs(one[0][_EFFECT]))
        parts.append(f"{row['name']} {where} {_does(row[_EFFECT])}")
    if parts:
        return f"{listed(parts)} points of win rate."
    return (
        f"No encounter card, starting ability or search card is shown to be {TOO_STRONG} or"
        f" {TOO_WEAK}."
    )


def _sure_text(tables: Mapping[str, pd.DataFrame]) -> str:
    """How much rests on what is assumed: entries, and the assumption that matters most."""
    parts = []
    if len(sources := tables.get("sources", pd.DataFrame())):
        everything = sources.set_index("kind").loc[ALL]
        parts.append(
            f"of {count(everything['entries'])} entries of the data that can come up,"
            f" {count(everything['verified'])} are verified, {count(everything['reported'])}"
            f" reported and {count(everything['assumed'])} assumed"
        )
    if len(changes := tables.get("assumptions", pd.DataFrame())):
        sure = changes[(changes["win_effect_low"] > 0) | (changes["win_effect_high"] < 0)]
        if sure.empty:
            parts.append(
                "no assumed number or switch, changed by itself, is shown to move the win rate"
            )
        else:
            row = sure.loc[sure[_EFFECT].abs().idxmax()]
            before, after = (str(row[one]).replace("_", " ") for one in ("value", "changed_to"))
            parts.append(
                "of all assumed numbers and switches, changed one at a time,"
                f" {_assumption(row)} ({before} {ARROW} {after}) moves the win rate most"
                f" ({points(row[_EFFECT])} points)"
            )
    text = "; ".join(parts)
    return f"{capital(text)}." if text else ""


def _assumption(row: pd.Series) -> str:
    """What a row of the table of assumptions changes: "Filch: life", "encounter deck"."""
    return f"{row['name']}: {row['label']}" if row["name"] else str(row["label"])


def stronger_headline(tables: Mapping[str, pd.DataFrame]) -> str:
    """By how much a stronger player moves the win rate, behind it; "" where none played."""
    if _TABLE not in tables:
        return ""
    row = tables[_TABLE].iloc[0]
    return f"; {row['stronger']} moves that by {_move(row)}"


def stronger_text(tables: Mapping[str, pd.DataFrame]) -> str:
    """The same in full, with the parties; "" where no stronger player played."""
    if _TABLE not in tables:
        return ""
    row, parties = tables[_TABLE].iloc[0], tables[_TABLE].iloc[1:]
    known = between(row["stronger_win_rate_ci_low"], row["stronger_win_rate_ci_high"])
    said = (
        f"Played by {row['stronger']}, a stronger player, {percent(row['stronger_win_rate'])} of"
        f" {games(row['stronger_n_games'])} are won ({known}), a move of {_move(row)}."
    )
    if parties.empty:
        return said
    clear = settled(parties, "move")
    if clear.empty:
        return f"{said} No single party is shown to move."
    most = clear.loc[clear["move"].abs().idxmax()]
    are = "is" if len(clear) == 1 else "are"
    return (
        f"{said} {count(len(clear))} of {len(parties)} parties {are} shown to move, most"
        f" {party_name(most['party'])} ({points(most['move'])})."
    )


def stronger_sections(tables: Mapping[str, pd.DataFrame]) -> list[Section]:
    """The section on it; none where no stronger player played."""
    if _TABLE not in tables:
        return []
    table = tables[_TABLE]
    of, first = Columns(_TABLE), table.iloc[0]
    columns = [
        of.word("Party", "party", lambda party: "All games" if party == ALL else party_name(party)),
        of.rate(f"Won by {first['player']}", "win_rate", "n_games"),
        of.rate(f"Won by {first['stronger']}", "stronger_win_rate", "stronger_n_games"),
        of.effect("Move", "move", first=True),
    ]
    grid = Grid.of(columns, table, "Table of what a stronger player moves", "sortable")
    blocks: list[Block] = [
        Text(stronger_text(tables)),
        Text(_ABOUT, hint=True),
        grid,
        Downloads.of(_TABLE),
    ]
    return [Section("stronger", "A stronger player", blocks)]


def _move(row: pd.Series) -> str:
    return f"{points(row['move'])} points ({interval_of(row, 'move', points)}){doubt(row, 'move')}"
