"""How a chapter is played: its party, the switches of section 22 and the numbers beside them.

A switch is registered once, as a field of `Settings`: its name, rule, values and meaning.  The
command line, messages, manifests and the reference page are made from that.  S7 and S8 are changes
of a tile and made in its file.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from attrs import asdict, fields, frozen

from card_data.faults import CardFileError, Fault, nearest, shown
from card_data.mice_and_mystics.facts import Chapter, Facts, by_id
from card_data.schema.fields import Choice, Field, Whole
from card_data.schema.settings import setting, settings_of


def _switch(rule: str, *values: str, help: str) -> Any:  # noqa: A002 - as argparse says it
    """A point that can be played in several ways; the first value is the rules' own way."""
    return setting(Choice(values, default=values[0], meaning=help), rule=rule)


def _knob(rule: str, low: int, high: int, default: int | None, *, help: str) -> Any:  # noqa: A002
    """A number that can be changed; ``default`` None is what the chapter says."""
    return setting(Whole(low, high, default=default, meaning=help), rule=rule)


@frozen(kw_only=True)
class Settings:
    """What is played besides the facts.

    ``party`` are ids of heroes in the order of the facts, or empty for a party that is drawn for
    each game, all legal ones being equally likely (D10).  All other fields are switches and knobs;
    ``page_end`` None is the chapter's own.
    """

    chapter: str
    party: tuple[str, ...] = ()
    after_encounter: str = _switch(
        "S1",
        *("new_round", "continue_round"),
        help="What follows when exploring reveals an encounter: a new round, or the same one goes"
        " on and the mouse with its turn.",
    )
    surge_timing: str = _switch(
        "S2",
        *("at_once", "after_attack"),
        help="When a full wheel surges: as soon as the last cheese is put on, or after the attack.",
    )
    staff_adjacent: str = _switch(
        "S3",
        *("ranged", "melee"),
        help="How a weapon that is melee in its own space (Maginos' staff) attacks adjacent ones.",
    )
    minion_order: str = _switch(
        "S4",
        *("random", "index"),
        help="Which of equally near figures acts first: a random one, or the one placed lower.",
    )
    ranged_movement: str = _switch(
        "S5",
        *("die", "unlimited"),
        help="How far ranged minions move until they see a mouse: the die's number, or any way.",
    )
    disguises_cover_elites: str = _switch(
        "S6", *("no", "yes"), help="Whether Disguises also keep elite rat warriors away."
    )
    tinkerer_trap_dice: str = _switch(
        "S9",
        *("higher", "lore"),
        help="Dice of a tinkerer against a mousetrap: the higher of move and lore, or lore.",
    )
    all_captured: str = _switch(
        "S10",
        *("loses", "goes_on"),
        help="What follows when all mice are captured at once: the chapter is lost, or it goes on.",
    )
    search_once_per: str = _switch(
        "S11",
        *("side", "physical_tile"),
        help="Where a mouse that has searched with success may search again: on the other side of"
        " the tile, or on another tile alone.",
    )
    parties: str = _switch(
        "S12",
        *("chapter", "any"),
        help="Which parties are legal: those the chapter allows, or any set of heroes.",
    )
    unused_gear: str = _switch(
        "S13",
        *("in_search_deck", "removed"),
        help="Where the starting gear of heroes who are not in the party is.",
    )
    encounter_deck: str = _switch(
        "S14",
        *("without_difficult", "all"),
        help="Which encounter cards a standard deck holds.",
    )
    gear_moves: str = _switch(
        "S15",
        *("from_next_turn", "at_once"),
        help="When boots that a mouse puts on count for its move: from its next turn on, since the"
        " allowance is fixed with the die, or at once.",
    )
    unseen_neighbour: str = _switch(
        "S16",
        *("shields", "ignored"),
        help="Whether a figure next to a ranged attacker that does not see it has to be the target"
        " all the same, which leaves none, or others can be aimed at.",
    )
    ranged_placement: str = _switch(
        "S17",
        *("each", "together"),
        help="Where small ranged minions come if several entry spaces are equally far: each on any"
        " of them, or all on the first one's until it is full.",
    )
    barred_goal: str = _switch(
        "S18",
        *("open", "closed"),
        help="Whether minions look for a way around full spaces to a mouse on a space that is"
        " barred to them, or go as if no space were full.",
    )
    alike_drawn: str = _switch(
        "S19",
        *("each", "once"),
        help="How often a card of which two were drawn can be picked from those drawn.",
    )
    tail_cleared: str = _switch(
        "S20",
        *("yes", "no"),
        help="Whether what Filch's tail holds comes off too when all paws are cleared for a card.",
    )
    kept_gear: str = _switch(
        "S21",
        *("of_party", "own"),
        help="Whose starting gear a captured mouse keeps if it wears it: that of any hero of the"
        " party, or its own.",
    )
    abduction_found: str = _switch(
        "S22",
        *("instead", "as_well"),
        help="What a successful search finds while a mouse is missing: the friend instead of a"
        " card, or both.",
    )
    page_end: int | None = _knob(
        "M115", 2, 20, None, help="The page on which the chapter is lost; else the chapter's own."
    )
    wheel_size: int = _knob("M83", 1, 20, 6, help="How much cheese on the wheel makes a surge.")
    cheese_at_start: int = _knob("M12", 0, 20, 0, help="The cheese that every mouse begins with.")
    life: int = _knob("M60", -5, 9, 0, help="Added to the life of every hero.")
    minion_dice: int = _knob(
        "M51", -5, 9, 0, help="Added to the dice of every attack of a minion, to no fewer than 0."
    )

    def __attrs_post_init__(self) -> None:
        """Refuse values that no switch has: a manifest could hold anything."""
        for name, field in SETTINGS.items():
            value = getattr(self, name)
            if value is not field.default and not field.holds(value):
                raise ValueError(f"{name}: {shown(value)} is not {_allowed(field)}")

    def changed(self) -> dict[str, str | int]:
        """The switches and knobs that are not at their defaults, by name."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(Settings)
            if field.name in SETTINGS and getattr(self, field.name) != field.default
        }

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON can hold it; `settings_from` reads it back."""
        return asdict(self) | {"party": list(self.party)}


