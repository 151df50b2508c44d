"""The table card_games says of every card in every game what the records say, in plain columns."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis import card_games, write_card_games, write_statistic
from analysis.mindbug.experiments.pool_experiments import play_run
from analysis.mindbug.game_records import expand_cards
from analysis.mindbug.registry import TABLES
from analysis.mindbug.runs import Run, open_run
from simcore.mindbug.table.records import Ending
from simcore.own_code import OwnCodeError
from simcore.sealed import RunError
from support.synthetic import expansions_games, expansions_pool, run_of_pool

N_GAMES = 1500  # two parts
POLICIES = ("random", "greedy")
PLAIN = {pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float64(), pa.bool_(), pa.string()}
COLUMNS = list(TABLES["card_games"].columns)


@pytest.fixture(scope="module")
def games() -> np.ndarray:
    """Games with stages and draws, in one of which a card of the unused pile was taken."""
    games = expansions_games(expansions_pool(), N_GAMES, draw_rate=0.1)
    games["unused_cards"][0, 0] = 3
    games["taken"][0, 1] |= np.uint64(1 << 20)
    return games


@pytest.fixture
def run(tmp_path: Path, games: np.ndarray) -> Run:
    """A finished run."""
    return open_run(run_of_pool(tmp_path / "run", expansions_pool(), games, policies=POLICIES))


@pytest.mark.parametrize("part", [9, -1])
def test_a_part_that_is_not_there_is_told(run: Run, part: int) -> None:
    """Nothing of the run is missing."""
    told = rf"there is no part {part}; the run has parts 0 to 1"
    with pytest.raises(ValueError, match=told):
        card_games(run, [0, part])
    with pytest.raises(ValueError, match=told):
        run.part(part)


def test_wrong_arguments_are_told_in_words_of_their_own(run: Run) -> None:
    """No message from inside, and no row of nothing."""
    with pytest.raises(ValueError, match="no part is named; leave parts out for all of them"):
        card_games(run, [])
    with pytest.raises(TypeError, match="'str' object cannot be interpreted as an integer"):
        run.part("0")  # type: ignore[arg-type]
    with pytest.raises(OwnCodeError, match="None names no function"):
        write_statistic(run, None)  # type: ignore[arg-type]
    assert [*run.games("turns").columns] == ["turns"]
    with pytest.raises(TypeError, match=r"and not \['random'\]"):
        play_run("first_contact", run.folder, policy=["random"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the number of threads is '1' and must be a whole number"):
        play_run("first_contact", run.folder, threads="1")  # type: ignore[arg-type]


def test_a_part_is_named_once(run: Run) -> None:
    """Twice it would count its games twice."""
    with pytest.raises(ValueError, match="part 0 is named twice"):
        card_games(run, [0, 1, 0])


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        (pd.DataFrame({"x": [1, 2]}, index=["p", "q"]), ["index", "x"]),
        (pd.DataFrame({"x": [1, 2]}, index=pd.Index(["p", "q"], name="of")), ["of", "x"]),
        (pd.DataFrame({"x": [1, 2, 3]})[1:], ["x"]),
    ],
)
def test_names_of_rows_are_kept(run: Run, table: pd.DataFrame, columns: list[str]) -> None:
    """The index of a statistic is among its columns, but for what only numbers rows."""

    def mine(_: object) -> pd.DataFrame:
        return table

    assert list(write_statistic(run, mine)) == columns
    assert list(pd.read_csv(run.folder / "tables" / "mine.csv")) == columns


def test_an_index_named_like_a_column_is_told(run: Run) -> None:
    """As everything that is wrong with a statistic."""

    def mine(_: object) -> pd.DataFrame:
        return pd.DataFrame({"x": [1]}, index=pd.Index(["p"], name="x"))

    with pytest.raises(OwnCodeError, match=r"mine returned a table .* x, already exists"):
        write_statistic(run, mine)


def test_every_number_is_that_of_the_records(run: Run, games: np.ndarray) -> None:
    """Each row agrees with a slow look at the record of its game, slot by slot."""
    rows = card_games(run)
    assert list(rows) == COLUMNS
    for row in [*rows.head(40).itertuples(), *rows.sample(200, random_state=1).itertuples()]:
        game, player, other = games[row.game], row.player, 1 - row.player
        card = run.card_ids.index(row.card_id)
        slots = [s for s in range(10 * player, 10 * player + 10) if game["cards"][s] == card]
        turns = [int(game["turn_played"][s]) for s in slots if game["turn_played"][s]]
        assert row.copies == len(slots)
        assert row.turn_played == min(turns, default=0)
        assert row.offers == sum(int(game["offers"][s]) for s in slots)
        assert row.thefts == sum(int(game["thefts"][s]) for s in slots)
        assert row.best_stage == max((int(game["best_stage"][s]) for s in slots), default=0)
        assert (row.policy, row.opponent_policy) == (POLICIES[player], POLICIES[other])
        assert (row.life, row.opponent_life) == (game["life"][player], game["life"][other])
        assert (row.mindbugs, row.opponent_mindbugs) == tuple(game["mindbugs"][[player, other]])
        assert (row.turns, row.ending) == (game["turns"], Ending(game["ending"]).name.lower())


def test_who_met_which_card_is_as_in_player_cards(run: Run) -> None:
    """Rows, selections and scores are those of `expand_cards`, with cards beyond the deal."""
    rows, met = card_games(run), expand_cards(run)
    shared = [*met]
    same = rows[shared].astype({"card_id": str}).equals(met.astype({"card_id": str}))
    assert same
    assert {0, 1, 2} <= {*rows["copies"]}


def test_the_file_is_plain_and_holds_all_rows(run: Run) -> None:
    """Any reader of Parquet sees numbers, texts and truth values; parts are groups of rows."""
    told: list[tuple[int, int]] = []
    path = write_card_games(run, on_progress=lambda done, of: told.append((done, of)))
    assert path == run.folder / "tables" / "card_games.parquet"
    file = pq.ParquetFile(path)
    assert file.num_row_groups == run.n_parts == 2
    assert told == [(1, 2), (2, 2)]
    assert [*file.schema_arrow.names] == COLUMNS
    assert {*file.schema_arrow.types} <= PLAIN
    pd.testing.assert_frame_equal(pd.read_parquet(path), card_games(run))
    pd.testing.assert_frame_equal(
        file.read_row_group(1).to_pandas(), card_games(run, [1]), check_index_type=False
    )


def test_a_whole_file_stays_and_an_old_one_goes(run: Run) -> None:
    """A file of this run is not written again; one of other games, or damaged, is replaced."""
    path = write_card_games(run)
    written = path.stat().st_mtime_ns
    assert write_card_games(run).stat().st_mtime_ns == written
    whole = path.read_bytes()
    pq.write_table(pa.table({"game": [1]}), path)
    assert write_card_games(run).read_bytes() == whole
    path.write_bytes(b"PAR1, cut off")
    assert write_card_games(run).read_bytes() == whole
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_damaged_part_leaves_no_half_file(run: Run) -> None:
    """Where a part cannot be read nothing is left behind but the message."""
    part = run.folder / "games" / "part-00001.parquet"
    part.write_bytes(part.read_bytes()[:-1])
    with pytest.raises(RunError, match=r"part-00001\.parquet is damaged"):
        write_card_games(run)
    assert [*(run.folder / "tables").iterdir()] == []
