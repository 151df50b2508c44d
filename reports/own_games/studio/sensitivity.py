"""What one step on each number of a game does, and what entries are worth, in the studio."""

from pathlib import Path
from typing import TYPE_CHECKING

from reports.own_games.sensitivity import ALL, GAMES
from reports.own_games.studio.opened import PLAYER, Opened
from reports.sensitivity.studio import StepPanel
from reports.studio.bench import Choice, Chosen
from reports.studio.rows import games_choice
from simcore.contract.play import SETTINGS

if TYPE_CHECKING:
    from analysis.own_games.sensitivity import OwnChange
    from card_data.schema.changes import Variable
    from reports.own_games.sensitivity import Asked
    from reports.studio.work import Asked as AskedInStudio

_WORTH = "worth"


class OwnPanel(StepPanel):
    """The experiment on the numbers of a game, or of an entry of a file."""

    hint = (
        "Makes each number in turn one less and one more, and plays that in games with the same"
        " deals and luck; for the whole game, the numbers of all its entries and settings. A press"
        " takes a change into the editor."
    )
    headings, after = ("Change", "Difference", "Outcome"), "Outcome then"
    how = (
        "How many percentage points better the seats that have the entry do with a number one less"
        " or one more; bold where that is clear. Press a number to take the change into"
        " the editor."
    )

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self.choices = (
            Choice(
                "of",
                "Change",
                {
                    "": "what you ask about above",
                    ALL: "all entries and settings",
                    **({SETTINGS: "the settings"} if opened.shown.settings else {}),
                },
            ),
            Choice(
                "by", "How", {"": "one step on each number", _WORTH: "taken away or swapped: worth"}
            ),
            games_choice({str(GAMES): f"{GAMES:,} with each, as usual"}, 4_000, 20_000),
        )

    def ask(self, asked: "AskedInStudio") -> "Asked":
        """What the command asks, of an entry, of the settings or of everything."""
        from reports.own_games.sensitivity import ask

        self._opened.game()
        return ask(
            self._opened.said(Path(asked.file)),
            asked.more["of"] or asked.entry or ALL,
            policy=asked.chosen[PLAYER] or None,
            worth=asked.more["by"] == _WORTH,
            games=int(asked.more["games"]),
            **self._opened.options(asked.chosen),
        )

    def is_mapped(self, variable: "Variable") -> bool:
        """Whether a number is one of several entries, which a map shows."""
        return variable.of != SETTINGS

    def taken(self, asked: "AskedInStudio", change: "OwnChange") -> tuple[str, Chosen]:
        """The changed entry for the file, or what to choose for another setting."""
        from card_data.schema.formatter import entry_text

        one = change.change.variable
        if one.of == SETTINGS:
            return "", self._opened.chosen_setting(one.number, change.change.changed_to)
        if asked.more["by"] == _WORTH:
            return "", {}
        table = self._opened.table(Path(asked.file), asked.chosen).changed(change.change)
        kind = next(kind for kind in table.game.kinds if kind.plural == one.of)
        entry = next(entry for entry in table.entries[kind.word] if entry.id == one.entry)
        return entry_text(table.game.schema, entry), {}
