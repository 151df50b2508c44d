"""What the reader of the files accepts, the engine plays: every form of every operation."""

from collections.abc import Iterator

import pytest

from card_data.mice_and_mystics.loader import parse_changes
from card_data.mice_and_mystics.operations import OPERATIONS, Choice, EntryId, Form, Number
from card_data.mice_and_mystics.reference import EXAMPLE
from card_data.mice_and_mystics.settings import Settings
from card_data.schema.fields import inline
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.table.compile_facts import compile_facts

CARD = '[search_card.new]\nname = "New"\ncount = 20\n'
#: An entry for each place that an effect can stand in, without the effect.
ENTRIES = {
    "innate": '[hero.pip]\nname = "Pip"\nclasses = ["scamp"]\nbattle = 1\ndefense = 1\nlore = 1\n'
    "move = 1\nlife = 3\nstarting_gear = []\ninnate",
    "minion": '[minion.roach]\nname = "Roach"\nbattle = 2\ndefense = 1\nlife = 1\n'
    'attack = "melee"\nsize = "small"\nmove_dice = 1\nfigure_pool = "roach"\nfigure_limit = 8\n'
    'initiative_card = "roach"\nabilities',
    "weapon": CARD + 'type = "weapon"\npaws = 1\nattack = "ranged"\neffect',
    "gear": CARD + 'type = "armor"\nslot = "head"\neffect',
    "scroll": CARD + 'type = "scroll"\neffect',
    "event": CARD + 'type = "event"\neffect',
    "party": CARD + 'type = "party"\neffect',
    "trick": CARD + 'type = "trick"\ntiming = "{timing}"\neffect',
    "ability": '[ability.new]\nname = "New"\nclasses = ["any"]\ncost = 0\n'
    'timing = "{timing}"\neffect',
}


def entries(form: Form, op: str) -> Iterator[str]:
    """An entry with the form, for each place and timing that it may have."""
    given: dict[str, object] = {"op": op}
    for field in form.fields:
        if isinstance(field, Number):
            given[field.name] = field.most
        elif isinstance(field, Choice):
            given[field.name] = field.words[-1]
        else:
            assert isinstance(field, EntryId)
            given[field.name] = "dagger" if field.of == "search card" else "roach"
    for place in form.places:
        timings = form.timings if place in ("ability", "trick") else ("",)
        for timing in timings:
            entry = ENTRIES[place].replace("{timing}", timing)
            if op in {"pounce", "chase"}:  # for who fills no space
                entry = entry.replace('"small"', '"token"')
            yield f"{entry} = [{inline(given)}]\n"


@pytest.mark.parametrize("op", OPERATIONS)
def test_every_form_is_played(op: str) -> None:
    """Section 28: games with it run to their end, whatever its place and timing."""
    settings = Settings(chapter="standin_four_rooms", parties="any", cheese_at_start=3)
    for form in OPERATIONS[op]:
        for entry in entries(form, op):
            table = compile_facts(parse_changes(entry), settings)
            games = play_games(table, n_games=50, players=("category",))
            assert (games["outcome"] > 0).all(), entry


def test_the_example_of_the_reference_is_played() -> None:
    """A file with every kind of entry changes what is played, its own chapter too."""
    facts = parse_changes(EXAMPLE)
    table = compile_facts(facts, Settings(chapter="to_the_pantry"))
    assert (play_games(table, n_games=50, players=("category",))["outcome"] > 0).all()
