"""The page of abilities at work, ``docs/coverage.md``: how often each works in random play.

An ability that never works in a hundred thousand games is one that no figure speaks about.
"""

import sys
from collections.abc import Sequence

from attrs import evolve

from card_data.mindbug import available_sets, load_pool
from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.schema import ConstantAbility, PowerCard
from simcore.mindbug import compile_cards
from simcore.mindbug.play.coverage import AbilityCount, count_abilities

_HEAD = """# Abilities at work

How often each ability of each card works when each set is played alone by two uniform-random
players, {n_games:,} games a set. For a triggered ability: how often it began and, where it has
several instructions, how often its last one was reached. For a constant ability: at how many turn
actions it worked. For a power card: how often its effect began.

Written by `python -m reports.mindbug.balance.coverage_page {n_games} > docs/coverage.md`; do not
edit.
"""

_COLUMNS = "| card | ability | times |\n| --- | --- | ---: |\n"


def coverage_page(n_games: int, sets: Sequence[str] = ()) -> str:
    """The page as Markdown, from ``n_games`` new games of each set (all shipped ones if none)."""
    parts = [_HEAD.format(n_games=n_games)]
    for set_id in sets or available_sets():
        pool = load_pool([set_id])
        table = compile_cards(pool)
        parts.append(f"\n## {pool.sets[0].name}\n\n{_COLUMNS}")
        parts += [_row(count) for count in count_abilities(table, n_games=n_games)]
    return "".join(parts)


def _row(count: AbilityCount) -> str:
    """One ability as a row of a table."""
    times = f"{count.n:,}" if count.n == count.n_last else f"{count.n:,} ({count.n_last:,})"
    return f"| {count.card.name} | {_text(count)} | {times} |\n"


def _text(count: AbilityCount) -> str:
    """The ability in words."""
    card, ability = count.card, count.ability
    if isinstance(card, PowerCard) or ability is None:
        return " ".join(rules_text(card))
    if isinstance(ability, ConstantAbility):
        return " ".join(rules_text(evolve(card, triggered=(), constant=(ability,))))
    return " ".join(rules_text(evolve(card, triggered=(ability,), constant=())))


if __name__ == "__main__":
    print(coverage_page(int(sys.argv[1])), end="")
