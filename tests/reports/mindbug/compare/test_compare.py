"""The command compare, its page, chart and diary."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure

from analysis.experiments.comparison import Comparison, compare_runs
from analysis.verdicts import MORE, SAME, SETTLED
from card_data.mindbug import CardFileError, load_pool
from card_data.mindbug.pool import Change
from card_data.mindbug.schema import CardSet, Pool
from reports.cli.sides import add_record
from reports.compare.text import most_changed
from reports.kit.words import percent, points
from reports.mindbug.cli.compare_sides import read_sides
from reports.mindbug.compare.page import plot_changes, write_compare_page
from reports.mindbug.compare.text import (
    changes_of,
    findings,
    headline,
    overview,
    record_lines,
    verdict_text,
)
from simcore.mindbug import compile_cards, play_games
from simcore.work.parts import read_manifest
from support.reported import every_kind
from support.synthetic import hostile_cards, run_of_pool, synthetic_games

HOSTILE = ["<script>alert(1)</script>", "a|b `c` \\d", "{{ 7*7 }}", "=HYPERLINK(1)"]
BUG = """name = "Mine"

[turbo_bug]
name = "Turbo Bug"
power = 10
attack = "the opponent loses all but 1 life"
"""
FEW = "--policy", "random", "--games", 300


@pytest.fixture(scope="module", params=[("random", "random"), ("greedy", "random")])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    """A comparison of made-up runs; one card was made stronger, and names are hostile."""
    root, table = tmp_path_factory.mktemp("made"), hostile_cards(HOSTILE)
    worth = np.where(np.arange(16) == 0, 0.08, 0.0)
    runs = []
    for name, mine, power in (("base", None, 1), ("variant", worth, 8)):
        cards = [CardSet("synthetic", "Synthetic", table.cards)]
        if power != 1:
            from attrs import evolve

            cards = [evolve(cards[0], cards=(evolve(table.cards[0], power=8), *table.cards[1:]))]
        games = synthetic_games(table, 4000, seed=3, worth=mine, draw_rate=0.02)
        pool = Pool(tuple(cards), table.modes)
        runs.append(run_of_pool(root / name, pool, games, policies=request.param, seed=3))
    return compare_runs(*runs, threads=1)


class Tables(HTMLParser):
    """The cells of every table of a page, and its tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.tags: list[str] = []
        self._open = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Begin a table, row or cell."""
        self.tags.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self._open = True

    def handle_endtag(self, tag: str) -> None:
        """End a cell."""
        self._open &= tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        """Text of a cell."""
        if self._open:
            self.tables[-1][-1][-1] += data


def number(text: str) -> float:
    """The first number of a cell."""
    found = re.search(r"[+−]?\d+\.?\d*", text)
    assert found, text
    return float(found[0].replace("−", "-"))


# ------------------------------------------------------------------------- page and chart


def test_page_has_the_numbers_of_the_table(made: Comparison, tmp_path: Path) -> None:
    """Every card's rates, difference and interval on the page are those of the table."""
    page = Tables(write_compare_page(made, tmp_path, "fairdeal compare a b").read_text())
    written = pd.read_parquet(tmp_path / "tables" / "comparison.parquet")
    policies = list(dict.fromkeys(written.loc[written["kind"] == "card", "policy"]))
    for policy, rows in zip(policies, page.tables[1 : 1 + len(policies)], strict=True):
        mine = written[(written["policy"] == policy) & (written["kind"] == "card")]
        for name, before, after, difference, _, verdict, drawn, *_ in rows[1:]:
            dealt, of_drawn = (
                mine[(mine["name"] == name) & (mine["measure"] == selection)].iloc[0]
                for selection in ("dealt", "drawn")
            )
            assert number(before) == pytest.approx(100 * dealt["base"], abs=0.051)
            assert number(after) == pytest.approx(100 * dealt["variant"], abs=0.051)
            ends = [100 * dealt[f"difference{end}"] for end in ("", "_ci_low", "_ci_high")]
            told = [number(text) for text in re.split(r" to |(?<=\d) (?=[+−])", difference)]
            assert told == pytest.approx(ends, abs=0.0051)
            assert dealt["verdict"].removeprefix("shown ") in verdict
            assert number(drawn) == pytest.approx(100 * of_drawn["difference"], abs=0.0051)
        assert len(rows) == 17
        assert rows[1][0] == HOSTILE[0]
        assert rows[1][5] == "more"


