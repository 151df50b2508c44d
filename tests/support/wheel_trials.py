"""The wheel in use: `python -m support.wheel_trials`, for `make wheels`.

A wheel is built from a copy of the tracked files, and must hold every one of its packages.  It is
installed with the versions of locks/run.txt on each Python that pyproject.toml names and this
machine has, where `support.machine_code` compiles all kernels for other processors as well: on the
Python of the checkout the first of them twice, from sources in another folder, which must give the
same bytes.  With these the wheel is built once more, and used outside the checkout: a report of
Mindbug and a run of Mice & Mystics, where nothing may be compiled, and every Python must make the
same tables.  The environments stay in build/wheels, for `make bom`.

`make versions` asks for ``lowest-direct`` and ``highest`` instead: the wheel with the lowest, and
with the highest, versions of its libraries that pyproject.toml allows, as uv resolves them.  The
games must be the same; what comes with no machine code compiles.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, repeat
from pathlib import Path

from pyarrow.parquet import read_table

from simcore.jit.shipped import FOLDER, PROCESSOR

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "wheels"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PACKAGES = ("card_data", "simcore", "analysis", "reports")
_NAMED = "Programming Language :: Python :: "
PYTHONS = [
    one.removeprefix(_NAMED) for one in PROJECT["classifiers"] if one.startswith(f"{_NAMED}3.")
]
#: Environment of a process that compiles for others.  Sets of texts keep their order.
FOR_OTHERS = dict(
    zip(("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"), PROCESSOR, strict=True), PYTHONHASHSEED="0"
)
#: The Python of the checkout, which is tried first and with all commands.
RESOLUTIONS = ("lowest-direct", "highest")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
COMMANDS = (
    "--version",
    "cards check own.toml",
    "balance own.toml first_contact --policy random --games 500 --format html,xlsx --out mindbug",
    "simulate ch1_flight_to_barksburg --policy learned --games 50 --out mice",
)
COMMANDS_HERE = (
    "replay mindbug 7",
    "replay mice 0",
    "simulate beyond_evolution --policy expert --games 20 --out expansion",
    "simulate beyond_evolution --policy search:2 --games 2 --out searched",
    "compare first_contact own.toml --policy random --games 500 --stronger none --out compared",
)
OWN = """
name = "Own"

