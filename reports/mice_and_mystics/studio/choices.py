"""Chapter, party, numbers, switches and open points as choices of the studio, and back."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from reports.cli.console import InputError
from reports.kit.words import signed
from reports.mice_and_mystics.cli.options import ALL_PARTIES, PlayableChapter, load_chapter
from reports.studio.bench import Choice, Chosen

if TYPE_CHECKING:
    from card_data.mice_and_mystics.facts import Chapter, Facts
    from card_data.mice_and_mystics.settings import Settings
    from card_data.schema import Field, Whole
    from card_data.schema.kinds import Key

#: The party that is any heroes, whomever the chapter allows.
_ANY = "any"
_NUMBERS, _OF_RULES = "Numbers of the game", "Open points of the rules"
#: What is chosen as a party, and not by itself.
_OF_THE_PARTY = "parties"

#: The question of each switch, and the words of its answers by their values.
OPEN_POINTS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "after_encounter": (
        "After exploring reveals an encounter",
        {"new_round": "a new round begins", "continue_round": "the same round goes on"},
    ),
    "surge_timing": (
        "A full wheel surges",
        {"at_once": "at once", "after_attack": "after the attack"},
    ),
    "staff_adjacent": (
        "Maginos' staff, against spaces beside him",
        {"ranged": "is a ranged weapon", "melee": "is a melee weapon"},
    ),
    "minion_order": (
        "Of minions that are equally near, first to act is",
        {"random": "a random one", "index": "the one placed lower"},
    ),
    "ranged_movement": (
        "Ranged minions that see no mouse move",
        {"die": "as the die says", "unlimited": "until they see one"},
    ),
    "disguises_cover_elites": (
        "Disguises keep elite rat warriors away",
        {"no": "no", "yes": "yes"},
    ),
    "tinkerer_trap_dice": (
        "Of move and lore, a tinkerer rolls against a mousetrap",
        {"higher": "the higher one", "lore": "lore"},
    ),
    "all_captured": (
        "When all mice are captured at once",
        {"loses": "the chapter is lost", "goes_on": "the chapter goes on"},
    ),
    "search_once_per": (
        "A mouse that searched a tile with success may search again",
        {"side": "on its other side", "physical_tile": "on another tile only"},
    ),
    "unused_gear": (
        "Starting gear of heroes not in the party is",
        {"in_search_deck": "in the search deck", "removed": "out of the game"},
    ),
    "encounter_deck": (
        "A standard encounter deck has",
        {"without_difficult": "no difficult cards", "all": "all cards"},
    ),
    "gear_moves": (
        "Boots that are put on count for the move",
        {"from_next_turn": "from the next turn", "at_once": "at once"},
    ),
    "unseen_neighbour": (
        "A figure beside a ranged attacker who does not see it",
        {"shields": "shields all others", "ignored": "shields nobody"},
    ),
    "ranged_placement": (
        "Small ranged minions with equally far entry spaces",
        {"each": "each take any one", "together": "fill the first one's space"},
    ),
    "barred_goal": (
        "To a mouse on a space that is barred to them, minions go",
        {"open": "around full spaces", "closed": "as if none were full"},
    ),
    "alike_drawn": (
        "Of two equal cards that were drawn",
        {"each": "each is an option", "once": "one is an option"},
    ),
    "tail_cleared": (
        "Clearing all paws clears Filch's tail, too",
        {"yes": "yes", "no": "no"},
    ),
    "kept_gear": (
        "Of starting gear that it wears, a captured mouse keeps",
        {"of_party": "that of any hero", "own": "its own"},
    ),
    "abduction_found": (
        "While a mouse is missing, a successful search finds",
        {"instead": "the friend alone", "as_well": "the friend and a card"},
    ),
}


@frozen
class Asked:
    """What is played: the chapter, and the options of the commands, as they are said and read."""

    chapter: str
    party: str
    switches: Sequence[str]
    played: PlayableChapter


def choices_of_play() -> Sequence[Choice]:
    """The chapter, the party, the numbers of the game, and each open point with its answers."""
    from card_data.mice_and_mystics import load_facts
    from card_data.mice_and_mystics.settings import SETTINGS

    facts = load_facts()
    chapters = {one.id: one.name for one in facts.chapters}
    parties = {
        ",".join(hero.id for hero in party): ", ".join(hero.name for hero in party)
        for party in combinations(facts.heroes, facts.chapters[0].mice)
    }
    usual = "each game draws a legal one"
    return [
        Choice("chapter", "Chapter", {"": "where it comes up first", **chapters}),
        Choice("party", "Party", {"": usual, _ANY: "each game draws any of the heroes", **parties}),
        *sorted(
            (_choice(name, one) for name, one in SETTINGS.items() if name != _OF_THE_PARTY),
            key=lambda one: [_NUMBERS, _OF_RULES].index(one.group),
        ),
    ]


def _choice(name: str, setting: "Field") -> Choice:
    """A number or a switch; "" is as usual."""
    from card_data.mice_and_mystics.settings import RULE_OF
    from card_data.schema import Whole

    if isinstance(setting, Whole):
        what, _, _ = setting.meaning.removesuffix(".").partition("; ")
        options, group = _numbers(setting), _NUMBERS
    else:
        what, answers = OPEN_POINTS[name]
        others = {one: text for one, text in answers.items() if one != setting.default}
        options = {"": f"{answers[setting.default]} (usual)"} | others
        group = _OF_RULES
    return Choice(name, f"{what} ({RULE_OF[name]})", options, group)


def _numbers(setting: "Whole") -> dict[str, str]:
    """The values of a number."""
    usual = setting.default
    others = {
        str(one): signed(one, 0) if setting.low < 0 else str(one)
        for one in range(setting.low, setting.high + 1)
        if one != usual
    }
    return {"": "as the chapter says" if usual is None else f"{usual} (usual)"} | others


def choices_of_changed(settings: "Settings", changed: "Settings") -> dict[str, str]:
    """What to choose for settings that are other than they were, as far as there is a choice."""
    from card_data.mice_and_mystics.settings import SETTINGS

    usual = type(settings)(chapter=settings.chapter)
    found: dict[str, str] = {}
    for name in SETTINGS:
        new = getattr(changed, name)
        if name != _OF_THE_PARTY and new != getattr(settings, name):
            found[name] = "" if new == getattr(usual, name) else str(new)
    return found


# ---------------------------------------------------------------- what is played


def read(file: Path, entry: str, chosen: Chosen) -> Asked:
    """What is played to ask about an entry of a file, or about a chapter with the file for "".

    Raises InputError for an entry that does not come up in it, and CardFileError.
    """
    from card_data.mice_and_mystics import load_facts
    from card_data.mice_and_mystics.confidence import used_entries
    from card_data.mice_and_mystics.loader import own_keys

    facts, own = load_facts([file]), own_keys(file)
    for chapter in _chapters(facts, own, chosen["chapter"]):
        asked = _read(chapter, own, file, chosen)
        used = used_entries(*asked.played.played())
        if not entry or any(one.id == entry for kind in used.values() for one in kind):
            return asked
    raise InputError(
        f"{entry} does not come up in what is chosen: choose another chapter or another party; a"
        " minion comes up where an encounter, a surge or a room has it"
    )


def _chapters(facts: "Facts", own: "Sequence[Key]", wanted: str) -> "list[Chapter]":
    """The chapters that may be meant, likely ones first: a file's own are."""
    chapters = [one for one in facts.chapters if wanted in ("", one.id)]
    return sorted(chapters, key=lambda one: ("chapter", one.id) not in own)


