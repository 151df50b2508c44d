"""Other processes play what a task describes: the files are those that threads leave."""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from attrs import evolve

from analysis.experiments.pair_games import Contest, play_pairs
from analysis.mindbug.experiments.ablation import RestrictedPlay
from analysis.mindbug.experiments.ladder import Ladder
from analysis.mindbug.experiments.sensitivity_games import Experiments, Laboratory
from analysis.mindbug.stopping import PlayUntil
from analysis.stopping import Goal
from card_data.mindbug import load_pool
from card_data.mindbug.variants import in_place_of, with_card
from simcore.contract.faults import GameError
from simcore.contract.play import Table
from simcore.evolution import Evolution
from simcore.mindbug import own_player
from simcore.mindbug.play.run import new_run
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.play.training import PoolTraining
from simcore.mindbug.players.network_files import own_network, write_network
from simcore.mindbug.players.weights import own_weights, write_weights
from simcore.mindbug.table.records import GAME_RECORD
from simcore.own_games.run import new_run as own_run
from simcore.own_games.setup import table_named
from simcore.places import TAUGHT
from simcore.sealed import RunError
from simcore.training import train
from simcore.work import pieces
from simcore.work.processes import _BEGIN, LocalWorkers, local_workers
from simcore.work.runs import RunSpec, run_games
from support.contents import contents
from support.doors import family
from support.fake_game import fake_spec
from support.own_games import example

POOL = load_pool(["first_contact"])
_IMPORT = sys.executable, "-c", "import simcore.jit.decorators"


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    """Two processes that share nothing with this one."""
    with local_workers(2) as workers:
        yield workers


def runs(place: Path) -> Iterator[RunSpec]:
    """Runs of every kind."""
    yield fake_spec(5000, seed=2)
    yield new_run(POOL, n_games=1500, seed=4)
    write_weights(own_weights("learned"), place / "own.toml", heading="as they are")
    policies = f"learned={place / 'own.toml'}", "search:3"
    yield new_run(POOL, n_games=6, seed=4, policies=policies)
    changed = with_card(POOL, evolve(POOL.sets[0].cards[3], power=9))
    run_games(new_run(POOL, n_games=1500, seed=4), place / "base")
    yield new_run(changed, n_games=1500, seed=4, beside=place / "base")
    rule = PlayUntil(Goal.parse("3:first_player"), [*POOL.sets[0].cards], ("random", "random"))
    yield evolve(new_run(POOL, n_games=6000, seed=4), until=rule)


def test_a_run_played_by_processes(processes: Executor, tmp_path: Path) -> None:
    """Every byte is that of threads, with players of own weights, beside a run, by a rule."""
    for number, spec in enumerate(runs(tmp_path)):
        done: list[tuple[int, int]] = []
        threads, others = tmp_path / f"threads-{number}", tmp_path / f"processes-{number}"
        run_games(spec, threads, threads=2)
        run_games(
            spec,
            others,
            executor=processes,
            threads=3,
            on_progress=lambda *now, done=done: done.append(now),
        )
        assert contents(others) == contents(threads)
        assert done[-1][0] == done[-1][1]


def test_a_ladder_played_by_processes(processes: Executor, tmp_path: Path) -> None:
    """Pairs of players, and of players who are restricted, are those that threads play."""
    contests: tuple[Contest, ...] = (
        Ladder(POOL, ("random", "greedy", "search:2"), 600, 6, seed=5),
        RestrictedPlay(POOL, "greedy", ("blocks", "hunts"), 600),
    )
    for name, contest in enumerate(contests):
        threads, others = tmp_path / f"threads-{name}", tmp_path / f"processes-{name}"
        done: list[tuple[int, int]] = []
        play_pairs(contest, threads, threads=2)
        play_pairs(
            contest,
            others,
            executor=processes,
            on_progress=lambda *now, done=done: done.append(now),
        )
        found, wanted = contents(others), contents(threads)
        assert found.pop("timings.json") != wanted.pop("timings.json")
        assert found == wanted
        assert done[-1] == (done[-1][1],) * 2 == (sum(one[2] for one in contest.pairs),) * 2


