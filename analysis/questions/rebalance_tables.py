"""The tables of a rebalancing that are alike in all games; a game says what its rows are about."""

from collections.abc import Mapping, Sequence

from analysis.registry import Table, with_interval

#: What every number of the answer comes from.
FRESH = "from fresh games, which the search did not see"
#: Where the tables lie.
WHERE = "in the folder of `fairdeal rebalance`"
_SHOWN = (
    "met (shown to be in the range), missed (shown to be outside), or not shown with this many "
    "games; by its interval"
)


def farthest(number: str) -> dict[str, str]:
    """The columns of `Question.of_front`; ``number`` is what has to be in the band."""
    return {
        "outside": f"how many of them are outside the band by estimate, {FRESH}",
        "worst": "the one that is farthest from the middle of the band, as `entry` in `goals`",
        **with_interval("worst_estimate", f"its {number}, {FRESH}"),
        "worst_distance": "by how much that is outside the band; 0 inside",
    }


def front_table(
    who: str,
    *,
    amount: str,
    changes: str,
    excess: str,
    same: str,
    more: Mapping[str, str],
    about: Mapping[str, str] | None = None,
    games: str = "",
    differences: Sequence[str] = ("excess", "gain", "worst_distance"),
) -> Table:
    """The plans that a reader is shown.

    ``excess`` is what lies outside the band, all together, ``same`` what the games of two plans
    share; ``about`` and ``more`` are columns of a game.
    """
    return Table(
        "front",
        "One row per amount of change",
        {
            "plan": "number of the plan, from 0, nothing changed",
            "amount": f"how much it changes: {amount}",
            "changes": f"its changes: {changes}",
            "in_words": "the same for a reader",
            "proposed": "whether it is the proposal; nowhere true if none is shown to be a gain",
            "policy": who,
            **(about or {}),
            "n_games": f"fresh games played with it{games}",
            **with_interval("excess", f"{excess} (0.01 is one percentage point); {FRESH}"),
            **with_interval(
                "gain", f"by how much less that is than with nothing changed, {same}; {FRESH}"
            ),
            **more,
        },
        where=WHERE,
        differences=differences,
    )


def changes_table(
    rows: str,
    columns: Mapping[str, str],
    what: str,
    *,
    before: str = "",
    more: Mapping[str, str] | None = None,
) -> Table:
    """What the proposal changes, which ``columns`` name; ``before`` says more of what it is."""
    return Table(
        "changes",
        f"One row per {rows} that the proposal changes",
        {
            **columns,
            "what": what,
            "before": f"what it is{before}",
            "after": "what is proposed",
            "amount": "how much that counts",
            **(more or {}),
        },
        where=WHERE,
    )


def goals_table(rows: str, columns: Mapping[str, str], who: str, number: str, n: str) -> Table:
    """Each number that has to be in a range, which ``columns`` name, before and after."""
    return Table(
        "goals",
        f"One row per {rows}",
        {
            **columns,
            "least": "the range that was asked for: its lower end",
            "most": "its upper end",
            "policy": who,
            **with_interval("before", f"{number}, {FRESH}"),
            "before_n": n,
            "before_verdict": f"what is shown of it: {_SHOWN}",
            **with_interval(
                "after", f"the same with the proposal, {FRESH}; missing if there is no proposal"
            ),
            "after_n": "the same as `before_n`, with the proposal",
            "after_verdict": "what is shown of it then",
        },
        where=WHERE,
    )
