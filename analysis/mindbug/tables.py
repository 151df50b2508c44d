"""The tables of a run, in the order in which they are best read."""

from analysis.mindbug import card_strength, expansion_tables, game_tables, keywords, pairs, summary
from analysis.mindbug.explain import parts
from analysis.registry import Registry

RUN_TABLES = Registry(
    summary.SUMMARY,
    game_tables.FIRST_PLAYER,
    card_strength.CARDS,
    game_tables.CARD_SEATS,
    keywords.KEYWORDS,
    game_tables.TURNS,
    game_tables.OUTCOMES,
    parts.CARD_PARTS,
    pairs.CARD_PAIRS,
    pairs.CARD_MATCHUPS,
    expansion_tables.SETS,
    expansion_tables.STAGES_REACHED,
    expansion_tables.DICE,
    expansion_tables.POWER_CARDS,
    expansion_tables.NUMBERS_PER_GAME,
    expansion_tables.OPEN_POINT_COUNTS,
)
