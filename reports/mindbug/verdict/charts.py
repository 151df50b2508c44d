"""The charts of a verdict on a card."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.mindbug.registry import TABLES
from reports.kit.drawing import Charts, draw_points, new_axes, write_beside
from reports.kit.theme import BLUE, LIGHT
from reports.kit.words import display_name, percent
from reports.mindbug.run_text import called
from reports.mindbug.verdict.text import SCALE
from reports.verdict.charts import changes_chart, finish, width_of_lines

_STRIP = 0.85  # inches
# How far the dots of cards lie apart up and down, in rows, so that each can be seen.
_SPREAD = 0.28

#: The charts of a verdict by the names of their files.
CHARTS = Charts(TABLES)


@CHARTS.draws("place", "verdict_place")
def plot_place(verdict_place: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The card among all cards of the pool, for each player, and where the change would put it."""
    lines = verdict_place[["policy", "change"]].drop_duplicates().iloc[::-1]
    players = lines["policy"].map(called)
    labels = [
        f"{display_name(change)}\n({player})" if change else player
        for player, change in zip(players, lines["change"], strict=True)
    ]
    asked = verdict_place[verdict_place["asked"]]
    name = display_name(asked["name"].iloc[0])
    ax = ax or new_axes(
        _STRIP * len(lines), left=width_of_lines(labels), right=0.9,
    )  # fmt: skip
    for place, (_, line) in enumerate(lines.iterrows()):
        rows = verdict_place[
            (verdict_place["policy"] == line["policy"])
            & (verdict_place["change"] == line["change"])
        ]
        others = rows[~rows["asked"]].sort_values("win_rate")
        heights = place + _SPREAD * np.array([(-1, 0, 1)[n % 3] for n in range(len(others))])
        ax.plot(
            others["win_rate"], heights, linestyle="none", marker="o", markersize=6,
            color=LIGHT, zorder=2, label="other cards" if place == len(lines) - 1 else None,
        )  # fmt: skip
        mine = rows[rows["asked"]].set_index(pd.Index([place]))
        look = {"color": BLUE, "marker": "D", "markersize": 9, "zorder": 4}
        label = name if place == len(lines) - 1 else None
        draw_points(ax, mine, "win_rate", "win_rate", label=label, **look)
        write_beside(ax, place, percent(mine["win_rate"].iloc[0]))
    title = f"{name} wins {percent(asked['win_rate'].iloc[0])} of its games"
    finish(ax, labels, title, SCALE, verdict_place["band"].iloc[0], margin=0.55)
    return ax


plot_changes = changes_chart(CHARTS, SCALE, called)
