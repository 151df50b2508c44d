"""What was counted of parts is kept, so that each game is counted once."""

import hashlib
import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from attrs import evolve, frozen

from analysis import kept_tallies
from analysis.kept_tallies import TALLIES, tally_played
from analysis.runs import Run
from analysis.tables import analyze
from simcore.work.parts import part_path
from simcore.work.runs import Look, run_games
from support.resealed import edit_table
from support.synthetic import (
    expansions_games,
    expansions_pool,
    made_up_spec,
    run_of_pool,
    synthetic_cards,
    synthetic_games,
)
from support.synthetic import synthetic_run as make_run

SHORT, LONG = 2_500, 4_500  # three and five parts; the last of both has fewer than 1,024 games
CARDS = synthetic_cards()
GAMES = synthetic_games(CARDS, LONG, draw_rate=0.1)


@pytest.fixture(autouse=True)
def keep_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tallies of small parts, too."""
    monkeypatch.setattr(kept_tallies, "LEAST_GAMES", 1)


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an analysed run of `SHORT` games, which no test changes."""
    folder = make_run(tmp_path_factory.mktemp("analysed") / "run", CARDS, GAMES[:SHORT])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_tallies, "LEAST_GAMES", 1)
        analyze(folder)
    return folder


@pytest.fixture
def folder(analysed: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(analysed, tmp_path / "run")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the parts that are read from now on."""
    numbers: list[int] = []
    original = Run.part

    def noted(run: Run, part: int) -> np.ndarray:
        numbers.append(part)
        return original(run, part)

    monkeypatch.setattr(Run, "part", noted)
    return numbers


def contents(folder: Path) -> dict[str, str]:
    """Digest of every file in a folder."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.*")}


def test_games_are_counted_once(folder: Path, read: list[int]) -> None:
    """A second analysis reads no part, and writes the same tables."""
    before = contents(folder / "tables")
    shutil.rmtree(folder / "tables")
    analyze(folder)
    assert read == []
    assert contents(folder / "tables") == before


def test_a_longer_run_counts_what_is_new(folder: Path, read: list[int], tmp_path: Path) -> None:
    """Of a longer run the new parts are read, and the tables are those of a run counted whole."""
    make_run(folder, CARDS, GAMES)
    analyze(folder, threads=1)
    assert read == [2, 3, 4]  # the last one of the short run has more games now
    make_run(tmp_path / "at once", CARDS, GAMES)
    analyze(tmp_path / "at once")
    for kind in ("tables", TALLIES):
        assert contents(folder / kind) == contents(tmp_path / "at once" / kind)


