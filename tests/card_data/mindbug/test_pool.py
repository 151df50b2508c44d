"""Pools: sets, own card files and pool files together; modes; every fault with its place."""

import re
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import card_data.mindbug.pool
from card_data.mindbug import (
    CardFileError,
    Fault,
    available_sets,
    load_pool,
    load_set,
    load_sets,
    pool_files,
    pool_hash,
    read_pool,
    write_pool,
)
from card_data.mindbug.modes import MODES, Modes
from card_data.mindbug.pool import check_cards, load_cards
from card_data.mindbug.pool_reader import POOL_FIELDS
from card_data.mindbug.schema import CardSet, Pool
from card_data.mindbug.vocabulary import Ruling

DOCS = Path(__file__).parents[3] / "docs"

MINE = """\
name = "Mine"

[killer_bee]
name = "Killer Bee"
power = 6

[marsh_lantern]
name = "Marsh Lantern"
power = 5
copies = 3
"""

KAIJU = """\
name = "Kaiju"

[alpha]
name = "Alpha"
power = 4
copies = 20
dice = 1

[blast]
name = "Blast"
cost = 3
bought = "gain 1 life"
"""

LINES = """\
name = "Lines"

[egg]
name = "Egg"
power = 1
copies = 20
evolves_to = "chick"
action = "evolve this"

[chick]
name = "Chick"
power = 3
copies = 0
evolves_to = "hen"

[hen]
name = "Hen"
power = 5
copies = 0
"""


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    """Writes files and returns the path of the last."""

    def write(**texts: str) -> Path:
        for name, text in texts.items():
            path = tmp_path / f"{name}.toml"
            path.write_text(text)
        return path

    return write


def copies(pool: Pool) -> dict[str, int]:
    """The copies of every card of a pool."""
    counts = {card.card_id: card.copies for card_set in pool.sets for card in card_set.cards}
    return counts | {c.card_id: c.copies for card_set in pool.sets for c in card_set.power_cards}


def faults(**asked) -> list[str]:
    """What is wrong with a pool; file names without their folder."""
    with pytest.raises(CardFileError) as caught:
        load_pool(asked.pop("names", ()), **asked)
    assert all(isinstance(fault, Fault) for fault in caught.value.faults)
    return [re.sub(r"/\S*/", "", str(fault)) for fault in caught.value.faults]


# ---------------------------------------------------------------- sets and own files


def test_sets_alone_are_a_pool() -> None:
    """Named sets give their cards, sorted by id, and the modes of the rules text (R7)."""
    names = available_sets()
    pool = load_pool(reversed(names))
    assert list(pool.sets) == load_sets(names)
    assert load_pool("first_contact") == Pool(tuple(load_sets(["first_contact"])), Modes())


def test_own_cards_take_the_place_of_those_of_sets(put) -> None:
    """An own card with the id of a card of a set stands in its place; new ones are one more set."""
    pool = load_pool(["first_contact"], card_files=[put(mine=MINE)])
    first_contact, mine = pool.sets
    assert [card_set.set_id for card_set in pool.sets] == ["first_contact", "mine"]
    old = load_pool(["first_contact"]).sets[0]
    assert [c.card_id for c in first_contact.cards] == [c.card_id for c in old.cards]
    assert {card.card_id: card.power for card in first_contact.cards}["killer_bee"] == 6
    assert [card.card_id for card in mine.cards] == ["marsh_lantern"]
    assert sum(copies(pool).values()) == 48 - 2 + 1 + 3


def test_a_changed_card_is_dealt_where_the_old_one_was(put) -> None:
    """The same seed deals the same cards with and without an own card of as many copies."""
    sets = ["first_contact", "new_servants"]
    stronger = MINE.partition("[marsh")[0] + "copies = 2\n"
    for name in ("aaa", "zzz"):  # whatever the file is called
        files = [put(**{name: stronger})]
        old, new = load_pool(sets), load_pool(sets, card_files=files)
        assert list(copies(old).items()) == list(copies(new).items())
        assert pool_hash(old) != pool_hash(new)


