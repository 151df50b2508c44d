"""Who chooses: policies pick an option number at a decision.

A policy is a kernel ``(state, table) -> option`` that reads the game and may draw private random
numbers, but changes nothing else.  To add one: write the kernel, give it a line in ``_choose`` and
one in ``POLICIES``.
"""

from rapidfuzz import process

from simcore.kernel_cache import inline_kernel
from simcore.mindbug.greedy import _choose_greedy
from simcore.random_streams import CHOICE, _random_below

#: Name and description of each policy; its place is its number.
POLICIES = {
    "random": "every option is equally likely (the reference policy of R120)",
    "greedy": "looks one step ahead and takes the option with the most points",
}
_GREEDY = list(POLICIES).index("greedy")


@inline_kernel
def _choose_random(state, table):
    """The reference policy: every option is equally likely (R120, R121)."""
    return _random_below(state.streams, CHOICE + state.decider, state.n_options)


@inline_kernel
def _choose(state, table, policy):
    """Option chosen by policy number ``policy`` at the present decision."""
    if policy == _GREEDY:
        return _choose_greedy(state, table)
    return _choose_random(state, table)


def policy_number(name: str) -> int:
    """Number of a policy in ``POLICIES``.

    Raises
    ------
    ValueError
        For an unknown name; the message names the nearest one.
    """
    names = list(POLICIES)
    if name in names:
        return names.index(name)
    nearest = process.extractOne(name, names)[0]
    raise ValueError(
        f"unknown policy {name!r}; did you mean {nearest!r}? Policies are: {', '.join(names)}"
    )
