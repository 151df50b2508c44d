"""What goes with a change or an advantage, as pages, charts and the console tell it."""

from __future__ import annotations

import json
import shlex
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.patches import Rectangle

import analysis.mindbug
import reports.mindbug
from analysis.mindbug.explain.surprises import AGAINST, APART, CHOICE, surprises
from analysis.mindbug.explain.tally import PARTS, VIEWS
from analysis.verdicts import TOO_STRONG, TOO_WEAK
from reports.cli.app import run
from reports.mindbug.explain.charts import _finding
from reports.mindbug.explain.experiments import experiments_of_run, stronger
from reports.mindbug.explain.text import PART_TEXT, VIEW_TEXT, cautions
from simcore.mindbug.players.registry import POLICIES
from simcore.mindbug.players.seats import parse_player
from support.reported import make_run

TYRANT = """
name = "Own"

[tyrant]
name = "Tyrant"
power = {power}
copies = 2
constant = "the opponent cannot play cards with power <= 4 from their hand"
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a card that heuristic players steal with power 7, and not with power 6."""
    place = tmp_path_factory.mktemp("tyrant")
    for power in (6, 7):
        (place / f"tyrant_{power}.toml").write_text(TYRANT.format(power=power))
    return place


def compared(place: Path, policy: str, *options: str) -> Path:
    """The folder of the comparison of both versions, which has been made."""
    folder = place / policy.replace(":", "-")
    sides = f"first_contact+{place / 'tyrant_6.toml'}", str(place / "tyrant_7.toml")
    said = ["--policy", policy, "--games", "3000", "--seed", "2", "--out", str(folder)]
    assert run(["compare", *sides, *said, *options]) == 0
    return folder


def test_a_change_that_surprises_explains_itself(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """More power, fewer wins: page, console and JSON say what goes with it and how to check it."""
    folder = compared(place, "heuristic", "--json")
    answer = json.loads(capsys.readouterr().out)
    said = {finding["topic"]: finding["text"] for finding in answer["findings"]}
    assert "taken with a Mindbug" in said["Goes with it"]
    assert said["Goes with it"].count("Those who took it") == 1
    assert "more power or keywords, yet became weaker" in said["Check"]
    assert "how often it is taken with a Mindbug" in said["Check"]
    assert {row["part"] for row in answer["change_parts"]} == {part.name for _, part in PARTS}
    page = unescape((folder / "compare.html").read_text())
    commands = [
        f"fairdeal compare {folder}/base/pool.toml {folder}/variant/pool.toml"
        f" --games 3000 --policy {policy} --seed 2"
        for policy in ("heuristic-mindbugs", stronger("heuristic"))
    ]
    for command in commands:
        assert command in page and command in said["Check"]
    for words in ("What goes with it", "Check this.", *VIEW_TEXT.values(), *PART_TEXT.values()):
        assert words in page
    assert (folder / "figures" / "change_parts.svg").is_file()
    small = shlex.split(commands[0].replace("3000", "200"))[1:]
    assert run([*small, "--out", str(place / "check")]) == 0


def test_an_effect_as_printed_needs_no_caution(place: Path) -> None:
    """Players of one move ahead with no Mindbugs see no surprise, and nothing is warned of."""
    folder = compared(place, "heuristic-mindbugs")
    page = (folder / "compare.html").read_text()
    assert "What goes with it" in page and "Check this." not in page


def test_two_policies_may_see_opposite_effects(place: Path) -> None:
    """Each policy has its parts, and an effect that has another sign for the other is marked."""
    comparison = analysis.mindbug.compare_runs(
        *(compared(place, "heuristic:random") / side for side in ("base", "variant"))
    )
    parts = comparison.more["change_parts"]
    assert set(parts["policy"]) == {"heuristic", "random"}
    dealt = (comparison.table["id"] == "tyrant") & (comparison.table["measure"] == "dealt")
    for policy, difference, word in (("heuristic", -0.05, "less"), ("random", 0.05, "more")):
        mine = dealt & (comparison.table["policy"] == policy)
        comparison.table.loc[mine, ["difference", "verdict"]] = difference, word
    found = {(one.policy, one.why) for one in surprises(comparison)}
    assert found >= {("heuristic", AGAINST), ("heuristic", APART), ("random", APART)}
    assert ("random", AGAINST) not in found
    assert {one.why for one in surprises(comparison)} <= {AGAINST, APART, CHOICE}
    assert any("Players of the other policy" in one.words for one in cautions(comparison))


def test_charts_add_up(place: Path) -> None:
    """Each bar begins where the one above it ended, and the last ends at the total."""
    folder = compared(place, "heuristic")
    table = pd.read_parquet(folder / "tables" / "change_parts.parquet")
    fates = table[table["view"] == "fate"]
    ax = reports.mindbug.plot_change_parts(table)
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names[::-1] == ["Tyrant", *(PART_TEXT[part] for part in fates["part"])]
    bars = [bar for bar in ax.patches if isinstance(bar, Rectangle)]
    from_top = sorted(bars, key=lambda bar: -bar.get_y())
    total, *parts = [(bar.get_x(), bar.get_width()) for bar in from_top]
    ends = np.cumsum([width for _, width in parts])
    np.testing.assert_allclose([width for _, width in parts], fates["contribution"])
    np.testing.assert_allclose([left for left, _ in parts], [0, *ends[:-1]], atol=1e-12)
    assert total == pytest.approx((0, table["total"].iloc[0]))
    assert ends[-1] == pytest.approx(total[1])


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ((0.069, 0.083, -0.014), "makes up +8.3, other parts −1.4 of Brain Fly's +6.9 points"),
        ((-0.05, -0.06, 0.01), "makes up −6.0, other parts +1.0 of Brain Fly's −5.0 points"),
        ((0.07, 0.05, 0.02), "makes up +5.0 of Brain Fly's +7.0 points"),
    ],
)
def test_no_part_is_said_to_be_of_less_than_itself(
    sizes: tuple[float, float, float], told: str
) -> None:
    """A part that is larger than its whole is told with what the others take from it."""
    rows = pd.DataFrame({"label": ["Brain Fly", "kept", "lost"], "size": sizes})
    rows = rows.assign(ci_low=rows["size"] - 0.001, ci_high=rows["size"] + 0.001)
    found = _finding(rows.assign(whole=[True, False, False]))
    assert found == f"“Kept” {told}"


