"""The tree of the compiled player ``search:N``, which grows as that of `simcore.contract.search`.

``edges`` is a table by key: what came of an option of a seat, and which node lies behind choices or
is of a position.  ``nodes`` begins with the root, ``offered`` has the options by which positions
are proven, and ``tree`` the numbers of the whole.
"""

from math import exp, log, sqrt

import numpy as np

from simcore.contract.compiled.floor import _bits, _results
from simcore.contract.game import MOST_SEATS
from simcore.contract.search import EXPLORE
from simcore.jit import kernel
from simcore.random_streams import _below, _mix

#: An edge: a key, the node behind it (from 1 on), and what came of an option.
EDGE = np.dtype(
    [
        ("key", np.uint64),
        ("child", np.int64),
        ("visits", np.int64),
        ("offers", np.int64),
        ("total", np.float64),
    ]
)
NODE = np.dtype(
    [
        ("met", np.int64),
        ("proven", np.int64),
        ("last", np.int64),
        ("first", np.int64),
        ("n", np.int64),
        ("proof", np.float64, (MOST_SEATS,)),
    ]
)
TREE = np.dtype(
    [
        ("edges", np.int64),
        ("nodes", np.int64),
        ("offered", np.int64),
        ("proves", np.int64),
        ("leads", np.int64),
        ("spread", np.float64),
    ]
)
# What keys are of, beside the seats: choices that lead to a node, and positions.
_LINK, _POSITION = 16, 17
_KEY_BITS = 5
_ONE = np.uint64(1)


# ------------------------------------------------------------ edges


@kernel
def _key(node, what, number):
    """The key of something of a node."""
    return _mix(_mix(np.uint64(node << _KEY_BITS | what)) + np.uint64(number)) | _ONE


@kernel
def _link(node, acting, options):
    """The key of what the seats that act have chosen."""
    key = np.uint64(node << _KEY_BITS | _LINK)
    for seat in range(len(options)):
        if acting >> seat & 1:
            key = _mix(_mix(key) + np.uint64(options[seat])) | _ONE
    return key


@kernel
def _edge(edges, key):
    """The place of a key; a free one where there is none yet."""
    last = len(edges) - 1
    place = np.int64(key >> np.uint64(1)) & last
    while edges[place].key != key and edges[place].key != 0:
        place = (place + 1) & last
    return place


@kernel
def _new_edge(edges, tree, key):
    """The place of a key, which is put there."""
    place = _edge(edges, key)
    if edges[place].key == 0:
        edges[place].key = key
        tree[0].edges += 1
    return place


@kernel
def _with_room(edges, tree, n):
    """The table with room for so many edges more."""
    wanted = 2 * (tree[0].edges + n)
    if wanted <= len(edges):
        return edges
    size = 2 * len(edges)
    while size < wanted:
        size *= 2
    found = np.zeros(size, EDGE)
    for i in range(len(edges)):
        if edges[i].key != 0:
            found[_edge(found, edges[i].key)] = edges[i]
    return found


@kernel
def _child(edges, node, option):
    """The node behind an option of a seat that chooses alone, -1 where there is none."""
    return edges[_edge(edges, _key(node, _LINK, option))].child - 1


@kernel
def _new_child(edges, tree, key):
    """The node of a key, which is made where there is none."""
    place = _new_edge(edges, tree, key)
    if edges[place].child == 0:
        tree[0].nodes += 1
        edges[place].child = tree[0].nodes
    return edges[place].child - 1


@kernel
def _behind_choices(edges, tree, link, position):
    """The node behind choices; that of an equal position, unless this is 0."""
    place = _new_edge(edges, tree, link)
    if edges[place].child == 0 and position != 0:
        node = _new_child(edges, tree, _key(0, _POSITION, position))
        edges[place].child = node + 1
    return _new_child(edges, tree, link)


# ------------------------------------------------------------ proofs


@kernel
def _keep_offered(offered, nodes, tree, node, o):
    """Keep the options of a node, by which it may be proven."""
    if nodes[node].n:
        return offered
    first, n = tree[0].offered, o.n
    if first + n > len(offered):
        longer = np.zeros(2 * (first + n), np.int64)
        for i in range(first):  # a slice would bring in what Numba writes when shapes differ
            longer[i] = offered[i]
        offered = longer
    for i in range(n):
        offered[first + i] = o.options[i]
    nodes[node].first, nodes[node].n = first, n
    tree[0].offered += n
    return offered


@kernel
def _set_proof(nodes, node, rewards):
    nodes[node].proven = 1
    for seat in range(len(rewards)):
        nodes[node].proof[seat] = rewards[seat]


@kernel
def _prove(edges, nodes, offered, node, seat):
    """Prove a position by the options behind it: one that wins, or else the best of all."""
    best, proven, n = -1, 0, nodes[node].n
    for i in range(nodes[node].first, nodes[node].first + n):
        child = _child(edges, node, offered[i])
        if child >= 0 and nodes[child].proven:
            proven += 1
            if best < 0 or nodes[child].proof[seat] > nodes[best].proof[seat]:
                best = child
    if best >= 0 and (nodes[best].proof[seat] == 1 or proven == n):
        _set_proof(nodes, node, nodes[best].proof)


