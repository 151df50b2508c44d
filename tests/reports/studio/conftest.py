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
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from attrs import frozen
from playwright.sync_api import Browser, Page, expect

from reports.mindbug.cli.steps import compile_engine

CARDS = """name = "My Cards"

[marsh_lantern]
name = "Marsh Lantern"
power = 5
copies = 2
play = "gain 1 life"
"""

#: A change of a card that every network knows, so that strong players need no lesson.
BEES = """name = "Other Bees"

[killer_bee]
name = "Killer Bee"
power = 4
keywords = ["HUNTER"]
copies = 2
play = "the opponent loses 1 life"
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
        name = f"balancelab-{self.host.partition(':')[2]}"
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


def start(folder: Path) -> tuple[subprocess.Popen[str], Running]:
    """Start a studio in a folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", "from reports.cli.start import main; main()", "studio",
         str(folder), "--no-browser"],
        stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r"http://\S+", line)
    if not found:
        process.kill()
        raise AssertionError(line + process.communicate()[1])
    return process, Running(found[0], folder)


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One studio for all tests; each has a card file of its own."""
    compile_engine(["search:16"])  # with the cache that the studio will use
    process, running = start(tmp_path_factory.mktemp("project"))
    yield running
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 0, "Ctrl-C is how a studio ends"
    process.stderr and process.stderr.close()


#: Opens the studio in a new window at one of its files.
OpenStudio = Callable[..., Page]


@pytest.fixture
def open_studio(browser: Browser, running: Running) -> Iterator[OpenStudio]:
    """Open a window; fails at the end if it asked another machine, or a script went wrong."""
    problems: list[str] = []
    contexts: list[Any] = []

    def opened(file: str = "", text: str | None = None, **settings: Any) -> Page:
        if text is not None:
            (running.folder / file).write_text(text)
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("dialog", lambda dialog: problems.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda one: (
                None
                if urlsplit(one.url).netloc == running.host or one.url.startswith("data:")
                else problems.append(f"asked: {one.url}")
            ),
        )
        page.set_default_timeout(300_000)
        page.goto(running.address)
        if file:
            page.goto(f"http://{running.host}{running.place}?file={file}")
        return page

    # Where nothing is compiled yet, an answer waits for that.
    expect.set_options(timeout=300_000)
    yield opened
    expect.set_options(timeout=5_000)  # as it was
    for context in contexts:
        context.close()
    running.rest()
    # A refusal, which some tests provoke, is told in the console as well.
    assert [one for one in problems if "Failed to load resource" not in one] == []
