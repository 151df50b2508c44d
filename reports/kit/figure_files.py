"""Charts as files: `write_figure`, and a second process for those that nobody waits for.

Most of the time of a report goes into the PDF and PNG of its charts, chiefly into the letters in
them, while a page only shows the SVG.  Inside `second_process` another process writes the others
meanwhile; what it has not come to when the page is there, the two share.
"""

import io
import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from html import escape
from pathlib import Path
from typing import IO, Any

from matplotlib.figure import Figure
from matplotlib.transforms import TransformNode

from card_data.checksums import checksum_of
from reports.kit import theme
from reports.kit.made import noted_at_the_end
from simcore.places import StorePath, located, remove_aside
from simcore.sealed import tell_of_writing, write_file

_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
#: What every chart is written as.
KINDS = tuple(_METADATA)
_LATER = {"pdf", "png"}
_SERVE = "import sys; sys.path[:] = {path!r}; from reports.kit.figure_files import serve; serve()"


def write_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a chart as ``path`` with each suffix of `KINDS`, the same bytes for the same chart.

    Inside `second_process` some of them are there only when the block ends.  Raises RunError when a
    file cannot be written.
    """
    path, second = located(path), _second.get()
    later = [kind for kind in KINDS if second and kind in _LATER]
    if isinstance(path, StorePath):
        later = []  # which may be a store of this process alone
    if second and later:
        second.write(figure, path, later)
    _write(figure, path, [kind for kind in KINDS if kind not in later])


@contextmanager
def second_process() -> Iterator[None]:
    """Let another process write charts but for SVG; at the end of the block all files are there.

    It gets no interrupt of its own, and ends when the block is left by an error.  What it cannot do
    for whatever reason is done here at the end, which raises what there is to raise.  With a single
    processor, or inside another such block, nothing changes.
    """
    if (os.cpu_count() or 1) == 1 or not sys.executable or _second.get():
        yield
        return
    second = _SecondProcess()
    token = _second.set(second)
    try:
        with noted_at_the_end():
            yield
            second.finish()
    finally:
        _second.reset(token)
        second.stop()


def serve() -> None:
    """Write charts as they come from the standard input, until it ends: the second process."""
    with suppress(EOFError):
        while True:
            _write_asked(pickle.load(sys.stdin.buffer))


def _write_asked(asked: tuple[Figure, Path, Sequence[str]]) -> None:
    """Write a chart as files in the style that it was drawn in, which did not come along."""
    with theme.off_screen(), theme.style():
        _write(*asked)


class _SecondProcess:
    """A process that is started for the first chart, and what it was asked for."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._asked: list[bytes] = []
        self._files: list[Path] = []
        # A pipe is full after one chart or two; a thread waits in our place.
        self._waiting: deque[bytes] = deque()
        self._feeder = ThreadPoolExecutor(1)

    def write(self, figure: Figure, path: Path, kinds: Sequence[str]) -> None:
        """Ask for a chart as it is now."""
        if not self._asked:
            with suppress(OSError):
                self._process = _start()
        self._asked.append(_pickled((figure, path, kinds)))
        for file in (_file(path, kind) for kind in kinds):
            tell_of_writing(file, None)
            self._files.append(file)
        if self._process is not None:
            self._waiting.append(self._asked[-1])
            self._feeder.submit(self._feed, _input(self._process))

    def _feed(self, pipe: IO[bytes]) -> None:
        """Hand the process the chart that waits longest, if any is left."""
        with suppress(IndexError):
            pipe.write(self._waiting.popleft())

    def finish(self) -> None:
        """Write the charts that the process has not come to, from the last one on; wait for it.

        Where it failed, write all.
        """
        if self._process is not None:
            with suppress(IndexError):
                while True:
                    _write_asked(pickle.loads(self._waiting.pop()))
            self._feeder.shutdown()
            with suppress(OSError):
                _input(self._process).close()
            if self._process.wait() == 0:
                for file in self._files:
                    tell_of_writing(file, checksum_of(file))
                return
        for asked in self._asked:
            _write_asked(pickle.loads(asked))

    def stop(self) -> None:
        """End the process, if it still runs."""
        if self._process is not None:
            self._process.kill()
            self._feeder.shutdown(cancel_futures=True)
            with suppress(OSError):
                _input(self._process).close()
            if self._process.wait():
                for file in self._files:
                    remove_aside(file, self._process.pid)


def _pickled(asked: tuple[Figure, Path, Sequence[str]]) -> bytes:
    """What is asked for, for `pickle.loads`."""
    stream = io.BytesIO()
    _Pickler(stream).dump(asked)
    return stream.getvalue()


class _Pickler(pickle.Pickler):
    """Pickles a figure so that none of its parts is forgotten when its resolution changes.

    Matplotlib keeps what depends on a transform by `id`, also when that comes from another process:
    then a new part with the same number takes the place of an old one.
    """

    def reducer_override(self, thing: object) -> Any:
        """How a transform is made again; anything else as ever."""
        if not isinstance(thing, TransformNode):
            return NotImplemented
        made: Any = thing.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
        make, arguments, state, *_ = made
        depend = {str(key): node for key, node in state["_parents"].items()}
        return make, arguments, {**state, "_parents": depend}


def _start() -> subprocess.Popen[bytes]:
    """The second process.  Raises OSError when the system has no room for one."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _SERVE.format(path=sys.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us, who stop it
    )


def _input(process: subprocess.Popen[bytes]) -> IO[bytes]:
    """Where a process reads."""
    assert process.stdin is not None
    return process.stdin


_second: ContextVar[_SecondProcess | None] = ContextVar("second", default=None)


def _write(figure: Figure, path: Path, kinds: Sequence[str]) -> None:
    """Write a chart as ``path`` with each suffix of ``kinds``."""
    for kind in kinds:
        write_file(_file(path, kind), figure_bytes(figure, kind))


def figure_bytes(figure: Figure, kind: str) -> bytes:
    """A figure as a file of a kind, with its words in it for programs that read it out."""
    stream, words = io.BytesIO(), theme.words_of(figure)
    about = {"Title": words.finding} | ({"Description": words.described} if kind == "png" else {})
    figure.savefig(stream, format=kind, dpi=theme.DPI, metadata=_METADATA[kind] | about)
    if kind != "svg":
        return stream.getvalue()
    head, mark, rest = stream.getvalue().decode().partition(" <metadata>")
    rest = rest.replace("*{stroke", f"{theme.font_face()}*{{stroke", 1)
    return f"{head} <desc>{escape(words.described, quote=False)}</desc>\n{mark}{rest}".encode()


def _file(path: Path, kind: str) -> Path:
    """The file of a chart of one kind."""
    return path.with_name(f"{path.name}.{kind}")
