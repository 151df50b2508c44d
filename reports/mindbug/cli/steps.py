"""The steps that commands are made of: compile, play, analyse, compare, report.

Each shows its progress and can be interrupted: the same command resumes from there.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.cli.console import progress, resumable, say, waiting

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.experiments.comparison import Comparison
    from simcore.work.runs import RunSpec

#: What counting games compiles: kernels, what they are, and about how many seconds it takes.
ANALYSIS = (
    (
        "analysis.mindbug.pair_tallies._count_pairs",
        *(f"analysis.mindbug.tallies._{what}" for what in ("tally_cards", "tally_keywords")),
        "analysis.mindbug.tallies._sum_pair_products",
    ),
    "what counts games",
    5,
)
#: What telling single games compiles: kernels, what they are, and about how many seconds it takes.
SINGLE_GAMES = ("simcore.mindbug.face.game._step",), "the engine for single games", 50


def compile_engine(players: Sequence[str] = ()) -> None:
    """Compile the engine, with what ``players`` need of it, where that has not been done."""
    from simcore.jit import prune
    from simcore.mindbug import parse_player
    from simcore.mindbug.play.simulate import compile_considered
    from simcore.mindbug.play.simulate import compile_engine as compile_games
    from simcore.mindbug.players.policies import compile_thinking

    simulate, policies = "simcore.mindbug.play.simulate", "simcore.mindbug.players.policies"
    games = f"{simulate}._play_games", f"{simulate}._play_plain_games"
    with compiling(games, "the engine", 45):
        compile_games()
    if any(parse_player(player).policy != "random" for player in players):
        thinking = f"{policies}._think_of_any", f"{policies}._think_plainly"
        with compiling(thinking, "the players who think", 30):
            compile_thinking()
    if any(parse_player(player).considers for player in players):
        what = "the engine for players who search or are restricted"
        with compiling((f"{simulate}._play_considered_games",), what, 20):
            compile_considered()
    prune()


@contextmanager
def compiling(kernels: Sequence[str], what: str, seconds: int) -> Iterator[None]:
    """Say that the block compiles ``what``, unless its kernels, "module.kernel", are on disk."""
    if not say_compiling(kernels, what, seconds):
        yield
        return
    with waiting("compiling"):
        yield


def say_compiling(kernels: Sequence[str], what: str, seconds: int) -> bool:
    """Say that ``what`` is going to be compiled, unless its kernels are on disk; whether it is."""
    from simcore.jit import is_compiled, keeps_kernels

    if all(is_compiled(kernel) for kernel in kernels):
        return False
    often = ", once for each version of balancelab" if keeps_kernels() else ""
    say(f"compiling {what}{often}: about {seconds} s")
    return True


def play_run(
    spec: "RunSpec", folder: Path, threads: int | None, doing: str | Callable[[], str] = "playing"
) -> Path:
    """Play a run, or what is missing of it, into a folder; the folder."""
    from simcore.work.runs import run_games

    compile_engine(spec.settings["policies"])
    with resumable("finished parts stay", folder), progress(doing, "games") as advance:
        run_games(spec, folder, threads=threads, on_progress=advance)
    return folder


def analyze_run(folder: Path, threads: int | None) -> "dict[str, pd.DataFrame]":
    """The tables of a run, which are written as well."""
    say_compiling(*ANALYSIS)
    with progress("analysing") as advance:
        from analysis.mindbug import analyze  # pandas takes a second

        return analyze(folder, threads=threads, on_progress=advance)


def compare_folders(base: Path, variant: Path, threads: int | None, **options: Any) -> "Comparison":
    """What differs between two runs; ``options`` are those of `analysis.mindbug.compare_runs`."""
    from analysis.mindbug.experiments.comparison import compare_runs

    with (
        compiling(("analysis.mindbug.paired_sums._add_pairs",), "the comparison", 10),
        progress("comparing", "parts") as advance,
    ):
        return compare_runs(base, variant, threads=threads, on_progress=advance, **options)


def report_run(
    folder: Path, formats: Sequence[str] = ("html",), before: "Comparison | None" = None
) -> dict[str, Path]:
    """The files of the report of a run by format, which are written with the charts."""
    from reports.mindbug import write_reports
    from reports.mindbug.balance.report_formats import reports_in

    there = reports_in(folder)
    with waiting("writing the report"):
        written = write_reports(
            folder, formats, before=before, on_telling=lambda: say_compiling(*SINGLE_GAMES)
        )
    if gone := there.keys() - reports_in(folder).keys():
        names = " and ".join(sorted(there[name].name for name in gone))
        say(f"removed {names}, written before the present tables; --format writes them anew")
    return written
