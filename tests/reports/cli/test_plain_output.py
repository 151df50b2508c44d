"""Whatever is printed moves no cursor, turns no writing and changes no title of a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reports.cli import console, start
from reports.cli.console import PlainStream, printable, styled
from simcore.work.about import About, write_about

#: A title and a link (OSC), a cleared screen (CSI), both as C1, a bell, a return, backspaces; and a
#: text that is turned, isolated, and cut into lines.
HOSTILE = {
    "OSC": "\x1b]0;owned\x07",
    "link": "\x1b]8;;x\x1b\\",
    "CSI": "\x1b[2J\x1b[1;31m",
    "C1": "\x9b2J\x9d0;owned\x9c",
    "cursor": "\rgood\x08\x08",
    "bidi": "\u202egood\u202c\u2066good\u2069\u200f\u061c",
    "lines": "\u2028\u2029\x0b\x0c\x85",
}
#: What a terminal would obey.
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
FAILING = "def choose(view):\n    raise ValueError({text!r})\n"


@pytest.fixture
def said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Run a command as the program does in an empty folder; all that it prints."""
    monkeypatch.chdir(tmp_path)

    def ask(*words: object) -> str:
        before = sys.stdout, sys.stderr
        monkeypatch.setattr(sys, "argv", ["fairdeal", *map(str, words)])
        with pytest.raises(SystemExit):
            start.main()
        sys.stdout, sys.stderr = before
        return "".join(capsys.readouterr())

    return ask


def in_a_folder(text: str) -> list[object]:
    """Work in a folder of that name that is damaged."""
    folder = Path(f"a{text}b")
    folder.mkdir()
    (folder / "manifest.json").write_text("{")
    return ["runs", "verify", folder]


def in_a_list(text: str) -> list[object]:
    """A folder that says something about itself."""
    Path("runs/one").mkdir(parents=True)
    about = About(
        game="mindbug",
        question="balance",
        what=text,
        players=(text,),
        games=3,
        seed=0,
        asked={},
        begun="2026-11-26",
        headline=text,
        note=text,
    )
    write_about(Path("runs/one"), about)
    return ["runs"]


def in_a_card(text: str) -> list[object]:
    """A card that is named so."""
    name = json.dumps(f"M{text}e").replace("\x7f", "")
    Path("own.toml").write_text(f'name = "Own"\n[own]\nname = {name}\npower = 3\n')
    return ["cards", "show", "own", "--set", "own.toml"]


def in_own_code(text: str) -> list[object]:
    """A player whose code fails with that."""
    Path("me.py").write_text(FAILING.format(text=text) + f"raise OSError({text!r})\n")
    return [*_PLAY, "me.py:choose", "--games", 4]


_PLAY = "simulate", "first_contact", "--policy"


#: Where a text comes from that somebody else wrote, and the command that says it.
PLACES: dict[str, Callable[[str], list[object]]] = {
    "a word of the command line": lambda text: [f"bal{text}ance"],
    "an option": lambda text: ["balance", "first_contact", f"--gam{text}es", 3],
    "the value of an option": lambda text: ["balance", "first_contact", "--games", f"3{text}"],
    "the name of a set": lambda text: ["balance", f"first{text}_contact"],
    "the name of a card file": lambda text: ["cards", "check", f"my{text}.toml"],
    "the name of a pool": lambda text: ["simulate", "--pool", f"my{text}.toml"],
    "the name of a player": lambda text: [*_PLAY, f"ran{text}dom"],
    "a file of weights": lambda text: [
        "simulate",
        "first_contact",
        "--policy",
        f"learned=a{text}.toml",
    ],
    "a folder of a run": lambda text: ["analyze", f"a{text}b"],
    "a damaged folder": in_a_folder,
    "what a folder says of itself": in_a_list,
    "the name of a card": in_a_card,
    "code of somebody's own": in_own_code,
    "a project": lambda text: ["runs", f"a{text}b"],
    "a saved game": lambda text: ["replay", f"a{text}.json"],
    "a chapter": lambda text: ["verdict", "nez", f"standin{text}_four_rooms"],
    "an address": lambda text: ["analyze", f"memory://a{text}b"],
}


@pytest.mark.parametrize("place", PLACES)
def test_no_place_prints_what_a_terminal_obeys(said: Callable[..., str], place: str) -> None:
    """The text is told, spelled; so is each of these marks, wherever it stands."""
    answer = said(*PLACES[place]("".join(HOSTILE.values())))
    assert not OBEYED.search(answer), ascii(answer)
    assert re.search(r"\\(x1b|u001b)", answer), ascii(answer)


@pytest.mark.parametrize("mark", HOSTILE)
def test_json_stays_json(mark: str, said: Callable[..., str]) -> None:
    """What JSON does not escape by itself is escaped as it does, and is read back."""
    words = in_a_list(HOSTILE[mark])
    answer = said(*words, "--json")
    assert not OBEYED.search(answer)
    (told,) = json.loads(answer)["runs"]
    assert told["headline"] == HOSTILE[mark]


@pytest.mark.parametrize("mark", HOSTILE)
def test_errors_of_python_are_plain(mark: str) -> None:
    """A traceback of somebody's code, a warning and a line of a log."""
    program = (
        "import logging, warnings\n"
        "from reports.cli.console import print_plainly\n"
        "print_plainly()\n"
        f"text = {HOSTILE[mark]!r}\n"
        "warnings.warn(text)\n"
        "logging.warning(text)\n"
        "raise ValueError(text)\n"
    )
    env = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=env
    )
    assert found.stderr.count(printable(HOSTILE[mark])) >= 3
    assert not OBEYED.search(found.stderr)


def test_a_terminal_gets_colours_of_the_program_alone(tmp_path: Path) -> None:
    """Help has its styles, and what is said beside a bar is spelled."""
    program = (
        "import time\n"
        "from reports.cli.console import print_plainly, progress, say, waiting\n"
        "print_plainly()\n"
        "with progress('play\\x1b]0;owned\\x07ing') as advance:\n"
        "    advance(1, 2)\n"
        "    say('a\\x9b2Jb\\u202e')\n"
        "with waiting('draw\\x1b]0;owned\\x07ing'):\n"
        "    time.sleep(0.3)\n"
        "from reports.cli.app import run\n"
        "run(['runs', '--help'])\n"
    )
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
    env.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=theirs, stderr=theirs, env=env, cwd=tmp_path
    )
    os.close(theirs)
    data = b""
    while True:
        try:
            more = os.read(ours, 65_536)
        except OSError:
            break
        if not more:
            break
        data += more
    process.wait()
    os.close(ours)
    text = data.decode()
    assert "owned" in text and "\x1b]" not in text and "\x9b" not in text and "\u202e" not in text
    assert r"a\x9b2Jb\u202e" in text
    assert "\x1b[" in text  # the bar, and the styles of the help
    assert r"\x1b[" not in text


def test_all_of_a_stream_is_plain(capsys: pytest.CaptureFixture[str]) -> None:
    """Whichever way a text is written; letters of all scripts and joined signs stay."""
    stream = PlainStream(sys.stdout)
    stream.writelines(["a\x1b", "b\n"])
    print("c\x07", "\u00e4\u4e2d\u200d\u00a0", file=stream)
    assert capsys.readouterr().out == "a\\x1bb\nc\\x07 \u00e4\u4e2d\u200d\u00a0\n"
    assert styled(stream) is styled(sys.stdout) is sys.stdout
    assert console.printable("\ud800") == "\\ud800"
