"""The program ends with one message where memory, a stream or a value is lacking."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from reports.cli import app as cli
from reports.cli import start
from reports.cli.app import command_line_of, run
from reports.cli.steps import say_compiling

START = [sys.executable, "-c", "from reports.cli.start import main; main()"]


@pytest.mark.parametrize("kilobytes", [400_000, 700_000, 1_200_000])
def test_too_little_memory_is_one_message(kilobytes: int, tmp_path: Path) -> None:
    """Under ``ulimit -v`` a run ends with exit status 2 and says what is lacking, or is played."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (kilobytes * 1024, kilobytes * 1024))

    answer = subprocess.run(
        [
            *START,
            "balance",
            "first_contact",
            "--policy",
            "random",
            "--games",
            "10",
            "--out",
            tmp_path / "run",
        ],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )
    (line,) = answer.stderr.splitlines()
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "too little memory" in line and f"{kilobytes * 1024 / 1e6:,.0f} MB" in line
    assert "ulimit -v" in line


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("can't start new thread"),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        ImportError("libz.so: failed to map segment from shared object"),
    ],
)
def test_memory_can_lack_anywhere(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """However Python tells it, and whatever was made of it on the way, the message is the same."""

    def fails() -> None:
        try:
            raise error
        except Exception as cause:
            raise ValueError("what was being done cannot be done") from cause

    monkeypatch.setattr(cli, "main", fails)
    with pytest.raises(SystemExit) as ended:
        start.main()
    assert ended.value.code == 2
    assert "fairdeal: there is too little memory" in capsys.readouterr().err


def test_other_errors_are_no_lack_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the program is not told as one of the machine."""

    def fails() -> None:
        raise ImportError("no module named 'wings'")

    monkeypatch.setattr(cli, "main", fails)
    with pytest.raises(ImportError, match="wings"):
        start.main()


@pytest.mark.parametrize("kept", [True, False])
def test_compiling_once_is_said_only_where_it_is_kept(
    kept: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a cache nobody is promised that the next start is faster."""
    monkeypatch.setattr("simcore.jit.is_compiled", lambda _: False)
    monkeypatch.setattr("simcore.jit.keeps_kernels", lambda: kept)
    monkeypatch.setattr("reports.cli.steps._slowness", lambda: 1.0)
    assert say_compiling(["some.kernel"], "the engine", 45)
    once = ", once for each version of fairdeal" if kept else ""
    assert capsys.readouterr().err == f"compiling the engine{once}: about 45 s\n"


@pytest.mark.parametrize("closed", ["2>&-", "<&- 2>&-", "<&- >&- 2>&-"])
def test_errors_do_not_go_to_stdout(closed: str, tmp_path: Path) -> None:
    """Where stderr is closed, stdout stays empty, and so does every file that is opened."""
    answer = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *START, "cards", "show", "no_such_card"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert (answer.returncode, answer.stdout, answer.stderr) == (2, "", "")


def test_no_file_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    """What a library writes to stderr does not end up in a file of a run."""
    program = (
        "import os, sys; from reports.cli.start import _open_standard_streams as mend; mend();"
        "file = os.open('new', os.O_CREAT | os.O_WRONLY); assert file > 2, file;"
        "print('lost', file=sys.stderr); print('lost'); os.write(2, b'lost'); sys.stdin.read()"
    )
    answer = subprocess.run(
        ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        check=False,
        cwd=tmp_path,
    )
    assert answer.returncode == 0
    assert (tmp_path / "new").read_bytes() == b""


@pytest.mark.parametrize(
    "command",
    [
        *(["balance", "first_contact"], ["simulate", "first_contact"], ["ladder"], ["train"]),
        *(["restrict"], ["compare", "first_contact", "promos"], ["rebalance", "first_contact"]),
        ["sensitivity", "killer_bee"],
    ],
    ids=lambda words: words[0],
)
def test_a_folder_has_a_name(
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An empty ``--out``, as an unset variable of a shell leaves it, is not the current folder."""
    monkeypatch.chdir(tmp_path)
    for out in (["--out", ""], ["--out="]):
        assert run([*command, "--games", "100", *out]) == 2
        assert "--out is empty" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command", sorted(name for name in command_line_of("") if not name.startswith("-"))
)
def test_an_empty_argument_is_refused(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor does any command take an empty word for a run, a set or a file."""
    assert run([command, ""]) == 2
    assert "an argument is empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line", ["bench", "simulate first_contact --games 9", "cards list", "runs", "studio . --port 0"]
)
def test_a_compiler_that_is_switched_off_is_one_message(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under NUMBA_DISABLE_JIT a command says so and what to do, whatever it would have done."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.chdir(tmp_path)
    assert run(line.split()) == 2
    [told] = capsys.readouterr().err.splitlines()
    assert "NUMBA_DISABLE_JIT is set" in told and "unset it" in told
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    assert run(["cards", "list"]) == 0


def test_a_folder_does_not_say_how_numba_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Numba reads settings from the folder it begins in, which somebody else may have made."""
    monkeypatch.chdir(tmp_path)
    Path(".numba_config.yaml").write_text("disable_jit: 1\n")
    assert run(["simulate", "first_contact", "--games", "1"]) == 2
    told = capsys.readouterr().err
    assert ".numba_config.yaml" in told and "move the file away" in told
    assert run(["--version"]) == 0
