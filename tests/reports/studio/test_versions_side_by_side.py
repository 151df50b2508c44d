"""Versions of a file of Mice & Mystics side by side: what is played, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from analysis.verdicts import LESS, MORE, NOT_SETTLED, SAME
from reports.cli import sides
from reports.cli.console import InputError
from reports.cli.steps import play_run
from reports.games import reports_of
from reports.studio import history
from reports.studio.bench import Row, Tried
from reports.studio.work import Asked
from support.spelling import odd_intervals
from support.studio import HERO

FRAIL, DULL = HERO.replace("life = 4", "life = 1"), HERO.replace("battle = 3", "battle = 1")
BENCH = reports_of("mice_and_mystics").studio
assert BENCH is not None
RAT = next(one.lines for one in BENCH.recipes() if "Rat Warrior with one die" in one.title)
COMPARE_SIDES = "reports.mice_and_mystics.cli.compare_sides"
PARTY = "collin,nez,tilda,filch"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: Any) -> Path:
    """An empty project folder, in which the test works."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save(*texts: str) -> None:
    """Save one text after the other, as the studio does."""
    for text in texts:
        Path("mine.toml").write_text(text)
        history.keep(history.place("mine.toml"), "mine.toml", text)


def asked(versions: str, entry: str = "nez", games: int = 400, player: str = "heuristic") -> Asked:
    """What is asked of some versions."""
    assert BENCH is not None
    chosen = {one.name: one.usual for one in BENCH.choices()}
    chosen |= {"player": player, "party": PARTY}
    more = {"versions": versions, "games": str(games)}
    return Asked("mice_and_mystics", "mine.toml", entry, chosen, {"nez": ""}, more)


def tried(of: Asked, looks: int | None = None) -> list[Tried]:
    """What is shown, one after the other, to somebody who stops it after so many looks."""
    assert BENCH is not None
    shown: list[Tried] = []

    def show(one: Tried) -> None:
        shown.append(one)
        if len(shown) == looks:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        BENCH.trials["side_by_side"].do(of, show)
    return shown


def rows_of(shown: Tried) -> Sequence[Row]:
    """The rows of its chart."""
    assert shown.chart is not None
    return shown.chart.rows


def test_rows_fill_one_by_one_with_the_numbers_of_the_comparisons(folder: Path, ask: Any) -> None:
    """What differs is what the command says, the other way round; its page is that of the row."""
    save(HERO, FRAIL, f"# so it was\n{HERO}", DULL)
    shown = tried(asked("3 1 2"))
    known = [[row.at is not None for row in rows_of(one)] for one in shown]
    assert known == [[n > place for place in range(3)] + [n > 0] for n in range(4)]
    assert shown[1].sentence == "1 of 3 versions played so far."
    last, rows = shown[-1], rows_of(shown[-1])
    names = ["Version 1", "Version 2", "Version 3", "Version 4 (now)"]
    assert [row.name for row in rows] == names
    assert [row.is_own for row in rows] == [False, False, False, True]
    assert rows[-1][1:6] == ("0", "as it is now", 0, 0, 0)
    assert last.who == "400 games each, paired · heuristic · seed 0"

    tables = {}
    for place, row in enumerate(rows[:-1], start=1):
        assert row.page is not None
        run, page = row.page
        assert (folder / "runs" / run / page).is_file()
        table = pd.read_parquet(folder / "runs" / run / "tables" / "comparison.parquet")
        tables[place] = line = table[table["measure"] == "win_rate"].iloc[0]
        ends = [-100 * line[f"difference{end}"] for end in ("_ci_high", "", "_ci_low")]
        assert [row.low, row.at, row.high] == pytest.approx(ends)
        assert row.more[1].startswith(f"{100 * line['base']:.1f} (")
        assert rows[-1].more[1].startswith(f"{100 * line['variant']:.1f} (")
        assert odd_intervals(" ".join([row.ends, *row.more])) == []
    assert tables[2]["base"] < tables[1]["base"], "with one life fewer games are won"
    assert rows[0][1:6] == rows[2][1:6], "a comment plays no part"

    before = sorted(folder.glob("runs/*"))
    assert len(before) == 2, "versions that play alike are played once"
    named = [f"ch1_flight_to_barksburg+history/mine/{one}/mine.toml" for one in (2, 4)]
    how = ["--games", "400", "--policy", "heuristic", "--party", PARTY]
    assert ask("compare", *named, *how).status == 0
    assert sorted(folder.glob("runs/*")) == before, "the command finds it"


def test_stopped_and_gone_on_with(folder: Path) -> None:
    """What was compared is read again, and not played again."""
    save(HERO, FRAIL, DULL)
    assert [row.at is not None for row in rows_of(tried(asked("1 2"), 2)[-1])] == [
        True,
        False,
        True,
    ]
    [first] = folder.glob("runs/*")
    played = {one: one.stat().st_mtime_ns for one in first.rglob("games/*")}
    assert played
    assert all(row.at is not None for row in rows_of(tried(asked("1 2"))[-1]))
    assert {one: one.stat().st_mtime_ns for one in first.rglob("games/*")} == played
    assert len([*folder.glob("runs/*")]) == 2


