"""The sections on how games go in the report of a run of Mindbug."""

from markupsafe import Markup

from analysis.mindbug.selections import OBSERVED
from reports.balance.report import Report
from reports.balance.sections import Downloads, Figures, Grid, Heading, Section, Tab, Text
from reports.mindbug.balance import brief, rows


def tab(report: Report) -> Tab:
    """The tab, with its sections in their order."""
    return Tab(
        "Mechanics",
        [
            _games(),
            _in_a_game(),
            _evolution(report),
            _dice(report),
            _power_cards(report),
            _sets(report),
            _numbers(report),
        ],
    )


def _games() -> Section:
    """How long games last, and how they end."""
    figures = Figures.of("game_length", "endings")
    return Section("games", "How games go", [figures, Downloads.of("turns", "outcomes")])


def _in_a_game() -> Section:
    """How much there is in a game of what only some pools have."""
    return Section(
        "in-a-game",
        "In a game",
        [
            Text(
                Markup(
                    "How much there is in a game of what only some sets have. The means with their"
                    ' intervals are among <a href="#numbers">all numbers</a>.'
                )
            ),
            Figures.of("per_game"),
            Downloads.of("per_game"),
        ],
        [Figures.of("per_game")],
    )


def _evolution(report: Report) -> Section:
    """How far cards evolve, and who wins then."""
    return Section(
        "evolution",
        "Evolution",
        [
            Text("How far the cards that can evolve came, of all that were dealt."),
            Figures.of("stage_shares"),
            Text(
                "How often the player won who had brought the card into play, by playing it or"
                f" taking it with a Mindbug. This is {OBSERVED}; it is not what evolving is worth."
            ),
            Figures.of("stage_win_rates"),
            Heading("All numbers by stage"),
            Text(
                "In per cent with their intervals. Dealt: win rate of the player to whom the card"
                " was dealt, whoever controlled it; entered: of the player who played it or took it"
                " with a Mindbug.",
                hint=True,
            ),
            Grid.of(rows.STAGES, report.tables["stages"], "Table of evolution"),
            Downloads.of("stages"),
        ],
        [
            Text(f"Who brought it so far is {OBSERVED}."),
            Figures.of("stage_shares", "stage_win_rates"),
        ],
    )


def _dice(report: Report) -> Section:
    """What the dice show."""
    told = [finding.text for finding in report.findings if finding.topic == "Dice"]
    return Section(
        "dice",
        "Dice",
        [
            Text(" ".join(told)),
            Figures.of("dice"),
            Grid.of(rows.DICE, report.tables["dice"], "Table of dice"),
            Downloads.of("dice"),
        ],
        [Figures.of("dice")],
    )


def _power_cards(report: Report) -> Section:
    """Who wins with a power card."""
    power_cards = report.tables["power_cards"]
    return Section(
        "power-cards",
        "Power cards",
        [
            Text(
                "How often the players won who bought each power card, free ones included. This is"
                f" {OBSERVED}; it is not what the card is worth."
            ),
            Figures.of("power_cards"),
            Heading("All numbers by power card"),
            Text("In per cent with their intervals.", hint=True),
            Grid.of(rows.POWER_CARDS, power_cards, "Table of power cards"),
            Downloads.of("power_cards"),
        ],
        [
            Text(f"Who won with a power card is {OBSERVED}."),
            Figures.of("power_cards"),
            Grid.of(brief.POWER_CARDS, power_cards),
        ],
    )


def _sets(report: Report) -> Section:
    """What cards of a set are worth against those of the others."""
    sets = report.tables["sets"]
    return Section(
        "sets",
        "Sets",
        [
            Text(
                "By how much the win rate differs when one of a player's ten cards comes from this"
                " set instead of from one of the others. Cards are dealt at random, so this"
                " compares like with like; it does not say what it is about the cards."
            ),
            Figures.of("set_effects"),
            Text(
                "Win rates in per cent with their intervals; a player counts once for each card of"
                " the set.",
                hint=True,
            ),
            Grid.of(rows.SETS, sets, "Table of sets"),
            Downloads.of("sets"),
        ],
        [
            Text(
                "By how much the win rate differs when one of a player's ten cards comes from this"
                " set instead of another."
            ),
            Figures.of("set_effects"),
            Grid.of(brief.SETS, sets),
        ],
    )


def _numbers(report: Report) -> Section:
    """Everything that is one number."""
    summary = report.tables["summary"]
    return Section(
        "numbers",
        "All numbers",
        [Grid.of(rows.SUMMARY, summary, "Table of numbers", "plain"), Downloads.of("summary")],
        [Grid.of(brief.SUMMARY, summary)],
    )
