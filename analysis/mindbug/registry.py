"""All tables of Mindbug: those of a run, and those that experiments make.

``python -m analysis.games mindbug > docs/columns.md`` writes the page about them.
"""

from analysis.experiments.ladder import PAIRS, RATINGS, SPEED
from analysis.experiments.stronger import COMPARISON_STRONGER
from analysis.mindbug import game_records, paired_sums
from analysis.mindbug.experiments import (
    ablation,
    keyword_experiment,
    ladder,
    luck,
    rebalance_goals,
    sensitivity,
    skill,
    skill_panel,
    strong,
    verdict_tables,
)
from analysis.mindbug.explain import parts
from analysis.mindbug.tables import RUN_TABLES
from analysis.playtests import PLAYTEST_TABLES
from analysis.questions.price_list import PRICE_PLAYERS, PRICE_TABLES
from analysis.questions.story import STORY_TABLES
from analysis.registry import Registry

#: Every table, in the order of the column dictionary.
TABLES = Registry(
    game_records.GAMES,
    game_records.PLAYER_CARDS,
    game_records.CARD_GAMES,
    *RUN_TABLES.values(),
    RATINGS,
    PAIRS,
    SPEED,
    ladder.DEALS,
    paired_sums.COMPARISON,
    COMPARISON_STRONGER,
    parts.CHANGE_PARTS,
    skill.SKILL_CARDS,
    skill.SKILL_SUMMARY,
    skill_panel.CARD_PANEL,
    skill_panel.PANEL_SUMMARY,
    *strong.STRONG_TABLES.values(),
    sensitivity.SENSITIVITY,
    sensitivity.VALUES,
    sensitivity.BY_COPIES,
    sensitivity.PARTS,
    sensitivity.BY_CHANGE,
    keyword_experiment.KEYWORD_EFFECTS,
    luck.LUCK,
    luck.LUCK_CHANGES,
    ablation.RESTRICTIONS_TABLE,
    *PRICE_TABLES.values(),
    PRICE_PLAYERS,
    rebalance_goals.FRONT,
    rebalance_goals.CHANGES,
    rebalance_goals.GAINS,
    rebalance_goals.GOALS,
    rebalance_goals.NEAREST,
    *verdict_tables.VERDICT_TABLES.values(),
    *PLAYTEST_TABLES.values(),
    *STORY_TABLES.values(),
)
