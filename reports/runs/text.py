"""The list of the folders of a project in words, for a terminal and for a program."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reports.games import reports_of
from reports.kit.words import DOT, display_name, games, listed, plural
from reports.runs.listing import Listed
from simcore.work.about import About

_LONGEST = 160


def players_text(about: About) -> str:
    """Who played, each once, as a person calls them."""
    return players_named(map(reports_of(about.game).called, about.players))


def players_named(players: Iterable[str]) -> str:
    """Who played, each once."""
    return listed(dict.fromkeys(players))


def facts(one: Listed) -> str:
    """What was asked of what, by whom, and how far it is."""
    if one.about is None:
        return f"{display_name(one.folder.name, _LONGEST)}: {one.state}"
    about = one.about
    parts = [
        f"{about.question}: {display_name(about.what, _LONGEST)}",
        players_text(about),
        "" if about.games is None else games(about.games),
        one.state,
    ]
    return DOT.join(filter(None, parts))


def lines(found: Sequence[Listed]) -> Iterator[str]:
    """Each folder in a few lines."""
    for one in found:
        day = one.day or "          "
        yield f"{day}  {facts(one)}"
        if one.about is not None and one.about.headline:
            yield f"            {display_name(one.about.headline, _LONGEST)}"
        yield f"            {one.page or one.folder}"


def summary(found: Sequence[Listed], project: object) -> str:
    """How many folders there are, and how many of them are not finished."""
    if not found:
        return f"{project} has no runs yet"
    counts: dict[str, int] = {}
    for one in found:
        counts[one.state] = counts.get(one.state, 0) + 1
    told = ", ".join(f"{number} {state}" for state, number in counts.items())
    return f"{len(found)} {plural('folder', len(found))} in {project}: {told}"


def as_json(found: Iterable[Listed]) -> list[dict[str, Any]]:
    """Each folder for a program."""
    names = ("game", "question", "what", "players", "games", "seed", "begun", "finished")
    rows = []
    for one in found:
        about = one.about
        row: dict[str, Any] = {"folder": str(one.folder), "state": one.state}
        row |= {name: getattr(about, name, None) for name in (*names, "headline")}
        row["players"] = list(row["players"] or ())
        rows.append(row | {"page": str(one.page) if one.page else None})
    return rows