def test_the_version_of_now_is_played_once(folder: Path, monkeypatch: Any) -> None:
    """Each version is played, and that of now for the first of them alone, by everybody."""
    save(HERO, FRAIL, DULL)
    played = []

    def play(spec: Any, folder: Path, *how: Any) -> Path:
        if not folder.exists():
            played.append((folder.parent.name, folder.name))
        return play_run(spec, folder, *how)

    monkeypatch.setattr(sides, "play_run", play)
    monkeypatch.setattr(f"{COMPARE_SIDES}.COMPARED_STRONGER_GAMES", 10)
    shown = tried(asked("1 2", games=50, player="learned"))[-1]
    assert all(row.at is not None for row in rows_of(shown))
    homes = [one.name for one in sorted(folder.glob("runs/*"))]
    assert played == [
        *((home, side) for home in (homes[0], "search-16") for side in ("base", "variant")),
        *((home, "base") for home in (homes[1], "search-16")),
    ]
    assert len([*folder.glob("runs/*/**/variant/games/*")]) == 4
    assert not [*folder.glob("runs/**/.*.copy")]


def test_what_a_press_takes(folder: Path) -> None:
    """The entry asked about, or all; nothing where it is the same, or where one would stay."""
    save(HERO, f"{HERO}\n{RAT}", f"{FRAIL}\n{RAT}", HERO, f"{FRAIL}\n{RAT}# now\n")
    *rows, now = rows_of(tried(asked("1 2 3 4"), 1)[0])
    assert now.text == ""
    assert ["life = 4" in row.text for row in rows] == [True, True, False, True]
    assert not any("minion" in row.text for row in rows)
    *rows, _ = rows_of(tried(asked("1 2 3 4", entry=""), 1)[0])
    assert ["minion" in row.text for row in rows] == [False, True, False, False]
    assert [row.text == "" for row in rows] == [True, False, True, True]


def test_what_cannot_be_played_is_told_before_anything_is(folder: Path) -> None:
    """Faults, entries that are missing, too many versions and none end in a sentence each."""
    faulty = HERO.replace("battle = 3", 'battle = "many"')
    save(HERO, faulty, RAT, *(HERO.replace("= 4", f"= {life}") for life in range(5, 17)))
    for versions, entry, said in [
        ("", "nez", "choose at least one version"),
        ("15", "nez", "choose at least one version"),
        ("1 2", "nez", "mine.toml had a fault in version 2 and cannot be played"),
        ("1 3", "nez", "nez is not in version 3; choose other versions, or ask about the chapter"),
        (" ".join(map(str, range(1, 14))), "nez", "at most 12"),
        ("1 99", "nez", "there is no such version"),
    ]:
        with pytest.raises(InputError, match=said):
            tried(asked(versions, entry))
    assert not (folder / "runs").exists()


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ([LESS], "31.0% of the games are won now, more with version 1."),
        ([NOT_SETTLED], "31.0% of the games are won now; version 1 is not settled."),
        (
            [LESS, SAME, MORE, LESS, NOT_SETTLED, NOT_SETTLED],
            "31.0% of the games are won now, more with version 1 and version 4, as many within"
            " 1 point with version 2 and fewer with version 3; version 5 and version 6 are not"
            " settled.",
        ),
    ],
)
def test_the_answer_in_a_sentence(
    folder: Path, monkeypatch: Any, verdicts: Sequence[str], said: str
) -> None:
    """Versions with more games won, with fewer, with as many, and those that are not settled."""
    save(*(HERO.replace("= 4", f"= {life}") for life in range(1, len(verdicts) + 2)))
    manifest = {"game": "mice_and_mystics", "games": 400, "seed": 0, "policies": ["heuristic"]}
    run = SimpleNamespace(manifest=manifest)
    coming = iter(verdicts)

    def find_out(*_: Any, **__: Any) -> Any:
        verdict = next(coming)
        difference = 0.05 if verdict == MORE else -0.05  # of now, against the version
        line = {"kind": "game", "measure": "win_rate", "verdict": verdict, "band": 0.01}
        line |= {"base": 0.31 - difference, "base_n": 400, "variant": 0.31, "variant_n": 400}
        line |= {"difference_ci_low": difference - 0.02, "difference_ci_high": difference + 0.02}
        line["difference"] = difference
        comparison = SimpleNamespace(table=pd.DataFrame([line]), base=run, variant=run, paired=True)
        return SimpleNamespace(comparison=comparison, page=Path("runs/compare/compare.html"))

    monkeypatch.setattr(sides, "find_out", find_out)
    numbers = " ".join(str(one + 1) for one in range(len(verdicts)))
    shown = tried(asked(numbers))[-1]
    assert shown.sentence.replace("\N{NO-BREAK SPACE}", " ") == said
    words = {LESS: "more", SAME: "as many within 1 point", MORE: "fewer"}
    assert [row.word for row in rows_of(shown)[:-1]] == [words.get(one, one) for one in verdicts]