def test_experiments_played_by_processes(processes: Executor, tmp_path: Path) -> None:
    """Variants are played on the games of the base, which the processes are sent."""
    card = POOL.sets[0].cards[3]
    dealt_otherwise = with_card(POOL, evolve(card, copies=card.copies + 1))
    pools = [with_card(POOL, evolve(card, power=power)) for power in (card.power, 9)]
    pools.append(with_card(POOL, in_place_of(card, POOL.sets[0].cards[5])))  # its name comes twice
    for name, executor in (("threads", None), ("processes", processes)):
        laboratory = Laboratory(
            Experiments(POOL, "greedy:random", 1500, 3), tmp_path / name, executor=executor
        )
        laboratory.play_pools([*pools, dealt_otherwise])
    assert contents(tmp_path / "processes") == contents(tmp_path / "threads")
    assert len(list((tmp_path / "processes/games").iterdir())) == 4


def test_a_training_played_by_processes(processes: Executor, tmp_path: Path) -> None:
    """The curve and what is learned are those of threads, against players and the own past."""
    pools = [PoolSetup(POOL), PoolSetup(load_pool(["first_contact", "promos"]))]
    training = PoolTraining(
        start=own_weights("heuristic"),
        evolution=Evolution(2, 4),
        games=20,
        panel=("random",),
        times=(2,),
    )
    learned = [
        train(pools, training, curve=tmp_path / f"{name}.csv", executor=executor)
        for name, executor in (("threads", None), ("processes", processes))
    ]
    assert learned[0].tobytes() == learned[1].tobytes() != training.start.tobytes()
    assert (tmp_path / "threads.csv").read_bytes() == (tmp_path / "processes.csv").read_bytes()


def test_a_task_is_small_and_holds_no_player() -> None:
    """What is sent is data: the cards, who plays, and where to find who plays it."""
    task = new_run(POOL, n_games=10**6, seed=4).task
    sent = pickle.dumps(task)
    assert len(sent) < 50_000
    there = pickle.loads(sent)
    assert (there.entry, there.settings, there.files) == (task.entry, task.settings, task.files)
    assert there.built is None is not task.built
    assert there.player(GAME_RECORD) is pickle.loads(sent).player(GAME_RECORD)


