"""The command `fairdeal runs`: what there is in a project folder, and looking after it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.compute import HERE, Compute
from reports.cli.console import (
    InputError,
    print_json,
    print_wrapped,
    progress,
    resumable,
)
from reports.cli.options import Json, Run, Threads, to_place
from reports.games import Commands
from simcore.commands import command

if TYPE_CHECKING:
    from analysis.upkeep import Fault

runs = Commands(
    name="runs",
    help="List every run in a project folder, newest first.\n\n"
    "For each run, comparison and experiment it says what was asked, who played, how far it got,"
    " the main finding and where the page is; saved games of play are listed too. Also writes"
    " PROJECT/index.html, which links them all."
    " The commands verify, repair, merge and prune look after runs.",
)

_FINE = "everything is as it should be"
# How many files are named that cannot be verified.
_NAMED = 5

_Folder = Annotated[
    Path,
    Parameter(
        converter=to_place,
        name="RUN",
        help="The folder of a run, or any other that a command made.",
    ),
]


@runs.default
def list_runs(
    project: Annotated[
        Path,
        Parameter(
            converter=to_place, name="PROJECT", help="The folder that holds the run folders."
        ),
    ] = Path("runs"),
    /,
    *,
    as_json: Json = False,
) -> None:
    """List every run in a project folder, newest first."""
    from reports.runs.listing import listed
    from reports.runs.page import write_runs_page
    from reports.runs.text import as_json as told
    from reports.runs.text import lines, summary

    if not project.is_dir():
        problem = "is not a folder" if project.exists() else "does not exist"
        raise InputError(
            f"{project} {problem}; commands put their folders into 'runs', or name another folder"
        )
    found = listed(project)
    page = write_runs_page(found, project)
    if as_json:
        print_json({"project": str(project), "page": str(page), "runs": told(found)})
        return
    for line in lines(found):
        print(line)
    print(f"\n{summary(found, project)}\npage: {page}" if found else summary(found, project))


@runs.command
def verify(run: _Folder, /, *, threads: Threads = None, as_json: Json = False) -> int:
    """Read everything in a folder and say what is damaged, missing or foreign.

    Says of each file what repairs it. The exit status is 2 if anything was found. Files of which no
    checksum is known, because an earlier fairdeal or somebody else wrote them, are counted.
    """
    from analysis.upkeep import COUNTED, PLAYED, REMOVED, unsealed

    found = _verified(run, threads)
    unknown = [path for path in unsealed(run) if path not in {fault.path for fault in found}]
    if as_json:
        names = [str(path) for path in unknown]
        print_json({"run": str(run), "faults": _as_json(found), "without_checksum": names})
    else:
        if unknown:
            print_wrapped([_without_checksum(unknown, run)])
        print_wrapped(_lines(found))
        faults = f"{_files(len(found))} damaged, missing or foreign"
        mended = sum(fault.remedy in (PLAYED, REMOVED, COUNTED) for fault in found)
        hint = f"; '{command('runs', 'repair', run)}' repairs {mended} of them" if mended else ""
        print(f"{run}: {faults}{hint}" if found else f"{run}: {_FINE}")
    return 2 if found else 0


@runs.command
def repair(run: _Folder, /, *, compute: Compute = HERE, as_json: Json = False) -> int:
    """Repair what verify finds: play lost games again, make tables again, remove what is left over.

    Files that are not fairdeal's stay as they are. The exit status is 2 if anything is left for
    you to repair.
    """
    from analysis.runs import open_manifest
    from analysis.upkeep import PLAYED, repair
    from reports.games import reports_of

    found = _verified(run, compute.threads)
    for home in {fault.path.parents[1] for fault in found if fault.remedy == PLAYED}:
        manifest = open_manifest(home).manifest
        reports_of(manifest["game"]).compile_engine(manifest["policies"])
    left = found
    if found:
        stays = resumable("what is repaired stays", run)
        with stays, compute.start() as crew, crew.playing() as how:
            left = repair(run, found, **how)
    there = {fault.path for fault in left}
    done = [fault for fault in found if fault.path not in there]
    if as_json:
        print_json({"run": str(run), "repaired": _as_json(done), "left": _as_json(left)})
    else:
        print_wrapped(f"{fault.path} {fault.problem}; repaired" for fault in done)
        print_wrapped(_lines(left))
        rest = f", {_files(len(left))} left" if left else ""
        print(f"{run}: {_files(len(done))} repaired{rest}" if found else f"{run}: {_FINE}")
    return 2 if left else 0


@runs.command
def merge(
    *named: Annotated[
        Path,
        Parameter(
            converter=to_place, name="RUN", required=True, help="The folders of finished runs."
        ),
    ],
    out: Annotated[
        Path, Parameter(converter=to_place, help="The folder of the merged run, which must be new.")
    ],
    as_json: Json = False,
) -> None:
    """Merge runs of the same question with different seeds into one.

    Every game is still the game of its seed and can be replayed. Runs that were ended by --until,
    and two with games of the same seed, are refused.
    """
    from analysis.upkeep import merge
    from simcore.work.parts import seeds_text

    with resumable("merged parts stay", out), progress("merging", "parts") as advance:
        merged = merge(named, out, on_progress=advance)
    if as_json:
        print_json({"run": str(out), **merged.manifest})
    else:
        print(f"run: {out}\n{merged.n_games:,} games of the seeds {seeds_text(merged.manifest)}")


@runs.command
def prune(
    run: Run,
    /,
    *,
    yes: Annotated[
        bool,
        Parameter(
            name="--yes", negative=(), help="Remove the files; without it they are only counted."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Free disk space by removing what can be made again: tallies, tables, charts and pages.

    Games are never removed. Without --yes it says how much would be freed. `fairdeal analyze` and
    `fairdeal report` make everything again.
    """
    from analysis.upkeep import prunable, prune

    found = prunable(run)
    if yes:
        prune(run)
    size = sum(found.values())
    if as_json:
        files = [str(path) for path in found]
        print_json({"run": str(run), "removed": yes, "bytes": size, "files": files})
    elif not found:
        print(f"{run}: nothing that can be made again")
    elif yes:
        print(f"{run}: {_files(len(found))} removed, {_megabytes(size)} freed")
    else:
        print(
            f"{run}: {_files(len(found))} can be made again, {_megabytes(size)}; --yes removes them"
        )


def _without_checksum(unknown: "list[Path]", run: Path) -> str:
    """Which files cannot be verified."""
    names = ", ".join(str(path.relative_to(run)) for path in unknown[:_NAMED])
    more = f" and {len(unknown) - _NAMED:,} more" if len(unknown) > _NAMED else ""
    return (
        f"{_files(len(unknown))} cannot be verified, since no checksum of them is known: an earlier"
        f" fairdeal or somebody else wrote them ({names}{more})"
    )


def _files(n: int) -> str:
    return "1 file" if n == 1 else f"{n:,} files"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


def _verified(folder: Path, threads: int | None) -> "list[Fault]":
    """What is wrong in a folder."""
    from analysis.upkeep import verify

    with progress("verifying", "files") as advance:
        return verify(folder, threads=threads, on_progress=advance)


def _lines(faults: "list[Fault]") -> list[str]:
    """A line for each fault, with what repairs it."""
    return [f"{fault.path} {fault.problem}; {fault.remedy}" for fault in faults]


def _as_json(faults: "list[Fault]") -> list[dict[str, Any]]:
    return [
        {"file": str(fault.path), "problem": fault.problem, "remedy": fault.remedy}
        for fault in faults
    ]
