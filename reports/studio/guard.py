"""Who may ask the studio anything: browsers that have opened one of its addresses, nobody else.

The server listens on loopback alone.  That keeps out other machines, but neither other people on
this one nor pages of other places that the person's browser shows.  So every request must

- be for an address of loopback and this port (``Host``): a name that an attacker has pointed at
  127.0.0.1 is refused;
- lie below a path that nobody can guess.  Browsers send cookies to every port of a host, but only
  below their path, so the server of another person on this machine is not sent ours;
- bring a token, as the address does that opens the studio, or the cookie that came for one.  A
  token works once: by then somebody else may have read it, on a command line or over a shoulder;
- come from the studio's own page, if a browser says where it comes from (``Origin``,
  ``Sec-Fetch-Site``), and say so if it changes anything;
- be small.

There are no WebSockets.  What is below ``files`` is let through with a key of its own in its path:
pages of runs are shown in a sandbox, without the cookie and with no way to ask the studio anything.
The sandbox is a frame in a page of the studio, which keeps it from leading anywhere else.

Whoever uses this machine can connect, and need not say anything then.  So there are few
connections, and a new one takes the place of the one that has waited longest for a request: nobody
keeps the person's browser out.  Without that, files would run out, and asyncio would tell so with
thousands of tracebacks a second.
"""

import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from attrs import Factory, field, frozen
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Bytes of a request: a file of the largest size, each of its characters escaped.
MOST_BYTES = 8_000_000
#: Connections at a time, and those that wait to be taken.
MOST_CONNECTIONS = 64
#: Makes an address that opens the studio once; what it is given is called then.
NewAddress = Callable[[Callable[[], None]], str]
_SAFE = {"GET", "HEAD"}
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    " font-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
#: What the page with the frame of a page of a run may do: frame nothing but the studio's own files.
FRAME_POLICY = f"{_PAGE_POLICY}; frame-src 'self'"
#: What a page of a run may do: run its own script and save its tables, and nothing with the studio.
RUN_POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline';"
    " style-src 'unsafe-inline'; font-src data:; img-src 'self' data:; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'self'"
)
#: What any other file of a run may do, a drawing for one: show itself.
FILE_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'self'"
)
#: What a picture to share may do: show itself, in its own letters.
SHARE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; font-src data:"
_HEADERS = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def _secret() -> str:
    return secrets.token_urlsafe(24)


@frozen
class Secrets:
    """What only the person's browser knows."""

    place: str = Factory(_secret)
    cookie: str = Factory(_secret)
    files: str = Factory(_secret)


