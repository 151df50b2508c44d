"""Runs: the same result whatever happens, and nothing finished is ever lost."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simcore.records import encode_part, to_records
from simcore.sealed import RunError, read_file
from simcore.work import folder as folders
from simcore.work import runs as runner
from simcore.work.parts import RUN, n_parts, part_path, read_manifest, read_part
from simcore.work.runs import run_games
from support.contents import contents
from support.fake_game import FAKE_RECORD, count_games, fake_games, fake_spec
from support.resealed import edit_entries

N_GAMES = 20_000  # sixteen parts


def read_all(folder: Path) -> np.ndarray:
    """All games of the run in ``folder``."""
    manifest = read_manifest(folder)
    tables = [read_part(folder, manifest, part) for part in range(n_parts(manifest))]
    return np.concatenate([to_records(table, FAKE_RECORD, seats=2) for table in tables])


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """The folder of a run that nothing interrupted."""
    run_games(fake_spec(N_GAMES), tmp_path / "whole", threads=1)
    return tmp_path / "whole"


def start_slow_run(folder: Path) -> subprocess.Popen[bytes]:
    """Another process that plays the run of `whole` into ``folder`` and has finished two parts."""
    process = subprocess.Popen(
        [sys.executable, "-m", "support.fake_game", str(folder), str(N_GAMES), "0.03"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
    )
    while len(list(folder.glob("games/part-*"))) < 2:
        assert process.poll() is None, process.stderr and process.stderr.read().decode()
        time.sleep(0.01)
    return process


def failing_fsync(after: int) -> Callable[[int], None]:
    """An ``os.fsync`` that finds the disk full from call number ``after`` on."""
    calls = iter(range(1_000_000))

    def fsync(_file: int) -> None:
        if next(calls) >= after:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return fsync


def test_games_and_counts_are_those_of_the_game_module(whole: Path) -> None:
    """A run holds all games in order, and its manifest their counts."""
    games = fake_games(0, 0, N_GAMES)
    np.testing.assert_array_equal(read_all(whole), games)
    assert read_manifest(whole)["counts"] == count_games(games)


@pytest.mark.parametrize("threads", [2, 5, None])
def test_threads_do_not_matter(whole: Path, tmp_path: Path, threads: int | None) -> None:
    """Any number of threads gives the same files, byte by byte."""
    run_games(fake_spec(N_GAMES), tmp_path / "run", threads=threads)
    assert contents(tmp_path / "run") == contents(whole)


@pytest.mark.parametrize("most", [64, 1000, 7919])
def test_part_size_does_not_matter(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Any part size gives the same games and counts."""
    monkeypatch.setattr(runner, "_LEAST_PART_GAMES", most)
    monkeypatch.setattr(runner, "_MOST_PART_GAMES", most)
    run_games(fake_spec(N_GAMES), tmp_path / "run", threads=2)
    assert read_manifest(tmp_path / "run")["part_games"] == most
    np.testing.assert_array_equal(read_all(tmp_path / "run"), read_all(whole))
    assert read_manifest(tmp_path / "run")["counts"] == read_manifest(whole)["counts"]


@pytest.mark.parametrize(
    ("n_games", "part_games"), [(1, 1024), (20_000, 1250), (10**6, 62_500), (10**9, 65_536)]
)
def test_part_size_follows_from_the_number_of_games(n_games: int, part_games: int) -> None:
    """Small runs have parts small enough for several threads, large runs parts of bounded size."""
    assert fake_spec(n_games).manifest()["part_games"] == part_games


def test_killed_run_goes_on(whole: Path, tmp_path: Path) -> None:
    """After kill -9 the same command keeps the finished parts and ends with the same bytes."""
    folder = tmp_path / "run"
    process = start_slow_run(folder)
    process.kill()
    process.communicate()
    (folder / "games" / ".part-00009.parquet.123.tmp").write_bytes(b"PAR1 half a part")
    assert (folder / ".lock").exists()  # which nobody holds now
    before = {path: path.stat().st_ino for path in folder.glob("games/part-*")}
    assert 2 <= len(before) < 16
    run_games(fake_spec(N_GAMES), folder, threads=2)
    assert contents(folder) == contents(whole)
    assert before == {path: path.stat().st_ino for path in before}


def test_two_at_once_do_not_disturb_each_other(whole: Path, tmp_path: Path) -> None:
    """The second process in a folder gets one clear message, and the first ends as if alone."""
    folder = tmp_path / "run"
    process = start_slow_run(folder)
    with pytest.raises(RunError, match=f"another fairdeal is at work in {folder}; wait until"):
        run_games(fake_spec(N_GAMES), folder)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors.decode()
    assert contents(folder) == contents(whole)


