"""The tables of a rebalancing of Mice & Mystics, as `rebalance` makes them."""

from analysis.registry import Registry, Table, with_interval

_FRESH = "from fresh games, which the search did not see"
_WHERE = "in the folder of `fairdeal rebalance`"
_SHOWN = (
    "met (shown to be in the band), missed (shown to be outside), or not shown with this many "
    "games; by its interval"
)

#: What is judged: the win rates of parties, or the effects of entries, as in `verdict`.
PARTIES, ENTRIES = "parties", "entries"
_JUDGED = f"what is judged: {PARTIES} by their win rates, or {ENTRIES} by their effects"

FRONT = Table(
    "front",
    "One row per amount of change",
    {
        "plan": "number of the plan, from 0, nothing changed",
        "amount": "how much it changes: one for each step of a number",
        "changes": "its changes: kind, entry and number, with what each becomes",
        "in_words": "the same for a reader",
        "proposed": "whether it is the proposal; nowhere true if none is shown to be a gain",
        "policy": "who played all mice",
        "judged": _JUDGED,
        "n_games": "fresh games played with it, of all parties together",
        **with_interval(
            "excess",
            "by how much parties win more or less than the band, or the effects of entries lie "
            f"outside it, all together (0.01 is one percentage point); {_FRESH}",
        ),
        **with_interval(
            "gain",
            f"by how much less that is than with nothing changed, with the same chance; {_FRESH}",
        ),
        "outside": f"how many of them are outside the band by estimate, {_FRESH}",
        "worst": "the one that is farthest from the middle of the band, as `entry` in `goals`",
        **with_interval("worst_estimate", f"its win rate or effect, {_FRESH}"),
        "worst_distance": "by how much that is outside the band; 0 inside",
    },
    where=_WHERE,
    differences=("excess", "gain", "worst_distance"),
)
CHANGES = Table(
    "changes",
    "One row per number that the proposal changes",
    {
        "of": "what it belongs to: heroes, minions, abilities, search_cards, encounters, chapters, "
        "or rules (a number beside the switches)",
        "entry": "the id of the entry; empty for rules",
        "name": "its name",
        "what": "which number it is",
        "before": "what it is",
        "after": "what is proposed",
        "amount": "how much that counts",
        "confidence": "how sure it is that the number is as it is: verified, reported or assumed",
        "written": "where the proposal says it: proposal.toml, or an option of the command line",
    },
    where=_WHERE,
)
GOALS = Table(
    "goals",
    "One row per party, or per entry that `--only` names",
    {
        "judged": _JUDGED,
        "entry": "ids of the heroes of a party, in the order of the data, or the id of the entry",
        "name": "their names, or its name",
        "least": "the band that was asked for: its lower end",
        "most": "its upper end",
        "policy": "who played all mice",
        **with_interval(
            "before",
            f"win rate, or effect as in `verdict`, with the chapter as it is, {_FRESH}",
        ),
        "before_n": "games of the party, or of the smallest group that the effect is made of",
        "before_verdict": f"what is shown of it: {_SHOWN}",
        **with_interval(
            "after", f"the same with the proposal, {_FRESH}; missing if there is no proposal"
        ),
        "after_n": "games as in `before_n`, with the proposal",
        "after_verdict": "what is shown of it then",
    },
    where=_WHERE,
)

#: The tables, as `rebalance` gives them.
REBALANCE_TABLES = Registry(FRONT, CHANGES, GOALS)
