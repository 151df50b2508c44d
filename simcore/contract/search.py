"""The player ``search:N``: a tree over N games as a seat may imagine them, then the best option.

Where the rules say how seats stand, it begins with the look of ``greedy``, one step ahead, which
counts as some simulations of each option: else a few simulations play worse than that look.

An information-set tree [Cowling, Powley and Whitehouse 2012], one for each decision, with a reward
for each seat; seats that choose at once choose by statistics of their own.  Where nothing is hidden
and no luck is drawn, proofs are backed up [Winands, Björnsson and Saito 2008] and equal positions
are one node.
"""

from collections.abc import Callable, Iterable, Sequence
from math import exp, log, sqrt

from simcore.contract.game import Game, Score
from simcore.contract.luck import Luck
from simcore.contract.network import IMAGINED
from simcore.contract.rules import MOST_DECISIONS, Option, Rules, carry_out, endless, options_of
from simcore.contract.state import Cards

#: How much what was tried seldom is preferred.
EXPLORE = 0.7
#: Random decisions after which it is judged how seats stand, where the rules can say it.
PLAYOUT = 8
#: Simulations that each game counts as in which a search first looks one step ahead.
TRUST = 2

_Stands = Callable[[Rules], Sequence[float]]


class _Node:
    """What came of the options of a position, for each seat that chooses there."""

    __slots__ = ("children", "met", "options", "proof", "seats")

    def __init__(self) -> None:
        self.children: dict[tuple[Option, ...], _Node] = {}
        self.seats: dict[int, dict[Option, list[float]]] = {}  # visits, offers, sum of rewards
        self.options: list[Option] = []
        self.met = False
        self.proof: list[float] | None = None


class Search:
    """The search for one decision."""

    def __init__(self, game: Game, rules: Rules, stands: _Stands, luck: Luck) -> None:
        self._game, self._rules, self._luck = game, rules, luck
        self._stands = stands if hasattr(rules, "standing") else None
        self._teams = game.teams_of(rules.seats)
        self._root, self._shared = _Node(), dict[str, _Node]()
        self._proves = _is_open(rules) and (
            len(self._teams) == 1 or (len(self._teams) == 2 and not isinstance(game.outcome, Score))
        )
        self._spread, self._leads = 0.0, 0

    @property
    def looks(self) -> bool:
        """Whether the rules say how seats stand, by which it can begin."""
        return self._stands is not None

    def promise(self, seat: int, rules: Rules) -> float:
        """What the standing of a seat promises it, or its reward where the game is over."""
        if self._stands is not None and rules.__dict__["acting"] is not None:
            return self._squashed(self._stands(rules))[seat]
        return self._rewards(rules)[seat]

    def best(
        self, seat: int, options: Sequence[Option], simulations: int, looked: Sequence[float]
    ) -> int:
        """The place of the option to choose; ``looked`` has the sum of what each has promised."""
        if len(options) == 1:
            return 0
        if self._stands is not None:
            n = TRUST * IMAGINED
            rows = [[n, n, TRUST * one] for one in looked]
            self._root.seats[seat] = dict(zip(options, rows, strict=True))
        for _ in range(simulations):
            if self._root.proof is not None:
                break
            self._simulate(self._rules.imagined(seat, self._luck))
        counts = self._root.seats.get(seat, {})

        def worth(option: Option) -> tuple[float, float]:
            child = self._root.children.get((option,))
            proof = child.proof if child else None
            if proof is not None:
                return proof[seat], 0.0
            visits, _, total = counts.get(option, (0.0, 0.0, 0.0))
            return (total / visits if visits else -1.0), visits

        worths = [worth(option) for option in options]
        most = max(visits for _, visits in worths)
        # Of those that are not proven only the most visited; a proof before the same mean.
        good = [
            (mean if visits == most or not visits else -1.0, not visits) for mean, visits in worths
        ]
        return good.index(max(good))

    def _simulate(self, rules: Rules) -> None:
        node, path = self._root, []
        met = {id(node)}
        while (acting := rules.__dict__["acting"]) is not None and node.proof is None:
            seats = (acting,) if type(acting) is int else acting
            chosen = tuple(self._choose(node, rules, seat, len(seats)) for seat in seats)
            path.append((node, seats, chosen))
            carry_out(rules, zip(seats, chosen, strict=True))
            if self._proves and rules.rng._counters:
                self._proves = False
                self._forget()
            child = node.children.get(chosen)
            if child is None:
                child = node.children[chosen] = self._node_of(rules)
            node = child
            if type(rules.__dict__["acting"]) is int and self._proves and node.options:
                _prove(node, rules.__dict__["acting"])
            if not node.met or id(node) in met:
                node.met = True
                break
            met.add(id(node))
        if self._proves and rules.__dict__["acting"] is None:
            node.proof = self._rewards(rules)
        reward = node.proof if node.proof is not None else self._played_out(rules)
        for parent, seats, chosen in reversed(path):
            for seat, option in zip(seats, chosen, strict=True):
                count = parent.seats[seat][option]
                count[0] += 1
                count[2] += reward[seat]
            if self._proves and len(seats) == 1 and parent.proof is None:
                _prove(parent, seats[0])

    def _forget(self) -> None:
        """Forget all proofs, since luck was drawn."""
        self._shared.clear()
        waiting, met = [self._root], set[int]()
        while waiting:
            node = waiting.pop()
            if id(node) not in met:
                met.add(id(node))
                node.proof = None
                waiting.extend(node.children.values())

    def _node_of(self, rules: Rules) -> _Node:
        key = _key(rules) if self._proves else ""
        return self._shared.setdefault(key, _Node()) if key else _Node()

    def _choose(self, node: _Node, rules: Rules, seat: int, together: int) -> Option:
        """The option of a seat with the highest upper bound; first those never tried."""
        options = options_of(rules, seat)
        if self._proves and together == 1:
            node.options = options
            proven = node.children
            options = [
                one
                for one in options
                if (child := proven.get((one,))) is None or child.proof is None
            ] or options
        counts = node.seats.setdefault(seat, {})
        rows = [counts.setdefault(option, [0, 0, 0.0]) for option in options]
        untried = []
        for place, row in enumerate(rows):
            row[1] += 1
            if not row[0]:
                untried.append(place)
        if untried:
            return options[untried[self._luck.below(len(untried), "search", seat)]]
        bounds = [row[2] / row[0] + EXPLORE * sqrt(log(row[1]) / row[0]) for row in rows]
        return options[bounds.index(max(bounds))]

    def _played_out(self, rules: Rules) -> Sequence[float]:
        below = self._luck.below
        for number in range(MOST_DECISIONS):
            acting = rules.__dict__["acting"]
            if acting is None:
                return self._rewards(rules)
            if self._stands and number >= PLAYOUT:
                return self._squashed(self._stands(rules))
            seats = (acting,) if type(acting) is int else acting
            chosen = []
            for seat in seats:
                options = options_of(rules, seat)
                chosen.append(options[below(len(options), "playout", seat)])
            carry_out(rules, zip(seats, chosen, strict=True))
        raise endless(rules)

    def _rewards(self, rules: Rules) -> list[float]:
        outcomes = self._game.outcomes(rules.scores(), rules.seats)
        return [one / self._game.unit for one in outcomes]

    def _squashed(self, stands: Sequence[float]) -> list[float]:
        """The outcomes that such a standing promises."""
        results = [_total(stands[seat] for seat in team) / len(team) for team in self._teams]
        outcome = self._game.outcome
        if isinstance(outcome, Score):
            width = outcome.best - outcome.worst
            shares = [min(max((one - outcome.worst) / width, 0.0), 1.0) for one in results]
        else:
            top = max(results)
            self._spread += top - min(results)
            self._leads += 1
            scale = self._spread / self._leads or 1.0
            parts = [exp(max((one - top) / scale, -50.0)) for one in results]
            shares = [part / _total(parts) for part in parts]
            if outcome == "rank" and len(parts) > 1:
                shares = [_total(one / (one + other) for other in parts) - 0.5 for one in parts]
                shares = [one / (len(parts) - 1) for one in shares]
        found = [0.0] * len(stands)
        for team, share in zip(self._teams, shares, strict=True):
            for seat in team:
                found[seat] = share
        return found


