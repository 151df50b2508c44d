"""Machine code that came with a wheel is run where it can be, and only as it was made."""

import os
import platform
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import pytest

from card_data import cache
from simcore.jit import shipped
from support.collatz import n_found, new_program
from support.machine_code import lay_out
from support.wheel_trials import FOR_OTHERS

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="wheels carry machine code for x86-64 alone"
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small program compiled for other processors, as a wheel holds it."""
    kept, folder = tmp_path_factory.mktemp("kept"), tmp_path_factory.mktemp("made")
    paths = os.pathsep.join(path for path in sys.path if path)
    subprocess.run(
        [sys.executable, "-c", "from support.collatz import new_program; new_program()(27)"],
        env={**os.environ, **FOR_OTHERS, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(kept)},
        check=True,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_CACHE_DIR", str(kept))
        lay_out(folder)
    return folder


@pytest.fixture
def wheel(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a wheel with that program, and an empty cache."""
    folder = tmp_path / "machine_code"
    subprocess.run(["cp", "-r", made, folder], check=True)
    monkeypatch.setattr(shipped, "FOLDER", folder)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    shipped._why_useless.cache_clear()
    cache.told.cache_clear()
    return folder


def test_nothing_is_compiled(wheel: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What came with the wheel is run; nothing is written or said."""
    program = new_program()
    assert program._cache.files.has_any()
    assert (program(27), n_found(program)) == (111, 1)
    assert not (tmp_path / "cache").exists()
    assert not caplog.text


def test_nothing_is_said_where_nothing_can_be_kept(
    wheel: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A user without a home plays at once."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/proc/none")
    program = new_program()
    assert (program(27), n_found(program)) == (111, 1)
    assert not caplog.text


def other_sources(wheel: Path, patch: pytest.MonkeyPatch) -> None:
    (folder,) = (wheel / shipped.COMPILER).iterdir()
    folder.rename(folder.with_name(f"{folder.name[:-1]}x"))


def other_compiler(wheel: Path, patch: pytest.MonkeyPatch) -> None:
    (wheel / shipped.COMPILER).rename(wheel / "numba-0.1.2")


def other_processor(wheel: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(shipped, "get_host_cpu_features", lambda: {"avx": True})


def processor_named(wheel: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(numba.config, "CPU_NAME", "generic")


def damaged(wheel: Path, patch: pytest.MonkeyPatch) -> None:
    (file,) = wheel.rglob("*.xz")
    content = bytearray(file.read_bytes())
    content[random.Random(5).randrange(len(content))] ^= 4
    file.write_bytes(content)


def cut(wheel: Path, patch: pytest.MonkeyPatch) -> None:
    (file,) = wheel.rglob("*.xz")
    file.write_bytes(file.read_bytes()[:-40])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (other_sources, "it was made from other sources"),
        (other_compiler, f"it was made with numba-0.1.2, here is {shipped.COMPILER}"),
        (other_processor, "this processor has no avx2, bmi, bmi2"),
        (processor_named, "NUMBA_CPU_NAME or NUMBA_CPU_FEATURES is set"),
        (damaged, "it is damaged"),
        (cut, "it is damaged"),
    ],
)
def test_what_does_not_serve_is_compiled_here(
    wheel: Path,
    change: Callable[[Path, pytest.MonkeyPatch], None],
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """One line says why; the next start finds what was compiled, and says nothing."""
    change(wheel, monkeypatch)
    first = new_program()
    assert (first(27), n_found(first)) == (111, 0)
    (line,) = caplog.messages
    assert "kernels are compiled" in line and why in line
    cache.told.cache_clear()
    second = new_program()
    assert second._cache.files.has_any()
    assert (second(27), n_found(second)) == (111, 1)
    assert len(caplog.messages) == 1


def test_the_code_of_another_kernel_is_not_run(wheel: Path) -> None:
    """A whole file under another name is damage."""
    (file,) = wheel.rglob("*.xz")
    name = file.relative_to(wheel / shipped.COMPILER).with_suffix("").as_posix()
    other = f"{name.removesuffix('.nbc')[:-8]}00000000.nbc"
    file.rename(wheel / shipped.COMPILER / f"{other}.xz")
    assert shipped.is_shipped(other)
    assert shipped.read_shipped(other) is None
