"""The form of files of entries, made of their schema; effects and rooms are written as text."""

from collections.abc import Mapping
from functools import cache

from card_data.mice_and_mystics.entries import KINDS
from reports.studio.form import Forms, forms_of

#: The fields that name a hero, a minion or a search card by its id.
_REFERENCES = {
    "hero": (
        *(("hero", "extra_ability_class"), ("search_card", "requires")),
        *(("ability", "classes"), ("ability", "cost_by_class")),
        *(("chapter", "allowed"), ("chapter", "must_include")),
    ),
    "minion": (
        *(("minion", "initiative_card"), ("encounter", "bands"), ("encounter", "surge")),
        *(("chapter", "start"), ("chapter", "room_rules"), ("minion", "abilities")),
    ),
    "search_card": (("hero", "starting_gear"), ("hero", "innate")),
}


@cache
def forms() -> Forms:
    """The forms of files of entries."""
    from card_data.mice_and_mystics.entries import SCHEMA

    return forms_of(SCHEMA, _known, _REFERENCES)


@cache
def _known(word: str) -> Mapping[str, str]:
    """The lines of all entries of a kind that the game has, by their names."""
    from card_data.mice_and_mystics import load_facts
    from card_data.mice_and_mystics.formatter import entry_text

    return {one.name: entry_text(one) for one in getattr(load_facts(), KINDS[word].plural)}
