"""Where work lies: a folder here, or an address of a store such as ``s3://bucket/runs/mine``.

A folder here is a plain `Path`.  An address is a `StorePath`, which reads and writes whole objects
through fsspec, for anything that fsspec knows; `located` makes one or the other of what was said.
Credentials are left to the store's own library: an address that holds a password is refused, so
none gets into a manifest, a page or a message.

A store that does not answer is asked again, a little later each time; what is written is the same
whoever writes it, so an object may be written twice.
"""

import errno
import io
import os
import re
import stat as stats
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from glob import escape
from inspect import Parameter, signature
from pathlib import Path, PurePath
from threading import get_ident
from typing import IO, Any, Self, TypeVar
from urllib.parse import unquote

_T = TypeVar("_T")

#: Where players keep what they have learned, each lesson by its name, in a project folder.
TAUGHT = Path("runs/players")
#: Seconds before a store that did not answer is asked again.
PAUSES: tuple[float, ...] = (0.2, 0.5, 1, 2, 4, 8)

_PROTOCOL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/{1,3}(?=[^/])")
_SECRET = re.compile(r"//[^/@\s]+@|[?&][\w.-]+=[^\s&]+")
_BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
# What is no trouble of the moment: to ask again gives the same answer.
_FINAL = (FileNotFoundError, FileExistsError, PermissionError, IsADirectoryError)
_FINAL_NUMBERS = {errno.EINVAL, errno.ENOSYS, errno.EPERM, errno.ENAMETOOLONG, errno.EMSGSIZE}
_FULL = re.compile(
    r"quota|insufficient ?storage|storage ?full|no space left|\b507\b", re.IGNORECASE
)
_INSTALL = "pip install 'fairdeal[storage]'"
_KEPT = "what is finished is kept: repeat the command"


class RunError(Exception):
    """A folder or a file in it cannot be read or written; the message names it and what to do."""


class StoreError(RunError, OSError):
    """A store does not answer, or refuses; the message names the address and says what to do."""


# Who is asked before something is written in a folder of a store: whoever holds it.
_guards: dict[str, Callable[[], None]] = {}


def guard(folder: "StorePath", check: Callable[[], None]) -> None:
    """Call ``check`` before anything is written in a folder; it raises RunError to forbid it."""
    _guards[str(folder)] = check


def unguard(folder: "StorePath") -> None:
    """Ask no more."""
    _guards.pop(str(folder), None)


def located(address: str | os.PathLike[str]) -> Path:
    """The place of that name: a folder or file here, or an address of a store.

    Raises RunError for an address that holds a password, or of a kind that cannot be used.
    """
    if isinstance(address, Path) and not _PROTOCOL.match(str(address)):
        return address
    text = os.fspath(address)
    found = _PROTOCOL.match(text)
    if not found or (os.name == "nt" and len(found[1]) == 1):
        if "://" in text:
            raise RunError(
                f"{without_secrets(text)} is no address: those of a store begin as in s3://"
            )
        return Path(text)
    protocol, rest = found[1].lower(), text[found.end() :]
    if protocol in ("file", "local"):
        if found[0].count("/") == 2:
            raise RunError(f"{text} names a machine, not a folder: write {protocol}:///{rest}")
        return Path("/", unquote(rest))
    if "@" in rest.partition("/")[0] or "?" in rest:
        raise RunError(
            f"the address {protocol}://… holds credentials, or settings of the store; name the"
            " folder alone, and leave the rest to the store's own variables or files, as in"
            " AWS_ACCESS_KEY_ID or ~/.aws/config"
        )
    _file_system(protocol)
    return StorePath(f"{protocol}:/{rest}")


@cache
def _file_system(protocol: str) -> Any:
    """The file system of a protocol.  Raises RunError."""
    try:
        import fsspec
    except ImportError:
        raise RunError(f"{protocol}:// needs fsspec: {_INSTALL}") from None
    known = [name for name in fsspec.available_protocols() if name.isalnum()]
    if protocol not in known:
        from card_data.faults import unknown_word

        raise RunError(unknown_word("kind of address", protocol, known))
    try:
        # What needs more than an address is not tried: some fail with a traceback when thrown away.
        more = _needs_more(fsspec.get_filesystem_class(protocol))
        if not more:
            return fsspec.filesystem(protocol, use_listings_cache=False)
    except Exception as error:
        install = f". To install: {_INSTALL}" if protocol in ("s3", "s3a") else ""
        told = without_secrets(error).rstrip(".")
        raise RunError(f"{protocol}:// cannot be used: {told}{install}") from error
    raise RunError(f"{protocol}:// cannot be used: it needs more than an address ({more})")


