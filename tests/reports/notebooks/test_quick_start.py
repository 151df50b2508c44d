"""The notebook walks from a run folder to a chart."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from reports.cli.app import run

ROOT = Path(__file__).parents[3]
NOTEBOOK = ROOT / "reports" / "notebooks" / "quick_start.ipynb"


def outputs_of(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """All outputs of a notebook."""
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def test_notebook_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It runs where it lies after the command of the README, and draws two charts (issue 35)."""
    monkeypatch.delenv("FAIRDEAL_RUN", raising=False)
    monkeypatch.chdir(tmp_path)
    makefile = (ROOT / "Makefile").read_text()
    [target] = re.findall(r"^report:.*\n\t\$\(BIN\)/fairdeal balance (.*)$", makefile, re.MULTILINE)
    assert run(["simulate", *target.split(), "--games", "200"]) == 0
    assert "first_contact-expert-" in capsys.readouterr().out
    home = tmp_path / "reports" / "notebooks"
    home.mkdir(parents=True)
    resources = {"metadata": {"path": str(home)}}
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    executed = NotebookClient(notebook, timeout=120, resources=resources).execute()
    outputs = outputs_of(executed)
    assert not [output for output in outputs if output.output_type in ("error", "stream")]
    assert len([output for output in outputs if "image/png" in output.get("data", {})]) == 2


def test_notebook_is_stored_executed_and_small() -> None:
    """The stored notebook shows its results, without errors, and is small."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert all(cell.outputs for cell in cells)
    assert not [output for output in outputs_of(notebook) if output.output_type == "error"]
    assert NOTEBOOK.stat().st_size < 200_000
