"""The sections of the report of a run of Mindbug, in their order: what stands in each.

A section says what the page shows, and with ``brief`` what Markdown shows where that is less.
Nothing is estimated here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pandas as pd
from markupsafe import Markup

from analysis.confidence import confidence_said
from analysis.experiments.comparison import Comparison
from analysis.mindbug.experiments.keyword_experiment import KEYWORDS_FOLDER
from analysis.mindbug.experiments.skill_panel import WHOSE_CARD
from analysis.mindbug.runs import Run
from analysis.mindbug.selections import (
    KEYWORDS_OBSERVED,
    SEATS,
    SKILL_CHANGE,
    SKILL_VERDICTS,
)
from analysis.panel import PANEL_VERDICTS
from reports.balance.report import Report
from reports.balance.sections import (
    Block,
    Downloads,
    Figures,
    Grid,
    Heading,
    Rendered,
    Section,
    Tab,
    Terms,
    Text,
)
from reports.compare.text import describe_comparison, most_changed
from reports.kit.page import with_code
from reports.kit.words import DOT, level
from reports.mindbug import run_text
from reports.mindbug.balance import brief, mechanics, method, rows
from reports.mindbug.balance import text as wording
from reports.mindbug.balance.card_links import CardLinks
from reports.mindbug.balance.pair_page import pair_section
from reports.mindbug.balance.panel_text import panel_text
from reports.mindbug.balance.stories import pages_of_cards
from reports.mindbug.balance.strong import strong_sections
from reports.mindbug.compare.page import card_groups
from reports.mindbug.compare.text import before_findings
from reports.mindbug.explain.text import GOES_WITH, OBSERVED
from reports.mindbug.luck import luck_sections
from simcore.commands import command


def tabs(
    report: Report,
    run: Run,
    before: Comparison | None,
    own: Mapping[str, str],
    on_telling: Callable[[], object] | None = None,
) -> list[Tab]:
    """The tabs of the page, and the sections of all formats.

    ``own`` is what `own_cards` says of the pool.
    """
    compared = [] if before is None else [_before(before)]
    skill = [_panel(report)] if "card_panel" in report.tables else []
    skill += [_skill(report)] if "skill_cards" in report.tables else []
    luck = [*luck_sections(report)]
    return [
        Tab("Compared", compared),
        Tab("Cards", [*strong_sections(report), _cards(report, own)]),
        Tab("Keywords", [_keywords(report), *_keywords_observed_in_brief(report)]),
        Tab("Mindbugs", [_mindbugs(report)]),
        Tab("Going first", [_first_player(report)]),
        mechanics.tab(report),
        Tab("Luck and skill" if luck else "Skill", [*luck, *skill]),
        Tab("Pairs", [pair_section(report.tables, report.run.manifest["games"])]),
        method.tab(report),
        Tab("Card by card", [_card_by_card(run, report.tables, on_telling)], whole=True),
    ]


def _before(comparison: Comparison) -> Section:
    """What differs from an earlier run."""
    base = comparison.base
    played = f"{run_text.describe_sets(base.manifest)}{DOT}{describe_comparison(comparison)}"
    findings = before_findings(comparison)
    hint = Markup(
        "Before and after are in per cent, differences in percentage points with"
        f" {level()} intervals. A coloured difference has an interval without 0; point at one to"
        " see its verdict."
    )
    lines = comparison.table[
        (comparison.table["kind"] == "card") & (comparison.table["measure"] == "dealt")
    ]
    return Section(
        "before",
        f"Compared with {base.folder.resolve().name}",
        [
            Text(
                f"An earlier run: {played}. Each difference is more, less, the same within the"
                " band, or not settled, with the number of games still needed; the intervals are"
                " corrected for all numbers compared."
            ),
            Terms(findings, "findings"),
            Figures.of("changes"),
            *(
                block
                for group in card_groups(comparison)
                for block in (
                    Heading(f"All cards of both runs{group['whose']}"),
                    Text(hint, hint=True),
                    Grid(
                        group["columns"],
                        group["rows"],
                        f"Table of differences{group['whose']}",
                        "sortable",
                    ),
                )
            ),
            Downloads.of("comparison"),
        ],
        [
            Text(f"An earlier run, {played}."),
            Terms(findings, "findings"),
            *(
                Grid.of(brief.DIFFERENCES, most_changed(mine))
                for _, mine in lines.groupby("policy", sort=False)
            ),
            Figures.of("changes"),
        ],
    )


def _cards(report: Report, own: Mapping[str, str]) -> Section:
    """All cards, a designer's own on top, and those that are too strong or too weak."""
    cards, sets = rows.with_others(report.tables), report.tables["sets"]
    names = dict(zip(sets["set_id"], sets["name"], strict=True))
    ranked = cards.sort_values(["policy", "dealt_win_rate"], ascending=[True, False], kind="stable")
    return Section(
        "cards",
        "Cards",
        [
            Text(
                Markup(
                    "The fairest measure of a card is how often players win who were"
                    " <em>dealt</em> it, drawn or not: cards are dealt at random, so these players"
                    " differ from others in nothing else. Win rates are in per cent with their"
                    f" {level()} intervals, which the lines draw; those of Dealt and Advantage hold"
                    " for all cards together. The shaded band is fair. Point at a number for its n,"
                    " at a heading for its meaning; press"
                    " a name for all that is known about the card."
                ),
                how=True,
            ),
            Grid.of(
                rows.card_columns(cards, names, own),
                rows.own_first(cards, own),
                "Table of cards",
                "sortable",
            ),
            Downloads.of("cards"),
            *_outliers(cards),
            Heading("What goes with the strength of a card"),
            Text(
                "The advantage of the cards furthest from average in parts that add up to it: how"
                " often, against the average card, it was drawn, played, defeated or taken, and how"
                f" those games went. {OBSERVED} The page of a card that is not"
                f" fair has all its parts, and the commands of the experiments. {GOES_WITH}",
                how=True,
            ),
            Figures.of("card_parts"),
            Downloads.of("card_parts"),
        ],
        [
            Text(
                "How often players won who were dealt the card, drawn or not: cards are dealt at"
                " random, so these players differ from others in nothing else."
            ),
            Figures.of("card_strength"),
            Grid.of(brief.CARDS, ranked),
            Figures.of("card_parts"),
        ],
    )