def test_ctrl_c_keeps_finished_parts(whole: Path, tmp_path: Path) -> None:
    """Ctrl-C ends the run at once, leaves whole parts and nothing else, and the run goes on."""
    folder = tmp_path / "run"
    process = start_slow_run(folder)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0
    assert b"KeyboardInterrupt" in errors
    left = contents(folder)
    del left["manifest.json"]
    assert 2 <= len(left) < 16
    assert left.items() <= contents(whole).items()
    run_games(fake_spec(N_GAMES), folder, threads=2)
    assert contents(folder) == contents(whole)


def test_finished_run_is_recognised(whole: Path) -> None:
    """The same command on a finished run plays and reads nothing and gives its counts."""
    before = contents(whole)

    def no_play(_first_game: int, _out: np.ndarray) -> None:
        raise AssertionError("a finished run was played again")

    seen: list[tuple[int, int]] = []
    counts = run_games(
        fake_spec(N_GAMES, play=no_play), whole, on_progress=lambda *done: seen.append(done)
    )
    assert counts == count_games(fake_games(0, 0, N_GAMES))
    assert seen == [(N_GAMES, N_GAMES)]
    assert contents(whole) == before


def test_run_of_the_old_name_is_read_and_resumed(whole: Path) -> None:
    """A run that was written while the project was called balancelab is a run like any other."""
    games, versions = read_all(whole), read_manifest(whole)["versions"]
    old = {"balancelab" if name == "fairdeal" else name: one for name, one in versions.items()}
    edit_entries(whole / "manifest.json", versions=old)
    assert b'"balancelab"' in (whole / "manifest.json").read_bytes()
    assert list(read_manifest(whole)["versions"].items()) == list(versions.items())
    part_path(whole, 3).unlink()
    run_games(fake_spec(N_GAMES), whole, threads=2)
    assert (read_all(whole) == games).all()


def test_only_missing_parts_are_played(whole: Path) -> None:
    """A part deleted from a finished run is played again, alone."""
    before = contents(whole)
    part_path(whole, 3).unlink()
    played: list[int] = []

    def play(first_game: int, out: np.ndarray) -> None:
        played.extend(range(first_game, first_game + len(out)))
        out[...] = fake_games(0, first_game, len(out))

    run_games(fake_spec(N_GAMES, play=play), whole, threads=2)
    assert played == list(range(3 * 1250, 4 * 1250))
    assert contents(whole) == before


@pytest.mark.parametrize("damage", ["truncated", "flipped", "empty", "of another run", "swapped"])
def test_damaged_parts_are_played_again(whole: Path, tmp_path: Path, damage: str) -> None:
    """When a run is resumed, what is not a valid part of it is replaced."""
    before = contents(whole)
    path = part_path(whole, 4)
    data = bytearray(path.read_bytes())
    if damage == "of another run":
        run_games(fake_spec(N_GAMES, seed=1), tmp_path / "other", threads=1)
        data = bytearray(part_path(tmp_path / "other", 4).read_bytes())
    elif damage == "swapped":
        data = bytearray(part_path(whole, 5).read_bytes())
    elif damage == "flipped":
        data[1000] ^= 4
    path.write_bytes(data[: {"truncated": 1000, "empty": 0}.get(damage, len(data))])
    part_path(whole, 8).unlink()
    run_games(fake_spec(N_GAMES), whole, threads=2)
    assert contents(whole) == before


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("seed 0, not 1", {"seed": 1}),
        ("games 20000, not 19999", {"n_games": N_GAMES - 1}),
        ("rules version 1, not 2", {"rules_version": 2}),
        ("game fake, not other", {"game": "other"}),
        ("record layout", {"record": np.dtype([("game", np.int64)])}),
        (
            "policies none, not greedy, random",
            {"settings": {"seed": 0, "policies": ["greedy", "random"]}},
        ),
        ("seed 0, not none", {"settings": {}}),
    ],
)
def test_other_run_is_refused(whole: Path, key: str, changes: dict[str, Any]) -> None:
    """A run with other settings is not mixed into a folder; the message names the setting."""
    before = contents(whole)
    with pytest.raises(RunError, match=f"holds a run with {key}.*choose another folder"):
        run_games(fake_spec(**{"n_games": N_GAMES, **changes}), whole)
    assert contents(whole) == before


