"""What ability cards do, in words: from the meanings that their operations are registered with."""

import re

from card_data.mice_and_mystics.facts import Ability, Effect
from card_data.mice_and_mystics.operations import Number, form_of


def ability_text(ability: Ability) -> str:
    """What an ability costs, when it can be used, and what it does."""
    price = f"{ability.cost}"
    if ability.cost_most > ability.cost:
        price += f" to {ability.cost_most}"
    does = ", ".join(map(_meaning, ability.effect))
    return f"{price} cheese, {ability.timing.replace('_', ' ')}: {does}"


def _meaning(effect: Effect) -> str:
    """What an operation of an ability does, with its numbers."""
    form = form_of(effect, "ability")
    numbers = {one.name: one.default for one in form.fields if isinstance(one, Number)}
    numbers |= dict(effect.given)
    return re.sub(r"`(\w+)`", lambda found: str(numbers[found[1]]), form.meaning)
