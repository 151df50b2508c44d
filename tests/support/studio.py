"""A studio as somebody starts it: a process of its own, in a folder with cards."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from attrs import frozen

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


@frozen
class Running:
    """A studio that runs: its address, its folder, and a program's way to ask it."""

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

    @property
    def cookie(self) -> Mapping[str, str]:
        """The header of a browser that has opened the address."""
        name = f"fairdeal-{self.host.partition(':')[2]}"
        return {"Cookie": f"{name}={self.address.partition('token=')[2]}"}

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


def start(folder: Path, *options: str) -> tuple[subprocess.Popen[str], Running]:
    """Start a studio in a folder, with options of the command."""
    process = subprocess.Popen(
        [sys.executable, "-c", "from reports.cli.start import main; main()", "studio",
         str(folder), "--no-browser", *options],
        stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r"http://\S+", line)
    if not found:
        process.kill()
        raise AssertionError(line + process.communicate()[1])
    return process, Running(found[0], folder)
