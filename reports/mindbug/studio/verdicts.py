"""What the studio shows of a verdict on a card: what its parts are worth, and games it decided."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reports.mindbug.studio.trials import _chart, _row
from reports.studio.bench import Chart, Decided

if TYPE_CHECKING:
    import pandas as pd


def why(tables: "Mapping[str, pd.DataFrame]") -> Chart | None:
    """By how much players dealt the card win more or less with an average card in its place.

    And with one thing less of it.  These are experiments on the same deals with the same luck.
    """
    from reports.kit.words import capital, interval_of, points
    from reports.mindbug.sensitivity.text import is_sure

    table = tables["sensitivity"]
    dealt = table[table["measure"] == "dealt"]
    less = dealt["kind"].isin(["remove_keyword", "remove_line"]) | (dealt["change"] == "power-1")
    whole, parts = dealt[dealt["kind"] == "value"], dealt[less]
    parts = parts.loc[parts["difference"].abs().sort_values(ascending=False).index]
    rows = [
        _row(
            capital(line["label"]),
            points(line["difference"]),
            interval_of(line, "difference", points),
            [line["difference_ci_low"], line["difference"], line["difference_ci_high"]],
            word="" if is_sure(line) else "no clear difference",
            is_own=line["kind"] == "value",
        )
        for shown in (whole, parts)
        for _, line in shown.iterrows()
    ]
    band = 100 * float(tables["verdict"]["band"].iloc[0])
    return _chart(("Changed", "Won when dealt", ""), rows, band)


def decided(folder: Path) -> Sequence[Decided]:
    """The games of a verdict in which its card decided.  Raises RunError."""
    from analysis.mindbug.experiments.verdict import FOLDER
    from analysis.mindbug.experiments.verdict_tables import VERDICT_GAMES
    from analysis.tables import read_table
    from reports.mindbug.verdict.text import game_text
    from simcore.work.folder import identity, read_asked

    said = identity(FOLDER, read_asked(FOLDER, folder), "")
    again = "ask for the verdict again"
    table = read_table(FOLDER, folder, VERDICT_GAMES, said, again)
    return [
        Decided(game_text(row), "run", int(row["game"]), int(row["turn_played"]))
        for _, row in table.iterrows()
    ]
