"""Parties, switches and knobs."""

import pytest

from card_data.faults import CardFileError
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.settings import (
    RULE_OF,
    SETTINGS,
    Settings,
    legal_parties,
    read_settings,
    settings_from,
)
from card_data.schema import Choice

FACTS = load_facts()
CHAPTER, STAND_IN = (chapter.id for chapter in FACTS.chapters)
PARTY = ("collin", "nez", "tilda", "filch")


def faults_of(*args: object) -> list[str]:
    with pytest.raises(CardFileError) as caught:
        read_settings(FACTS, *args)  # type: ignore[arg-type]
    return [str(fault) for fault in caught.value.faults]


def test_defaults_are_those_of_the_rules() -> None:
    """Section 22: the default stands first; all switches but S7 and S8 are there."""
    rules = {RULE_OF[name] for name, one in SETTINGS.items() if isinstance(one, Choice)}
    assert rules == {f"S{number}" for number in (*range(1, 7), *range(9, 23))}
    plain = Settings(chapter=CHAPTER)
    assert all(
        getattr(plain, name) == one.words[0]
        for name, one in SETTINGS.items()
        if isinstance(one, Choice)
    )
    assert (plain.page_end, plain.wheel_size, plain.cheese_at_start) == (None, 6, 0)
    assert plain.changed() == {}


def test_words_are_read() -> None:
    """A party in any order stands in that of the facts; words set switches and numbers."""
    settings = read_settings(
        FACTS, CHAPTER, reversed(PARTY), ["page_end=7", "minion_order = index"]
    )
    assert settings.party == PARTY
    assert settings.changed() == {"page_end": 7, "minion_order": "index"}
    assert settings_from(settings.as_json()) == settings


def test_legal_parties() -> None:
    """S12: chapter 1 has 4 parties, all with Collin; any set of 4 of 6 heroes makes 15."""
    parties = legal_parties(FACTS, Settings(chapter=CHAPTER))
    assert len(parties) == 4
    assert all("collin" in party for party in parties)
    assert len(legal_parties(FACTS, Settings(chapter=CHAPTER, parties="any"))) == 15
    assert len(legal_parties(FACTS, Settings(chapter=STAND_IN))) == 15


def test_all_faults_at_once() -> None:
    """Chapter, party and words are all looked at, each with the nearest right word."""
    words = ["page_ennd=7", "wheel_size=99", "life", "surge_timing=at_onc", "life=1", "life=2"]
    told = faults_of("ch1", ["colin"], words)
    assert len(told) == 7
    assert "did you mean 'ch1_flight_to_barksburg'?" in told[0]
    assert "did you mean 'page_end'?" in told[1]
    assert told[2] == "set wheel_size: 99 is not a whole number from 1 to 20."
    assert "write life=VALUE, a whole number from -5 to 9" in told[3]
    assert "'at_onc' is not at_once or after_attack; did you mean 'at_once'?" in told[4]
    assert "'life' is set twice" in told[5]
    assert "did you mean 'collin'?" in told[6]


@pytest.mark.parametrize(
    ("party", "words", "problem"),
    [
        (("lily", "nez", "tilda", "filch"), (), "it needs collin; it has no lily; '--set parties"),
        (("collin", "nez"), (), "2 heroes are named; chapter 'ch1_flight_to_barksburg' has 4"),
        (("collin", "collin", "nez", "tilda"), (), "a hero is named twice"),
        (PARTY, ("life=-4",), "Nez Bellows has life 4; -4 leaves none"),
    ],
)
def test_impossible_settings(party: tuple[str, ...], words: tuple[str, ...], problem: str) -> None:
    """A party that the chapter does not allow, or numbers that leave nothing to play with."""
    assert any(problem in fault for fault in faults_of(CHAPTER, party, words))


def test_any_set_of_heroes_can_be_asked_for() -> None:
    """S12: with parties=any a chapter is played without the hero it needs."""
    party = ("nez", "tilda", "filch", "lily")
    assert read_settings(FACTS, CHAPTER, party, ["parties=any"]).party == party


def test_settings_of_a_manifest_are_checked() -> None:
    """A value that no switch has is refused, wherever it comes from."""
    data = Settings(chapter=CHAPTER).as_json() | {"surge_timing": "sometimes"}
    with pytest.raises(
        ValueError, match="surge_timing: 'sometimes' is not at_once or after_attack"
    ):
        settings_from(data)
