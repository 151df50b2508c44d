"""Rebalancing by steps on numbers, as a game declares them: `card_data.schema.changes`."""

from collections.abc import Iterator
from typing import Any

from analysis.experiments.rebalance_search import Plan
from analysis.questions.rebalance import Question
from card_data.schema.changes import Change, Variable


class StepQuestion(Question):
    """A question whose changes are steps on numbers, of which each counts 1."""

    changes: tuple[Change, ...]

    def amount_of(self, change: Change) -> int:
        """One for each step."""
        to, value = change.changed_to, change.variable.value
        if isinstance(to, int) and isinstance(value, int):
            return abs(to - value)
        known = sorted((*change.variable.others, value))
        return abs(known.index(to) - known.index(value))

    def name_of(self, change: Change) -> str:
        """A change as a word, "heroes:collin:life=4"."""
        return f"{':'.join(filter(None, change.variable.key))}={change.changed_to}"

    def thing_of(self, change: Change) -> tuple[str, ...]:
        """The number that is changed."""
        return change.variable.key

    def in_words(self, plan: Plan) -> list[str]:
        """What a plan changes: "Prince Collin: life 3 → 4"."""
        return [_in_words(self.changes[one]) for one in plan]

    def changed(self, plan: Plan) -> Iterator[tuple[Change, dict[str, Any]]]:
        """Each change of a plan with its columns in the table ``changes``."""
        for change in (self.changes[one] for one in plan):
            one = change.variable
            yield (
                change,
                {
                    "of": one.of,
                    "entry": one.entry,
                    "name": one.name,
                    "what": one.label,
                    "before": one.value,
                    "after": change.changed_to,
                    "amount": self.amount_of(change),
                },
            )


def near(variable: Variable, step: int) -> list[Change]:
    """A number up to so many steps less or more; none of what is no number."""
    value = variable.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return []
    below = [one for one in variable.others if one < value]
    above = [one for one in variable.others if one > value]
    return [Change(variable, one) for one in (*below[-step:], *above[:step])]


def _in_words(change: Change) -> str:
    """A change for a reader."""
    one = change.variable
    whose = f"{one.name}: " if one.name else ""
    return f"{whose}{one.label} {one.value} \N{RIGHTWARDS ARROW} {change.changed_to}"
