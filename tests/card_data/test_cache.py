"""What is kept is read back to the bit, from where nobody else can write, or not at all."""

import os
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from card_data import cache
from card_data.cache import keep, read_kept

NAME = "folder/tables"
CONTENT = bytes(range(256)) * 8
OTHER_USER = 4321


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder that is not there yet, in one of the user's own."""
    cache.told.cache_clear()
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(home))
    return home / "fairdeal"


def test_what_is_kept_is_read_back(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is there for the user alone, and there is nothing to say."""
    assert read_kept(NAME) is None
    keep(NAME, CONTENT)
    assert read_kept(NAME) == CONTENT
    for path in (folder, folder / "folder", folder / NAME):
        assert path.stat().st_mode & 0o077 == 0, path
    assert [path.name for path in (folder / "folder").iterdir()] == ["tables"]
    assert not caplog.text


def test_no_damage_goes_through(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A flipped bit anywhere and a cut anywhere is noticed, and all are told in one line."""
    rng = random.Random(7)
    keep(NAME, CONTENT)
    whole = (folder / NAME).read_bytes()
    for _ in range(100):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        (folder / NAME).write_bytes(damaged)
        assert read_kept(NAME) is None
        (folder / NAME).write_bytes(whole[: rng.randrange(len(whole))])
        assert read_kept(NAME) is None
    (line,) = caplog.messages
    assert str(folder / "folder") in line and "damaged" in line
    keep(NAME, CONTENT)
    assert read_kept(NAME) == CONTENT


def test_a_file_in_the_place_of_another_is_noticed(folder: Path) -> None:
    """A whole file under another name, a link and a pipe are nothing that was kept."""
    keep("folder/other", CONTENT)
    (folder / NAME).write_bytes((folder / "folder/other").read_bytes())
    assert read_kept(NAME) is None
    (folder / NAME).unlink()
    (folder / NAME).symlink_to("other")
    assert read_kept(NAME) is None
    (folder / NAME).unlink()
    os.mkfifo(folder / NAME, 0o600)
    assert read_kept(NAME) is None


def only_root(change: Callable[[Path], None]) -> object:
    mark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
    return pytest.param(change, marks=mark)


def give_to_a_group(folder: Path) -> None:
    os.chown(folder, -1, OTHER_USER)
    folder.chmod(0o770)


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: folder.chmod(0o777),
        lambda folder: (folder / "folder").chmod(0o757),
        lambda folder: (folder / "folder").chmod(0o1777),
        lambda folder: folder.parent.chmod(0o777),
        only_root(lambda folder: os.chown(folder, OTHER_USER, -1)),
        only_root(lambda folder: os.chown(folder.parent, OTHER_USER, -1)),
        only_root(give_to_a_group),
    ],
)
def test_folders_of_others_are_not_used(
    folder: Path, change: Callable[[Path], object], caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is read or written where others can write; one line says where and what to do."""
    keep(NAME, CONTENT)
    change(folder)
    assert read_kept(NAME) is None
    with pytest.raises(cache.Distrusted):
        keep("folder/more", CONTENT)
    assert not (folder / "folder/more").exists()
    (line,) = caplog.messages
    assert str(folder.parent) in line and "NUMBA_CACHE_DIR" in line


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: folder.chmod(0o1777),  # as /tmp is: nobody moves what others own
        lambda folder: folder.parent.chmod(0o775),  # by the user's own group
        lambda folder: folder.chmod(0o755),
    ],
)
def test_folders_of_the_user_are_used(folder: Path, change: Callable[[Path], object]) -> None:
    """Where others can read, or make files of their own beside, nothing can be changed."""
    keep(NAME, CONTENT)
    change(folder)
    assert read_kept(NAME) == CONTENT


def test_files_that_others_can_write_are_made_anew(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A file that anybody could have changed is not read, even in a folder of the user's."""
    keep(NAME, CONTENT)
    (folder / NAME).chmod(0o666)
    assert read_kept(NAME) is None
    assert "others can write" in caplog.text
    keep(NAME, CONTENT)
    assert read_kept(NAME) == CONTENT


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_links_of_others_are_not_followed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link counts if it belongs to the user: whose it is can let it lead elsewhere."""
    keep(NAME, CONTENT)
    link = tmp_path / "link"
    link.symlink_to("home/../home")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(link))
    assert read_kept(NAME) == CONTENT
    os.chown(link, OTHER_USER, -1, follow_symlinks=False)
    assert read_kept(NAME) is None


def test_a_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept in a folder whose name is "~"."""
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert read_kept(NAME) is None
    with pytest.raises(OSError, match="no home"):
        keep(NAME, CONTENT)


def test_threads_that_find_the_same_tell_it_once(caplog: pytest.LogCaptureFixture) -> None:
    """Whoever waits reads one line, however many threads compile the same rules."""
    cache.told.cache_clear()
    gate = Barrier(8)

    def tell(_: int) -> None:
        gate.wait()
        cache.tell_once("slower than need be")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(tell, range(8)))
    assert caplog.text.count("slower than need be") == 1
