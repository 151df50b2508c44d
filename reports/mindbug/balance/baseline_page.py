"""The page of reference results, ``docs/baseline.md``, made from analysed runs."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from analysis.mindbug import open_run, read_tables

_HEAD = """# Uniform-random play: reference results

Both players follow the uniform-random policy of R120–R124 (docs/rules.md); two simulators that play
the same rules must agree with these figures. Random play is a baseline, not a verdict on a card.
Each set is played alone, then all of them together; modes are those of the pool (`turn` without,
`action` with cards of King of Tokyo). Brackets are 95% intervals; a player counts once per game
and selection, however many copies they have, and intervals are clustered by game
([methods.md](methods.md)). Means and variances are over the games that ended by the rules.

Written by the following commands, the first once for each pool, with the names of all six sets for
the last one:

```
fairdeal balance first_contact --policy random --games 2000000 --seed 1 --out base/first_contact
python -m reports.mindbug.balance.baseline_page base/* > docs/baseline.md
```
"""
_SELECTIONS = ("dealt", "drawn", "played", "taken", "lost_to_mindbug", "entered")


def _percent(row: pd.Series, rate: str, low: str, high: str) -> str:
    return f"{100 * row[rate]:.2f} [{100 * row[low]:.2f}, {100 * row[high]:.2f}]"


def _markdown(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def baseline_page(folders: Sequence[str | Path]) -> str:
    """The page as Markdown, from the tables of the runs in ``folders``, one section each.

    Raises RunError if a run has no tables yet.
    """
    return "\n".join([_HEAD, *(_section(folder) for folder in folders)])


def _section(folder: str | Path) -> str:
    """The results of one run."""
    tables = read_tables(folder)
    statistics = [
        [row["statistic"], f"{row['estimate']:.6f}", f"[{row['ci_low']:.6f}, {row['ci_high']:.6f}]"]
        for _, row in tables["summary"].iterrows()
    ]
    cards = [
        [
            row["name"],
            *(_percent(row, f"{v}_win_rate", f"{v}_ci_low", f"{v}_ci_high") for v in _SELECTIONS),
        ]
        for _, row in tables["cards"].iterrows()
    ]
    plays = [
        [
            row["name"],
            _percent(row, "mindbug_rate", "mindbug_rate_ci_low", "mindbug_rate_ci_high"),
            _percent(row, "dead_rate", "dead_rate_ci_low", "dead_rate_ci_high"),
            f"{row['mean_turn_played']:.3f}",
            f"{row['dealt_n']:,}",
            f"{row['entered_n']:,}",
        ]
        for _, row in tables["cards"].iterrows()
    ]
    return (
        "\n".join(
            [
                f"## {_title(folder)}\n\n### Games\n",
                _markdown(["statistic", "estimate", "95% interval"], statistics),
                "### Win rate of the player, by card and selection (%)\n",
                _markdown(["card", *_SELECTIONS], cards),
                "### Plays, by card\n",
                _markdown(
                    [
                        "card",
                        "Mindbug rate (%)",
                        "never played (%)",
                        "mean turn",
                        "dealt",
                        "entered",
                    ],
                    plays,
                ),
            ]
        ).rstrip("\n")
        + "\n"
    )


def _title(folder: str | Path) -> str:
    """The names of the sets that a run was played with."""
    names = [card_set.name for card_set in open_run(folder).pool().sets]
    return names[0] if len(names) == 1 else "All sets together"


if __name__ == "__main__":
    print(baseline_page(sys.argv[1:]), end="")
