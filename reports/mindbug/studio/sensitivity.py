"""What a card is worth and what each part of it does, in the studio."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.mindbug.experiments.usual import EVERY_CARD_GAMES, VARIANT_GAMES
from reports.mindbug.studio.card_texts import PoolOf, entries_text
from reports.sensitivity.studio import Panel
from reports.studio.bench import Choice, Chosen
from reports.studio.rows import games_choice

if TYPE_CHECKING:
    from analysis.mindbug.experiments.sensitivity import TriedCards
    from analysis.mindbug.experiments.trials import CardChange
    from reports.mindbug.cli.sensitivity import Asked
    from reports.studio.work import Asked as AskedInStudio

#: What is tried: values of ``--changes`` and the words for them.
_CHANGES = {
    "": "everything of one card; of all cards what each is worth",
    "value": "what it is worth alone",
    "power,keywords,copies": "power, keywords and copies (of all cards: a map)",
    "power": "power alone (of all cards: a map)",
}


class CardPanel(Panel):
    """The experiment on cards; ``pool_of`` says which pool a file is played in."""

    title = "What does each part of a card do?"
    hint = (
        "Changes one thing after the other (its power, a keyword, a line of text) and plays each on"
        " the same deals with the same luck. A press takes a change into the editor."
    )
    headings, after = ("Change", "Difference", "Effect"), "After"
    entry = "Card"
    how = (
        "By how many percentage points players dealt the card win more, with a power of so much"
        " more, a keyword added, or (in brackets) taken away; bold where the interval leaves 0 out."
        " Press a number to take the change into the editor."
    )
    choices = (
        Choice("changes", "Changes", _CHANGES),
        games_choice(
            {"": f"usual: {VARIANT_GAMES:,} each, {EVERY_CARD_GAMES:,} of all cards"}, 2_000, 60_000
        ),
    )

    def __init__(self, pool_of: PoolOf) -> None:
        self._pool_of = pool_of

    def ask(self, asked: "AskedInStudio") -> "Asked":
        """What the command asks, of a card or of all cards."""
        from reports.mindbug.cli.named_cards import ALL
        from reports.mindbug.cli.options import PoolOptions
        from reports.mindbug.cli.sensitivity import ask

        options, named = self._pool_of(Path(asked.file), asked.chosen)
        return ask(
            asked.entry or ALL,
            *named,
            pool=PoolOptions(**options),
            changes=asked.more["changes"] or None,
            games=int(asked.more["games"]) if asked.more["games"] else None,
            policy=asked.chosen["player"],
        )

    def column(self, change: "CardChange") -> str:
        """Power, keywords and copies are in the map."""
        from reports.mindbug.sensitivity import MAPPED, mapped_column

        variant = change.variant
        return mapped_column(variant.change) if variant.kind in MAPPED else ""

    def columns(self, headings: Sequence[str]) -> Sequence[str]:
        """Powers, keywords, then copies."""
        from reports.mindbug.sensitivity import in_order

        return in_order(headings)

    def taken(
        self,
        asked: "AskedInStudio",  # noqa: ARG002 - a card stands in any file as it is
        change: "CardChange",
    ) -> tuple[str, Chosen]:
        """The changed card; nothing where another card lies in its place."""
        variant = change.variant
        return "" if variant.kind == "value" else entries_text([variant.card]), {}

    def reference(self, tried: "TriedCards") -> Mapping[str, Any]:
        """The average card, or the one that was named."""
        return {"card_id": tried.reference.card_id, "name": tried.reference.name}
