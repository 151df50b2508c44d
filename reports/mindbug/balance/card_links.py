"""Names of cards as links to their pages."""

import re
from collections.abc import Iterable

import pandas as pd
from markupsafe import Markup, escape

from reports.kit.words import Finding
from reports.mindbug.balance import text as wording
from reports.mindbug.balance.card_pages import target_of


class CardLinks:
    """Sets the names of cards in findings as links to their pages."""

    def __init__(self, cards: pd.DataFrame) -> None:
        known = cards.drop_duplicates("card_id").drop_duplicates("name", keep=False)
        self._targets = dict(zip(known["name"], known["card_id"].map(target_of), strict=True))
        longest_first = sorted(self._targets, key=len, reverse=True)
        names = "|".join(re.escape(name) for name in longest_first)
        self._names = re.compile(rf"(?<!\w)({names})(?!\w)")

    def findings(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings, those about cards with links."""
        return [
            Finding(one.topic, self._linked(one.text))
            if one.topic.startswith(wording.ABOUT_CARDS)
            else one
            for one in findings
        ]

    def topics(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings whose topics are cards, with links there."""
        return [Finding(self._link(one.topic), one.text) for one in findings]

    def _linked(self, text: str) -> Markup:
        pieces = self._names.split(text)
        texts, names = pieces[::2], [*pieces[1::2], ""]
        return Markup("").join(
            escape(words) + (self._link(name) if name else "")
            for words, name in zip(texts, names, strict=True)
        )

    def _link(self, name: str) -> str | Markup:
        if name not in self._targets:  # of two cards with the same name
            return name
        return Markup('<a href="#{}">{}</a>').format(self._targets[name], name)
