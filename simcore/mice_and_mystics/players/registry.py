"""Which policies there are; nothing heavy is imported with this, since help lists them."""

from attrs import frozen

#: Said wherever players with noise are offered.
NOISE = "PLAYER@E takes a share E of its decisions as 'category' does, which is not uniform"


@frozen
class Number:
    """A number that is part of a player: ``heuristic:2``."""

    name: str
    help: str
    least: int
    most: int
    default: int | None = None  # None: it must be given
    usual: int = 0  # what a message proposes then


@frozen
class Policy:
    """A policy: what it does, the number behind its colon if any, and whether it has weights."""

    description: str
    number: Number | None = None
    weights: bool = False


#: The policies from weak to strong; the place of a policy is its number in the table.
POLICIES = {
    "uniform": Policy("every entry is equally likely (U of section 24)"),
    "category": Policy("first what to do, then with what, both equally likely (C of section 24)"),
    "heuristic": Policy(
        "the rules that section 24 gives (H)",
        Number("h_wait", "cheese on the wheel from which it explores", 0, 5, 0),
    ),
    "learned": Policy("points for what H goes by and more, learned from play", weights=True),
    "search": Policy(
        "tries the best options of 'learned' in N simulated continuations",
        Number("N", "how many continuations it tries for a decision", 2, 1_000_000, usual=100),
        weights=True,
    ),
}

#: All policies as help spells them.
SPELLED = tuple(
    f"{name}:{policy.number.name}" if policy.number and policy.number.default is None else name
    for name, policy in POLICIES.items()
)
