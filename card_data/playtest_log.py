"""Logs of games that people played: spreadsheets with a game, or a player, a row.

A column is known by its heading, in English or German, whatever its order; all others are kept as
they are.  Nothing is needed but what tells who won, or how long a game took.
"""

import csv
import io
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import partial
from importlib.resources import files
from math import isnan, nan
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from card_data.cells import (
    MOST_ABOVE,
    SLIPS,
    SUFFIXES,
    Cells,
    TableFault,
    UnreadableTable,
    exposed,
    listed,
    read_cells,
    table_content,
)
from card_data.faults import CardFileError, Fault, nearest, shown
from card_data.names import plain_words
from card_data.schema.sheet import table_bytes
from card_data.toml_files import printable
from card_data.typed_numbers import TwoNumbersError, decimal_mark, decimal_number
from card_data.workbook import letters, put, workbook_bytes

_WORDS = tomllib.loads(files(__package__).joinpath("playtest_words.toml").read_text("utf-8"))
_CELLS = {name: frozenset(words.split()) for name, words in _WORDS["cells"].items()}
#: Columns with a number for each game, and those that each seat can have.
LENGTHS = ("turns", "rounds", "minutes")
# A number with marks, before a unit.
_MARKED = re.compile(r"[+-]?[\d.,]*\d")
# More than any game takes, or any number of a log is.
_LONGEST, _LARGEST = 1e6, 1e12
_SEATED = ("player", "side", "held", "score", "result", "seat")


def _meanings(part: str) -> dict[str, str]:
    """What each word of a part of the file of words means."""
    return {word: name for name, words in _WORDS[part].items() for word in words.split()}


_FIELDS, _SEATS, _MONTHS = map(_meanings, ("headings", "seats", "months"))
_FILLERS = {"player", "spieler", "of", "von", "p"}
_RESULTS = (
    (_CELLS["won"] | _CELLS["yes"], 1.0),
    (_CELLS["lost"] | _CELLS["no"], 0.0),
    (_CELLS["tied"], 0.5),
)
_FIRST_DAY = date(1899, 12, 30)  # of a spreadsheet's numbers of days
_YEARS = range(1950, 2101)
_LAST_DAY, _MOST_SEATS = 31, 10
# Cards or sides that a message lists.
_MOST_LISTED = 12


@frozen
class LogTerms:
    """What the log of a game can name.

    ``cards`` that a seat holds and ``sides`` that it has are names by ids; None where any will do.
    Seats win or lose ``together``, or against each other.  ``seats`` are those of the game, 0 where
    nothing is known of it.
    """

    title: str = ""
    seats: int = 0
    cards: Mapping[str, str] | None = None
    sides: Mapping[str, str] | None = None
    together: bool = False


@frozen
class PlayedGame:
    """A game of people.

    What stands of each seat is in the order of seats: ``players`` by keys of the log ("" for
    nobody that is named), ``sides`` and ``held`` as ids, ``scores`` from 0 (lost) to 1 (won) and
    ``points``, nan where they are not known.  ``first`` is the seat that began, -1 where that is
    not known.  ``numbers`` are those of the game, ``more`` what other columns say.
    """

    row: int
    date: date | None
    version: str
    players: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    held: tuple[tuple[str, ...], ...]
    first: int
    scores: tuple[float, ...]
    points: tuple[float, ...]
    numbers: Mapping[str, float]
    more: Mapping[str, str]


