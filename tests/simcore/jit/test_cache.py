"""Compiled kernels are kept by all that they depend on, and play on where nothing can be kept."""

import ast
import functools
import importlib
import logging
import os
import random
import shutil
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from card_data import cache
from simcore import jit
from simcore.imports import ROOMS
from simcore.jit import sources as kernel_sources
from simcore.jit.cache import KEPT_OWN_RULES, OWN_RULES
from simcore.jit.sources import digest_of_sources, sources_of
from support.collatz import n_found, new_program
from support.nobody import command_as_nobody, poor_environment

ROOT = Path(__file__).parents[3]
TAKES_A_KERNEL = "from simcore.jit import"
DECORATORS = {"apart_kernel", "cached_kernel", "inline_kernel", "kernel", "plain_kernel"}


def file_of(module: str) -> Path | None:
    """The file of a module of fairdeal."""
    place = ROOT.joinpath(*module.split("."))
    files = place.with_name(f"{place.name}.py"), place / "__init__.py"
    return next((file for file in files if file.is_file()), None)


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@functools.cache
def imports_of(file: Path) -> list[tuple[str, str, str]]:
    """Each import of a file: the module, what is taken from it, and its name here."""
    found = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module is not None
            found += [(node.module, one.name, one.asname or one.name) for one in node.names]
        elif isinstance(node, ast.Import):
            found += [(one.name, "", one.asname or one.name) for one in node.names]
    return found


def imported_files(file: Path) -> set[Path]:
    """The files of fairdeal that a file imports, directly or not, and itself."""
    seen, waiting = {file}, [file]
    while waiting:
        for module, name, _ in imports_of(waiting.pop()):
            found = (file_of(f"{module}.{name}") if name else None) or file_of(module)
            if found is not None and found not in seen:
                seen.add(found)
                waiting.append(found)
    return seen


KERNEL_FILES = sorted(
    file
    for room in ("simcore", "analysis")
    for file in (ROOT / room).rglob("*.py")
    if TAKES_A_KERNEL in file.read_text()
    and DECORATORS & {name for module, name, _ in imports_of(file)}
)


def test_rooms_are_all_packages() -> None:
    """No package of fairdeal is left out of the search for sources."""
    assert {init.parent.name for init in ROOT.glob("*/__init__.py")} == set(ROOMS)


@pytest.mark.parametrize("module", ["analysis.mindbug.tallies", "simcore.mindbug.play.simulate"])
def test_sources_are_what_is_imported(module: str) -> None:
    """What is found without parsing is what Python's own parser finds, and nothing is missing."""
    file = file_of(module)
    assert file is not None
    found, imported = set(sources_of(module, file)), imported_files(file)
    assert imported <= found
    assert all(more.name == "__init__.py" for more in found - imported)


def names_in(code: types.CodeType) -> set[str]:
    """All global names and attributes that a function looks up."""
    inner = [names_in(one) for one in code.co_consts if isinstance(one, types.CodeType)]
    return set(code.co_names).union(*inner)


def origin(file: Path, name: str) -> Path:
    """The file that gives a global name its value."""
    for module, taken, here in imports_of(file):
        found = file_of(module) if here == name and taken else None
        if found is not None and file_of(f"{module}.{taken}") is None:
            return origin(found, taken)
    return file


def test_every_constant_of_a_kernel_is_in_the_digest() -> None:
    """Each global name that a kernel uses has its value from a file in its module's digest."""
    n_names = 0
    for file in KERNEL_FILES:
        module = importlib.import_module(module_of(file))
        sources = set(sources_of(module.__name__, file))
        for kernel in vars(module).values():
            if isinstance(kernel, Dispatcher) and kernel.__module__ == module.__name__:
                for name in names_in(kernel.py_func.__code__) & vars(module).keys():
                    assert origin(file, name) in sources, f"{module_of(file)}: {name}"
                    n_names += 1
    assert n_names > 1000


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the package, whose sources are looked at instead."""

    def forget() -> None:
        for function in (kernel_sources._look_at, kernel_sources._files, sources_of):
            function.cache_clear()

    for room in ROOMS:
        ignored = shutil.ignore_patterns("__pycache__", "*.toml", "templates", "notebooks")
        shutil.copytree(ROOT / room, tmp_path / room, ignore=ignored)
    monkeypatch.setattr(kernel_sources, "_ROOT", tmp_path)
    forget()
    yield tmp_path
    forget()


def swap_two_selections(text: str) -> str:
    """Two selections in each other's place: what kernels count in one place is the other's then."""
    assert '"drawn",' in text and '"not_drawn",' in text
    return (
        text.replace('"drawn",', "@")
        .replace('"not_drawn",', '"drawn",')
        .replace("@", '"not_drawn",')
    )


def add_a_line(text: str) -> str:
    return f"{text}\n"


TALLIES, COMPARISONS, ENGINE = (
    {"analysis.mindbug.tallies", "analysis.mindbug.paired_sums"},
    {"analysis.mindbug.paired_sums"},
    {"simcore.mindbug.play.simulate"},
)


@pytest.mark.parametrize(
    ("edited", "edit", "changed"),
    [
        ("analysis/mindbug/selections.py", swap_two_selections, TALLIES),
        ("analysis/mindbug/pairs.py", add_a_line, set()),
        ("simcore/mindbug/rules/zones.py", add_a_line, ENGINE | COMPARISONS),
        ("simcore/mindbug/table/masks.py", add_a_line, TALLIES | ENGINE),
        ("card_data/mindbug/vocabulary.py", add_a_line, TALLIES | ENGINE),
        ("reports/mindbug/balance/text.py", add_a_line, set()),
    ],
)
def test_an_edit_changes_the_digests_of_those_who_see_it(
    copied: Path, edited: str, edit: Callable[[str], str], changed: set[str]
) -> None:
    """After an edit, as of the selections, kernels that depend on the file compile anew."""

    def digests() -> dict[str, str]:
        kernel_sources._look_at.cache_clear()
        return {
            name: digest_of_sources(name, copied.joinpath(*name.split(".")).with_suffix(".py"))
            for name in TALLIES | ENGINE
        }

    before = digests()
    (copied / edited).write_text(edit((copied / edited).read_text()))
    after = digests()
    assert {name for name in before if before[name] != after[name]} == changed


# ------------------------------------------------------------------------------ keeping


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    cache.told.cache_clear()
    return tmp_path


def kept_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.nbc"))


def test_compiled_kernels_are_found_again(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A second start compiles only what the first did not: other types of arguments."""
    first, second = new_program(), new_program()
    assert (first(27), n_found(first)) == (111, 0)
    assert (second(27), n_found(second)) == (111, 1)
    assert (second(np.int32(27)), n_found(second)) == (111, 1)
    assert len(kept_files(folder)) == 2
    assert not caplog.text


