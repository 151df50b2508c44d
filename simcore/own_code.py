"""Code of a person's own: a function in a file of theirs, named as ``FILE.py:FUNCTION``.

It is run in this process and with all its rights, so `use` alone loads it, and only where a person
names it: on the command line of this very process, or in Python.  What a run says of its players
is text: whoever opens the run reads the file for its `fingerprint` at most, and never imports it.
"""

import builtins
import hashlib
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from attrs import field, frozen

from card_data.faults import did_you_mean
from card_data.toml_files import Unreadable, read_bytes
from simcore.imports import imported_beside
from simcore.sealed import RunError

_SPELLED = re.compile(r"(?P<file>.+\.py):(?P<name>[^\W\d]\w*)")
# Where the source of a function that was written at a prompt or in a notebook is said to be.
_NOTEBOOK = "notebook.py"


class OwnCodeError(RunError):
    """A function of a person's own cannot be loaded or fails; the message says where and why."""


@frozen
class OwnCode:
    """A function that was named: how it is spelled, what it is, and a digest of its source."""

    text: str
    function: Callable[..., Any] = field(repr=False)
    digest: str
    file: Path


# What was named in this process, by its spelling.
_used: dict[str, OwnCode] = {}
# Names of the modules that came with the file that was run last.
_beside = set[str]()


def is_own(text: str) -> bool:
    """Whether a text is spelled like a function of a person's own."""
    return _SPELLED.fullmatch(text) is not None


def fingerprint(text: str) -> str:
    """A digest of the source of such a function: 16 hex digits.

    It is that of the file that holds it, and of what that imports from its folder, as they were
    when it was loaded; one that was not loaded is only read.  Raises OwnCodeError where there is no
    such file.
    """
    return _used[text].digest if text in _used else _digest(_split(text)[0], _read(text))


def use(code: str | Callable[..., Any]) -> OwnCode:
    """Load a function of a person's own, which runs its file, and remember it by its spelling.

    Parameters
    ----------
    code
        ``FILE.py:FUNCTION``, or the function itself.  One of a prompt or notebook belongs to no
        file; its own source alone makes its digest.

    Raises
    ------
    OwnCodeError
        When there is no such file or function, the file cannot be run, or it was changed since the
        function was imported.
    """
    if callable(code):
        return _remember(*_source_of(code))
    path = _split(code)[0].resolve()
    if code in _used and not path.exists():
        return _used[code]  # of a notebook, or deleted since
    source = _read(code)
    if code not in _used or (_used[code].file, _used[code].digest) != (path, _digest(path, source)):
        _remember(code, _loaded(code, source), source)
    return _used[code]


def used(text: str) -> OwnCode:
    """A function that was named in this process.  Raises OwnCodeError where it was not."""
    if text not in _used:
        raise OwnCodeError(
            f"{text} is a function of somebody's own, and fairdeal runs such code only where you"
            f" name it: read the file, then add --policy {text}, or in Python own_player({text!r})"
        )
    return _used[text]


def run_source(path: Path, source: bytes) -> ModuleType:
    """Run the source of a file that a person has named; its module.  Raises OwnCodeError.

    What it prints is for its author, beside the answers of commands.  Modules beside it are run
    anew, those of another file that are called alike and those that were edited.
    """
    folder = str(path.resolve().parent)
    module = ModuleType(f"own_code_{_hash(str(path.resolve()).encode())}")
    module.__file__ = str(path)
    module.__dict__["__builtins__"] = vars(builtins) | {"print": _print_beside}
    sys.modules[module.__name__] = module  # where dataclasses and pickle look for it
    for name in _beside:
        sys.modules.pop(name, None)
    _beside.clear()
    before, keeps_none = {*sys.modules}, sys.dont_write_bytecode
    sys.path.insert(0, folder)  # modules of its own lie beside it
    sys.dont_write_bytecode = True  # of a module that is edited twice in a second the first is kept
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        calls = traceback.extract_tb(error.__traceback__)
        lines = [call.lineno for call in calls if call.filename == str(path)]
        line = getattr(error, "lineno", None) or (lines[-1] if lines else None)
        where = f":{line}" if line else ""
        raise OwnCodeError(f"{path}{where}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = keeps_none
        new = {name: sys.modules[name] for name in {*sys.modules} - before}
        files = {name: getattr(one, "__file__", None) or "" for name, one in new.items()}
        _beside.update(name for name, file in files.items() if file.startswith(folder))
    return module


def _print_beside(*values: object, file: Any = None, **how: Any) -> None:
    print(*values, file=file or sys.stderr, **how)


def failure(code: OwnCode, error: BaseException) -> str:
    """What went wrong in a function, and in which line of its file."""
    file = code.function.__code__.co_filename if hasattr(code.function, "__code__") else ""
    calls = traceback.extract_tb(error.__traceback__)
    lines = [call.lineno for call in calls if call.filename == file]
    where = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {error}{where}"


def _remember(text: str, function: Callable[..., Any], source: bytes) -> OwnCode:
    file = _split(text)[0].resolve()
    _used[text] = OwnCode(text, function, _digest(file, source), file)
    return _used[text]


def _digest(path: Path, source: bytes) -> str:
    """A digest of a source and of what it imports from its folder."""
    found = [source]
    for name, text in imported_beside(path, source).items():
        found += [b"\0" + name.encode() + b"\0", text]
    return _hash(b"".join(found))


def _hash(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:16]


def _split(text: str) -> tuple[Path, str]:
    found = _SPELLED.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise OwnCodeError(f"{text!r} names no function; write FILE.py:FUNCTION")
    return Path(found["file"]), found["name"]


def _read(text: str) -> bytes:
    path, _ = _split(text)
    try:
        return read_bytes(path)
    except Unreadable as error:
        raise OwnCodeError(f"cannot read {path} for {text}: {error}") from None


def _loaded(text: str, source: bytes) -> Callable[..., Any]:
    """The function of that name in a source, which is run: no other version in some cache."""
    path, name = _split(text)
    module = run_source(path, source)
    function = getattr(module, name, None)
    if not callable(function):
        known = [key for key, one in vars(module).items() if _is_function(one, module.__name__)]
        raise OwnCodeError(f"{path} has no function {name!r}{_meant(name, known)}")
    return function


def _is_function(value: object, module: str) -> bool:
    return callable(value) and getattr(value, "__module__", "") == module


def _meant(name: str, known: Iterable[str]) -> str:
    """What else there is."""
    names = [one for one in known if not one.startswith("_")]
    there = f"{did_you_mean(name, names)} It has: {', '.join(names)}."
    return there if names else "; it has none at all"


def _source_of(function: Callable[..., Any]) -> tuple[str, Callable[..., Any], bytes]:
    """How a function is spelled, the function, and its source."""
    name = getattr(function, "__name__", "")
    if not name.isidentifier():
        raise OwnCodeError(f"{function!r} has no name; write it with def")
    try:
        plain = inspect.unwrap(function)  # of one that Numba compiles
        file = Path(inspect.getsourcefile(plain) or "")
        if file.suffix == ".py" and file.is_file():
            here = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
            source = file.read_bytes()
            code = getattr(plain, "__code__", None)
            if code and code not in _codes(compile(source, str(file), "exec")):
                raise OwnCodeError(f"{here} was changed since {name} was imported: import it again")
            return f"{here}:{name}", function, source
        return f"{_NOTEBOOK}:{name}", function, inspect.getsource(plain).encode()
    except (OSError, SyntaxError, TypeError):
        raise OwnCodeError(
            f"the source of {name} cannot be found; put it into a file and name FILE.py:{name}"
        ) from None


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code and all that it holds."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)
