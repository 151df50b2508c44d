"""The last commit of a file, read by git without anything that the project folder tells it to do.

The configuration of a repository can name programs: for signatures, transfers, filters, to watch
files and more.  So git does not see the repository.  It runs in an empty one made for this, to
which the folder lends its objects, and with an environment of its own.  Which commit is checked out
is read here: the name of a branch, and its id in a file or in a list of all.
"""

import os
import re
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from card_data.toml_files import MAX_FILE_BYTES, Unreadable, read_bytes

_SECONDS = 10
#: Bytes of the longest file of git that is read, the list of all branches and tags.
_MOST = 20_000_000
_ID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_BRANCH = re.compile(r"ref: (refs/[^\0\s]+)")
_SHA256 = "[core]\nrepositoryFormatVersion = 1\n[extensions]\nobjectFormat = sha256\n"


class Commit(NamedTuple):
    """The last commit that changed a file: its id as git shortens it, its time, and the file."""

    name: str
    time: str
    text: str


def top_of(folder: Path) -> Path | None:
    """The folder with the repository that a folder is in, if any."""
    folder = folder.resolve()
    found = (one for one in (folder, *folder.parents) if os.path.lexists(one / ".git"))
    return next(found, None)


def last_commit(folder: Path, file: str) -> Commit | None:
    """The last commit of a file of a folder; None where there is none, or no git."""
    top, git = top_of(folder), shutil.which("git")
    if top is None or git is None:
        return None
    own, shared = _places(top)
    head = _head(own, shared)
    if not head:
        return None
    path = (folder.resolve() / file).relative_to(top).as_posix()
    with TemporaryDirectory(prefix="fairdeal-") as empty:
        _make_empty(Path(empty), shared, head)
        asked = _Git(git, Path(empty), shared / "objects")
        told = asked.say("rev-list", "-1", "--format=%h %cI", head, "--", path).split()
        size = asked.say("cat-file", "-s", f"{head}:{path}").strip()
        if len(told) != 4 or not size.isdecimal() or int(size) > MAX_FILE_BYTES:
            return None
        text = asked.say("cat-file", "blob", f"{head}:{path}")
    return Commit(told[2], told[3][:19], text.replace("\r\n", "\n"))


def _places(top: Path) -> tuple[Path, Path]:
    """Where the files of a repository are: its own, and those that its work trees share."""
    own = top / ".git"
    if not own.is_dir():
        own = top / _read(own).removeprefix("gitdir: ").strip()
    return own, own / _read(own / "commondir").strip()


def _head(own: Path, shared: Path) -> str:
    """The id of the commit that is checked out; "" where there is none."""
    head = _read(own / "HEAD").strip()
    if branch := _BRANCH.fullmatch(head):
        if ".." in branch[1]:
            return ""
        packed = (line.split(" ") for line in _read(shared / "packed-refs").splitlines())
        found = (line[0] for line in packed if line[1:] == [branch[1]])
        head = _read(shared / branch[1]).strip() or next(found, "")
    return head if _ID.fullmatch(head) else ""


def _read(path: Path) -> str:
    """The text of a file; "" where there is none."""
    with suppress(Unreadable, UnicodeDecodeError):
        return read_bytes(path, _MOST).decode()
    return ""


def _make_empty(empty: Path, shared: Path, head: str) -> None:
    """Make a repository without anything, but for where the history of a shallow one begins."""
    (empty / "refs").mkdir()
    (empty / "HEAD").write_text("ref: refs/heads/none\n")
    (empty / "config").write_text(_SHA256 if len(head) > 40 else "")
    if shallow := _read(shared / "shallow"):
        (empty / "shallow").write_text(shallow)


class _Git(NamedTuple):
    """The program git in an empty repository, with objects of another."""

    program: str
    empty: Path
    objects: Path

    def say(self, *words: str) -> str:
        """What git says; "" where it says nothing in some seconds, or no text."""
        with suppress(OSError, subprocess.SubprocessError, UnicodeDecodeError):
            said = subprocess.run(
                [self.program, "--no-pager", "--no-replace-objects", *words],
                cwd=self.empty,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=True,
            )
            return said.stdout.decode()
        return ""

    def _environment(self) -> dict[str, str]:
        """All that git knows from outside: nothing of the user, of the system, or of others."""
        return {
            "GIT_DIR": str(self.empty),
            "GIT_OBJECT_DIRECTORY": str(self.objects),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_LITERAL_PATHSPECS": "1",
            "HOME": str(self.empty),
            "PATH": str(Path(self.program).parent),
        }
