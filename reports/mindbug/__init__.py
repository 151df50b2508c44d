"""What to show: charts and a page from the tables of a run.

`write_report` turns an analysed run folder into ``report.html`` and ``figures/``, `write_reports`
into Markdown and a workbook as well, `write_ladder` the folder of a ladder into ``ladder.html``.
Every chart is also a function ``plot_x(table, *, ax=None)`` of its own.  A chart of one's own is
drawn inside `style`, gets its caption from `add_caption` and its files from `write_figure`;
`readable` is a table for looking at.  Nothing is estimated here: that is `analysis`.

Importing this package costs nothing: a name is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reports.kit.figure_files import write_figure
    from reports.kit.figures import write_figures
    from reports.kit.theme import add_caption, style
    from reports.mindbug.balance.charts import (
        plot_card_strength,
        plot_endings,
        plot_first_player,
        plot_game_length,
        plot_keyword_effects,
        plot_keywords_observed,
        plot_mindbug_rate,
    )
    from reports.mindbug.balance.expansion_charts import (
        plot_dice,
        plot_per_game,
        plot_power_cards,
        plot_set_effects,
        plot_stage_shares,
        plot_stage_win_rates,
    )
    from reports.mindbug.balance.page import write_report
    from reports.mindbug.balance.pair_charts import plot_card_matchups, plot_card_pairs
    from reports.mindbug.balance.readable_tables import readable
    from reports.mindbug.balance.report_formats import write_reports
    from reports.mindbug.balance.skill_charts import plot_skill, plot_skill_games
    from reports.mindbug.compare.charts import plot_changes
    from reports.mindbug.ladder.charts import plot_ratings, plot_win_matrix
    from reports.mindbug.ladder.page import write_ladder
    from reports.mindbug.run_text import caption_of_run
    from reports.mindbug.sensitivity.charts import plot_variants

__all__ = [
    "add_caption",
    "caption_of_run",
    "plot_card_matchups",
    "plot_card_pairs",
    "plot_card_strength",
    "plot_changes",
    "plot_dice",
    "plot_endings",
    "plot_first_player",
    "plot_game_length",
    "plot_keyword_effects",
    "plot_keywords_observed",
    "plot_mindbug_rate",
    "plot_per_game",
    "plot_power_cards",
    "plot_ratings",
    "plot_set_effects",
    "plot_skill",
    "plot_skill_games",
    "plot_stage_shares",
    "plot_stage_win_rates",
    "plot_variants",
    "plot_win_matrix",
    "readable",
    "style",
    "write_figure",
    "write_figures",
    "write_ladder",
    "write_report",
    "write_reports",
]

#: The module of each name that is not a chart of every pool.
_MODULES = {
    **dict.fromkeys(
        ("plot_card_matchups", "plot_card_pairs"), "reports.mindbug.balance.pair_charts"
    ),
    **dict.fromkeys(("plot_ratings", "plot_win_matrix"), "reports.mindbug.ladder.charts"),
    **dict.fromkeys(("plot_skill", "plot_skill_games"), "reports.mindbug.balance.skill_charts"),
    **dict.fromkeys(
        ("plot_dice", "plot_per_game", "plot_power_cards"),
        "reports.mindbug.balance.expansion_charts",
    ),
    **dict.fromkeys(
        ("plot_set_effects", "plot_stage_shares"), "reports.mindbug.balance.expansion_charts"
    ),
    **dict.fromkeys(("add_caption", "style"), "reports.kit.theme"),
    "write_figure": "reports.kit.figure_files",
    "plot_stage_win_rates": "reports.mindbug.balance.expansion_charts",
    "plot_changes": "reports.mindbug.compare.charts",
    "plot_variants": "reports.mindbug.sensitivity.charts",
    "caption_of_run": "reports.mindbug.run_text",
    "readable": "reports.mindbug.balance.readable_tables",
    "write_figures": "reports.kit.figures",
    "write_ladder": "reports.mindbug.ladder.page",
    "write_report": "reports.mindbug.balance.page",
    "write_reports": "reports.mindbug.balance.report_formats",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'reports.mindbug' has no attribute {name!r}")
    return getattr(import_module(_MODULES.get(name, "reports.mindbug.balance.charts")), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
