"""What the page of a verdict on a card shows."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.mindbug.experiments.verdict import Experiment
from analysis.mindbug.experiments.verdict_tables import VERDICT_TABLES, verdict_tables
from analysis.mindbug.registry import TABLES
from analysis.mindbug.replays import replays
from analysis.questions.smallest_change import Plan
from card_data.mindbug.language.formatter import format_cards
from card_data.mindbug.schema import CardSet
from card_data.mindbug.variants import with_card
from reports.balance.sections import Block, Downloads, Grid, Heading, Rendered, Section, Text
from reports.kit.cells import Cell, Column, Ground, estimate, word
from reports.kit.verdicts import kind_of, settled
from reports.kit.words import DOT, bare_percent, games, points
from reports.mindbug import run_text
from reports.mindbug.balance.card_pages import end_of_story, faces_of
from reports.mindbug.explain.experiments import experiments_of_run
from reports.mindbug.explain.tables import explained
from reports.mindbug.explain.text import AVERAGE, GOES_WITH, OBSERVED
from reports.mindbug.verdict import text
from reports.mindbug.verdict.charts import CHARTS
from reports.mindbug.verdict.text import CardWords
from reports.verdict.page import PROPOSAL_FILE, Columns, Story, Verdict, stories_of


class CardVerdict(Verdict):
    """A verdict on a card."""

    charts, lead, registry = CHARTS, "place", VERDICT_TABLES
    heading = "Won when dealt it, %"
    size = "Size: a step of power counts 1, a keyword 2."
    only = ", only such in which the card is dealt"
    method = (
        "Cards are dealt at random, so players who were dealt the card differ from the others in"
        " this card alone. Equals play each other: an average card wins half of its games. The"
        " verdict is where the interval of the win rate lies beside the band: one card is asked"
        " about, so the interval is its own.",
        "Every change of power and keywords is tried that makes the card weaker if it is too"
        " strong, and stronger if it is too weak. Text, copies and dice are not changed.",
    )
    experiment: Experiment

    def __init__(self, experiment: Experiment) -> None:
        super().__init__(experiment, CardWords(verdict_tables(experiment)))

    @property
    def played(self) -> str:
        """One line that says what was played."""
        case, said = self.experiment.case, text.describe(self.experiment.manifest, self.who_played)
        if not case.strong_games:
            return said
        return (
            f"{said}{DOT}{games(case.strong_games)} with the card by {run_text.called(case.strong)}"
        )

    @property
    def caption(self) -> str:
        """What stands under a chart."""
        manifest = self.experiment.manifest
        return run_text.caption(text.describe(manifest, self.who_played, most_sets=1), manifest)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What was played."""
        case, manifest = self.experiment.case, self.experiment.manifest
        return [
            ("Sets", run_text.describe_sets(manifest)),
            ("Seed", f"{case.seed}; {case.fresh_seed} for fresh deals"),
            ("Rules version", str(manifest["rules_version"])),
            ("Pool", f"SHA-256 {manifest['pool_hash']}"),
            *run_text.weights_of(manifest),
            ("Versions", run_text.versions_of(manifest)),
        ]

    def written(self, plan: Plan[Any]) -> str:
        """The card file with a change."""
        from analysis.mindbug.experiments.rebalance import changed_cards

        pool = self.experiment.case.pool
        cards = changed_cards(pool, with_card(pool, plan.made))
        return format_cards(CardSet(Path(PROPOSAL_FILE).stem, "Proposal", tuple(cards)))

    def sections(self) -> tuple[list[Section], list[Section]]:
        """The card, and why; with and against."""
        case, tables = self.experiment.case, self.words.tables
        card_set = next(one for one in case.pool.sets if case.card in one.cards)
        faces = Rendered("faces.html", lambda: {"faces": faces_of(case.card, card_set, case.pool)})
        card: list[Block] = [faces, self.players(), Downloads.of("verdict", "verdict_place")]
        why = _why(self.experiment, tables)
        pairs = _pairs(self.columns("verdict_pairs"), tables["verdict_pairs"])
        before = [Section("card", "The card", card), Section("why", "Why", why)]
        return before, [Section("pairs", "With and against", pairs)]

    def of_changes(self, column: Columns) -> list[Column]:
        """How often the card was dealt."""
        return [column.count("With it", "n")]

    def stories(self, table: pd.DataFrame) -> list[Story]:
        """Games that came out otherwise, from the turn on which the card was played."""
        found = replays(self.run, self.experiment.case.pool, table["game"])
        return [
            story._replace(lines=end_of_story(game.lines, turn))
            for story, game, turn in zip(
                stories_of(self.run.folder, table, text.game_text),
                found,
                table["turn_played"],
                strict=True,
            )
        ]


def _why(experiment: Experiment, tables: Mapping[str, pd.DataFrame]) -> list[Block]:
    """The card taken apart, and what became of it."""
    kinds = ["value", "remove_keyword", "remove_line", "remove_all"]
    table = tables["sensitivity"]
    mine = table[(table["measure"] == "dealt") & table["kind"].isin(kinds)]
    mine = mine.sort_values("kind", key=lambda kind: kind.map(kinds.index), kind="stable")
    column = Columns(TABLES["sensitivity"].columns)
    columns = [
        column.name("Changed", "label"),
        column.of("Before, %", "base", partial(_share, column="base")),
        column.of("After, %", "variant", partial(_share, column="variant")),
        column.of("Difference, points", "difference", _worth, ground=Ground(points)),
        column.count("n", "n"),
    ]
    run, card_id = experiment.run, experiment.case.card.card_id
    parts = partial(
        explained, tables["card_parts"], AVERAGE, partial(experiments_of_run, run, card_id)
    )
    return [
        Heading("By experiment"),
        Grid.of(columns, mine, "Table of worth", "sortable"),
        Text(
            "The same deals with the same luck, one thing changed. The intervals are corrected for"
            " their number.",
            hint=True,
        ),
        Heading("As observed"),
        Rendered("parts.html", lambda: {"card": parts()}),
        Text(f"{OBSERVED} {GOES_WITH}", hint=True),
    ]


def _share(row: pd.Series, column: str) -> Cell:
    return Cell(bare_percent(row[column]), row[column])


def _worth(row: pd.Series) -> Cell:
    kind = kind_of(row, "difference")
    return estimate(row, "difference", points)._replace(kind=kind)


def _pairs(column: Columns, table: pd.DataFrame) -> list[Block]:
    """Other cards with which it does more or less."""
    columns: list[Column] = [
        column.name("Other card", "name_b"),
        column.of(
            "Whose",
            "opposed",
            lambda row: word("opponent has it" if row["opposed"] else "on the same side"),
            kind="word",
        ),
        column.of("Won, %", "win_rate", partial(_share, column="win_rate")),
        column.of("Expected, %", "expected", partial(_share, column="expected")),
        column.estimate("Beyond that, points", "shrunk", ground=Ground(points)),
        column.count("n", "n"),
    ]
    shown = settled(table, "interaction")
    grid = [Grid.of(columns, shown, "Table of pairs", "sortable")] if len(shown) else []
    return [
        Text(" ".join(text.pairs_text(table))),
        *grid,
        Text(
            "Expected: from what the two cards do by themselves. Effects are shrunk towards zero.",
            hint=True,
        ),
        Downloads.of("verdict_pairs"),
    ]
