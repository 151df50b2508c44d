"""Who may ask the studio anything: the person at this machine who has its address, nobody else.

The server listens on loopback alone.  That keeps out other machines, but neither other people on
this one nor pages of other places that the person's browser shows.  So every request must

- be for an address of loopback and this port (``Host``): a name that an attacker has pointed at
  127.0.0.1 is refused;
- lie below a path that nobody can guess.  Browsers send cookies to every port of a host, but only
  below their path, so the server of another person on this machine is not sent ours;
- bring the token of the address that the terminal shows, or the cookie that came for it;
- come from the studio's own page, if a browser says where it comes from (``Origin``,
  ``Sec-Fetch-Site``), and say so if it changes anything;
- be small.

There are no WebSockets.  What is below ``files`` is let through with a key of its own in its path:
pages of runs are shown in a sandbox, without the cookie and with no way to ask the studio anything.
"""

import secrets
from collections.abc import Mapping

from attrs import Factory, frozen
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Bytes of a request: a file of the largest size, each of its characters escaped.
MOST_BYTES = 8_000_000
_SAFE = {"GET", "HEAD"}
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
#: What a page of a run may do: run its own script and save its tables, and nothing with the studio.
FILE_POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline';"
    " style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
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
    token: str = Factory(_secret)
    files: str = Factory(_secret)


@frozen
class Guard:
    """Lets through to an application, mounted below the secret place, what may be answered."""

    app: ASGIApp
    secrets: Secrets
    port: int

    @property
    def address(self) -> str:
        """The address that opens the studio."""
        return f"http://127.0.0.1:{self.port}/{self.secrets.place}/?token={self.secrets.token}"

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
        is_file = _matches(_below(scope["path"], 1), self.secrets.place) and _matches(
            _below(scope["path"], 3), self.secrets.files
        )
        changes = scope["method"] not in _SAFE
        if origin != f"http://{host}" and (changes or origin is not None) and not is_file:
            return PlainTextResponse("the studio answers its own page alone", 403)
        if changes and headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return PlainTextResponse("the studio answers its own page alone", 403)
        if not _matches(_below(scope["path"], 1), self.secrets.place):
            return PlainTextResponse(_LOST, 404)
        if is_file and not changes:
            return None
        if int(headers.get("content-length") or 0) > MOST_BYTES:
            return PlainTextResponse("that is too much at once", 413)
        request = Request(scope)
        known = request.cookies.get(self._cookie, "") or request.query_params.get("token", "")
        tokens = [known, request.query_params.get("token", "")]
        if not any(_matches(one, self.secrets.token) for one in tokens):
            return PlainTextResponse(_LOST, 403)
        return None

    def _entering(self, scope: Scope) -> Response | None:
        """Take the token out of the address, and put it into a cookie."""
        if b"token=" not in scope["query_string"]:
            return None
        below = f"/{self.secrets.place}/"
        response = RedirectResponse(below, 303)
        response.set_cookie(
            self._cookie, self.secrets.token, path=below, httponly=True, samesite="strict"
        )
        return response

    @property
    def _cookie(self) -> str:
        return f"fairdeal-{self.port}"


_LOST = "The studio does not know this browser: open the address that it printed in the terminal."


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
