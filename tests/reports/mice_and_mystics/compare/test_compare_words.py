"""What a change does to a chapter, in words that follow from the table of a comparison."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from attrs import evolve

from analysis.experiments.comparison import Comparison
from analysis.mice_and_mystics.pairs import GAME_MEASURES
from analysis.runs import Run
from analysis.verdicts import LESS, MORE, NOT_SETTLED, SAME, SETTLED
from reports.compare.page import plot_differences, shares_of
from reports.kit.words import headline
from reports.mice_and_mystics.compare import changes_of, findings, name_of, words_of
from support.planted_mice import run_facts


def compared(verdict: str, difference: float) -> Comparison:
    """A comparison whose win rate and captures differ so much; nothing else changed."""
    rows = []
    for measure in GAME_MEASURES:
        moved = measure in ("win_rate", "mean_captures")
        rows.append(
            {
                "kind": "game",
                "id": "",
                "name": "",
                "measure": measure,
                "base": 0.4,
                "variant": 0.4 + difference * moved,
                "difference": difference * moved,
                "difference_ci_low": difference * moved - 0.01,
                "difference_ci_high": difference * moved + 0.01,
                "band": 0.01,
                "verdict": verdict if moved else SAME,
                "more_games": 9000 if verdict == NOT_SETTLED else None,
            }
        )
    rows.append({**rows[0], "kind": "party", "id": "collin,nez,tilda,filch"})
    run = Run(Path("nowhere"), {})
    return Comparison(run, run, paired=True, same_deals=1.0, table=pd.DataFrame(rows))


@pytest.mark.parametrize(
    ("verdict", "difference", "words"),
    [
        (MORE, 0.05, "The chapter is easier: 40.0% → 45.0"),
        (LESS, -0.05, "The chapter is harder: 40.0% → 35.0"),
        (SAME, 0.001, "The win rate is the same within 1 point"),
        (NOT_SETTLED, 0.008, "is not settled and takes more games, about 9,000: "),
    ],
)
def test_win_rate_is_told_by_its_verdict(verdict: str, difference: float, words: str) -> None:
    """A changed win rate makes a chapter easier or harder; else the sentence does not say so."""
    told = findings(compared(verdict, difference))
    found = dict(told)
    assert words in found["Win rate"] and "points (" in found["Win rate"]
    assert words in headline(told) and "points (" not in headline(told)
    changed = verdict in SETTLED
    assert ("Collin, Nez, Tilda and Filch" in found["Parties"]) == changed
    assert ("captures 0.40" in found.get("In a game", "")) == changed


def test_what_was_changed_is_told() -> None:
    """Switches, numbers and party that differ are named with both values."""
    base, variant = run_facts(), run_facts(page_end="7", alike_drawn="once")
    told = changes_of(base, run_facts(page_end="7"))
    assert told == [f"page_end {base.page_end} → 7"]
    assert len(changes_of(base, variant)) == 2
    one = run_facts("collin", "nez", "tilda", "filch")
    assert changes_of(base, one) == ["every legal party → Collin, Nez, Tilda and Filch"]
    assert changes_of(base, base) == []


def test_changed_entries_are_named_with_both_values() -> None:
    """A file of one's own is told by what it says, not as "changed data" (issue 35)."""
    base = run_facts()
    collin, *others = base.data.heroes
    files = {
        "life": (evolve(collin, life=collin.life + 1), *others),
        "new": (collin, *others, evolve(collin, id="twin", name="Twin")),
        "source": (evolve(collin, source="elsewhere"), *others),
    }
    told = {
        what: changes_of(base, evolve(base, data=evolve(base.data, heroes=heroes)))
        for what, heroes in files.items()
    }
    assert told == {
        "life": [f"{collin.name}, life: {collin.life} → {collin.life + 1}"],
        "new": ["Twin is new"],
        "source": [],
    }


def test_what_was_changed_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first finding, and so the headline, says what was changed and then what followed."""
    sides = iter([run_facts(), run_facts(page_end="7")])
    monkeypatch.setattr("reports.mice_and_mystics.compare.facts_of", lambda _: next(sides))
    monkeypatch.setattr(
        "reports.mice_and_mystics.compare.shared.describe_comparison", lambda _: "played"
    )
    played, found = words_of(compared(MORE, 0.05))
    first = f"page_end {run_facts().page_end} → 7"
    assert played == f"{first} · played"
    assert found[0] == ("Changed", f"{first[0].upper()}{first[1:]}.")
    assert headline(found).startswith(f"{first}; the chapter is easier: 40.0")
    assert found[1].topic == "Win rate"


def test_the_chart_names_parties_and_endings() -> None:
    """A line is a party by its heroes, or how all games end; what never happens is left out."""
    table = compared(MORE, 0.05).table
    table.loc[table["measure"] == "timeout_rate", ["base", "variant"]] = 0.0
    lines = shares_of(table)
    names = [name_of(line) for _, line in lines.iterrows()]
    assert names == [
        "all games: won",
        "lost: out of pages",
        "lost: all mice captured",
        "Collin, Nez, Tilda and Filch",
    ]
    axes = plot_differences(
        lines.assign(policy="learned"),
        names,
        label="points",
        what="lines",
        directions=("more", "less"),
    )
    drawn = [label.get_text() for label in axes.get_yticklabels()]
    assert {*drawn} == {*names}
    points = np.concatenate([np.asarray(line.get_xdata(), float) for line in axes.lines])
    assert np.isin(lines["difference"], points).all()
