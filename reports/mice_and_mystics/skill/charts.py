"""The charts of luck and skill, from `analysis.mice_and_mystics.experiments.skill`."""

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import Charts
from reports.skill.charts import luck_chart, players_chart

#: What the parts of the variance are called in a legend.
SOURCE_NAMES = {
    "player": "who plays",
    "party": "party",
    "deal": "cards dealt",
    "dice": "dice",
    "course": "course of the game",
}

#: The charts of this module by the names of their files.
SKILL_CHARTS = Charts(TABLES)
plot_players = players_chart(
    *(SKILL_CHARTS, "win_rate", "win_rate_gain", "wins", "games won"),
    "the same deals for all; gained: points more than the player below",
)
plot_luck = luck_chart(
    *(SKILL_CHARTS, "win_rate", SOURCE_NAMES, "What decides who wins"),
    "shares of the variance of winning; players who never win are left out",
)
plot_luck_of_score = luck_chart(
    *(SKILL_CHARTS, "score", SOURCE_NAMES, "What decides how far a party comes"),
    "shares of the variance of the score: rooms entered, and more for a win",
)
