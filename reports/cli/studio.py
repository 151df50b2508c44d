"""The command `fairdeal studio`."""

import os
import signal
import sys
import threading
import time
import webbrowser
from contextlib import chdir, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from card_data.names import parts_of
from reports.cli.console import InputError, say
from reports.cli.games import game_named
from reports.cli.options import whole, with_confidence
from reports.games import reports_of
from simcore.games import names

if TYPE_CHECKING:
    from reports.studio.bench import Bench
    from reports.studio.guard import NewAddress


@with_confidence
def studio(
    project: Annotated[
        str,
        Parameter(
            name="FOLDER",
            help="The project folder: your card files, and the folder 'runs'. Default: this one. Or"
            " the file of the rules of a game of your own, 'my_game.py' (it is run), with a file of"
            " entries behind '+' or without; or a file of cards, which is shown first.",
        ),
    ] = ".",
    /,
    *,
    port: Annotated[
        int,
        Parameter(
            converter=whole(0, 65_535),
            help="The port of this machine to serve the studio on. Default: 0, which takes any free"
            " one.",
        ),
    ] = 0,
    browser: Annotated[
        bool, Parameter(help="Open the studio in your browser; the address is printed either way.")
    ] = True,
) -> None:
    """Open the studio: edit cards or heroes in the browser, play, and watch the verdict firm up.

    Serves this machine alone, until Ctrl-C. It reads and writes the same files and run folders as
    the commands, so either goes on where the other stopped (docs/studio.md).
    """
    try:
        import uvicorn  # noqa: F401 - what serves; missed at once, not when all is ready

        from reports.studio.server import serve
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("starlette", "uvicorn"):
            raise
        raise InputError(
            f"the studio needs {missing}, which is not installed: pip install"
            " 'fairdeal[studio]', in a copy of the repository pip install -e '.[studio]'"
        ) from None
    folder, said = _meant(project)
    _look_elsewhere(folder.resolve())
    for one in (signal.SIGTERM, signal.SIGHUP):  # end it as Ctrl-C does
        if signal.getsignal(one) is signal.SIG_DFL:
            signal.signal(one, signal.default_int_handler)
    with chdir(folder), TemporaryDirectory(prefix="fairdeal-") as private:

        def opened(new_address: "NewAddress") -> None:
            at_terminal = sys.stdin is not None and sys.stdin.isatty()
            say(f"fairdeal studio: {new_address(_nothing)}")
            again = "; press Enter here for another one" if at_terminal else ""
            say(f"The address opens the studio once, in one browser{again}. Ctrl-C ends it.")
            if at_terminal:
                signal.signal(signal.SIGTTIN, signal.SIG_IGN)  # read in the background: an error
                threading.Thread(target=_answer, args=(new_address,), daemon=True).start()
            if browser:
                page = _entrance(Path(private), new_address)
                threading.Thread(target=_show, args=(page,), daemon=True).start()

        # Inside the folder, so that files and runs are named as the commands name them.
        benches, shown = _benches(said)
        serve(Path(), benches, port, opened, shown)


def _meant(named: str) -> tuple[Path, str]:
    """The folder that is meant, and what is named in it, "" for nothing.  Raises InputError."""
    from reports.studio.project import check_name

    if Path(named).is_dir():
        return Path(named), ""
    files = [Path(part) for part in parts_of(named)]
    for file in files:
        if file.suffix not in (".py", ".toml"):
            raise InputError(
                f"{file} is not a folder; make it first, or name the one that has your cards, or"
                " the file of a game of your own, 'my_game.py'"
            )
        if not file.is_file():
            raise InputError(f"there is no file {file}; write it first, or name the folder")
        check_name(file.name, (file.suffix,))
        if file.resolve().parent != files[0].resolve().parent:
            raise InputError(
                f"{file} is in another folder than {files[0]}, and the studio works in one: copy"
                " it there"
            )
    return files[0].parent, "+".join(file.name for file in files)


def _benches(named: str) -> "tuple[dict[str, Bench], str]":
    """The games in the studio with the one that is named, and the file that is shown first."""
    game = game_named([named]) if named else ""
    mine = reports_of(game).studio_of(named) if game else None
    benches = {game: mine} if mine is not None else {}  # its files may be read by others as well
    benches |= {
        name: bench for name in names() if name != game and (bench := reports_of(name).studio)
    }
    last = parts_of(named)[-1]
    return benches, last if last.endswith(".toml") else benches[game].file if game else ""


def _look_elsewhere(folder: Path) -> None:
    """Look for programs and modules neither in a folder nor wherever the studio stands.

    It will stand in the folder, where "." in a path of the system or of Python leads to what the
    folder brings.
    """

    def is_elsewhere(entry: str) -> bool:
        path = Path(entry)
        return path.is_absolute() and not path.resolve().is_relative_to(folder)

    os.environ["PATH"] = os.pathsep.join(filter(is_elsewhere, os.get_exec_path()))
    given = map(Path, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    here = {Path.cwd() / entry for entry in given if not entry.is_absolute()}
    kept = (Path(entry) for entry in sys.path)
    ours = Path(__file__).parents[2]
    sys.path[:] = [
        str(one) for one in kept if one == ours or (one.is_absolute() and one not in here)
    ]


def _nothing() -> None:
    """What happens when an address of the terminal is used."""


def _answer(new_address: "NewAddress") -> None:
    """Say a new address whenever somebody presses Enter."""
    while True:
        try:
            if not os.read(sys.stdin.fileno(), 1000):
                return
        except OSError:  # in the background, where what is typed is for another program
            time.sleep(1)
        else:
            say(f"fairdeal studio: {new_address(_nothing)}")


def _entrance(folder: Path, new_address: "NewAddress") -> Path:
    """A file that only its owner can read, which leads to the studio once and is gone then.

    Everybody on this machine can read the command line of a browser: it names this file.
    """
    page = folder / "studio.html"
    address = new_address(partial(page.unlink, missing_ok=True))
    with open(page, "x", opener=partial(os.open, mode=0o600)) as file:
        file.write(_ENTRANCE.format(address=address))
    return page


_ENTRANCE = (
    "<!doctype html><html lang=en><meta charset=utf-8><meta name=referrer content=no-referrer>"
    '<title>fairdeal studio</title><meta http-equiv=refresh content="0;url={address}">'
    '<p><a href="{address}">Open the studio</a></p>'
)


def _show(page: Path) -> None:
    """Open the person's browser, unless it is one that would take over the terminal."""
    with suppress(webbrowser.Error):
        found = webbrowser.get()
        own_window = isinstance(found, webbrowser.BackgroundBrowser)
        if own_window or not isinstance(found, webbrowser.GenericBrowser):
            found.open(page.as_uri())