def _needs_more(file_system: Any) -> str:
    """What a file system cannot do without besides an address; or the one that it stands on."""
    asked = signature(file_system.__init__).parameters.values()
    needed = [one.name for one in asked if one.default is one.empty and one.kind in _BY_PLACE]
    others = [one.name for one in asked if one.name in ("fo", "fs", "target_protocol")]
    return ", ".join(dict.fromkeys(needed[1:] + others))  # without "self"


def without_secrets(error: object) -> str:
    """What an error says, without what may be a password in an address."""
    return _SECRET.sub("//…", str(error)).partition("\n")[0] or type(error).__name__


class StorePath(type(Path())):  # type: ignore[misc]
    """An object of a store, or all objects whose names begin with one: what `Path` is on a disk.

    There are no folders in a store: one is there as long as an object is in it.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return _PROTOCOL.sub(r"\1://", super().__str__(), count=1)

    def __fspath__(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"StorePath({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return located, (str(self),)

    def as_posix(self) -> str:
        """As it is written."""
        return str(self)

    def resolve(self, strict: bool = False) -> Self:  # noqa: ARG002
        """Itself: there are no links in a store."""
        return self

    def absolute(self) -> Self:
        """Itself."""
        return self

    # -------------------------------------------------------- one object

    def read_bytes(self) -> bytes:
        """The contents of the object.  Raises FileNotFoundError, StoreError."""
        data: bytes = self._ask(lambda fs, name: fs.cat_file(name))
        return data

    def read_text(self, encoding: str | None = None, errors: str | None = None) -> str:
        """The contents as text."""
        return self.read_bytes().decode(encoding or "utf-8", errors or "strict")

    def write_bytes(self, data: Any) -> int:
        """Write the object, which appears whole or not at all.  Raises RunError."""
        for folder in self.parents:
            if check := _guards.get(str(folder)):
                check()
        self._ask(lambda fs, name: fs.pipe_file(name, bytes(data)), writing=True)
        return len(data)

    def create(self, data: bytes) -> bool:
        """Write the object unless there is one; whether it was written.  Raises StoreError.

        Only one of several writers at a time succeeds, where the store has conditional writes.
        """

        def put(fs: Any, name: str) -> bool:
            try:
                fs.pipe_file(name, data, mode="create")
            except FileExistsError:
                return False
            except OSError as error:
                if "PreconditionFailed" in str(error) or "ConditionalRequest" in str(error):
                    return False
                raise
            except (NotImplementedError, TypeError, ValueError):  # the store has none
                if fs.exists(name):
                    return False
                fs.pipe_file(name, data)
            return True

        return self._ask(put, writing=True) or self.read_bytes() == data

    def open(self, mode: str = "r", *_: Any, **__: Any) -> IO[Any]:
        """The contents, to be read.  Raises FileNotFoundError, StoreError."""
        data = io.BytesIO(self.read_bytes())
        return data if "b" in mode else io.TextIOWrapper(data, "utf-8")

    def unlink(self, missing_ok: bool = False) -> None:
        """Remove the object.  Raises FileNotFoundError, StoreError."""
        try:
            self._ask(lambda fs, name: fs.rm_file(name), writing=True)
        except FileNotFoundError:
            if not missing_ok:
                raise

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:  # noqa: ARG002
        """Size and time of the object.  Raises FileNotFoundError, StoreError."""
        found = self._ask(lambda fs, name: fs.info(name))
        mode = stats.S_IFDIR if found["type"] == "directory" else stats.S_IFREG
        when = found.get("LastModified") or found.get("created") or found.get("mtime") or 0
        seconds = float(getattr(when, "timestamp", lambda: when)())
        numbers = (mode | 0o644, 0, 0, 1, 0, 0, found["size"] or 0, *(int(seconds),) * 3)
        exact = {"st_mtime": seconds, "st_mtime_ns": int(seconds * 1e9)}
        return os.stat_result(numbers, exact)

    # -------------------------------------------------------- many objects

    def exists(self, *, follow_symlinks: bool = True) -> bool:  # noqa: ARG002
        """Whether there is an object, or one in it."""
        return self._kind() != ""

    def is_file(self, **_: Any) -> bool:
        """Whether there is an object."""
        return self._kind() == "file"

    def is_dir(self, **_: Any) -> bool:
        """Whether there are objects in it."""
        return self._kind() == "directory"

    def _kind(self) -> str:
        """What it is; "" if there is nothing."""
        try:
            found: dict[str, Any] = self._ask(lambda fs, name: fs.info(name))
            return str(found["type"])
        except FileNotFoundError:
            return ""

    def is_symlink(self) -> bool:
        """No."""
        return False

    def iterdir(self) -> Iterator[Self]:
        """What is in it, by name."""

        def names(fs: Any, name: str) -> list[str]:
            try:
                return sorted(one.rstrip("/") for one in fs.ls(name, detail=False))
            except (FileNotFoundError, NotADirectoryError):
                return []

        for name in self._ask(names):
            if inner := name.rpartition("/")[2]:
                yield self / inner

    def glob(self, pattern: str, **_: Any) -> Iterator[Self]:
        """What is in it, or in one folder in it, and fits a pattern such as ``games/part-*``."""
        folder, _slash, last = pattern.rpartition("/")
        for one in (self / folder if folder else self).iterdir():
            if PurePath(one.name).match(last):
                yield one

    def rglob(self, pattern: str, **_: Any) -> Iterator[Self]:
        """All objects in it, at any depth, whose names fit a pattern."""

        def names(fs: Any, name: str) -> list[str]:
            return [one[len(name) + 1 :] for one in sorted(fs.find(name))]

        return (self / name for name in self._ask(names) if PurePath(name).match(pattern))

    def mkdir(self, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        """Do nothing: a folder of a store needs none."""

    def rmdir(self) -> None:
        """Do nothing."""

    def rename(self, target: Any) -> Any:
        """Refuse: objects of a store are written where they belong."""
        raise StoreError(f"{self} cannot be moved to {target}")

    replace = rename

    # -------------------------------------------------------- asking the store

    def _ask(self, question: Callable[[Any, str], _T], *, writing: bool = False) -> _T:
        """What the store says; asked again while it does not answer.  Raises StoreError."""
        protocol = str(self).partition(":")[0]
        fs = _file_system(protocol)
        for pause in (*PAUSES, None):
            try:
                return question(fs, fs._strip_protocol(str(self)))
            except _FINAL as error:
                if isinstance(error, FileNotFoundError) and not writing:
                    raise
                raise self._refusal(error, writing) from error
            except Exception as error:  # each library has its own
                if _is_final(error) or pause is None:
                    raise self._refusal(error, writing) from error
                time.sleep(pause)
        raise AssertionError

    def _refusal(self, error: Exception, writing: bool) -> OSError:
        """The error with which a store's answer is told."""
        if isinstance(error, FileNotFoundError) and writing and "ucket" not in str(error):
            return error
        does = "written to" if writing else "read"
        told = without_secrets(error)
        if isinstance(error, PermissionError) or "redentials" in str(error):
            advice = "check the credentials of the store, and the clock of this machine"
        elif isinstance(error, FileNotFoundError):
            advice = "there is no such bucket: make it, or choose another address"
        elif _FULL.search(str(error)):
            advice = "free some space there and repeat the command: what is finished is kept"
        else:
            advice = f"the store does not answer as it should; {_KEPT}"
        return StoreError(f"{self} cannot be {does}: {told}; {advice}")


