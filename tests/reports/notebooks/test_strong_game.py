"""The notebook about one game tells it, and follows who is ahead."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[3]
NOTEBOOK = ROOT / "reports" / "notebooks" / "strong_game.ipynb"


def texts_of(notebook: nbformat.NotebookNode) -> list[str]:
    """What the code cells of a notebook give, as text; nothing else may come out of them."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert {output.output_type for output in outputs} == {"execute_result"}
    return [output["data"]["text/plain"] for output in outputs]


def test_notebook_runs_as_stored() -> None:
    """The notebook gives what is stored: the game, the chances, a chart and the decisive turn."""
    stored = nbformat.read(NOTEBOOK, as_version=4)
    cells = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert len(stored.cells) < 8
    assert NOTEBOOK.stat().st_size < 200_000
    texts = texts_of(stored)
    resources = {"metadata": {"path": str(NOTEBOOK.parent)}}  # where it lies
    client = NotebookClient(nbformat.read(NOTEBOOK, as_version=4), timeout=300, resources=resources)
    executed = client.execute()
    assert texts_of(executed) == texts
    story, change, _, turn = texts
    assert story.startswith("Player ") and "wins: " in story
    assert change.startswith("'The largest change")
    assert turn.startswith("Turn ") and turn in story
    charts = [
        out
        for cell in executed.cells
        for out in cell.get("outputs", [])
        if "image/png" in out["data"]
    ]
    assert len(charts) == 1
