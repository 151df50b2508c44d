"""The games of a project that can be played on, or told move by move."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from reports.games import reports_of
from reports.kit.words import count, display_name
from reports.play.log import GameLog, read_log
from reports.runs.listing import COMPLETE, Listed, listed
from reports.studio.bench import Bench
from reports.studio.project import RUNS
from reports.studio.views import fragment
from reports.studio.words import who_played
from simcore.sealed import RunError

_MOST_PLAYED, _MOST_VERDICTS, _MOST_RUNS, _LONGEST = 12, 6, 40, 120


def games_part(benches: Mapping[str, Bench]) -> str:
    """The list as a part of the page."""
    known = [
        one
        for one in listed(RUNS)
        if one.state == COMPLETE and not one.folder.is_symlink()
        if one.about is not None and one.about.game in benches
    ]
    return fragment(
        "studio_games_list.html",
        played=[*_played(benches)][:_MOST_PLAYED],
        decided=[*_decided(known, benches)],
        runs=_told_apart([*_runs(known, benches)][:_MOST_RUNS]),
    )


def _played(benches: Mapping[str, Bench]) -> Iterator[dict[str, Any]]:
    """Games that somebody plays or has played, the last one first."""
    found = [path for path in RUNS.glob("*.json") if path.is_file() and not path.is_symlink()]
    files = [(path.stat().st_mtime, path) for path in found]
    for _, path in sorted(files, reverse=True):
        with suppress(RunError):  # another file, or one of another version
            log = read_log(path)
            if log.game in benches:
                yield _game(path, log, benches[log.game].company(log))


def _game(path: Path, log: GameLog, company: str) -> dict[str, Any]:
    is_over = log.record is not None
    so_far = f"after {count(len(log.decisions))} decisions"
    return {
        "what": display_name(log.title, _LONGEST),
        "company": company,
        "with": display_name(log.start_with or "", _LONGEST),
        "is_over": is_over,
        "state": reports_of(log.game).ended(log) if is_over else so_far,
        "href": f"table?{urlencode({'play': path.name})}{'&told' if is_over else ''}",
        "name": path.name,
    }


def _decided(known: list[Listed], benches: Mapping[str, Bench]) -> Iterator[dict[str, Any]]:
    """The games of verdicts that came out otherwise."""
    verdicts = [one for one in known if one.about is not None and one.about.question == "verdict"]
    for one in verdicts[:_MOST_VERDICTS]:
        assert one.about is not None
        games = []
        with suppress(RunError):  # damaged, or of another version: `fairdeal runs` says so
            games = [
                {
                    "words": game.words,
                    "href": "table?"
                    + urlencode(
                        {
                            "run": f"{one.folder.name}/{game.run}",
                            "number": game.number,
                            "turn": game.turn,
                        }
                    ),
                }
                for game in benches[one.about.game].decided(one.folder)
            ]
        if games:
            yield {"what": display_name(one.about.what, _LONGEST), "games": games}


def _runs(known: list[Listed], benches: Mapping[str, Bench]) -> Iterator[tuple[str, str, int]]:
    """Runs of which any game can be told: folder, words, and the number of the last game."""
    for one in known:
        assert one.about is not None
        inner = {"balance": "", "verdict": "/run"}.get(one.about.question)
        if inner is not None and one.about.games:
            what = display_name(one.about.what, _LONGEST)
            words = f"{one.day}, {who_played(one.about, benches)}: {what}"
            yield f"{one.folder.name}{inner}", words, one.about.games - 1


def _told_apart(runs: list[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    """The same runs, with the folder behind words that others have as well."""
    many = Counter(words for _, words, _ in runs)
    return [
        (run, f"{words} (runs/{run})" if many[words] > 1 else words, last)
        for run, words, last in runs
    ]
