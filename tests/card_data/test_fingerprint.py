"""What stands for checked objects is theirs alone, whatever was asked before."""

from attrs import frozen

from card_data import fingerprint
from card_data.fingerprint import plain, sha256_of


@frozen
class Part:
    """A part of an object."""

    number: int = 0


@frozen
class Whole:
    """An object of parts."""

    parts: tuple[Part, ...]


def test_objects_that_end_leave_nothing_to_others() -> None:
    """Another object in the place of one that has ended is read anew; nothing piles up."""
    kept, before = Part(3), len(fingerprint._known)
    for number in range(1, 500):
        said = plain(Whole((Part(number), kept, Part())))
        assert said == {"parts": [{"number": number}, {"number": 3}, {}]}
    assert len(fingerprint._known) <= before + 1


def test_what_is_equal_may_be_written_otherwise() -> None:
    """1 and True are equal, and two texts."""
    one, true = Part(1), Part(True)
    assert one == true
    assert sha256_of(plain(one)) != sha256_of(plain(true))
