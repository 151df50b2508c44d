"""Pairs of cards in charts, words and the page."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

import analysis.mindbug
import reports.mindbug
from analysis.mindbug.pairs import detectable
from analysis.mindbug.selections import BEATEN, BEATS, IN_THE_WAY, NO_PAIR, PAIR_VERDICTS, TOGETHER
from reports.cli.app import run
from reports.kit.theme import COOL, WARM
from reports.mindbug.balance import pair_text as pair_words
from reports.mindbug.balance import text as wording
from reports.mindbug.balance.pair_charts import MOST_CARDS
from support.synthetic import hostile_cards, synthetic_cards, synthetic_games, synthetic_run

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An analysed run in which cards 2 and 5 help each other, 3 and 7 do not, and 9 beats 4."""
    synergy, counter = np.zeros((2, 32, 32))
    synergy[2, 5] = synergy[5, 2] = 0.2
    synergy[3, 7] = synergy[7, 3] = -0.15
    counter[9, 4], counter[4, 9] = 0.12, -0.12
    cards = synthetic_cards(32, 1)
    games = synthetic_games(cards, 12_000, seed=1, synergy=synergy, counter=counter)
    folder = synthetic_run(tmp_path_factory.mktemp("pairs") / "run", cards, games)
    analysis.mindbug.analyze(folder)
    return folder


@pytest.fixture(scope="module")
def tables(finished: Path) -> dict[str, pd.DataFrame]:
    """Its tables."""
    return analysis.mindbug.read_tables(finished)


def made_up(n_cards: int, shown: dict[tuple[int, int], float]) -> pd.DataFrame:
    """A table of pairs on one side with the given shrunk effects, and nothing else shown."""
    one, other = np.triu_indices(n_cards, 1)
    effects = [shown.get(pair, 0.0) for pair in zip(one.tolist(), other.tolist(), strict=True)]
    verdicts = [TOGETHER if e > 0 else IN_THE_WAY if e < 0 else NO_PAIR for e in effects]
    return pd.DataFrame(
        {
            "card_a": [f"c{n}" for n in one],
            "name_a": [f"Card {n}" for n in one],
            "card_b": [f"c{n}" for n in other],
            "name_b": [f"Card {n}" for n in other],
            "policy": "random",
            "p_value": 0.5,
            "std_err": 0.01,
            "shrunk": effects,
            "verdict": verdicts,
        }
    )


def coloured(ax: Axes, colour: str) -> set[tuple[int, int]]:
    """The cells, as (row, column), that have a colour."""
    (cells,) = ax.collections
    corners = [path.get_extents().min for path in cells.get_paths()]
    return {
        (round(y + 0.47), round(x + 0.48))
        for (x, y), face in zip(corners, cells.get_facecolor(), strict=True)
        if np.allclose(face[:3], to_rgb(colour))  # type: ignore[index]
    }


def test_heat_map_shows_the_pairs_that_are_shown() -> None:
    """Cells of pairs that are shown have the colour of their sign and their number; no others."""
    shown = {(2, 5): 0.021, (3, 5): -0.013, (2, 8): 0.004}
    ax = reports.mindbug.plot_card_pairs(made_up(12, shown))
    for labels in (ax.get_xticklabels(), ax.get_yticklabels()):
        assert [tick.get_text() for tick in labels] == ["Card 5", "Card 2", "Card 3", "Card 8"]
    assert coloured(ax, WARM) == {(1, 0), (3, 1)}
    assert coloured(ax, COOL) == {(2, 0)}
    assert sorted(text.get_text() for text in ax.texts if text.get_text()[0] in "+−") == [
        "+0.4", "+2.1", "−1.3"
    ]  # fmt: skip


def test_matchups_are_seen_from_both_sides(tables: dict[str, pd.DataFrame]) -> None:
    """A card that beats another is blue in its row and orange in that of the other."""
    ax = reports.mindbug.plot_card_matchups(tables["card_matchups"])
    names = [tick.get_text() for tick in ax.get_yticklabels()]
    nine, four = names.index("Card 9"), names.index("Card 4")
    assert (nine, four) in coloured(ax, WARM) and (four, nine) in coloured(ax, COOL)
    assert {(row, column) for column, row in coloured(ax, WARM)} == coloured(ax, COOL)


def test_large_pools_show_the_strongest() -> None:
    """Of very many cards those of the strongest pairs have a row, and the rest is said."""
    shown = {(n, n + 1): 0.01 + n / 1000 for n in range(0, 180, 2)}
    ax = reports.mindbug.plot_card_pairs(made_up(190, shown))
    names = [tick.get_text() for tick in ax.get_xticklabels()]
    assert len(names) == MOST_CARDS
    assert set(names) == {f"Card {n}" for n in range(180 - MOST_CARDS, 180)}
    numbers = [text.get_text() for text in ax.texts if re.fullmatch(r"[+−]\d.*", text.get_text())]
    assert len(numbers) == 5
    left_out = f"{90 - MOST_CARDS // 2} weaker pairs left out"
    assert any(left_out in text.get_text().replace("\n", " ") for text in ax.texts)


def test_where_nothing_is_shown_that_is_said() -> None:
    """Without a pair the chart says so, and how large one would have to be."""
    table = made_up(5, {})
    ax = reports.mindbug.plot_card_pairs(table)
    words = next(text.get_text() for text in ax.texts if text.get_text().startswith("No pair"))
    least = float(re.search(r"effect of ([\d.]+) points", words)[1])  # type: ignore[index]
    assert least / 100 == pytest.approx(detectable(table), rel=0.05)
    ax = reports.mindbug.plot_card_pairs(table.assign(p_value=np.nan))
    assert any("need more games" in text.get_text() for text in ax.texts)


