"""Which policies there are; nothing heavy is imported with this, since help lists them."""

from attrs import frozen

#: How many choices one after another ``expert`` tries.
LEVELS = 2


@frozen
class Policy:
    """A policy: its description, and what it thinks with.

    ``weights`` and ``network`` name files; ``levels`` is how many choices it looks ahead, and
    ``searches`` whether it simulates.
    """

    description: str
    weights: str | None = None
    network: str | None = None
    levels: int = 0
    searches: bool = False


#: The policies from weak to strong; the place of a policy is its number.
POLICIES = {
    "random": Policy("every option is equally likely (the reference policy of R120)"),
    "greedy": Policy("looks one step ahead and takes the option with the most points"),
    "heuristic": Policy("one step ahead with weights set by hand", weights="heuristic"),
    "learned": Policy("one step ahead with weights learned from play", weights="learned"),
    "expert": Policy(
        "tries each option to the end of the turn, where a network judges",
        weights="learned",
        network="expert",
        levels=LEVELS,
    ),
    "search": Policy(
        "tries each option in simulated games",
        weights="learned",
        network="expert",
        searches=True,
    ),
}
