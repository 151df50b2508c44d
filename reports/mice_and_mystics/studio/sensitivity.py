"""What one step on each number of a chapter changes, in the studio."""

from pathlib import Path
from typing import TYPE_CHECKING

from analysis.mice_and_mystics.experiments.usual import CHANGE_GAMES
from reports.mice_and_mystics.cli.sensitivity import ALL
from reports.mice_and_mystics.studio.choices import choices_of_changed, read
from reports.mice_and_mystics.studio.entry_texts import changed_text
from reports.sensitivity.studio import StepPanel
from reports.studio.bench import Choice, Chosen
from reports.studio.rows import games_choice

if TYPE_CHECKING:
    from analysis.mice_and_mystics.experiments.sensitivity import FactChange
    from card_data.schema.changes import Variable
    from reports.mice_and_mystics.cli.sensitivity import Asked
    from reports.studio.work import Asked as AskedInStudio

#: What is changed where nobody asks about an entry, and kinds of entries whose numbers are a map.
_MAPPED = ("heroes", "minions")
#: What is changed: values of ``--of`` and the words for them.
_OF = {
    "": "what you ask about above",
    ",".join(_MAPPED): "heroes and minions: a map",
    "cards": "abilities, search cards, encounters",
    "chapter,rules": "the chapter and numbers of the game",
    "switches": "open points of the rules",
    ALL: "everything: some hundreds",
}


class ChapterPanel(StepPanel):
    """The experiment on the numbers of a chapter, or of an entry of a file."""

    hint = (
        "Makes one number after the other one less and one more, and plays each in games with the"
        " same party, decks and dice; of a chapter, its heroes and minions. A press takes a change"
        " into the editor."
    )
    headings, after = ("Change", "Difference", "Games won"), "Won then"
    words = ("more", "fewer")
    how = (
        "By how many percentage points more games are won with a number one less or one more; bold"
        " where that is clear. Press a number to take the change into the editor."
    )
    choices = (
        Choice("of", "Change", _OF),
        games_choice({str(CHANGE_GAMES): f"{CHANGE_GAMES} with each, as usual"}, 4_000, 20_000),
    )

    def ask(self, asked: "AskedInStudio") -> "Asked":
        """What the command asks, of an entry or of a part of the chapter."""
        from reports.mice_and_mystics.cli.sensitivity import ask

        played = read(Path(asked.file), asked.entry, asked.chosen)
        return ask(
            played.played.said,
            of=asked.more["of"] or asked.entry or ",".join(_MAPPED),
            party=played.party,
            switches=[*played.switches],
            policy=asked.chosen["player"],
            games=int(asked.more["games"]),
        )

    def is_mapped(self, variable: "Variable") -> bool:
        """Those of heroes and minions."""
        return variable.of in _MAPPED

    def taken(self, asked: "AskedInStudio", change: "FactChange") -> tuple[str, Chosen]:
        """The changed entry for the file, or what to choose for another number of the game."""
        from card_data.mice_and_mystics.loader import own_keys

        (facts, settings), (changed, otherwise) = change.sides
        text = changed_text(facts, changed, own_keys(Path(asked.file)))
        return text, choices_of_changed(settings, otherwise)