def _read(chapter: "Chapter", own: "Sequence[Key]", file: Path, chosen: Chosen) -> Asked:
    """What is played of a chapter."""
    party, is_legal = _party(chapter, own, chosen["party"])
    switches = switches_of(chosen)
    switches += [] if is_legal else [f"{_OF_THE_PARTY}=any"]
    played = load_chapter(named(chapter.id, file), party, switches, (chosen["player"],))
    return Asked(chapter.id, party, switches, played)


def switches_of(chosen: Chosen) -> list[str]:
    """The switches and numbers that are chosen, as commands name them."""
    from card_data.mice_and_mystics.settings import SETTINGS

    return [f"{name}={chosen[name]}" for name in SETTINGS if chosen.get(name)]


def named(chapter: str, file: Path) -> str:
    """A chapter with a file as commands name it."""
    return f"{chapter}+{file}"


def _party(chapter: "Chapter", own: "Sequence[Key]", wanted: str) -> tuple[str, bool]:
    """The party as commands name it, and whether the chapter allows it.

    Where nothing is chosen, a file's own heroes are to come up, whomever the chapter allows.
    """
    allowed, needed = {*chapter.allowed}, {*chapter.must_include}
    if wanted == _ANY:
        return ALL_PARTIES, False
    if wanted:
        return wanted, needed <= {*wanted.split(",")} <= allowed
    return ALL_PARTIES, {entry_id for kind, entry_id in own if kind == "hero"} <= allowed