def test_page_is_safe_and_says_what_was_changed(made: Comparison, tmp_path: Path) -> None:
    """Hostile names are text; the change and its command stand on the page."""
    html = write_compare_page(made, tmp_path, "fairdeal compare 'a<b' c").read_text()
    page = Tables(html)
    assert page.tags.count("script") == 1
    assert "img" not in page.tags
    own = re.sub(r"<script type=.*?</script>", "", html, flags=re.DOTALL)
    assert "http:" not in own and "https:" not in own
    assert 'class="word mark strong">more</td>' in html
    assert page.tables[0][1] == [HOSTILE[0], "power", "1", "8"]
    assert "a&lt;b" in html
    again = tmp_path / "again"
    assert write_compare_page(made, again, "fairdeal compare 'a<b' c").read_text() == html


def test_chart_shows_the_largest_changes_first(made: Comparison) -> None:
    """Points and whiskers are the differences, most changed on top."""
    policy = made.table["policy"].iloc[0]
    cards = made.table[(made.table["kind"] == "card") & (made.table["policy"] == policy)]
    axes = plot_changes(cards, ax=Figure().add_subplot())
    expected = most_changed(cards[cards["measure"] == "dealt"])
    found = {}
    for container in axes.containers:
        assert isinstance(container, ErrorbarContainer)
        drawn, _, (whiskers, *_) = container
        for x, y, ends in zip(*drawn.get_data(), whiskers.get_segments(), strict=True):
            found[y] = x, ends[0][0], ends[1][0]
    columns = ["difference", "difference_ci_low", "difference_ci_high"]
    np.testing.assert_allclose([found[y] for y in sorted(found)][::-1], expected[columns])
    assert axes.get_yticklabels()[-1].get_text().startswith("<script>")
    if made.table["policy"].nunique() > 2:
        with pytest.raises(ValueError, match="several policies"):
            plot_changes(made.table)


def test_words_name_the_card(made: Comparison) -> None:
    """What was changed comes first, and the card that changed is named in the sentence on cards."""
    told = findings(made)
    assert told[0].topic == "Changed"
    assert told[0].text == f"{HOSTILE[0]}, power: 1 → 8."
    assert told[1].topic == "Won when dealt"
    assert told[1].text.startswith(HOSTILE[0])
    assert re.match(r"No other card is shown to have changed|\d+ of 15 other cards?", told[2].text)


