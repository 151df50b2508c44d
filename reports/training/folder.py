"""The folder of a training: what was asked for, the curve, its chart, and what came out.

The folder has ``training.json``, ``curve.csv`` (the checkpoint), ``curve`` as a chart, and
``weights.toml``, ``scores.json`` and the page (`reports.training.page`) once the training is done.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from card_data.checksums import checksum, open_json, seal_json
from reports.kit import theme
from reports.kit.drawing import new_axes, set_titles
from reports.kit.figure_files import write_figure
from simcore.commands import command
from simcore.evolution import read_curve
from simcore.sealed import RunError, Shape, faults, read_file, write_file
from simcore.work.folder import FolderKind, begin, read_asked, versions_of, write_asked

CURVE, WEIGHTS, SCORES = "curve.csv", "weights.toml", "scores.json"
#: The chart of the curve, without suffix.
CHART = "curve"


def training_folder(
    settings: Mapping[Any, Shape], say: Callable[[str, Any], str | None]
) -> FolderKind:
    """The kind of folder of a game's trainings.

    ``settings`` is the shape of what its trainings have besides what all have; ``say`` tells how a
    setting that was another one is said, from its name and what it was, None to name its option.
    """

    def differences(held: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterator[str]:
        for name in asked:
            if held.get(name) != asked[name]:
                yield say(name, held.get(name)) or f"--{name} {held.get(name)}"

    def differing(held: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
        told = ", ".join(differences(held, asked))
        return told and f"other settings: {told}"

    shared: dict[Any, Shape] = {
        "start": [float],
        "generations": int,
        "population": int,
        "games": int,
        "spread": float,
        "seed": int,
    }
    return FolderKind(
        "training", "training.json", 2, "", {**shared, **settings}, differing=differing
    )


def begin_training(kind: FolderKind, folder: Path, asked: Mapping[str, Any]) -> str:
    """Begin a training in ``folder``, or take it up again; its identity for `evolve`.

    Raises RunError when the folder holds something else or cannot be written.
    """
    identity = json.dumps(asked, sort_keys=True)
    try:
        read_asked(kind, folder)
    except RunError:
        if read_curve(folder / CURVE, identity):  # which tells that it was the same
            write_asked(kind, folder, asked)
    begin(kind, folder, asked, files={})
    return identity


def keep_scores(folder: Path, identity: str, learned: str, scores: Any) -> None:
    """Write how well the file ``learned`` does, as values of JSON: the training is done.

    ``identity`` is that of `begin_training`.  Raises RunError.
    """
    entries = {**_said(folder, identity, learned), "scores": scores}
    write_file(folder / SCORES, seal_json(entries))


def read_scores(folder: Path, identity: str, learned: str, generations: int, shape: Shape) -> Any:
    """What `keep_scores` was given; None where a file is missing or damaged, or of other versions.

    ``shape`` is theirs.  Nothing of a training that has them needs to be played again.
    """
    try:
        kept = open_json(read_file(folder / SCORES))
        said = _said(folder, identity, learned)
        done = len(read_curve(folder / CURVE, identity)) == generations
    except (RunError, OSError, ValueError):
        return None
    is_same = all(kept.get(name) == value for name, value in said.items())
    fits = not faults(kept.get("scores"), shape)
    return kept["scores"] if done and is_same and fits else None


def _said(folder: Path, identity: str, learned: str) -> dict[str, Any]:
    """What scores are of.  Raises RunError and FileNotFoundError."""
    return {
        "training": checksum(identity.encode()),
        "learned": checksum(read_file(folder / learned)),
        "versions": versions_of("numba", "numpy"),
    }


def typed_command() -> str:
    """The command of this process, as it was typed."""
    return command(*sys.argv[1:])


def heading() -> str:
    """What stands above learned weights: the command of this process."""
    return f"Weights learned by\n  {typed_command()}"


def curve_table(curve: Path, identity: str) -> pd.DataFrame:
    """The learning curve of a training: ``generation``, ``strength``, ``mean`` and ``best`` score.

    Strength is what had been learned so far, measured now and then (NaN in between); mean and best
    are of the candidates.
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


def learned_by(curve: pd.DataFrame, what: str) -> str:
    """The strength that `curve_table` begins and ends with, as a sentence; "" where it has none."""
    known = [
        (f"{100 * strength:.1f}%", f"generation {number}")
        for number, strength in zip(curve["generation"], curve["strength"], strict=True)
        if strength == strength
    ]
    if not known:
        return ""
    (before, first), (after, last) = known[0], known[-1]
    if len(known) == 1:
        return f"{what}: {before} in {first}"
    return f"{what} went from {before} in {first} to {after} in {last}"


def plot_learning(
    curve: pd.DataFrame, *, what: str, even: bool = False, ax: Axes | None = None
) -> Axes:
    """Strength of what was learned by generation, from `curve_table`.

    ``what`` names the strength, in percent; ``even`` draws a line at 50%.
    """
    if ax is None:
        ax = new_axes(2.8, left=0.8, legend=False)
    measured = curve.dropna(subset="strength")
    ax.plot(measured["generation"], 100 * measured["strength"], color=theme.BLUE, marker="o", lw=2)
    if even:
        ax.axhline(50, color=theme.MUTED, lw=1, ls="--")
    ax.set_xlabel("generation")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylabel(f"{what} (%)")
    title = learned_by(curve, what) or "No generation has been measured"
    set_titles(ax, title, "strength of what was learned by generation")
    return ax


def write_learning(folder: Path, identity: str, *, how: str, what: str, even: bool = False) -> Path:
    """Write the chart of a training; its SVG file.

    ``how`` says under it what was played; the rest is as in `plot_learning`.
    """
    chart = folder / CHART
    with theme.off_screen(), theme.style():
        curve = curve_table(folder / CURVE, identity)
        axes = plot_learning(curve, what=what, even=even)
        theme.add_caption(axes, f"{how}\nfairdeal {version('fairdeal')}")
        write_figure(theme.figure_of(axes), chart)
    return chart.with_suffix(".svg")