def test_what_players_think_with_goes_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever lies under its name where it is played: nothing, or what somebody else learned."""
    for name in ("here", "elsewhere"):
        (tmp_path / name / TAUGHT).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    write_network(own_network("second"), TAUGHT / "my_cards.npz")
    write_weights(own_weights("heuristic"), Path("own.toml"), heading="others")
    sent, here = [], []
    for policies in (
        ("expert=my_cards", "learned=own.toml"),
        ("search=my_cards:2-hunts", "random"),
    ):
        spec = new_run(POOL, n_games=4, seed=4, policies=policies)
        sent.append(pickle.dumps(spec.task))
        here.append(np.zeros(4, GAME_RECORD))
        spec.task.player(GAME_RECORD).play(0, here[-1])
    assert max(map(len, sent)) < 300_000  # a network has some 225,000
    monkeypatch.chdir(tmp_path / "elsewhere")
    for others in (False, True):
        if others:
            write_network(own_network("third"), TAUGHT / "my_cards.npz")
        for task, games in zip(sent, here, strict=True):
            there = np.zeros(4, GAME_RECORD)
            pickle.loads(task).player(GAME_RECORD).play(0, there)
            assert there.tobytes() == games.tobytes()


def test_players_who_differ_are_refused() -> None:
    """Where weights are others than was asked for, as in another version, nothing is played."""
    task = new_run(POOL, n_games=10, policies=("learned", "learned")).task
    other = evolve(task, settings={**task.settings, "weights": {"learned": "0" * 16}}, built=None)
    with pytest.raises(RunError, match=r"another game than was asked for .*learned"):
        other.player(GAME_RECORD)


def test_a_function_of_ones_own_plays_in_threads(tmp_path: Path) -> None:
    """Other processes do not run it, and the message says what to do."""
    (tmp_path / "mine.py").write_text("def first(view):\n    return 0\n")
    player = own_player(str(tmp_path / "mine.py:first"))
    sent = pickle.dumps(new_run(POOL, n_games=10, policies=(player, "random")).task)
    with pytest.raises(RunError, match=r"mine\.py:first is a function of your own.*--workers"):
        pickle.loads(sent).player(GAME_RECORD)


def test_what_fails_in_another_process_ends_the_run(processes: Executor, tmp_path: Path) -> None:
    """The error is that of the game, and finished parts stay."""
    spec = fake_spec(5000, seed=2)
    run_games(spec, tmp_path / "run")
    (tmp_path / "run/games/part-00001.parquet").unlink()
    left = contents(tmp_path / "run")
    broken = evolve(spec, task=evolve(spec.task, settings={"seed": "x", "seconds_per_batch": 0}))
    with pytest.raises(TypeError):
        run_games(broken, tmp_path / "run", executor=processes)
    assert contents(tmp_path / "run") == left


def test_a_worker_that_ends_is_replaced(tmp_path: Path) -> None:
    """Its games are played by the new one, and the files are those of threads."""
    killed: list[int] = []
    spec = fake_spec(50_000, seed=2)
    with local_workers(2) as workers:

        def kill(done: int, _: int) -> None:
            if done and not killed:
                killed.append(workers.submit(os.getpid).result(60))
                os.kill(killed[0], signal.SIGKILL)

        run_games(spec, tmp_path / "killed", executor=workers, on_progress=kill)
        left = {workers.submit(os.getpid).result(60) for _ in range(8)}
    assert len(killed) == 1 and killed[0] not in left
    run_games(spec, tmp_path / "threads")
    assert contents(tmp_path / "killed") == contents(tmp_path / "threads")


def test_a_job_that_ends_its_workers_is_given_up() -> None:
    """One message; other jobs are done as before."""
    with local_workers(2) as workers:
        with pytest.raises(RunError, match=r"4 workers ended .* run the same command again"):
            workers.submit(os._exit, 1).result(60)
        assert workers.submit(int, "7").result(60) == 7


class _Awkward(Exception):
    """An exception that cannot be made anew from its message."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{why} in {where}")


def _fail_awkwardly() -> None:
    raise _Awkward("a worker", "no room")


def test_what_cannot_be_sent_of_a_failure_is_told_in_words() -> None:
    """A worker answers whatever was raised; it does not end as if memory had been short."""
    said = pytest.raises(RunError, match="_Awkward: no room in a worker")
    with local_workers(1) as workers, said:
        workers.submit(_fail_awkwardly).result(60)


def test_workers_print_past_their_answers(capfd: pytest.CaptureFixture[str]) -> None:
    """What is printed where games are played goes to stderr."""
    with local_workers(1) as workers:
        assert workers.submit(print, "a word", flush=True).result(60) is None
    assert capfd.readouterr() == ("", "a word\n")


def test_workers_repeat_no_warning(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """How kernels are compiled is said once, by the command."""
    monkeypatch.setenv("FAIRDEAL_PLAIN_JIT", "1")
    with local_workers(1) as workers:
        workers.submit(subprocess.check_call, _IMPORT).result(60)
        assert "plain njit" in capfd.readouterr().err
        workers.submit(exec, _IMPORT[-1]).result(60)
        assert capfd.readouterr().err == ""


def test_processes_play_rules_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: Executor
) -> None:
    """Where Python would play in one thread at a time; the games are the same, and the faults."""
    sent = []

    class Counted:
        def submit(self, *job: Any) -> Future[Any]:
            sent.append(job)
            return processes.submit(*job)

    monkeypatch.setattr(pieces, "_processes", Counted)
    monkeypatch.setattr(pieces, "_ALONE_SECONDS", -1.0)
    file = example("market", tmp_path)
    table = table_named(str(file))

    def played(table: Table, threads: int, folder: str) -> dict[str, bytes]:
        spec = own_run(table, n_games=40, seed=3, players=["dearest"] * 2)
        run_games(spec, tmp_path / folder, threads=threads)
        return contents(tmp_path / folder / "games")

    alone = played(table, 1, "alone")
    assert not sent
    assert played(table, 2, "both") == alone
    assert sent
    file.write_text(file.read_text().replace('if cards else "end_turn"', "if cards else 1 // 0"))
    with pytest.raises(GameError, match=r"market.py:\d+: ZeroDivisionError.*game \d+ of seed 3"):
        played(table_named(str(file)), 2, "wrong")


