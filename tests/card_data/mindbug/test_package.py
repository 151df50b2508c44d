"""The package as a whole: what it imports, and what it costs."""

import importlib
import subprocess
import sys

import card_data.mindbug


def loaded_by(code: str) -> set[str]:
    """Top-level modules that a fresh interpreter has loaded after running the code."""
    code += "\nimport sys\nprint(*{name.partition('.')[0] for name in sys.modules})"
    path = next(entry for entry in [card_data.__path__[0].rpartition("/")[0]])
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=path
    )
    return set(answer.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    """Neither arrays nor the word comparison are loaded before they are needed."""
    assert not {"rapidfuzz", "tomllib", "numpy"} & loaded_by("import card_data")


def test_cards_need_nothing_of_the_rest_of_the_house() -> None:
    """Reading, formatting and printing cards uses neither NumPy nor the later packages."""
    modules = loaded_by(
        "import card_data.mindbug.language.formatter, card_data.mindbug.language.reference\n"
        "card_data.mindbug.load_sets(['first_contact'])"
    )
    assert not {"numpy", "simcore", "analysis", "reports"} & modules


def test_public_names_exist() -> None:
    """Every name in __all__ is there and has a docstring."""
    package = importlib.import_module("card_data.mindbug")
    assert all(getattr(package, name).__doc__ for name in package.__all__)