def test_path_among_the_sets_holds_own_cards(put) -> None:
    """A card file beside a set is what it is behind --cards, in any order; files alone are sets."""
    path, other = put(mine=MINE), put(other=MINE)
    own = load_pool(["first_contact"], card_files=[path])
    assert load_pool(["first_contact", str(path)]) == own
    assert load_pool([str(path), "first_contact"]) == own
    assert load_pool([f"first_contact+{path}"]) == own
    told = faults(names=[str(path), str(other)])
    assert any("has a card with this id already" in one for one in told)


def test_two_own_files_may_not_share_an_id(put) -> None:
    """Two own cards with one id are a fault, also if a set has the id as well."""
    first, second = put(mine=MINE), put(other=MINE)
    assert faults(names=["first_contact"], card_files=[first, second]) == [
        "other.toml:3:1: killer_bee: set 'mine' has a card with this id already.",
        "other.toml:7:1: marsh_lantern: set 'mine' has a card with this id already.",
    ]


def test_pool_too_small_to_deal(put) -> None:
    """Fewer than 20 cards are one clear fault (R7)."""
    too_few = "the pool has 4 cards, copies counted; a game deals 20 (R8); add cards or copies."
    assert faults(card_files=[put(mine=MINE)]) == [too_few]
    text = 'cards = ["mine.toml"]'
    assert faults(pool_file=put(small=text)) == [f"small.toml: {too_few}"]
    assert load_pool(card_files=[put(many=MINE.replace("= 3", "= 19"))])


def test_nothing_named() -> None:
    """A pool of nothing says what can be named."""
    assert faults() == ["no cards are named; name a set, a card file or a pool file."]


def test_set_named_without_its_ending(put, tmp_path: Path, monkeypatch) -> None:
    """Where a card file of that name lies, it is what was meant."""
    put(mine=MINE)
    monkeypatch.chdir(tmp_path)
    [message] = faults(names=["first_contact", "mine"])
    assert "there is no set 'mine'; did you mean 'mine.toml'? " in message


def test_card_file_is_no_pool_file(put) -> None:
    """A card file gives one fault that says where it belongs, and not one for each card."""
    mine = put(mine=MINE)
    belongs = "this is a card file, not a pool file; name it with --cards."
    assert faults(pool_file=mine) == [f"mine.toml: {belongs}"]
    assert faults(names=["first_contact"], pool_file=mine) == [f"mine.toml: {belongs}"]


def test_pool_file_is_no_card_file(put) -> None:
    """The other way round, too, and the missing cards are not told besides."""
    pool = put(small='sets = ["first_contact"]')
    belongs = "small.toml: this is a pool file, not a card file; name it with --pool."
    assert faults(card_files=[pool]) == [belongs]
    assert load_pool([str(pool)]) == load_pool(["first_contact"])


def test_everything_can_be_named_in_one_way(put, tmp_path: Path, monkeypatch) -> None:
    """Sets, card files and a pool file may be joined; a file may have a plus in its name."""
    monkeypatch.chdir(tmp_path)
    put(new=MINE.replace("[killer_bee]", "[kind_bee]").replace("Killer Bee", "Kind Bee"))
    put(small='sets = ["first_contact"]\n[modes]\nlife = 4')
    wanted = load_pool(["first_contact", "new.toml"])
    assert load_pool(["first_contact+new.toml"]) == wanted
    assert load_pool(["new.toml+first_contact"]) == wanted
    assert load_pool("new.toml+first_contact") == wanted
    small = load_pool(["new.toml+small.toml"])
    assert (small.sets, small.modes.life) == (wanted.sets, 4)
    assert small == load_pool(["new.toml"], pool_file="small.toml")
    assert load_pool(["small.toml"], modes={"life": 3}) == load_pool(["first_contact"])
    Path("a+b.toml").write_bytes(Path("new.toml").read_bytes())
    assert [one.set_id for one in load_pool(["a+b.toml", "first_contact"]).sets] == [
        "a+b",
        "first_contact",
    ]