@frozen
class Guard:
    """Lets through to an application, mounted below the secret place, what may be answered."""

    app: ASGIApp
    secrets: Secrets
    port: int
    # Tokens that open the studio, and what is done when they do.
    _tokens: dict[str, Callable[[], None]] = field(factory=dict, init=False)

    def new_address(self, used: Callable[[], None]) -> str:
        """An address that opens the studio once, in one browser; then ``used`` is called."""
        token = _secret()
        self._tokens[token] = used
        return f"http://127.0.0.1:{self.port}/{self.secrets.place}/?token={token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        answer: ASGIApp | None = refused or self._entering(scope)
        if answer is None:
            below = f"/{self.secrets.place}"
            inner = {**scope, "path": scope["path"].removeprefix(below), "root_path": below}
            await self.app(inner, _limited(receive), _with_headers(send))
        else:
            await answer(scope, receive, _with_headers(send))

    def _refused(self, scope: Scope, headers: Headers) -> Response | None:
        """Why a request is not answered; None if it may be."""
        hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in hosts:
            return PlainTextResponse("this is not the studio's address", 421)
        place, folder, key = (_below(scope["path"], number) for number in (1, 2, 3))
        is_here = _matches(place, self.secrets.place)
        is_file = is_here and folder == "files" and _matches(key, self.secrets.files)
        changes = scope["method"] not in _SAFE
        if origin != f"http://{host}" and (changes or origin is not None) and not is_file:
            return PlainTextResponse("the studio answers its own page alone", 403)
        if changes and headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return PlainTextResponse("the studio answers its own page alone", 403)
        if not is_here:
            return PlainTextResponse(_LOST, 404)
        if is_file and not changes:
            return None
        if int(headers.get("content-length") or 0) > MOST_BYTES:
            return PlainTextResponse("that is too much at once", 413)
        if not self._knows(scope) and self._token(scope) is None:
            return PlainTextResponse(_LOST, 403)
        return None

    def _entering(self, scope: Scope) -> Response | None:
        """Take a token out of the address; a browser that brings a good one gets the cookie."""
        if b"token=" not in scope["query_string"]:
            return None
        below = f"/{self.secrets.place}/"
        token = self._token(scope)
        if token is None:  # it was used already, by this browser if by any
            return RedirectResponse(below, 303)
        self._tokens.pop(token)()
        # No redirection: a page that leads from elsewhere to here would keep the cookie from it.
        response = HTMLResponse(_ENTRY.format(below=below))
        response.set_cookie(
            self._cookie, self.secrets.cookie, path=below, httponly=True, samesite="strict"
        )
        return response

    def _knows(self, scope: Scope) -> bool:
        """Whether a request has the cookie."""
        return _matches(Request(scope).cookies.get(self._cookie, ""), self.secrets.cookie)

    def _token(self, scope: Scope) -> str | None:
        """The token that a request brings, if it opens the studio."""
        given = Request(scope).query_params.get("token", "")
        if scope["method"] != "GET" or scope["path"] != f"/{self.secrets.place}/":
            return None
        return next((one for one in [*self._tokens] if _matches(given, one)), None)

    @property
    def _cookie(self) -> str:
        return f"fairdeal-{self.port}"


_LOST = (
    "The studio does not know this browser, or not any more. Each of its addresses opens it once,"
    " in one browser, where it can be reloaded as often as you like. For a new address press Enter"
    " in the terminal in which the studio runs, or end it there and start it again: nothing is"
    " lost."
)
_ENTRY = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>fairdeal studio</title>"
    '<meta http-equiv=refresh content="0;url={below}"><p><a href="{below}">Open the studio</a></p>'
)


def _below(path: str, number: int) -> str:
    """A part of a path, counted from 1; "" where it has fewer."""
    parts = path.split("/")
    return parts[number] if len(parts) > number else ""


def _matches(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode(errors="replace"), secret.encode())


def _with_headers(send: Send) -> Send:
    """Add what every answer says; a page of the studio may do only what its policy allows."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message.setdefault("headers", []))
            said: Mapping[str, str] = {**_HEADERS, "content-security-policy": _PAGE_POLICY}
            for name, value in said.items():
                if name not in headers:
                    headers[name] = value
        await send(message)

    return sent


class TooMuchError(Exception):
    """A request has more bytes than the studio reads."""


def _limited(receive: Receive) -> Receive:
    """Read no more of a request than is allowed."""
    left = MOST_BYTES

    async def received() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise TooMuchError
        return message

    return received


def few_connections() -> type[Any]:
    """The protocol of a connection, for uvicorn."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class FewConnections(H11Protocol):
        """A connection that ends one of those that wait, where there are too many."""

        def connection_made(self, transport: Any) -> None:
            """Begin, and end others if need be."""
            super().connection_made(transport)
            self.began = self.loop.time()
            every: list[Any] = [*self.connections]
            waiting = [one for one in every if one is not self and _waits(one)]
            waiting.sort(key=lambda one: one.began)
            for one in waiting[: max(len(every) - MOST_CONNECTIONS, 0)]:
                self.connections.discard(one)
                one.transport.abort()

    return FewConnections


def _waits(connection: Any) -> bool:
    """Whether a connection waits for a request, or for the rest of one."""
    return connection.cycle is None or connection.cycle.response_complete


class Once(logging.Filter):
    """Lets each message through once: what happens again and again is told the first time."""

    def __init__(self) -> None:
        super().__init__()
        self._told: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is the first of its message."""
        is_new = record.msg not in self._told
        self._told.add(record.msg)
        return is_new