def _total(numbers: Iterable[float]) -> float:
    """The sum of numbers one after the other, as kernels add; that of Python is more exact."""
    found = 0.0
    for one in numbers:
        found += one
    return found


def _prove(node: _Node, seat: int) -> None:
    """Prove a position by the options behind it: one that wins, or else the best of all."""
    children = [node.children.get((option,)) for option in node.options]
    proofs = [one.proof for one in children if one and one.proof is not None]
    best = max(proofs, key=lambda proof: proof[seat], default=None)
    if best is not None and (best[seat] == 1 or len(proofs) == len(node.options)):
        node.proof = best


def may_be_open(rules: type[Rules]) -> bool:
    """Whether nothing but cards may be hidden from a seat."""
    if any(hasattr(rules, name) for name in ("unseen", "hidden")):
        return False
    others = (one for one in rules._declared.values() if not isinstance(one, Cards))
    return all(getattr(one, "seen_by", "all") == "all" for one in others)


def _is_open(rules: Rules) -> bool:
    """Whether every seat sees all that there is."""
    if not may_be_open(type(rules)):
        return False
    return all(not zone for zone in rules.zones() if zone.declared.seen_by != "all")


def _key(rules: Rules) -> str:
    """What tells a position from others, "" where objects may hide in it."""
    found = []
    for name, value in rules.__dict__.items():
        declared = rules._declared.get(name)
        if isinstance(declared, Cards):
            zones = value if declared.per_seat else (value,)
            found.append((name, [([card.id for card in zone], zone._marks) for zone in zones]))
        elif name == "acting" or declared is not None:
            found.append((name, value))
        elif name not in ("setup", "seats", "rng", "_notes", "_log"):
            return ""
    return repr(found)
