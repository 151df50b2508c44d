"""Files that are small and would cost much: what is refused, and that work grows no faster."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import card_data.mindbug.card_reader
import card_data.mindbug.language.parser
import card_data.mindbug.pool
import card_data.schema.value_reader
from card_data.cells import MAX_CELLS
from card_data.faults import MAX_GUESSES, MAX_TOLD, told
from card_data.mindbug import CardFileError, Fault, load_pool, load_set, load_sets, parse_set
from card_data.mindbug.schema import MAX_CARDS
from card_data.mindbug.spreadsheet import MAX_CELL, read_table
from card_data.toml_files import MAX_LINE, MAX_NESTED
from simcore.mindbug.table.card_table import MAX_CARDS as MOST_ROWS
from simcore.mindbug.table.card_table import MAX_FACES

PACKAGE = str(Path(card_data.mindbug.card_reader.__file__).parent)


def refused(text: str) -> tuple[Fault, ...]:
    """What is wrong with the text of a file called t.toml."""
    with pytest.raises(CardFileError) as caught:
        parse_set(text, "t.toml")
    return caught.value.faults


def many(n_cards: int, *lines: str) -> str:
    """A file of so many cards, with more lines in each; {n} is its number and {m} the next."""
    card = ["[c{n}]", 'name = "C{n}"', "power = 1", *lines, ""]
    return 'name = "Many"\n' + "".join(
        "\n".join(card).format(n=number, m=number + 1) for number in range(n_cards)
    )


def table(n_cards: int, cells: str = "") -> str:
    """A CSV file of so many cards."""
    rows = [f"c{n},C{n},1,{cells.format(n=n, m=n + 1)}\n" for n in range(n_cards)]
    return "card_id,name,power,evolves_to,copies,play\n" + "".join(rows)


# ---------------------------------------------------------------- messages


def test_of_many_faults_the_first_are_told() -> None:
    """The error holds every fault; its message tells the first and how many more there are."""
    faults = [Fault("t.toml", line, 1, "", "", "wrong") for line in range(1, MAX_TOLD + 3)]
    error = CardFileError(faults)
    assert len(error.faults) == MAX_TOLD + 2
    lines = str(error).split("\n")
    assert lines[-2:] == ["t.toml:50:1: wrong.", "2 more faults; correct these first."]
    assert told(faults[:MAX_TOLD]) == faults[:MAX_TOLD]
    assert str(told(faults[1:])[-1]) == "1 more fault; correct these first."


def test_message_of_any_file_stays_short() -> None:
    """Neither many faults nor long names, ids and values make a message long."""
    long_id = "x" * 1_900
    for text in (
        many(MAX_CARDS, 'play = "gian 1 life"', "powr = 1", 'keywords = ["FRENZI"]'),
        many(MAX_CARDS, f'evolves_to = "{long_id}{{n}}"'),
        many(400).replace("[c", f"[{long_id}"),
        'name = "T"\n[a]\nname = "A"\npower = 1\nplay = "' + long_id + '"',
    ):
        with pytest.raises(CardFileError) as caught:
            parse_set(text, "t.toml")
        assert len(str(caught.value)) < 30_000


def test_only_the_first_faults_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearest words and what could stand in a line are looked for a bounded number of times."""
    asked: list[str] = []

    def count(module: Any, name: str) -> None:
        original = getattr(module, name)

        def counting(*args: Any) -> Any:
            asked.append(name)
            return original(*args)

        monkeypatch.setattr(module, name, counting)

    count(card_data.schema.value_reader, "nearest")
    count(card_data.mindbug.card_reader, "nearest_field")
    count(card_data.mindbug.language.parser, "_unexpected")
    faults = refused(many(500, "powr = 1", 'play = "gian 1 life"', 'evolves_to = "d{n}"'))
    assert len(faults) == 1500
    assert 0 < asked.count("nearest_field") <= MAX_GUESSES
    assert asked.count("nearest") <= MAX_GUESSES
    assert 0 < asked.count("_unexpected") <= MAX_GUESSES
    assert all(fault.nearest for fault in faults[:MAX_TOLD] if fault.field == "play")


# ---------------------------------------------------------------- limits


def test_as_many_cards_as_the_engine_plays() -> None:
    """The most cards of a pool are those that a table of the engine has room for."""
    assert MAX_CARDS == MOST_ROWS - MAX_FACES


def test_too_many_cards_are_one_fault(tmp_path: Path) -> None:
    """A file, a spreadsheet and a pool hold as many cards as the engine plays, and no more."""
    assert len(parse_set(many(MAX_CARDS)).cards) == MAX_CARDS
    [fault] = refused(many(MAX_CARDS + 1, 'play = "gian 1 life"'))
    assert fault.problem == "there are 1,001 cards; 1,000 are the most of a file"
    path = tmp_path / "t.csv"
    path.write_text(table(MAX_CARDS + 1, ",,gian 1 life"))
    with pytest.raises(CardFileError, match="row 1002: there are more than 1,000 cards"):
        read_table(path)
    whole, more = tmp_path / "whole.toml", tmp_path / "more.toml"
    whole.write_text(many(MAX_CARDS))
    more.write_text('name = "More"\n[d]\nname = "D"\npower = 1\n')
    assert sum(len(one.cards) for one in load_pool([str(whole)]).sets) == MAX_CARDS
    with pytest.raises(CardFileError, match="the pool has 1,001 different cards; 1,000 are"):
        load_pool([str(whole), str(more)])


