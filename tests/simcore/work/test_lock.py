"""One command at a time works in a folder, and its steps are one command."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from simcore.sealed import RunError
from simcore.work.lock import BusyError, check_nobody_works, holding, holding_file, remove_leftovers
from simcore.work.runs import run_games
from support.fake_game import fake_spec


def test_a_step_may_hold_what_its_command_holds(tmp_path: Path) -> None:
    """One command is several steps; to other threads the folder is held until the last is done."""

    def try_it() -> str:
        try:
            run_games(fake_spec(10), tmp_path / "run")
        except RunError as error:
            return str(error)
        return "played"

    with ThreadPoolExecutor(1) as others:
        with holding(tmp_path / "run"):
            run_games(fake_spec(10), tmp_path / "run")
            assert "another fairdeal is at work" in others.submit(try_it).result()
        assert others.submit(try_it).result() == "played"


def test_no_trace_is_left_of_holding_a_folder(tmp_path: Path) -> None:
    """Neither a lock nor an empty folder; what was there before or is put there stays."""
    (tmp_path / "old").mkdir()
    for name in ("old", "new/inner"):
        with holding(tmp_path / name):
            assert [path.name for path in (tmp_path / name).iterdir()] == [".lock"]
    assert [path.name for path in tmp_path.rglob("*")] == ["old"]


def test_leftovers_of_others_at_work_are_left_alone(tmp_path: Path) -> None:
    """A folder in the folder that somebody works in is not tidied; one nobody works in is."""
    for name in ("skill", "sensitivity"):
        (tmp_path / name / "games").mkdir(parents=True)
        (tmp_path / name / "games" / ".a.parquet.123.tmp").write_bytes(b"half")
    with holding(tmp_path / "sensitivity"):
        remove_leftovers(tmp_path)
        assert not list(tmp_path.glob("skill/games/*"))
        assert len(list(tmp_path.glob("sensitivity/games/.*.tmp"))) == 1


def test_a_file_is_held_alone(tmp_path: Path) -> None:
    """Others may use the folder and the other files in it, and no trace is left."""
    one, other = tmp_path / "new" / "one.json", tmp_path / "new" / "other.json"

    def in_use(file: Path) -> str:
        try:
            with holding_file(file):
                check_nobody_works(file)
                return ""
        except BusyError as error:
            return str(error)

    with ThreadPoolExecutor(1) as others:
        with holding_file(one):
            assert f"another fairdeal uses {one}" in others.submit(in_use, one).result()
            assert others.submit(in_use, other).result() == ""
        assert others.submit(in_use, one).result() == ""
    assert [*tmp_path.iterdir()] == []