def _is_final(error: Exception) -> bool:
    """Whether to ask again would give the same answer."""
    if _FULL.search(str(error)):
        return True
    if isinstance(error, OSError):
        return error.errno in _FINAL_NUMBERS
    return "redentials" in type(error).__name__ or "redentials" in str(error)


def files_in(folder: Path) -> list[Path]:
    """All files of a folder, at any depth, by name.

    Of a store, which lists nothing else, none is asked for by itself.
    """
    found = folder.rglob("*")
    return sorted(path for path in found if isinstance(path, StorePath) or path.is_file())


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """A file beside ``path`` to write to, which takes its place when the block ends.

    No other process or thread writes to it, and nothing is left of it when the block fails.
    """
    if isinstance(path, StorePath):
        with tempfile.TemporaryDirectory() as folder:
            aside = Path(folder, path.name)
            yield aside
            path.write_bytes(aside.read_bytes())
        return
    aside = path.with_name(f".{path.name}.{os.getpid()}.{get_ident()}.tmp")
    try:
        yield aside
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def remove_aside(path: Path, process: int) -> None:
    """Remove what a process that was killed left beside a ``path`` here, in `written_aside`."""
    for aside in path.parent.glob(f".{escape(path.name)}.{process}.*.tmp"):
        aside.unlink(missing_ok=True)


@contextmanager
def local_copy(folder: Path, names: list[str]) -> Iterator[Path]:
    """A folder here with some files of a folder; that itself if it is here."""
    if not isinstance(folder, StorePath):
        yield folder
        return
    with tempfile.TemporaryDirectory() as copy:
        for name in names:
            for path in folder.glob(name):
                target = Path(copy, *path.relative_to(folder).parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())
        yield Path(copy)
