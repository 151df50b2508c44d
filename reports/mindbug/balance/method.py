"""The sections on how numbers are found and what they mean in the report of a run of Mindbug."""

from markupsafe import Markup

from analysis.mindbug.selections import MEASURES, SCORE, SELECTIONS
from analysis.verdicts import VERDICTS
from reports.balance.report import Report
from reports.balance.sections import Downloads, Grid, Section, Tab, Terms, Text
from reports.kit.page import with_code
from reports.kit.stopping_text import rule_text
from reports.mindbug.balance import rows


def tab(report: Report) -> Tab:
    """The tab, with its sections in their order."""
    sections = [_method(report), _definitions(), _open_points(report), _run(report)]
    return Tab("Method", sections)


def _method(report: Report) -> Section:
    """How the numbers are found."""
    band = f"{100 * report.tables['cards']['band'].iloc[0]:g} percentage points"
    rule = rule_text(report.run.manifest)
    return Section(
        "method",
        "Method",
        [
            Text(
                Markup(
                    "The game is the unit of independence: where both players of a game, or several"
                    " plays, enter one rate, its variance is that of a ratio estimator clustered by"
                    " game, and its interval is Wilson's with the effective sample size. A verdict"
                    " is where the interval of the advantage of being dealt a card lies beside a"
                    " band of {} around zero: above, below or inside it, and otherwise the card"
                    " needs more games; these intervals hold for all cards together. What a"
                    " keyword does comes from an experiment, with the cards of the"
                    " pool taken as fixed; what is observed of cards that carry it, from a"
                    " least-squares regression on the differences between the two players of a"
                    " game, with standard errors that allow for unequal variances. The full account"
                    " with sources is in the file <code>docs/methods.md</code> of fairdeal."
                ).format(band)
            ),
            *([Text(rule)] if rule else []),
        ],
        (),
    )


def _definitions() -> Section:
    """What the words mean."""
    selections = [
        (
            one.name,
            Markup('The player-games in which {}. <span class="reading">{}</span>').format(
                with_code(one.definition), with_code(one.reading)
            ),
        )
        for one in SELECTIONS
    ]
    return Section(
        "definitions",
        "Definitions",
        [
            Text(
                Markup(
                    "A <em>player-game</em> is one player in one game. {} A <em>selection</em>"
                    " picks player-games by what happened to a card; a player counts once per game"
                    " and selection, however many copies."
                ).format(SCORE)
            ),
            Terms(
                [
                    *selections,
                    *((name, with_code(meaning)) for name, meaning in MEASURES.items()),
                    *((word, f"Verdict: {meaning}.") for word, meaning in VERDICTS.items()),
                ]
            ),
        ],
        (),
    )


def _open_points(report: Report) -> Section:
    """How often questions came up that the rules leave open."""
    return Section(
        "open-points",
        "Open points of the rules",
        [
            Text(
                Markup(
                    "The rules leave some questions open, and the simulation had to choose an"
                    " answer. This is how often each of those that it watches for came up; that one"
                    " came up does not say that another answer would have changed the game. Section"
                    " 17 of the file <code>docs/rules.md</code> of fairdeal has all questions,"
                    " with the answers that were possible; some can be answered the other way with"
                    " the option in the table."
                )
            ),
            Grid.of(rows.OPEN_POINTS, report.tables["open_points"], "Table of open points"),
            Downloads.of("open_points"),
        ],
        (),
    )


def _run(report: Report) -> Section:
    """What was played; Markdown says it at its end."""
    return Section("run", "The run", [Terms(report.facts)], ())