def _outliers(cards: pd.DataFrame) -> Iterator[Block]:
    """A few sentences on each card that is too strong or too weak, by policy."""
    links, several = CardLinks(cards), cards["policy"].nunique() > 1
    for policy, mine in cards.groupby("policy", sort=False):
        yield Heading(f"Cards that are too strong or too weak{f' ({policy})' if several else ''}")
        found = links.topics(wording.outliers(mine))
        yield Terms(found, "outliers") if found else Text("None.")


def _keywords(report: Report) -> Section:
    """What keywords do by experiment, and what is observed of cards that carry them."""
    keywords = report.tables["keywords"]
    effects = report.tables.get("keyword_effects", pd.DataFrame(columns=["policy"]))
    return Section(
        "keywords",
        "Keywords",
        [
            *_keyword_effects(report, effects),
            Text(
                "By how much the win rate differs for each further dealt card that carries the"
                " keyword, at the same total power and the same numbers of cards with other"
                f" keywords. {KEYWORDS_OBSERVED}",
                how=True,
            ),
            Figures.of("keywords_observed"),
            Heading("Win rate by number of cards with a keyword"),
            Text(
                "In per cent with their intervals; a player counts once. More cards with a keyword"
                " are fewer of others: this is how these players did.",
                hint=True,
            ),
            Grid.of(
                rows.keyword_columns(keywords),
                keywords[keywords["dealt_n"] > 0],
                "Table of keywords",
                "sortable",
            ),
            Downloads.of("keywords"),
        ],
        [
            Text(
                "By experiment: each keyword added to each card that lacks it and taken off each"
                " card that has it, one card at a time on the same deals; by how much the win rate"
                " of players dealt the changed card moves, on average over the cards, and how much"
                " that differs from card to card."
            ),
            Figures.of("keyword_effects"),
            Grid.of(brief.KEYWORD_EFFECTS, effects),
        ],
    )


