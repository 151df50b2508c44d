"""All tables of games that people bring: those of a run, of a comparison, and of experiments.

``docs/own_games_columns.md`` is written from them with ``python -m analysis.own_games.registry >
docs/own_games_columns.md``.
"""

from analysis import registry
from analysis.own_games.contract import ANALYSIS


def columns_page() -> str:
    """The page ``docs/own_games_columns.md``: a section for each table."""
    return registry.columns_page(
        ANALYSIS.all_tables,
        title="Columns of games of your own",
        module="analysis.own_games.registry",
    )


if __name__ == "__main__":
    print(columns_page(), end="")