@frozen
class PlaytestLog:
    """All games of a log, what its cards, sides and players are called, and how it was read."""

    file: str
    games: Sequence[PlayedGame]
    names: Mapping[str, str]
    players: Mapping[str, str]
    notes: Sequence[str]

    @property
    def versions(self) -> list[str]:
        """The versions in the order in which they first come."""
        return [*dict.fromkeys(game.version for game in self.games)]

    def without_names(self) -> "PlaytestLog":
        """The same with letters for the players, also where other columns name them."""
        called = {
            key: f"Player {letters(place + 1)}" for place, key in enumerate(sorted(self.players))
        }
        spelled = {_key(name): called[key] for key, name in self.players.items()} | called
        any_name = re.compile(
            "|".join(rf"\b{re.escape(name)}\b" for name in sorted(spelled, key=len, reverse=True))
            or "(?!)",
            re.IGNORECASE,
        )

        def hidden(text: str) -> str:
            return any_name.sub(lambda found: spelled[_key(found[0])], text)

        games = [
            evolve(one, more={name: hidden(text) for name, text in one.more.items()})
            for one in self.games
        ]
        return evolve(self, games=games, players=called, notes=())


def read_playtests(path: Path, terms: LogTerms, sheet: str | None = None) -> PlaytestLog:
    """The games in a spreadsheet.  Raises CardFileError with everything that is wrong."""
    file = printable(path)
    if path.suffix.lower() not in SUFFIXES:
        wrong = UnreadableTable("a log of games is a file that ends in .csv or .xlsx; save it so")
        raise CardFileError([wrong.fault(file)])
    reader = _Reader(file, read_cells(table_content(path, sheet), file, sheet, _FIELDS), terms)
    games = reader.games()
    if reader.faults:
        raise CardFileError(sorted(reader.faults, key=lambda one: (one.line, one.column)))
    return PlaytestLog(file, games, reader.names, reader.players(), reader.notes)


def log_columns(terms: LogTerms) -> list[str]:
    """The headings of a new log with a game a row."""
    seats = range(1, (1 if terms.together else terms.seats or 2) + 1)
    of_seats = ["player", *["side"] * bool(terms.sides), *["held"] * bool(terms.cards)]
    if terms.together:
        return [*("date", "version", "player", "side", "result", "rounds", "minutes", "remark")]
    return [
        *("date", "version", *(f"{one}_{seat}" for seat in seats for one in of_seats)),
        *("began", "winner", *(f"score_{seat}" for seat in seats), "turns", "minutes", "remark"),
    ]


def with_game(
    path: Path, values: Mapping[str, str], columns: Sequence[str]
) -> tuple[bytes, list[str]]:
    """The contents of a log with a game more; it has these ``columns`` where it is not there yet.

    ``values`` are by headings as `log_columns` spells them.  Returns as well those for which the
    log has no column.  Raises CardFileError for a file that is no log.
    """
    file, suffix = printable(path), path.suffix.lower()
    if not path.exists():
        content = table_bytes([columns], suffix, "games", [14] * len(columns))
    else:
        content = path.read_bytes()
    there = _Reader(file, read_cells(content, file, None, _FIELDS), LogTerms()).headings()
    if not there:
        raise CardFileError([Fault(file, 0, 0, "", "", "no row names columns of games")])
    row = [values.get(name, "") for name in there]
    return _with_row(content, suffix, row), [name for name in values if name not in there]


def _with_row(content: bytes, suffix: str, row: Sequence[str]) -> bytes:
    """A table with a row more, below all others."""
    if suffix == ".csv":
        code = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        text = content.decode(code)
        heading = max(text.splitlines()[:MOST_ABOVE], key=len, default="")
        line = io.StringIO()
        csv.writer(line, delimiter=max(",;\t", key=heading.count)).writerow(exposed(row))
        return f"{text.rstrip()}\r\n{line.getvalue()}".encode(code)
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(content))
    sheet = book.worksheets[0]
    last = max((at for at, cells in enumerate(sheet.values, 1) if any(cells)), default=0)
    for column, text in enumerate(row, 1):
        if text:
            put(sheet, last + 1, column, text)
    return workbook_bytes(book)


def _key(text: str) -> str:
    """A name as it is compared: "Anna" and "anna " are one."""
    return " ".join(unicodedata.normalize("NFC", text).split()).casefold()


