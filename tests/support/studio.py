"""A studio as somebody starts it: a process of its own, in a folder with cards."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from attrs import frozen

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

#: A card that no player knows.
CARDS = """name = "My Cards"

[marsh_lantern]
name = "Marsh Lantern"
power = 5
copies = 2
play = "gain 1 life"
"""

#: A hero of chapter 1 with one die more than the game has it.
HERO = """[hero.nez]
name = "Nez Bellows"
classes = ["tinkerer", "warrior"]
battle = 3
defense = 1
lore = 2
move = 1
life = 4
starting_gear = ["nez_hammer"]
"""


#: The program, and what makes one that only tests see quick: no PNG and PDF of its charts, and of a
#: chapter, where a studio offers no fewer, a twelfth of the games of a verdict on an entry, and a
#: fourth of those with a number changed.
PROGRAM = "from reports.cli.start import main; main()"
QUICK_PROGRAM = f"""
from analysis.mice_and_mystics.experiments import usual
from reports.kit import figure_files
figure_files.KINDS = ("svg",)
usual.VERDICT_GAMES //= 12
usual.CHANGE_GAMES //= 4
{PROGRAM}
"""


@frozen
class Running:
    """A studio that runs: its address, its folder, and a program's way to ask it.

    The address opens it once: for whoever goes there, or for the ``cookie``.
    """

    address: str
    folder: Path

    @property
    def place(self) -> str:
        """The path below which everything is, with a slash at its end."""
        return urlsplit(self.address).path

    @property
    def host(self) -> str:
        """Host and port."""
        return urlsplit(self.address).netloc

    @cached_property
    def cookie(self) -> Mapping[str, str]:
        """The header of a browser that has opened the address, which is done for it."""
        _, _, headers = self.ask(f"{self.place}?{urlsplit(self.address).query}")
        return {"Cookie": headers["set-cookie"].partition(";")[0]}

    def let_in(self, context: BrowserContext) -> None:
        """Give windows of a browser the cookie."""
        name, _, value = self.cookie["Cookie"].partition("=")
        url = f"http://{self.host}{self.place}"
        context.add_cookies([{"name": name, "value": value, "url": url, "sameSite": "Strict"}])

    def rest(self) -> None:
        """Stop what is being done, and wait until it has ended."""
        own = {"Origin": f"http://{self.host}", **self.cookie}
        self.ask(f"{self.place}stop", "{}", **own)
        while json.loads(self.ask(f"{self.place}state", **self.cookie)[1])["working"]:
            time.sleep(0.05)

    def ask(
        self, path: str, body: str | bytes | None = None, method: str = "", **headers: str
    ) -> tuple[int, str, Mapping[str, str]]:
        """Status, text and headers of an answer; ``_`` in the name of a header is a hyphen."""
        said = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.host, timeout=60)
        connection.request(method or ("GET" if body is None else "POST"), path, body, said)
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        connection.close()
        return answer.status, text, {name.lower(): value for name, value in answer.getheaders()}


def start(
    folder: Path,
    *options: str,
    named: str = "",
    program: str = PROGRAM,
    browser: bool = False,
    stdin: int | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
    before: Callable[[], None] | None = None,
    cwd: Path = Path(__file__).parents[2],
) -> tuple[subprocess.Popen[str], Running]:
    """Start a studio in a folder, with options of the command; without a browser unless asked.

    ``named`` is the file of a game in it, with files of entries behind "+".
    """
    options = options if browser else ("--no-browser", *options)
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", program, "studio", named or str(folder), *options],
        stdin=stdin, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
        cwd=cwd, preexec_fn=before,
    )  # fmt: skip
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r"http://\S+", line)
    if not found:
        process.kill()
        raise AssertionError(line + process.communicate()[1])
    return process, Running(found[0], folder)


def end(process: subprocess.Popen[str], number: int = signal.SIGINT) -> None:
    """End a studio as a person does, or with another signal."""
    process.send_signal(number)
    assert process.wait(timeout=60) == 0
    assert process.stderr is not None
    process.stderr.close()


def recorder(folder: Path) -> tuple[Mapping[str, str], Path]:
    """Variables that name a browser which writes down what it is shown, and the file with that."""
    shown, program = folder / "shown", folder / "browser"
    lines = ["#!/bin/sh", f"printf '%s' \"$*\" > '{shown}.part'", f"mv '{shown}.part' '{shown}'"]
    program.write_text("\n".join(lines))
    program.chmod(0o755)
    return {"BROWSER": f"{program} %s &"}, shown


def wait_for(path: Path, process: subprocess.Popen[str]) -> str:
    """The text of a file as soon as it is there."""
    while not path.exists():
        assert process.poll() is None
        time.sleep(0.05)
    return path.read_text()