def test_damaged_kernels_are_compiled_anew(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever bit is flipped and wherever it is cut, it is told and compiled again."""
    rng = random.Random(3)
    new_program()(27)
    (kept,) = kept_files(folder)
    whole = kept.read_bytes()
    for n_left in (0, 1, 40, len(whole) - 1, *[len(whole)] * 4):
        damaged = bytearray(whole[:n_left])
        if n_left == len(whole):
            damaged[rng.randrange(n_left)] ^= 1 << rng.randrange(8)
        kept.write_bytes(damaged)
        cache.told.cache_clear()
        caplog.clear()
        program = new_program()
        assert not program._cache.files.has_any()
        assert (program(27), n_found(program)) == (111, 0)
        (line,) = caplog.messages
        assert str(kept.parent) in line and "damaged" in line
        assert program._cache.files.has_any()


def test_the_code_of_another_kernel_is_not_run(folder: Path) -> None:
    """A whole file in the place of another is damage as well."""
    new_program()(27)
    program = new_program()
    (wide,) = kept_files(folder)
    program(np.int32(27))
    (narrow,) = {*kept_files(folder)} - {wide}
    wide.write_bytes(narrow.read_bytes())
    narrow.unlink()
    again = new_program()
    assert [again(27), again(np.int32(27)), n_found(again)] == [111, 111, 0]


def test_nothing_is_kept_where_others_can_write(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """In a folder of everybody's it plays without a cache, after one line."""
    (folder / "fairdeal").mkdir()
    (folder / "fairdeal").chmod(0o777)
    program = new_program()
    assert program(27) == 111
    assert len(caplog.messages) == 1 and "others can write" in caplog.text
    assert not kept_files(folder)


def run_collatz(
    command: list[str], environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    paths = ":".join([str(ROOT), *(path for path in sys.path if path)])
    return subprocess.run(
        [*command, sys.executable, "-m", "support.collatz"],
        env={**environment, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_user_who_owns_nothing_plays_without_a_cache() -> None:
    """Uid 65534, without a home, compiles and plays after one line that says what to do."""
    command = command_as_nobody()
    if not command:
        pytest.skip("only root can become another user, with setpriv")
    answer = run_collatz(command, poor_environment({}))
    assert (answer.returncode, answer.stdout) == (0, "111 0\n")
    (line,) = answer.stderr.splitlines()
    assert "/nonexistent" in line and "NUMBA_CACHE_DIR" in line


def test_a_full_disk_does_not_stop_it(tmp_path: Path) -> None:
    """What was compiled is run where there is no room to keep it; the line names the folder."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4k,mode=0700", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        answer = run_collatz([], {**os.environ, "NUMBA_CACHE_DIR": str(disk)})
        left = [file for file in disk.rglob("*") if file.is_file()]
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert (answer.returncode, answer.stdout, left) == (0, "111 0\n", [])
    (line,) = answer.stderr.splitlines()
    assert str(disk) in line and "No space left on device" in line


def test_only_the_last_versions_of_a_module_are_kept(folder: Path) -> None:
    """What was compiled from sources long changed is removed, that of other modules stays."""
    kernels = folder / "fairdeal" / "kernels"
    for n in range(6):
        for module in ("one", "two.three"):
            (kernels / f"{module}-{n}").mkdir(parents=True)
            os.utime(kernels / f"{module}-{n}", (n, n))
    jit.prune()
    left = sorted(path.name for path in kernels.iterdir())
    assert left == [f"{module}-{n}" for module in ("one", "two.three") for n in range(2, 6)]


def test_games_of_ones_own_keep_a_kernel_for_each_choice_of_players(folder: Path) -> None:
    """A game with two to four seats has more kernels than a module has versions."""
    kernels = folder / "fairdeal" / "kernels"
    for n in range(KEPT_OWN_RULES + 3):
        (kernels / f"{OWN_RULES}{'odd' if n % 3 else 'nim'}-{n}").mkdir(parents=True)
        os.utime(next(kernels.glob(f"{OWN_RULES}*-{n}")), (n, n))
    jit.prune()
    left = {int(path.name.rpartition("-")[2]) for path in kernels.iterdir()}
    assert left == {*range(3, KEPT_OWN_RULES + 3)}


def test_nothing_is_said_where_all_is_well(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A folder that is there, or can be made, can keep kernels."""
    with caplog.at_level(logging.DEBUG, logger="card_data"):
        assert jit.keeps_kernels()
    assert not caplog.text
