"""The form of files of Mice & Mystics, without a browser."""

from __future__ import annotations

import re

import pytest

from card_data.mice_and_mystics.entries import KINDS
from card_data.mice_and_mystics.loader import parse_changes
from reports.mice_and_mystics.studio.bench import BENCH
from reports.studio.complete import options_in_text
from reports.studio.editing import Sheet
from reports.studio.form_views import form_part

START = 'game = "mice_and_mystics"\n'


@pytest.mark.parametrize("word", KINDS)
def test_every_kind_has_its_fields_and_new_entries(word: str) -> None:
    """The form has the fields of the registry; a new entry and one of the game have no fault."""
    kind = BENCH.forms.kinds[word]
    assert [one.name for one in kind.fields] == [*KINDS[word].all_fields]
    text = Sheet(BENCH.forms, START).with_new(word, "Somebody New").text
    text = Sheet(BENCH.forms, text).with_new(word, next(iter(kind.known()))).text
    entries = getattr(parse_changes(text), KINDS[word].plural)
    assert {"Somebody New", next(iter(kind.known()))} <= {one.name for one in entries}


def test_a_number_is_changed_and_a_fault_stands_at_its_field() -> None:
    """What is typed is written into the entry, and what is wrong with it is told below it."""
    text = Sheet(BENCH.forms, START).with_new("hero", "Pip").text
    text = Sheet(BENCH.forms, text).with_value("hero.pip", "life", "99").text
    assert "life = 99" in text
    shown = form_part(BENCH, text, BENCH.check(text, "x.toml").faults, "hero.pip")
    assert 'id="f:life:0:fault">99 is not a whole number from 1 to 20.<' in shown


def test_a_choice_and_what_is_in_the_text_alone_are_explained() -> None:
    """Below a list, filled in or not, and below what leads to the text, stands what it means."""
    text = Sheet(BENCH.forms, START).with_new("hero", "Pip").text
    for confidence in ("", "assumed"):
        text = Sheet(BENCH.forms, text).with_value("hero.pip", "confidence", confidence).text
        shown = form_part(BENCH, text, [], "hero.pip")
        assert ">How sure the entry is: verified, reported or assumed.<" in shown
    assert ">What it can do without a card.<" in shown


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[hero.n", "hero.nez]"),
        ("[minion.x]\nsi", 'size = ""'),
        ('[minion.x]\nsize = "', 'small"'),
        ("[minion.x]\nboss = ", "true"),
    ],
)
def test_words_while_one_types(text: str, wanted: str) -> None:
    """Ids, fields and words of the registry are offered at their places."""
    options = options_in_text(BENCH.forms, START + text, len(START + text))
    assert wanted in [one.text for one in options]


def test_new_ids_are_followed_where_entries_are_named() -> None:
    """Heroes, minions and search cards are named in lists, as keys, and in a power."""
    new = {one.title: one.lines for one in BENCH.recipes() if one.section == "New entries"}
    gear = '"needle"]\ninnate = [{ op = "extra_paw_slot", only = "needle" }, '
    text = "\n".join([
        new["a hero"].replace('"dagger"]\ninnate = [', gear),
        new["a weapon"].replace('["scamp"]', '["pip"]'),
        new["a minion"],
        new["an encounter"].replace("roach", "rat_scout"),
        new["an ability"].replace('["leader"]', '["pip"]'),
    ])  # fmt: skip
    assert not BENCH.check(text, "x.toml").faults
    found = text
    for old, id_ in (
        ("hero.pip", "flea"),
        ("search_card.needle", "pin"),
        ("minion.rat_scout", "spy"),
    ):
        found = Sheet(BENCH.forms, found).renamed(old, id_).text
    assert not BENCH.check(found, "x.toml").faults
    for old, id_ in (("pip", "flea"), ("needle", "pin"), ("rat_scout", "spy")):
        assert not re.search(rf"\b{old}\b", found)
        text = re.sub(rf"\b{old}\b", id_, text)
    assert found == text
