"""Folders are verified file by file, repaired, pruned, and runs of several seeds merged."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from analysis import kept_tallies
from analysis.experiments.comparison import compare_runs
from analysis.mindbug.replays import replay, sample_games
from analysis.mindbug.runs import open_run
from analysis.tables import analyze, read_tables
from analysis.upkeep import (
    AGAIN,
    COUNTED,
    PLAYED,
    REMOVED,
    REPEAT,
    YOURS,
    merge,
    prunable,
    prune,
    repair,
    unsealed,
    verify,
)
from card_data.checksums import seal_json
from card_data.mindbug import load_pool
from simcore.mindbug.play.run import new_run
from simcore.sealed import RunError, keep_file, write_file
from simcore.work.lock import holding
from simcore.work.parts import deal_of, part_path
from simcore.work.runs import run_games
from support.contents import contents
from support.resealed import edit_entries

POOL = load_pool(["first_contact"])
N_GAMES = 2_500  # three parts


def play(folder: Path, *, seed: int = 0, n_games: int = N_GAMES) -> Path:
    """A run of random players."""
    run_games(new_run(POOL, n_games=n_games, seed=seed), folder, threads=1)
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An analysed run with tallies, which no test changes."""
    folder = play(tmp_path_factory.mktemp("runs") / "run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_tallies, "LEAST_GAMES", 1)
        analyze(folder)
    return folder


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    return shutil.copytree(made, tmp_path / "run")


def flip(path: Path) -> None:
    """Damage a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_a_whole_run_has_no_faults(run: Path) -> None:
    """Nothing is found in a folder as the commands leave it, and nothing is changed."""
    before = contents(run)
    assert verify(run) == []
    assert repair(run, []) == []
    assert contents(run) == before


DAMAGE: dict[str, tuple[str, Callable[[Path], object], str, str]] = {
    "part": ("games/part-00001.parquet", flip, "checksum", PLAYED),
    "lost part": ("games/part-00001.parquet", Path.unlink, "is missing", PLAYED),
    "part of other games": (
        "games/part-00001.parquet",
        lambda path: shutil.copy(path.with_name("part-00000.parquet"), path),
        "belongs to another run",
        PLAYED,
    ),
    "part too many": (
        "games/part-00003.parquet",
        lambda path: shutil.copy(path.with_name("part-00000.parquet"), path),
        "no part of the run",
        REMOVED,
    ),
    "leftover": (
        "games/.part-00001.parquet.77.tmp",
        lambda path: path.write_bytes(b"half"),
        "left behind",
        REMOVED,
    ),
    "tally": ("tallies/part-00001.parquet", flip, "damaged", REMOVED),
    "tally too many": (
        "tallies/part-00009.parquet",
        lambda path: shutil.copy(path.with_name("part-00000.parquet"), path),
        "of other games",
        REMOVED,
    ),
    "table": ("tables/cards.parquet", flip, "checksum", COUNTED),
    "lost table": ("tables/cards.csv", Path.unlink, "is missing", COUNTED),
    "edited table": (
        "tables/summary.csv",
        lambda path: path.write_text("statistic\nmine\n"),
        "something else",
        COUNTED,
    ),
}


@pytest.mark.parametrize("case", DAMAGE)
def test_damage_is_found_and_repaired(run: Path, case: str) -> None:
    """The fault names the file and what repairs it, and the folder is again what it was."""
    before = contents(run)
    name, damage, problem, remedy = DAMAGE[case]
    damage(run / name)
    faults = verify(run)
    assert {fault.path for fault in faults} >= {run / name}
    fault = next(fault for fault in faults if fault.path == run / name)
    assert problem in fault.problem and fault.remedy == remedy
    assert repair(run, faults) == []
    if case == "tally":
        del before["tallies/part-00001.parquet"]
    assert contents(run) == before


@pytest.mark.parametrize(
    ("name", "damage", "remedies"),
    [
        ("manifest.json", flip, [REPEAT]),
        ("manifest.json", Path.unlink, [REPEAT]),
        ("cards/first_contact.toml", lambda path: path.write_text("x"), [REPEAT, AGAIN]),
        ("pool.toml", Path.unlink, [REPEAT, AGAIN]),
        ("checksums.json", flip, [REPEAT]),
        ("notes.txt", lambda path: path.write_text("mine"), [YOURS]),
        ("games/mine.parquet", lambda path: path.write_text("mine"), [YOURS]),
    ],
)
def test_what_a_person_repairs_is_left_alone(
    run: Path, name: str, damage: Callable[[Path], object], remedies: list[str]
) -> None:
    """What cannot be made again, and what is not fairdeal's, is named and not touched."""
    damage(run / name)
    before = contents(run)
    faults = verify(run)
    assert [fault.remedy for fault in faults] == remedies
    assert repair(run, faults) == faults
    assert contents(run) == before


def test_every_file_is_read(run: Path) -> None:
    """A flipped bit in any file of a run is found, in pages and charts too."""
    with holding(run):
        write_file(run / "report.html", b"<p>52.1%")
        keep_file(run / "figures" / "cards.png", b"pixels")
        for name in ("figures/made.json", "answer.json"):
            write_file(run / name, seal_json({"made": {}}))
    assert verify(run) == [] and unsealed(run) == []
    # Together those that know nothing of each other: the files of a folder that are of one kind.
    alike: dict[tuple[Path, str], list[Path]] = {}
    for path in (path for path in run.rglob("*") if path.is_file()):
        place = path if path.parent == run else path.parent
        alike.setdefault((place, path.suffix), []).append(path)
    assert len(alike) > 10
    for paths in alike.values():
        whole = {path: path.read_bytes() for path in paths}
        for path in paths:
            flip(path)
        assert {*paths} <= {fault.path for fault in verify(run)}
        for path, content in whole.items():
            path.write_bytes(content)
    assert verify(run) == []


def test_what_no_checksum_is_known_of_is_named(run: Path) -> None:
    """A folder of an earlier version has no checksums: what cannot be verified is no fault."""
    (run / "checksums.json").unlink()
    assert verify(run) == []
    names = {path.relative_to(run).as_posix() for path in unsealed(run)}
    assert {"pool.toml", "cards/first_contact.toml", "tables/cards.csv"} <= names
    assert not names & {"manifest.json", "games/part-00000.parquet", "tables/cards.parquet"}
    play(run)
    assert "pool.toml" not in {path.name for path in unsealed(run)}  # it was written anew


def test_a_folder_with_runs_in_it_is_verified_whole(run: Path) -> None:
    """Faults of inner folders are found, and repaired there."""
    inner = shutil.copytree(run, run / "skill" / "greedy")
    part_path(inner, 2).unlink()
    (run / "luck").mkdir()
    (run / "luck" / "luck.json").write_text("{")
    faults = verify(run)
    assert {(fault.path, fault.remedy) for fault in faults} == {
        (part_path(inner, 2), PLAYED),
        (run / "luck" / "luck.json", REPEAT),
    }
    assert [fault.remedy for fault in repair(run, faults)] == [REPEAT]


def test_an_unfinished_run_lacks_nothing(tmp_path: Path) -> None:
    """What was not played yet is not missing."""

    def stop(done: int, _: int) -> None:
        if done > 1_100:
            raise KeyboardInterrupt

    spec = new_run(POOL, n_games=N_GAMES)
    with pytest.raises(KeyboardInterrupt):
        run_games(spec, tmp_path, threads=1, on_progress=stop)
    assert verify(tmp_path) == []


def test_verify_needs_a_folder(run: Path, tmp_path: Path) -> None:
    """No folder is one message."""
    with pytest.raises(RunError, match="does not exist"):
        verify(tmp_path / "nothing")
    with pytest.raises(RunError, match="is a file"):
        verify(run / "manifest.json")


def test_what_can_be_made_again_is_pruned(run: Path) -> None:
    """Games and what was played with stay; tables and tallies go, and come back the same."""
    before = contents(run)
    sizes = sum(path.stat().st_size for path in run.rglob("t*/*"))
    assert sum(prunable(run).values()) == prune(run) == sizes
    kept = contents(run)
    assert {name.partition("/")[0] for name in kept} == {
        *("checksums.json", "manifest.json", "pool.toml", "cards", "games"),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_tallies, "LEAST_GAMES", 1)
        analyze(run)
    assert contents(run) == before


# ------------------------------------------------------------ merge


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Runs of three seeds, of different lengths and sizes of parts."""
    folder = tmp_path_factory.mktemp("three")
    sizes = {3: 1_500, 0: 20_000, 7: 2_048}
    return [play(folder / str(seed), seed=seed, n_games=n) for seed, n in sizes.items()]


def test_merged_runs_have_the_games_of_all(three: list[Path], tmp_path: Path) -> None:
    """A merged run holds every game once, numbered through, and counts the sum."""
    merged = merge(three, tmp_path / "merged")
    games = np.concatenate([*merged.parts()])
    apart = np.concatenate([game for folder in three for game in open_run(folder).parts()])
    np.testing.assert_array_equal(games["game"], np.arange(23_548))
    np.testing.assert_array_equal(merged.games(["game"])["game"], games["game"])
    for name in games.dtype.names or ():
        assert name == "game" or (games[name] == apart[name]).all()
    assert merged.manifest["counts"]["games"] == merged.n_games == 23_548
    assert merged.manifest["seed"] == [3, 0, 7]
    assert verify(tmp_path / "merged") == []
    tables = analyze(tmp_path / "merged")
    cards = [analyze(folder)["cards"]["dealt_n"] for folder in three]
    assert (tables["cards"]["dealt_n"] == sum(cards)).all()
    assert [*read_tables(tmp_path / "merged")] == [*tables]


def test_games_of_merged_runs_are_replayed(three: list[Path], tmp_path: Path) -> None:
    """Each game is told by its seed and its number there, whatever its number is now."""
    merge(three, tmp_path / "merged")
    merged = open_run(tmp_path / "merged")
    for game, deal in ((0, (3, 0)), (1_499, (3, 1_499)), (1_500, (0, 0)), (23_547, (7, 2_047))):
        assert deal_of(merged.manifest, game) == deal
        told = replay(merged, game)
        own = replay(open_run(three[[3, 0, 7].index(deal[0])]), deal[1])
        assert told.record == own.record
    assert set(sample_games(merged, searched=3_000)["game"]) <= set(range(3_000))


def test_parts_of_merged_runs_are_played_again(three: list[Path], tmp_path: Path) -> None:
    """A lost part of a merged run is repaired from its own seed."""
    merge(three, tmp_path / "merged")
    before = contents(tmp_path / "merged")
    for part in (1, 2, 19):
        part_path(tmp_path / "merged", part).unlink()
    assert repair(tmp_path / "merged", verify(tmp_path / "merged")) == []
    assert contents(tmp_path / "merged") == before


def test_a_merge_can_be_interrupted_and_repeated(three: list[Path], tmp_path: Path) -> None:
    """It goes on where it stopped; merged runs can be merged again."""

    def stop(done: int, _: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        merge(three, tmp_path / "one", on_progress=stop)
    with pytest.raises(RunError, match=r"not finished|is missing"):
        open_run(tmp_path / "one")
    merge(three, tmp_path / "one")
    merge(three[:2], tmp_path / "two")
    merge([tmp_path / "two", three[2]], tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tmp_path / "one")


def test_only_runs_of_one_question_are_merged(three: list[Path], tmp_path: Path) -> None:
    """Overlapping games, other questions, a single run and a rule that ended one are refused."""
    out = tmp_path / "merged"
    with pytest.raises(RunError, match="both have games of seed 0"):
        merge([*three, play(tmp_path / "more", n_games=1_200)], out)
    greedy = new_run(POOL, n_games=5, seed=9, policies=("greedy", "greedy"))
    run_games(greedy, tmp_path / "greedy", threads=1)
    with pytest.raises(RunError, match="different questions: policies greedy, greedy, not random"):
        merge([three[0], tmp_path / "greedy"], out)
    until = {"precision": 2.0, "of": "cards", "confidence": 0.95, "together": 1, "method": "x"}
    stopped = {"reached": True, "worst": "", "worst_name": "", "worst_policy": ""}
    ended = play(tmp_path / "ended", seed=11, n_games=1_024)
    edit_entries(
        ended / "manifest.json",
        until=until,
        stopped=stopped | {"half_width": None, "more_games": None},
    )
    with pytest.raises(RunError, match=r"was ended by --until"):
        merge([three[0], ended], out)
    with pytest.raises(RunError, match="two at least"):
        merge(three[:1], out)
    assert not out.exists()


def test_a_merged_run_is_not_the_run_of_one_seed(three: list[Path], tmp_path: Path) -> None:
    """It is not resumed, and not compared game by game with a run of one of its seeds."""
    merge(three, tmp_path / "merged")
    with pytest.raises(RunError, match="games of several seeds"):
        play(tmp_path / "merged", seed=3, n_games=23_548)
    with pytest.raises(RunError, match="merged from runs of the seeds 3, 0, 7"):
        _ = open_run(tmp_path / "merged").seed
    compared = compare_runs(three[1], tmp_path / "merged", threads=1)
    assert not compared.paired
