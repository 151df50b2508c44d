"""What a game shows in the studio: its files, what can be chosen, and who plays."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from attrs import frozen

if TYPE_CHECKING:
    import pandas as pd

    from analysis.runs import Run
    from card_data.faults import Fault
    from reports.play.log import GameLog
    from reports.play.scene import Moment
    from reports.studio.form import Forms
    from reports.studio.measure import Eye, Measure
    from reports.studio.tables import Tables

#: What was chosen on the page, by the names of the choices.
Chosen = Mapping[str, str]
_Entry = TypeVar("_Entry")


class Face(NamedTuple):
    """An entry of a file as a player of the game reads it.

    ``is_judged`` says whether a verdict on it can be asked for, ``corner`` is the number in the
    corner of the card, if the game prints one there.  ``rules`` is a digest of rules that a person
    may change meanwhile: by others an entry is not what it was.
    """

    entry_id: str
    name: str
    facts: str
    lines: Sequence[str]
    is_judged: bool
    corner: str = ""
    rules: str = ""


class Checked(NamedTuple):
    """What the text of a file says: its faults, and its entries as far as they can be read."""

    faults: "Sequence[Fault]"
    faces: Sequence[Face]


def checked(
    faults: "Sequence[Fault]",
    entries: Iterable[tuple[str, _Entry]],
    face: Callable[[_Entry], Face],
) -> Checked:
    """The faults of a text, and the faces of those of its entries, by their ids, that have none."""
    from card_data.faults import told
    from card_data.names import plain_key

    faulty = {fault.card_id for fault in faults}
    whole = [entry for entry_id, entry in entries if plain_key(entry_id) not in faulty]
    return Checked(told(faults), [*map(face, whole)])


class Recipe(NamedTuple):
    """An example to insert: what it is for, its lines, and what the entry then says.

    ``is_whole`` says that these are whole entries, not lines of one.
    """

    section: str
    title: str
    lines: str
    says: str
    is_whole: bool


class Example(NamedTuple):
    """An entry to begin with: what is to be seen in it, and the lines of a file that has it."""

    entry: str
    title: str
    says: str
    text: str


@frozen
class Choice:
    """Something to choose, as values and the words for them; the first one is usual.

    Those of a ``group`` lie folded under its name until somebody looks for them.
    """

    name: str
    label: str
    options: Mapping[str, str]
    group: str = ""

    @property
    def usual(self) -> str:
        """The value where nothing is chosen."""
        return next(iter(self.options))


@frozen
class Stage(ABC):
    """Games by one kind of player, which are watched.

    ``games`` are how many are played before somebody asks for more, and ``measure`` is what is
    watched.  Of games that are a run there can be a page.
    """

    player: str
    games: int
    measure: "Measure"

    is_run: ClassVar[bool] = False

    @abstractmethod
    def play(self, game: str, most: int, eye: "Eye") -> None:
        """Play up to so many games.  Raises InputError, RunError and what the ``eye`` raises."""


class Row(NamedTuple):
    """A line of a chart of intervals; numbers are in the unit of its `Chart`.

    Without a number nothing is known yet.  ``kind`` is "strong", "weak" or "", ``more`` the texts
    of the further columns, ``text`` the entries that a press puts into the file, and ``chosen`` the
    values that it gives to choices of how the game is played.  ``page`` is that of the row alone,
    the run and the file in it, ``entry`` the one of the file that a press on the name leads to.
    """

    name: str
    value: str = ""
    ends: str = ""
    low: float | None = None
    at: float | None = None
    high: float | None = None
    word: str = ""
    kind: str = ""
    text: str = ""
    is_own: bool = False
    more: Sequence[str] = ()
    chosen: Chosen = MappingProxyType({})
    page: tuple[str, str] | None = None
    entry: str = ""


@frozen
class Chart:
    """Intervals below each other, on a ground from ``low`` to ``high`` with a line at ``zero``.

    ``band`` is what does not matter either way of the line; ``headings`` are those of the names, of
    the numbers and of the words, ``more`` those of further columns; ``ticks`` stand at both ends of
    the ground.
    """

    headings: tuple[str, str, str]
    rows: Sequence[Row]
    low: float
    high: float
    zero: float
    band: float
    ticks: tuple[str, str]
    more: Sequence[str] = ()


class Cell(NamedTuple):
    """A cell of a `Map`: its number, interval and ``text`` as those of a `Row`.

    ``share`` is how strong its colour is, from 0 to 1; what ``is_sure`` is bold.
    """

    value: str
    ends: str = ""
    kind: str = ""
    share: float = 0.0
    text: str = ""
    is_sure: bool = False


@frozen
class Map:
    """Entries by changes, a coloured number for each; None for what is not known yet.

    ``columns`` are the changes, of which a row may have none: then its cell is "".  ``rows`` are
    names, whether they are one's own, and their cells; ``how`` says how to read it.
    """

    heading: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, bool, Sequence[Cell | str | None]]]
    how: str


@frozen
class Tried:
    """What a trial shows: the answer, who played, further lines, a chart or a map, and its page.

    The page is the run and the file in it.
    """

    sentence: str
    who: str = ""
    lines: Sequence[str] = ()
    chart: Chart | None = None
    page: tuple[str, str] | None = None
    map: Map | None = None


#: Called with what a trial shows so far; raises KeyboardInterrupt if that is to be all.
Show = Callable[[Tried], None]


@frozen
class Trial:
    """An experiment that can be asked for: its words on the page, its choices, and what does it.

    ``do`` is given a `reports.studio.work.Asked`, with the choices in its ``more``; there is also
    ``against``, the number of a version, and ``why`` for a trial ``with_version``, and
    ``versions``, their numbers with spaces between, for one ``with_versions``.  One ``of_pool`` is
    about all that is played, whatever entry is asked about.
    """

    title: str
    hint: str
    button: str
    do: Callable[[Any, Show], None]
    choices: Sequence[Choice] = ()
    with_version: bool = False
    with_versions: bool = False
    of_pool: bool = False


class Priced(NamedTuple):
    """A price: the number and its interval in words, who says so, and its sum line by line.

    An entry without a price has ``why`` instead; ``unit`` is what the number counts.
    """

    value: str
    ends: str
    by: str
    lines: Sequence[tuple[str, str]]
    why: str = ""
    unit: str = ""


class Decided(NamedTuple):
    """A game that came out otherwise: in words, its run in the folder of the verdict, its number.

    ``turn`` is the one on which it becomes of interest.
    """

    words: str
    run: str
    number: int
    turn: int


class Bench(ABC):
    """A game in the studio."""

    #: Games are offered in this order, the lowest number first, and then by their names.
    place = 10
    #: What the game is called, where the contract of `reports` does not say it.
    title = ""
    #: The file that people begin with, and that of its rules, if the game has one.
    file = rules = ""
    #: What the choice of who else plays is called at the table: "Play against".
    others: str
    #: What the entries of a file are called, "cards", and one of them, "card".
    entries: str
    entry: str
    #: What is played where nobody asks about an entry, and what the page of its games is called.
    whole: str
    page: str
    #: Whether a person at the table can begin with the entry that is asked about.
    begins_with_entry = True
    #: Words that somebody may look for among the examples.
    looked_for: str

    @property
    def has_entries(self) -> bool:
        """Whether files of entries are edited; else what is shown is the file of the rules."""
        return not self.file or self.file != self.rules

    @property
    @abstractmethod
    def seats(self) -> Mapping[str, str]:
        """The seats that a person can take at the table, in words."""

    @property
    @abstractmethod
    def template(self) -> str:
        """A new file, with one entry to begin with, in which ``{name}`` is the name of the file."""

    @property
    def examples(self) -> Sequence[Example]:
        """Entries for the first screen."""
        return ()

    @property
    def trials(self) -> Mapping[str, Trial]:
        """Experiments by their names, in the order of the page."""
        return {}

    @property
    def forms(self) -> "Forms | None":
        """How entries are edited as fields; None for a game whose files are text alone."""
        return None

    @property
    def tables(self) -> "Tables | None":
        """How spreadsheets are read and written; None for a game that has none."""
        return None

    def is_file(self, path: Path) -> bool:
        """Whether a file of the project is one that this game reads."""
        from card_data.toml_files import Unreadable, read_text

        try:
            text = read_text(path)
        except Unreadable:
            return False
        return self.reads(text, path)

    @abstractmethod
    def reads(self, text: str, path: Path) -> bool:
        """Whether the text of a file is one that this game reads."""

    @abstractmethod
    def check(self, text: str, file: str) -> Checked:
        """What the text of a file says, and what is wrong with it."""

    @abstractmethod
    def formatted(self, text: str) -> str:
        """The text of a file spelled as changed entries are.  Raises CardFileError for faults."""

    @abstractmethod
    def recipes(self) -> Sequence[Recipe]:
        """Examples to insert."""

    @abstractmethod
    def choices(self) -> Sequence[Choice]:
        """What can be chosen."""

    @abstractmethod
    def stages(self, file: Path, entry: str, chosen: Chosen) -> Sequence[Stage]:
        """What is played to see where an entry stands, or the whole for "", weakest first.

        Raises InputError and what the game raises.
        """

    def price(self, _text: str, _file: str, _entry: str, _chosen: Chosen) -> "Priced | None":
        """What an entry is worth by a price list that is at hand, before it is played."""
        return None

    def in_words(self, text: str) -> str:
        """A text of a command with words for players whose names nobody has chosen here."""
        return text

    @abstractmethod
    def played_by(self, player: str) -> str:
        """Who plays, behind a number of games: "between learned players"."""

    @abstractmethod
    def verdicts(self, file: Path, entry: str, chosen: Chosen) -> Iterator[Any]:
        """What ``fairdeal verdict`` asks of an entry, as `reports.verdict.command.Asked`.

        Those that follow the first go on from its games, and ask stronger players as well.  Raises
        InputError and what the game raises.
        """

    def ask_stronger(self, _folder: Path, _chosen: Chosen) -> str:
        """Have a much stronger player judge what a run has shown; who that is, or "" for nobody.

        Raises what the game raises.
        """
        return ""

    @abstractmethod
    def sit_down(
        self, file: Path, entry: str, chosen: Chosen, seat: str, seed: int
    ) -> "tuple[str, GameLog]":
        """What is played, in the name of a file, and a game of a person before it begins.

        They begin with the entry, unless it is "".  Raises InputError and what the game raises.
        """

    @abstractmethod
    def company(self, log: "GameLog") -> str:
        """Who plays a game besides the person, behind what is played: "against expert"."""

    @abstractmethod
    def moments(self, run: "Run", game: int) -> "Sequence[Moment]":
        """One game of a run, told move by move on the table.  Raises RunError and ValueError."""

    def first_side(self, _run: "Run", _game: int) -> str:
        """What the side of a game of a run is called whose chance is shown."""
        return "The party"

    @abstractmethod
    def decided(self, folder: Path) -> Sequence[Decided]:
        """The games of a verdict that came out otherwise, by the folder.  Raises RunError."""

    @abstractmethod
    def why(self, tables: "Mapping[str, pd.DataFrame]") -> Mapping[str, Chart]:
        """What a verdict says of an entry and its parts, by its tables: charts by headings."""
