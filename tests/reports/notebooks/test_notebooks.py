"""The notebooks on designing, judging and publishing run, say what they promise, and are stored."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "reports" / "notebooks"
FEW, MANY = "1_500", "20_000"


def outputs_of(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """All outputs of a notebook."""
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def texts_of(notebook: nbformat.NotebookNode) -> list[str]:
    """What the cells gave as text."""
    texts = [output.get("text") or output["data"]["text/plain"] for output in outputs_of(notebook)]
    return [str(text) for text in texts]


def charts_of(notebook: nbformat.NotebookNode) -> int:
    """How many charts a notebook shows."""
    return sum("image/png" in output.get("data", {}) for output in outputs_of(notebook))


def executed(name: str) -> nbformat.NotebookNode:
    """A notebook run from its first to its last cell, with few games."""
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert any(MANY in cell.source for cell in codes)
    for cell in codes:
        cell.source = cell.source.replace(MANY, FEW)
    resources = {"metadata": {"path": str(FOLDER)}}  # where it lies
    return NotebookClient(notebook, timeout=300, resources=resources).execute()


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.ipynb")))
def test_stored_notebooks_are_executed_and_small(name: str) -> None:
    """Every stored notebook shows its results, in order, without errors, and is small."""
    path = FOLDER / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert all(cell.outputs for cell in cells)
    assert not [output for output in outputs_of(notebook) if output.output_type == "error"]
    assert notebook.cells[0].cell_type == "markdown"
    assert path.stat().st_size < 300_000


def test_design_a_card() -> None:
    """The slip of the pen is told, the card is read back, played, and its power is varied."""
    for notebook in (nbformat.read(FOLDER / "design_a_card.ipynb", 4), executed("design_a_card")):
        fault, card, pool, table, *_ = texts_of(notebook)
        assert "'gian' is not a word of the card language here; did you mean 'gain'?" in fault
        assert card == "Marsh Lantern\n  power 5, 2 copies\n  Play: Gain 1 life."
        assert pool.startswith("Pool(My Cards: 1 creature, 2 cards; First Contact: 32 creatures")
        assert "Marsh Lantern" in table
        assert charts_of(notebook) == 2


def test_is_my_card_too_strong() -> None:
    """The looks at one card disagree, the swap is beside them, and three players judge it."""
    stored = nbformat.read(FOLDER / "is_my_card_too_strong.ipynb", 4)
    assert len(outputs_of(executed("is_my_card_too_strong"))) == len(outputs_of(stored))
    card, seen, habits, worth, verdict, skill, _ = texts_of(stored)
    assert card == "Gorillion\n  power 10, 1 copy"
    rates = {line.split()[0]: float(line.split()[2].rstrip("%")) for line in seen.splitlines()[1:]}
    assert rates["played"] < 48 and rates["not_drawn"] > 55 and rates["dealt"] > 52
    never = re.search(r"Gorillion.* (\d\d\.\d)%\s+\d+\.\d\d$", habits)
    assert never is not None and float(never[1]) > 25
    assert re.search(r"Gorillion .*\(\+\d\.\d to \+\d\.\d\)\s+\+\d\.\d \(\+\d\.\d to", worth)
    assert verdict.count("Gorillion") == 1
    assert [word for word in ("random", "greedy", "heuristic") if word in skill] == [
        *("random", "greedy", "heuristic")
    ]


def test_publish_a_chart() -> None:
    """One chart of one's own, with its caption, in three formats."""
    notebook = executed("publish_a_chart")
    told, chart, files = texts_of(notebook)
    assert told.startswith("Run(sets first_contact, games 1,500, players heuristic against")
    assert files == "['power.pdf', 'power.png', 'power.svg']"
    assert charts_of(notebook) == 1 and chart.startswith("<Figure")


def test_my_group_says_otherwise() -> None:
    """A card wins among people; the strength of who held it explains most of that."""
    stored = nbformat.read(FOLDER / "my_group_says_otherwise.ipynb", 4)
    assert len(outputs_of(executed("my_group_says_otherwise"))) == len(outputs_of(stored))
    assert charts_of(stored) == 1
    _, frame, figures, _, equals, players, joined = texts_of(stored)
    assert "Killer Bee" in frame
    assert re.search(r"killer_bee .*\n(.*\n)*.*more", figures)
    people, alike, low, _, simulated = map(float, equals.splitlines()[-1].split()[2:])
    assert people - simulated > 0.15 and low < simulated < alike < people - 0.1
    assert re.search(r"0\s+Anna", players)
    assert "from_people" in joined
