"""A game that somebody brings in the studio: entries, settings and players as it declares them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from card_data.schema.fields import plain_words
from reports.kit.words import DOT, listed
from reports.own_games.studio.opened import PLAYER, Opened
from reports.studio.bench import (
    Bench,
    Chart,
    Checked,
    Choice,
    Chosen,
    Decided,
    Face,
    Priced,
    Recipe,
    Stage,
    Trial,
    checked,
)
from reports.studio.form import Forms, forms_of
from reports.studio.tables import Tables
from simcore.contract.faults import GameError

if TYPE_CHECKING:
    import pandas as pd

    from analysis.runs import Run
    from card_data.schema import Entry
    from reports.play.log import GameLog
    from reports.play.scene import Moment


class _OwnGame(Bench):
    place = 0
    others = "Play against"
    looked_for = "a name, a number …"
    begins_with_entry = False

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self.file, self.rules = opened.file, opened.rules

    @property
    def page(self) -> str:  # type: ignore[override]
        return "all entries" if self.has_entries else "the whole game"

    # What the page shows is made of the game as it is now, or was when it could be opened.

    @property
    def title(self) -> str:  # type: ignore[override]
        return self._opened.shown.title

    @property
    def entries(self) -> str:  # type: ignore[override]
        kinds = self._opened.shown.kinds
        return plain_words(kinds[0].plural) if len(kinds) == 1 else "entries"

    @property
    def entry(self) -> str:  # type: ignore[override]
        kinds = self._opened.shown.kinds
        return plain_words(kinds[0].word) if len(kinds) == 1 else "entry"

    @property
    def whole(self) -> str:  # type: ignore[override]
        return f"all of {self._opened.shown.title}"

    @property
    def seats(self) -> Mapping[str, str]:
        seats = range(1, max(self._opened.shown.seats) + 1)
        return {str(seat): f"seat {seat}" for seat in seats}

    @property
    def template(self) -> str:
        from card_data.schema.formatter import game_line

        game = self._opened.shown
        word = game.kinds[0].word
        first = next(iter(self._known(word).values()), f"[{word}.mine]\n")
        return f"{game_line(game.schema)}\n\n{first}"

    @property
    def forms(self) -> Forms | None:
        if not self.has_entries:
            return None
        schema, references = self._opened.shown.schema, dict[str, list[tuple[str, str]]]()
        for word, kind in schema.kinds.items():
            for name, field in kind.fields.items():
                if of := getattr(field, "kind", ""):
                    references.setdefault(of, []).append((word, name))
        return forms_of(schema, self._known, references)

    @property
    def trials(self) -> Mapping[str, Trial]:
        from reports.own_games.studio.trials import trials

        return trials(self, self._opened)

    @property
    def tables(self) -> Tables | None:
        from card_data.cells import MAX_BYTES, SUFFIXES

        if len(self._opened.shown.kinds) != 1:
            return None  # a spreadsheet has entries of one kind
        return Tables(SUFFIXES, MAX_BYTES, self._from_table, self._to_table)

    def _from_table(self, content: bytes, name: str, sheet: str) -> str:
        """The text of a file with what a spreadsheet says.  Raises CardFileError."""
        from card_data.schema.formatter import entries_text
        from card_data.schema.sheet import parse_entry_table

        schema = self._opened.game().schema
        [word] = schema.kinds
        entries, notes = parse_entry_table(content, name, word, schema, sheet or None)
        return "".join([*(f"# {note}\n" for note in notes), entries_text(schema, {word: entries})])

    def _to_table(self, text: str, file: str, suffix: str) -> bytes:
        """A spreadsheet of what a file says.  Raises CardFileError."""
        from card_data.schema import read_entries
        from card_data.schema.sheet import encode_entries

        schema = self._opened.game().schema
        [word] = schema.kinds
        return encode_entries(schema.kinds[word], read_entries(text, file, schema)[word], suffix)

    def _known(self, word: str) -> Mapping[str, str]:
        """The lines of the entries of a kind in the game's own file, by their names."""
        from card_data.faults import CardFileError
        from card_data.schema.formatter import entry_text

        game = self._opened.shown
        try:
            entries = game.load()[word]
        except (CardFileError, GameError):
            return {}
        return {one.name: entry_text(game.schema, one) for one in entries}

    def reads(self, text: str, path: Path) -> bool:
        if not self.has_entries:
            return False
        game = self._opened.last
        if said := re.search(r'^game\s*=\s*["\'](.*)["\']', text, re.MULTILINE):
            return said[1] == game.name
        headers = "|".join(game.schema.kinds)
        is_ours = re.search(rf"^\s*\[\s*({headers})\s*\.", text, re.MULTILINE) is not None
        return is_ours or self._opened.is_base(path)

    def check(self, text: str, file: str) -> Checked:
        from card_data.faults import CardFileError
        from card_data.schema.loader import combined, read_entry_file, read_entry_text

        game = self._opened.game()
        if not self.has_entries:
            return Checked([], [])
        reader = read_entry_text(text, file, game.schema)
        takes_its_place = Path(file).name == game.entries
        base = [] if takes_its_place else [read_entry_file(self._opened.base, game.schema)]
        faults = []
        try:
            combined([*base, reader], [reader])
        except CardFileError as error:
            faults = [one for one in error.faults if one.file == file]
        several = len(game.kinds) > 1
        faces = [(one.id, one) for one in reader.entries.values()]
        return checked(faults, faces, lambda one: _face(one, several)._replace(rules=game.digest))

    def formatted(self, text: str) -> str:
        from card_data.schema.formatter import format_entries

        return format_entries(text, "", self._opened.game().schema)

    def recipes(self) -> Sequence[Recipe]:
        return [
            Recipe(f"As they are: {plain_words(kind.plural)}", name, lines, "", is_whole=True)
            for kind in self._opened.shown.kinds
            for name, lines in self._known(kind.word).items()
        ]

    def choices(self) -> Sequence[Choice]:
        return self._opened.choices()

    # ------------------------------------------------------------ games

    def price(self, text: str, file: str, entry: str, chosen: Chosen) -> Priced | None:
        from analysis.own_games.prices import OwnPriceBatches
        from analysis.questions.price_batches import Played
        from card_data.schema.loader import read_entry_text
        from reports.prices.at_hand import price_at_hand
        from simcore.own_games.setup import asked_of

        table = self._opened.table(self._opened.base, chosen)
        read = read_entry_text(text, file, table.game.schema).entries.values()
        kinds = {kind.word: kind for kind in table.game.kinds}
        found = next(Played(kinds[one.kind], one) for one in read if one.id == entry)
        # The same rules, wherever their file lies, and whatever its entries were.
        wanted = asked_of(table)
        wanted["rules"] = {"name": table.game.name, "digest": table.game.digest}
        return price_at_hand("own_games", wanted, OwnPriceBatches(table, 1, 0), found)

    def stages(self, file: Path, entry: str, chosen: Chosen) -> Sequence[Stage]:
        from reports.own_games.options import one_player, usual_player
        from reports.own_games.studio.watched import stage_of_all, stage_of_entry

        table, said = self._opened.table(file, chosen), self._opened.said(file)
        player = one_player(table, "--policy", chosen[PLAYER] or usual_player(table))
        if entry:
            return [stage_of_entry(said, table, entry, player)]
        return [stage_of_all(said, table, player, self._opened.played_by(chosen))]

    def played_by(self, player: str) -> str:
        return f"played by {player}"

    def verdicts(self, file: Path, entry: str, chosen: Chosen) -> Iterator[Any]:
        from reports.own_games.verdict import EntryOptions, ask

        self._opened.game()
        options = EntryOptions(policy=chosen[PLAYER] or None)
        how = self._opened.options(chosen)
        yield from ask(entry, self._opened.said(file), options=options, **how)

    def why(self, tables: "Mapping[str, pd.DataFrame]") -> Mapping[str, Chart]:
        from reports.studio.rows import chart_of_steps

        return chart_of_steps(tables, "its worth")

    # ------------------------------------------------------------ at the table

    def sit_down(
        self, file: Path, _entry: str, chosen: Chosen, seat: str, seed: int
    ) -> "tuple[str, GameLog]":
        from reports.own_games.options import OwnMatchOptions

        self._opened.game()
        options = OwnMatchOptions(**self._opened.options(chosen), my_seat=int(seat))
        named, player = [self._opened.said(file)], chosen[PLAYER] or None
        return options.log(named, player=player, seed=seed, start_with=None)

    def company(self, log: "GameLog") -> str:
        others = [one for seat, one in enumerate(log.players) if seat not in log.person]
        return f"against {listed(dict.fromkeys(others))}" if others else "alone"

    def moments(self, run: "Run", game: int) -> "Sequence[Moment]":
        from reports.own_games.match import moments_of_run

        self._opened.game()
        return moments_of_run(run, game)

    def first_side(self, run: "Run", _game: int) -> str:
        from simcore.own_games.run import teams_in

        return listed(f"Seat {seat + 1}" for seat in teams_in(run.manifest)[0])

    def decided(self, folder: Path) -> Sequence[Decided]:
        from analysis.own_games.verdict import FOLDER, VERDICT_GAMES
        from reports.own_games.verdict_text import game_text
        from reports.verdict.studio import decided_games

        return decided_games(FOLDER, VERDICT_GAMES, folder, game_text, turn=lambda _: 0)


def bench_of(named: str) -> Bench:
    """The game that a person has named, whose rules are run.  Raises GameError and InputError."""
    return _OwnGame(Opened(named))


def _face(entry: "Entry", several: bool) -> Face:
    """An entry with its fields; of which kind it is, where there are several."""
    from reports.own_games.match import NOTHING, entry_fields, said_value

    values = ((name, said_value(value)) for name, value in entry_fields(entry))
    facts = [f"{name} {value}" for name, value in values if value != NOTHING]
    kind = [plain_words(entry.kind)] if several else []
    return Face(entry.id, entry.name, DOT.join([*kind, *facts]), (), True)
