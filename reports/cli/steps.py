"""The steps that commands are made of: compile, play, analyse, compare, report.

Each shows how far it is, and can be interrupted: the same command resumes it.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.cli.compute import Crew
from reports.cli.console import progress, resumable, say, waiting
from reports.cli.games import game_of_folder
from reports.games import Compiled, Kernels, reports_of

if TYPE_CHECKING:
    import pandas as pd

    from analysis.experiments.comparison import Comparison
    from reports.kit.words import Finding
    from simcore.work.runs import RunSpec, Tally

Calls = Sequence[Callable[[], object]]

_NOTHING: Kernels = ((), "", 0)
# How many numbers are spelled to tell how slow a machine is, and how long that took on the machine
# on which the seconds of kernels were measured.
_TRIAL, _TRIAL_SECONDS = 20_000, 0.003


@contextmanager
def compiling(kernels: Sequence[str], what: str, seconds: int) -> Iterator[None]:
    """Say that the block compiles ``what``, unless its kernels, "module.kernel", are on disk."""
    if not say_compiling(kernels, what, seconds):
        yield
        return
    with waiting("compiling"):
        yield


@contextmanager
def compiling_all(what: str, wanted: Sequence[Compiled]) -> Iterator[list[Calls]]:
    """Say that the block compiles those of some kernels that are not on disk: the calls to make.

    Those of a module are a family of `simcore.jit.compile_all`.  A kernel may be wanted twice.
    """
    from simcore.jit import is_compiled

    missing = {one[0]: one for one in wanted if not is_compiled(one[0])}
    # What is optimised beside is hidden behind what is prepared, which is more than half of it.
    seconds = sum(seconds for _, seconds, _ in missing.values())
    if len(missing) > 1 and (os.cpu_count() or 1) > 1:
        seconds = round(0.7 * seconds)
    with compiling([*missing], what, seconds):
        families: dict[str, list[Callable[[], object]]] = {}
        for name, _, call in missing.values():
            families.setdefault(name.rpartition(".")[0], []).append(call)
        yield [*families.values()]


def say_compiling(kernels: Sequence[str], what: str, seconds: int) -> bool:
    """Say that ``what`` is going to be compiled, unless its kernels are on disk; whether it is."""
    if not kernels:
        return False
    from simcore.jit import is_compiled, keeps_kernels

    if all(is_compiled(kernel) for kernel in kernels):
        return False
    often = ", once for each version of fairdeal" if keeps_kernels() else ""
    say(f"compiling {what}{often}: about {round(seconds * _slowness())} s")
    return True


@cache
def _slowness() -> float:
    """How much longer this machine takes at present than the one on which seconds were measured.

    That is told by a few milliseconds of what a compiler does: words, dicts and numbers.
    """

    def seconds() -> float:
        began, found = time.perf_counter(), dict[int, str]()
        for number in range(_TRIAL):
            found[number & 1023] = str(number)
        return time.perf_counter() - began

    return max(min(seconds() for _ in range(5)) / _TRIAL_SECONDS, 0.1)


def kernels_of(game: str, step: str) -> Kernels:
    """What a step of a game compiles."""
    return reports_of(game).kernels.get(step, _NOTHING)


def is_run(spec: "RunSpec", folder: Path) -> bool:
    """Whether a run, or a part of it, is in a folder; a shorter run is another one."""
    from simcore.sealed import RunError
    from simcore.work.folder import LostError
    from simcore.work.parts import RUN, read_manifest
    from simcore.work.runs import check_run

    if not (folder / RUN.file).exists() and not any(folder.glob(RUN.pieces)):
        return False
    try:
        check_run(spec, folder)
        return spec.until is not None or read_manifest(folder)["games"] == spec.n_games
    except LostError:
        return True
    except RunError:
        return False


def play_run(
    spec: "RunSpec", folder: Path, crew: Crew, doing: str | Callable[[], str] = "playing"
) -> Path:
    """Play a run, or what is missing of it, into a folder; the folder."""
    from simcore.work.parts import LEAST_GAMES
    from simcore.work.runs import check_run, run_games

    check_run(spec, folder)  # refuses before anything is compiled
    counted = spec.part_games >= LEAST_GAMES
    reports_of(spec.game).compile_engine(spec.settings["policies"], spec.task, counted)
    with resumable("finished parts stay", folder), crew.playing(doing) as how:
        run_games(spec, folder, tally=_tally if counted else None, **how)
    return folder


def _tally(folder: Path) -> "Tally":
    """What counts a run in a folder while it is played."""
    from analysis.kept_tallies import tally_played  # pandas takes a second

    return tally_played(folder)


def compile_players(specs: "Sequence[RunSpec]") -> None:
    """Compile at once what plays and counts some runs of one game, and tell of it once."""
    players = [player for spec in specs for player in spec.settings["policies"]]
    compile_engine = reports_of(specs[0].game).compile_engine
    compile_engine([*dict.fromkeys(players)], specs[0].task, True)


def analyze_run(folder: Path, threads: int | None) -> "dict[str, pd.DataFrame]":
    """The tables of a run, which are written as well."""
    say_compiling(*kernels_of(game_of_folder(folder), "analyze"))
    with progress("analysing", "parts") as advance:
        from analysis.tables import analyze  # pandas takes a second

        return analyze(folder, threads=threads, on_progress=advance)


def list_card_games(folder: Path) -> Path:
    """The file with a row for each game, player and card of a run, written unless it is there."""
    with progress("listing cards of games", "parts") as advance:
        from analysis.own_statistics import write_card_games

        return write_card_games(folder, on_progress=advance)


def check_statistics(game: str, statistics: Sequence[str] | None) -> None:
    """Load statistics of a person's own before anything is played.  Raises OwnCodeError."""
    for text in statistics or ():
        from analysis.own_statistics import statistic_name
        from simcore.own_code import use

        statistic_name(game, use(text))


