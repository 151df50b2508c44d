"""Throw forged requests at a studio that runs: `python -m support.forged_requests 2000 7`.

Each begins as a request that the studio's own page could send, and has at least one thing that a
stranger would have otherwise: the host, the origin, the place, the cookie, the token, the key of
files, or the method.  None may be let in: each is refused and gets no cookie, the folder stays what
it was, and the rules of a game in it are not run.  As a program it prints the tables of
``docs/reliability.md``.  Request i of a seed is always the same, but for the secrets of the studio.
"""

import random
import re
import socket
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import evolve, field, frozen

from support.studio import CARDS, Running, end, start

#: What refuses.
_REFUSALS = {400, 403, 404, 405, 413, 421}
_PAGES = ("", "state", "runs", "games", "doing", "table", "static/studio.js", "page/run/page.html",
          "export/run.zip")  # fmt: skip
_QUESTIONS = ("read", "check", "edit", "format", "complete", "save", "new", "play", "go_on",
              "stop", "try", "history", "commit", "describe", "put", "upload", "open_table",
              "open_game", "save_table", "sit_down", "choose", "undo")  # fmt: skip
_BODIES = (
    '{"file": "mine.toml", "text": "forged", "version": "", "game": "mindbug", "kind": "play"}',
    *('{"file": "new.toml", "text": "forged", "version": "", "name": "new", "game": "mindbug"}',),
    '{"rules": "rules.py", "confirmed": "rules.py", "file": "mine.toml"}',
    *("", "{}", "[]", "\0" * 100, '{"name": "x.csv", "data": "eA==", "sheet": ""}', "[" * 5000),
)
_METHODS = ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "PROPFIND")


