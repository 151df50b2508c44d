"""The command `fairdeal prices`: what it prints, what it prices, and what it says of faults."""

import json

import pytest

from reports.cli.app import run

_SMALL = ("--policy", "greedy", "--batches", "3", "--batch-cards", "60", "--games", "4000")
_MINE = """\
name = "Mine"
[hush_moth]
name = "Hush Moth"
power = 2
keywords = ["POISONOUS"]
[last_word]
name = "Last Word"
power = 5
play = "win the game"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with cards of one's own, in which a small list is made once."""
    place = tmp_path_factory.mktemp("prices")
    (place / "mine.toml").write_text(_MINE, encoding="utf-8")
    (place / "me.py").write_text("def choose(seen):\n    return 0\n", encoding="utf-8")
    return place


@pytest.fixture
def said(folder, monkeypatch, capsys):
    """Runs the command in the folder: the exit status, and what it prints."""

    def prices(*words):
        monkeypatch.chdir(folder)
        code = run(["prices", *words])
        told = capsys.readouterr()
        return code, told.out, told.err

    return prices


def test_the_quality_comes_before_the_prices(said):
    """A list says first how good it is, and then what things are worth."""
    code, out, err = said("first_contact", *_SMALL)
    assert code == 0, err
    assert out.startswith("The list prices a new card to within ")
    assert "one more power" in out
    assert "SNEAKY" in out
    assert out.index("left out whole") < out.index("SNEAKY")


def test_cards_are_priced_at_once(said):
    """With --json each card has its price and interval in points, or none and the reason."""
    said("first_contact", *_SMALL)
    code, out, err = said("mine.toml", "first_contact", *_SMALL, "--json")
    assert code == 0, err
    moth, last = json.loads(out)["cards"]
    assert moth["card_id"] == "hush_moth"
    assert moth["ci_low"] < moth["price"] < moth["ci_high"]
    assert sum(one["points"] for one in moth["lines"]) == pytest.approx(moth["price"], abs=0.05)
    assert [last[name] for name in ("price", "ci_low", "ci_high")] == [None, None, None]
    assert last["reason"] == "no price for “win the game”: never played"


def test_a_price_is_told_apart_from_what_was_played(said):
    """Beside a price stands that the card was not played, and how to play it."""
    _, out, _ = said("mine.toml", "first_contact", *_SMALL)
    assert "by the price list, not played yet" in out
    assert "fairdeal verdict" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "name a set"),
        (("first_contactt",), "first_contact"),
        (("first_contact", "--batches", "2"), "2 is not between 3 and 50"),
        (("first_contact", "--policy", "greedy:random"), "name one player"),
        (("nowhere.toml", "first_contact"), "nowhere.toml"),
        (("first_contact", "--policy", "me.py:choose"), "cannot learn made-up cards"),
    ],
)
def test_faults_are_told(said, words, told):
    """Wrong input is one message and exit status 2."""
    code, out, err = said(*words)
    assert code == 2
    assert out == ""
    assert told in err
    assert "Traceback" not in err