def _keyword_effects(report: Report, effects: pd.DataFrame) -> Iterator[Block]:
    """The experiment on keywords, or that there was none."""
    if effects.empty:
        yield Text(
            Markup(
                "No experiment on keywords was played; <code>fairdeal balance</code> plays one"
                " with <code>--keywords</code>. What follows is observed."
            )
        )
        return
    yield Text(
        "What a keyword does, by experiment: it was added to each card that lacks it and taken off"
        " each card that has it, one card at a time, and the first games of the run were played"
        " again with the same deals and the same luck. Shown is by how much the win rate of players"
        " dealt the changed card moves, on average over the cards; the spread is how much that"
        " differs from card to card, without what luck adds to it.",
        how=True,
    )
    yield Figures.of("keyword_effects")
    hint = Markup(
        "In percentage points with their intervals. Raises, lowers: cards of which that is shown. "
    )
    if command := _keywords_command(report, effects):
        told = "Each card by itself, from the same games: <code>{}</code>"
        hint += Markup(told).format(command)
    yield Text(hint, hint=True)
    yield Grid.of(
        rows.effect_columns(effects), effects, "Table of keywords by experiment", "sortable"
    )
    yield Downloads.of("keyword_effects")
    yield Heading("Cards that carry a keyword, as observed")


def _keywords_command(report: Report, effects: pd.DataFrame) -> str:
    """What tells each card of the experiment on keywords by itself; nothing of two policies."""
    manifest, folder = report.run.manifest, report.run.folder
    if len({*manifest["policies"]}) > 1:
        return ""
    games = effects["n_games"].iloc[0]
    return command(
        *("sensitivity", "all"),
        pool=folder / "pool.toml",
        changes="keywords",
        games=games,
        policy=manifest["policies"][0],
        seed=manifest["seed"],
        confidence=confidence_said(),
        out=folder / KEYWORDS_FOLDER / str(games),
    )


def _keywords_observed_in_brief(report: Report) -> Iterator[Section]:
    """What is observed of keywords has a section of its own in Markdown alone."""
    yield Section(
        "keywords-observed",
        "Cards that carry a keyword, as observed",
        (),
        [
            Text(
                "By how much the win rate differs for each further dealt card that carries the"
                f" keyword, at the same total power. {KEYWORDS_OBSERVED}"
            ),
            Figures.of("keywords_observed"),
            Grid.of(
                brief.KEYWORDS, report.tables["keywords"].drop_duplicates(["keyword", "policy"])
            ),
        ],
    )


def _mindbugs(report: Report) -> Section:
    """Which cards draw Mindbugs."""
    cards = report.tables["cards"]
    by_rate = cards.sort_values("mindbug_rate", ascending=False, kind="stable")
    return Section(
        "mindbugs",
        "Mindbugs",
        [
            Text(
                "How often each card was taken with a Mindbug, among its plays from hand while the"
                " opponent had one.",
                how=True,
            ),
            Figures.of("mindbug_rate"),
            Heading("All cards, by how often a Mindbug takes them"),
            Text(
                "In per cent with their intervals. Taken and lost: win rates of the player who took"
                " it with a Mindbug, and of the one who lost it to one.",
                hint=True,
            ),
            Grid.of(rows.mindbug_columns(cards), by_rate, "Table of Mindbugs", "sortable"),
        ],
        [Figures.of("mindbug_rate")],
    )


def _first_player(report: Report) -> Section:
    """What it is worth to start, and with which cards more or less than with others."""
    seats = report.tables["card_seats"]
    ranked = seats.sort_values(["policy", "gain"], ascending=[True, False], kind="stable")
    return Section(
        "first-player",
        "Going first",
        [
            Figures.of("first_player"),
            Text(
                "The score of the player who starts is in per cent with its interval: a draw counts"
                " one half.",
                hint=True,
            ),
            Grid.of(rows.FIRST_PLAYER, report.tables["first_player"], "Table of going first"),
            Downloads.of("first_player"),
            Heading("Each card, going first and second"),
            Text(SEATS, how=True),
            Figures.of("card_seats"),
            Grid.of(rows.seat_columns(seats), ranked, "Table of cards by seat", "sortable"),
            Downloads.of("card_seats"),
        ],
        [Figures.of("first_player"), Text(SEATS), Figures.of("card_seats")],
    )


