"""What a person who types a package's name and a dot is offered."""

import importlib
import pkgutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from analysis.mindbug import expand_cards, open_run, play_run, read_tables
from analysis.mindbug.runs import Run
from card_data.mindbug import load_pool
from simcore.mindbug import compile_cards

PUBLIC = (
    *("analysis", "analysis.mindbug", "card_data.mindbug", "card_data.mice_and_mystics"),
    *("fairdeal", "reports.mindbug", "simcore.mindbug"),
    *("analysis.mice_and_mystics", "reports.mice_and_mystics", "simcore.mice_and_mystics"),
)


def said_by(code: str) -> Sequence[str]:
    """What a fresh interpreter prints, in words."""
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return answer.stdout.split()


@pytest.mark.parametrize("package", PUBLIC)
def test_public_names_are_offered(package: str) -> None:
    """`dir`, and with it completion in a notebook, knows the public names and nothing else."""
    module = importlib.import_module(package)
    first = said_by(f"import {package}; print(*dir({package}))")
    assert first == dir(module) == sorted(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)


@pytest.mark.parametrize("package", PUBLIC)
def test_no_public_name_is_that_of_a_module(package: str) -> None:
    """A module of a package, once imported, would take the place of what is called like it."""
    module = importlib.import_module(package)
    assert not {*module.__all__} & {one.name for one in pkgutil.iter_modules(module.__path__)}


@pytest.mark.parametrize("package", ["analysis", "card_data", "reports", "simcore"])
def test_a_floor_offers_nothing_that_it_borrowed(package: str) -> None:
    """What a floor lists is its own: no `Any`, no `Path`, no other library."""
    offered = said_by(f"import {package}; print(*dir({package}))")
    own = [*getattr(importlib.import_module(package), "__all__", ())]
    own += [
        module.name for module in pkgutil.iter_modules(importlib.import_module(package).__path__)
    ]
    assert [name for name in offered if name not in own and not name.startswith("__")] == []


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A small run, played from the name of a set."""
    folder = tmp_path_factory.mktemp("doors") / "run"
    return play_run("first_contact", folder, games=50, policy="random")


def test_doors_take_a_pool_and_its_name(run: Run) -> None:
    """`compile_cards` takes a pool with its modes, and `play_run` the name of a set."""
    pool = load_pool("first_contact", modes={"life": 5})
    rows, apart = compile_cards(pool).rows, compile_cards(pool.sets, pool.modes).rows
    assert np.array_equal(rows.view(np.uint8), apart.view(np.uint8))
    assert rows[0]["life"] == 5
    assert compile_cards(pool, life=7).rows[0]["life"] == 7
    assert run.manifest["sets"] == ["first_contact"]


def test_a_run_stands_where_its_folder_can(run: Run) -> None:
    """A run is opened, and its tables are read, by the run as by its folder."""
    assert open_run(run) == run
    with pytest.raises(Exception, match=f"fairdeal analyze {run.folder}"):
        read_tables(run)


def test_a_run_is_expanded_whole(run: Run) -> None:
    """`expand_cards` takes a run; of records alone it has to be told which cards they are of."""
    whole = expand_cards(run)
    assert whole.equals(expand_cards(run.part(0), run.card_ids))
    assert str(whole["card_id"].dtype) == "category"
    with pytest.raises(TypeError, match="ids of the cards"):
        expand_cards(run.part(0))


def test_the_package_takes_along_all_that_lies_in_it() -> None:
    """Whatever is not a module is named in pyproject.toml; else the wheel would lack it."""
    root = Path(__file__).parents[1]
    setuptools = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["setuptools"]
    named = {
        str(file.relative_to(root))
        for package, patterns in setuptools["package-data"].items()
        for pattern in patterns
        for file in (root / package.replace(".", "/")).glob(pattern)
    }
    lying = {
        str(path.relative_to(root))
        for floor in ("card_data", "simcore", "analysis", "reports")
        for path in (root / floor).rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert lying - named == set()
    packages = "fairdeal", "card_data", "simcore", "analysis", "reports"
    assert {f"{one}/py.typed" for one in packages} <= named  # type checkers read them