def test_the_end_of_workers_ends_what_they_do() -> None:
    """Leaving the block neither waits nor leaves a process behind; twice is harmless."""
    with local_workers(2) as workers:
        pids = [workers.submit(os.getpid).result(60) for _ in range(4)]
        slow = [workers.submit(time.sleep, 600) for _ in range(3)]
    assert not any(map(psutil.pid_exists, pids))
    workers.shutdown()
    for one in slow:
        with pytest.raises(CancelledError):
            one.result(10)


def test_workers_finish_what_is_waited_for() -> None:
    """As executors of the standard library do."""
    with LocalWorkers(1) as workers:
        answers = [workers.submit(int, str(number)) for number in range(20)]
    assert [one.result(0) for one in answers] == [*range(20)]


def test_nothing_of_the_folder_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that lies where the command is begun is not what a worker imports."""
    for name in ("pickle", "simcore", "numpy", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("open('was_run', 'w')")
    monkeypatch.chdir(tmp_path)
    with local_workers(1) as workers:
        workers.submit(os.getpid).result(60)
    assert not (tmp_path / "was_run").exists()


@pytest.fixture
def command(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], list[int]]]:
    """A command whose workers have written a part, and are at the next ones; and who they are."""
    fairdeal = Path(sys.executable).with_name("fairdeal")
    words = "simulate first_contact --policy search:5 --workers 2 --games 16384".split()
    command = subprocess.Popen(
        [fairdeal, *words, "--out", tmp_path / "run"],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        while not (tmp_path / "run/games/part-00000.parquet").exists():
            assert command.poll() is None
            time.sleep(0.1)
        yield command, family(command.pid)[1:]
    finally:
        command.kill()
        command.wait()
        assert command.stderr is not None
        command.stderr.close()


def test_ctrl_c_keeps_what_is_finished(
    command: tuple[subprocess.Popen[bytes], list[int]], tmp_path: Path
) -> None:
    """The whole group of processes is interrupted, as by a terminal; one line is said."""
    process, workers = command
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode == 130
    assert told.decode() == (
        f"interrupted: finished parts stay in {tmp_path / 'run'}; run the same command again to"
        " resume\n"
    )
    assert len(workers) == 2
    assert not any(map(psutil.pid_exists, workers))


def test_workers_end_with_a_command_that_is_killed(
    command: tuple[subprocess.Popen[bytes], list[int]],
) -> None:
    """At once, in the middle of a job."""
    process, workers = command
    process.kill()
    _, told = process.communicate()
    assert (len(workers), told) == (2, b"")
    _, alive = psutil.wait_procs(
        [psutil.Process(pid) for pid in workers if psutil.pid_exists(pid)], 5
    )
    assert alive == []


def test_a_worker_whom_nobody_hears_ends_without_a_word() -> None:
    """A command that was killed reads no answer, and its worker may be just about to give one."""
    worker = subprocess.Popen(
        [sys.executable, "-c", _BEGIN, *sys.path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert worker.stdin and worker.stdout and worker.stderr
    worker.stdout.close()
    pickle.dump(pickle.dumps(os.getpid), worker.stdin)
    worker.stdin.flush()
    assert (worker.wait(60), worker.stderr.read()) == (1, b"")
    worker.stderr.close()
    worker.stdin.close()