def test_the_page_of_a_card_that_stands_out_has_its_parts(tmp_path: Path) -> None:
    """Cards with a verdict of strong or weak have all views and experiments, others none."""
    folder = make_run(tmp_path / "run", [], 5000)
    page = unescape(reports.mindbug.write_report(folder).read_text())
    cards = analysis.mindbug.read_tables(folder)["cards"].set_index("card_id")
    for card_id, card in cards.iterrows():
        start = page.index(f'<article class="card" id="card-{card_id}"')
        article = page[start : page.index("</article>", start)]
        stands_out = card["verdict"] in (TOO_STRONG, TOO_WEAK)
        assert ("What goes with its" in article) == stands_out
        assert article.count(f">{VIEW_TEXT['fate']}</th>") == stands_out
    assert cards["verdict"].isin([TOO_STRONG, TOO_WEAK]).any()
    assert "What goes with the strength of a card" in page


def test_every_experiment_is_a_command(tmp_path: Path) -> None:
    """All parts but what is left over are checked by an option or player that there is."""
    folder = make_run(tmp_path / "run", [], 60)
    opened = analysis.mindbug.open_run(folder)
    *found, last = experiments_of_run(opened, "card_03", [part.name for _, part in PARTS])
    options = Path(__file__).parents[4].joinpath("docs/cli.md").read_text()
    for one in found:
        words = shlex.split(one.command)
        assert words[:4] == ["fairdeal", "balance", "--pool", str(folder / "pool.toml")]
        parse_player(words[words.index("--policy") + 1])
        assert all(word in options for word in words if word.startswith("--"))
    assert shlex.split(last.command)[1:3] == ["sensitivity", "card_03"]
    assert len({one.command for one in found}) == len(found) == 7
    checked = {one.command for view in VIEWS for part in view.parts
               for one in experiments_of_run(opened, "card_03", [part.name])[:-1]}  # fmt: skip
    assert checked == {one.command for one in found}


def test_a_stronger_player() -> None:
    """The best that does not search, then one that does, then more simulations; no mistakes."""
    fast = [name for name, policy in POLICIES.items() if not policy.searches]
    assert stronger("random") == stronger("heuristic-blocks") == fast[-1]
    assert stronger(fast[-1]) == "search:100"
    assert stronger("search:100") == "search:400"
    assert stronger("learned@0.1") == "learned"
