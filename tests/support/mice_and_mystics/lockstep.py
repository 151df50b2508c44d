"""Two engines side by side: the same decisions, and everything compared at each of them."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from support.mice_and_mystics.game import base_box, legal_parties
from support.mice_and_mystics.sides import Setting, SlowSide, Start
from support.mice_and_mystics.state import KNOBS, SWITCHES
from support.mice_and_mystics.table import CHAPTER_1, STAND_IN, Look

PLAYERS = ("U", "C", "H", "H@0.2", "H@0.5")


def play_in_lockstep(setting: Setting, start: Start) -> Counter[str]:
    """Play a setting on another engine and on the slow one; how often what occurred.

    Both must offer the same entries to the same mouse on the same table at every decision, name
    the same ones as the best for H, and choose the same one by the numbers of their own streams;
    at the end outcome, graded outcome and all counters must be the same.  Counted are the first
    words of what was decided, the outcome, the party, and all of the setting.
    """
    fast, slow = start(setting), SlowSide(setting)
    words: Counter[str] = Counter()
    history: list[str] = []
    while True:
        compare(setting, history, seen(fast), seen(slow))
        labels = slow.labels
        if not labels:
            break
        index = slow.pick()
        compare(setting, history, {"pick": fast.pick()}, {"pick": index})
        history.append(f"{slow.decider}: {labels[index]}")
        words[labels[index].split()[0]] += 1
        fast.choose(index)
        slow.choose(index)
    record = slow.record()
    theirs = fast.record()
    compare(setting, history, {name: theirs.get(name) for name in record}, record)
    words.update([str(slow.outcome), *_of_setting(setting, slow.heroes)])
    return words


def _of_setting(setting: Setting, party: Sequence[str]) -> list[str]:
    """What was played: chapter and party, player, and each switch and knob with its value."""
    values = {name: choices[0] for name, choices in SWITCHES.items()} | dict(setting.switches)
    knobs = KNOBS | dict(setting.knobs)
    chosen = [f"{name} = {value}" for name, value in (values | knobs).items()]
    return [f"{setting.chapter}: {', '.join(party)}", f"player {setting.player}", *chosen]


def seen(look: Look) -> dict[str, Any]:
    """The whole table as it can be looked at."""
    return {
        "best": look.best() if look.labels else [],
        "outcome": look.outcome,
        "decider": look.decider,
        "labels": look.labels,
        "tile": look.tile,
        "round": look.round,
        "page": look.page,
        "wheel": look.wheel,
        "face_up": look.face_up,
        "track": look.track,
        "mice": {hero: look.mouse(hero) for hero in look.heroes},
        "minions": look.minions,
        "party_cards": look.party_cards,
        "mousetraps": look.mousetraps,
        "set_traps": look.set_traps,
        "counter_cheese": look.counter_cheese,
        "search_deck": look.search_deck,
        "search_discard": look.search_discard,
    }


def compare(played: object, history: list[str], theirs: dict, ours: dict) -> None:
    """Tell what differs, and how it came about."""
    if theirs == ours:
        return
    lines = [f"the engines differ in {played}"]
    for name, value in ours.items():
        if theirs.get(name) != value:
            lines += [f"  {name}: other {theirs.get(name)}", f"  {name}: slow  {value}"]
    lines += ["  decisions so far:", *(f"    {step}" for step in history)]
    raise AssertionError("\n".join(lines))


# --------------------------------------------------------------------------------------------------
# What is played
# --------------------------------------------------------------------------------------------------


def settings(seed: int, n: int) -> list[Setting]:
    """Settings of all kinds: both chapters, all parties and players, any switches and knobs.

    Every other one has all switches and knobs at their defaults.
    """
    return [_setting(seed, number) for number in range(n)]


def _setting(seed: int, number: int) -> Setting:
    rng = random.Random(seed * 1_000_003 + number)
    plain = number % 2 == 0
    chapter = CHAPTER_1 if number // 2 % 2 == 0 else STAND_IN
    player = PLAYERS[number // 4 % len(PLAYERS)]
    switches: dict[str, str] = {}
    knobs: dict[str, int] = {}
    if not plain:
        switches = {name: rng.choice(choices) for name, choices in SWITCHES.items()}
        knobs = {
            "page_end": rng.choice((5, 6, 8, 20)),
            "wheel_size": rng.choice((5, 6, 7)),
            "start_cheese": rng.choice((0, 0, 1, 6)),
            "life": rng.choice((0, 0, 1)),
            "minion_dice": rng.choice((0, 0, 1)),
        }
    box = base_box()
    parties = legal_parties(box, box.chapters[chapter], switches.get("S12", "chapter"))
    party = rng.choice([None, *parties])
    return Setting(chapter, party, player, seed, number, switches, knobs)
