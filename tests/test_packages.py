"""What a person who types a package's name and a dot is offered."""

import importlib
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "package", ["analysis.mindbug", "card_data.mindbug", "reports.mindbug", "simcore.mindbug"]
)
def test_public_names_are_offered(package: str) -> None:
    """`dir`, and with it completion in a notebook, knows every public name before it is used."""
    code = f"import {package}; print(*dir({package}))"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    module = importlib.import_module(package)
    assert set(module.__all__) <= set(answer.stdout.split())
    assert all(hasattr(module, name) for name in module.__all__)
