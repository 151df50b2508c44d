"""The page is whole, offline, safe, and says what the tables say."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pandas as pd
import pytest

import analysis.mindbug
import reports.mindbug
from analysis.mindbug.selections import OBSERVED, OPEN_POINTS, SELECTIONS
from card_data.mindbug.vocabulary import Ruling
from reports.kit.words import listed
from reports.mindbug import run_text
from reports.mindbug.balance import rows
from reports.mindbug.balance import text as wording
from simcore.sealed import RunError
from support.reported import HOSTILE, make_run
from support.synthetic import (
    expansions_games,
    expansions_pool,
    run_of_pool,
    synthetic_cards,
    synthetic_games,
    synthetic_run,
)

from .conftest import Expansions

pytestmark = pytest.mark.usefixtures("rendered")


class Page(HTMLParser):
    """The tags, attributes and visible text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._inside: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a tag."""
        if tag in ("script", "style"):
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        """Note text that is shown."""
        if not self._inside:
            self.text.append(data)


@pytest.fixture(scope="module")
def html(hostile_run: Path) -> str:
    """The page of that run."""
    return (hostile_run / "report.html").read_text()


def test_page_is_self_contained(html: str) -> None:
    """The page names no address outside itself and is small enough to send."""
    own = re.sub(r"<script type=.*?</script>", "", html, flags=re.DOTALL)
    assert len(own) < len(html)
    assert "http:" not in own and "https:" not in own and "@import" not in own
    assert "url(" not in re.sub(r"url\((#[\w-]+|data:font/woff2;base64,[\w+/=]+)\)", "", own)
    for _, attributes in Page(html).tags:
        for name in ("src", "href", "xlink:href", "srcset", "action"):
            value = attributes.get(name) or ""
            assert value.startswith(("#", "data:text/csv")) or not value
    assert len(html) < 3_000_000


def test_hostile_names_are_inert(html: str) -> None:
    """Names of cards are text: no tag, handler or template of theirs is in the page."""
    page = Page(html)
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not any(tag in ("img", "iframe", "object", "base") for tag, _ in page.tags)
    for _, attributes in page.tags:
        assert not any(name.startswith("on") for name in attributes)
    text = " ".join(page.text)
    for name in HOSTILE:
        assert name in text
    assert "<!--" not in html


def test_only_our_script_may_run(html: str) -> None:
    """The content security policy allows the one script of the page by its digest."""
    script = re.search(r'<script type="module">(.*)</script>', html, re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert "default-src 'none'; style-src 'unsafe-inline'; font-src data:; script-src" in html
    assert f"script-src 'sha256-{digest}';" in html


def test_ids_are_unique(html: str) -> None:
    """The drawings of several charts do not share ids, and refer to their own."""
    ids = [attributes["id"] for _, attributes in Page(html).tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for _, attributes in Page(html).tags:
        if (target := attributes.get("href") or "").startswith("#"):
            assert target[1:] in ids


def test_page_says_what_was_played(hostile_run: Path, html: str) -> None:
    """Sets, policies, number of games, seed, versions and card hash are in the page."""
    text = " ".join(Page(html).text)
    manifest = analysis.mindbug.open_run(hostile_run).manifest
    for words in ("Synthetic", "20,000 games", "random against random", "seed 42"):
        assert words in text
    assert manifest["pool_hash"] in text
    assert f"numba {manifest['versions']['numba']}" in text
    assert "A baseline, not a verdict." in text


def test_page_defines_the_selections(html: str) -> None:
    """Every selection is defined in the page."""
    text = " ".join("".join(Page(html).text).split())
    for selection in SELECTIONS:
        assert selection.definition.replace("`", "") in text


def test_outliers_are_named_in_words(hostile_run: Path, html: str) -> None:
    """The cards that are not fair are named with their rates, the planted ones and no other."""
    cards = analysis.mindbug.read_tables(hostile_run)["cards"]
    found = wording.outliers(cards)
    assert {finding.topic for finding in found} == set(HOSTILE[:2])
    rate = cards["dealt_win_rate"][0]
    assert f"{100 * rate:.1f}%" in found[0].text + found[1].text
    text = " ".join(Page(html).text)
    assert all(finding.text in text for finding in found)


def table_of_cards(html: str) -> str:
    """The table of all cards."""
    return html[html.index('<table class="sortable"') :].partition("</table>")[0]


def test_table_of_cards_is_complete(hostile_run: Path, html: str) -> None:
    """The table has a row for each card, strongest first, without any script."""
    cards = analysis.mindbug.read_tables(hostile_run)["cards"].sort_values(
        "dealt_win_rate", ascending=False
    )
    table = table_of_cards(html)
    dealt = re.findall(
        r'<th scope="row"><a href="#card-(\w+)">.*?</a></th><td data-order="([\d.]+)"', table
    )
    assert [card_id for card_id, _ in dealt] == list(cards["card_id"])
    assert [float(value) for _, value in dealt] == pytest.approx(
        list(cards["dealt_win_rate"]), abs=1e-6
    )
    assert table.count('<th scope="col"') == table[: table.index("</thead>")].count("</th>")


def test_tables_can_be_saved_from_the_page(hostile_run: Path, html: str) -> None:
    """Each table is in the page as CSV, the same as in the run folder."""
    for name in ("summary", "first_player", "cards", "keywords", "turns", "outcomes"):
        link = re.search(rf'download="{name}.csv" href="data:text/csv;[^,]*,([^"]*)"', html)
        assert link is not None
        content = unquote_to_bytes(link[1])
        assert content == (hostile_run / "tables" / f"{name}.csv").read_bytes()
        assert len(pd.read_csv(io.BytesIO(content)))


@pytest.mark.usefixtures("drawn_anew")
def test_report_is_the_same_bytes_twice(hostile_run: Path, html: str) -> None:
    """Writing the report again changes nothing."""
    figures = {path.name: path.read_bytes() for path in (hostile_run / "figures").iterdir()}
    reports.mindbug.write_report(hostile_run)
    assert (hostile_run / "report.html").read_text() == html
    assert figures == {p.name: p.read_bytes() for p in (hostile_run / "figures").iterdir()}


def test_two_policies_are_reported_apart(uneven_run: Path) -> None:
    """A match of different policies has findings, charts and tables for each of them."""
    html = (uneven_run / "report.html").read_text()
    stand_out = [
        f"Cards that are too strong or too weak ({policy})" for policy in ("greedy", "random")
    ]
    for words in (*stand_out, "Games won:", 'data-filter="Policy"', "<h1>Greedy players: "):
        assert words in html
    for policy in ("greedy", "random"):
        assert table_of_cards(html).count(f'<td class="word">{policy}</td>') == 16
        assert html.count(f"<p><strong>{policy}.</strong> ") == 16
    figures = {path.stem for path in (uneven_run / "figures").glob("*.*g")}
    assert {f"mindbug_rate_{policy}" for policy in ("greedy", "random")} < figures
    assert len(figures) == 19


@pytest.mark.parametrize("policies", [("random", "random"), ("greedy", "random")])
def test_every_expansion_feature_has_a_section(
    expansions_run: Expansions, policies: tuple[str, str]
) -> None:
    """Each expansion feature of a pool has findings, a section, a chart and numbers."""
    folder = expansions_run(*policies)
    tables = analysis.mindbug.read_tables(folder)
    page = Page((folder / "report.html").read_text())
    ids = {attributes.get("id") for _, attributes in page.tags}
    sections = {"sets", "evolution", "in-a-game", "dice", "power-cards", "open-points"}
    assert sections < ids
    links = {attributes.get("href") for tag, attributes in page.tags if tag == "a"}
    assert {f"#{section}" for section in sections} < links
    text = " ".join("".join(page.text).split())
    for finding in wording.findings(tables):
        assert " ".join(finding.text.split()) in text
    assert text.count(OBSERVED) >= 4
    for words in ("Sprout", "stage III", "Bolt", "Growth 1", "Open points of the rules", "O18"):
        assert words in text
    topics = {finding.topic.split(" (")[0] for finding in wording.findings(tables)}
    assert {"Sets", "Evolution", "Power cards", "In a game", "Dice", "Open points"} < topics
    fair = "That fits a fair die" in text
    assert fair == (policies == ("random", "random"))


def test_open_points_name_their_rulings() -> None:
    """A ruling stands with the open point that the page of pools gives it; others have none."""
    page = (Path(__file__).parents[4] / "docs" / "pools.md").read_text("utf-8")
    of_point = {
        point: f"--ruling {ruling}"
        for ruling, point in re.findall(r"^\| `(\w+)` \|.*\| (O\d+) \|$", page, re.MULTILINE)
    }
    assert len(of_point) == len(Ruling)
    for number in OPEN_POINTS:
        point = f"O{number}"
        row = {"open_point": point, "meaning": "", "came_up": 1}
        row |= dict.fromkeys(("share", "share_ci_low", "share_ci_high"), 0.5)
        assert rows.OPEN_POINTS[2].cell(pd.Series(row)).text == of_point.get(point, "–")


def test_features_that_a_pool_lacks_are_not_mentioned(html: str) -> None:
    """A pool of one plain set has no section of sets, evolution, dice or power cards."""
    text = " ".join(Page(html).text)
    for words in ("Evolution", "Power card", "boosts", "Dice", "dice rolled", "Compared with"):
        assert words not in text


def test_one_game_with_every_system_is_reported(tmp_path: Path) -> None:
    """A single game has a page and a text too, and tells what is not known as unknown."""
    pool = expansions_pool()
    folder = run_of_pool(tmp_path / "run", pool, expansions_games(pool, 1))
    analysis.mindbug.analyze(folder)
    written = reports.mindbug.write_reports(folder, ("html", "md"))
    for text in (" ".join(Page(written["html"].read_text()).text), written["md"].read_text()):
        assert not re.search(r"\bnan\b", text)


def test_endings_in_words(hostile_run: Path) -> None:
    """Every way in which games ended is in the sentence about their length."""
    text = wording.findings(analysis.mindbug.read_tables(hostile_run))[-1].text
    for words in ("life is 0", "no action left", "effect of a card ends the game", "as draws"):
        assert words in text


def test_cards_that_draw_mindbugs_are_named(tmp_path: Path) -> None:
    """Luck names no card; a card of which it is shown is named, on its side alone."""
    table = synthetic_cards()
    games = synthetic_games(table, 4000)
    told = {}
    for name in ("luck", "planted"):
        folder = synthetic_run(tmp_path / name, table, games)
        analysis.mindbug.analyze(folder)
        said = {
            one.topic: one.text for one in wording.findings(analysis.mindbug.read_tables(folder))
        }
        told[name] = said["Mindbugs"]
        games["thefts"][games["cards"] == 3] = 0
    no_card = r"Which cards drew more Mindbugs than the others is not settled\."
    assert re.search(
        rf"^Opponents who still had a Mindbug used it on \d\d\.\d% of plays.*\. {no_card}$",
        told["luck"],
    )
    assert re.search(r"; least often on Card 3 \(0\.0%\)\.$", told["planted"])


def test_one_game_is_reported(short_run: Path) -> None:
    """A report of a single game says that nothing is known yet."""
    text = " ".join(Page((short_run / "report.html").read_text()).text)
    assert "None of 16 cards is shown to be too strong." in text
    assert "16 cards need more games" in text


def test_report_needs_tables_of_the_run(short_run: Path, tmp_path: Path) -> None:
    """Without tables, or with those of another run, the error says what to do."""
    folder = make_run(tmp_path / "run", [], 50)
    shutil.rmtree(folder / "tables")
    with pytest.raises(RunError, match="analyze"):
        reports.mindbug.write_report(folder)
    shutil.copytree(short_run / "tables", folder / "tables")
    with pytest.raises(RunError, match="belongs to another run than manifest"):
        reports.mindbug.write_report(folder)


@pytest.mark.parametrize(
    ("words", "most", "expected"),
    [
        (["a"], None, "a"),
        (["a", "b", "c"], None, "a, b and c"),
        (["a", "b", "c"], 2, "a, b and c"),
        (["a", "b", "c", "d"], 2, "a, b and 2 more"),
        ([], None, ""),
    ],
)
def test_lists_in_sentences(words: list[str], most: int | None, expected: str) -> None:
    """Lists read as in a sentence, long ones shortened."""
    assert listed(words, most) == expected


def test_captions_name_few_sets() -> None:
    """A run of many sets is described in a line that fits under a chart, and in full elsewhere."""
    names = ["First Contact", "King of Tokyo", "Promos"]
    manifest = {"set_names": names, "games": 1000, "policies": ["random", "random"], "seed": 1}
    assert run_text.describe_run(manifest, most_sets=1).startswith(
        "First Contact and 2 more · 1,000"
    )
    assert run_text.describe_sets(manifest) == "First Contact, King of Tokyo and Promos"
    manifest["set_names"] = names[:2]
    short = run_text.describe_run(manifest, most_sets=1)
    assert short.startswith("First Contact and King of Tokyo ·")


@pytest.mark.parametrize(("seed", "said"), [(7, "seed 7"), ([1, 2], "seeds 1, 2")])
def test_lines_name_every_seed(seed: int | list[int], said: str) -> None:
    """A run that was merged from others has the seeds of all of these."""
    manifest = {"games": 9, "policies": ["random", "random"], "seed": seed}
    assert run_text.describe_run({**manifest, "set_names": ["Promos"]}).endswith(f" · {said}")


def test_sets_are_called_by_their_own_names(ask, tmp_path: Path) -> None:
    """In titles and lines, not by the name of the file."""
    names = {"set_names": ["Marsh & Moor", "Promos"], "sets": ["my_cards_v2", "promos"]}
    assert run_text.describe_sets(names) == "Marsh & Moor and Promos"
    Path("my_cards_v2.toml").write_text(
        'name = "Marsh & Moor"\n[lantern]\nname = "Lantern"\npower = 5\ncopies = 20\n'
    )
    small = ["--games", "20"]
    for command, out in (
        (["balance", "my_cards_v2.toml", "--policy", "random", *small], "report.html"),
        (["ladder", "my_cards_v2.toml", "--players", "random,greedy", *small], "ladder.html"),
        (["sensitivity", "lantern", "my_cards_v2.toml", "--changes", "power", *small],
         "sensitivity.html"),
    ):  # fmt: skip
        folder = f"of_{command[0]}"
        answer = ask(*command, "--out", folder).done()
        assert "\nMarsh & Moor ·" in f"\n{answer.out}"
        page = Path(folder, out).read_text()
        assert "Marsh &amp; Moor" in page and "My Cards V2" not in page


def test_packages_import_lightly() -> None:
    """Importing the packages loads no heavy library."""
    code = (
        "import sys, analysis, reports;"
        "heavy = {'numpy', 'pandas', 'matplotlib', 'scipy', 'numba', 'jinja2'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
