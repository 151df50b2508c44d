"""What the page of a verdict on a card shows."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pandas as pd

from analysis.mindbug.experiments.verdict import FOLDER, Evidence
from analysis.mindbug.experiments.verdict_tables import VERDICT_TABLES, verdict_tables
from analysis.mindbug.replays import replays
from card_data.mindbug.language.formatter import format_cards
from card_data.mindbug.schema import CardSet
from card_data.mindbug.variants import with_card
from reports.balance.sections import (
    Block,
    Downloads,
    Figures,
    Grid,
    Heading,
    Rendered,
    Section,
    Text,
)
from reports.kit.cells import Cell, Column, Ground, estimate, number, word
from reports.kit.verdicts import kind_of, settled
from reports.kit.words import bare_percent, count, percent, points
from reports.mindbug import run_text
from reports.mindbug.balance.card_pages import end_of_story, faces_of
from reports.mindbug.explain.experiments import experiments_of_run
from reports.mindbug.explain.tables import explained
from reports.mindbug.explain.text import AVERAGE, GOES_WITH, OBSERVED
from reports.mindbug.run_text import called
from reports.mindbug.verdict import text
from reports.mindbug.verdict.charts import CHARTS
from reports.mindbug.verdict.text import CardWords
from reports.verdict.page import (
    PROPOSAL_FILE,
    Columns,
    Verdict,
    stories_of,
    told,
)
from reports.verdict.words import shown_changes

_POINTS = partial(points, digits=1)
_WIN_RATES, _DIFFERENCES = Ground(partial(percent, digits=0), 0.5), Ground(_POINTS)


class CardVerdict(Verdict):
    """A verdict on a card."""

    charts, lead, kind, registry = CHARTS, "place", FOLDER, VERDICT_TABLES
    evidence: Evidence
    words: CardWords

    def __init__(self, evidence: Evidence) -> None:
        super().__init__(evidence, CardWords(verdict_tables(evidence)), evidence.run)

    @property
    def played(self) -> str:
        """One line that says what was played."""
        return text.describe(self.evidence.manifest)

    @property
    def caption(self) -> str:
        """What stands under a chart."""
        manifest = self.evidence.manifest
        return run_text.caption(text.describe(manifest, most_sets=1), manifest)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What was played, with everything needed to play it again."""
        return _facts(self.evidence)

    @property
    def proposal(self) -> str | None:
        """The card file with the proposed change."""
        from analysis.mindbug.experiments.rebalance import changed_cards

        if self.evidence.proposal is None:
            return None
        pool = self.evidence.case.pool
        cards = changed_cards(pool, with_card(pool, self.evidence.proposal.made))
        return format_cards(CardSet(Path(PROPOSAL_FILE).stem, "Proposal", tuple(cards)))

    def sections(self) -> list[Section]:
        """The card, why, changes, pairs, games."""
        evidence, words, tables = self.evidence, self.words, self.words.tables
        return [
            Section("card", "The card", _card(evidence, words)),
            Section("why", "Why", _why(evidence, tables)),
            Section("changes", "Changes", _changes(words)),
            Section("pairs", "With and against", _pairs(tables["verdict_pairs"])),
            Section("games", "Games", _games(evidence, tables["verdict_games"])),
            Section("method", "Method", [Text(paragraph) for paragraph in _METHOD]),
        ]


def _card(evidence: Evidence, words: CardWords) -> list[Block]:
    """What is printed on it, and the verdict of each player."""
    case, column = evidence.case, Columns(VERDICT_TABLES["verdict"].columns, called)
    card_set = next(one for one in case.pool.sets if case.card in one.cards)
    columns = [
        column.player("Players"),
        column.of("Won when dealt it, %", "win_rate", _rate, ground=_WIN_RATES),
        column.verdict(),
        column.count("n", "n"),
        column.count("Games", "n_games"),
    ]
    return [
        Rendered("faces.html", lambda: {"faces": faces_of(case.card, card_set, case.pool)}),
        Grid.of(columns, words.tables["verdict"], "Table of players", "sortable"),
        Downloads.of("verdict", "verdict_place"),
    ]


def _rate(row: pd.Series) -> Cell:
    low, high = (row[f"win_rate_ci_{end}"] for end in ("low", "high"))
    return number(row["win_rate"], low, high, bare_percent)


def _share(row: pd.Series, column: str) -> Cell:
    return Cell(bare_percent(row[column]), row[column])


