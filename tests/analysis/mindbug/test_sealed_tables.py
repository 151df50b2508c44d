"""Tables are read as they were written, of the run that they are of, or not at all."""

import os
import random
import shutil
from pathlib import Path

import pandas as pd
import pytest

import analysis.mindbug
from analysis.mindbug.experiments.skill import SKILL_TABLES, read_skill_tables, skill_tables
from analysis.mindbug.tables import RUN_TABLES
from reports.mindbug import write_report
from simcore.sealed import RunError
from support.reported import charts_as, without_axes
from support.synthetic import synthetic_cards, synthetic_games, synthetic_run

N_GAMES = 600


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two analysed runs of the same cards and as many games, of two seeds."""
    folder, cards = tmp_path_factory.mktemp("runs"), synthetic_cards()
    made = []
    for seed in (1, 2):
        games = synthetic_games(cards, N_GAMES, seed=seed)
        made.append(synthetic_run(folder / f"run_{seed}", cards, games, seed=seed))
        analysis.mindbug.analyze(made[-1])
    return made[0], made[1]


@pytest.fixture
def run(runs: tuple[Path, Path], tmp_path: Path) -> Path:
    """A copy of the first of them."""
    return shutil.copytree(runs[0], tmp_path / "run")


def test_tables_come_back(run: Path) -> None:
    """What is read is what was written."""
    tables = analysis.mindbug.analyze(run)
    assert list(tables) == list(RUN_TABLES)
    for name, table in analysis.mindbug.read_tables(run).items():
        pd.testing.assert_frame_equal(table, tables[name])


@pytest.mark.parametrize("name", ["first_player", "cards", "summary"])
def test_a_flipped_bit_never_becomes_a_number(run: Path, name: str) -> None:
    """Wherever a bit of a table is flipped, data, pages or footer: a message names the file."""
    path = run / "tables" / f"{name}.parquet"
    whole, dice = path.read_bytes(), random.Random(name)
    flips = [(275, 7), *((dice.randrange(len(whole)), dice.randrange(8)) for _ in range(60))]
    for byte, bit in flips:
        data = bytearray(whole)
        data[byte] ^= 1 << bit
        path.write_bytes(data)
        with pytest.raises(RunError, match=rf"{name}\.parquet is damaged: .*analyze {run}' again"):
            analysis.mindbug.read_tables(run)
    with pytest.raises(RunError, match="is damaged"):
        write_report(run)


@pytest.mark.parametrize("name", RUN_TABLES)
def test_a_table_of_another_run_is_refused(runs: tuple[Path, Path], run: Path, name: str) -> None:
    """Even one with the same columns, cards and number of games."""
    file = f"tables/{name}.parquet"
    shutil.copy(runs[1] / file, run / file)
    with pytest.raises(RunError, match=f"{name}.parquet belongs to another run than manifest"):
        analysis.mindbug.read_tables(run)


def test_a_table_under_another_name_is_refused(run: Path) -> None:
    """What a table is, is part of what it is of."""
    shutil.copy(run / "tables" / "turns.parquet", run / "tables" / "outcomes.parquet")
    with pytest.raises(RunError, match=r"outcomes\.parquet belongs to another run"):
        analysis.mindbug.read_tables(run)


def test_a_table_of_other_software_is_refused(run: Path) -> None:
    """The same numbers without a seal are nothing that anybody vouches for."""
    path = run / "tables" / "turns.parquet"
    pd.read_parquet(path).to_parquet(path)
    with pytest.raises(RunError, match=r"turns\.parquet is damaged"):
        analysis.mindbug.read_tables(run)


def test_tables_on_skill_belong_to_their_run(runs: tuple[Path, Path], run: Path) -> None:
    """Those of another run are refused, damaged ones too."""
    tables = {
        policy: analysis.mindbug.read_tables(one) for policy, one in zip("ab", runs, strict=True)
    }
    other, mine = (analysis.mindbug.open_run(one) for one in (runs[1], run))
    analysis.mindbug.write_tables(skill_tables(tables), run, mine.identity)
    assert list(read_skill_tables(run)) == list(SKILL_TABLES)
    analysis.mindbug.write_tables(skill_tables(tables), run, other.identity)
    with pytest.raises(RunError, match=r"skill_cards\.parquet belongs to another run"):
        read_skill_tables(run)


@pytest.mark.parametrize(
    "file", ["manifest.json", "tables/turns.parquet", "pool.toml", "cards/synthetic.toml"]
)
@charts_as("svg")
@without_axes()
def test_a_pipe_in_the_place_of_a_file_is_never_waited_for(run: Path, file: str) -> None:
    """Nobody writes into it, so whoever opened it would wait for ever."""
    (run / file).unlink()
    os.mkfifo(run / file)
    with pytest.raises(RunError, match="not an ordinary file"):
        write_report(run)