def test_policies_are_not_mixed(tables: dict[str, pd.DataFrame]) -> None:
    """A table of two policies is refused with what to do."""
    two = pd.concat([tables["card_pairs"], tables["card_pairs"].assign(policy="greedy")])
    with pytest.raises(ValueError, match="choose one"):
        reports.mindbug.plot_card_pairs(two)


def test_pairs_in_words(tables: dict[str, pd.DataFrame]) -> None:
    """The strongest pairs come first in short; where none is shown nothing is said."""
    words = pair_words.pairs_text(tables, "random")
    assert re.match(
        r"Card 2 and Card 5 work together best \(\+1\d\.\d points of win rate beyond what each "
        r"adds\), Card 3 and Card 7 worst \(−1\d\.\d\), Card 9 beats Card 4 \(\+\d+\.\d\)\. "
        r"\d of 496 same-side pairs and \d of 496 opposing pairs show an effect\. "
        r"With 12,000 games, 8 of 10 such runs find a pair with an effect of [\d.]+ points or "
        r"more, corrected for the number of pairs; "
        r"finding one of 2 points takes about [\d,]+ games\.$",
        words,
    )
    found = {finding.topic: finding.text for finding in wording.findings(tables)}
    assert found["Pairs"] == words
    nothing = {
        name: table.assign(verdict=NO_PAIR) if name.startswith("card_") else table
        for name, table in tables.items()
    }
    said = pair_words.pairs_text(nothing, "random")
    assert said.startswith("No pair is shown to do more or less than its two cards. With 12,000 ")
    few = {
        name: table.assign(p_value=np.nan) if name.startswith("card_") else table
        for name, table in nothing.items()
    }
    assert pair_words.pairs_text(few, "random") == ""
    assert "Pairs" not in {finding.topic for finding in wording.findings(few)}


def test_how_many_games_a_smaller_effect_takes(tables: dict[str, pd.DataFrame]) -> None:
    """Four times the games show an effect of half the size."""
    table = tables["card_pairs"]
    least = 100 * detectable(table)
    words = pair_words.power_text(table, 12_000)
    shown, smaller, games = re.match(
        r"With 12,000 games, .* ([\d.]+) points or more, .*; finding one of (\d+) points takes "
        r"about ([\d,]+) games\.$",
        words,
    ).groups()  # type: ignore[union-attr]
    assert float(shown) == pytest.approx(least, rel=0.05)
    assert float(games.replace(",", "")) == pytest.approx(
        12_000 * (least / float(smaller)) ** 2, rel=0.05
    )


def test_page_has_a_section_on_pairs(finished: Path, tables: dict[str, pd.DataFrame]) -> None:
    """Charts, the strongest pairs and downloads of those that are shown are on the page."""
    html = reports.mindbug.write_report(finished).read_text()
    section = html[html.index('<section id="pairs">') :]
    section = section[: section.index("</section>")]
    assert section.count("<svg") == 2
    assert "Card 2 and Card 5 work together" in section and "Card 9 beats Card 4" in section
    link = re.search(r'download="card_pairs\.csv" href="data:[^,]*,([^"]*)"', section)
    assert link is not None
    held = pd.read_csv(StringIO(unquote(link[1])))
    shown = tables["card_pairs"]["verdict"] != NO_PAIR
    assert len(held) == shown.sum() and set(held["verdict"]) <= {TOGETHER, IN_THE_WAY}


def test_names_on_the_page_are_text(tmp_path: Path) -> None:
    """The name of a card is never taken for markup."""
    cards = hostile_cards(["<script>alert(1)</script>", "$x^2$ & co"])
    synergy = np.zeros((16, 16))
    synergy[0, 1] = synergy[1, 0] = 0.1
    games = synthetic_games(cards, 6_000, synergy=synergy)
    folder = synthetic_run(tmp_path / "run", cards, games)
    analysis.mindbug.analyze(folder)
    html = reports.mindbug.write_report(folder).read_text()
    assert "&lt;script&gt;alert(1)&lt;/script&gt; and $x^2$ &amp; co work together" in html
    assert "<script>alert" not in html


def test_command_line_prints_one_line(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`analyze --json` says what is known of pairs once."""
    assert run(["analyze", str(finished), "--json"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("Card 2 and Card 5 work together best") == 1


def test_methods_page_quotes_the_verdicts() -> None:
    """docs/methods.md says what every verdict on a pair means."""
    page = " ".join((ROOT / "docs" / "methods.md").read_text().split())
    assert all(f"| {word} | {meaning} |" in page for word, meaning in PAIR_VERDICTS.items())
    assert {BEATS, BEATEN} < set(PAIR_VERDICTS)


def test_a_pool_of_one_card_has_no_pairs(tables: dict[str, pd.DataFrame]) -> None:
    """A chart of no pairs at all says so."""
    for plot, name in (
        (reports.mindbug.plot_card_pairs, "card_pairs"),
        (reports.mindbug.plot_card_matchups, "card_matchups"),
    ):
        ax = plot(tables[name].iloc[:0])
        assert [text.get_text() for text in ax.texts] == ["Pairs of cards need more games."]