def _panel(report: Report) -> Section:
    """What a panel of strong players says."""
    cards, summary = report.tables["card_panel"], report.tables["panel_summary"]
    ranked = cards.sort_values("advantage", ascending=False, kind="stable")
    told = Text(panel_text(cards, summary))
    return Section(
        "panel",
        "A panel of players",
        [
            Text(
                "The strong players among those compared form a panel: a sample of the players who"
                " might play. Each card's mean over them has an interval that holds both sources of"
                " chance: who of them plays, and which cards they were dealt. The verdict is about"
                " another player of this kind: where the interval of their advantage lies beside"
                " the band.",
                how=True,
            ),
            told,
            Figures.of("panel"),
            Terms([*_meanings({**PANEL_VERDICTS, **WHOSE_CARD})]),
            Grid.of(rows.panel_columns(), ranked, "Table of cards by the panel", "sortable"),
            Downloads.of("card_panel", "panel_summary"),
        ],
        [told, Figures.of("panel"), Grid.of(brief.PANEL, ranked)],
    )


def _skill(report: Report) -> Section:
    """How verdicts change with who plays."""
    cards, summary = report.tables["skill_cards"], report.tables["skill_summary"]
    columns = rows.skill_columns(list(summary.sort_values("rung")["policy"]))
    by_change = cards.sort_values(["change", "rung"], ascending=[False, True], kind="stable")
    cells = [
        [column.cell(of_card.set_index("rung")) for column in columns]
        for _, of_card in by_change.groupby("card_id", sort=False)
    ]
    told = Text(wording.skill_text(cards, summary))
    return Section(
        "skill",
        "Skill",
        [
            Text(
                "The same cards between players of different skill. In each comparison both players"
                " are equals, so this asks how players of that kind fare who are dealt a card, not"
                " who beats whom.",
                how=True,
            ),
            told,
            Figures.of("skill"),
            Terms([*_meanings(SKILL_VERDICTS), ("change", with_code(f"{SKILL_CHANGE}."))]),
            Heading("All cards, by who plays"),
            Text(
                "Advantages and changes in percentage points, Mindbug rates in per cent, with their"
                " intervals.",
                hint=True,
            ),
            Grid(columns, cells, "Table of cards by who plays", "sortable"),
            Heading("Games, by who plays"),
            Figures.of("skill_games"),
            Text("Means in a game, draws in per cent, with their intervals.", hint=True),
            Grid.of(
                rows.SKILL_SUMMARY,
                summary.sort_values("rung"),
                "Table of games by who plays",
            ),
            Downloads.of("skill_cards", "skill_summary"),
        ],
        [
            told,
            Figures.of("skill", "skill_games"),
            Grid.of(
                brief.SKILL,
                cards.sort_values(
                    ["change", "card_id", "rung"], ascending=[False, True, True], kind="stable"
                ),
            ),
        ],
    )


def _meanings(words: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Words and what they mean, as sentences."""
    return ((word, with_code(f"{meaning}.")) for word, meaning in words.items())


def _card_by_card(
    run: Run, tables: Mapping[str, pd.DataFrame], on_telling: Callable[[], object] | None
) -> Section:
    """What is known of each card by itself, in the page alone."""

    def values() -> dict[str, Any]:
        return {"by_card": pages_of_cards(run, tables, on_telling)}

    hint = Markup(
        f"Win rates with their {level()} intervals as lines; the thin line is the average of all"
        " cards."
    )
    blocks: list[Block] = [Text(hint, hint=True), Rendered("cards.html", values)]
    return Section("card-by-card", "Card by card", blocks, ())