def own_statistics(folder: Path, statistics: Sequence[str] | None) -> dict[str, dict[str, str]]:
    """Write the tables that somebody's own functions make of a run; what `--json` says of them.

    That is the files by the names of the tables, and nothing where no function was named.
    """
    written = {}
    for text in statistics or ():
        from analysis.own_statistics import write_statistic

        with waiting(f"computing {text}"):
            write_statistic(folder, text)
        name = text.rpartition(":")[2]
        written[name] = str(folder / "tables" / f"{name}.csv")
    return {"statistics": written} if written else {}


def compare_folders(base: Path, variant: Path, threads: int | None, **options: Any) -> "Comparison":
    """What differs between two runs; ``options`` are those of `compare_runs`."""
    from analysis.experiments.comparison import can_be_paired, compare_runs
    from analysis.runs import open_run

    can_be_paired(open_run(base), open_run(variant))  # refuses before anything is compiled
    with (
        compiling(*kernels_of(game_of_folder(base), "compare")),
        progress("comparing", "parts") as advance,
    ):
        return compare_runs(base, variant, threads=threads, on_progress=advance, **options)


def finding_of(folder: Path) -> str:
    """What a list of runs says of an analysed run: the headline of its report."""
    return reports_of(game_of_folder(folder)).report(folder, None).headline


def findings_of(folder: Path, tables: "dict[str, pd.DataFrame]") -> "list[Finding]":
    """What is worth knowing first of an analysed run, a designer's own cards before all."""
    reports = reports_of(game_of_folder(folder))
    return [*reports.report(folder, None).own_findings, *reports.findings(tables)]


def report_run(
    folder: Path, formats: Sequence[str] = ("html",), before: "Comparison | None" = None
) -> dict[str, Path]:
    """The files of the report of a run by format, which are written with the charts."""
    from reports.balance.formats import write_formats
    from reports.kit.formats import reports_in
    from simcore.work.lock import holding

    name, there = game_of_folder(folder), reports_in(folder)
    with waiting("writing the report"), holding(folder):
        written = write_formats(
            reports_of(name).report(folder, before),
            formats,
            lambda: say_compiling(*kernels_of(name, "replay")),
        )
    if gone := there.keys() - reports_in(folder).keys():
        names = " and ".join(sorted(there[name].name for name in gone))
        say(f"removed {names}, written before the present tables (--format writes them again)")
    return written