def settings_from(data: Mapping[str, Any]) -> Settings:
    """The settings that ``as_json`` wrote; a field that an older version did not have is usual."""
    return Settings(**{**data, "party": tuple(data["party"])})


#: Every switch and knob by its name, and the rule that each is about.
SETTINGS = settings_of(Settings)
RULE_OF: Mapping[str, str] = {
    one.name: one.metadata["rule"] for one in fields(Settings) if one.name in SETTINGS
}


def _allowed(field: Field) -> str:
    return " or ".join(field.words) if isinstance(field, Choice) else field.allowed


def read_settings(
    facts: Facts,
    chapter: str,
    party: Iterable[str] = (),
    words: Iterable[str] = (),
    *,
    in_order: bool = False,
) -> Settings:
    """The settings that are asked for.

    Parameters
    ----------
    chapter
        The id of a chapter of the facts.
    party
        Ids or names of heroes in any order, or nothing for a legal party drawn for each game.
    words
        Switches and knobs as in "page_end=7".
    in_order
        Whether the party must be named in the order of the facts, in which mice sit: players that
        are named one for each would otherwise play other heroes than those they seem to.

    Raises
    ------
    CardFileError
        With everything that is wrong with them.
    """
    faults: list[Fault] = []
    chapters = by_id(facts.chapters)
    if chapter not in chapters:
        faults.append(_fault("chapter", "chapter", chapter, tuple(chapters)))
    given = _given(words, faults)
    heroes = [hero.id for hero in facts.heroes]
    called = {hero.name.casefold(): hero.id for hero in facts.heroes} | {one: one for one in heroes}
    chosen = [called.get(one.casefold(), one) for one in party]
    faults += [_fault("party", "hero", one, tuple(heroes)) for one in chosen if one not in heroes]
    if not faults:
        ordered = tuple(sorted(chosen, key=heroes.index))
        if in_order and list(ordered) != chosen:
            problem = (
                "with a player for each hero, name the heroes in the order of the game,"
                f" '{','.join(ordered)}', and the players in the same order"
            )
            faults.append(Fault("", 0, 0, "", "party", problem))
        settings = Settings(chapter=chapter, party=ordered, **given)
        faults += [
            Fault("", 0, 0, "", field, problem)
            for field, problem in _problems(facts, chapters[chapter], settings)
        ]
    if faults:
        raise CardFileError(faults)
    return settings


