"""The guard of words beside intervals sees what is planted, and passes what fits."""

import pytest

from support.fitting_words import (
    contradictions,
    json_contradictions,
    old_words,
    page_contradictions,
)


@pytest.mark.parametrize(
    "text",
    [
        "It is worth +4.2 points (+1.3 to +7.2), not settled.",
        "without TOUGH \u22124.2 (\u22127.2 to \u22121.3), not settled",
        "X is too strong: players dealt it win 53.0% (51.0 to 55.0%) of their games",
        "X needs more games: players dealt it win 55.0% (53.0 to 57.0%)",
        "X is fair: players dealt it win 50.0% (47.0 to 53.0%)",
    ],
)
def test_a_planted_contradiction_is_seen(text: str) -> None:
    """In a sentence."""
    assert contradictions(text)


@pytest.mark.parametrize(
    "text",
    [
        "It is worth +4.2 points (+1.3 to +7.2).",
        "It moves by +0.4 points (\u22120.6 to +1.4), not settled.",
        "It moves by +0.6 points (0.0 to +1.2), not settled.",  # rounded
        "X is too strong: players dealt it win 53.9% (53.5 to 54.3%) of their games",
        "X needs more games: players dealt it win 52.0% (51.0 to 53.0%)",
    ],
)
def test_what_fits_is_passed(text: str) -> None:
    """In a sentence."""
    assert contradictions(text) == []


def a_page(cell: str, word: str) -> str:
    """A page with a table of one row."""
    heads = "".join(f'<th scope="col">{one}</th>' for one in ("Card", "Dealt", "Verdict"))
    row = f'<th scope="row">X</th><td>53.0 <small>{cell}</small></td><td>{word}</td>'
    return f"<table><tr>{heads}</tr><tr>{row}</tr></table>"


def test_tables_are_read() -> None:
    """The word of a row is held against the first interval in it."""
    assert page_contradictions(a_page("51.0 to 55.0", "too strong"))
    assert page_contradictions(a_page("51.0 to 55.0", "needs more games")) == []
    assert page_contradictions(a_page("+1.0 to +3.0", "not settled"))
    assert page_contradictions(a_page("+1.0 to +3.0", "more")) == []


@pytest.mark.parametrize("heading", ["Effect", ""])
def test_charts_of_the_studio_are_read(heading: str) -> None:
    """Their intervals are titles of cells, and their words stand under any heading."""

    def chart(ends: str, word: str) -> str:
        heads = (
            '<th scope="col">Change</th><th scope="col">Points</th>'
            f'<th scope="col" class="word">{heading}</th>'
        )
        row = f'<th scope="row">X</th><td title="{ends}">+2.0</td><td class="word">{word}</td>'
        return f"<table><tr>{heads}</tr><tr>{row}</tr></table>"

    for word in ("stronger", "fewer", "worth more", "more"):
        assert page_contradictions(chart("\u22121.0 to +5.0", word))
        assert page_contradictions(chart("+1.0 to +5.0", word)) == []
    assert page_contradictions(chart("+1.0 to +5.0", "not settled"))
    assert page_contradictions(chart("\u22121.0 to +5.0", "not settled")) == []


def test_json_is_read() -> None:
    """Rows anywhere in an answer are held against the interval that they are about."""
    row = {"worth": 0.03, "worth_ci_low": 0.025, "worth_ci_high": 0.035, "verdict": "fair"}
    assert list(json_contradictions({"tables": [row]}))
    assert not list(json_contradictions({"tables": [row | {"verdict": "too strong"}]}))
    line = {"difference_ci_low": 0.01, "difference_ci_high": 0.02, "verdict": "not settled"}
    assert list(json_contradictions([line]))


def test_old_words_are_seen() -> None:
    """Those of other verdict systems."""
    assert old_words("13 cards are above average, and 2 are balanced")
    assert not old_words("a balance report of First Contact")