def _why(evidence: Evidence, tables: Mapping[str, pd.DataFrame]) -> list[Block]:
    """The card taken apart, and what became of it."""
    kinds = ["value", "remove_keyword", "remove_line", "remove_all"]
    table = tables["sensitivity"]
    mine = table[(table["measure"] == "dealt") & table["kind"].isin(kinds)]
    mine = mine.sort_values("kind", key=lambda kind: kind.map(kinds.index), kind="stable")
    column = Columns(_sensitivity())
    columns = [
        column.name("Changed", "label"),
        column.of("Before, %", "base", partial(_share, column="base")),
        column.of("After, %", "variant", partial(_share, column="variant")),
        column.of("Difference, points", "difference", _worth, ground=_DIFFERENCES),
        column.count("n", "n"),
    ]
    run, card_id = evidence.run, evidence.case.card.card_id
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


def _sensitivity() -> Mapping[str, str]:
    from analysis.mindbug.registry import TABLES

    return TABLES["sensitivity"].columns


def _worth(row: pd.Series) -> Cell:
    kind = kind_of(row, "difference")
    return estimate(row, "difference", _POINTS)._replace(kind=kind)


def _changes(words: CardWords) -> list[Block]:
    """What was tried."""
    column = Columns(VERDICT_TABLES["verdict_changes"].columns, called)
    columns = [
        column.name("Change", "change"),
        column.count("Size", "amount"),
        column.tried("fresh deals"),
        column.of("Won when dealt it, %", "win_rate", _rate, ground=_WIN_RATES),
        column.of(
            "Difference, points", "difference", lambda row: estimate(row, "difference", _POINTS)
        ),
        column.verdict(),
        column.count("n", "n"),
    ]
    shown = shown_changes(words.tables["verdict_changes"])
    return [
        Figures.of("changes"),
        Grid.of(columns, shown, "Table of changes", "sortable"),
        Text(f"Size: a step of power counts 1, a keyword 2. {words.left_out(shown)}", hint=True),
        Downloads.of("verdict_changes"),
    ]


def _pairs(table: pd.DataFrame) -> list[Block]:
    """Other cards with which it does more or less."""
    column = Columns(VERDICT_TABLES["verdict_pairs"].columns)
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
        column.of(
            "Beyond that, points",
            "shrunk",
            lambda row: estimate(row, "shrunk", _POINTS),
            ground=_DIFFERENCES,
        ),
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


def _games(evidence: Evidence, table: pd.DataFrame) -> list[Block]:
    """Games that came out otherwise, from the turn on which the card was played."""
    if table.empty:
        return []
    found = replays(evidence.run, evidence.case.pool, table["game"])
    stories = [
        story._replace(lines=end_of_story(game.lines, turn))
        for story, game, turn in zip(
            stories_of(evidence.run.folder, table, text.game_text),
            found,
            table["turn_played"],
            strict=True,
        )
    ]
    return [told(stories), Downloads.of("verdict_games")]


_METHOD = (
    "Cards are dealt at random, so players who were dealt the card differ from the others in this"
    " card alone. Equals play each other: an average card wins half of its games. The verdict is"
    " where the interval of the win rate lies beside the band: one card is asked about, so the"
    " interval is its own.",
    "Changes are played on the same deals with the same luck, in games in which somebody is dealt"
    " the card. From the smallest size on, every change of power and keywords of that size is"
    " tried that makes the card weaker if it is too strong, and stronger if it is too weak. All"
    " play a few games; the nearest of those that may do play more. The search ends at the size at"
    " which one is seen to be well inside the band, or at six steps of power. A change is left out"
    " if its steps would not reach the band even if together they did twice what they do one by"
    " one. Text, copies and dice are not changed.",
    "The changes that most likely do are played once more on fresh deals, which had no part in"
    " choosing them; their intervals and verdicts hold together, since one of them is proposed.",
    "A game that came out otherwise is won with the card and lost with an average card in its"
    " place, or the reverse. Most do so by chance: what another card does changes all that follows."
    " Those told are the ones that ended soonest after it was played: they show how"
    " it plays, and neither how often nor what decided. The full account with sources is in the"
    " file docs/methods.md of fairdeal.",
)


def _facts(evidence: Evidence) -> list[tuple[str, str]]:
    """What was played."""
    case, manifest = evidence.case, evidence.manifest
    played = [f"{count(games)} by {player}" for player, (_, games) in case.players.items()]
    tried = f"{count(case.tried_games)} with each change, only such in which the card is dealt"
    if any(one.fresh for one in evidence.tried):
        tried += f"; {count(case.fresh_games)} fresh ones with each that most likely does"
    return [
        ("Sets", run_text.describe_sets(manifest)),
        ("Games", f"{' and '.join(played)}; {tried}"),
        ("Seed", f"{case.seed}; {case.fresh_seed} for fresh deals"),
        ("Rules version", str(manifest["rules_version"])),
        ("Pool", f"SHA-256 {manifest['pool_hash']}"),
        *run_text.weights_of(manifest),
        ("Versions", run_text.versions_of(manifest)),
    ]