def test_cards_of_anything_named_can_be_looked_at(put, tmp_path: Path, monkeypatch) -> None:
    """Few cards, and dice that nobody would roll, are no fault where nothing is played."""
    monkeypatch.chdir(tmp_path)
    put(mine=MINE.replace("power = 6", "power = 6\ndice = 1"))
    put(small='cards = ["mine.toml"]')
    assert load_cards(["mine.toml"]) == load_cards(["small.toml"]) == [load_set("mine.toml")]
    assert check_cards("mine.toml") == check_cards("mine.toml+promos") == []
    assert [fault.file for fault in check_cards("small.toml")] == ["small.toml"] * 2
    [fault] = check_cards("mine")
    assert fault.nearest == "mine.toml"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("first_contact+", "nothing is named before or after a '+'."),
        ("small.toml+other.toml", "other.toml: small.toml is a pool file, too; a pool has one."),
        ("folder", "there is no set 'folder'; the folder of a run has its pool in folder/pool."),
        ("cards.csv", "cards.csv is a spreadsheet; make a card file of it with"),
        ("notes.txt", "there is no set 'notes.txt'; a card file ends in .toml."),
    ],
)
def test_what_cannot_be_named(put, tmp_path: Path, monkeypatch, name: str, message: str) -> None:
    """What is not a set, card file or pool file is told, with what it is."""
    monkeypatch.chdir(tmp_path)
    put(small='sets = ["first_contact"]')
    put(other='sets = ["first_contact"]')
    (tmp_path / "folder").mkdir()
    for file in ("cards.csv", "notes.txt"):
        (tmp_path / file).write_text("card_id,name\n")
    assert any(message in said for said in faults(names=[name]))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"names": ["frist_contact"]}, "there is no set 'frist_contact'; did you mean"),
        ({"names": ["first_contact"] * 2}, "set 'first_contact' is named twice; name it once"),
        ({"card_files": ["none.toml"]}, "none.toml: there is no such file."),
        ({"card_files": ["my.xlsx"]}, "make a card file of it with 'fairdeal cards import'."),
        ({"pool_file": "none.toml"}, "none.toml: there is no such file."),
    ],
)
def test_what_is_named_wrongly(asked: dict, message: str) -> None:
    """Sets and files that are not there are named."""
    [said] = faults(**asked)
    assert message in said


# ---------------------------------------------------------------- pool files

WHOLE = """\
sets = ["first_contact"]
cards = ["mine.toml"]
leave_out = ["turbo_bug"]

[copies]
marsh_lantern = 1
axolotl_healer = 5
bee_bear = 0

[modes]
after_mindbug = "action"
kot_parts = true
turn_cap = 100
effect_cap = 200
life = 5
mindbugs = 0
hand_size = 4
who_starts = "random"
at_turn_cap = "higher_life"
rulings = ["newest_triggers_first", "PRINTED_POWER_COUNTS"]
"""


def test_everything_a_pool_file_can_say(put) -> None:
    """Sets, own cards, cards left out, copies, modes and rulings reach the pool."""
    put(mine=MINE)
    pool = load_pool(pool_file=put(whole=WHOLE))
    counts = copies(pool)
    assert not {"turbo_bug", "bee_bear"} & counts.keys()
    assert (counts["marsh_lantern"], counts["axolotl_healer"], counts["killer_bee"]) == (1, 5, 1)
    rulings = {Ruling.NEWEST_TRIGGERS_FIRST, Ruling.PRINTED_POWER_COUNTS}
    ways = "random", "higher_life"
    assert pool.modes == Modes("action", True, 100, 200, 5, 0, 4, *ways, frozenset(rulings))


