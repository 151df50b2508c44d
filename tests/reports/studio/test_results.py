"""What the studio keeps of each entry: results of its text, estimates, and what is out of date."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from attrs import evolve

from reports.mindbug.studio.bench import BENCH
from reports.studio.bench import Face
from reports.studio.form_views import steps_of
from reports.studio.measure import SHARE, Measure
from reports.studio.results import Result, keep, known, result_of, said_by, standing
from reports.studio.views import card_part, checked_part, share_picture

MEASURE = Measure(
    column="win_rate", unit=SHARE, words=str, title="", caption="", noun="", band=0.02,
    ground=(0.4, 0.6),
)  # fmt: skip
TEXT = 'name = "T"\n\n[ogre]\nname = "Ogre"\npower = 8\n'


def result(said: str, rate: float = 0.45, **more: Any) -> Result:
    """A result of Ogre, too weak unless it wins more."""
    word = "too weak" if rate < 0.48 else "fair"
    row = {"win_rate": rate, "win_rate_ci_low": rate - 0.003, "win_rate_ci_high": rate + 0.003}
    found = result_of(
        pd.Series(row | {"verdict": word}), MEASURE, entry="ogre", said=said, games=1000,
        player="expert", **more,
    )  # fmt: skip
    assert found is not None
    return found


def ogre(text: str = TEXT) -> Face:
    """The card of the file."""
    [face] = BENCH.check(text, "t.toml").faces
    return face


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    """All that is kept comes back, and is of the text that it was found of."""
    folder = tmp_path / "history" / "t"
    first, second = result("power 8"), result("power 9", 0.5)
    keep(folder, [first])
    keep(folder, [second])
    assert known(folder) == {"ogre": [first, second]}
    assert standing([first, second], "power 8") == (first, False)
    assert standing([first, second], "power 7") == (second, True)
    assert standing([], "power 8") == (None, False)
    keep(folder, [again := evolve(first, games=4000)])
    assert known(folder) == {"ogre": [second, again]}, "the newest result of a text is kept alone"


def test_an_estimate_gives_way_to_games(tmp_path: Path) -> None:
    """What was played is not replaced by what a verdict has tried; an estimate is, by games."""
    tried = result("power 9", tried=True, change="power 8 → 9")
    keep(tmp_path, [tried])
    assert standing(known(tmp_path)["ogre"], "power 9") == (tried, False)
    assert standing(known(tmp_path)["ogre"], "power 8") == (None, False)
    keep(tmp_path, [played := result("power 9", 0.5)])
    keep(tmp_path, [tried])
    assert known(tmp_path)["ogre"] == [played]


@pytest.mark.parametrize(
    "content",
    ["", "{", "[1, 2]", '[{"entry": "a"}]', '{"a": 1}', '[{"entry":"a","low":"x"}]', "[" * 9999],
)
def test_a_file_of_somebody_else_says_nothing(tmp_path: Path, content: str) -> None:
    """A damaged file, or one that nobody here has written, is not a result and no failure."""
    (tmp_path / "results.json").write_text(content)
    assert known(tmp_path) == {}


def test_nothing_known_is_no_result() -> None:
    """Where too few games were played there is no number to keep."""
    row = {"win_rate": float("nan"), "win_rate_ci_low": 0.1, "win_rate_ci_high": 0.9}
    assert result_of(pd.Series(row), MEASURE, entry="a", said="", games=1, player="") is None


def test_the_list_says_what_is_known_of_each_card() -> None:
    """A result, an estimate, one that is out of date, and none: each as what it is."""
    checked = BENCH.check(TEXT, "t.toml")
    said = said_by(ogre())
    for found, told, untold in (
        ([result(said)], ["45.0%", "▼ too weak"], ["estimate", "before your change"]),
        ([result(said, tried=True)], ["estimate: too weak", "guess"], ["▼"]),
        ([result("power 3")], ["before your change", "45.0%"], ["▼", "estimate"]),
        ([], ["not played yet"], ["45.0%"]),
    ):
        html = checked_part(checked, {"ogre": found})
        assert all(one in html for one in told), told
        assert not any(one in html for one in untold), untold


def test_the_list_is_sorted_by_results() -> None:
    """By the file, the strongest first, the weakest first; what was not played comes last."""
    text = TEXT + '\n[elf]\nname = "Elf"\npower = 2\n\n[imp]\nname = "Imp"\npower = 1\n'
    checked = BENCH.check(text, "t.toml")
    said = {face.entry_id: said_by(face) for face in checked.faces}
    found = {
        "ogre": [result(said["ogre"], 0.45)],
        "imp": [evolve(result(said["imp"], 0.5), entry="imp")],
    }

    def order(how: str) -> list[str]:
        html = checked_part(checked, found, how)
        return sorted(said, key=lambda one: html.index(f'id="mine-{one}"'))

    assert order("down") == ["imp", "ogre", "elf"]
    assert order("up") == ["ogre", "imp", "elf"]
    assert order("") == [face.entry_id for face in checked.faces]


def test_a_card_with_a_fault_is_in_the_list() -> None:
    """It has no result, and a way to its fault."""
    html = checked_part(BENCH.check(TEXT.replace("8", '"many"'), "t.toml"), {})
    assert 'id="faulty-ogre"' in html
    assert 'data-line="5"' in html


def test_steps_know_what_the_verdict_has_tried() -> None:
    """Below the card each step and each keyword has its estimate, where there is one."""
    more = said_by(ogre(TEXT.replace("8", "9")))
    hunter = said_by(ogre(TEXT + 'keywords = ["HUNTER"]\n'))
    found = [result(more, tried=True), result(hunter, 0.5, tried=True)]
    steps = steps_of(BENCH, TEXT, "ogre", found)
    assert steps is not None
    [power] = [one for one in steps["numbers"] if one["name"] == "power"]
    assert [one["known"] for one in power["steps"]] == [None, found[0]]
    [keywords] = steps["words"]
    assert {one["word"] for one in keywords["options"] if one["known"]} == {"HUNTER"}
    html = card_part(ogre(), steps, found)
    assert "50.0%" in html
    assert "estimates" in html


def test_a_number_steps_no_further_than_it_may() -> None:
    """At the end of its range the button is out of use."""
    steps = steps_of(BENCH, TEXT.replace("8", "1"), "ogre", ())
    assert steps is not None
    [power] = [one for one in steps["numbers"] if one["name"] == "power"]
    assert power["steps"][0] is None
    assert power["steps"][1] is not None


def test_the_picture_to_share_says_what_was_found() -> None:
    """The card, the verdict, the number with its interval, and who played; markup is only text."""
    face = ogre()._replace(name="<b>Ogre</b>", lines=("Play: gain 1 life & more. " * 20,))
    svg = share_picture(face, result(said_by(face)))
    for told in ("&lt;b&gt;Ogre&lt;/b&gt; is too weak", "45.0%", "44.7 to 45.3%", "1,000 games"):
        assert told in svg, told
    assert "<b>" not in svg
    assert "expert" in svg
