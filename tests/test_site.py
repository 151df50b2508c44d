"""The site of `make docs`: it builds, and nothing in it leads nowhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--fail-on-warning", "--keep-going", "-b", "html", "-d"]
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "sphinx",
        *options,
        folder / "trees",
        ROOT / "docs",
        folder / "html",
    ]
    built = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert (built.returncode, built.stderr) == (0, "")
    return folder / "html"


def test_every_page_is_in_the_site(site: Path) -> None:
    """Each Markdown page of docs/ became a page, and the first one leads to it."""
    first = (site / "index.html").read_text()
    for page in (ROOT / "docs").glob("*.md"):
        assert (site / f"{page.stem}.html").exists()
        assert page.stem == "index" or f'href="{page.stem}.html"' in first, page.name


def test_public_names_are_in_the_site(site: Path) -> None:
    """Every public function and class of each floor is on a page of the Python API."""
    for floor in ("card_data", "simcore", "analysis", "reports"):
        package = __import__(f"{floor}.mindbug", fromlist=["__all__"])
        page = (site / "api" / f"{floor}.html").read_text()
        callables = [name for name in package.__all__ if callable(getattr(package, name))]
        assert [name for name in callables if f'id="{floor}.mindbug.{name}"' not in page] == []


def test_the_site_needs_no_network(site: Path) -> None:
    """No page loads a script, style, picture or font from another machine."""
    loads = re.compile(r'(?:src=|<link[^>]+href=|url\()"?(?:https?:)?//')
    for page in site.rglob("*.html"):
        assert not loads.search(page.read_text()), page.name
