"""One step on each number of a game, and all else set otherwise: what words mean of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from analysis.questions.sensitivity import Change, Games
from analysis.questions.smallest_change import Plan, Step
from card_data.faults import nearest, unknown_word
from card_data.schema import changes as schema
from card_data.schema.changes import Variable

_LESS = "\N{MINUS SIGN}"
#: The columns that say what is changed, with their meanings.
ABOUT = {
    "kind": "number, or switch: anything else that can be set otherwise",
    "entry": "id of the entry whose number it is; empty for what the settings of a game say",
    "name": "its name",
    "number": "which number: its field and, where that holds several, which of them, as in"
    " `bands.1-2.roach`; or the name of the setting",
    "label": "the same in words",
    "value": "what it is in the run",
    "changed_to": "what it is changed to, alone",
}


@frozen
class StepChange(Change):
    """A step on a variable, among the games as they are, ``base``, (n_games,).

    ``player`` is who played, as it is spelled.
    """

    change: schema.Change
    player: str
    base: Games = field(repr=False, eq=False)

    @property
    def about(self) -> Mapping[str, Any]:
        """The columns `ABOUT`, how sure the number is, and who played."""
        one = self.change.variable
        return {
            "kind": "number" if type(one.value) in (int, float) else "switch",
            "entry": one.entry,
            "name": one.name,
            "number": one.number,
            "label": one.label,
            "value": str(one.value),
            "changed_to": str(self.change.changed_to),
            "confidence": one.confidence,
            "policy": self.player,
        }


def choose(
    known: Sequence[Variable], words: Sequence[str], groups: Mapping[str, Sequence[str]]
) -> list[Variable]:
    """The variables that words mean, in their order: groups, ids or names of entries, numbers.

    ``groups`` are words for whole kinds of variables.  Raises ValueError with a line for each word
    that means none.
    """

    def is_meant(one: Variable, word: str) -> bool:
        if word in groups:
            return one.of in groups[word]
        names = one.entry, one.name.casefold(), one.number, one.number.partition(".")[0]
        return bool(word) and word.casefold() in names

    meant = {word: {one.key for one in known if is_meant(one, word)} for word in words}
    wrong = [word for word, found in meant.items() if not found]
    if wrong:
        entries = (name for one in known for name in (one.entry, one.name) if name)
        numbers = [one.number.partition(".")[0] for one in known if one.number]
        guesses = tuple(dict.fromkeys([*groups, *entries, *numbers]))
        allowed = [one for one in groups if any(is_meant(v, one) for v in known)]
        number = f", or a number such as {numbers[0]}." if numbers else "."
        more = f", the id or name of an entry{number}"
        told = (
            unknown_word("number or entry", word, allowed, guess=nearest(word, guesses))
            for word in wrong
        )
        raise ValueError("\n".join(f"{one[:-1]}{more}" for one in told))
    wanted = set[tuple[str, str, str]]().union(*meant.values())
    return [one for one in known if one.key in wanted]


def single_steps(changes: Iterable[schema.Change]) -> list[Step]:
    """Changes of numbers to the next larger or smaller one, as steps of `joined`."""
    return [
        Step(one.variable.number, 1 if one.changed_to > one.variable.value else -1)
        for one in changes
    ]


def joined(
    taken: tuple[Step, ...],
    variables: Mapping[str, Variable],
    is_sound: Callable[[Sequence[schema.Change]], bool],
) -> Plan[tuple[schema.Change, ...]] | None:
    """Some steps on numbers of an entry as one change; None where that cannot be played."""
    by = Counter[str]()
    for step in taken:
        by[step.thing] += step.by
    made = []
    for number, far in by.items():
        one = variables[number]
        known = sorted((*one.others, one.value))
        place = known.index(one.value) + far
        if not 0 <= place < len(known):
            return None
        made.append(schema.Change(one, known[place]))
    arrow = "\N{RIGHTWARDS ARROW}"
    parts = [f"{one.variable.label} {one.variable.value} {arrow} {one.changed_to}" for one in made]
    label = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])).replace(
        " -", f" {_LESS}"
    )
    return Plan(taken, label, tuple(made)) if is_sound(made) else None
