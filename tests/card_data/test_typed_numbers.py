"""Numbers as people type them."""

import pytest

from card_data.typed_numbers import decimal_number, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("-1", -1),
        ("20000", 20_000),
        ("20,000", 20_000),
        ("1 000 000", 1_000_000),
        ("100_000", 100_000),
        ("100k", 100_000),
        ("100K", 100_000),
        ("1.5k", 1_500),
        ("1,5k", 1_500),
        ("2M", 2_000_000),
        ("2 m", 2_000_000),
        ("1e5", 100_000),
        ("2.5e+3", 2_500),
        ("9223372036854775807", 2**63 - 1),
    ],
)
def test_whole_numbers_are_read_as_typed(text: str, number: int) -> None:
    """With separators between thousands, with a letter for thousands and millions, with a power."""
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", "many", "1.5", "100.000", "1,5", "1.2345k", "1e-5", "1e500", "k", "10kk", "1,00,0"]
)
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    """A text that could be two numbers is none."""
    with pytest.raises(ValueError, match=r".*"):
        whole_number(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2", 2.0),
        ("0.5", 0.5),
        ("0,5", 0.5),
        ("0.5%", 0.5),
        ("0,5 %", 0.5),
        ("0.5\N{NO-BREAK SPACE}%", 0.5),
        ("±0.5", 0.5),
        ("3 points", 3.0),
        ("3 percentage points", 3.0),
        ("1 point", 1.0),
        ("3 per cent", 3.0),
        ("1e-3", 0.001),
    ],
)
def test_decimal_numbers_are_read_as_typed(text: str, number: float) -> None:
    """With a comma, a sign for per cent, or the word."""
    assert decimal_number(text) == number


@pytest.mark.parametrize("text", ["", "%", "half", "1,000.5.5", "nan", "inf", "1,2,3"])
def test_what_is_no_number_is_refused(text: str) -> None:
    """Neither words nor what is not finite."""
    with pytest.raises(ValueError, match=r".*"):
        decimal_number(text)