def test_pool_file_comes_to_what_is_named(put) -> None:
    """Sets and cards of the command line and of the pool file are played together."""
    pool_file = put(pool='cards = ["mine.toml"]\n[modes]\nlife = 9', mine=MINE).with_stem("pool")
    pool = load_pool(["first_contact"], pool_file=pool_file)
    assert [card_set.set_id for card_set in pool.sets] == ["first_contact", "mine"]
    assert pool.modes == Modes(life=9)
    other = put(other='sets = ["first_contact"]')
    assert faults(names=["first_contact"], pool_file=other) == [
        "other.toml:1:10: sets: set 'first_contact' is named twice; name it once, or give the file"
        " another name."
    ]


def test_modes_that_are_said_come_first(put) -> None:
    """A mode that is said takes the place of the pool file's, rulings included; others stay."""
    said = {"life": 1, "rulings": ["frenzy_in_forced_attacks"]}
    pool = load_pool(pool_file=put(whole=WHOLE, mine=MINE).with_stem("whole"), modes=said)
    rulings = frozenset({Ruling.FRENZY_IN_FORCED_ATTACKS})
    ways = "random", "higher_life"
    assert pool.modes == Modes("action", True, 100, 200, 1, 0, 4, *ways, rulings)
    assert load_pool(["first_contact"], modes=said).modes == Modes(life=1, rulings=rulings)


def test_faulty_modes_that_are_said(put) -> None:
    """What is wrong with a mode that is said has no place in a file."""
    modes = {"life": 0, "lives": 1, "after_mindbug": "trun", "rulings": ["none"]}
    said = faults(names=["first_contact"], pool_file=put(pool="[modes]\nlife = 5"), modes=modes)
    assert sorted(text.partition(":")[0] for text in said) == [
        f"modes.{name}" for name in sorted(modes)
    ]
    assert any("did you mean 'turn'? Allowed here: turn, action." in text for text in said)
    assert "modes.life: 0 is not a whole number from 1 to 99." in said


def test_paths_are_seen_from_the_pool_file(put, tmp_path: Path, monkeypatch) -> None:
    """A pool file finds its card files wherever the command is run."""
    put(mine=MINE.replace("copies = 3", "copies = 19"))
    pool_file = put(pool='sets = ["first_contact"]\ncards = ["mine.toml"]')
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert load_pool(pool_file=pool_file) == load_pool(pool_file=Path("..", "pool.toml"))
    path = put(pool='sets = ["mine.toml"]')
    assert [card_set.set_id for card_set in load_pool(pool_file=path).sets] == ["mine"]


