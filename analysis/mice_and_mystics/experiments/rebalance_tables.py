"""The tables of a rebalancing of Mice & Mystics, as `rebalance` makes them."""

from analysis.questions.rebalance_tables import changes_table, farthest, front_table, goals_table
from analysis.registry import Registry

#: What is judged: the win rates of parties, or the effects of entries, as in `verdict`.
PARTIES, ENTRIES = "parties", "entries"
_JUDGED = {"judged": f"what is judged: {PARTIES} by their win rates, or {ENTRIES} by their effects"}
_WHO = "who played all mice"

FRONT = front_table(
    _WHO,
    amount="one for each step of a number",
    changes="kind, entry and number, with what each becomes",
    about=_JUDGED,
    games=", of all parties together",
    excess="by how much parties win more or less than the band, or the effects of entries lie "
    "outside it, all together",
    same="with the same chance",
    more=farthest("win rate or effect"),
)
CHANGES = changes_table(
    "number",
    {
        "of": "what it belongs to: heroes, minions, abilities, search_cards, encounters, chapters, "
        "or rules (a number beside the switches)",
        "entry": "the id of the entry; empty for rules",
        "name": "its name",
    },
    "which number it is",
    more={
        "confidence": "how sure it is that the number is as it is: verified, reported or assumed",
        "written": "where the proposal says it: proposal.toml, or an option of the command line",
    },
)
GOALS = goals_table(
    "party, or per entry that `--only` names",
    {
        **_JUDGED,
        "entry": "ids of the heroes of a party, in the order of the data, or the id of the entry",
        "name": "their names, or its name",
    },
    _WHO,
    "win rate, or effect as in `verdict`, with the chapter as it is",
    "games of the party, or of the smallest group that the effect is made of",
)

#: The tables, as `rebalance` gives them.
REBALANCE_TABLES = Registry(FRONT, CHANGES, GOALS)
