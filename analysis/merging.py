"""Joining runs of the same question with different seeds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve

from analysis.runs import Run, open_run
from simcore.sealed import RunError, read_file, write_file
from simcore.work.about import read_about, write_about
from simcore.work.folder import begin, difference, what_was_asked
from simcore.work.lock import holding
from simcore.work.parts import RUN, part_file, part_of, read_part, sources, write_manifest
from simcore.work.progress import Meter, Progress


def merge(folders: Sequence[Path], out: Path, *, on_progress: Progress | None = None) -> Run:
    """Join finished runs of the same question with different seeds into a new folder.

    The parts are those of the runs, byte by byte, so every game is still the game that it was, and
    can be played again (`simcore.work.parts.deal_of`).  Repeated after an interruption it goes on.

    Raises RunError when the runs are not of the same question, or two have games of the same seed,
    or a rule ended one (`--until`): intervals that hold where a run ends do not hold for a sum of
    such runs.  And when one is damaged, or ``out`` holds something else.
    """
    runs = [open_run(folder) for folder in folders]
    manifest = _merged(runs)
    parts = [(run, part) for run in runs for part in range(run.n_parts)]
    meter = Meter(len(parts), on_progress)
    with holding(out):
        begun = begin(RUN, out, manifest, files=_files(runs[0]))
        for number, (run, part) in enumerate(parts):
            try:
                read_part(out, manifest, number)
            except RunError:
                read_part(run.folder, run.manifest, part)  # verified before it is copied
                write_file(out / part_file(number), read_file(run.folder / part_file(part)))
            meter.advance(1)
        counts: Counter[str] = Counter()
        for run in runs:
            counts.update(run.manifest["counts"])
        write_manifest(out, {**begun.manifest, "counts": dict(sorted(counts.items()))})
        about = read_about(runs[0].folder)
        if about is not None:
            games, asked = manifest["games"], what_was_asked(RUN, manifest)
            told = evolve(about, games=games, seed=None, asked=asked, headline="", page="")
            write_about(out, told)
    return open_run(out)


def _merged(runs: Sequence[Run]) -> dict[str, Any]:
    """The manifest of runs that are merged.  Raises RunError where they cannot be."""
    first = runs[0]
    if len(runs) < 2:
        raise RunError(f"only {first.folder} is named; name the runs to merge, two at least")
    for run in runs:
        if "until" in run.manifest:
            raise RunError(
                f"{run.folder} was ended by --until: its intervals hold where it ended, and not in"
                " a sum of runs; play as many games with --games instead"
            )
        if differs := difference(_question(run), _question(first)):
            raise RunError(
                f"{run.folder} and {first.folder} are of different questions: {differs}; only runs"
                " that differ in their seeds alone can be merged"
            )
    found: dict[int, Run] = {}
    for run in runs:
        for source in sources(run.manifest):
            seed = source.manifest["seed"]
            if seed in found:
                raise RunError(
                    f"{found[seed].folder} and {run.folder} both have games of seed {seed}: they"
                    " would count twice; merge runs of different seeds"
                )
            found[seed] = run
    manifests = [source.manifest for run in runs for source in sources(run.manifest)]
    return {
        **first.manifest,
        "seed": [one["seed"] for one in manifests],
        "games": sum(one["games"] for one in manifests),
        "part_games": max(one["part_games"] for one in manifests),
        "merged": [{name: one[name] for name in ("games", "part_games")} for one in manifests],
        "counts": None,
    }


def _question(run: Run) -> dict[str, Any]:
    """All that was asked, but for which games."""
    games = ("seed", "games", "part_games", "merged")
    asked = what_was_asked(RUN, run.manifest)
    return {name: one for name, one in asked.items() if name not in games}


def _files(run: Run) -> Mapping[str, bytes]:
    """The files with what was played with.  Raises RunError."""
    source = part_of(run.folder, run.manifest, 0)
    return run.game.files(run.folder, source.folder.manifest)