FAULTS = {
    "unknown field": (
        "set = []",
        "1:1: set: 'set' is not a field of a pool file; did you mean 'sets'? "
        "Allowed here: sets, cards, leave_out, copies, modes.",
    ),
    "unknown mode": (
        "[modes]\nlives = 4",
        "2:1: modes.lives: 'lives' is not a field of the modes; did you mean 'life'? Allowed here:"
        " after_mindbug, kot_parts, turn_cap, effect_cap, life, mindbugs, hand_size, who_starts,"
        " at_turn_cap, rulings.",
    ),
    "unknown set": (
        'sets = ["first_contct"]',
        "1:10: sets: there is no set 'first_contct'; did you mean 'first_contact'? "
        f"Allowed here: {', '.join(available_sets())}.",
    ),
    "no list": ("sets = 3", '1:8: sets: 3 is not a list of texts such as ["one", "two"].'),
    "missing file": ('cards = ["nowhere.toml"]', "nowhere.toml."),
    "unknown card": (
        'leave_out = ["gorillion", "gorilion"]',
        "1:28: leave_out: no card of the pool has the id 'gorilion'; did you mean 'gorillion'?",
    ),
    "unknown card in copies": (
        "[copies]\ngorilion = 2",
        "2:1: copies.gorilion: no card of the pool has the id 'gorilion'; "
        "did you mean 'gorillion'?",
    ),
    "too many copies": (
        "[copies]\ngorillion = 21",
        "2:13: copies.gorillion: 21 is not a whole number from 0 to 20.",
    ),
    "copies of what is left out": (
        'leave_out = ["gorillion"]\n[copies]\ngorillion = 2',
        "3:1: copies.gorillion: 'gorillion' is left out already.",
    ),
    "no table": (
        "modes = 1",
        "1:9: modes: 1 is not a table; it begins with [modes] on a line of its own.",
    ),
    "unknown value": (
        '[modes]\nafter_mindbug = "turns"',
        "2:18: modes.after_mindbug: 'turns' is not a word that can stand here; did you mean"
        " 'turn'? Allowed here: turn, action.",
    ),
    "unknown way to start": (
        '[modes]\nwho_starts = "weak_hand"',
        "2:15: modes.who_starts: 'weak_hand' is not a word that can stand here; did you mean "
        "'weaker_hand'? Allowed here: higher_card, lower_card, random, weaker_hand, stronger_hand.",
    ),
    "no truth value": (
        "[modes]\nkot_parts = 1",
        "2:13: modes.kot_parts: 1 is not true or false.",
    ),
    "number out of range": (
        "[modes]\nhand_size = 11",
        "2:13: modes.hand_size: 11 is not a whole number from 1 to 10.",
    ),
    "unknown ruling": (
        '[modes]\nrulings = ["newest_trigger_first"]',
        "2:13: modes.rulings: 'newest_trigger_first' is not a word that can stand here; did you"
        " mean 'newest_triggers_first'? Allowed here:"
        f" {', '.join(r.name.lower() for r in Ruling)}.",
    ),
    "no valid file": ("[modes", "1:7: the bracket after the id is missing; write: [modes]."),
}


@pytest.mark.parametrize(("text", "message"), FAULTS.values(), ids=FAULTS)
def test_fault_has_its_place(put, text: str, message: str) -> None:
    """A fault of a pool file names line, column, what was found and what is allowed."""
    names = () if text.startswith("sets") else ["first_contact"]
    [said] = faults(names=names, pool_file=put(pool=text))
    assert message in said


def test_all_faults_come_together(put) -> None:
    """Faults of the pool file and of all card files are told at once, and nothing that follows."""
    put(mine=MINE.replace("power = 6", "power = 0"))
    text = (
        WHOLE.replace("bee_bear", "be_bear").replace("= 100", "= 0").replace('"mine', '"no", "mine')
    )
    said = faults(names=["nothing"], pool_file=put(whole=text))
    assert len(said) == 4  # unknown cards are not told while a set is missing
    assert [message.partition(": ")[0] for message in said] == [
        "nothing", "whole.toml:2:11", "whole.toml:13:12", "mine.toml:5:9",
    ]  # fmt: skip


