"""The price list of a chapter: what the numbers of heroes and cards are worth."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd
import pytest

from reports.games import reports_of
from reports.studio.bench import Priced

CHAPTER = "ch1_flight_to_barksburg"
FEW = "--batches", "30", "--games", "1000"
#: A hero as a file of one's own has them.
NEZ = """
[hero.{hero}]
name = "Nez"
classes = ["tinkerer", "warrior"]
battle = {battle}
defense = 1
lore = 1
move = 0
life = 4
starting_gear = ["{gear}"]
innate = [{{ op = "may_search_for_party_item" }}]
"""


@pytest.fixture
def ask(ask):
    """Runs the command in an empty folder."""
    return partial(ask, "prices")


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    """The tables of a list."""
    return {one.stem: pd.read_parquet(one) for one in (folder / "tables").glob("*.parquet")}


def test_a_stronger_hero_is_worth_more(ask) -> None:
    """One more die of battle and one more life win games; whoever plays, and with any threads."""
    told = ask(CHAPTER, *FEW, "--threads", "2", "--json").json
    rows = {row["thing"]: row for row in told["prices"]}
    for thing in ("one more battle", "one more life"):
        row = rows[thing]
        assert 0 < row["price_ci_low"] < row["price"] < row["price_ci_high"], thing
    [most] = [one["text"] for one in told["findings"] if one["topic"] == "What counts most"]
    assert most.startswith("In points of win rate: one more battle +")
    assert rows["one more battle"]["n_cards"] == 34  # with the printed ones
    # Copies would shuffle other cards, and Collin is in every party: neither is drawn.
    curve = {row["card_id"] for row in told["price_curve"]}
    assert curve == {"nez", "tilda", "filch", "maginos"}
    page = Path(told["page"]).read_text(encoding="utf-8")
    assert "30 with other values for 1 of 4 heroes" in page
    assert "hero with other values" in page and "new card" not in page
    first = tables(Path(told["folder"]))
    assert ask(CHAPTER, *FEW, "--threads", "1", "--out", "one").status == 0
    for name, table in tables(Path("one")).items():
        pd.testing.assert_frame_equal(table, first[name])
    # It answers again without a game: those of a batch are gone.
    (Path("one") / "games" / "batch-000" / "manifest.json").rename("manifest.json")
    assert ask(CHAPTER, *FEW, "--out", "one").out.startswith("The list ")
    # In the studio it prices a hero while the numbers are typed.
    bench = reports_of("mice_and_mystics").studio
    assert bench is not None
    chosen = {choice.name: choice.usual for choice in bench.choices()}

    def priced(
        battle: int, hero: str = "nez", gear: str = "nez_hammer", **more: str
    ) -> Priced | None:
        text = NEZ.format(hero=hero, battle=battle, gear=gear)
        found: Priced | None = bench.price(text, "mine.toml", hero, chosen | more)
        return found

    two, three, four = map(priced, (2, 3, 4))
    assert two and three and four
    assert two.by == "By the price list of Chapter 1 (Flight to Barksburg), played by learned"
    assert dict(two.lines)["battle"] != dict(three.lines)["battle"]
    assert (four.value, four.why) == ("", "no price: battle 4 is beyond what was played")
    armed = priced(2, gear="dagger")
    assert armed and armed.why == "no price: more has changed than its numbers"
    assert priced(2, "mo", "dagger") is None  # a hero whom no list has
    assert priced(2, life="1") is None  # the list of another chapter, by its numbers


def test_cards_have_prices_of_their_own(ask) -> None:
    """An ability that costs more cheese is worth less, and nothing else is priced beside them."""
    told = ask(CHAPTER, "--of", "abilities", "--batches", "6", "--games", "6000", "--json").json
    assert {row["field"] for row in told["prices"]} == {"abilities"}
    [cost] = [row for row in told["prices"] if row["thing"] == "one more cost"]
    assert cost["price_ci_low"] < cost["price"] < 0
    assert "12 of 24 abilities" in Path(told["page"]).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--of", "hero"), "--of: there is no kind of entry 'hero'"),
        (("--batches", "5"), "type --batches 30"),
        (("--policy", "learned,learned"), "two different ones"),
    ],
)
def test_what_is_wrong_is_told(ask, words: tuple[str, ...], told: str) -> None:
    """One message, and exit status 2."""
    ask(CHAPTER, *words).refused(told)
