"""The page that links every folder of a project: ``index.html``."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

from reports.kit.page import write_rendered
from reports.kit.words import Finding, count, display_name
from reports.runs.listing import Listed
from reports.runs.text import players_text, summary

PAGE = "index.html"

_LONGEST, _HEADLINE = 400, 160


def write_runs_page(found: Sequence[Listed], project: Path) -> Path:
    """Write the page of a project; its path.  Raises RunError."""
    known = [one for one in found if one.about is not None]
    by_question = sorted(known, key=lambda one: one.about.question if one.about else "")
    groups = [
        (question, [_row(one) for one in of_it])
        for question, of_it in groupby(by_question, lambda one: one.about and one.about.question)
    ]
    latest = [Finding("Newest", _newest(known))] if known else []
    return write_rendered(
        *(project / PAGE, "runs.html"),
        title="Runs of this folder",
        played=summary(found, project),
        findings=latest,
        groups=groups,
        cards=[
            (quote(one.name), one.stem.removeprefix("card-"))
            for one in sorted(project.glob("card-*.html"))
        ],
        others=[(one.folder.name, one.state) for one in found if one.about is None],
    )


def _newest(known: Sequence[Listed]) -> str:
    """The newest finding, or what was asked last."""
    told = next((one for one in known if one.about and one.about.headline), known[0])
    about = told.about
    assert about is not None
    return display_name(f"{about.what}: {about.headline or told.state}", _HEADLINE)


def _row(one: Listed) -> dict[str, Any]:
    """What a row of the page shows."""
    about = one.about
    assert about is not None
    page = one.page
    return {
        "what": display_name(about.what, _LONGEST),
        "link": quote(f"{one.folder.name}/{page.name}") if page else "",
        "day": about.begun,
        "players": players_text(about),
        "games": "" if about.games is None else count(about.games),
        "state": one.state,
        "headline": display_name(about.headline, _HEADLINE),
        "folder": one.folder.name,
    }