def _column(text: str) -> tuple[str, int] | None:
    """The field and seat (0 for all) that a heading names; None for one that is not known."""
    heading = plain_words(re.sub(r"\(\s*(?:min|minutes|minuten)\.?\s*\)", "", text))
    if heading in _FIELDS:
        return _FIELDS[heading], 0
    words = re.sub(r"(?<=[a-z])(?=\d)", "_", heading).split("_")
    seats = [int(word) if word.isdigit() else int(_SEATS.get(word, 0)) for word in words]
    rest = [word for word, seat in zip(words, seats, strict=True) if not seat]
    rest = [word for word in rest if word not in _FILLERS] or rest
    name, said = _FIELDS.get("_".join(rest), ""), [seat for seat in seats if seat]
    if name in _SEATED and len(said) == 1 and said[0] <= _MOST_SEATS:
        return name, said[0]
    return None


@frozen
class _Cell:
    """The text of a cell and where it stands."""

    text: str
    at: tuple[int, int]

    @property
    def key(self) -> str:
        return _key(self.text)


_NOTHING = _Cell("", (0, 0))


class _Reader:
    """Reads the games of a table, and notes all that is wrong with it."""

    def __init__(self, file: str, cells: Cells, terms: LogTerms) -> None:
        self._file, self._cells, self._terms = file, cells, terms
        self.faults: list[TableFault] = []
        self.notes: list[str] = []
        self.names: dict[str, str] = {**(terms.cards or {}), **(terms.sides or {})}
        known = [one for one in (terms.cards, terms.sides) if one is not None]
        self._held = {key: name for one in known for key, name in one.items()} if known else None
        self._columns: dict[tuple[str, int], int] = {}
        self._more: dict[int, str] = {}
        self._spelled: dict[str, Counter[str]] = {}
        self._without_winner = self._by_points = 0
        self._day_first: bool | None = None
        self._mark = ""
        self._unknown: set[str] = set()

    # ------------------------------------------------------------ the table

    def games(self) -> list[PlayedGame]:
        """The games of all rows."""
        head = self._heading_row()
        if not head:
            self.note(
                (1, 0), "no row names columns of games, such as 'player_1', 'winner', 'turns'"
            )
            return []
        self._read_headings(head)
        rows = [row for row in range(head + 1, len(self._cells.rows) + 1) if self._is_game(row)]
        if not rows and not self.faults:
            self.note((head, 0), "there are no games below the row that names the columns")
        self._day_first = self._reads_day_first(rows)
        self._mark = self._mark_of_decimals(rows)
        games = [self._game(group) for group in self._groups(rows)]
        self._tell(games)
        return games

    def headings(self) -> list[str]:
        """What each column holds, as `log_columns` spells it; "" for one that is not known."""
        row = self._heading_row()
        if not row:
            return []
        found = map(_column, self._cells.rows[row - 1])
        return [f"{one[0]}_{one[1]}" if one and one[1] else one[0] if one else "" for one in found]

    def note(self, at: tuple[int, int], problem: str, **more: Any) -> None:
        """Note a fault of a cell."""
        heading = next((name for name, one in self._headings() if one == at[1]), "")
        more |= {"sheet": self._cells.title, "heading": heading}
        self.faults.append(TableFault(self._file, *at, "", "", problem, **more))

    def players(self) -> dict[str, str]:
        """How most rows spell each player."""
        return {key: spelled.most_common(1)[0][0] for key, spelled in self._spelled.items()}

    def _headings(self) -> Iterator[tuple[str, int]]:
        for (name, seat), column in self._columns.items():
            yield f"{name}_{seat}" if seat else name, column

    def _heading_row(self) -> int:
        """The first row with the most known headings; 0 where none has any."""
        known = [
            len({one for text in row if (one := _column(text))})
            for row in self._cells.rows[:MOST_ABOVE]
        ]
        return known.index(max(known)) + 1 if max(known, default=0) else 0

    def _read_headings(self, row: int) -> None:
        for column, text in enumerate(self._cells.rows[row - 1], 1):
            found = _column(text)
            if found in self._columns:
                self.note((row, column), f"there are two columns for {shown(text)}; rename one")
            elif found:
                self._columns[found] = column
            elif text.strip():
                self._more[column] = " ".join(text.split())
        kept = [
            f"{name} (did you mean '{guess}'?)" if guess else name
            for name in self._more.values()
            for guess in [self._meant(name)]
        ]
        if kept:
            self.notes.append(f"kept as they are: {', '.join(kept)}")
        if ("other", 0) in self._columns:  # "began" and "other" name the two players
            self._columns["player", 2] = self._columns.pop(("other", 0))
            if ("began", 0) in self._columns and ("player", 1) not in self._columns:
                self._columns["player", 1] = self._columns["began", 0]

    def _meant(self, heading: str) -> str:
        """The column that was probably meant by a heading that is not known."""
        free = [name for name in _WORDS["headings"] if (name, 0) not in self._columns]
        guess = nearest(plain_words(heading), free)
        return guess if guess[:2] == plain_words(heading)[:2] else ""

    def _is_game(self, row: int) -> bool:
        """Whether a row has a game, and is not blank or the sum of others."""
        filled = [text.strip() for text in self._cells.rows[row - 1] if text.strip()]
        if filled and _key(filled[0]).split()[0].rstrip(":") in _CELLS["sum"]:
            self.notes.append(f"row {row} ({filled[0]}) is left out")
            return False
        return bool(filled)

    def _cell(self, row: int, name: str, seat: int = 0) -> _Cell:
        """What a column says in a row; nothing where it is not known."""
        column = self._columns.get((name, seat), 0)
        if not column:
            return _NOTHING
        at = row, column
        text = self._cells.text(at).strip()
        slip = self._cells.slip(at, ("error",))
        if slip == "error" or (slip == "date" and name not in ("date", "minutes", "version")):
            self.note(at, SLIPS[slip].format(shown(text)))
            return _NOTHING
        if slip == "formula":
            remedy = "open the file in a spreadsheet program and save it there"
            self.note(at, f"the file has no value of the formula {shown(text)}; {remedy}")
            return _NOTHING
        return _NOTHING if _key(text) in _CELLS["unknown"] else _Cell(text, at)

    def _groups(self, rows: Sequence[int]) -> list[list[int]]:
        """Rows that are one game: those of its players, where there is a row for each."""
        if ("game", 0) not in self._columns or ("winner", 0) in self._columns or self._seats():
            return [[row] for row in rows]
        groups: dict[str, list[int]] = {}
        for row in rows:
            cell = self._cell(row, "game")
            if not cell.text:
                self.note((row, self._columns["game", 0]), "say which game this player's row is of")
            groups.setdefault(cell.key, []).append(row)
        return [*groups.values()]

    def _seats(self) -> list[int]:
        return sorted({seat for _, seat in self._columns if seat})

    # ------------------------------------------------------------ a game

    def _game(self, rows: Sequence[int]) -> PlayedGame:
        first_row, seats = rows[0], self._seats()
        if seats:
            of_seats = [partial(self._cell, first_row, seat=seat) for seat in seats]
            of_seats = [one for one in of_seats if any(one(name).text for name in _SEATED)]
        else:
            of_seats = [partial(self._cell, row) for row in sorted(rows, key=self._seat_number)]
        players, sides = ([one(name) for one in of_seats] for name in ("player", "side"))
        if len(of_seats) == 1 and not self._terms.together:
            players, sides = self._split(players[0]), self._split(sides[0])
        n_seats = max(len(players), len(sides), len(of_seats))
        if 0 < (most := self._terms.seats) < n_seats:
            what = f"{n_seats} players, and {self._terms.title} has {most}"
            self.note((first_row, players[-1].at[1]), f"this game has {what}")
        keys = [self._player(one) for one in players]
        if len({*filter(None, keys)}) < len([*filter(None, keys)]):
            self.note(players[0].at, "one player has two seats; give them different names")
        named = [self._entries(one, self._terms.sides, "side") for one in sides]
        began, first = self._first(first_row, of_seats, keys, named)
        scores, n_seats = self._scores(first_row, of_seats, keys, named, began, first, n_seats)
        points = [self._number(one("score")) for one in of_seats]
        scores = self._with_points(scores, points)
        self._without_winner += all(map(isnan, scores))
        held = [self._entries(one("held"), self._held, "card") for one in of_seats]
        return PlayedGame(
            row=first_row,
            date=self._of_all(rows, "date", self._date)[1],
            version=self._of_all(rows, "version", lambda one: one.key)[0].text,
            players=_filled(keys, n_seats, ""),
            sides=_filled(named, n_seats, ()),
            held=_filled(held, n_seats, ()),
            first=first if first < n_seats else -1,
            scores=_filled(scores, n_seats, nan),
            points=_filled(points, n_seats, nan),
            numbers=dict(self._numbers(rows)),
            more=dict(self._others(rows)),
        )

    def _seat_number(self, row: int) -> float:
        number = self._number(self._cell(row, "seat"))
        return 0 if isnan(number) else number

    def _common(self, rows: Sequence[int], name: str) -> _Cell:
        """What the rows of a game say of all of it: the first that says something."""
        return next((one for row in rows if (one := self._cell(row, name)).text), _NOTHING)

    def _of_all(
        self, rows: Sequence[int], name: str, read: Callable[[_Cell], Any]
    ) -> tuple[_Cell, Any]:
        """The cell that says something of all of a game, and what; a fault where rows differ."""
        said = [one for row in rows if (one := self._cell(row, name)).text]
        found = [(one, read(one)) for one in said]
        known = [(one, value) for one, value in found if value not in (None, nan)]
        for cell, value in known[1:]:
            if value != known[0][1]:
                first = f"{shown(known[0][0].text)} in row {known[0][0].at[0]}"
                problem = f"this game has {shown(cell.text)} here and {first}; write the right one"
                self.note(cell.at, problem)
        return found[0] if found else (_NOTHING, read(_NOTHING))

    def _split(self, cell: _Cell) -> list[_Cell]:
        """Several names in one cell."""
        parts = re.split(r"\s*(?:[,;&+/\n]|\b(?:and|und|vs|gegen)\b\.?)\s*", cell.text)
        return [_Cell(part, cell.at) for part in parts]

    def _player(self, cell: _Cell) -> str:
        if cell.text:
            self._spelled.setdefault(cell.key, Counter())[" ".join(cell.text.split())] += 1
        return cell.key

    def _entries(self, cell: _Cell, known: Mapping[str, str] | None, what: str) -> tuple[str, ...]:
        """The cards or sides that a cell names, by their ids."""
        if not cell.text:
            return ()
        ids = {_key(one): id_ for id_, name in (known or {}).items() for one in (id_, name)}
        whole = ids.get(cell.key)
        parts = [cell] if whole else [one for one in self._split(cell) if one.text]
        found = []
        for part in parts:
            if known is None:
                self.names.setdefault(part.key, part.text)
                found.append(part.key)
            elif part.key in ids:
                found.append(ids[part.key])
            elif part.key not in self._unknown:  # told once, however often it stands there
                self._unknown.add(part.key)
                guess = nearest(part.text, known.values())
                problem = f"{self._terms.title} has no {what} {shown(part.text)}"
                problem += "" if guess else "; correct it, or name the file that has it as well"
                allowed = (*known.values(),) if len(known) <= _MOST_LISTED else ()
                self.note(cell.at, problem, found=part.text, nearest=guess, allowed=allowed)
        return (*dict.fromkeys(found),)

    def _first(
        self,
        row: int,
        of_seats: Sequence[Callable[[str], _Cell]],
        keys: Sequence[str],
        sides: Sequence[Sequence[str]],
    ) -> tuple[bool | None, int]:
        """Whether the only player that a row is about began, if it says so, and who began."""
        said = [one("began") for one in of_seats]
        if self._seats():
            said = [self._cell(row, "began")]
            if self._columns.get(("player", 1)) == self._columns.get(("began", 0)):
                return None, 0 if said[0].text else -1
        if len(said) > 1:
            began = [place for place, one in enumerate(said) if one.key in _CELLS["yes"]]
            return None, began[0] if len(began) == 1 else -1
        cell = said[0] if said else _NOTHING
        if len(keys) < 2 and cell.key in _CELLS["yes"] | _CELLS["no"]:
            return cell.key in _CELLS["yes"], 0 if cell.key in _CELLS["yes"] else 1
        places = self._places(cell, keys, sides, "began") if cell.text else []
        return None, places[0] if len(places) == 1 else -1

    def _places(
        self, cell: _Cell, keys: Sequence[str], sides: Sequence[Sequence[str]], what: str
    ) -> list[int]:
        """The seats that a cell names: by player, number or side; a fault where it names none."""
        found = []
        by_side = {_key(self.names[one]): at for at, two in enumerate(sides) for one in two}
        by_name = by_side | {key: at for at, key in enumerate(keys) if key}
        for part in [cell] if cell.key in by_name else self._split(cell):
            number = re.fullmatch(r"(?:seat |player |spieler |sitz )?(\d{1,2})", part.key)
            if part.key in by_name:
                found.append(by_name[part.key])
            elif number and 0 < int(number[1]) <= max(len(keys), self._terms.seats, 2):
                found.append(int(number[1]) - 1)
            elif part.text:
                there = [*(self._spelled[key].most_common(1)[0][0] for key in keys if key)]
                problem = f"{shown(part.text)} {what}, and is none of the players of this game"
                more = {"allowed": tuple(there), "nearest": nearest(part.text, there)}
                self.note(cell.at, problem, found=part.text, **more)
        return found

    def _scores(
        self,
        row: int,
        of_seats: Sequence[Callable[[str], _Cell]],
        keys: Sequence[str],
        sides: Sequence[Sequence[str]],
        began: bool | None,
        first: int,
        n_seats: int,
    ) -> tuple[list[float], int]:
        """What each seat won, from 0 to 1, and how many seats there are."""
        winner, is_together = self._cell(row, "winner"), self._terms.together
        results = [one("result") for one in of_seats]
        if winner.text and not is_together:
            if winner.key in _CELLS["tied"]:
                n_seats = max(n_seats, 2)
                scores = [1 / n_seats] * n_seats
            else:
                places = self._places(winner, keys, sides, "won")
                n_seats = max(n_seats, 2, *(place + 1 for place in places), first + 1)
                if not places:
                    return [nan] * n_seats, n_seats
                scores = [float(seat in places) / len(places) for seat in range(n_seats)]
            self._check_results(winner, scores, results)
            return scores, n_seats
        if self._seats() and not any(one.text for one in results):
            results = [self._cell(row, "result")]
        scores = [self._result(one) for one in ([winner] if winner.text else results)]
        alone = len(scores) == 1 and not is_together
        if alone and (n_seats == 2 or began is not None or self._terms.seats == 2):
            return [scores[0], 1 - scores[0]], 2
        if len(scores) > 1:
            scores = self._agreeing(scores, results)
        return scores, max(n_seats, len(scores))

    def _check_results(
        self, winner: _Cell, scores: Sequence[float], results: Sequence[_Cell]
    ) -> None:
        """Note a result of a seat that is another than who won says."""
        for cell, score in zip(results, scores, strict=False):
            result = next((one for words, one in _RESULTS if cell.key in words), score)
            is_tie = winner.key in _CELLS["tied"]
            if (result > 0) != (score > 0) or (result == 1 and is_tie) or result < score:
                said = f"and the winner is {shown(winner.text)}; correct one of the two"
                self.note(cell.at, f"the result is {shown(cell.text)}, {said}")

    def _agreeing(self, scores: list[float], results: Sequence[_Cell]) -> list[float]:
        """What seats won as their results say; a fault where these cannot all be right.

        Of two opponents, one result tells the other.  Of more, a team may have won.
        """
        if self._terms.together:
            is_right, remedy = len({one for one in scores if not isnan(one)}) < 2, "the same in all"
        else:
            if len(scores) == 2:
                one, other = scores
                scores = [1 - other if isnan(one) else one, 1 - one if isnan(other) else other]
            best = [one for one in scores if one]
            some_won = {*best} == {1.0} and len(best) < len(scores)
            some_tied = {*best} == {0.5} and len(best) > 1
            is_right = some_won or some_tied or any(map(isnan, scores))
            remedy = "won for whoever won and lost for all others, or tie for all who tied"
        if not is_right:
            said = ", ".join(shown(one.text) for one in results)
            self.note(results[-1].at, f"the results of this game are {said}; write {remedy}")
        return scores

    def _result(self, cell: _Cell) -> float:
        """What a seat won: 1, 0, or one half for a tie."""
        for words, score in _RESULTS:
            if cell.key in words:
                return score
        if cell.text:
            self.note(cell.at, f"{shown(cell.text)} is not a result; write won, lost or tie")
        return nan

    def _with_points(self, scores: list[float], points: Sequence[float]) -> list[float]:
        """Scores as they follow from points, where nothing else says who won."""
        is_known = len(points) > 1 and not any(map(isnan, points))
        if not is_known or not all(map(isnan, scores)) or self._terms.together:
            return scores
        self._by_points += 1
        best = [float(one == max(points)) for one in points]
        return [one / sum(best) for one in best]

    def _numbers(self, rows: Sequence[int]) -> Iterator[tuple[str, float]]:
        """The numbers of a game: of columns that are known, and of others that hold numbers."""
        for name in LENGTHS:
            read = self._minutes if name == "minutes" else self._number
            cell, number = self._of_all(rows, name, read)
            if cell.text and not isnan(number):
                if not 0 < number <= _LONGEST:
                    self.note(cell.at, f"{shown(cell.text)} is not a length; leave the cell empty")
                yield name, number
        for column, name in self._more.items():
            cell = _Cell(self._cells.text((rows[0], column)), (rows[0], column))
            with suppress(ValueError):
                number = self._decimal(cell)
                if abs(number) > _LARGEST:
                    continue
                self.names[plain_words(name)] = name
                yield plain_words(name), number

    def _others(self, rows: Sequence[int]) -> Iterator[tuple[str, str]]:
        """What is kept as it is."""
        if remark := self._common(rows, "remark").text:
            yield "remark", remark
        for column, name in self._more.items():
            if text := self._cells.text((rows[0], column)).strip():
                yield name, text

    def _number(self, cell: _Cell) -> float:
        try:
            number = self._decimal(cell) if cell.text else nan
        except TwoNumbersError:
            return nan
        except ValueError:
            self.note(cell.at, f"{shown(cell.text)} is not a number")
            return nan
        if abs(number) > _LARGEST:
            self.note(cell.at, f"{shown(cell.text)} is too large a number")
            return nan
        return number

    def _decimal(self, cell: _Cell) -> float:
        """The number of a cell; noted where it is two.  Raises ValueError where it is not one."""
        try:
            is_number = cell.at in self._cells.numbers
            return decimal_number(cell.text, None if is_number else self._mark)
        except TwoNumbersError as error:
            self.note(cell.at, str(error))
            raise

    def _mark_of_decimals(self, rows: Iterable[int]) -> str:
        """What stands before decimals in the texts; "" where they do not tell, or differ."""
        named = ("score", "winner", "result", *LENGTHS)
        columns = [at for (name, _), at in self._columns.items() if name in named]
        cells = ((row, at) for row in rows for at in (*columns, *self._more))
        texts = (self._cells.text(at) for at in cells if at not in self._cells.numbers)
        marks = {decimal_mark(found[0]) for text in texts if (found := _MARKED.match(text.strip()))}
        marks.discard("")
        return marks.pop() if len(marks) == 1 else ""

    def _minutes(self, cell: _Cell) -> float:
        """Minutes as people write them: 35, "35 min", "1:05", "1 h 5"."""
        hours = re.fullmatch(
            r"(?:(\d+) days?, )?(\d+)\s*(?::|h|std\.?)\s*(\d{1,2})?(?::00)?\s*(?:m|min\.?)?",
            cell.key,
        )
        if hours:
            days, full, minutes = (int(one or 0) for one in hours.groups())
            return 60.0 * (24 * days + full) + minutes
        bare = re.sub(r"\s*(?:m|min|mins|minuten|minutes)\.?$", "", cell.key)
        return self._number(_Cell(bare, cell.at))

    # ------------------------------------------------------------ dates

    def _reads_day_first(self, rows: Iterable[int]) -> bool:
        """Whether 3/4/2026 is the third of April, as far as other dates tell."""
        texts = (self._cells.text((row, self._columns.get(("date", 0), 1))) for row in rows)
        slashed = [found for text in texts if (found := re.match(r"\s*(\d+)/(\d+)/", text))]
        month_first = any(int(one[2]) > 12 for one in slashed)
        if slashed and not month_first and not any(int(one[1]) > 12 for one in slashed):
            self.notes.append(f"{slashed[0][0]}… is read as day/month")
        return not month_first

    def _date(self, cell: _Cell) -> date | None:
        """A date as people and spreadsheets write it."""
        if not cell.text:
            return None
        found = _date(cell.key, bool(self._day_first))
        if found is None:
            self.note(cell.at, f"{shown(cell.text)} is not a date; write it as in 2026-08-07")
        return found

    def _tell(self, games: Sequence[PlayedGame]) -> None:
        """Note how the table was read."""
        if merged := [" = ".join(map(repr, one)) for one in self._spelled.values() if len(one) > 1]:
            self.notes.append(f"read as one person: {listed(merged)}")
        for number, what in (
            (self._by_points, "{} decided by points: whoever has most won"),
            (self._without_winner, "{} without a winner: counted for length alone"),
        ):
            if number and len(games) > number * (what[0] == "x"):
                self.notes.append(what.format(f"{number} game{'s' * (number > 1)}"))


