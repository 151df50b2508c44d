"""Who may ask the studio, and for what: nobody but its own page, and nothing outside its folder."""

from __future__ import annotations

import base64
import json
import os
import pty
import re
import resource
import signal
import socket
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from starlette.requests import Request

from card_data.faults import CardFileError
from card_data.toml_files import MAX_FILE_BYTES
from reports.cli.console import InputError
from reports.studio.guard import MOST_BYTES
from reports.studio.project import ChangedError, Project
from simcore.work.about import About, write_about
from support.browser import NEEDS_BROWSER
from support.studio import end, recorder, start, wait_for
from support.studio_texts import studio_in

from .conftest import CARDS, OpenStudio, Running


def test_only_loopback_listens(running: Running) -> None:
    """The studio has a socket on 127.0.0.1 alone, so no other machine reaches it."""
    port = int(running.host.partition(":")[2])
    others = {one[4][0] for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for other in {*others, "127.0.0.2"} - {"127.0.0.1"}:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((str(other), port), timeout=2)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Cookie": ""}, 403),
        ({"Cookie": "fairdeal-1=x"}, 403),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_foreign_pages_and_strangers_are_refused(
    running: Running, headers: dict[str, str], status: int, method: str
) -> None:
    """A wrong Host, a foreign Origin and a missing token end every request before it is read."""
    own = {"Origin": f"http://{running.host}", **running.cookie}
    path = running.place if method == "GET" else f"{running.place}stop"
    body = None if method == "GET" else "{}"
    assert running.ask(path, body, **own)[0] == 200
    assert running.ask(path, body, **{**own, **headers})[0] == status


def test_what_changes_something_says_where_it_comes_from(running: Running) -> None:
    """A POST without an Origin, or from another site, is refused even with the cookie."""
    path = f"{running.place}stop"
    assert running.ask(path, "{}", **running.cookie)[0] == 403
    own = {"Origin": f"http://{running.host}", **running.cookie}
    assert running.ask(path, "{}", **own, Sec_Fetch_Site="cross-site")[0] == 403


def test_the_place_and_the_token_are_both_needed(running: Running) -> None:
    """Without the secret path nothing is there, and with a wrong token nobody comes in."""
    assert running.ask("/", **running.cookie)[0] == 404
    assert running.ask("/static/studio.js", **running.cookie)[0] == 404
    assert running.ask(f"{running.place}?token=wrong")[0] == 403
    assert running.ask(f"{running.place}?token=wrong", **running.cookie)[0] == 303


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A studio that nobody has opened yet."""
    process, running = start(tmp_path_factory.mktemp("fresh"))
    yield running
    end(process)


def test_an_address_opens_the_studio_once(fresh: Running) -> None:
    """The token becomes a cookie that has another value; whoever comes with it later is told."""
    path, query = fresh.address.removeprefix(f"http://{fresh.host}").split("?")
    for asked in (f"{path}state?{query}", f"{path}static/studio.js?{query}", f"/?{query}"):
        assert fresh.ask(asked)[0] in (403, 404), "it opens the page alone"
    assert fresh.ask(f"{path}?{query}", method="HEAD")[0] == 403
    status, text, headers = fresh.ask(f"{path}?{query}")
    assert status == 200 and f'href="{path}"' in text
    cookie, token = headers["set-cookie"], query.removeprefix("token=")
    assert token not in cookie and token not in text
    for said in ("HttpOnly", "SameSite=strict", f"Path={path}"):
        assert said in cookie
    own = {"Cookie": cookie.partition(";")[0]}
    assert fresh.ask(path, **own)[0] == 200, "a reload"
    status, text, headers = fresh.ask(f"{path}?{query}", **own)
    assert (status, headers["location"]) == (303, path), "the link again, in the same browser"
    status, text, headers = fresh.ask(f"{path}?{query}")
    assert status == 403 and "set-cookie" not in headers, "in another browser"
    assert "press Enter in the terminal" in text


def test_enter_in_the_terminal_is_a_new_address(tmp_path: Path) -> None:
    """Who sits at the terminal gets as many addresses as they like, each good once."""
    ours, theirs = pty.openpty()
    process, first = start(tmp_path, stdin=theirs)
    assert process.stderr is not None
    assert "press Enter here for another one" in process.stderr.readline()
    assert first.cookie
    for _ in range(2):
        os.write(ours, b"\n")
        address = re.search(r"http://\S+", process.stderr.readline())
        assert address is not None
        assert Running(address[0], tmp_path).cookie == first.cookie
    end(process)
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_browser_is_shown_a_private_file(tmp_path: Path, number: signal.Signals) -> None:
    """No token is on the browser's command line: a file that is gone when it was used, or later."""
    (folder := tmp_path / "temporary").mkdir()
    said, shown = recorder(tmp_path)
    process, running = start(tmp_path, browser=True, environment={**said, "TMPDIR": str(folder)})
    [url] = wait_for(shown, process).split()
    assert url.startswith("file:///") and "token" not in url
    page = Path(url.removeprefix("file://"))
    assert page.is_relative_to(folder)
    modes = [stat.S_IMODE(one.stat().st_mode) for one in (page, page.parent)]
    assert modes == [0o600, 0o700]
    address = re.search(r"http://[^\"]+", page.read_text())
    assert address is not None and address[0] != running.address
    if number == signal.SIGINT:
        assert Running(address[0], tmp_path).cookie
        assert not page.exists(), "it was used"
    end(process, number)
    assert [*folder.iterdir()] == []


def test_a_websocket_is_refused(running: Running) -> None:
    """The studio has no WebSockets: whoever asks for one, from wherever, gets none."""
    upgrade = {
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    foreign = {**running.cookie, "Origin": "http://evil.example"}
    assert running.ask(f"{running.place}state", **foreign, **upgrade)[0] == 403
    assert running.ask(f"{running.place}state", **running.cookie, **upgrade)[0] == 200


@pytest.mark.parametrize(
    "body",
    ["", "[]", "no json", '{"file": 3}', '{"file": "../x.toml"}', "[" * 100_000,
     '{"file": "marsh.toml", "game": "none"}', '{"kind": "play", "times": 1e99}'],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_words(running: Running, body: str) -> None:
    """Whatever is sent, the answer is a message, and the studio goes on."""
    own = {"Origin": f"http://{running.host}", **running.cookie}
    table = ("sit_down", "at_table", "choose", "undo", "hint", "thoughts", "tell")
    form = ("edit", "complete", "open_table", "upload", "save_table")
    for name in ("read", "save", "check", "new", "play", "try", "put", *table, *form):
        status, text, _ = running.ask(f"{running.place}{name}", body, **own)
        assert status in (400, 422) and json.loads(text)["trouble"]


def test_large_requests_are_refused(running: Running) -> None:
    """A request larger than any card file is not read to its end."""
    own = {"Origin": f"http://{running.host}", **running.cookie}
    assert running.ask(f"{running.place}check", b" " * (MOST_BYTES + 1), **own)[0] == 413


def test_idle_connections_keep_nobody_out(tmp_path: Path) -> None:
    """Hundreds of connections that say nothing: the studio answers, and nothing is written."""

    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))

    process, running = start(tmp_path, before=few_files)
    host, port = running.host.split(":")
    with ExitStack() as idle:
        for number in range(400):
            one = idle.enter_context(socket.create_connection((host, int(port)), timeout=10))
            if number % 3 == 0:
                with suppress(OSError):
                    one.sendall(b"POST / HTTP/1.1\r\nHost: ")
            if number % 50 == 0:
                assert running.ask(running.place, **running.cookie)[0] == 200
        assert running.ask(running.place, **running.cookie)[0] == 200
    for garbage in (b"\0" * 100, b"GET\r\n\r\n", b"A" * 100_000):
        with socket.create_connection((host, int(port)), timeout=10) as one, suppress(OSError):
            one.sendall(garbage)
            one.recv(1000)
    assert running.ask(running.place, **running.cookie)[0] == 200
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert len(said.splitlines()) < 5, said


def test_every_answer_says_what_it_may_do(running: Running) -> None:
    """Pages of the studio load nothing from elsewhere, and are in no frame."""
    _, _, headers = running.ask(running.place, **running.cookie)
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy and headers["referrer-policy"] == "no-referrer"


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    "name",
    ["../x.toml", "/etc/x.toml", "a/b.toml", "x.txt", ".x.toml", "a\\b.toml", "a\0.toml",
     "", "x.TOML", "x.csv", "x" * 200 + ".toml", "..toml", "a\nb.toml"],
)  # fmt: skip
def test_only_names_of_card_files_are_names(tmp_path: Path, name: str) -> None:
    """No name leads out of the project folder, or to another kind of file."""
    with pytest.raises(InputError, match="not a name for a file here"):
        Project(tmp_path).file(name)


