"""The numbers and switches of a chapter that can be changed, and the game with one changed."""

import pytest
from attrs import evolve

from card_data.mice_and_mystics.changes import changed, is_sound, own_entries, steps, variables
from card_data.mice_and_mystics.facts import BossCard, Facts, by_id
from card_data.mice_and_mystics.formatter import facts_text
from card_data.mice_and_mystics.loader import load_facts, parse_changes, parse_facts
from card_data.mice_and_mystics.settings import SETTINGS, Settings, read_settings
from card_data.schema.changes import Change

CHAPTER = "ch1_flight_to_barksburg"
PARTY = ("collin", "nez", "tilda", "filch")


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_facts()


@pytest.fixture(scope="module")
def settings(facts) -> Settings:
    return read_settings(facts, CHAPTER, PARTY)


def change(facts, settings, number, to, entry="") -> Change:
    """The change of one variable."""
    found = [
        one for one in variables(facts, settings) if (one.entry, one.number) == (entry, number)
    ]
    assert len(found) == 1
    return Change(found[0], to)


@pytest.mark.parametrize("chapter", [CHAPTER, "standin_four_rooms"])
def test_every_step_gives_facts_that_a_file_could_hold(facts, chapter):
    """A step is a change, has a name of its own, and what it makes is read back without a fault."""
    settings = read_settings(facts, chapter)
    found = steps(facts, settings)
    assert len({(*one.variable.key, one.changed_to) for one in found}) == len(found) > 400
    for one in found[:: len(found) // 3]:
        new, new_settings = changed(facts, settings, one)
        assert (new, new_settings) != (facts, settings)
        assert parse_facts(facts_text(new)) == new


HERO, MINION, ABILITY, CARD, ENCOUNTER, OF_ALL = (
    "heroes", "minions", "abilities", "search_cards", "encounters", "chapters"
)  # fmt: skip


def _stolen(roach) -> int:
    """Cheese that a roach steals for each hit."""
    return roach.abilities[0]["per_wound"]


def _on_the_counter(chapter) -> int:
    """Cheese on the counter of the kitchen."""
    return chapter.room_rules[0].amount


@pytest.mark.parametrize(
    ("of", "entry", "number", "to", "get"),
    [
        (HERO, "tilda", "life", 4, lambda one: one.life),
        (HERO, "filch", "innate.pilfer.cheese", 2, lambda one: one.innate[0]["cheese"]),
        (MINION, "spider", "battle", 3, lambda one: one.battle),
        (MINION, "roach", "abilities.steal_cheese.per_wound", 2, _stolen),
        (ABILITY, "first_aid", "cost_by_class.healer", 0, lambda one: one.cost_by_class[0][1]),
        (ABILITY, "cure", "cost.most", 4, lambda one: one.cost_most),
        (ABILITY, "cure", "cost.least", 2, lambda one: one.cost),
        (CARD, "dagger", "count", 3, lambda one: one.count),
        (ENCOUNTER, "si_enc_01", "bands.5-.roach", 5, lambda one: one.bands[2].minions[0].count),
        (ENCOUNTER, "si_enc_01", "surge.rat_warrior", 3, lambda one: one.surge[0].count),
        (OF_ALL, CHAPTER, "page_end", 7, lambda one: one.page_end),
        (OF_ALL, CHAPTER, "start.minions.rat_warrior", 4, lambda one: one.start.minions[0].count),
        (OF_ALL, CHAPTER, "room_rules.3.counter_cheese.amount", 5, _on_the_counter),
    ],
)  # fmt: skip
def test_a_change_sets_its_number(facts, settings, of, entry, number, to, get):
    """The number is another one, and everything else in the facts is as it was."""
    one = change(facts, settings, number, to, entry)
    new, same = changed(facts, settings, one)
    was, now = (get(by_id(getattr(each, of))[entry]) for each in (facts, new))
    assert (was, now, same) == (one.variable.value, to, settings)
    back, _ = changed(new, settings, Change(one.variable, one.variable.value))
    assert back == facts


def test_types_of_one_pool_have_one_number_of_figures(facts, settings):
    """Rats, elite rats and Captain Vurst share the rat figures, which change together (M6)."""
    one = change(facts, settings, "figure_limit", 5, "rat_warrior")
    new, _ = changed(facts, settings, one)
    of_pool = {minion.figure_limit for minion in new.minions if minion.figure_pool == "rat"}
    assert of_pool == {5}
    assert is_sound(facts, settings, one)


def test_the_last_of_several_kinds_of_minions_can_be_left_out(facts, settings):
    """One spider fewer beside roaches is none; an encounter always has somebody."""
    one = change(facts, settings, "bands.3-4.spider", 0, "si_enc_03")
    new, _ = changed(facts, settings, one)
    assert [group.type for group in by_id(new.encounters)["si_enc_03"].bands[1].minions] == [
        "roach"
    ]
    alone = change(facts, settings, "bands.1-2.spider", 2, "si_enc_05")
    assert 0 not in alone.variable.others


def test_switches_and_rules_are_settings(facts, settings):
    """Every switch has its other values, and every number beside them its neighbours (S1-S14)."""
    found = variables(facts, settings)
    names = {one.number for one in found if one.of in ("rules", "switches")}
    assert names == set(SETTINGS) - {"page_end"}
    one = change(facts, settings, "minion_dice", 1)
    assert changed(facts, settings, one) == (facts, evolve(settings, minion_dice=1))
    switch = change(facts, settings, "minion_order", "index")
    assert changed(facts, settings, switch)[1].minion_order == "index"


def test_an_end_page_that_is_set_stands_for_that_of_the_chapter(facts):
    """What the chapter says of its last page is then no number of the game (M115)."""
    settings = read_settings(facts, CHAPTER, PARTY, ["page_end=2"])
    found = [one for one in variables(facts, settings) if one.number == "page_end"]
    assert [(one.of, one.value) for one in found] == [("rules", 2)]
    assert [one.changed_to for one in steps(facts, settings, found)] == [3]


def test_how_many_mice_there_are_is_no_number_to_balance_with(facts, settings):
    """Other parties would play, which nothing could be compared with."""
    assert "mice" not in {one.number for one in variables(facts, settings)}


def test_confidence_is_that_of_the_number(facts, settings):
    """A field may be surer than its entry."""
    assert change(facts, settings, "move", 3, "collin").variable.confidence == "verified"
    assert change(facts, settings, "life", 4, "nez").variable.confidence == "assumed"


def test_only_what_comes_up_is_told_of(facts, settings):
    """Neither heroes outside the party nor difficult encounters have numbers here (S14)."""
    entries = {one.entry for one in variables(facts, settings)}
    assert {"collin", "si_enc_12"} <= entries
    assert not {"maginos", "lily", "meeps", "si_enc_13"} & entries


def test_gear_that_its_owner_could_not_hold_is_no_step(facts, settings):
    """Nez's hammer takes two paws; three would not fit, and neither would a second sword (M64)."""
    found = {
        (one.variable.entry, one.variable.number, one.changed_to) for one in steps(facts, settings)
    }
    assert ("nez_hammer", "paws", 1) in found
    assert ("nez_hammer", "paws", 3) not in found
    two_paws = change(facts, settings, "paws", 2, "dagger")
    assert is_sound(facts, settings, two_paws)  # one of them is held by the tail
    more = parse_changes(
        '[hero.filch]\nname = "Filch"\nclasses = ["scamp"]\nbattle = 2\ndefense = 1\nlore = 1\n'
        'move = 3\nlife = 3\nstarting_gear = ["dagger", "dagger"]\n'
    )
    assert not is_sound(more, settings, two_paws)


def test_own_entries_are_those_that_play_otherwise(facts):
    """A changed number and a new id make an entry one's own; a note or a source does not."""
    assert own_entries(facts) == {}
    collin, nez, *others = facts.heroes
    mine = (evolve(collin, battle=collin.battle + 1), evolve(nez, note="looked up"), *others)
    new = evolve(facts.abilities[0], id="rally", name="Rally")
    changed_facts = evolve(facts, heroes=mine, abilities=(*facts.abilities, new))
    assert own_entries(changed_facts) == {
        ("heroes", collin.id): "changed", ("abilities", "rally"): "new"
    }  # fmt: skip


def settings_of(facts, minion) -> Settings:
    """How a chapter is played in which a minion awaits the mice."""
    chapter = next(
        one
        for one in facts.chapters
        if any(group.type == minion for rule in one.room_rules for group in rule.minions)
    )
    return read_settings(facts, chapter.id)


def test_the_cards_of_a_boss_have_numbers(facts, settings):
    """Initiative cards are told apart by their ids, and each number on one can be another (M16)."""
    boss = facts.minions[-1]
    cards = (BossCard(id="rage", battle=3), BossCard(id="rest", move_dice=1))
    own = evolve(facts, minions=(*facts.minions[:-1], evolve(boss, cards=cards)))
    chapter = settings_of(own, boss.id)
    found = {one.number: one for one in variables(own, chapter) if one.entry == boss.id}
    assert (found["cards.rage.battle"].label, found["cards.rest.move_dice"].value) == (
        "rage, battle", 1
    )  # fmt: skip
    new, _ = changed(own, chapter, Change(found["cards.rage.battle"], 4))
    assert by_id(new.minions)[boss.id].cards == (BossCard(id="rage", battle=4), cards[1])