[lantern]
name = "Lantern"
power = 5
copies = 2
play = "gain 1 life"
"""
WHEEL_ALONE = "--force-reinstall", "--no-deps", "--no-index"
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


def build_wheel(machine_code: Path | None = None) -> Path:
    """The wheel, made from tracked files and machine code alone: what was left behind stays out."""
    with tempfile.TemporaryDirectory() as folder:
        for name in tracked():
            copy = Path(folder) / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy)
        if machine_code is not None:
            shutil.copytree(machine_code, Path(folder) / FOLDER.relative_to(ROOT))
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
        subprocess.run([*pip, "--wheel-dir", str(BUILD), folder], check=True)
    [wheel] = BUILD.glob("*.whl")
    return wheel


def compile_for_others(home: Path, folder: Path, *, again: Path | None = None) -> None:
    """Compile all kernels of an environment; the first ``again`` from sources elsewhere."""
    paths = [str(path) for path in (again, ROOT / "tests") if path is not None]
    some = [] if again is None else ["1"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    subprocess.run(
        [str(home / "bin" / "python"), "-m", "support.machine_code", str(folder), *some],
        cwd=BUILD,
        env=clean | FOR_OTHERS | {"PYTHONPATH": os.pathsep.join(paths)},
        check=True,
    )


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


def new_home(name: str) -> Path | None:
    """An environment with the locked versions, or those of a resolution; None without a Python."""
    version = HERE if name in RESOLUTIONS else name
    if (python := found(version)) is None:
        print(f"Python {version}: none here, not tried", flush=True)
        return None
    home = BUILD / name
    subprocess.run([python, "-m", "venv", "--clear", "--without-pip", str(home)], check=True)
    if name in RESOLUTIONS:
        uv = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--quiet"]
        uv += ["--python", str(home / "bin" / "python"), "--resolution", name]
        # in a wheel nothing is direct
        subprocess.run([*uv, "-r", str(ROOT / "pyproject.toml")], check=True)
    else:
        install(home, "--require-hashes", "-r", str(ROOT / "locks" / "run.txt"))
    return home


def install(home: Path, *what: str) -> None:
    """Install something with pip."""
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install"]
    pip += ["--quiet", "--disable-pip-version-check", "--no-compile"]
    subprocess.run([*pip, *what], check=True)


def use(home: Path, folder: Path, commands: Sequence[str]) -> Iterator[str]:
    """Run commands in a folder outside the checkout; what fails, with what it printed."""
    folder.mkdir()
    (folder / "own.toml").write_text(OWN)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    clean["NUMBA_CACHE_DIR"] = str(folder / "cache")
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


def tried(name: str, home: Path, wheel: Path, folder: Path, *, compiled: bool) -> list[str]:
    """What is wrong with a wheel in an environment, where it may compile unless it is compiled."""
    begin = time.perf_counter()
    install(home, *WHEEL_ALONE, str(wheel))
    commands = COMMANDS + (COMMANDS_HERE if name == HERE else ())
    wrong = [*use(home, folder, commands)]
    if compiled:
        wrong += [f"compiled {file.name}" for file in sorted(folder.glob("cache/**/*.nbc"))]
    says = f"{'FAILED' if wrong else 'works'} ({time.perf_counter() - begin:.0f} s)"
    print(f"{called(name)}: {says}", flush=True)
    return [f"{called(name)}: {fault}" for fault in wrong]


def called(name: str) -> str:
    """An environment in words."""
    return f"Python {HERE}, {name}" if name in RESOLUTIONS else f"Python {name}"


def same(one: Path, other: Path) -> bool:
    """Whether two files hold the same; Parquet also names the version that wrote it."""
    if one.suffix == ".parquet":
        return bool(read_table(one).equals(read_table(other)))
    return one.read_bytes() == other.read_bytes()


def machine_code(homes: Mapping[str, Path], wheel: Path, folder: Path) -> list[str]:
    """Compile for other processors with each Python, into a folder; what is not the same twice."""
    again, sources = folder.with_name("again"), folder.with_name("sources")
    install(homes[HERE], "--target", str(sources), *WHEEL_ALONE, str(wheel))
    begin = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(compile_for_others, home, folder) for home in homes.values()]
        jobs.append(pool.submit(compile_for_others, homes[HERE], again, again=sources))
        for job in jobs:
            job.result()
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    size = sum(file.stat().st_size for file in files)
    seconds = time.perf_counter() - begin
    print(f"machine code: {len(files)} files, {size:,} bytes ({seconds:.0f} s)", flush=True)
    return [
        f"compiled twice, {file.name} differs"
        for file in sorted(again.rglob("*.xz"))
        if file.read_bytes() != (folder / file.relative_to(again)).read_bytes()
    ]


def main(asked: Sequence[str]) -> int:
    """Build, compile, install and use; 1 if anything fails or no Python was tried."""
    shutil.rmtree(BUILD, ignore_errors=True)
    wheel = build_wheel()
    faults = [f"{wheel.name} lacks {name}" for name in not_in(wheel)]
    with tempfile.TemporaryDirectory() as aside, ThreadPoolExecutor(os.cpu_count()) as pool:
        made = dict(zip(asked, pool.map(new_home, asked), strict=True))
        homes = {name: home for name, home in made.items() if home is not None}
        compiled = HERE in homes and platform.machine() == "x86_64"
        if compiled:
            for home in homes.values():
                install(home, *WHEEL_ALONE, str(wheel))
            faults += machine_code(homes, wheel, Path(aside) / "machine_code")
            wheel = build_wheel(Path(aside) / "machine_code")
        folders = [Path(aside) / name for name in homes]
        trial = partial(tried, compiled=compiled)
        wrong = [*pool.map(trial, homes, homes.values(), repeat(wheel), folders)]
        faults += chain.from_iterable(wrong)
        good = [folder for folder, one in zip(folders, wrong, strict=True) if not one]
        for folder in good[1:]:
            other = [name for name in COMPARED if not same(good[0] / name, folder / name)]
            faults += [f"{folder.name}: other {name}" for name in other]
    if not homes:
        faults.append(f"no Python {', '.join(asked)} was found: the wheel was not tried")
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or PYTHONS))