@pytest.fixture
def in_time() -> Iterator[None]:
    """Whatever waits for longer than some seconds fails."""

    def late(*_: object) -> None:
        raise AssertionError("it waits for ever")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda one: one.symlink_to("/dev/zero")])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """A pipe, a device or a folder by the name of a file: one message, and nobody waits."""
    (tmp_path / "good.toml").write_text(CARDS)
    (tmp_path / "runs").mkdir()
    studio = studio_in(tmp_path)
    said = {"game": "mindbug", "file": "bad.toml", "text": CARDS, "version": "", "entry": "",
            "name": "bad", "sheet": "", "data": base64.b64encode(b"x").decode()}  # fmt: skip
    studio.save(
        {**said, "file": "good.toml", "version": studio.read({"file": "good.toml"})["version"]}
    )
    for name in ("bad.toml", "bad.xlsx", "bad.csv", "runs/bad.json", "history/bad/1/bad.toml",
                 "history/good/7/version.json", "history/good/7/good.toml"):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        make(tmp_path / name)
    for name in ("read", "save", "new", "play", "try_", "commit"):
        with pytest.raises(InputError):
            getattr(studio, name)({**said, "kind": "play" if name == "play" else "compare"})
    for name in ("bad.xlsx", "bad.csv"):
        with pytest.raises((InputError, CardFileError)):
            studio.open_table({**said, "name": name})
    studio.history({**said, "file": "good.toml"})
    with suppress(InputError):  # of a link
        studio.history(said)
    studio.index(Request({"type": "http", "query_string": b"", "headers": []}))
    studio.runs(Request({"type": "http"}))