@frozen
class Request:
    """A request as it goes over the wire, and what is forged about it."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: str = ""
    forged: tuple[str, ...] = ()

    @property
    def wire(self) -> bytes:
        """Its bytes."""
        lines = [f"{self.method} {self.path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in self.headers.items() if value]
        body = self.body.encode()
        lines += [f"Content-Length: {len(body)}", "Connection: close", "", ""]
        return "\r\n".join(lines).encode("latin-1", "replace") + body


@frozen
class Forger:
    """Makes requests about a studio, whose secrets it knows so that it can spoil them."""

    running: Running
    files: str
    _forgeries: Mapping[str, Callable[[Request, random.Random], Request]] = field(init=False)

    @_forgeries.default
    def _known(self) -> Mapping[str, Callable[[Request, random.Random], Request]]:
        return {
            "host": self._host,
            "origin": self._origin,
            "site": self._site,
            "place": self._place,
            "cookie": self._cookie,
            "token": self._token,
            "key of files": self._key,
            "method": self._method,
        }

    def good(self, rng: random.Random) -> Request:
        """A request that the page could send."""
        own = {"Host": self.running.host, **self.running.cookie}
        if rng.random() < 0.5:
            return Request("GET", self.running.place + rng.choice(_PAGES), own)
        own |= {"Origin": f"http://{self.running.host}", "Content-Type": "application/json"}
        path = self.running.place + rng.choice(_QUESTIONS)
        return Request("POST", path, own, rng.choice(_BODIES))

    def forged(self, rng: random.Random) -> Request:
        """A request of which one thing or several are not what the page would send."""
        request = self.good(rng)
        for name in rng.sample([*self._forgeries], rng.choice((1, 1, 1, 2, 3))):
            request = self._forgeries[name](request, rng)
            request = evolve(request, forged=(*request.forged, name))
        return request

    def _with(self, request: Request, **headers: str) -> Request:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return evolve(request, headers={**request.headers, **named})

    def _host(self, request: Request, rng: random.Random) -> Request:
        host, port = self.running.host.split(":")
        other = ("", "evil.example", f"evil.example:{port}", host, f"{host}:{int(port) - 1}",
                 f"{host}:{port}.evil.example", f"{host}:{port}@evil.example", "[::1]",
                 f"LOCALHOST.:{port}", f"0.0.0.0:{port}", f"127.1:{port}", f"{host}:0{port}",
                 f"x@{host}:{port}")  # fmt: skip
        return self._with(request, Host=rng.choice(other))

    def _origin(self, request: Request, rng: random.Random) -> Request:
        host = self.running.host
        other = ["null", "http://evil.example", f"https://{host}", f"http://{host}.evil.example",
                 f"http://{host}/", f"http://{host.replace('127.0.0.1', 'localhost')}", "file://",
                 "http://127.0.0.1", f"http://{host} http://evil.example"]  # fmt: skip
        if request.method == "POST":
            other.append("")
        return self._with(request, Origin=rng.choice(other))

    def _site(self, request: Request, rng: random.Random) -> Request:
        """Where a request comes from is said by the browser, and counts for what changes things."""
        site = rng.choice(("cross-site", "same-site", "none", "same-origin, cross-site"))
        posted = evolve(request, method="POST", path=self.running.place + "stop", body="{}")
        return self._with(posted, Origin=f"http://{self.running.host}", Sec_Fetch_Site=site)

    def _place(self, request: Request, rng: random.Random) -> Request:
        place = self.running.place.strip("/")
        other = ("", place[:-1], place + "x", place.swapcase(), place[::-1], "%2e%2e", "x" * 32,
                 f"x/../{place}", f"/{place}", f".//{place}", f"%2f{place}", f"{place}%00",
                 f"x/{place}")  # fmt: skip
        return evolve(request, path=request.path.replace(place, rng.choice(other), 1))

    def _cookie(self, request: Request, rng: random.Random) -> Request:
        name, _, value = self.running.cookie["Cookie"].partition("=")
        token = self.running.address.partition("token=")[2]
        other = ("", f"{name}=", f"{name}={value[:-1]}", f"{name}={value}x", f"x{name}={value}",
                 f"{name}={value.swapcase()}", f"{name}={token}", f"{name}={self.files}",
                 f"{name}={self.running.place.strip('/')}", f"{name.upper()}={value}",
                 f"{name}={'A' * 32}", f"token={value}", f"{name}={value},", f"x={name}={value}",
                 f"{name}=\xe9")  # fmt: skip
        return self._with(request, Cookie=rng.choice(other))

    def _token(self, request: Request, rng: random.Random) -> Request:
        """A token in the place of the cookie: one that was used, or none at all."""
        used = self.running.address.partition("token=")[2]
        cookie = self.running.cookie["Cookie"].partition("=")[2]
        token = rng.choice((used, cookie, self.files, "", "A" * 32, used[:-1], f"{used}&token=x"))
        path = f"{self.running.place}?token={token}"
        method = rng.choice(("GET", "GET", "HEAD", "POST"))
        return self._with(evolve(request, method=method, path=path), Cookie="")

    def _key(self, request: Request, rng: random.Random) -> Request:
        """A file of a run, by a key that is not its own, without the cookie."""
        key = rng.choice((self.files[:-1], self.files + "x", "", "x" * 32, self.files.swapcase(),
                          self.running.place.strip("/"), f"../{self.files}"))  # fmt: skip
        path = f"{self.running.place}files/{key}/run/page.html"
        return self._with(evolve(request, method="GET", path=path, body=""), Cookie="")

    def _method(self, request: Request, rng: random.Random) -> Request:
        return evolve(request, method=rng.choice(_METHODS))


def answer_to(request: Request, host: str) -> tuple[int, bytes]:
    """The status of an answer, and all of it; 400 where the connection just ends."""
    name, _, port = host.partition(":")
    said = b""
    with socket.create_connection((name, int(port)), timeout=30) as connection:
        try:
            connection.sendall(request.wire)
            while got := connection.recv(65_536):
                said += got
        except (ConnectionResetError, BrokenPipeError):
            pass
    found = re.match(rb"HTTP/1\.1 (\d{3})", said)
    return (int(found[1]) if found else 400), said


def tried(requests: int, seed: int) -> tuple[Counter[str], Counter[int], list[str]]:
    """How often each thing was forged, the answers by their status, and what was let in."""
    things: Counter[str] = Counter()
    statuses: Counter[int] = Counter()
    let_in: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "mine.toml").write_text(CARDS)
        ran = folder / "ran"  # what the rules of a game make where they are run
        (folder / "rules.py").write_text(f"GAME = open({str(ran)!r}, 'w')\n")
        (folder / "runs" / "run").mkdir(parents=True)
        (folder / "runs" / "run" / "page.html").write_text("<p>secret")
        process, running = start(folder)
        page = running.ask(f"{running.place}page/run/page.html", **running.cookie)[1]
        [files] = re.findall(r"/files/([^/]+)/", page)
        forger = Forger(running, files)
        before = _content(folder)
        for number in range(requests):
            rng = random.Random(f"{seed} {number}")
            request = forger.forged(rng)
            status, said = answer_to(request, running.host)
            things.update(request.forged)
            statuses[status] += 1
            if status not in _REFUSALS or b"set-cookie" in said.lower() or b"secret" in said:
                let_in.append(f"{number} {request.forged}: {status} {request.wire!r}")
        assert running.ask(running.place, **running.cookie)[0] == 200, "its own page is let in"
        if _content(folder) != before:
            let_in.append("the folder is not what it was")
        end(process)
    return things, statuses, let_in


def _content(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def main(requests: int, seed: int) -> int:
    """Print what came of so many requests; 1 if one was let in."""
    things, statuses, let_in = tried(requests, seed)
    print(f"| forged | requests |\n|---|---|\n| **all** | {requests:,} |")
    for thing, count in things.most_common():
        print(f"| {thing} | {count:,} |")
    print("\n| answer | requests |\n|---|---|")
    for status, count in sorted(statuses.items()):
        print(f"| {status} | {count:,} |")
    print(f"| let in | {len(let_in)} |")
    print(*let_in, sep="\n", file=sys.stderr)
    return int(bool(let_in))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 7))
