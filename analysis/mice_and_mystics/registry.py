"""All tables of Mice & Mystics: those of a run, of a comparison, and of experiments.

``python -m analysis.games mice_and_mystics > docs/mice_and_mystics_columns.md`` writes the page
about them.
"""

from analysis.experiments.stronger import COMPARISON_STRONGER
from analysis.mice_and_mystics import game_records
from analysis.mice_and_mystics.experiments.assumptions import ASSUMPTIONS
from analysis.mice_and_mystics.experiments.rebalance_goals import REBALANCE_TABLES
from analysis.mice_and_mystics.experiments.sensitivity import SENSITIVITY
from analysis.mice_and_mystics.experiments.skill import SKILL, SKILL_PLAYERS
from analysis.mice_and_mystics.experiments.stronger import STRONGER
from analysis.mice_and_mystics.experiments.verdict_tables import VERDICT_TABLES
from analysis.mice_and_mystics.game_records import CARD_GAMES
from analysis.mice_and_mystics.pairs import COMPARISON
from analysis.mice_and_mystics.tables import RUN_TABLES
from analysis.playtests import PLAYTEST_TABLES
from analysis.questions.price_list import PRICE_PLAYERS, PRICE_TABLES
from analysis.questions.story import STORY_TABLES
from analysis.registry import Registry

#: Every table, in the order of the column dictionary.
TABLES = Registry(
    game_records.GAMES,
    CARD_GAMES,
    *RUN_TABLES.values(),
    STRONGER,
    ASSUMPTIONS,
    COMPARISON,
    COMPARISON_STRONGER,
    SENSITIVITY,
    SKILL_PLAYERS,
    SKILL,
    *REBALANCE_TABLES.values(),
    *VERDICT_TABLES.values(),
    *PLAYTEST_TABLES.values(),
    *STORY_TABLES.values(),
    *PRICE_TABLES.values(),
    PRICE_PLAYERS,
)
