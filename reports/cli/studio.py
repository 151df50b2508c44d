"""The command `fairdeal studio`."""

import threading
import webbrowser
from contextlib import chdir, suppress
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from reports.cli.console import InputError, say
from reports.cli.options import whole
from reports.games import reports_of
from simcore.games import names


def studio(
    folder: Annotated[
        Path,
        Parameter(
            name="FOLDER",
            help="The project folder: your card files, and the folder 'runs'. Default: this one.",
        ),
    ] = Path(),
    /,
    *,
    port: Annotated[
        int,
        Parameter(
            converter=whole(0, 65_535),
            help="The port of this machine on which the studio is served. Default: 0, any that is"
            " free.",
        ),
    ] = 0,
    browser: Annotated[
        bool, Parameter(help="Open the studio in your browser; its address is printed anyway.")
    ] = True,
) -> None:
    """Open the studio: edit cards or heroes in the browser, play, and watch a verdict get surer.

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
    if not folder.is_dir():
        raise InputError(
            f"{folder} is not a folder; make it first, or name the one that has your cards"
        )
    benches = {name: bench for name in names() if (bench := reports_of(name).studio) is not None}

    def opened(address: str) -> None:
        say(f"fairdeal studio: {address}")
        say("The address is secret: whoever has it can use the studio. Ctrl-C ends it.")
        if browser:
            threading.Thread(target=_show, args=(address,), daemon=True).start()

    with chdir(folder):  # so that files and runs are named as the commands name them
        serve(Path(), benches, port, opened)


def _show(address: str) -> None:
    """Open the person's browser, unless it is one that would take over the terminal."""
    with suppress(webbrowser.Error):
        found = webbrowser.get()
        own_window = isinstance(found, webbrowser.BackgroundBrowser)
        if own_window or not isinstance(found, webbrowser.GenericBrowser):
            found.open(address)