@given(st.text("[]{}=.\"'#\n ab1,\\", max_size=40) | st.sampled_from(list(MODES)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_arbitrary_text_never_raises_anything_else(tmp_path: Path, text: str) -> None:
    """Whatever is in a pool file, the answer is a pool or a CardFileError."""
    path = tmp_path / "any.toml"
    path.write_text(f"{text}\n")
    try:
        assert load_pool(["first_contact"], pool_file=path)
    except CardFileError as error:
        assert str(error)


toml_values = st.recursive(
    st.sampled_from(["true", "-1", "3", "2.5", '"turn"', '"bee_bear"', "07:32:00", "nan"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        inner.map(lambda item: f"{{bee_bear = {item}}}"),
    ),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from([*POOL_FIELDS, *MODES]), toml_values))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_arbitrary_values_never_raise_anything_else(tmp_path: Path, values: dict) -> None:
    """Values of any type in any field are told, not tripped over."""
    path = tmp_path / "any.toml"
    for head in ("", "[modes]\n"):
        path.write_text(head + "\n".join(f"{key} = {value}" for key, value in values.items()))
        try:
            assert load_pool(["first_contact"], pool_file=path)
        except CardFileError as error:
            assert str(error)


# ---------------------------------------------------------------- King of Tokyo parts


def test_power_cards_bring_their_modes(put) -> None:
    """A set with power cards that adds a creature turns dice, energy and extra actions on."""
    path = put(kaiju=KAIJU)
    assert load_pool([str(path)]).modes == Modes(after_mindbug="action", kot_parts=True)
    assert load_pool(["first_contact"], card_files=[path]).modes.kot_parts
    pool = load_pool([str(path)], pool_file=put(pool='leave_out = ["blast"]'))
    assert pool.modes.kot_parts
    assert not pool.sets[0].power_cards
    pool = load_pool([str(path)], pool_file=put(pool="[modes]\nkot_parts = false"))
    assert (pool.modes.kot_parts, pool.modes.after_mindbug) == (False, "action")


def test_dice_without_the_parts_are_a_fault(put) -> None:
    """A die that would never be rolled is told, unless the pool file says that it shall not be."""
    lone = put(lone=KAIJU.partition("[blast]")[0])
    [said] = faults(names=["first_contact"], card_files=[lone])
    assert said.startswith("'alpha': dice and power cards do nothing without kot_parts")
    for switch in (True, False):
        pool_file = put(pool=f"[modes]\nkot_parts = {str(switch).lower()}")
        pool = load_pool(["first_contact"], card_files=[lone], pool_file=pool_file)
        assert pool.modes == Modes(kot_parts=switch)
        modes = {"kot_parts": switch}
        assert load_pool(["first_contact"], card_files=[lone], modes=modes).modes == pool.modes


# ---------------------------------------------------------------- evolution lines


def test_line_goes_with_its_first_stage(put) -> None:
    """Leaving out the card that evolves leaves out its stages; none has copies of its own."""
    path, few = str(put(lines=LINES)), 'leave_out = ["egg"]'
    assert copies(load_pool([path])) == {"egg": 20, "chick": 0, "hen": 0}
    assert (
        copies(load_pool([path, "first_contact"], pool_file=put(few=few))).keys()
        == copies(load_pool(["first_contact"])).keys()
    )
    text = 'leave_out = ["chick"]\n[copies]\nhen = 2'
    assert faults(names=[path], pool_file=put(pool=text)) == [
        "pool.toml:1:15: leave_out: 'chick' is a later stage of 'egg' and has no copies of its own;"
        " did you mean 'egg'?",
        "pool.toml:3:1: copies.hen: 'hen' is a later stage of 'egg' and has no copies of its own;"
        " did you mean 'egg'?",
    ]


def test_own_line_replaces_a_line(put) -> None:
    """An own first stage takes the old line with it, whether it evolves or not."""
    path = str(put(lines=LINES))
    own = put(own='name = "Own"\n[egg]\nname = "Egg"\npower = 2\ncopies = 20\n')
    assert copies(load_pool([path], card_files=[own])) == {"egg": 20}
    short = LINES.replace('evolves_to = "hen"\n', "").partition("[hen]")[0]
    pool = load_pool([path], card_files=[put(short=short)])
    assert copies(pool) == {"egg": 20, "chick": 0}
    assert [card_set.set_id for card_set in pool.sets] == ["lines"]


def test_stage_alone_cannot_be_replaced(put) -> None:
    """An own card inside the line of a set is told: a line lies in one file."""
    path = str(put(lines=LINES))
    own = put(own='name = "Own"\n[chick]\nname = "Chick"\npower = 2\n')
    assert faults(names=[path], card_files=[own]) == [
        "own.toml:2:1: chick: 'egg' of set 'lines' evolves to a card with this id;"
        " to change one stage, copy its whole line into your file."
    ]


def test_own_cards_that_are_named_come_before_those_of_a_pool_file(put) -> None:
    """As modes do: the card file beside a pool file wins over the pool file's own card file."""
    changed = 'name = "Changed"\n[killer_bee]\nname = "Killer Bee"\npower = 9\ncopies = 4\n'
    put(mine=MINE)
    pool_file = put(pool='sets = ["first_contact"]\ncards = ["mine.toml"]\n')
    pool = load_pool(pool_file=pool_file, card_files=[put(changed=changed)])
    bees = [card for s in pool.sets for card in s.cards if card.card_id == "killer_bee"]
    assert [(bee.power, bee.copies) for bee in bees] == [(9, 4)]
    assert copies(pool)["marsh_lantern"] == 3
    assert sum(copies(pool).values()) == 48 - 2 + 4 + 3
    # Two files of the same kind still may not have a card in common.
    put(other=MINE)
    twice = put(twice='sets = ["first_contact"]\ncards = ["mine.toml", "other.toml"]\n')
    assert len(faults(pool_file=twice, card_files=[put(changed=changed)])) == 2


def test_a_stage_of_a_pool_file_cannot_be_replaced_alone(put) -> None:
    """A line of the pool file's own cards is replaced whole, or not at all."""
    put(lines=LINES)
    pool_file = put(pool='cards = ["lines.toml"]\n')
    stage = put(stage='name = "Own"\n[hen]\nname = "Hen"\npower = 2\n')
    assert faults(pool_file=pool_file, card_files=[stage]) == [
        "stage.toml:2:1: hen: 'chick' of set 'lines' evolves to a card with this id;"
        " to change one stage, copy its whole line into your file."
    ]
    line = put(line=LINES.replace("power = 5", "power = 8"))
    (card_set,) = load_pool(pool_file=pool_file, card_files=[line]).sets
    assert (card_set.set_id, [card.power for card in card_set.cards]) == ("lines", [3, 1, 8])


# ---------------------------------------------------------------- kept pools


def test_a_card_of_a_kept_pool_can_be_changed(put, tmp_path: Path) -> None:
    """A kept pool names all its sets as own files; a changed card is still a file with that one."""
    write_pool(load_pool(["first_contact", "king_of_tokyo"]), tmp_path / "run")
    kept = tmp_path / "run" / "pool.toml"
    pool = load_pool(pool_file=kept, card_files=[put(mine=MINE)])
    assert pool == load_pool(["first_contact", "king_of_tokyo"], card_files=[put(mine=MINE)])


def test_a_file_said_again_takes_the_place_of_its_kept_version(put, tmp_path: Path) -> None:
    """A file that a kept pool was played with is edited and named again: the kept one is older."""
    write_pool(load_pool(["first_contact"], card_files=[put(mine=MINE)]), tmp_path / "run")
    edited = MINE.replace("marsh_lantern", "swamp_lantern").replace("power = 6", "power = 7")
    pool = load_pool(pool_file=tmp_path / "run" / "pool.toml", card_files=[put(mine=edited)])
    assert pool == load_pool(["first_contact"], card_files=[put(mine=edited)])
    assert copies(pool)["swamp_lantern"] == 3


def test_pool_is_read_back_exactly(put, tmp_path: Path) -> None:
    """The files of a pool give the same pool again, whatever it was put together from."""
    put(mine=MINE, whole=WHOLE, kaiju=KAIJU, lines=LINES)
    paths = [str(tmp_path / f"{name}.toml") for name in ("kaiju", "lines")]
    for number, pool in enumerate(
        [
            load_pool(available_sets()),
            load_pool(paths, pool_file=tmp_path / "whole.toml"),
            load_pool(["first_contact"], card_files=[tmp_path / "mine.toml"]),
        ]
    ):
        folder = tmp_path / str(number)
        write_pool(pool, folder)
        assert read_pool(folder) == pool
        assert pool_hash(read_pool(folder)) == pool_hash(pool)
        assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.toml")} == set(
            pool_files(pool)
        )


def test_card_file_of_a_kept_pool_is_that_of_the_set() -> None:
    """A set as it comes is kept as its own file."""
    path = Path(card_data.mindbug.pool.__file__).parent / "sets" / "first_contact.toml"
    files = pool_files(load_pool(["first_contact"]))
    assert files["cards/first_contact.toml"] == path.read_bytes()


def test_hash_covers_cards_and_modes() -> None:
    """Every mode and every card changes the hash; the order of the sets does not."""
    pool = load_pool(["first_contact"])
    rulings = frozenset({Ruling.SETTING_LIFE_IS_NO_LOSS})
    other = Modes("action", True, 1, 2, 4, 3, 6, "weaker_hand", "higher_life", rulings)
    changed = [
        attrs.evolve(pool.modes, **{field.name: getattr(other, field.name)})
        for field in attrs.fields(Modes)
    ]
    hashes = {pool_hash(Pool(pool.sets, modes)) for modes in [pool.modes, *changed]}
    assert len(hashes) == 1 + len(attrs.fields(Modes))
    second = CardSet("second", "Second", pool.sets[0].cards[:1])
    assert pool_hash(Pool((*pool.sets, second))) == pool_hash(Pool((second, *pool.sets)))
    assert pool_hash(Pool((*pool.sets, second))) not in hashes


def test_hash_never_changes() -> None:
    """The hash of this pool is this very text, in every process and version."""
    pool = Pool((CardSet("none", "None", ()),), Modes(life=4))
    assert pool_hash(pool) == "25f08916f9dd68bc2f7eca0dcbda710df68063842b6d9d4fc79e5fd7e6c6a328"


# ---------------------------------------------------------------- the page


def test_page_describes_every_field_and_ruling() -> None:
    """docs/pools.md names every field, mode and ruling."""
    page = (DOCS / "pools.md").read_text()
    words = [*POOL_FIELDS, *MODES, *(ruling.name.lower() for ruling in Ruling)]
    assert [word for word in words if f"`{word}`" not in page] == []


def blocks(page: str) -> dict[str, str]:
    """The examples of a page by the name of the file that they are said to be."""
    texts = [block.partition("```")[0] for block in (DOCS / page).read_text().split("```toml\n")]
    named = [(text.partition("\n")[0].removeprefix("# "), text) for text in texts[1:]]
    return {name.removesuffix(".toml"): text for name, text in named}


def test_example_of_the_page_is_a_pool(put) -> None:
    """The complete example of docs/pools.md can be read, and says what it looks like."""
    files = blocks("pools.md")
    put(**files)
    pool = load_pool(pool_file=put(summer=files["summer"]))
    counts = copies(pool)
    assert not {"turbo_bug", "killer_bee"} & counts.keys()
    assert [counts[card_id] for card_id in ("axolotl_healer", "marsh_lantern", "ambush")] == [
        1,
        3,
        2,
    ]
    rulings = frozenset({Ruling.NEWEST_TRIGGERS_FIRST})
    assert pool.modes == Modes("turn", kot_parts=True, life=4, rulings=rulings)


def test_cards_of_the_guide_can_be_played(put) -> None:
    """The cards of the pages for designers have no fault, and go into the pools that they name."""
    pages = (DOCS / f"{name}.md" for name in ("design_a_card", "read_a_verdict"))
    page = "".join(page.read_text() for page in pages)
    texts = [block.partition("```")[0] for block in page.split("```toml\n")[1:]]
    mine, box, weaker_bees, kaiju_garden, garden, own = texts
    assert len(load_pool(["first_contact"], card_files=[put(my_cards=mine)]).sets) == 2
    boxed = mine.replace('play = "gain 1 life"\n', box)
    assert boxed != mine
    for one in (boxed, weaker_bees, own):
        assert load_pool(["first_contact"], card_files=[put(one=one)])
    path = put(kaiju_garden=kaiju_garden)
    assert load_pool(["beyond_eternity", "king_of_tokyo"], card_files=[path]).modes.kot_parts
    assert load_pool(pool_file=put(garden=garden)).modes == Modes(kot_parts=True)
    assert any("dice" in said for said in faults(names=["beyond_eternity"], card_files=[path]))
