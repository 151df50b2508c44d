"""The section of the report on pairs of cards; nothing is estimated here."""

from collections.abc import Iterator, Mapping

import pandas as pd
from markupsafe import Markup

from analysis.mindbug.pairs import shown_pairs
from analysis.mindbug.selections import INTERACTION, PAIR_VERDICTS
from reports.balance.sections import Block, Downloads, Figures, Grid, Heading, Section, Terms, Text
from reports.kit.page import with_code
from reports.kit.words import count, level
from reports.mindbug.balance import brief, rows
from reports.mindbug.balance.pair_text import SIDES, power_text

#: Rows of each table of the page.
MOST_ROWS = 25
_TITLES = {"card_pairs": "Dealt to one player", "card_matchups": "Card against card"}


def pair_section(tables: Mapping[str, pd.DataFrame], n_games: int) -> Section:
    """What two cards do beyond what each does; ``n_games`` is the number of games of the run."""
    shown = shown_pairs(tables)
    beyond = f"{with_code(INTERACTION)}. Shrunk towards zero; as measured, it is not."
    meanings = ((word, with_code(f"{meaning}.")) for word, meaning in PAIR_VERDICTS.items())
    strongest = pd.concat([table.head(MOST_ROWS) for table in shown.values()])
    return Section(
        "pairs",
        "Pairs of cards",
        [
            Text(
                Markup(
                    "Players dealt two cards can win more, or less, than the two cards by"
                    " themselves explain, and so can players dealt one card against another. Four"
                    " kinds of games are compared: with both cards, with only the first, with"
                    " only the second, with neither; cards are dealt at random, so they differ in"
                    " nothing else. Where all cards just add up there is nothing to show. That"
                    " one card <em>beats</em> another says that it does better against it than the"
                    " two cards by themselves explain; it may still lose more often than it wins."
                )
            ),
            Text(
                Markup(
                    "The largest of many measured effects are large by luck as well. So each is"
                    " shrunk towards zero by as much as all pairs together teach, and of the pairs"
                    " that are shown at most 5% are expected to be there by luck (Benjamini"
                    " and Hochberg)."
                )
            ),
            *(block for name in SIDES for block in _side(name, tables[name], shown[name], n_games)),
            Text(
                Markup(
                    "The files hold the pairs that are shown; all are in <code>tables/</code> of"
                    " the run."
                ),
                hint=True,
            ),
            Terms([("beyond the cards", Markup(beyond)), *meanings], summary="What the words mean"),
        ],
        [
            Text(
                "What two cards do beyond what each does by itself, shrunk towards zero: the"
                " strongest of the pairs that are shown, dealt to one player and one against the"
                " other."
            ),
            Figures.of("card_pairs", "card_matchups"),
            Grid.of(brief.PAIRS, strongest, ""),
        ],
    )


def _side(name: str, table: pd.DataFrame, shown: pd.DataFrame, n_games: int) -> Iterator[Block]:
    """Pairs on one side, or on opposing sides: their chart, and the strongest by policy."""
    yield Heading(_TITLES[name])
    yield Figures.of(name)
    policies = list(table["policy"].unique())
    for policy in policies:
        every, mine = (pairs[pairs["policy"] == policy] for pairs in (table, shown))
        whose = f" ({policy})" if len(policies) > 1 else ""
        n_shown, n_pairs = count(len(mine)), count(len(every))
        yield Text(f"{n_shown} of {n_pairs} pairs are shown{whose}. {power_text(every, n_games)}")
        strongest = mine.head(MOST_ROWS)
        if len(strongest):
            most = f"The {MOST_ROWS} strongest. " if len(strongest) == MOST_ROWS else ""
            hint = Markup("{}In percentage points of win rate, with {} intervals.")
            yield Text(hint.format(most, level()), hint=True)
            yield Grid.of(rows.PAIRS, strongest, f"{_TITLES[name]}{whose}")
    yield Downloads.of(name)
