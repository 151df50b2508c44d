"""The tables of a rebalancing, as `rebalance` makes them."""

from analysis.mindbug.columns import FIRST_WINS
from analysis.registry import Registry, Table, with_interval

_FRESH = "from fresh games, which the search did not see"
_GOAL = "card: the advantage of a card; or first_player_win_rate or mean_turns"
_SHOWN = (
    "met (shown to be in the range), missed (shown to be outside), or not shown with this many "
    "games; by its interval"
)

FRONT = Table(
    "front",
    "One row per amount of change",
    {
        "plan": "number of the plan, from 0, nothing changed",
        "amount": "how much it changes: the weights of its changes, one for each step, added up",
        "changes": "its changes, with what each thing becomes: a card's power or copies, a keyword "
        "(1 added, 0 taken away), or a rule",
        "in_words": "the same for a reader",
        "proposed": "whether it is the proposal; nowhere true if none is shown to be a gain",
        "policy": "who played, on both sides",
        "n_games": "fresh games played with it",
        **with_interval(
            "excess",
            "by how many points cards lie outside the band, all together (0.01 is one percentage "
            f"point); {_FRESH}",
        ),
        **with_interval(
            "gain",
            f"by how much less that is than with nothing changed, on the same deals; {_FRESH}",
        ),
        "cards_outside": f"cards whose advantage lies outside the band by estimate, {_FRESH}",
        "worst_card": "the card with the largest advantage either way",
        "worst_advantage": f"its advantage, {_FRESH}",
        "first_player_win_rate": f"{FIRST_WINS}; missing if it was not asked about",
        "mean_turns": "mean number of turns; missing if it was not asked about",
    },
    where="in the folder of `fairdeal rebalance`",
)
CHANGES = Table(
    "changes",
    "One row per thing that the proposal changes",
    {
        "card_id": "the card that the proposal changes; empty for a rule",
        "name": "its printed name",
        "what": "what is changed: power, keywords, copies, life, mindbugs or hand size",
        "before": "what it is; empty for no keyword",
        "after": "what is proposed",
        "amount": "how much that counts",
    },
    where="in the folder of `fairdeal rebalance`",
)
GAINS = Table(
    "gains",
    "One row per kind of goal",
    {
        "goal": "card: the advantages of all cards; or first_player_win_rate or mean_turns",
        "plan": "number of the plan in the table front: the proposal, or what was found in its "
        "place",
        "before": "by how much the goal is missed with nothing changed: a share (0.01 is one "
        f"percentage point), for mean_turns turns; {_FRESH}",
        "after": "the same with the plan",
        **with_interval("gain", "by how much less the goal is missed with the plan"),
    },
    where="in the folder of `fairdeal rebalance`",
    note="; none where nothing was found",
)
GOALS = Table(
    "goals",
    "One row per number that is asked about",
    {
        "goal": _GOAL,
        "card_id": "the card; empty for the other goals",
        "name": "its printed name",
        "least": "the range that was asked for: its lower end",
        "most": "its upper end",
        "policy": "who played, on both sides",
        **with_interval("before", f"the number with the pool as it is, {_FRESH}"),
        "before_n": "player-games in which the player was dealt the card, or games",
        "before_verdict": f"what is shown of it: {_SHOWN}",
        **with_interval(
            "after", f"the number with the proposal, {_FRESH}; missing if there is no proposal"
        ),
        "after_n": "the same as `before_n`, with the proposal",
        "after_verdict": "what is shown of it then",
    },
    where="in the folder of `fairdeal rebalance`",
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
            "nearest", f"the nearest to the range that came of all that was played; {_FRESH}"
        ),
        "changes": "the changes with which it came so near",
        "in_words": "the same for a reader",
        "out_of_reach": "whether every allowed change was tried (of a card: its own) and the "
        "interval lies outside the range",
    },
    where="in the folder of `fairdeal rebalance`",
)

#: The tables, as `rebalance` gives them.
REBALANCE_TABLES = Registry(FRONT, CHANGES, GAINS, GOALS, NEAREST)