def test_the_changed_card_comes_first_however_little_it_moved(
    made: Comparison, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card that was changed has its numbers first in terminal, page and diary (issue 35)."""
    lines = made.table[(made.table["measure"] == "dealt") & (made.table["kind"] == "card")]
    mine = most_changed(lines).iloc[-1]
    change = Change(mine["id"], mine["name"], "power", "5", "7")
    for room in ("text", "page"):
        monkeypatch.setattr(f"reports.mindbug.compare.{room}.changes_of", lambda _: [change])
    own = lines[lines["id"] == mine["id"]]
    for told in (findings(made), overview(made)):
        changed, won, *rest = told
        assert changed.text == f"{mine['name']}, power: 5 → 7."
        assert won.topic == "Won when dealt"
        assert won.text.count(mine["name"]) == len(own)
        for _, line in own.iterrows():
            sides = f"{percent(line['base'])} → {percent(line['variant'])}"
            assert f"{sides} ({points(line['difference'], 2)}, " in won.text
            assert verdict_text(line) in won.text
        others = next(one.text for one in rest if one.topic.startswith("Other cards"))
        assert mine["name"] not in others
    entry = [*record_lines(made, "why", "2026-01-02", "fairdeal compare a b")]
    rows = [line for line in entry if line.startswith("| ") and "---" not in line]
    assert rows[1].startswith(f"| {mine['name']}, win rate dealt |")


@pytest.mark.parametrize("made", [("random", "random")], indirect=True)
@pytest.mark.parametrize(
    ("more", "words"), [((), "dealt it win"), (("card",), "dealt <script>alert(1)</script> win")]
)
def test_a_headline_names_the_card_where_others_changed(
    made: Comparison, monkeypatch: pytest.MonkeyPatch, more: Sequence[str], words: str
) -> None:
    """Cards that only one side has changed, too, and "it" would not say which one is meant."""
    added = [Change("more", "More", what, "", "power 3") for what in more]
    found = [*changes_of(made), *added]
    monkeypatch.setattr("reports.mindbug.compare.text.changes_of", lambda _: found)
    assert f"players {words} " in headline(made)


def test_differences_in_words_have_their_intervals(made: Comparison) -> None:
    """Every difference that is told of a card or of the game stands with its interval."""
    table = made.table[(made.table["measure"] == "dealt") & (made.table["kind"] == "card")]
    line = most_changed(table).iloc[0]
    numbers = [points(line[f"difference{end}"], 2) for end in ("", "_ci_low", "_ci_high")]
    said = {finding.topic: finding.text for finding in findings(made)}
    assert "({}, {} to {};".format(*numbers) in said["Won when dealt"]
    for text in said.values():
        signed = r"(?:[+\u2212]\d+\.\d+|\b0\.0+\b(?!%))"
        told = re.findall(rf"{signed}(?:, |\spoints \(){signed} to {signed}", text)
        unknown = text.count(", interval unknown")
        assert len(re.findall(signed, text)) == 3 * len(told) + unknown
        assert ("95% intervals" in text) == bool(told or unknown)


def test_numbers_of_the_game_in_words(made: Comparison) -> None:
    """Every number of the game that is not open stands in one sentence, with its band."""
    told = {finding.topic: finding.text for finding in findings(made)}
    lines = made.table[made.table["kind"] == "game"].set_index("measure")
    first = lines.loc["first_player_win_rate"]
    text = told["Going first"].replace("\N{NO-BREAK SPACE}", " ")
    assert f"{100 * first['base']:.1f}% → {100 * first['variant']:.1f}%" in text
    assert first["verdict"] in text.lower()


def test_everybody_is_told_over_what_verdicts_are_corrected(
    made: Comparison, tmp_path: Path
) -> None:
    """Summary and page count the numbers compared, and say when intervals hold together."""
    n = made.table["p_value"].notna().sum()
    changed = made.table["verdict"].isin(SETTLED).sum()
    words = {finding.topic: finding.text for finding in findings(made)}["Certainty"]
    assert words.startswith(f"{changed} of {n} numbers compared changed.")
    assert "The intervals are corrected for all of them" in words
    html = write_compare_page(made, tmp_path, "fairdeal compare a b").read_text()
    assert f"corrected for all {n} numbers tested on this page" in html
    runs = made.base.folder, made.variant.folder
    joint = compare_runs(*runs, simultaneous=True, threads=1)
    words = {finding.topic: finding.text for finding in findings(joint)}["Certainty"]
    assert f"they span {joint.joint_z:.2f} standard errors either way instead of 1.96" in words
    html = write_compare_page(joint, tmp_path, "fairdeal compare a b").read_text()
    assert f"(max-t, {joint.joint_z:.2f} standard errors either way)" in html
    add_record(
        tmp_path / "diary.md", record_lines(joint, "why", "2026-01-02", "fairdeal compare a b")
    )
    told = f"The intervals of all {n} numbers compared hold at once."
    assert told in (tmp_path / "diary.md").read_text()
    same = compare_runs(runs[0], runs[0], threads=1)
    assert "Certainty" not in {finding.topic for finding in findings(same)}


def test_diary_grows(made: Comparison, tmp_path: Path) -> None:
    """Each entry is added below; names cannot break the table."""
    diary = tmp_path / "diary.md"
    add_record(diary, record_lines(made, "too\nweak", "2026-01-02", "fairdeal compare a b"))
    first = diary.read_text()
    add_record(diary, record_lines(made, "again", "2026-01-03", "fairdeal compare a b"))
    assert diary.read_text().startswith(first.rstrip())
    assert re.findall(r"^## (\S+):", diary.read_text(), re.MULTILINE) == [
        "2026-01-02",
        "2026-01-03",
    ]
    assert "**Why.** too weak" in first
    assert "<script>" not in first
    rows = [row for row in first.splitlines() if row.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {7}
    assert "4,000 games each, paired" in first
    n = made.table["p_value"].notna().sum()
    assert f"Intervals are corrected for all {n} numbers compared." in first


# ------------------------------------------------------------------------- the command


def test_a_changed_card(ask) -> None:
    """The commonest question: one card file against its set, with page, tables and diary."""
    Path("mine.toml").write_text(BUG)
    said = "first_contact", "mine.toml", "--games", 2000, "--policy", "greedy", "--out", "c"
    with every_kind():
        status, out, err = ask("compare", *said, "--record", "diary.md", "--why", "Too weak.")
    assert (status, err) == (0, "")
    assert "Changed: Turbo Bug, power: 4 → 10." in out
    names = {path.relative_to("c").as_posix() for path in Path("c").rglob("*.*")}
    assert {
        "compare.html",
        "tables/comparison.csv",
        "figures/changes.svg",
        "figures/changes.pdf",
    } <= names
    assert {"base/manifest.json", "variant/manifest.json"} <= names
    assert "**Why.** Too weak." in Path("diary.md").read_text()
    table = pd.read_parquet("c/tables/comparison.parquet")
    dealt = table[(table["kind"] == "card") & (table["measure"] == "dealt")]
    assert dealt.loc[dealt["difference"].abs().idxmax(), "id"] == "turbo_bug"
    assert dealt["variance_reduction"].median() > 2
    # The finished runs are used again, and can be compared by their folders.
    again = ask("compare", "c/base", "c/variant", "--out", "d").done().out
    assert out.split("\n\n")[0] == again.split("\n\n")[0]
    pd.testing.assert_frame_equal(pd.read_parquet("d/tables/comparison.parquet"), table)
    answer = ask("compare", "c/base", "mine.toml", "--out", "e", "--json").json
    told = {one["topic"]: one["text"] for one in answer["findings"]}
    assert "100.0% of the games had the same deal" in told["Pairing"]
    assert read_manifest(Path("e/variant"))["policies"] == ["greedy", "greedy"]
    told = table[(table["measure"] == "dealt") | (table["kind"] == "game")]
    assert [row["difference"] for row in answer["comparison"]] == pytest.approx(told["difference"])
    assert answer["findings"][0] == {"topic": "Changed", "text": "Turbo Bug, power: 4 → 10."}
    pd.testing.assert_frame_equal(pd.read_parquet(answer["tables"]["comparison"]), table)
    assert answer["changes"][0]["after"] == "10"
    assert (answer["corrected_over"], answer["joint_z"]) == (table["p_value"].notna().sum(), None)
    answer = ask("compare", "c/base", "c/variant", "--simultaneous", "--out", "d", "--json").json
    assert 3 < answer["joint_z"] < 4
    joint = pd.read_parquet("d/tables/comparison.parquet").set_index(["id", "measure"])
    bug = joint.loc[("turbo_bug", "dealt")]
    reach = bug["difference_ci_high"] - bug["difference"]
    assert reach == pytest.approx(answer["joint_z"] * bug["std_err"])
    assert "--band 1 --simultaneous" in Path("d/compare.html").read_text()


def test_the_same_pool_twice(ask) -> None:
    """Nothing differs, and that is said."""
    out = ask("compare", "first_contact", "first_contact", *FEW, "--out", "c").done().out
    assert "Changed: Nothing: both runs were played with the same pool." in " ".join(out.split())
    table = pd.read_parquet("c/tables/comparison.parquet")
    assert (table["difference"] == 0).all()
    assert (table["verdict"] == SAME).all()
    told = ask("compare", "first_contact", "first_contact", *FEW, "--out", "c", "--json").json
    assert told["variance_reduction"] is None


def test_two_rulings_and_two_modes(ask) -> None:
    """A ruling is answered otherwise in the variant alone; modes are those of both sides."""
    ruling = "--variant-ruling", "printed_power_counts"
    out = ask("compare", "promos", "promos", "--life", 2, *ruling, *FEW, "--out", "c").done().out
    assert "Changed: rulings: none → printed power counts." in out
    modes = [read_manifest(Path("c", name))["modes"] for name in ("base", "variant")]
    assert [mode["life"] for mode in modes] == [2, 2]
    assert [mode["rulings"] for mode in modes] == [[], ["printed_power_counts"]]
    for name, life in (("one", 3), ("two", 4)):
        Path(f"{name}.toml").write_text(f'sets = ["first_contact"]\n[modes]\nlife = {life}\n')
    status, out, _ = ask(
        "compare", "one.toml", "two.toml", "--policy", "random", "--games", 2000, "--out", "d"
    )
    assert (status, "Changed: life: 3 → 4." in out) == (0, True)
    table = pd.read_parquet("d/tables/comparison.parquet").set_index("measure")
    assert table.loc["mean_turns", "verdict"] == MORE
    assert table.loc["mean_turns", "difference"] > 0


def test_a_ruling_alone_is_a_variant(ask) -> None:
    """Without VARIANT the other side is BASE with the other answer."""
    ruling = "--variant-ruling", "newest_triggers_first"
    status, out, _ = ask("compare", "first_contact", *ruling, *FEW, "--out", "c")
    assert (status, "Changed: rulings: none → newest triggers first." in out) == (0, True)
    again = "fairdeal compare first_contact first_contact --games"
    page = Path("c/compare.html").read_text()
    assert again in page
    assert re.search(
        r"<h1>Rulings changed; (none of 32 cards is shown to have|\d+ of 32 cards) changed</h1>",
        page,
    )


def test_two_ways_to_start(ask) -> None:
    """Other players start in half of the games; the rates are those of both pools played alone."""
    pools = []
    for name, way in (("one", "higher_card"), ("two", "stronger_hand")):
        path = Path(f"{name}.toml")
        path.write_text(f'sets = ["first_contact"]\n[modes]\nwho_starts = "{way}"\n')
        pools.append(load_pool(pool_file=path))
    status, out, _ = ask(
        "compare", "one.toml", "two.toml", "--policy", "random", "--games", 2000, "--out", "c"
    )
    assert (status, "Changed: who starts: higher card → stronger hand." in out) == (0, True)
    table = pd.read_parquet("c/tables/comparison.parquet").set_index("measure")
    line = table.loc["first_player_win_rate"]
    for side, pool in zip(("base", "variant"), pools, strict=True):
        games = play_games(compile_cards(pool.sets, pool.modes), n_games=2000)
        points = np.where(games["winner"] < 0, 0.5, games["winner"] == games["first_player"])
        assert line[side] == pytest.approx(points.mean())


def test_two_whole_sets_of_ones_own(ask) -> None:
    """A whole card file is not mixed into another; a set that lost a card differs by it."""

    def write(name: str, n: int) -> None:
        cards = [f'\n[c{i}]\nname = "C{i}"\npower = {i}\ncopies = 5\n' for i in range(1, n)]
        Path(name).write_text('name = "Many"\n' + "".join(cards))

    write("old.toml", 7)
    write("new.toml", 6)
    out = ask("compare", "old.toml", "new.toml", *FEW).done().out
    assert "C6 is left out: power 6, 5 copies." in out
    assert next(Path("runs").iterdir()).name.startswith("compare-old-")


@pytest.mark.usefixtures("redrawn")
def test_a_stronger_player_plays_both_sides(ask) -> None:
    """Where nobody is named `search:16` does, and text, page, JSON and diary say what it moves."""
    said = "compare", "first_contact", "first_contact", "--life", 2, "--games", 40, "--out", "c"
    diary = "--record", "diary.md", "--why", "shorter games"
    out = ask(*said, *diary).out
    told = "Among search:16 players, who are stronger, the share of games won by the player who"
    assert told in " ".join(out.split())
    home = Path("c/stronger/search-16")
    manifests = [read_manifest(home / side) for side in ("base", "variant")]
    assert [one["policies"] for one in manifests] == [["search:16"] * 2] * 2
    assert {one["seed"] for one in manifests} == {1}, "other deals than the comparison"
    assert told in Path("diary.md").read_text()
    page, kept = Path("c/compare.html"), Path("c/tables/comparison_stronger.parquet")
    assert told in page.read_text()
    assert "--stronger search:16" in page.read_text()
    first = [one.read_bytes() for one in (page, kept)]
    parts = sorted(home.rglob("part-*.parquet"))
    times = [one.stat().st_mtime_ns for one in parts]
    answer = ask(*said, "--json").json
    rows = answer["comparison_stronger"]
    assert {row["stronger"] for row in rows} == {"search:16"}
    assert {row["kind"] for row in rows} == {"card", "game"}
    assert [one.read_bytes() for one in (page, kept)] == first
    assert [one.stat().st_mtime_ns for one in parts] == times, "nothing is played again"


def test_nobody_stronger_plays_where_nobody_is_wanted(ask) -> None:
    """Not beside other players than the usual one, and not if that is said."""
    said = "compare", "first_contact", "first_contact", "--life", 2, *FEW
    assert "Stronger players" not in ask(*said, "--out", "c").out
    assert not Path("c/stronger").exists()
    out = ask(*said, "--out", "d", "--stronger", "greedy").out
    assert "Among greedy players, who are stronger" in " ".join(out.split())
    few = "compare", "first_contact", "first_contact", "--life", 2, "--games", 40
    assert "Stronger players" not in ask(*few, "--stronger", "none", "--out", "e").out
    assert "--stronger none" in Path("e/compare.html").read_text()
    wrong = {
        ("c/base", "c/variant", "--stronger", "greedy"): "has been played; name what it was",
        (*said[1:5], "--policy", "random:greedy", "--stronger", "expert"): "several players",
        (*said[1:5], "--policy", "greedy", "--stronger", "greedy"): "plays the main games already",
        (*said[1:5], "--stronger", "gredy"): "did you mean 'greedy'?",
    }
    for words, message in wrong.items():
        answer = ask("compare", *words)
        assert (answer.status, message in answer.err) == (2, True), (words, answer.err)


def test_sets_and_own_files_are_joined(tmp_path: Path) -> None:
    """A card file can be one of several sets, on either side; one with a "+" in its name, too."""
    mine, plus = tmp_path / "mine.toml", tmp_path / "a+b.toml"
    mine.write_text(BUG.replace("turbo_bug", "slow_bug").replace("Turbo", "Slow"))
    plus.write_text(BUG)
    joined = f"first_contact+{mine}"
    for base, variant in ((joined, str(plus)), (str(plus.parent / "a+b.toml"), joined)):
        if base != joined:
            plus.write_text(BUG + "copies = 20\n")
        sides = read_sides(base, variant, {}, ())
        side = sides[0] if base == joined else sides[1]
        assert [card_set.set_id for card_set in side.pool.sets] == ["first_contact", "mine"]
    assert sides[0].pool.sets[0].set_id == "a+b"
    with pytest.raises(CardFileError, match="there is no set 'first_contcat'"):
        read_sides(f"first_contcat+{mine}", "first_contact", {}, ())


def test_folder_of_something_else_is_left_alone(ask) -> None:
    """Neither the folder of another program nor a run takes in a comparison."""
    Path("other").mkdir()
    Path("other/notes.txt").write_text("mine")
    assert ask("simulate", "first_contact", *FEW, "--out", "run")[0] == 0
    for folder, held in (("other", "notes.txt"), ("run", "cards")):
        before = sorted(Path(folder).rglob("*"))
        ask("compare", "first_contact", "new_servants", *FEW, "--out", folder).refused(
            f"{folder} is not empty and not the folder of a comparison (it holds {held})"
        )
        assert sorted(Path(folder).rglob("*")) == before


def test_what_cannot_be_compared(ask) -> None:
    """One clear message and exit status 2."""
    Path("mine.toml").write_text(BUG)
    for name, more in (
        ("r", FEW),
        ("g", (*FEW[2:], "--policy", "greedy")),
        ("l", (*FEW[:2], "--games", 100)),
    ):
        assert ask("simulate", "first_contact", *more, "--out", name)[0] == 0
    same = "first_contact", "first_contact"
    os.mkfifo("pipe")
    Path("latin").write_bytes(b"caf\xe9")
    for arguments, message in (
        (("first_contact", "secnd"), "there is no set 'secnd'"),
        (("r", "g"), "only runs of the same players can be compared"),
        (("r", "l"), "play both with the same --games"),
        (("r", "mine.toml", "--games", 10), "--games is 10, but r was played with 300"),
        (("r", "g", "--life", 3), "--life: r is a run that has been played as it was"),
        (("first_contact", "nothing/"), "there is no set 'nothing/'"),
        (("r", "g", "--variant-ruling", "printed_power_counts"), "g is a run that has been played"),
        (("r", "--variant-ruling", "printed_power_counts"), "r is a run that has been played"),
        (("first_contact",), "what is different? Name a VARIANT, or a ruling"),
        ((*same, "--band", 0), "--band is 0; it must be above 0"),
        ((*same, "--band", "nan"), "--band: 'nan' is not a number"),
        ((*same, "--record", "d.md"), "say with --why"),
        ((*same, "--why", "so"), "name it with --record"),
        ((*same, "--record", "pipe", "--why", "so"), "pipe is not an ordinary file; name another"),
        ((*same, "--record", "latin", "--why", "so"), "latin is not UTF-8 text; name a Markdown"),
        ((*same, "--policy", "clever", *FEW[2:]), "--policy: "),
    ):
        status, out, err = ask("compare", *arguments)
        assert (status, out) == (2, ""), arguments
        assert message in err, err
    Path("mine.toml").write_text(BUG.replace("power", "pwer"))
    status, _, err = ask("compare", "first_contact", "mine.toml")
    assert status == 2
    assert "mine.toml:5:1: turbo_bug.pwer" in err