def test_the_part_of_a_setting_that_differs_is_named(tmp_path: Path) -> None:
    """Of a setting with many parts only the one that differs is told, long ones in short."""
    asked = {"modes": {"caps": 500, "life": 3}, "cards": [f"card_{i}" for i in range(500)]}
    run_games(fake_spec(10, settings=asked), tmp_path)
    for changes, message in (
        ({"modes": {"caps": 500, "life": 4}}, "holds a run with life 3, not 4; choose"),
        ({"cards": ["card_0"]}, "cards card_0, card_1, .*…, not card_0; choose"),
    ):
        with pytest.raises(RunError, match=message) as caught:
            run_games(fake_spec(10, settings=asked | changes), tmp_path)
        assert len(str(caught.value)) < 400


def test_package_versions_may_differ(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run goes on under another version of a package: the rules version is what counts."""
    before = contents(whole)
    part_path(whole, 0).unlink()
    monkeypatch.setattr("simcore.work.folder.version", lambda _name: "99")
    run_games(fake_spec(N_GAMES), whole)
    assert contents(whole) == before


def test_foreign_folder_is_refused(tmp_path: Path) -> None:
    """A folder with somebody's files in it is left alone."""
    (tmp_path / "thesis.txt").write_text("two years of work")
    with pytest.raises(RunError, match=r"not empty and not the folder of a run \(it holds thesis"):
        run_games(fake_spec(10), tmp_path)
    assert list(contents(tmp_path)) == ["thesis.txt"]


@pytest.mark.parametrize("text", ["{}", '{"format": 99}', '{"name": "a web page"}'])
def test_another_manifest_is_refused(whole: Path, text: str) -> None:
    """What is not the manifest of a run of this format is named, and is not overwritten."""
    (whole / "manifest.json").write_text(text, encoding="latin-1")
    with pytest.raises(RunError, match=r"manifest\.json"):
        run_games(fake_spec(N_GAMES), whole)
    assert (whole / "manifest.json").read_text(encoding="latin-1") == text


@pytest.mark.parametrize("text", [None, "", "{", "[]", "[" * 100_000, "\0\xff"])
def test_a_lost_manifest_is_written_anew(whole: Path, text: str | None) -> None:
    """The parts say what was asked: the same command plays nothing, another one is refused."""
    before, path = contents(whole), whole / "manifest.json"
    path.unlink()
    if text is not None:
        path.write_text(text, encoding="latin-1")
    with pytest.raises(RunError, match=r"\(games 20000, seed 0\): the file is written anew"):
        read_manifest(whole)
    with pytest.raises(RunError, match="holds a run with seed 0, not 1"):
        run_games(fake_spec(N_GAMES, seed=1), whole)

    def no_play(_first_game: int, out: np.ndarray) -> None:
        assert not len(out), "a finished part was played again"

    run_games(fake_spec(N_GAMES, play=no_play), whole)
    assert contents(whole) == before


def test_a_damaged_manifest_without_parts_is_refused(tmp_path: Path) -> None:
    """Nothing says that the folder was one of this run, and nothing is lost by another folder."""
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(RunError, match=r"is damaged: it is not JSON .*choose another folder"):
        run_games(fake_spec(N_GAMES), tmp_path)
    assert contents(tmp_path).keys() == {"manifest.json"}


def test_what_waits_for_others_is_not_opened(whole: Path) -> None:
    """A pipe, a folder or a loop of links in the place of a file is a message and never a wait."""
    for path in (whole / "manifest.json", part_path(whole, 3)):
        data = path.read_bytes()
        for put in (os.mkfifo, os.mkdir, lambda path: path.symlink_to(path)):
            path.unlink()
            put(path)
            with pytest.raises(RunError, match=f"cannot read {path}"):
                read_all(whole)
            (path.rmdir if path.is_dir() else path.unlink)()
            path.write_bytes(data)


def test_file_in_the_way(tmp_path: Path) -> None:
    """A path that is a file, or below a file, is one clear error."""
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(RunError, match=f"cannot write {path}: .*choose a folder"):
            run_games(fake_spec(10), path)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder nobody can write to")
def test_unwritable_folder() -> None:
    """A folder that cannot be made is one clear error."""
    with pytest.raises(RunError, match=r"cannot write /proc/run: .*choose a folder"):
        run_games(fake_spec(10), "/proc/run")


def test_a_machine_that_restarts(whole: Path) -> None:
    """The run goes on over what a machine leaves that stopped before its disk had everything."""
    before = contents(whole)
    for number in (3, 5):  # of which the disk has the name and the length, and not the contents
        part = part_path(whole, number)
        part.write_bytes(bytes(part.stat().st_size))
    (whole / "manifest.json").write_bytes(bytes(4096))
    (whole / ".lock").touch()
    for name in (".part-00006.parquet.1234.tmp", ".0123456789abcdef.tmp"):
        (whole / "games" / name).write_bytes(bytes(100))
    run_games(fake_spec(N_GAMES), whole, threads=2)
    assert contents(whole) == before


@pytest.mark.parametrize("after", [0, 1, 4])
def test_full_disk(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """A full disk is one clear error; whole parts stay, halves do not, and the run goes on."""
    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing_fsync(after))
        with pytest.raises(RunError, match="No space left on device; free some space and repeat"):
            run_games(fake_spec(N_GAMES), folder, threads=2)
    left = contents(folder)
    left.pop("manifest.json", None)
    assert len(left) == max(after - 1, 0)
    assert left.items() <= contents(whole).items()
    run_games(fake_spec(N_GAMES), folder, threads=2)
    assert contents(folder) == contents(whole)


@pytest.mark.parametrize("removed", [False, True])
@pytest.mark.parametrize("workers", [False, True])
def test_a_folder_that_is_moved_or_removed_in_the_middle(
    whole: Path, tmp_path: Path, workers: bool, removed: bool
) -> None:
    """One clear error; what was finished is resumed in the new place."""
    folder, moved = tmp_path / "run", tmp_path / "moved"

    def move(done: int, _: int) -> None:
        if done > N_GAMES / 2 and folder.exists():
            folder.rename(moved)
            if removed:
                shutil.rmtree(moved)

    told = f"{folder} is not there: make it, or, if it was moved meanwhile, repeat"
    with ThreadPoolExecutor(2) as pool, pytest.raises(RunError, match=told):
        run_games(
            fake_spec(N_GAMES),
            folder,
            threads=2,
            executor=pool if workers else None,
            on_progress=move,
        )
    assert not folder.exists()
    if not removed:
        finished = contents(moved)
        assert len([name for name in finished if name.startswith("games/")]) > 1
        run_games(fake_spec(N_GAMES), moved, threads=2)
        assert contents(moved) == contents(whole)


def test_settings_that_cannot_be_played_leave_no_folder(tmp_path: Path) -> None:
    """What the game module refuses is refused before a folder is made."""

    def play(_first_game: int, _out: np.ndarray) -> None:
        raise ValueError("no such policy")

    with pytest.raises(ValueError, match="no such policy"):
        run_games(fake_spec(10, play=play), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_failing_game_stops_the_run(tmp_path: Path) -> None:
    """An error in the game module ends the run as itself and leaves no half part."""

    def play(first_game: int, out: np.ndarray) -> None:
        if first_game > 5000:
            raise ZeroDivisionError("a bug")
        out[...] = fake_games(0, first_game, len(out))

    with pytest.raises(ZeroDivisionError, match="a bug"):
        run_games(fake_spec(N_GAMES, play=play), tmp_path / "run", threads=2)
    assert len(list((tmp_path / "run").rglob("*.tmp"))) == 0


def test_progress_counts_every_game_once(whole: Path) -> None:
    """Progress rises to the number of games, kept parts included, from one thread at a time."""
    for part in (0, 7, 8, 15):
        part_path(whole, part).unlink()
    seen: list[tuple[int, int]] = []
    run_games(fake_spec(N_GAMES), whole, threads=3, on_progress=lambda *done: seen.append(done))
    assert seen == sorted(set(seen))
    assert seen[-1] == (N_GAMES, N_GAMES)


def test_files_lie_beside_the_parts(tmp_path: Path) -> None:
    """The spec's files are written, and written again when they are missing or changed."""
    spec = fake_spec(10, files={"cards/a.toml": b"a", "cards/b.toml": b"b"})
    run_games(spec, tmp_path)
    (tmp_path / "cards" / "a.toml").unlink()
    (tmp_path / "cards" / "b.toml").write_bytes(b"edited")
    run_games(spec, tmp_path)
    assert (tmp_path / "cards" / "a.toml").read_bytes() == b"a"
    assert (tmp_path / "cards" / "b.toml").read_bytes() == b"b"


def test_manifest_has_no_time_stamp(whole: Path) -> None:
    """The manifest says what was asked and with what, in a fixed order."""
    manifest = read_manifest(whole)
    assert list(manifest) == [
        "format", "game", "rules_version", "record_layout", "seed", "games", "part_games",
        "versions", "counts",
    ]  # fmt: skip
    assert list(manifest["versions"]) == ["python", "fairdeal", "numba", "numpy", "pyarrow"]


SHORT, LONG = 5_000, 12_000  # parts of 1,024 games; the last of both has fewer


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """The folder of a finished run that is to be made longer."""
    run_games(fake_spec(SHORT), tmp_path / "short", threads=1)
    return tmp_path / "short"


def numbers_played(n_games: int, folder: Path, **options: Any) -> list[int]:
    """The games that are played when a folder is asked for so many."""
    played: list[int] = []

    def play(first_game: int, out: np.ndarray) -> None:
        played.extend(range(first_game, first_game + len(out)))
        out[...] = fake_games(0, first_game, len(out))

    run_games(fake_spec(n_games, play=play), folder, threads=1, **options)
    return sorted(played)


def test_a_run_can_be_made_longer(short: Path, tmp_path: Path) -> None:
    """More games in the folder of a run: what is new is played, and the files are those of a run
    that had so many from the start."""
    told: list[int] = []
    assert numbers_played(LONG, short, on_progress=lambda n, _: told.append(n)) == list(
        range(4_096, LONG)
    )
    assert told[0] == 4_096 and told[-1] == LONG
    run_games(fake_spec(LONG), tmp_path / "at once", threads=1)
    assert contents(short) == contents(tmp_path / "at once")


def test_whole_parts_of_a_run_that_is_made_longer_are_not_read(
    short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred million games are not read again to add ten."""
    read: list[Path] = []

    def noted(path: Path) -> bytes:
        read.append(path)
        return read_file(path)

    monkeypatch.setattr("simcore.sealed.read_file", noted)
    run_games(fake_spec(LONG), short, threads=1)
    assert {path for path in read if path.suffix == ".parquet"} == {part_path(short, 4)}


@pytest.mark.parametrize("stop_at", [4_096, 9_000, 11_999])
def test_a_run_that_is_made_longer_can_be_interrupted(
    short: Path, tmp_path: Path, stop_at: int
) -> None:
    """Wherever it stops, it goes on, also to more games than before, and nothing counts twice."""

    def play(first_game: int, out: np.ndarray) -> None:
        if first_game + len(out) > stop_at:
            raise KeyboardInterrupt
        out[...] = fake_games(0, first_game, len(out))

    with pytest.raises(KeyboardInterrupt):
        run_games(fake_spec(LONG, play=play), short, threads=1)
    counts = run_games(fake_spec(LONG + 5), short, threads=1)
    assert counts == count_games(fake_games(0, 0, LONG + 5))
    run_games(fake_spec(LONG + 5), tmp_path / "at once", threads=1)
    assert contents(short) == contents(tmp_path / "at once")


@pytest.mark.parametrize("lost", [0, 4])
def test_a_run_with_a_lost_part_can_be_made_longer(short: Path, tmp_path: Path, lost: int) -> None:
    """A part that is not there any more is played again with the new ones."""
    part_path(short, lost).unlink()
    run_games(fake_spec(LONG), short, threads=1)
    run_games(fake_spec(LONG), tmp_path / "at once", threads=1)
    assert contents(short) == contents(tmp_path / "at once")


def test_a_longer_run_keeps_the_size_of_its_parts(short: Path) -> None:
    """A run that would have larger parts from the start goes on with those it has, also where its
    manifest was lost."""
    run_games(fake_spec(N_GAMES), short, threads=1)
    assert read_manifest(short)["part_games"] == 1_024
    (short / "manifest.json").unlink()
    assert numbers_played(N_GAMES + 10, short) == list(range(19 * 1_024, N_GAMES + 10))
    np.testing.assert_array_equal(read_all(short), fake_games(0, 0, N_GAMES + 10))


def test_parts_of_version_0_2_are_kept(short: Path) -> None:
    """Parts that repeat how many games their run had are as good as those that do not."""
    manifest = read_manifest(short)
    records = to_records(read_part(short, manifest, 0), FAKE_RECORD, seats=2)
    said = folders.identity(RUN, manifest, "part 0")
    assert "games" in json.loads(said["run"])
    part_path(short, 0).write_bytes(encode_part(records, said, seats=2))
    part_path(short, 1).unlink()
    assert numbers_played(SHORT, short) == list(range(1_024, 2_048))
    np.testing.assert_array_equal(read_all(short), fake_games(0, 0, SHORT))


@pytest.mark.parametrize("n_games", [0, -1])
def test_a_run_has_games(n_games: int) -> None:
    """A run of no games is refused."""
    with pytest.raises(ValueError, match=f"number of games is {n_games} and must be at least 1"):
        fake_spec(n_games)


def test_a_run_has_whole_games_and_threads(tmp_path: Path) -> None:
    """Half games and runs without a thread are refused."""
    half: Any = 1.5
    with pytest.raises(TypeError):
        fake_spec(half)
    with pytest.raises(ValueError, match="number of threads is 0"):
        run_games(fake_spec(10), tmp_path, threads=0)
