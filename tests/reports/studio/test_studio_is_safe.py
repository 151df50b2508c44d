"""Who may ask the studio, and for what: nobody but its own page, and nothing outside its folder."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

import pytest

from card_data.toml_files import MAX_FILE_BYTES
from reports.cli.console import InputError
from reports.studio.guard import MOST_BYTES
from reports.studio.project import ChangedError, Project
from simcore.work.about import About, write_about
from support.browser import NEEDS_BROWSER

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
    status, _, headers = running.ask(f"{running.place}?token={running.address[-32:]}")
    assert status == 303 and "token" not in headers["location"]
    cookie = headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and running.place.lower() in cookie


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


@NEEDS_BROWSER
def test_a_page_of_a_run_cannot_reach_the_studio(open_studio: OpenStudio, running: Running) -> None:
    """Even a hostile page in a run folder has neither the cookie nor a way to ask anything."""
    folder = running.folder / "runs" / "hostile"
    folder.mkdir(parents=True)
    (folder / "verdict.html").write_text(
        "<title>waiting</title><script>fetch('../../../stop', {method: 'POST', body: '{}'})"
        ".then(() => 'asked', () => 'refused')"
        ".then((what) => { try { document.cookie; what += ' cookie'; } catch { }"
        " document.title = what; });</script>"
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
    opening.value.wait_for_function("document.title !== 'waiting'")
    assert opening.value.title() == "refused"