@kernel
def _forget(nodes, tree):
    """Forget all proofs, since luck was drawn."""
    tree[0].proves = 0
    for node in range(tree[0].nodes):
        nodes[node].proven = 0


@kernel
def _drew(s):
    """Whether an imagined game has drawn luck."""
    for stream in range(len(s.drawn)):  # noqa: SIM110 - kernels have no generators
        if s.drawn[stream]:
            return True
    return False


@kernel
def _may_prove(s, t):
    """Whether there are two sides or one, and every seat sees all cards."""
    if t.n_teams > 2 or (t.n_teams == 2 and t.outcome == 2):
        return False
    for zone in range(len(t.start)):
        if t.seen_by[zone] and t.owner[zone] < t.seats and s.n[zone]:
            return False
    return True


@kernel
def _position_of_cards(s, t):
    """What tells where all cards lie from other positions."""
    found = np.uint64(s.acting << 1 | s.at_once)
    for zone in range(len(t.start)):
        if t.zone_key[zone] and t.owner[zone] < t.seats:
            found = _mix(found + np.uint64(s.n[zone]))
            for i in range(t.start[zone], t.start[zone] + s.n[zone]):
                found = _mix(found + np.uint64(s.cards[i]))
                for mark in range(s.marks.shape[0]):
                    found = _mix(found + np.uint64(s.marks[mark, i]))
    return found


# ------------------------------------------------------------ choices


@kernel
def _leave_proven_out(edges, nodes, node, o):
    """Leave out options that are proven, unless there are no others."""
    n = 0
    for i in range(o.n):
        child = _child(edges, node, o.options[i])
        if child < 0 or not nodes[child].proven:
            o.options[n] = o.options[i]
            n += 1
    if n:
        o.n = n


@kernel
def _picked(edges, tree, node, o, luck, t, seat):
    """The option with the highest upper bound; first those never tried."""
    untried, best, highest = 0, o.options[0], -np.inf
    for i in range(o.n):
        place = _new_edge(edges, tree, _key(node, seat, o.options[i]))
        edges[place].offers += 1
        visits = edges[place].visits
        if visits == 0:
            untried += 1
        if untried == 0:
            more = EXPLORE * sqrt(log(edges[place].offers) / visits)
            bound = edges[place].total / visits + more
            if bound > highest:
                best, highest = o.options[i], bound
    if untried == 0:
        return best
    left = _below(_bits(luck, t, t.search + seat), untried)
    for i in range(o.n):
        if edges[_edge(edges, _key(node, seat, o.options[i]))].visits == 0:
            if left == 0:
                return o.options[i]
            left -= 1
    raise ValueError


@kernel
def _credit(edges, node, acting, options, rewards):
    """Add what came of the choices at a node."""
    for seat in range(len(rewards)):
        if acting >> seat & 1:
            place = _edge(edges, _key(node, seat, options[seat]))
            edges[place].visits += 1
            edges[place].total += rewards[seat]


@kernel
def _best(edges, nodes, o, seat):
    """The place of the option to choose: of those not proven only the most visited."""
    most, best, highest, before = 0, 0, -np.inf, False
    for i in range(o.n):
        child = _child(edges, 0, o.options[i])
        if child < 0 or not nodes[child].proven:
            most = max(most, edges[_edge(edges, _key(0, seat, o.options[i]))].visits)
    for i in range(o.n):
        child = _child(edges, 0, o.options[i])
        edge = edges[_edge(edges, _key(0, seat, o.options[i]))]
        mean, unseen = -1.0, edge.visits == 0
        if child >= 0 and nodes[child].proven:
            mean, unseen = nodes[child].proof[seat], True
        elif edge.visits == most and most > 0:
            mean = edge.total / edge.visits
        if mean > highest or (mean == highest and unseen and not before):
            best, highest, before = i, mean, unseen
    return best


# ------------------------------------------------------------ rewards


@kernel
def _squashed(s, t, tree, found):
    """The outcomes that such a standing promises."""
    _results(s, t)
    results, n, total = s.results, t.n_teams, 0.0
    top = bottom = results[0]
    for team in range(n):
        top, bottom = max(top, results[team]), min(bottom, results[team])
    tree[0].spread += top - bottom
    tree[0].leads += 1
    scale = tree[0].spread / tree[0].leads
    if scale == 0:
        scale = 1.0
    for team in range(n if t.outcome < 2 else 0):
        results[team] = exp(max((results[team] - top) / scale, -50.0))
        total += results[team]
    at = 0
    for team in range(n):
        one = results[team]
        if t.outcome == 2:
            share = min(max((one - t.worst) / (t.best - t.worst), 0.0), 1.0)
        elif t.outcome == 0 or n == 1:
            share = one / total
        else:
            share = 0.0
            for other in range(n):
                share += one / (one + results[other])
            share = (share - 0.5) / (n - 1)
        for _ in range(t.team_sizes[team]):
            found[t.team_seats[at]] = share
            at += 1
