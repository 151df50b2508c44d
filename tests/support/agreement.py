"""How far verdicts agree with those of much stronger players: `make agreement`.

A panel without searches plays some pools, and so do references: a search that judges by a network,
and one that does without.  Each reference is set beside the panel as `fairdeal skill`
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

from analysis.confidence import confidence
from analysis.mindbug import analyze, open_run
from analysis.mindbug.experiments.skill import compare_skill
from reports.kit.words import bare_percent, points
from support.fast_game import DATA
from support.verdicts_of_record import SETS

#: The panel, and the games that each of its players plays.
PANEL, PANEL_GAMES = ("expert", "expert=second", "expert=third"), 60_000
#: The references of each pool, and the games of each.  A larger number makes a run longer.
#: The last pool is invented by somebody who trains no player: no player or number was fitted to it.
REFERENCES = {
    "first_contact": {"search:400": 17_408},
    "king_of_tokyo": {"search:400": 12_288, "search=learned:1600": 11_264},
    "all_sets": {"search:400": 24_576, "search=learned:1600": 22_528},
    "judge_pool": {"search:400": 12_288, "search=learned:1600": 11_264},
}
_SETS = {"all_sets": SETS, "judge_pool": (str(DATA / "judge_pool.toml"),)}
_SEED = 8101
_MOST_NAMED = 3
_HEADER = "\n".join(
    (
        "| | reference | its games | standard error | rank correlation | with chance left in"
        " | differ by, points | opposite signs | differ most |",
        "|---" * 9 + "|",
    )
)


@frozen
class Agreement:
    """What judges, all together, and a reference make of the same cards.

    ``n_games`` are those of the reference; ``std_err`` and ``worst_std_err`` are the mean and the
    largest standard error of the advantage of a card among its players.  The rank correlation of
    the true advantages comes with the ends of its 95% interval, and ``raw_rank_correlation`` has
    chance left in; ``difference`` is the standard deviation over the cards of what the reference
    makes of them beyond the judges, chance taken out, with its ends.  Of ``n_cards`` cards
    ``n_opposite`` are shown to be above the average for the judges and below it for the reference,
    or the reverse.
    ``apart`` has the ``name`` of each card for which they are shown to differ, the advantage for
    the ``judges`` and that for the ``reference``; those that differ most come first.
    """

    n_games: int
    std_err: float
    worst_std_err: float
    rank_correlation: tuple[float, float, float]
    raw_rank_correlation: float
    difference: tuple[float, float, float]
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
    std_errs = reference["std_err"]
    cards = found["card_panel"].assign(
        reference=reference["advantage"],
        judges=lambda panel: panel["reference"] - panel["move"],
    )
    shown = cards[cards["move_q_value"] < 1 - confidence()]
    ends = ("", "_ci_low", "_ci_high")
    return Agreement(
        n_games=runs[-1].n_games,
        std_err=float(std_errs.mean()),
        worst_std_err=float(std_errs.max()),
        rank_correlation=tuple(float(summary[f"rank_correlation{end}"]) for end in ends),
        raw_rank_correlation=float(summary["raw_rank_correlation"]),
        difference=tuple(float(summary[f"move{end}"]) for end in ends),
        n_cards=len(cards),
        n_opposite=int(summary["n_opposite"]),
        apart=shown.sort_values("move", key=abs, ascending=False)[["name", "judges", "reference"]],
    )


def row(name: str, folders: Sequence[Path]) -> str:
    """The row of the table about a panel and a reference, which comes last."""
    found = agreement_of(folders)
    middle, low, high = found.rank_correlation
    differ = (
        f"{card['name']} ({points(card['judges'])}, {points(card['reference'])})"
        for _, card in found.apart.head(_MOST_NAMED).iterrows()
    )
    cells = (
        *(name.replace("_", " "), f"`{folders[-1].name}`", f"{found.n_games:,}"),
        f"{bare_percent(found.std_err, 2)} (at most {bare_percent(found.worst_std_err, 2)})",
        f"{middle:.2f} ({low:.2f} to {high:.2f})",
        f"{found.raw_rank_correlation:.2f}",
        "{} ({} to {})".format(*(bare_percent(one) for one in found.difference)),
        *(f"{found.n_opposite} of {found.n_cards}", ", ".join(differ)),
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Play what is missing, and print a row for the panel and each reference of each pool."""
    folder = Path(sys.argv[1])
    print(_HEADER)
    for name, references in REFERENCES.items():
        panel = [played(name, player, PANEL_GAMES, folder) for player in PANEL]
        for reference, n_games in references.items():
            print(row(name, [*panel, played(name, reference, n_games, folder)]), flush=True)


def played(name: str, player: str, n_games: int, folder: Path, seed: int = _SEED) -> Path:
    """The folder of the games that a player plays with a pool."""
    out = folder / name / player
    sets = _SETS.get(name, (name,))
    command = [
        *(sys.executable, "-c", "from reports.cli.start import main; main()", "simulate", *sets),
        *("--policy", player, "--games", str(n_games), "--seed", str(seed), "--out", str(out)),
    ]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return out


if __name__ == "__main__":
    main()