def _filled(values: Sequence[Any], n: int, nothing: Any) -> tuple[Any, ...]:
    """Values of all seats."""
    return (*values, *[nothing] * (n - len(values)))[:n]


def _date(text: str, day_first: bool) -> date | None:
    """A date, the day or the month first where slashes part them; None for what is none."""
    if number := re.fullmatch(r"(\d{5})(?:\.0)?", text):
        return _FIRST_DAY + timedelta(days=int(number[1]))
    text = re.sub(r"[ t]\d{1,2}:\d\d(:\d\d)?.*$", "", text)
    numbers = [int(one) for one in re.findall(r"\d+", text)]
    if words := re.findall(r"[^\W\d_]{3,}", text):
        months = [int(_MONTHS[word[:3]]) for word in words if word[:3] in _MONTHS]
        if len(months) != 1 or len(numbers) != 2:
            return None
        day, year = sorted(numbers) if max(numbers) > _LAST_DAY else numbers
        return _valid(year, months[0], day)
    if len(numbers) != len(("year", "month", "day")) or not re.fullmatch(r"[\d./ -]+", text):
        return None
    if numbers[0] > _LAST_DAY:
        return _valid(*numbers)
    day, month, year = numbers
    return _valid(year, month, day) if day_first or "." in text else _valid(year, day, month)


def _valid(year: int, month: int, day: int) -> date | None:
    """The date, if there is such a one."""
    year += 2000 * (year < 100)
    try:
        return date(year, month, day) if year in _YEARS else None
    except ValueError:
        return None
