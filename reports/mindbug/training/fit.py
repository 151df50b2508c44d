"""A training in a folder: what was asked for, the curve, its chart, and the weights that came out.

The folder has ``training.json``, ``curve.csv`` (the checkpoint), ``curve`` as a chart, and
``weights.toml`` once the training is done.
"""

import json
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd
from attrs import asdict, frozen
from matplotlib.axes import Axes

from analysis.estimates import estimate_share
from card_data.mindbug import pool_hash
from card_data.mindbug.schema import Pool
from reports.kit import theme
from reports.kit.figure_files import write_figure
from simcore.evolution import read_curve
from simcore.mindbug import CardTable, compile_cards
from simcore.mindbug.play.position_fit import fit_positions
from simcore.mindbug.play.training import Training, score, train
from simcore.mindbug.players.registry import POLICIES
from simcore.mindbug.players.seats import fingerprints
from simcore.mindbug.players.weights import Weights, own_weights, read_weights, write_weights
from simcore.mindbug.table.weight_names import SECTIONS
from simcore.sealed import RunError
from simcore.work.folder import FolderKind, begin, read_asked, write_asked
from simcore.work.progress import Progress


def _differing(held: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """How a training in a folder differs from what is asked for; empty if it does not."""
    told = ", ".join(_differences(held, asked))
    return told and f"other settings: {told}"


def _differences(held: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterator[str]:
    """What a training in a folder has that is asked for otherwise, as options of the command."""
    for name in asked:
        there = held.get(name)
        if there == asked[name]:
            continue
        if name == "start":
            yield "other weights to begin with"
        elif name == "pools":
            yield "other cards"
        elif name == "panel":
            yield f"--against {','.join(there or ())}"
        elif name == "times":
            yield "opponents that are met more or less often"
        elif name == "only":
            yield "no --only" if there in (None, [*SECTIONS]) else f"--only {','.join(there)}"
        elif name == "self_play":
            yield "--self-play" if there else "--no-self-play"
        else:
            yield f"--{name} {there}"


#: The folder, and the file in it that says what was asked for.
FOLDER = FolderKind(
    "training",
    "training.json",
    2,
    "",
    {
        "start": [float],
        "panel": [str],
        "times": [int],
        "only": [str],
        "pools": [str],
        "self_play": bool,
        "generations": int,
        "population": int,
        "games": int,
        "spread": float,
        "seed": int,
    },
    differing=_differing,
)
_CURVE, _WEIGHTS = "curve.csv", "weights.toml"
_OFTEN = re.compile(r"(?P<player>[^*]*)(\*(?P<times>[1-9][0-9]?))?")
_TEST_GAMES = 20_000
_POSITIONS = 20_000


@frozen
class TrainingRun:
    """A training that stands in a folder, begun or finished."""

    folder: Path
    pools: tuple[Pool, ...]
    training: Training
    identity: str

    @classmethod
    def begin(
        cls,
        folder: Path,
        pools: Sequence[Pool],
        *,
        against: Sequence[str],
        start: str,
        **numbers: Any,
    ) -> "TrainingRun":
        """Begin a training in ``folder``, or take it up again.

        ``numbers`` are the other fields of `Training`.  Raises ValueError for players or weights
        that there are not, pools that cannot be played, and a folder that holds something else;
        RunError when it cannot be written.
        """
        panel, times = _panel(against)
        fingerprints(panel)  # there are such players, and their weights can be read
        for pool in pools:
            compile_cards(pool.sets, pool.modes)  # they can be played
        training = Training(start=_weights(start), panel=panel, times=times, **numbers)
        asked = asdict(training) | {
            "start": training.start.tolist(),
            "panel": [*panel],
            "times": [*times],
            "only": [*training.only],
            "pools": [pool_hash(pool) for pool in pools],
        }
        identity = json.dumps(asked, sort_keys=True)
        try:
            read_asked(FOLDER, folder)
        except RunError:
            if read_curve(folder / _CURVE, identity):  # which tells that it was the same
                write_asked(FOLDER, folder, asked)
        begin(FOLDER, folder, asked, files={})
        return cls(folder, tuple(pools), training, identity)

    @property
    def tables(self) -> list[CardTable]:
        """The pools, compiled."""
        return [compile_cards(pool.sets, pool.modes) for pool in self.pools]

    def prepare(self) -> None:
        """Compile what only training needs."""
        fit_positions(self.tables[:1], self.training.start, n_games=500, seed=0)

    def finish(self, *, threads: int | None, on_progress: Progress) -> dict[str, Any]:
        """Train to the end; write weights and chart, and return files and scores.

        ``scores`` are against each opponent asked for and against `random`, in games that training
        did not see: ``score``, ``margin`` (half of the 95 % interval) and ``n``.
        """
        training, curve = self.training, self.folder / _CURVE
        weights = train(
            self.pools,
            training,
            curve=curve,
            threads=threads,
            on_progress=on_progress,
            identity=self.identity,
        )
        weights = fit_positions(self.tables, weights, n_games=_POSITIONS, seed=training.seed)
        path = self.folder / _WEIGHTS
        command = shlex.join(["balancelab", *sys.argv[1:]])
        write_weights(weights, path, heading=f"Weights learned by\n  {command}")
        chart = self.folder / "curve"
        with theme.off_screen(), theme.style():
            axes = plot_learning(curve_table(self.folder / _CURVE, self.identity))
            theme.add_caption(axes, self._caption())
            write_figure(theme.figure_of(axes), chart)
        tested = dict.fromkeys((*training.panel, "random"))
        scores = {who: self._test(weights, who) for who in tested}
        return {"weights": str(path), "curve": str(chart.with_suffix(".svg")), "scores": scores}

    def _caption(self) -> str:
        """What stands under the chart: how much was played, against whom, seed and version."""
        training = self.training
        own_past = " and the learner's past" if training.self_play else ""
        parts = [
            f"{training.generations} generations of {training.population} candidates",
            f"{training.games:,} games each",
            f"against {' and '.join(training.panel)}{own_past}",
            f"seed {training.seed}",
        ]
        return f"{' · '.join(parts)}\nbalancelab {version('balancelab')}"

    def _test(self, weights: Weights, opponent: str) -> dict[str, float]:
        """How weights do in fresh games; draws count half and count as games of their own."""
        share = score(self.tables, weights, [opponent], n_games=_TEST_GAMES, seed=self._test_seed)
        n = _TEST_GAMES * len(self.tables)
        estimate = estimate_share(share * n, n)
        return {
            "score": share,
            "margin": float(estimate.ci_high - estimate.ci_low) / 2,
            "n": n,
        }

    @property
    def _test_seed(self) -> int:
        """Another seed than that of the training."""
        return self.training.seed ^ 1


def _panel(against: Sequence[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Players and how many times the games each is met in: "random*8" in eight times as many.

    Raises ValueError for a number that is none.
    """
    found = [_OFTEN.fullmatch(text) for text in against]
    for text, match in zip(against, found, strict=True):
        if match is None:
            raise ValueError(
                f"--against has {text!r}; behind the star stands how many times as many games are"
                " played against that player, 1 to 99, as in 'heuristic,random*8'"
            )
    pairs = [(match["player"], int(match["times"] or 1)) for match in found if match]
    return tuple(player for player, _ in pairs), tuple(times for _, times in pairs)


def _weights(text: str) -> Weights:
    """The weights of a policy or a file."""
    if text in POLICIES and POLICIES[text].weights is not None:
        return own_weights(str(POLICIES[text].weights))
    if text.endswith(".toml"):
        return read_weights(Path(text))
    having = ", ".join(name for name, policy in POLICIES.items() if policy.weights == name)
    raise ValueError(f"--start is {text!r}; it is a file that ends in .toml, or one of: {having}")


def curve_table(curve: Path, identity: str) -> pd.DataFrame:
    """The learning curve of a training: ``generation``, ``strength``, ``mean`` and ``best`` score.

    Strength is the share of games won against the opponents asked for, measured now and then (NaN
    in between); mean and best are of the candidates, against them and the learner's past.
    """
    return pd.DataFrame(
        {
            "generation": generation.number,
            "strength": generation.strength,
            "mean": sum(generation.scores) / len(generation.scores),
            "best": max(generation.scores),
        }
        for generation in read_curve(curve, identity).values()
    )


def plot_learning(curve: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Strength of what was learned by generation, from `curve_table`."""
    if ax is None:
        ax = theme.new_figure(4.0).add_axes((0.1, 0.2, 0.87, 0.62))
    measured = curve.dropna(subset="strength")
    ax.plot(measured["generation"], 100 * measured["strength"], color=theme.BLUE, marker="o", lw=2)
    ax.axhline(50, color=theme.MUTED, lw=1, ls="--")
    ax.set_xlabel("generation")
    ax.set_ylabel("games won (%)")
    ax.set_title("What training has learned, against whom it was asked to beat", loc="left")
    return ax