def test_links_out_of_the_folder_are_no_files(tmp_path: Path) -> None:
    """A link that leads out is neither listed, read nor written, nor handed out of a run."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.toml").write_text("secret")
    inside = tmp_path / "inside"
    (inside / "runs" / "one" / "figures").mkdir(parents=True)
    (inside / "x.toml").symlink_to(outside / "x.toml")
    (inside / "runs" / "out").symlink_to(outside)
    (inside / "runs" / "one" / "x.toml").symlink_to(outside / "x.toml")
    project = Project(inside)
    assert project.files() == [] and project.export("one") == {}
    for refused in (
        lambda: project.read("x.toml"),
        lambda: project.write("x.toml", "mine", ""),
        lambda: project.run("out"),
        lambda: project.file_of_run("one", "x.toml"),
        lambda: project.file_of_run("one", "../../x.toml"),
        lambda: project.file_of_run("..", "x.toml"),
    ):
        with pytest.raises(InputError):
            refused()
    assert (outside / "x.toml").read_text() == "secret"


def test_somebody_elses_change_is_not_overwritten(tmp_path: Path) -> None:
    """A file that changed since it was opened is left as it is; ends of lines stay as they were."""
    project = Project(tmp_path)
    (tmp_path / "cards.toml").write_bytes(b'name = "A"\r\n')
    opened = project.read("cards.toml")
    assert opened.text == 'name = "A"\n'
    project.write("cards.toml", 'name = "B"\n', opened.version)
    assert (tmp_path / "cards.toml").read_bytes() == b'name = "B"\r\n'
    with pytest.raises(ChangedError, match="changed by somebody else"):
        project.write("cards.toml", 'name = "C"\n', opened.version)
    with pytest.raises(InputError, match="larger"):
        project.write("new.toml", "x" * (MAX_FILE_BYTES + 1), "")
    assert not (tmp_path / "new.toml").exists()


def test_files_of_runs_need_their_key(running: Running) -> None:
    """Without the key in its path no file of a run is handed out, cookie or not."""
    run = running.folder / "runs" / "some_run"
    run.mkdir(parents=True, exist_ok=True)
    (run / "report.html").write_text("<p>x")
    for path in ("files/wrong/some_run/report.html", "files/some_run/report.html"):
        assert running.ask(f"{running.place}{path}", **running.cookie)[0] == 404


def test_without_the_extra_one_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """`fairdeal studio` without its libraries names the extra, and nothing else fails."""
    from reports.cli.app import run

    for name in [*sys.modules]:
        if name.partition(".")[0] in ("starlette", "uvicorn") or name == "reports.studio.server":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    assert run(["studio", str(tmp_path), "--no-browser"]) == 2
    assert "pip install 'fairdeal[studio]'" in capsys.readouterr().err


def test_a_taken_port_and_a_missing_folder_end_in_a_message(
    running: Running, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A port that is used and a folder that is not there are told, with what to do."""
    from reports.cli.app import run

    port = running.host.partition(":")[2]
    assert run(["studio", str(tmp_path), "--no-browser", "--port", port]) == 2
    assert "name another with --port" in capsys.readouterr().err
    assert run(["studio", str(tmp_path / "none"), "--no-browser"]) == 2
    assert "is not a folder" in capsys.readouterr().err


