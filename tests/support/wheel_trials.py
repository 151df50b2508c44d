"""The wheel in use: `python -m support.wheel_trials`, for `make wheels`.

The wheel is built from a copy of the tracked files, and must hold every one of its packages.  Then
it is installed with the versions of locks/run.txt on each Python that pyproject.toml names and this
machine has, and used outside the checkout: a report of Mindbug and a run of Mice & Mystics.  Every
Python must make the same tables.  Single games have an engine of their own, which takes a third of
the time to compile: one is replayed on the Python of the checkout alone, whose tests find it
compiled.  The environments stay in build/wheels, for `make bom`.

`make versions` asks for ``lowest-direct`` and ``highest`` instead: the wheel with the lowest, and
with the highest, versions of its libraries that pyproject.toml allows, as uv resolves them.  The
games must be the same.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, repeat
from pathlib import Path

from pyarrow.parquet import read_table

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "wheels"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PACKAGES = ("card_data", "simcore", "analysis", "reports")
_NAMED = "Programming Language :: Python :: "
PYTHONS = [
    one.removeprefix(_NAMED) for one in PROJECT["classifiers"] if one.startswith(f"{_NAMED}3.")
]
#: The Python of the checkout, which is tried first and with all commands.
RESOLUTIONS = ("lowest-direct", "highest")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
COMMANDS = (
    "--version",
    "cards check own.toml",
    "balance own.toml first_contact --policy random --games 500 --format html,xlsx --out mindbug",
    "simulate ch1_flight_to_barksburg --policy learned --games 50 --out mice",
)
COMMANDS_HERE = ("replay mindbug 7",)
OWN = """
name = "Own"

[lantern]
name = "Lantern"
power = 5
copies = 2
play = "gain 1 life"
"""
COMPARED = (
    "mindbug/games/part-00000.parquet",
    "mindbug/tables/cards.csv",
    "mice/games/part-00000.parquet",
)


def tracked() -> list[str]:
    """The files of the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def build_wheel() -> Path:
    """The wheel, made from tracked files alone: what a former build left behind stays out."""
    with tempfile.TemporaryDirectory() as folder:
        for name in tracked():
            copy = Path(folder) / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy)
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
        subprocess.run([*pip, "--wheel-dir", str(BUILD), folder], check=True)
    [wheel] = BUILD.glob("*.whl")
    return wheel


def not_in(wheel: Path) -> list[str]:
    """Tracked files of the packages that the wheel does not hold."""
    with zipfile.ZipFile(wheel) as held:
        names = {*held.namelist()}
    return [name for name in tracked() if name.split("/")[0] in PACKAGES and name not in names]


def found(version: str) -> str | None:
    """A Python of a version that can make environments, from pyenv's folder or the path."""
    name = f"python{version}"
    places = [*Path.home().glob(f".pyenv/versions/{version}.*/bin/{name}"), shutil.which(name)]
    for place in filter(None, places):
        says = [str(place), "-c", "import ensurepip, venv, sys; print(sys.version_info[:2])"]
        try:
            answer = subprocess.run(says, capture_output=True, text=True, check=False)
        except OSError:
            continue
        if answer.stdout.strip() == f"({version.replace('.', ', ')})":
            return str(place)
    return None


def install(python: str, name: str, wheel: Path) -> Path:
    """An environment with the wheel and the locked versions, or those of a resolution, alone."""
    home = BUILD / name
    subprocess.run([python, "-m", "venv", "--clear", "--without-pip", str(home)], check=True)
    inside = ["--python", str(home / "bin" / "python")]
    if name in RESOLUTIONS:
        uv = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--quiet", *inside]
        project = ["-r", str(ROOT / "pyproject.toml")]  # in a wheel nothing is direct
        subprocess.run([*uv, "--resolution", name, *project], check=True)
    pip = [sys.executable, "-m", "pip", *inside, "install"]
    pip += ["--quiet", "--disable-pip-version-check", "--no-compile"]
    if name not in RESOLUTIONS:
        locked = ["--require-hashes", "-r", str(ROOT / "locks" / "run.txt")]
        subprocess.run([*pip, *locked], check=True)
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
    return home


def use(home: Path, folder: Path, commands: Sequence[str]) -> Iterator[str]:
    """Run commands in a folder outside the checkout; what fails, with what it printed."""
    folder.mkdir()
    (folder / "own.toml").write_text(OWN)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    for command in commands:
        ended = subprocess.run(
            [str(home / "bin" / "fairdeal"), *command.split()],
            cwd=folder,
            env=clean,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=1200,
            check=False,
        )
        if ended.returncode:
            yield f"fairdeal {command}: {ended.returncode}\n{ended.stdout}{ended.stderr}"
            return
        if command == "--version" and PROJECT["version"] not in ended.stdout:
            yield f"fairdeal --version says {ended.stdout}"


def tried(name: str, wheel: Path, folder: Path) -> list[str] | None:
    """What is wrong on a Python, or on that of the checkout with the versions of a resolution.

    None where there is no such Python.  Says how it went.
    """
    version = HERE if name in RESOLUTIONS else name
    if (python := found(version)) is None:
        print(f"Python {version}: none here, not tried", flush=True)
        return None
    begin = time.perf_counter()
    home = install(python, name, wheel)
    installed = time.perf_counter()
    commands = COMMANDS + (COMMANDS_HERE if name == HERE else ())
    called = f"Python {version}{f', {name}' * (name != version)}"
    wrong = [f"{called}: {fault}" for fault in use(home, folder, commands)]
    print(
        f"{called}: {'FAILED' if wrong else 'works'}, installed in"
        f" {installed - begin:.0f} s, used for {time.perf_counter() - installed:.0f} s",
        flush=True,
    )
    return wrong


def same(one: Path, other: Path) -> bool:
    """Whether two files hold the same; Parquet also names the version that wrote it."""
    if one.suffix == ".parquet":
        return bool(read_table(one).equals(read_table(other)))
    return one.read_bytes() == other.read_bytes()


def main(asked: Sequence[str]) -> int:
    """Build, install and use; 1 if anything fails or no Python was tried."""
    versions = sorted(asked, key=lambda version: version != HERE)
    shutil.rmtree(BUILD, ignore_errors=True)
    wheel = build_wheel()
    faults = [f"{wheel.name} lacks {name}" for name in not_in(wheel)]
    with tempfile.TemporaryDirectory() as aside, ThreadPoolExecutor(os.cpu_count()) as pool:
        folders = [Path(aside) / version for version in versions]
        wrong = [*pool.map(tried, versions, repeat(wheel), folders)]
        faults += chain.from_iterable(filter(None, wrong))
        good = [folder for folder, one in zip(folders, wrong, strict=True) if one == []]
        for folder in good[1:]:
            other = [name for name in COMPARED if not same(good[0] / name, folder / name)]
            faults += [f"{folder.name}: other {name}" for name in other]
    if all(one is None for one in wrong):
        faults.append(f"no Python {', '.join(versions)} was found: the wheel was not tried")
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or PYTHONS))
