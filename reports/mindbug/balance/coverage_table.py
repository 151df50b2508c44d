"""How often each ability works in random play, ``docs/data/coverage.csv``.

An ability that never works in a hundred thousand games is one that no figure speaks about.  Written
by ``python -m reports.mindbug.balance.coverage_table 20000 > docs/data/coverage.csv``.
"""

import sys
from collections.abc import Sequence

import pandas as pd
from attrs import evolve

from card_data.mindbug import available_sets, load_pool
from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.schema import ConstantAbility, PowerCard
from simcore.mindbug import compile_cards
from simcore.mindbug.play.coverage import AbilityCount, count_abilities

_COLUMNS = ["set", "card", "ability", "times", "last_instruction"]


def coverage_table(n_games: int, sets: Sequence[str] = ()) -> pd.DataFrame:
    """One row per ability, from ``n_games`` new games of each set (all shipped ones if none).

    ``times`` is how often a triggered ability or the effect of a power card began, or at how many
    turn actions a constant ability worked; ``last_instruction`` how often the last one was reached.
    """
    rows = []
    for set_id in sets or available_sets():
        pool = load_pool([set_id])
        for count in count_abilities(compile_cards(pool), n_games=n_games):
            name = pool.sets[0].name
            rows.append((name, count.card.name, _text(count), count.n, count.n_last))
    return pd.DataFrame(rows, columns=_COLUMNS)


def _text(count: AbilityCount) -> str:
    """The ability in words."""
    card, ability = count.card, count.ability
    if isinstance(card, PowerCard) or ability is None:
        return " ".join(rules_text(card))
    if isinstance(ability, ConstantAbility):
        return " ".join(rules_text(evolve(card, triggered=(), constant=(ability,))))
    return " ".join(rules_text(evolve(card, triggered=(ability,), constant=())))


if __name__ == "__main__":
    coverage_table(int(sys.argv[1])).to_csv(sys.stdout, index=False)