def test_long_lines_are_not_parsed() -> None:
    """A text over several lines of a file is a line of the card language, and has its limit."""
    long = "gain 1 life, then\n" * 200
    [fault] = refused(f'name = "T"\n[a]\nname = "A"\npower = 1\nplay = """{long}"""')
    assert fault.problem == f"the line is longer than {MAX_LINE:,} characters"
    assert fault.field == "play"


def test_tables_inside_tables_are_refused_before_they_are_read() -> None:
    """Dots and braces are counted where they join tables, in no text and no comment."""
    dotted = "\n".join(f"b{n}" + ".a" * 900 + " = 1" for n in range(3))
    [fault] = refused(dotted)
    assert fault.problem.startswith(f"there are more than {MAX_NESTED:,} dots and braces")
    assert fault.line == 3
    texts = "# " + "a.b{ " * 300 + "\n"
    assert parse_set(texts * 5 + many(1, 'keywords = []  # "...')).cards
    quotes = 3 * "'"
    faults = refused(f"a = {quotes}" + "\n..." * 1_000 + quotes)
    assert not any("dots" in fault.problem for fault in faults)


def test_long_cells_and_many_cells_are_refused(tmp_path: Path) -> None:
    """A cell that is too long is a fault of its own; too many cells are one of the table."""
    path = tmp_path / "t.csv"
    path.write_text(table(2, f",,{'a ' * MAX_CELL}"))
    with pytest.raises(CardFileError) as caught:
        read_table(path)
    assert [fault.line for fault in caught.value.faults] == [2, 3]
    assert "c0: the cell has 31,999 characters; 16,000 are the most." in str(caught.value)
    path.write_text("card_id,name\n" + ("x," * 99 + "\n") * (MAX_CELLS // 99 + 1))
    with pytest.raises(CardFileError, match="more than 100,000 cells are filled"):
        read_table(path)


# ---------------------------------------------------------------- work


@pytest.fixture
def few_guesses(monkeypatch: pytest.MonkeyPatch) -> int:
    """Fewer faults are explained, so that small files will do; how many."""
    monkeypatch.setattr(card_data.schema.value_reader, "MAX_GUESSES", 20)
    return 20


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of this package run while something is read, whatever comes of it."""
    n_lines = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal n_lines
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        n_lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except CardFileError:
        pass
    finally:
        sys.settrace(before)
    return n_lines


FILES: dict[str, Callable[[int], str]] = {
    "good": lambda n: many(n, 'play = "gain 1 life"'),
    "faulty": lambda n: many(n, 'play = "gian 1 life"'),
    "evolving": lambda n: many(n, 'evolves_to = "c{m}"', "copies = 0"),
    "evolving round": lambda n: many(n, 'evolves_to = "c{m}"', "copies = 0").replace(f"c{n}", "c0"),
    "evolving nowhere": lambda n: many(n, 'evolves_to = "d{n}"'),
    "of one name": lambda n: many(n).replace('name = "C', 'name = "C" #'),
    "unknown fields": lambda n: many(1, *(f"powr{one} = 1" for one in range(3 * n))),
    "unknown keys": lambda n: "\n".join(f"powr{one} = 1" for one in range(3 * n)),
}


@pytest.mark.parametrize("make", FILES.values(), ids=FILES)
@pytest.mark.parametrize("read", ["alone", "in a pool"])
def test_work_grows_with_the_file(
    tmp_path: Path, few_guesses: int, make: Callable[[int], str], read: str
) -> None:
    """Twice as many cards or fields take twice as much, whatever is wrong with them."""
    path, n_cards = tmp_path / "t.toml", 4 * few_guesses
    taken = []
    for size in (n_cards // 2, n_cards):
        path.write_text(make(size))
        way = (lambda: load_set(path)) if read == "alone" else (lambda: load_pool([str(path)]))
        taken.append(lines_run(way))
    assert taken[1] < 2.2 * taken[0]


def test_work_grows_with_a_table(tmp_path: Path, few_guesses: int) -> None:
    """Twice as many rows take twice as much."""
    path = tmp_path / "t.csv"
    for cells in ("c{m},0,", "d{n},1,", ",,gian 1 life"):
        taken = []
        for size in (2 * few_guesses, 4 * few_guesses):
            path.write_text(table(size, cells))
            taken.append(lines_run(lambda: read_table(path)))
        assert taken[1] < 2.2 * taken[0]


def test_work_grows_with_a_pool_file(tmp_path: Path, few_guesses: int) -> None:
    """Twice as many ids or sets that are not there take twice as much."""
    path = tmp_path / "t.toml"
    for head, tail in (('sets = ["first_contact"]\nleave_out = [', "]"), ("sets = [", "]")):
        taken = []
        for size in (2 * few_guesses, 4 * few_guesses):
            path.write_text(head + ",\n".join(f'"bee_{n}"' for n in range(size)) + tail)
            taken.append(lines_run(lambda: load_pool(pool_file=path)))
        assert taken[1] < 2.2 * taken[0]


def test_every_set_is_within_the_limits() -> None:
    """What is shipped is far from every limit."""
    sets = load_sets(card_data.mindbug.available_sets())
    assert sum(len(one.cards) + len(one.power_cards) for one in sets) < MAX_CARDS / 3
