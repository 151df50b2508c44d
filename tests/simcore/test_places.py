"""Addresses of stores: read, written and refused as folders are, and asked again in trouble."""

import pickle
import sys
import uuid
from pathlib import Path

import pytest

from simcore import places
from simcore.places import RunError, StoreError, StorePath, located
from simcore.sealed import read_file, write_file


@pytest.fixture
def folder() -> Path:
    """An address in memory that no other test has."""
    return located(f"memory://{uuid.uuid4().hex}/run")


def test_what_is_no_address_is_a_path(tmp_path: Path) -> None:
    """Folders here stay what they are."""
    for text in ("run", "/a/b", "a:b", "random:greedy", "s3:/", "C:\\runs"):
        assert type(located(text)) is type(Path())
        assert str(located(text)) == str(Path(text))
    assert located(tmp_path) is tmp_path
    assert located("file:///a/b") == Path("/a/b")
    assert located(Path("/a b/ü+").as_uri()) == Path("/a b/ü+")
    with pytest.raises(RunError, match=r"file://a/b names a machine, .* write file:///a/b"):
        located("file://a/b")


@pytest.mark.parametrize("text", ["memory://a/b", "memory:/a/b", Path("memory://a/b")])
def test_an_address_keeps_its_two_strokes(text: str | Path) -> None:
    """A path that has swallowed one of them is the address that it was."""
    found = located(text)
    assert isinstance(found, StorePath)
    assert str(found) == "memory://a/b"
    assert str(found / "c" / "d.json") == "memory://a/b/c/d.json"
    assert located(found.parent / "x").name == "x"
    assert (found / "c").relative_to(found).as_posix() == "c"
    assert found.resolve() == found == pickle.loads(pickle.dumps(found))


def test_objects_are_read_and_written_whole(folder: Path) -> None:
    """What `Path` does is done."""
    assert not folder.exists() and not folder.is_dir() and [*folder.iterdir()] == []
    with pytest.raises(FileNotFoundError):
        read_file(folder / "a.json")
    write_file(folder / "a.json", b"{}")
    write_file(folder / "games" / "part-00001.parquet", bytearray(b"12"))
    assert folder.is_dir() and not folder.is_file()
    assert (folder / "a.json").is_file() and not (folder / "a.json").is_dir()
    assert read_file(folder / "a.json") == b"{}" == (folder / "a.json").read_text().encode()
    assert [path.name for path in folder.iterdir()] == ["a.json", "games"]
    assert [*folder.glob("games/part-*")] == [folder / "games" / "part-00001.parquet"]
    assert [path.relative_to(folder).as_posix() for path in folder.rglob("*")] == [
        "a.json",
        "games/part-00001.parquet",
    ]
    assert (folder / "games" / "part-00001.parquet").stat().st_size == 2
    assert (folder / "a.json").create(b"other") is False  # type: ignore[attr-defined]
    (folder / "a.json").unlink()
    (folder / "a.json").unlink(missing_ok=True)
    assert not (folder / "a.json").exists()


@pytest.mark.parametrize(
    "address",
    [
        "s3://me:hush@host/bucket",
        "s3://key@host/b",
        "memory://a/b?token=hush",
        "https://u:hush@x/y",
    ],
)
def test_credentials_are_refused(address: str) -> None:
    """An address with a password is one message, which does not repeat it."""
    with pytest.raises(RunError, match="holds credentials") as error:
        located(address)
    assert "hush" not in str(error.value)
    assert "key" not in str(error.value).lower().replace("_key_", "")


def test_what_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown kind of address names the nearest; a missing library how to install it."""
    with pytest.raises(RunError, match="did you mean 'memory'"):
        located("memry://a/b")
    with pytest.raises(RunError, match=r"ftp://.* needs more than an address \(host\)$"):
        located("ftp://host/runs")
    with pytest.raises(RunError, match=r"simplecache://.* cannot be used"):
        located("simplecache://a/b")
    for text in ("simplecache::s3://bucket/run", "://bucket/run"):
        with pytest.raises(RunError, match="is no address: those of a store begin as in s3://"):
            located(text)
    places._file_system.cache_clear()
    monkeypatch.setitem(sys.modules, "fsspec", None)
    try:
        with pytest.raises(RunError, match=r"needs fsspec: pip install 'fairdeal\[storage\]'"):
            located("memory://a/b")
    finally:
        places._file_system.cache_clear()


class Trouble:
    """A file system that fails so many times, with one error."""

    def __init__(self, error: Exception, times: int) -> None:
        self.error, self.left, self.asked = error, times, 0

    @staticmethod
    def _strip_protocol(name: str) -> str:
        return name

    def cat_file(self, _name: str) -> bytes:
        self.asked += 1
        self.left -= 1
        if self.left >= 0:
            raise self.error
        return b"here"


def troubled(monkeypatch: pytest.MonkeyPatch, error: Exception, times: int) -> Trouble:
    """Let the store in memory fail, and wait for nothing."""
    trouble = Trouble(error, times)
    monkeypatch.setattr(places, "_file_system", lambda _: trouble)
    monkeypatch.setattr(places, "PAUSES", (0.0,) * 3)
    return trouble


@pytest.mark.parametrize("error", [OSError(16, "Slow Down"), TimeoutError(), ValueError("torn")])
def test_a_store_that_does_not_answer_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Trouble of the moment is waited out."""
    trouble = troubled(monkeypatch, error, 3)
    assert read_file(StorePath("memory:/a")) == b"here"
    assert trouble.asked == 4


def test_a_store_that_never_answers_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the address, hides what may be a password, and says that nothing is lost."""
    trouble = troubled(monkeypatch, OSError(5, "no answer of https://me:hush@host/?key=hush"), 99)
    with pytest.raises(StoreError, match=r"memory://a cannot be read.*nothing|kept") as error:
        read_file(StorePath("memory:/a"))
    assert trouble.asked == 4
    assert "hush" not in str(error.value)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PermissionError("denied"), "check the credentials"),
        (RuntimeError("Unable to locate credentials"), "check the credentials"),
        (OSError(22, "bad name"), "does not answer as it should"),
    ],
)
def test_what_will_not_change_is_asked_once(
    monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    """A refusal is told at once."""
    trouble = troubled(monkeypatch, error, 99)
    with pytest.raises(StoreError, match=words):
        read_file(StorePath("memory:/a"))
    assert trouble.asked == 1
