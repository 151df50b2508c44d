"""Own cards put in the places of old ones, and what differs between two pools."""

from pathlib import Path

import pytest
from attrs import evolve

from card_data.mindbug import CardFileError, load_pool, pool_hash
from card_data.mindbug.pool import change_cards, changes, own_cards
from card_data.mindbug.schema import Pool
from card_data.mindbug.vocabulary import Ruling

BUG = """name = "Mine"

[turbo_bug]
name = "Turbo Bug"
power = 7
keywords = ["SNEAKY"]
attack = "set the opponent's life to 2"
"""


@pytest.fixture
def base() -> Pool:
    """First Contact."""
    return load_pool(["first_contact"])


@pytest.fixture
def write(tmp_path: Path):
    """Write a card file."""

    def written(text: str, name: str = "mine.toml") -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return written


def places(pool: Pool) -> list[tuple[str, int]]:
    """The cards that are dealt, in the order of the pool."""
    return [(c.card_id, c.copies) for s in pool.sets for c in s.cards if c.copies]


def test_a_changed_card_keeps_its_place(base: Pool, write) -> None:
    """The set, the order and the copies stay; nothing else differs."""
    changed = change_cards(base, write(BUG))
    assert places(changed) == places(base)
    assert [s.set_id for s in changed.sets] == ["first_contact"]
    assert pool_hash(changed) != pool_hash(base)
    assert [(c.name, c.what, c.before, c.after) for c in changes(base, changed)] == [
        ("Turbo Bug", "power", "4", "7"),
        ("Turbo Bug", "keywords", "", "SNEAKY"),
        (
            "Turbo Bug",
            "text",
            "Attack: Your opponent loses all but 1 life.",
            "Attack: Your opponent's life becomes 2.",
        ),
    ]


def test_new_cards_make_a_set_of_their_own(base: Pool, write) -> None:
    """What the base does not have comes to it."""
    text = BUG + '\n[newt]\nname = "Newt"\npower = 3\ncopies = 2\nplay = "gain 1 life"\n'
    changed = change_cards(base, write(text))
    assert [s.set_id for s in changed.sets] == ["first_contact", "mine"]
    assert [c.card_id for c in changed.sets[1].cards] == ["newt"]
    new = changes(base, changed)[0]
    assert (new.what, new.before) == ("card", "")
    assert new.after == "power 3, 2 copies: Play: Gain 1 life."
    assert changes(changed, base)[0].after == ""


def test_a_line_goes_where_its_first_stage_was(write) -> None:
    """An evolution line is replaced as a whole, new stages included."""
    base = load_pool(["beyond_evolution"])
    first = next(c for c in base.sets[0].cards if c.evolves_to and c.stage == 1)
    text = (
        f'[{first.card_id}]\nname = "First"\npower = 2\ncopies = {first.copies}\n'
        'evolves_to = "a_new_stage"\naction = "evolve this"\n'
        '\n[a_new_stage]\nname = "Second"\npower = 9\ncopies = 0\n'
    )
    changed = change_cards(base, write(f'name = "Mine"\n\n{text}'))
    assert [s.set_id for s in changed.sets] == ["beyond_evolution"]
    assert places(changed) == places(base)
    stages = {c.card_id: c.stage for c in changed.sets[0].cards}
    assert (stages["a_new_stage"], first.evolves_to in stages) == (2, False)


def test_modes_stay_and_are_told(base: Pool, write) -> None:
    """The modes of the base are those of the changed pool; a difference is named."""
    modes = evolve(base.modes, life=5, rulings=frozenset({Ruling.PRINTED_POWER_COUNTS}))
    other = evolve(base, modes=modes)
    assert change_cards(other, write(BUG)).modes == modes
    assert [(c.what, c.before, c.after) for c in changes(base, other)] == [
        ("life", "3", "5"),
        ("rulings", "none", "printed power counts"),
    ]
    assert changes(base, base) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BUG.replace("set the", "sett the"), "mine.toml:7:11: turbo_bug.attack: 'sett' is not"),
        (BUG + "dice = 1\n", "mine.toml: turbo_bug: dice and power cards do nothing"),
    ],
)
def test_faults_name_the_file(base: Pool, write, text: str, message: str) -> None:
    """What is wrong with the own file is told as for any card file."""
    with pytest.raises(CardFileError, match=r"mine\.toml") as caught:
        change_cards(base, write(text))
    assert message in str(caught.value)
    assert "/tmp/tmp" not in str(caught.value)


def test_own_cards_are_new_or_changed(base: Pool, write) -> None:
    """What is shipped is nobody's own; another power is a change, another id a new card."""
    assert own_cards(base) == {}
    assert own_cards(change_cards(base, write(BUG))) == {"turbo_bug": "changed"}
    new = write(BUG.replace("[turbo_bug]", "[slow_bug]"), "new.toml")
    assert own_cards(load_pool(["first_contact"], card_files=[new])) == {"slow_bug": "new"}
    assert own_cards(load_pool([str(new), "first_contact"])) == {"slow_bug": "new"}


def test_among_nothing_but_new_cards_none_is_special(write) -> None:
    """A pool of a designer's own cards alone has nothing to mark."""
    cards = "".join(f'[c{n}]\nname = "C{n}"\npower = {n % 9 + 1}\ncopies = 2\n' for n in range(12))
    assert own_cards(load_pool([str(write(f'name = "Mine"\n{cards}'))])) == {}
