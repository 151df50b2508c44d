"""A sensitivity analysis of cards: what it is called, its map of changes, and what was played."""

from collections.abc import Iterable, Mapping

import pandas as pd
from matplotlib.axes import Axes

from analysis.mindbug.experiments.sensitivity import TriedCards
from analysis.mindbug.registry import TABLES
from card_data.mindbug.variants import POWER_STEPS
from card_data.mindbug.vocabulary import Keyword
from reports.kit.drawing import Chart, draws
from reports.kit.words import count
from reports.mindbug import run_text
from reports.sensitivity.charts import charts_of, draw_heat_map
from reports.sensitivity.text import Nouns, Shown

#: Kinds of changes that are in the map.
MAPPED = ("power", "add_keyword", "remove_keyword", "copies", "remove_all")
NOUNS = Nouns(
    measures={
        "first_player_win_rate": ("the win rate of the player who starts", "", "Who starts wins"),
        "mean_turns": ("the turns in a game", "turns", "Turns"),
    },
    same="hands and luck",
    where="in this pool",
    more=" A change of copies changes the deal, so those games are not paired.",
)


@draws(TABLES, "sensitivity")
def plot_heat_map(sensitivity: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Cards by changes: how the win rate of players dealt the card moves, in percentage points."""
    dealt = sensitivity[(sensitivity["measure"] == "dealt") & sensitivity["kind"].isin(MAPPED)]
    rows = dealt.assign(column=dealt["change"].map(mapped_column))
    return draw_heat_map(rows, in_order(rows["column"]), ax)


CHARTS = {**charts_of(TABLES), "heat_map": Chart(plot_heat_map, "sensitivity", intervals=False)}
#: The chart of the changes of one card, for a notebook.
plot_variants = CHARTS["variants"].plot


def charts(tables: Mapping[str, pd.DataFrame]) -> dict[str, Chart]:
    """Those of one card, or of several."""
    names = ["variants", "parts"]
    if len(tables["values"]) > 1:
        mapped = tables["sensitivity"]["kind"].isin(MAPPED).any()
        names = ["worth", *["heat_map"] * int(mapped)]
    return {name: CHARTS[name] for name in names}


def in_order(columns: Iterable[str]) -> list[str]:
    """Columns of the map in their order: powers, keywords, copies."""
    every = [*(f"power{step:+}" for step in POWER_STEPS), *(f"+{word.name}" for word in Keyword)]
    found, last = {*columns}, ["copies-1", "copies+1", "-all"]
    return [name for name in map(mapped_column, [*every, *last]) if name in found]


def mapped_column(change: str) -> str:
    """The heading of a change."""
    if change.startswith("power"):
        return change.removeprefix("power").replace("-", "\N{MINUS SIGN}")
    if change.startswith("copies"):
        return f"{change[-2:]} copy".replace("-", "\N{MINUS SIGN}")
    return "plain" if change == "-all" else change[1:]


def shown(tried: TriedCards) -> Shown:
    """What was found of cards."""
    manifest, names = tried.manifest, tried.names
    one = len(tried.cards) == 1
    subject = tried.cards[0].name if one else "All cards"

    def described(most_sets: int | None = None) -> str:
        played = run_text.describe_run(manifest, most_sets=most_sets)
        return played.replace(" games ", " games as it is and with each change ", 1)

    return Shown(
        tables=tried.tables(),
        subject=subject,
        moved=subject if one else "cards",
        played=described(),
        caption=run_text.caption(described(1), manifest),
        facts=[
            ("Sets", run_text.describe_sets(manifest)),
            ("Player", manifest["policies"][0]),
            ("Games", f"{count(manifest['games'])} as it is and with each change"),
            ("Seed", str(manifest["seed"])),
            ("Reference", names[tried.reference.card_id]),
            ("Rules version", str(manifest["rules_version"])),
            ("Pool", f"SHA-256 {manifest['pool_hash']}"),
            ("Versions", run_text.versions_of(manifest)),
        ],
        nouns=NOUNS,
        names=names,
    )
