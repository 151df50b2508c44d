"""The tables of a rebalancing, as `rebalance` makes them."""

from analysis.mindbug.columns import FIRST_WINS
from analysis.questions.rebalance_tables import (
    FRESH,
    WHERE,
    changes_table,
    front_table,
    goals_table,
)
from analysis.registry import Registry, Table, with_interval

_GOAL = "card: the advantage of a card; or first_player_win_rate or mean_turns"
_WHO = "who played, on both sides"

FRONT = front_table(
    _WHO,
    amount="the weights of its changes, one for each step, added up",
    changes="with what each thing becomes: a card's power or copies, a keyword (1 added, 0 taken "
    "away), or a rule",
    excess="by how many points cards lie outside the band, all together",
    same="on the same deals",
    more={
        "cards_outside": f"cards whose advantage lies outside the band by estimate, {FRESH}",
        "worst_card": "the card with the largest advantage either way",
        "worst_advantage": f"its advantage, {FRESH}",
        "first_player_win_rate": f"{FIRST_WINS}; missing if it was not asked about",
        "mean_turns": "mean number of turns; missing if it was not asked about",
    },
    differences=(),
)
CHANGES = changes_table(
    "thing",
    {
        "card_id": "the card that the proposal changes; empty for a rule",
        "name": "its printed name",
    },
    "what is changed: power, keywords, copies, life, mindbugs or hand size",
    before="; empty for no keyword",
)
GAINS = Table(
    "gains",
    "One row per kind of goal",
    {
        "goal": "card: the advantages of all cards; or first_player_win_rate or mean_turns",
        "plan": "number of the plan in the table front: the proposal, or what was found in its "
        "place",
        "before": "by how much the goal is missed with nothing changed: a share (0.01 is one "
        f"percentage point), for mean_turns turns; {FRESH}",
        "after": "the same with the plan",
        **with_interval("gain", "by how much less the goal is missed with the plan"),
    },
    where=WHERE,
    note="; none where nothing was found",
)
GOALS = goals_table(
    "number that is asked about",
    {"goal": _GOAL, "card_id": "the card; empty for the other goals", "name": "its printed name"},
    _WHO,
    "the number with the pool as it is",
    "player-games in which the player was dealt the card, or games",
)
NEAREST = Table(
    "nearest",
    "One row per goal that nothing tried reaches",
    {
        "goal": f"a goal that nothing tried reaches; {_GOAL}",
        "card_id": "the card; empty for the other goals",
        "name": "its printed name",
        "least": "the range that was asked for: its lower end",
        "most": "its upper end",
        **with_interval(
            "nearest", f"the nearest to the range that came of all that was played; {FRESH}"
        ),
        "changes": "the changes with which it came so near",
        "in_words": "the same for a reader",
        "out_of_reach": "whether every allowed change was tried (of a card: its own) and the "
        "interval lies outside the range",
    },
    where=WHERE,
)

#: The tables, as `rebalance` gives them.
REBALANCE_TABLES = Registry(FRONT, CHANGES, GAINS, GOALS, NEAREST)
