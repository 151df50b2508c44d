"""What was worked out once is kept for later starts: compiled kernels, tables of the grammar.

Both are read by running them: they are pickles and machine code.  So a file counts only where
nobody but the user and root can have written it, and only if it is to the bit what was written.
Anything else is worked out anew, after one line that says so; so is everything where no folder
can be written.
"""

import hashlib
import logging
import os
import stat
from functools import cache
from pathlib import Path
from threading import Lock

_log = logging.getLogger(__name__)
_telling = Lock()
_CHECKSUM_SIZE = hashlib.sha256().digest_size
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Distrusted(OSError):
    """Others than the user and root could have written what lies there."""


def cache_folder() -> Path:
    """The user's cache folder for fairdeal, which need not exist.

    Raises
    ------
    OSError
        If nothing says where it is: the user has no home.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    caches = chosen or os.path.expanduser("~/.cache")  # noqa: PTH111 - Path refuses without a home
    if caches.startswith("~"):
        raise FileNotFoundError(0, "the user has no home folder", caches)
    return Path(caches).absolute() / "fairdeal"


def read_kept(name: str) -> bytes | None:
    """What is kept under a name; None if nothing is, or nothing that can be relied on.

    Says so if what is there is damaged, or could have been written by others.
    """
    try:
        path = cache_folder() / name
        path.parent.lstat()
        check_folder(path.parent)
    except Distrusted as error:
        cannot_keep(error)
        return None
    except OSError:
        return None
    try:
        # A link or a pipe is nothing that was kept.
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(file, "rb") as opened:
            _check_writers(os.fstat(file), path)
            found = opened.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        _tell_damaged(path, str(error.strerror))
        return None
    content = unsealed(name, found)
    if content is None:
        _tell_damaged(path, "it was changed")
    return content


def _tell_damaged(path: Path, why: str) -> None:
    tell_once(f"{path.parent}: a file of this cache is damaged ({why}), so it is made again")


def keep(name: str, content: bytes) -> None:
    """Keep something under a name, a relative path in the cache folder.

    Whoever reads meanwhile finds what was there before, or all of it.

    Raises
    ------
    OSError
        If it cannot be kept.
    """
    import tempfile

    path = cache_folder() / name
    make_folder(path.parent)
    file, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(file, "wb") as opened:
            opened.write(sealed(name, content))
        Path(temporary).replace(path)
    except OSError as error:  # a full disk is reported without a name
        raise OSError(error.errno, error.strerror, str(path.parent)) from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Make a folder where things can be kept, for the user alone, if it is not there.

    Raises
    ------
    OSError
        If nothing can be kept there.
    """
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    check_folder(folder)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(0, "it cannot be written", str(folder))


def cannot_keep(error: OSError) -> None:
    """Say, once, that nothing can be kept for later starts, why, and what to do."""
    tell_once(
        f"every start compiles again, since no cache can be used ({error.filename}:"
        f" {error.strerror}); set NUMBA_CACHE_DIR or XDG_CACHE_HOME to a folder of your own"
    )


def tell_once(message: str) -> None:
    """Log a warning unless it has been: on stderr, where nobody has set up anything else."""
    with _telling:  # or threads at once would each find that it has not been
        told(message)


@cache
def told(message: str) -> None:
    """Log a warning the first time."""
    _log.warning(message)


def check_folder(folder: Path) -> None:
    """Look at who can change what lies in a folder: at it, at all above it and at links on the way.

    Raises
    ------
    Distrusted
        If others than the user and root can.
    OSError
        If it is not there or cannot be reached.
    """
    folder.stat()  # ends links in a circle
    place, steps = Path(folder.anchor), list(reversed(folder.absolute().parts[1:]))
    _check_writers(place.lstat(), place, sticky=True)
    while steps:
        step = steps.pop()
        if step == "..":
            place = place.parent
            continue
        found = (place / step).lstat()
        if stat.S_ISLNK(found.st_mode):
            _check_owner(found, place / step)
            target = Path(os.readlink(place / step))  # noqa: PTH115
            place = Path(place.anchor) if target.is_absolute() else place
            steps += reversed([part for part in target.parts if part != target.anchor])
        else:
            place /= step
            _check_writers(found, place, sticky=bool(steps))


def _check_writers(found: os.stat_result, path: Path, *, sticky: bool = False) -> None:
    """Raise Distrusted if others than the user and root can write.

    Everybody may write into a folder above if it is ``sticky``: there they can neither remove nor
    rename what belongs to others.
    """
    _check_owner(found, path)
    others = found.st_mode & _OTHERS_WRITE
    if others == stat.S_IWGRP and _is_private(found.st_gid):
        return
    if others and not (sticky and found.st_mode & stat.S_ISVTX):
        raise Distrusted(0, "others can write there ('chmod go-w' takes that from them)", str(path))


def _check_owner(found: os.stat_result, path: Path) -> None:
    if found.st_uid not in (0, os.geteuid()):
        raise Distrusted(0, f"it belongs to user {found.st_uid}", str(path))


def _is_private(group: int) -> bool:
    """Whether a group is the user's own, with no other member, as many systems give one to each."""
    import grp
    import pwd

    try:
        user, members = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    names = {user.pw_name}
    return group == user.pw_gid and {members.gr_name} == names and {*members.gr_mem} <= names


def sealed(name: str, content: bytes) -> bytes:
    """What is written of something kept under a name: a digest of both, and it."""
    return hashlib.sha256(f"{name}\0".encode() + content).digest() + content


def unsealed(name: str, written: bytes) -> bytes | None:
    """What is kept under a name, as `sealed` has written it; None if it was changed since."""
    content = written[_CHECKSUM_SIZE:]
    return content if sealed(name, content) == written else None
