"""What lies in a project folder: every folder, what it is about, and how far it is.

Only the small files that say what folders are about are read; nothing that a run names is imported.
"""

from datetime import date
from pathlib import Path
from typing import Any

from attrs import frozen

from card_data.checksums import open_json
from reports.games import reports_of
from reports.kit.words import capital
from reports.play.log import NoGameError, read_log
from simcore.games import names
from simcore.sealed import RunError, read_file
from simcore.work.about import About, folders_in, read_about
from simcore.work.lock import BusyError, check_nobody_works

#: How far a folder is; any other state says what is wrong with it.
COMPLETE, INTERRUPTED, AT_WORK, UNKNOWN = "complete", "interrupted", "at work", "unknown"
NOT_OURS = "not made by fairdeal"


@frozen
class Listed:
    """A folder of a project, or the file of a game that a person plays.

    ``about`` is None where nothing says what it is about.
    """

    folder: Path
    about: About | None
    state: str

    @property
    def page(self) -> Path | None:
        """The page of its answer, if it lies in the folder."""
        if self.about is None or not self.about.page:
            return None
        path = self.folder / self.about.page
        return path if path.parent == self.folder and path.is_file() else None

    @property
    def day(self) -> str:
        """The day on which it was begun; "" where that is not known."""
        return "" if self.about is None else self.about.begun


def listed(project: Path) -> list[Listed]:
    """The folders of a project, the newest first; those that cannot be read come last.

    With them the games that somebody plays, which are a file each.
    """
    found = [_listed(folder) for folder in folders_in(project)]
    found += filter(None, map(_game, sorted(project.glob("*.json"))))
    known = sorted((one for one in found if one.about), key=_age, reverse=True)
    return [*known, *(one for one in found if not one.about)]


def _age(one: Listed) -> tuple[str, float]:
    """When a folder was begun, and of one day when something was last written into it."""
    return one.day, one.folder.stat().st_mtime


def _listed(folder: Path) -> Listed:
    """A folder and how far it is."""
    try:
        about = read_about(folder)
        if about is None:
            return _by_manifest(folder)
        if about.finished:
            return Listed(folder, about, COMPLETE)
        check_nobody_works(folder)
    except BusyError:
        return Listed(folder, about, AT_WORK)
    except (RunError, OSError) as error:
        return Listed(folder, None, str(error).partition("\n")[0])
    return Listed(folder, about, INTERRUPTED)


def _game(file: Path) -> Listed | None:
    """A game that somebody plays; None for another file, unless its name says that it is one."""
    try:
        log = read_log(file)
        about = About(
            game=log.game,
            question="play",
            what=log.title,
            players=list(log.players),
            games=1,
            seed=log.seed,
            asked={},
            begun=date.fromtimestamp(file.stat().st_mtime).isoformat(),
            headline=f"{capital(reports_of(log.game).ended(log))}." if log.record else "",
        )
        check_nobody_works(file)
    except BusyError:
        return Listed(file, about, AT_WORK)
    except (RunError, OSError) as error:
        if isinstance(error, NoGameError) and not file.name.startswith("play-"):
            return None
        return Listed(file, None, str(error).partition("\n")[0])
    return Listed(file, about, INTERRUPTED if log.record is None else COMPLETE)


def _by_manifest(folder: Path) -> Listed:
    """A folder that was made from Python, or before folders said what they are about."""
    for path in sorted(folder.glob("*.json")):
        try:
            entries = open_json(read_file(path))
        except (RunError, OSError, ValueError) as error:
            return Listed(folder, None, f"damaged: {path.name}: {error}".partition("\n")[0])
        if isinstance(entries.get("game"), str) and "format" in entries:
            state = UNKNOWN
            if "counts" in entries:
                state = COMPLETE if entries["counts"] else INTERRUPTED
            question = "balance" if path.stem == "manifest" else path.stem
            return Listed(folder, _about(folder, path, question, entries), state)
    return Listed(folder, None, _kept(folder.name) or NOT_OURS)


def _kept(name: str) -> str:
    """What games keep in a folder of this name besides answers; "" for nothing."""
    return ", ".join(filter(None, (reports_of(game).kept.get(name, "") for game in names())))


def _about(folder: Path, path: Path, question: str, entries: dict[str, Any]) -> About:
    """What a manifest says, as far as it says it in the usual words."""
    players = entries.get("policies", entries.get("players", []))
    names, games, seed = (entries.get(name) for name in ("set_names", "games", "seed"))
    plain = isinstance(names, list) and all(isinstance(name, str) for name in names)
    return About(
        game=entries["game"],
        question=question,
        what=" and ".join(names) if plain and names else folder.name,
        players=[str(one) for one in players] if isinstance(players, list) else [],
        games=games if isinstance(games, int) else None,
        seed=seed if isinstance(seed, int) else None,
        asked={},
        begun=date.fromtimestamp(path.stat().st_mtime).isoformat(),
        page="report.html" if question == "balance" else f"{question}.html",
    )
