"""The player ``learned`` in commands: it learns once, and what it learned is a part of the run."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from reports.own_games.studio.bench import bench_of
from reports.studio.measure import Seen
from simcore.contract import learning
from simcore.contract.finding import load_file
from simcore.contract.game import LEARNED
from simcore.contract.learning import Lessons
from simcore.contract.network import Network
from simcore.contract.play import Table
from simcore.own_games.run import new_run
from simcore.places import TAUGHT
from simcore.sealed import RunError
from simcore.setup import rebuild
from support.own_games import write_keep

_LEARNS = "learned plays Keep against itself first"


@pytest.fixture(autouse=True)
def keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small game, learned in short lessons by its rules as they are."""
    write_keep(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(learning, "LESSONS", dict.fromkeys((True, False), Lessons(2, 600)))


def test_it_learns_once(ask) -> None:
    """Before its first game; another command finds what it learned."""
    answer = ask("balance", "keep.py", "--policy", "learned", "--games", 100, "--json").done()
    assert _LEARNS in answer.err
    run = Path(json.loads(answer.out)["run"])
    manifest = json.loads((run / "manifest.json").read_text())
    assert manifest["policies"] == ["learned=keep"] * 2
    assert list(manifest["weights"]) == ["learned=keep"]
    answer = ask("ladder", "keep.py", "--players", "learned,random", "--games", 60).done()
    assert _LEARNS not in answer.err
    assert "learned=keep is the best of these 2 players" in answer.out
    assert ask("replay", run, 3, "--rules", "keep.py").status == 0


@pytest.mark.parametrize(
    "command",
    [
        ("simulate", "keep.py", "--policy", "learned"),
        ("compare", "keep.py", "keep.py", "--policy", "learned"),
        ("ladder", "keep.py", "--players", "learned,random"),
        ("verdict", "c8", "keep.py"),
    ],
)
def test_a_dry_run_keeps_nothing_of_what_it_learned(ask, command: tuple[str, ...]) -> None:
    """It tells the same players as the command has, and leaves the folder as it was."""
    before = {*Path().iterdir()}
    games = () if command[0] == "verdict" else ("--games", 60)
    answer = ask(*command, *games, "--dry-run", "--json")
    assert answer.status == 0 and answer.err.count("which keeps nothing of it") == 1
    assert {*Path().iterdir()} == before
    plays = json.loads(answer.out)["plays"]
    assert "learned=keep" in {player for one in plays for player in one["players"]}


def test_other_cards_are_another_lesson(ask) -> None:
    """A changed card keeps its own file, so that a run of the first goes on as it was."""
    Path("changed.toml").write_text('[card.c1]\nname = "C1"\nrank = 9\nred = false\n')
    for named in ("keep.py", "keep.py+changed.toml", "keep.py"):
        asked = "simulate", named, "--policy", "learned", "--games", 20
        assert ask(*asked).status == 0
    assert sorted(file.name for file in TAUGHT.iterdir()) == ["keep-2.npz", "keep.npz"]


def test_a_damaged_lesson_is_learned_anew(ask) -> None:
    """The file stays as it is, since it may be of another kind; the next name is taken."""
    TAUGHT.mkdir(parents=True)
    (TAUGHT / "keep.npz").write_bytes(Network.ignorant(3).content[:500])
    assert ask("simulate", "keep.py", "--policy", "learned", "--games", 20).status == 0
    assert len((TAUGHT / "keep.npz").read_bytes()) == 500 and (TAUGHT / "keep-2.npz").is_file()


def test_a_run_is_not_resumed_with_what_was_learned_otherwise(ask) -> None:
    """Another file of that name is told before a game is played or told."""
    asked = "simulate", "keep.py", "--policy", "learned", "--games", 20, "--out", "run"
    assert ask(*asked).status == 0
    known = Network.of((TAUGHT / "keep.npz").read_bytes())
    other = Network.ignorant(len(known.mean))
    (TAUGHT / "keep.npz").write_bytes(other.content)
    answer = ask("simulate", "keep.py", "--policy", "learned=keep", *asked[4:])
    answer.refused("other weights of learned=keep")
    answer = ask("replay", "run", 3, "--rules", "keep.py")
    answer.refused("other weights of learned=keep")


@pytest.mark.parametrize(
    ("player", "told"),
    [
        ("learned=nobody", "there is no file nobody for the player learned"),
        ("learned=cards.toml", "cards.toml: it is no file of what this fairdeal learns"),
        ("lerned", "did you mean 'learned'"),
        ("", "there is no player ''"),  # as where a variable of the shell is not set
    ],
)
def test_a_wrong_name_is_told(ask, player: str, told: str) -> None:
    """With what to do."""
    for command in (("balance",), ("verdict", "c8"), ("prices",), ("rebalance",)):
        ask(*command, "keep.py", "--policy", player).refused(told)


def test_one_player_under_two_names_is_no_ladder(ask) -> None:
    """Each would win half of their games; the message has both names."""
    ask("simulate", "keep.py", "--policy", "learned", "--games", 20).done()
    ladder = ask("ladder", "keep.py", "--players", "learned,learned=keep", "--games", 40)
    ladder.refused("--players: 'learned' and 'learned=keep' are the same player")


def test_it_plays_in_the_studio(tmp_path: Path) -> None:
    """What an entry is worth is watched among players who have learned the game."""
    bench = bench_of("keep.py")
    [players, *_] = bench.choices()
    assert LEARNED in players.options
    chosen = {players.name: LEARNED}
    [stage] = bench.stages(tmp_path / "cards.toml", "c8", chosen)
    assert stage.player == "learned=keep" and (TAUGHT / "keep.npz").is_file()
    looks: list[Seen] = []
    stage.play("", 500, SimpleNamespace(begin=lambda _: None, see=looks.append, headline=""))
    assert looks[-1].rows["worth"].iloc[0] == pytest.approx(0.5)  # nothing beats an eight


def test_another_process_is_sent_what_was_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It plays the same games, in a folder without that file."""
    game = load_file(Path("keep.py"))
    table = Table(game, game.load(), {}, 2)
    n_features = len(learning.learn(table, Lessons(1, 200)).mean)
    Path("mine.npz").write_bytes(Network.ignorant(n_features, 3).content)
    spec = new_run(table, n_games=10, seed=1, players=["learned=mine.npz", "random"])
    here, there = (np.zeros(10, spec.record) for _ in range(2))
    rebuilt = rebuild(spec.task.settings, spec.task.files)
    rebuilt.play(0, here)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    rebuild(spec.task.settings, spec.task.files).play(0, there)
    assert here.tobytes() == there.tobytes()
    files = {
        name: b"other" if name.endswith(".npz") else one for name, one in spec.task.files.items()
    }
    with pytest.raises((RunError, ValueError)):
        rebuild(spec.task.settings, files)