def test_tables_do_not_depend_on_kept_tallies(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte by byte, with tallies and without."""
    monkeypatch.setattr(kept_tallies, "LEAST_GAMES", LONG)
    analyze(make_run(tmp_path / "none", CARDS, GAMES[:SHORT]))
    assert not (tmp_path / "none" / TALLIES).exists()
    assert contents(folder / "tables") == contents(tmp_path / "none" / "tables")


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "missing": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-9]),
    "flipped": _flip,
    "of other games": lambda path: shutil.copy(path.with_name("part-00000.parquet"), path),
    "a part": lambda path: shutil.copy(part_path(path.parents[1], 1), path),
    "without its counts": lambda path: edit_table(path, lambda table: table.drop_columns("count")),
    "doubled": lambda path: edit_table(path, lambda table: pa.concat_tables([table, table])),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_tally_is_made_anew(folder: Path, read: list[int], damage: str) -> None:
    """A tally that cannot be used is counted again, without a word, and the tables stay right."""
    tables, tallies = contents(folder / "tables"), contents(folder / TALLIES)
    DAMAGE[damage](folder / TALLIES / "part-00001.parquet")
    analyze(folder)
    assert read == [1]
    assert contents(folder / "tables") == tables
    assert contents(folder / TALLIES) == tallies


def test_tallies_of_another_run_are_not_used(folder: Path, read: list[int], tmp_path: Path) -> None:
    """What was counted of other deals is not taken over."""
    other = make_run(tmp_path / "other", CARDS, GAMES[:SHORT][::-1], seed=7)
    shutil.copytree(folder / TALLIES, other / TALLIES)
    analyze(other)
    assert sorted(read) == [0, 1, 2]


def test_tallies_of_other_code_are_not_used(
    folder: Path, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the code that counts has changed, all games are counted again."""
    monkeypatch.setattr(kept_tallies, "_digest_of_code", lambda module: f"another {module}")
    analyze(folder)
    assert sorted(read) == [0, 1, 2]


def test_small_parts_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that are counted as quickly as a tally is read have none."""
    monkeypatch.undo()
    analyze(make_run(tmp_path / "run", CARDS, GAMES[:SHORT]))
    assert not (tmp_path / "run" / TALLIES).exists()


def test_everything_that_is_counted_is_kept(
    tmp_path: Path, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every expansion feature and two different players, too."""
    pool = expansions_pool()
    games = expansions_games(pool, 2_000)
    run_of_pool(tmp_path, pool, games, policies=("random", "greedy"))
    analyze(tmp_path)
    before = contents(tmp_path / "tables")
    read.clear()
    shutil.rmtree(tmp_path / "tables")
    analyze(tmp_path)
    assert read == []
    assert contents(tmp_path / "tables") == before


@pytest.mark.parametrize("elsewhere", [False, True], ids=["threads", "an executor"])
def test_games_are_counted_as_they_are_played(
    folder: Path, read: list[int], tmp_path: Path, elsewhere: bool
) -> None:
    """What threads of this process play is counted before it is written, to the same bytes."""
    run = tmp_path / "played"
    with ThreadPoolExecutor(2) as executor:
        how: dict[str, Any] = {"executor": executor} if elsewhere else {"threads": 2}
        run_games(made_up_spec(CARDS, GAMES[:SHORT]), run, tally=tally_played, **how)
    if not elsewhere:
        assert contents(run / TALLIES) == contents(folder / TALLIES)
    analyze(run)
    assert elsewhere or not read
    for kind in ("tables", TALLIES):
        assert contents(run / kind) == contents(folder / kind)


def test_a_part_that_is_played_again_is_counted_again(folder: Path, read: list[int]) -> None:
    """Parts that are there are not counted while another one is played."""
    before = contents(folder / TALLIES)
    shutil.rmtree(folder / TALLIES)
    part_path(folder, 1).unlink()
    run_games(made_up_spec(CARDS, GAMES[:SHORT]), folder, tally=tally_played)
    assert contents(folder / TALLIES) == {name: before[name] for name in ["part-00001.parquet"]}
    analyze(folder)
    assert sorted(read) == [0, 2]
    assert contents(folder / TALLIES) == before


@frozen
class _Enough:
    """A rule that ends a run after two of its parts."""

    asked: Mapping[str, Any] = {
        **dict.fromkeys(("of", "method"), "any"),
        "precision": 1.0,
        "confidence": 0.95,
        "together": 1,
    }
    part_games = 500

    def count(self, records: np.ndarray) -> np.ndarray:
        return np.array(len(records))

    def look(self, sums: np.ndarray, n_games: int) -> Look:
        assert sums == n_games
        return Look(n_games == 1000, None, {})


def test_no_tally_is_left_of_games_beyond_the_end(tmp_path: Path) -> None:
    """Of parts that were begun before a rule ended the run nothing is kept."""
    run_games(
        evolve(made_up_spec(CARDS, GAMES), until=_Enough()),
        tmp_path,
        threads=3,
        tally=tally_played,
    )
    for kind in ("games", TALLIES):
        assert sorted(contents(tmp_path / kind)) == ["part-00000.parquet", "part-00001.parquet"]