def legal_parties(facts: Facts, settings: Settings) -> tuple[tuple[str, ...], ...]:
    """The legal parties of the chapter, each in the order of the facts, by S12."""
    return tuple(_legal(facts, by_id(facts.chapters)[settings.chapter], settings.parties))


def _legal(facts: Facts, chapter: Chapter, parties: str) -> Iterable[tuple[str, ...]]:
    heroes = [hero.id for hero in facts.heroes]
    if parties == "any":
        return combinations(heroes, chapter.mice)
    allowed = [hero for hero in heroes if hero in chapter.allowed]
    return (
        party
        for party in combinations(allowed, chapter.mice)
        if set(chapter.must_include) <= set(party)
    )


def _given(words: Iterable[str], faults: list[Fault]) -> dict[str, Any]:
    """The switches and knobs in words such as "page_end=7"."""
    given: dict[str, Any] = {}
    for word in words:
        name, equals, text = (part.strip() for part in word.partition("="))
        if name not in SETTINGS:
            faults.append(_fault("set", "switch or number", name, tuple(SETTINGS)))
        elif not equals:
            problem = f"'{name}' has no value; write {name}=VALUE, {_allowed(SETTINGS[name])}"
            faults.append(Fault("", 0, 0, "", "set", problem))
        elif name in given:
            faults.append(Fault("", 0, 0, "", "set", f"'{name}' is set twice"))
        else:
            field = SETTINGS[name]
            given[name] = value = field.spelled(text)
            if not field.holds(value):
                words = field.words if isinstance(field, Choice) else ()
                more = (text, words, nearest(text, words))
                problem = f"{shown(value)} is not {_allowed(field)}"
                faults.append(Fault("", 0, 0, "", f"set {name}", problem, *more))
    return given


def _problems(facts: Facts, chapter: Chapter, settings: Settings) -> Iterable[tuple[str, str]]:
    """What makes settings impossible for the chapter: (field, problem)."""
    if settings.page_end is not None and settings.page_end <= chapter.page_start:
        problem = f"the chapter begins on page {chapter.page_start}; its end has to come later"
        yield "set page_end", problem
    legal = list(_legal(facts, chapter, settings.parties))
    if not legal:
        yield "party", f"chapter '{chapter.id}' has no legal party of {chapter.mice} heroes"
    party = settings.party
    if party and len(set(party)) < len(party):
        yield "party", f"a hero is named twice: {', '.join(party)}"
    elif party and len(party) != chapter.mice:
        yield "party", f"{len(party)} heroes are named; chapter '{chapter.id}' has {chapter.mice}"
    elif party and party not in legal:
        needed = [hero for hero in chapter.must_include if hero not in party]
        others = [hero for hero in party if hero not in chapter.allowed]
        why = [f"it needs {', '.join(needed)}"] if needed else []
        why += [f"it has no {', '.join(others)}"] if others else []
        advice = "'--set parties=any' plays every set of heroes"
        yield "party", f"chapter '{chapter.id}' does not allow it: {'; '.join(why)}; {advice}"
    played = {hero for one in ([party] if party else legal) for hero in one}
    for hero in facts.heroes:
        if hero.id in played and hero.life + settings.life < 1:
            yield "set life", f"{hero.name} has life {hero.life}; {settings.life:+} leaves none"


def _fault(field: str, what: str, word: str, allowed: tuple[str, ...]) -> Fault:
    problem = f"there is no {what} {shown(word)}"
    begins = [one for one in allowed if word and one.startswith(word)]
    guess = begins[0] if len(begins) == 1 else nearest(word, allowed)
    return Fault("", 0, 0, "", field, problem, word, allowed, guess)
