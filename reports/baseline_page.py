"""The page of reference results, ``docs/baseline.md``, made from an analysed run."""

import sys
from pathlib import Path

import pandas as pd

from analysis import read_tables

_HEAD = """# Uniform-random First Contact: reference results

Both players follow the uniform-random policy of R120–R124 (docs/rules.md); two simulators that play
the same rules must agree with these figures. Random play is a baseline, not a verdict on a card.
Brackets are 95 % intervals; a player counts once per game and view, however many copies he has, and
intervals are clustered by game ([methods.md](methods.md)).

Written by

```
balancelab balance first_contact --games 2000000 --seed 1 --out runs/random_baseline
python -m reports.baseline_page runs/random_baseline > docs/baseline.md
```

"""
_VIEWS = ("dealt", "drawn", "played", "taken", "lost_to_mindbug", "entered")


def _percent(row: pd.Series, rate: str, low: str, high: str) -> str:
    return f"{100 * row[rate]:.2f} [{100 * row[low]:.2f}, {100 * row[high]:.2f}]"


def _markdown(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def baseline_page(folder: str | Path) -> str:
    """The page as Markdown, from the tables of the run in ``folder``.

    Raises RunError if the run has no tables yet.
    """
    tables = read_tables(folder)
    statistics = [
        [row["statistic"], f"{row['estimate']:.6f}", f"[{row['ci_low']:.6f}, {row['ci_high']:.6f}]"]
        for _, row in tables["summary"].iterrows()
    ]
    cards = [
        [
            row["name"],
            *(_percent(row, f"{v}_win_rate", f"{v}_ci_low", f"{v}_ci_high") for v in _VIEWS),
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
                _HEAD + "## Games\n",
                _markdown(["statistic", "estimate", "95 % interval"], statistics),
                "## Win rate of the player, by card and view (%)\n",
                _markdown(["card", *_VIEWS], cards),
                "## Plays, by card\n",
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


if __name__ == "__main__":
    print(baseline_page(sys.argv[1]), end="")
