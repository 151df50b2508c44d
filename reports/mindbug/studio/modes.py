"""Modes and rulings as choices of the studio, and back as options of the commands."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reports.studio.bench import Choice, Chosen

if TYPE_CHECKING:
    from card_data.mindbug.modes import Modes

#: How the game is played: the label of each mode and the words for its values.
_MODES: Mapping[str, tuple[str, Mapping[Any, str]]] = {
    "life": ("Life at the start", {n: str(n) for n in range(1, 10)}),
    "mindbugs": ("Mindbugs of each player", {n: str(n) for n in range(6)}),
    "hand_size": ("Cards in hand", {n: str(n) for n in range(3, 9)}),
    "who_starts": (
        "Who starts",
        {
            "higher_card": "who reveals the higher card",
            "lower_card": "who reveals the lower card",
            "random": "a coin decides",
            "weaker_hand": "who was dealt less power",
            "stronger_hand": "who was dealt more power",
        },
    ),
    "after_mindbug": (
        "After a Mindbug",
        {"turn": "a whole extra turn (R37)", "action": "one more action (R38)"},
    ),
    "kot_parts": ("Dice, energy, power cards", {True: "in play", False: "not in play"}),
    "at_turn_cap": (
        "At the turn limit",
        {"draw": "the game is drawn", "higher_life": "more life wins (R20)"},
    ),
}
#: What is usual of these depends on what is played.
_OF_THE_POOL = {"after_mindbug", "kot_parts"}
#: Open points of the rules text: the label, its answer, and the other answer.
_RULINGS = {
    "setting_life_is_no_loss": (
        "Setting life (O2)",
        "is losing or gaining it",
        "is neither, and triggers nothing",
    ),
    "own_creatures_can_be_taken": (
        "Take control (O6)",
        "of enemy creatures only",
        "also of own ones, to no effect",
    ),
    "triggers_need_their_source": (
        "A waiting effect whose creature has left play (O8)",
        "still takes place",
        "is lost",
    ),
    "newest_triggers_first": (
        "Effects caused while others wait (O9)",
        "come after them",
        "come before them",
    ),
    "frenzy_in_forced_attacks": (
        "FRENZY in a forced attack (O11)",
        "attacks once",
        "may attack twice",
    ),
    "printed_power_counts": (
        "Conditions on power (O13)",
        "look at the power it has now",
        "look at the printed power",
    ),
}
#: The other answer to an open point.
_OTHER = "other"
_PLAYED, _OPEN_POINTS = "How the game is played", "Open points of the rules"


def choices_of_modes() -> Sequence[Choice]:
    """How the game is played, and each open point of the rules with its two answers."""
    from attrs import asdict

    from card_data.mindbug.modes import Modes

    usual = asdict(Modes())
    modes = []
    for name, (label, values) in _MODES.items():
        if name in _OF_THE_POOL:
            options = {"": "as is usual for the sets"} | {str(one): values[one] for one in values}
        else:
            others = {str(one): text for one, text in values.items() if one != usual[name]}
            options = {"": f"{values[usual[name]]} (usual)"} | others
        modes.append(Choice(name, label, options, _PLAYED))
    rulings = [
        Choice(name, label, {"": said, _OTHER: other}, _OPEN_POINTS)
        for name, (label, said, other) in _RULINGS.items()
    ]
    return [*modes, *rulings]


def choices_of_changed(modes: "Modes", changed: "Modes") -> dict[str, str]:
    """What to choose for modes that are other than they were, as far as there is a choice."""
    options = {one.name: one.options for one in choices_of_modes()}
    found: dict[str, str] = {}
    for name in _MODES:
        old, new = getattr(modes, name), getattr(changed, name)
        if old != new:
            is_usual = new == getattr(type(modes)(), name)
            value = "" if is_usual else str(new)
            found |= {name: value} if value in options[name] else {}
    return found


def chosen_modes(chosen: Chosen) -> dict[str, Any]:
    """The modes that are not the usual ones, as `reports.mindbug.cli.options.ModeOptions`."""
    modes: dict[str, Any] = {
        name: value
        for name, (_, values) in _MODES.items()
        for value in values
        if str(value) == chosen[name]
    }
    rulings = [name for name in _RULINGS if chosen[name] == _OTHER]
    return modes | ({"ruling": rulings} if rulings else {})
