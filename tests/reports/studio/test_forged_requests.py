"""The program that forges requests: what it begins with is let in, what it forges is not."""

from __future__ import annotations

import random
from http import HTTPStatus
from pathlib import Path

from support.forged_requests import Forger, answer_to, tried
from support.studio import end, start


def test_what_is_not_forged_is_let_in(tmp_path: Path) -> None:
    """The requests that are spoilt are good ones: the guard refuses none without a forgery."""
    process, running = start(tmp_path)
    forger = Forger(running, "no key")
    for number in range(40):
        request = forger.good(random.Random(number))
        if request.path.endswith(("play", "go_on", "try", "save", "new", "upload", "describe")):
            continue  # which would change something
        status, _ = answer_to(request, running.host)
        assert status not in (HTTPStatus.FORBIDDEN, HTTPStatus.MISDIRECTED_REQUEST)
    end(process)


def test_no_forged_request_is_let_in() -> None:
    """Some of everything that can be forged, alone and together."""
    things, statuses, let_in = tried(200, 0)
    assert let_in == []
    assert len(things) == 8 and statuses.total() == 200
