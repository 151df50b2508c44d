"""``fairdeal runs``: every folder of a project, for a person, a program and on a page."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from card_data.checksums import seal_json
from reports.runs.listing import listed
from reports.runs.text import lines
from simcore.work.about import Question, working_on
from simcore.work.lock import holding
from support.browser import NEEDS_BROWSER, Open, check_frame


def answer(project: Path, number: int = 0, **changed: Any) -> Path:
    """A folder of a question that was answered."""
    said: dict[str, Any] = {
        "game": "mindbug",
        "question": "balance",
        "named": ("first_contact",),
        "what": "First Contact",
        "players": ("random", "random"),
        "games": 1000,
        "seed": number,
        "asked": {"seed": number},
    }
    with working_on(Question(**{**said, **changed}), project=project) as work:
        (work.folder / "report.html").write_text("")
        work.finish("1 of 32 cards stands out.", "report.html")
    return work.folder


@pytest.fixture
def project(ask) -> Path:
    """A project folder with all sorts of folders."""
    runs = Path("runs")
    answer(runs)
    answer(runs, 1, question="compare", what="<b>bees</b> \N{RIGHTWARDS ARROW} wasps")
    half = answer(runs, 2, what="Half")
    about = json.loads((half / "about.json").read_text()) | {"finished": None}
    (half / "about.json").write_bytes(seal_json(about))
    flipped = answer(runs, 3)
    data = (flipped / "about.json").read_bytes()
    (flipped / "about.json").write_bytes(data.replace(b"First", b"Worst"))
    (runs / "holiday photos").mkdir()
    (runs / "holiday photos" / "sea.json").write_text('{"game": 7}')
    (runs / "notes.txt").write_text("")
    (runs / "players").mkdir()
    old = {"format": 2, "game": "mindbug", "set_names": ["Old"], "games": 7, "seed": 0}
    old |= {"policies": ["greedy", "random"], "counts": {"games": 7}}
    (runs / "old").mkdir()
    (runs / "old" / "manifest.json").write_bytes(seal_json(old))
    return runs


def test_each_folder_is_listed(ask, project: Path) -> None:
    """What was asked, who played, how far it is, the finding and the page; faults in a word."""
    out = ask("runs").done().out
    assert re.search(r"\d{4}-\d\d-\d\d  balance: First Contact · random · 1,000 games · comp", out)
    assert "\n            1 of 32 cards stands out.\n" in out
    assert re.search(r"\n            runs/first_contact-random-\d{4}-\d\d-\d\d/report\.html\n", out)
    assert "balance: Half · random · 1,000 games · interrupted" in out
    assert "balance: Old · greedy and random · 7 games · complete" in out
    assert "damaged: its contents do not match its checksum" in out
    assert "holiday photos: not made by fairdeal" in out
    assert "players: what players have learned of new cards, for later commands" in out
    assert "7 folders in runs: 3 complete" in out


def test_players_who_learned_cards_are_called_what_they_were(project: Path) -> None:
    """The list has no name that was made up for a lesson."""
    answer(project, 9, what="Lesson", players=("expert", "search=my_cards:16"))
    [said] = [line for line in lines(listed(project)) if "Lesson" in line]
    assert "expert and search:16" in said


def test_a_program_reads_the_same(ask, project: Path) -> None:
    """--json has a row for each folder."""
    told = ask("runs", "--json").json
    states = {Path(row["folder"]).name: row["state"] for row in told["runs"]}
    assert len(states) == 7 and states["old"] == "complete"
    [compared] = [row for row in told["runs"] if row["question"] == "compare"]
    assert compared["headline"] == "1 of 32 cards stands out."
    assert Path(compared["page"]).exists()
    assert [row["page"] for row in told["runs"] if row["what"] is None] == [None] * 3


def test_the_page_links_every_answer(ask, project: Path) -> None:
    """Links lead to pages that are there; a hostile name is only text."""
    ask("runs").done()
    page = (project / "index.html").read_text()
    links = re.findall(r'<a href="([^"#]+)"', page)
    assert len(links) == 3 and all((project / link).is_file() for link in links)
    assert "&lt;b&gt;bees&lt;/b&gt;" in page and "<b>" not in page
    assert '<section id="compare">' in page and "http" not in page.replace("http-equiv", "")


def test_work_in_progress_is_said(project: Path, tmp_path: Path) -> None:
    """A folder that another command holds is at work, not interrupted."""
    import subprocess

    half = next(one.folder for one in listed(project) if one.about and one.about.what == "Half")
    with holding(half):
        words = [sys.executable, "-c", "import reports.cli.app as a; a.run(['runs', '--json'])"]
        told = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    assert [row["state"] for row in told["runs"] if row["what"] == "Half"] == ["at work"]


def test_no_folder_is_a_clear_message(ask) -> None:
    """A project that does not exist is named; an empty one has no runs yet."""
    ask("runs").refused("runs does not exist; commands put their folders into 'runs'")
    Path("mine").mkdir()
    assert ask("runs", "mine").done().out == "mine has no runs yet\n"


def test_a_thousand_folders_are_read_without_their_games(tmp_path: Path) -> None:
    """Of each folder only what it is about is opened, though nothing else can be read."""
    first = answer(tmp_path)
    data = (first / "about.json").read_bytes()
    for number in range(1000):
        folder = tmp_path / f"run-{number:04}"
        (folder / "games").mkdir(parents=True)
        (folder / "about.json").write_bytes(data)
        (folder / "manifest.json").write_text("no JSON at all")
    found = listed(tmp_path)
    assert len(found) == 1001 and {one.state for one in found} == {"complete"}


@NEEDS_BROWSER
def test_page_in_a_browser(ask, project: Path, open_file: Open) -> None:
    """It has the frame of all pages, and names of folders and cards are text."""
    (project / "card-<img src=x onerror=alert(1)>.html").write_text("")
    ask("runs").done()
    page = open_file(project.resolve() / "index.html")
    check_frame(page)
    assert page.locator("section").filter(has_text="<b>bees</b>").count() == 1
    assert page.locator("img").count() == 0