#: Ways in which a page leads elsewhere, to be tried one after the other.
_WAYS_OUT = """
  location.href = away; location.replace(away); window.open(away); top.location = away;
  parent.location = away; const link = document.createElement("a"); link.href = away;
  document.body.append(link); link.click(); link.target = "_top"; link.click();
  link.target = "_blank"; link.click(); const form = document.createElement("form");
  form.action = away; document.body.append(form); form.submit(); form.target = "_top";
  form.submit(); new Image().src = away; navigator.sendBeacon(away); new WebSocket(socket);
  const frame = document.createElement("iframe"); frame.src = away; document.body.append(frame);
  const refresh = document.createElement("meta"); refresh.httpEquiv = "refresh";
  refresh.content = "0;url=" + away; document.head.append(refresh); import(away);
  new Worker(away); fetch(away); new EventSource(away);
"""


@NEEDS_BROWSER
def test_a_page_of_a_run_leads_nowhere(open_studio: OpenStudio, running: Running) -> None:
    """A hostile page in a run has no cookie, asks the studio nothing, and tells nobody anything."""
    heard: list[str] = []

    class Elsewhere(BaseHTTPRequestHandler):
        def handle(self) -> None:
            heard.append(self.rfile.readline().decode())

    elsewhere = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
    away = f"127.0.0.1:{elsewhere.server_port}"
    folder = running.folder / "runs" / "hostile"
    folder.mkdir(parents=True)
    ways = [f"try {{ {one} }} catch {{ }}" for one in _WAYS_OUT.split(";") if one.strip()]
    (folder / "verdict.html").write_text(
        f"<meta http-equiv=refresh content='1;url=http://{away}/refresh'>"
        f"<link rel=stylesheet href='http://{away}/style'><body><p id=found>waiting</p>"
        "<script>fetch('../../../stop', {method: 'POST', body: '{}'})"
        ".then(() => 'asked', () => 'refused').then((what) => {"
        " try { document.cookie; what += ' cookie'; } catch { }"
        " try { parent.document.title; what += ' parent'; } catch { }"
        " document.querySelector('#found').textContent = what; });"
        f"const away = 'http://{away}/' + encodeURIComponent(location.href);"
        f"const socket = 'ws://{away}/socket';"
        f"setTimeout(() => {{ {'; '.join(ways)} document.title = 'tried'; }}, 500);</script>"
    )
    about = About(
        game="mindbug", question="verdict", what="A hostile page", players=("random",), games=1,
        seed=0, asked={}, begun="2026-11-24", finished="2026-11-24", page="verdict.html",
    )  # fmt: skip
    write_about(folder, about)
    page = open_studio("hostile_page.toml", CARDS)
    row = page.locator("#listed tr", has_text="A hostile page")
    with page.context.expect_page() as opening:
        row.get_by_role("link", name="Open").click()
    shown = opening.value
    expect(shown.frame_locator("iframe").locator("#found")).to_have_text("refused")
    shown.wait_for_timeout(3_000)
    assert urlsplit(shown.url).path.endswith("/page/hostile/verdict.html")
    inner = shown.locator("iframe").get_attribute("src")
    shown.goto(f"http://{running.host}{inner}")  # by itself, out of its frame
    expect(shown.frame_locator("iframe").locator("#found")).to_have_text("refused")
    elsewhere.shutdown()
    elsewhere.server_close()
    assert heard == []
