"""Luck and skill of Mice & Mystics in words and charts."""

from collections.abc import Callable, Mapping

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import Charts
from reports.kit.words import DOT, bare_percent, count, listed
from reports.mice_and_mystics.run_text import caption_of, changed_settings, party_text, played_facts
from reports.skill.charts import luck_chart, players_chart
from reports.skill.text import Skill

#: What the parts of the variance are called in a legend.
SOURCE_NAMES = {
    "player": "who plays",
    "party": "the party",
    "deal": "the cards dealt",
    "dice": "the dice",
    "course": "the course of the game",
}

#: The charts of this module by the names of their files.
SKILL_CHARTS = Charts(TABLES)
plot_players = players_chart(
    *(SKILL_CHARTS, "win_rate", "win_rate_gain", "wins", "games won"),
    "the same deals for all; gained: points more than the player below",
)
plot_luck = luck_chart(
    *(SKILL_CHARTS, "win_rate", SOURCE_NAMES),
    "shares of the variance of winning; players whose games all end alike are left out",
)
plot_luck_of_score = luck_chart(
    *(SKILL_CHARTS, "score", SOURCE_NAMES),
    "shares of the variance of the score: rooms entered, and more for a win",
)


class ChapterSkill(Skill):
    """Players of a chapter who are compared."""

    charts = SKILL_CHARTS
    rate, gain, comes_off, heading = "win_rate", "win_rate_gain", "wins {}", "wins"
    of, decides, most = "winning", "who wins", "wins most: {} of the games"
    measures: Mapping[str, tuple[str, Callable[[float], str]]] = {
        "win_rate": ("winning", bare_percent),
        "score": ("score", "{:.2f}".format),
    }
    sources = SOURCE_NAMES
    dealt: Mapping[str, str] = {
        "party": "the party that is drawn decides",
        "deal": "the order of the decks and the starting abilities decide",
    }
    lucky: Mapping[str, str] = {"party": "a party", "deal": "a deal of cards"}
    shares: Mapping[str, str] = {
        "party": "the party",
        "deal": "the cards dealt",
        "dice": "dice and draws at least",
    }
    chance = (
        "dice",
        "Dice and draws decide at least {}, whatever the players do.",
    )
    rest = (
        "course",
        "The remaining {} is the course of the game, in which small choices lead to other dice.",
    )
    nothing = "All games ended alike, so luck can only be seen in the score."
    how_skill = (
        "Every player plays the same deals, so the differences between them are due to how they"
        " play."
    )
    how_luck = (
        "The <em>party</em> is drawn. <em>Cards dealt</em> are the order of both decks and the"
        " starting abilities. <em>Dice</em> are rolls and draws that have the same effect"
        " whatever the players do; this is the least that dice decide. The <em>course of the"
        " game</em> is"
        " the rest: a choice between equally good moves changes what the next dice are rolled for."
    )
    hint = (
        "Score: rooms of the route entered; for a win 1 more, and the share of all pages that was"
        " left."
    )
    spread = "in percentage points of the win rate or in points of the score"
    method = (
        "Dice come from one sequence of numbers, so games with the same chance meet the same dice"
        " for as long as they stay alike. The first replay of deal <em>i</em> is game <em>i</em> of"
        " <code>simulate</code> with this seed. What chance and player share cannot be divided"
        " further: a die that is rolled for another attack is another die."
    )

    @property
    def subject(self) -> str:
        """The chapter."""
        return str(self.manifest["chapter_name"])

    @property
    def played(self) -> str:
        """One line that says what was played."""
        changed = changed_settings(self.manifest)
        settings = [listed(changed)] if changed else []
        return DOT.join([self.subject, party_text(self.manifest), *settings, *self.who])

    @property
    def caption(self) -> str:
        """What stands under a chart."""
        return caption_of(self.played, self.manifest)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What was played, with everything needed to play it again."""
        return [
            *played_facts(self.manifest),
            ("Players", ", ".join(self.manifest["players"])),
            ("Games", f"{count(self.manifest['games'])} of each player"),
        ]
