"""The verdicts of record, docs/verdicts.md and its charts: `make verdicts`.

The panel plays each set and all of them together.  The page quotes the tables of the runs, which
stay in a folder, so a second start plays only what is missing.
"""

import json
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from PIL import Image

from analysis.mindbug.experiments.skill_panel import STRETCH
from analysis.panel import MORE_PLAYERS
from analysis.verdicts import NEEDS_GAMES
from card_data.mindbug import load_pool
from reports.kit.words import points
from support.screenshots import keep

SETS = (
    *("first_contact", "new_servants", "beyond_evolution", "beyond_eternity"),
    *("king_of_tokyo", "promos"),
)
#: The panel, from weak to strong, and how many games the first and the others play.
PANEL = ("expert", "expert=second", "expert=third", "search:16", "search:64")
GAMES, PANEL_GAMES = 100_000, 15_000
_SEED = 2026
#: Of a longer table the page has so many rows from either end.
_MOST_ROWS, _ENDS = 40, 12
_INTRODUCTION = f"""\
# Verdicts of record

Which cards of Mindbug are too strong or too weak between strong players? Here are the
verdicts of a panel ({", ".join(f"`{who}`" for who in PANEL)})
on each set by itself and on all six together; [the page of First Contact](example_report.html)
shows what a report looks like.
"""
_READING = """\
A card is too strong, too weak or fair by where the interval of another player of this kind lies
beside the band ([methods.md](methods.md)). The players of this panel judge positions by three
networks, which learned from other games, and look ahead by one turn or by search. What much
stronger players make of the cards is measured
[there](players.md#agreement-with-much-stronger-players): they have cards {stretch} times as far
from average as `expert`, so a card that is fair near the edge of the band may not be for them.
Numbers are the advantage of a player who is dealt the card, in percentage points of games won, with
95% intervals over deals and players.
"""
_METHOD = """\
## How this page is made

`make verdicts` plays and writes it in half an hour on two busy cores. For First Contact it
does the same as

```
{command}
```

`expert` plays {games:,} games with each pool, each of the others {others:,}. No training used
this seed.
"""


def main() -> None:
    """Play what is missing, and write the page and its charts into the folder of the docs."""
    folder, docs = Path(sys.argv[1]), Path(sys.argv[2])
    sections, overview = [], ["| | strongest card | weakest card | decided |", "|---|---|---|---|"]
    for name in (*SETS, "all_sets"):
        chart = Path("figures", f"verdicts_{name}.png")
        answer = _balance(_command(name, folder))
        keep(Image.open(folder / name / "figures" / "panel.png"), docs / chart)
        panel = pd.read_parquet(folder / name / "tables" / "card_panel.parquet")
        sections.append(_section(name, answer, panel, chart))
        overview.append(_row(name, panel))
        print(f"{name} is done", file=sys.stderr)
    shutil.copyfile(folder / SETS[0] / "report.html", docs / "example_report.html")
    command = shlex.join(["fairdeal", *_command(SETS[0], Path("runs", "verdicts"))[1:]])
    method = _METHOD.format(command=command, games=GAMES, others=PANEL_GAMES)
    slope, low, high = STRETCH
    reading = _READING.format(stretch=f"{slope:.2f} ({low:.2f} to {high:.2f})")
    parts = [_INTRODUCTION, *overview, "", reading, *sections, method]
    (docs / "verdicts.md").write_text("\n".join(parts))


def _command(name: str, folder: Path) -> list[str]:
    """The command that plays a pool."""
    named = SETS if name == "all_sets" else (name,)
    return [
        *(str(Path(sys.executable).parent / "fairdeal"), "balance", *named),
        *("--policy", PANEL[0], "--games", str(GAMES), "--seed", str(_SEED)),
        *("--skill", ",".join(PANEL), "--skill-games", str(PANEL_GAMES)),
        *("--no-keywords", "--no-luck", "--out", str(folder / name)),
    ]


def _balance(command: Sequence[str]) -> dict[str, str]:
    """The findings of a run, by topic."""
    done = subprocess.run([*command, "--json"], stdout=subprocess.PIPE, check=True)
    return {one["topic"]: one["text"] for one in json.loads(done.stdout)["findings"]}


def _title(name: str) -> str:
    return "All six sets together" if name == "all_sets" else load_pool([name]).sets[0].name


def _sure(panel: pd.DataFrame) -> pd.DataFrame:
    """The cards of which the panel is sure, from strong to weak."""
    sure = panel[~panel["panel_verdict"].isin((NEEDS_GAMES, MORE_PLAYERS))]
    return sure.sort_values("advantage", ascending=False)


def _row(name: str, panel: pd.DataFrame) -> str:
    """The ends of a pool, for the table at the top."""
    ranked = panel.sort_values("advantage")
    ends = [
        f"{row['name']} ({points(row['advantage'])})" for _, row in ranked.iloc[[-1, 0]].iterrows()
    ]
    return f"| {_title(name)} | {ends[0]} | {ends[1]} | {len(_sure(panel))} of {len(panel)} |"


def _section(name: str, findings: dict[str, str], panel: pd.DataFrame, chart: Path) -> str:
    """What the panel says of a pool: the sentence, the chart, the cards of which it is sure."""
    sure, shown = _sure(panel), "Every card of which the panel is sure:"
    if len(sure) > _MOST_ROWS:
        shown = f"The {_ENDS} strongest and weakest of the {len(sure)} of which the panel is sure:"
        sure = pd.concat([sure.head(_ENDS), sure.tail(_ENDS)])
    rows = [
        f"| {row['name']} | {points(row['advantage'])} ({points(row['advantage_ci_low'])} to"
        f" {points(row['advantage_ci_high'])}) | {points(row['lowest'])} to"
        f" {points(row['highest'])} | {row['panel_verdict']} |"
        for _, row in sure.iterrows()
    ]
    return "\n".join(
        [
            f"## {_title(name)}\n",
            textwrap.fill(f"{findings['Panel']} {findings['Going first']}", 110) + "\n",
            f"![The advantage of each card of the pool, with every player of the panel]({chart})\n",
            f"{shown}\n",
            "| card | advantage | among the players | verdict |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    main()
