"""Which policies there are; nothing heavy is imported with this, since help lists them."""

from attrs import frozen


@frozen
class Policy:
    """A policy: its description, the file of its weights if it has any, and whether it searches."""

    description: str
    weights: str | None = None
    searches: bool = False


#: The policies from weak to strong; the place of a policy is its number.
POLICIES = {
    "random": Policy("every option is equally likely (the reference policy of R120)"),
    "greedy": Policy("looks one step ahead and takes the option with the most points"),
    "heuristic": Policy("one step ahead with weights set by hand", weights="heuristic"),
    "learned": Policy("one step ahead with weights learned from play", weights="learned"),
    "search": Policy("tries each option in simulated games", weights="learned", searches=True),
}
