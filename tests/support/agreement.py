"""How far verdicts agree with those of much stronger players: `make agreement`.

A panel without searches plays some pools, and so do two references: a search that judges by a
network, and one that does without.  Each reference is set beside the panel as `balancelab skill`
does it.  The rows that are printed make a table of docs/players.md.  No player learned from games
of this seed, and nothing was tuned by them.  The runs stay in a folder, so a second start plays
only what is missing.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from attrs import frozen

from analysis.estimates import CONFIDENCE, Z
from analysis.mindbug import analyze, open_run
from analysis.mindbug.experiments.skill import compare_skill
from reports.kit.words import bare_percent, points
from support.verdicts_of_record import SETS

#: The panel, and the games that each of its players plays.
PANEL, PANEL_GAMES = ("expert", "expert=second", "expert=third"), 200_000
#: The references, and the games of each with each pool.
REFERENCES = ("search:400", "search=learned:1600")
GAMES = {
    "first_contact": (11_264, 11_264),
    "king_of_tokyo": (11_264, 11_264),
    "all_sets": (15_360, 15_360),
}
_SEED = 8101
_MOST_NAMED = 3
_HEADER = """\
| | judges | reference | its games | standard error | rank correlation | opposite signs \
| differ most |
|---|---|---|---|---|---|---|---|"""


@frozen
class Agreement:
    """What judges, all together, and a reference make of the same cards.

    ``n_games`` are those of the reference, and ``std_err`` is the standard error of the advantage
    of a card among its players, the mean over the cards.  The rank correlation of the true
    advantages comes with the ends of its 95 % interval.  Of ``n_cards`` cards ``n_opposite`` are
    shown to be above the average for the judges and below it for the reference, or the reverse.
    ``apart`` has the ``name`` of each card for which they are shown to differ, the advantage for
    the ``judges`` and that for the ``reference``; those that differ most come first.
    """

    n_games: int
    std_err: float
    rank_correlation: tuple[float, float, float]
    n_cards: int
    n_opposite: int
    apart: pd.DataFrame


def agreement_of(folders: Sequence[Path]) -> Agreement:
    """Compare runs of one pool, each with the same player on both sides; the reference is last."""
    runs, tables = [open_run(folder) for folder in folders], [analyze(one) for one in folders]
    players = [run.manifest["policies"][0] for run in runs]
    found = compare_skill(runs, tables, players)
    summary, of_cards = found["panel_summary"].iloc[0], found["skill_cards"]
    reference = of_cards[of_cards["policy"] == players[-1]].reset_index()
    widths = reference["advantage_ci_high"] - reference["advantage_ci_low"]
    cards = found["card_panel"].assign(
        reference=reference["advantage"],
        judges=lambda panel: panel["reference"] - panel["move"],
    )
    shown = cards[cards["move_q_value"] < 1 - CONFIDENCE]
    ends = ("", "_ci_low", "_ci_high")
    return Agreement(
        n_games=runs[-1].n_games,
        std_err=float(widths.mean() / (2 * Z)),
        rank_correlation=tuple(float(summary[f"rank_correlation{end}"]) for end in ends),
        n_cards=len(cards),
        n_opposite=int(summary["n_opposite"]),
        apart=shown.sort_values("move", key=abs, ascending=False)[["name", "judges", "reference"]],
    )


def main() -> None:
    """Play what is missing, and print a row for each pool, for those who judge and reference."""
    folder = Path(sys.argv[1])
    print(_HEADER)
    for name, games in GAMES.items():
        panel = [_played(name, player, PANEL_GAMES, folder) for player in PANEL]
        search, other = (
            _played(name, player, n_games, folder)
            for player, n_games in zip(REFERENCES, games, strict=True)
        )
        for judges, reference in ((panel, search), (panel, other), ([search], other)):
            print(_row(name, [*judges, reference]), flush=True)


def _played(name: str, player: str, n_games: int, folder: Path) -> Path:
    """The folder of the games that a player plays with a pool."""
    out = folder / name / player
    sets = SETS if name == "all_sets" else (name,)
    command = [
        *(str(Path(sys.executable).parent / "balancelab"), "simulate", *sets),
        *("--policy", player, "--games", str(n_games), "--seed", str(_SEED), "--out", str(out)),
    ]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return out


def _row(name: str, folders: Sequence[Path]) -> str:
    """The row of a table."""
    found = agreement_of(folders)
    judges = "the panel" if len(folders) > 2 else f"`{folders[0].name}`"
    middle, low, high = found.rank_correlation
    differ = (
        f"{card['name']} ({points(card['judges'])}, {points(card['reference'])})"
        for _, card in found.apart.head(_MOST_NAMED).iterrows()
    )
    cells = (
        *(name.replace("_", " "), judges, f"`{folders[-1].name}`", f"{found.n_games:,}"),
        *(bare_percent(found.std_err, 2), f"{middle:.2f} ({low:.2f} to {high:.2f})"),
        *(f"{found.n_opposite} of {found.n_cards}", ", ".join(differ)),
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
