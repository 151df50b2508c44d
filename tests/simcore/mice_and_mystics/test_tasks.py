"""What a task of Mice & Mystics brings along to the process that plays it."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from analysis.experiments.trials import new_trial_task
from analysis.mice_and_mystics.experiments.trials import RESULT, keep, new_trial
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.settings import read_settings
from simcore.mice_and_mystics.face.own_players import own_player
from simcore.mice_and_mystics.play.run import new_run
from simcore.mice_and_mystics.players.weights import own_weights, write_weights
from simcore.mice_and_mystics.table.records import GAME_RECORD
from simcore.sealed import RunError
from simcore.work.tasks import Task

FACTS = load_facts()
SETTINGS = read_settings(FACTS, "ch1_flight_to_barksburg", ["collin", "nez", "tilda", "filch"], ())
PARTY = ("learned=mine.toml", "learned=mine.toml@0.5", "category", "search=mine.toml:2")


def mine(file: str, times: float) -> None:
    """Weights that are these of ``learned``, all of them larger or turned round."""
    write_weights(own_weights() * np.float32(times), Path(file), heading="mine")


def task_of_run(players: tuple[str, ...]) -> Task:
    """The task of a small run."""
    return new_run(FACTS, SETTINGS, n_games=6, seed=4, players=players).task


@pytest.mark.parametrize("kind", ["run", "trial"])
def test_what_players_think_with_goes_along(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether nothing lies under its name where it is played, or something else."""
    monkeypatch.chdir(tmp_path)
    mine("mine.toml", -0.5)
    if kind == "run":
        task, record = task_of_run(PARTY), GAME_RECORD
    else:
        task = new_trial_task(new_trial(FACTS, SETTINGS, ":".join(PARTY)), 4, keep)
        record = RESULT
    here, usual, there = (np.zeros(6, record) for _ in range(3))
    task.player(record).play(0, here)
    if kind == "run":
        task_of_run(tuple(one.replace("=mine.toml", "") for one in PARTY)).player(record).play(
            0, usual
        )
        assert here.tobytes() != usual.tobytes(), "the weights matter"
    sent = pickle.dumps(task)
    Path("mine.toml").unlink()
    pickle.loads(sent).player(record).play(0, there)
    assert there.tobytes() == here.tobytes()
    mine("mine.toml", 2.0)
    again = np.zeros(6, record)
    pickle.loads(sent).player(record).play(0, again)
    assert again.tobytes() == here.tobytes()


def test_players_who_differ_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a task brings must be what was asked for."""
    monkeypatch.chdir(tmp_path)
    mine("mine.toml", -0.5)
    task = task_of_run(("learned=mine.toml",))
    mine("mine.toml", 2.0)
    [name] = [name for name in task.files if name.startswith("players/")]
    files = {**task.files, name: Path("mine.toml").read_bytes()}
    other = Task(task.entry, task.settings, files)
    with pytest.raises(RunError, match="another game than was asked for"):
        other.player(GAME_RECORD)


def test_a_run_folder_keeps_no_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They go with the games; what the folder says of them is their fingerprint."""
    monkeypatch.chdir(tmp_path)
    mine("mine.toml", -0.5)
    spec = new_run(FACTS, SETTINGS, n_games=6, players=("learned=mine.toml",))
    assert list(spec.files) == ["facts.toml"]


def test_a_function_of_ones_own_plays_in_threads(tmp_path: Path) -> None:
    """Other processes do not run it, and the message says what to do."""
    (tmp_path / "mine.py").write_text("def first(view):\n    return 0\n")
    player = own_player(str(tmp_path / "mine.py:first"))
    sent = pickle.dumps(task_of_run((player,)))
    with pytest.raises(RunError, match=r"mine\.py:first is a function of your own.*--workers"):
        pickle.loads(sent).player(GAME_RECORD)
