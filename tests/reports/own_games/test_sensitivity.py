"""`fairdeal sensitivity` of games that people bring: Harvest and the examples."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.experiments.comparison import compare_runs
from support import harvest
from support.own_games import example

GAMES = ("--games", 120, "--seed", 3)


@pytest.fixture
def village(tmp_path: Path) -> Path:
    """The rules of Harvest as a file beside its lots."""
    folder = Path(harvest.__file__).parent
    shutil.copy(folder / "village.toml", tmp_path)
    return Path(shutil.copy(folder / "__init__.py", tmp_path / "harvest.py"))


def table_in(folder: str) -> pd.DataFrame:
    """The table of an analysis."""
    return pd.read_parquet(Path(folder) / "tables" / "sensitivity.parquet")


def test_the_numbers_are_those_of_a_comparison(ask, village: Path) -> None:
    """A lot worth one more is as `compare` has it; the table, JSON and page say the same."""
    done = ask("sensitivity", village.name, "honey", *GAMES, "--out", "of", "--json").done()
    table = table_in("of")
    assert list(table["changed_to"].unique()) != [] and set(table["entry"]) == {"honey"}
    line = table[(table["changed_to"] == "4") & (table["measure"] == "outcome")].iloc[0]
    text = Path("village.toml").read_text()
    honey = next(one for one in text.split("\n\n") if one.startswith("[lot.honey]"))
    Path("more.toml").write_text(honey.replace("worth = 3", "worth = 4") + "\n")
    for named, folder in (("harvest.py", "one"), ("harvest.py+more.toml", "other")):
        assert ask("simulate", named, *GAMES, "--out", folder).status == 0
    compared = compare_runs("one", "other").table.set_index(["id", "measure"])
    wanted = compared.loc[("honey", "outcome")]
    for column in ("base", "variant", "difference", "std_err", "variance_reduction", "differing"):
        assert line[column] == pytest.approx(wanted[column]), column
    told = json.loads(done.out)
    assert [row["number"] for row in told["sensitivity"]] == ["worth", "worth"]
    assert "Honey: worth" in Path(told["page"]).read_text()


def test_settings_are_set_otherwise_and_a_repeated_command_plays_nothing(
    ask, village: Path
) -> None:
    """A round more or less is another length for certain; another question adds to the games."""
    asked = ("sensitivity", village.name, "settings", *GAMES, "--out", "of")
    done = ask(*asked).done()
    table = table_in("of").set_index(["changed_to", "measure"])
    for rounds, more in (("4", -3), ("6", 3)):
        line = table.loc[(rounds, "mean_decisions")]
        assert line["difference"] == line["difference_ci_low"] == more
        assert line["differing"] == 120 and line["p_value"] == 0
    before = {path: path.stat().st_mtime_ns for path in Path("of").rglob("*.parquet")}
    runs = {path for path in before if "changes" in path.parts}
    assert len(runs) == 2
    assert ask(*asked).out == done.out
    assert {path: path.stat().st_mtime_ns for path in runs} == {path: before[path] for path in runs}


@pytest.mark.parametrize("name", ["auction", "factions", "market"])
def test_examples_are_changed(ask, tmp_path: Path, name: str) -> None:
    """Every number of an entry of each example can be asked about; a difference is a difference."""
    path = example(name, tmp_path)
    n_changes = (
        ask("sensitivity", path.name, "--games", 40, "--dry-run", "--json").json["games"] // 40 - 1
    )
    assert n_changes > 4
    first = next(one for one in Path(f"{name}.toml").read_text().split("[") if "." in one)
    entry = first.partition("]")[0].partition(".")[2]
    ask("sensitivity", path.name, entry, "--games", 40, "--out", "of").done()
    table = table_in("of")
    assert {*table["measure"]} == {"outcome", "mean_decisions"} and {*table["entry"]} == {entry}
    known = table["variant"] - table["base"]
    assert np.allclose(table["difference"], known, equal_nan=True)


def test_what_cannot_be_asked_is_told(ask, village: Path) -> None:
    """One message with the nearest right word, status 2, nothing written."""
    ask("sensitivity", village.name, "hony").refused("did you mean 'honey'?")
    assert ask("sensitivity", "nothing.py").status == 2
    assert not Path("runs").exists()


def test_a_change_that_breaks_some_games_is_named(ask, village: Path) -> None:
    """With what to do, where the first game can be played with it."""
    text = village.read_text()
    start = "    def start(self):\n"
    assert text.count(start) == 1
    breaks = (
        '        if self.setup.rounds == 6 and self.rng.below(9, "x") == 0:\n            1 // 0\n'
    )
    village.write_text(text.replace(start, start + breaks))
    done = ask("sensitivity", village.name, "settings", "--games", 60)
    assert done.status == 2
    assert re.search(
        r"harvest.py:\d+: ZeroDivisionError: .*, with rounds 6 instead of 5: let", done.err
    )


def test_few_games_are_explained(ask, village: Path) -> None:
    """Why an interval stands around 0, and what the numbers are of; with more games nothing is."""
    why = "Where fewer than 10 games differ, or fewer than 100 were played, the interval is centred"
    few = ask("sensitivity", village.name, "honey", "--games", 40, "--out", "of")
    assert "outcome with it" in few.out and why in few.out.replace("\n     ", "")
    assert why in " ".join(Path("of/sensitivity.html").read_text().split())
    many = ("settings", "--games", 120, "--out", "more")  # in which all differ
    assert why not in ask("sensitivity", village.name, *many).out


def test_what_takes_long_says_how_long(ask, village: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody sees a bar."""
    from reports.sensitivity import command

    monkeypatch.setattr(command, "_LONG", 0)
    done = ask("sensitivity", village.name, "settings", "--games", 40)
    assert re.search(r"^1 more changes take about .+$", done.err, re.MULTILINE)


@pytest.mark.usefixtures("drawn_anew")
def test_a_word_that_a_card_has_is_taken_away(ask, tmp_path: Path) -> None:
    """In words a reader would use, and the chart says what it is measured by."""
    path = example("factions", tmp_path)
    done = ask("sensitivity", path.name, "spark", "--games", 100, "--out", "of").done()
    assert "Spark without burn" in done.out and "True" not in done.out
    chart = "".join(path.read_text() for path in Path("of/figures").glob("*.svg"))
    assert "Change of the outcome" in chart


def test_changes_that_few_games_notice_come_last(ask, village: Path) -> None:
    """Their spread is not known, so it does not make them seem the largest and surest."""
    assert ask("sensitivity", village.name, *GAMES, "--out", "of").status == 0
    table = table_in("of")
    lines = table[table["measure"] == "outcome"].reset_index(drop=True)
    few = lines["p_value"].isna() & (lines["differing"] > 0)
    assert few.any() and (lines.loc[few, "difference"] != 0).any()
    assert lines.index[few].min() > lines.index[lines["p_value"].notna()].max()
