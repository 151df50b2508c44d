"""What happened in a run: from games to tables of rates, each with its interval.

`play_run` plays a pool into a run folder, `open_run` opens one and reads its games; `analyze`
counts them and writes the tables of the run, `read_tables` reads them back, `compare_runs` sets the
run against an earlier one.  `card_sensitivity` tries changes of a card, `keyword_effects` adds
keywords to all cards and takes them off, `analyze_ladder` rates the players of a ladder.  Every
rate has its n and a 95 % interval, and the game is the unit of independence.  What the columns mean
is in ``docs/columns.md``, how they are computed in ``docs/methods.md``.

Importing this package costs nothing: a name is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison, compare_runs
    from analysis.mindbug.experiments.keyword_experiment import keyword_effects
    from analysis.mindbug.experiments.ladder import analyze_ladder
    from analysis.mindbug.experiments.pool_experiments import card_sensitivity, play_run
    from analysis.mindbug.experiments.skill import read_skill_tables, skill_tables
    from analysis.mindbug.runs import Run, expand_cards, open_run
    from analysis.tables import analyze, read_tables, write_tables

__all__ = [
    "Comparison",
    "Run",
    "analyze",
    "analyze_ladder",
    "card_sensitivity",
    "compare_runs",
    "expand_cards",
    "keyword_effects",
    "open_run",
    "play_run",
    "read_skill_tables",
    "read_tables",
    "skill_tables",
    "write_tables",
]

_MODULES = {
    "Comparison": "analysis.experiments.comparison",
    "Run": "analysis.mindbug.runs",
    "card_sensitivity": "analysis.mindbug.experiments.pool_experiments",
    "compare_runs": "analysis.experiments.comparison",
    "play_run": "analysis.mindbug.experiments.pool_experiments",
    "expand_cards": "analysis.mindbug.runs",
    "keyword_effects": "analysis.mindbug.experiments.keyword_experiment",
    "open_run": "analysis.mindbug.runs",
    "read_skill_tables": "analysis.mindbug.experiments.skill",
    "skill_tables": "analysis.mindbug.experiments.skill",
    "analyze_ladder": "analysis.mindbug.experiments.ladder",
    **dict.fromkeys(("analyze", "read_tables", "write_tables"), "analysis.tables"),
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'analysis.mindbug' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
