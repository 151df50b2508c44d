"""Texts of kernels that are compiled with the rules of a game: its course, and its players.

``r_options`` and the like stand for the rewritten methods, words in capitals for numbers.
"""

PLAY = """

@kernel
def ask(s, t, c, o, seat):
    \"\"\"Ask what a seat may do.\"\"\"
    o.n = 0
    r_options(s, t, c, o, seat)
    if o.n == 0:
        raise ValueError
    if t.without_seat == seat:
        leave_out(t, o)


@kernel
def carry_out(s, t, c, o, acting, at_once):
    \"\"\"Carry out what seats have chosen.\"\"\"
    for seat in range(t.seats):
        if acting >> seat & 1:
            take(s, t, c, seat, o.taken[seat])
    if at_once:
        all_chosen(s, t, c)

PLAYERS

@cached_kernel
def play(
    states, tables, work, c, who, network, seed, first, n, stop, at, numbers, deals, outcomes,
    points, entries, observed, seen, whose
):
    \"\"\"Play games one after the other; stop before a decision, unless that is -1.\"\"\"
    s, o = states[0], work[0]
    for row in range(n):
        at[0] = first + row
        t = tables[_peer(tables, seed, first + row)]
        _begin(s, t, seed, first + row)
        begin(s)
        _zero(c)
        r_start(s, t, c)
        if s.acting == 0:
            raise ValueError
        if c.shape[2]:
            _count_dealt(s, t, c)
        deals[row] = _digest(s, t)
        numbers[row, 1] = -1 if s.acting & (s.acting - 1) else _first(s.acting)
        decisions = 0
        while s.acting:
            acting, at_once = s.acting, s.at_once
            for seat in range(t.seats):
                if acting >> seat & 1:
                    ask(s, t, c, o, seat)
                    at[1] = seat
                    if decisions == stop:
                        look(states, t, c, work[1], seat)
                        return
                    decisions += 1
                    if decisions > MOST_DECISIONS:
                        raise ValueError
                    option = o.options[choose(states, t, work, c, who[seat], seat, network)]
                    o.taken[seat] = option
                    count_chosen(t, c, seat, option)
            carry_out(s, t, c, o, acting, at_once)
            KEEP
        at[1] = -1
        numbers[row, 0] = decisions
        score(s, t, c)
        _outcomes(s, t, outcomes[row])
        for seat in range(t.seats):
            points[row, seat] = s.points[seat]
        _keep_counts(c, entries[row])
        observe(s, t, c, observed[row])
"""

#: What players do who imagine nothing.
NOTHING_IMAGINED = """

@kernel
def look(states, t, c, o, seat):
    pass

"""

IMAGINE = """

@kernel
def exchange(s, t, c, o, luck, seat):
    \"\"\"Let what a seat does not see lie otherwise.\"\"\"
    for pool in range(N_POOLS):
        n = _hidden(s, t, o, seat, pool)
        for _ in range(100):
            _drawn_anew(s, t, o, luck, pool, n)
            fits = True
            for i in range(n):
                zone = o.zone[i]
                if t.seen_by[zone] == 2 or t.owner[zone] < 0:
                    continue
                if not could_hold(s, t, c, t.owner[zone], o.drawn[i], zone, o.place[i]):
                    fits = False
                    break
            if fits:
                for i in range(n):
                    s.cards[t.start[o.zone[i]] + o.place[i]] = o.drawn[i]
                break
    hidden(s, t, c, seat, luck)


@kernel
def imagine(states, t, c, o, luck, seat):
    \"\"\"Let the second game be one that a seat may take the first one for.\"\"\"
    for _ in range(100):
        states[1] = states[0]
        _with_luck(states[1], _bits(luck, t, t.luck))
        exchange(states[1], t, c, o, luck, seat)
        if possible(states[1], t, c, seat):
            return
    states[1] = states[0]
    _with_luck(states[1], _bits(luck, t, t.luck))


@kernel
def look(states, t, c, o, seat):
    \"\"\"Imagine a game that can be looked at.\"\"\"
    imagine(states, t, c, o, states[0], seat)

"""

#: Where the rules can say how well seats stand.
STAND = """

@kernel
def stand(s, t, c):
    for seat in range(t.seats):
        s.points[seat] = r_standing(s, t, c, seat)
        if not np.isfinite(s.points[seat]):
            raise ValueError

"""

#: For players who look one step ahead.
BEHIND = """

@kernel
def go_on(s, t, c, o, seat, option):
    \"\"\"Go on behind an option of a seat; others choose at random at the same time.\"\"\"
    acting, at_once = s.acting, s.at_once
    for one in range(t.seats):
        if acting >> one & 1:
            chosen = option
            if one != seat:
                ask(s, t, c, o, one)
                chosen = o.options[_draw(s, s.address, t, STEP_STREAM, o.n)]
            take(s, t, c, one, chosen)
    if at_once:
        all_chosen(s, t, c)
    if s.acting == 0:
        score(s, t, c)
        _outcomes(s, t, o.taken)

"""

LEAD = """

@kernel
def lead(s, t, c, seat):
    \"\"\"How far a seat is ahead.\"\"\"
    if s.acting:
        stand(s, t, c)
    return _lead(t, s.points, seat)

"""

VALUE = """

@kernel
def value(s, t, o, seat, network):
    \"\"\"How well a seat is going to do by what was learned, or has done, from 0 to 1.\"\"\"
    if s.acting == 0:
        return o.taken[seat] / t.unit
    seen = np.empty(len(network[0]))
    look_at(s, t, seat, seen)
    return _value(network, seen)


@kernel
def keep(s, t, acting, game, at, seen, whose):
    \"\"\"Keep what the seats see that have chosen; ``at`` counts it.\"\"\"
    for seat in range(t.seats):
        if s.acting and acting >> seat & 1 and at[2] < len(seen):
            look_at(s, t, seat, seen[at[2]])
            whose[at[2], 0], whose[at[2], 1] = game, seat
            at[2] += 1

"""

BEST_BEHIND = """

@kernel
def best_behind(states, t, work, c, seat, network, imagined, learned):
    \"\"\"The option behind which a seat stands best.\"\"\"
    o = work[0]
    for option in range(o.n):
        o.worth[option] = 0.0
    for _ in range(imagined if o.n > 1 else 0):
        imagine(states, t, c, work[1], states[0], seat)
        address = _bits(states[0], t, t.luck + 1)
        for option in range(o.n):
            states[2] = states[1]
            _with_luck(states[2], address)
            go_on(states[2], t, c, work[1], seat, o.options[option])
            o.worth[option] += JUDGE
    return _furthest(states[0], t, o, seat)

"""

#: How good what stands behind an option is, by whether somebody is greedy, and has learned.
_VALUE, _LEAD = "value(states[2], t, work[1], seat, network)", "lead(states[2], t, c, seat)"
JUDGES = {
    (True, False): _LEAD,
    (False, True): _VALUE,
    (True, True): f"{_VALUE} if learned else {_LEAD}",
}

#: What the search does after some decisions: it goes on, or asks how seats stand.
CUT_OFF = {
    False: """

@kernel
def cut_off(s, t, c, tree, found, number):
    return False

""",
    True: """

@kernel
def cut_off(s, t, c, tree, found, number):
    if number < PLAYOUT:
        return False
    stand(s, t, c)
    _squashed(s, t, tree, found)
    return True

""",
}

#: What the search begins with: how seats stand behind each option, where the rules can say it.
LOOK = {
    False: "",
    True: """

@kernel
def look_behind(states, t, work, c, tree, edges, seat, found):
    \"\"\"Begin with what each option promises in some games, the same for all.\"\"\"
    s, luck, o = states[2], states[3], work[0]
    for _ in range(IMAGINED):
        imagine(states, t, c, work[1], luck, seat)
        address = _bits(luck, t, t.luck + 1)
        for option in range(o.n):
            states[2] = states[1]
            _with_luck(s, address)
            go_on(s, t, c, work[1], seat, o.options[option])
            if s.acting:
                stand(s, t, c)
                _squashed(s, t, tree, found)
            else:
                found[seat] = work[1].taken[seat] / t.unit
            place = _new_edge(edges, tree, _key(0, seat, o.options[option]))
            edges[place].visits += TRUST
            edges[place].offers += TRUST
            edges[place].total += TRUST * found[seat]

""",
}

SEARCH = """

@kernel
def rewards(s, t, c, o, found):
    \"\"\"The outcomes of a game that is over, from 0 to 1.\"\"\"
    score(s, t, c)
    _outcomes(s, t, o.taken)
    for seat in range(t.seats):
        found[seat] = o.taken[seat] / t.unit


@kernel
def play_out(s, t, c, o, luck, tree, found):
    \"\"\"What comes of a game where all choose at random.\"\"\"
    for number in range(MOST_DECISIONS):
        if s.acting == 0:
            rewards(s, t, c, o, found)
            return
        if cut_off(s, t, c, tree, found, number):
            return
        acting, at_once = s.acting, s.at_once
        for seat in range(t.seats):
            if acting >> seat & 1:
                ask(s, t, c, o, seat)
                o.taken[seat] = o.options[_below(_bits(luck, t, t.playout + seat), o.n)]
        carry_out(s, t, c, o, acting, at_once)
    raise ValueError


@kernel
def search(states, t, work, c, seat, simulations):
    \"\"\"The best option by a tree over games as a seat may imagine them.\"\"\"
    s, luck, o = states[1], states[3], work[1]
    states[3] = states[0]
    luck.players = _bits(states[0], t, t.search + seat)
    for stream in range(len(luck.drawn)):
        luck.drawn[stream] = 0
    if work[0].n == 1:
        return 0
    most = simulations + 1
    tree, edges, nodes = np.zeros(1, TREE), np.zeros(1024, EDGE), np.zeros(most, NODE)
    offered, met, acted = np.zeros(64, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    chosen, found = np.zeros((most, t.seats), np.int64), np.zeros(t.seats)
    tree[0].nodes = 1
    tree[0].proves = SEES_ALL and _may_prove(states[0], t)
    LOOK
    for number in range(1, simulations + 1):
        if nodes[0].proven:
            break
        imagine(states, t, c, o, luck, seat)
        node = depth = 0
        nodes[0].last = number
        while s.acting and not nodes[node].proven:
            acting, at_once = s.acting, s.at_once
            proves = tree[0].proves and acting & (acting - 1) == 0
            for one in range(t.seats):
                if acting >> one & 1:
                    ask(s, t, c, o, one)
                    edges = _with_room(edges, tree, o.n + 2)
                    if proves:
                        offered = _keep_offered(offered, nodes, tree, node, o)
                        _leave_proven_out(edges, nodes, node, o)
                    o.taken[one] = _picked(edges, tree, node, o, luck, t, one)
                    chosen[depth, one] = o.taken[one]
            met[depth], acted[depth] = node, acting
            carry_out(s, t, c, o, acting, at_once)
            if tree[0].proves and _drew(s):
                _forget(nodes, tree)
            place = position(s, t) if tree[0].proves else np.uint64(0)
            node = _behind_choices(edges, tree, _link(node, acting, chosen[depth]), place)
            depth += 1
            if tree[0].proves and s.acting and not s.at_once and nodes[node].n:
                _prove(edges, nodes, offered, node, _first(s.acting))
            if not nodes[node].met or nodes[node].last == number:
                nodes[node].met = 1
                break
            nodes[node].last = number
        if tree[0].proves and s.acting == 0:
            rewards(s, t, c, o, found)
            _set_proof(nodes, node, found)
        if nodes[node].proven:
            for one in range(t.seats):
                found[one] = nodes[node].proof[one]
        else:
            play_out(s, t, c, o, luck, tree, found)
        for back in range(depth - 1, -1, -1):
            node, acting = met[back], acted[back]
            _credit(edges, node, acting, chosen[back], found)
            if tree[0].proves and acting & (acting - 1) == 0 and not nodes[node].proven:
                _prove(edges, nodes, offered, node, _first(acting))
    return _best(edges, nodes, work[0], seat)

"""

CHOOSE = """

@kernel
def choose(states, t, work, c, who, seat, network):
    \"\"\"The option of a player: 0 is random, 1 greedy, 1 + N searches with N simulations.

    The one that has learned is -1.
    \"\"\"
    if who == 0:
        return _choose(states[0], t, seat, work[0].n)
"""

#: How the players choose who look one step ahead, by their names.
STEPS = {
    "greedy": """
    if who == 1:
        return best_behind(GIVEN, network, IMAGINED, False)
""",
    "learned": """
    if who == -1:
        if network[6][0] and _choose(states[0], t, seat, 1000) < network[6][0]:
            return _choose(states[0], t, seat, work[0].n)
        return best_behind(GIVEN, network, network[6][1], True)
""",
}

#: What judges a game decision by decision: whoever is asked, and all after them, choose at random.
JUDGED = """

@kernel
def won_behind(states, t, work, c, seat, option, found):
    \"\"\"What sides win in a game behind an option, which a seat may take this one for.\"\"\"
    s, luck, o = states[1], states[3], work[1]
    imagine(states, t, c, o, luck, seat)
    number, chosen = 0, option
    while s.acting:
        acting, at_once = s.acting, s.at_once
        for one in range(t.seats):
            if acting >> one & 1:
                if number == 0 and one == seat:
                    o.taken[one] = chosen
                else:
                    ask(s, t, c, o, one)
                    o.taken[one] = o.options[_below(_bits(luck, t, t.playout + one), o.n)]
        carry_out(s, t, c, o, acting, at_once)
        number += 1
        if number > MOST_DECISIONS:
            raise ValueError
    score(s, t, c)
    _outcomes(s, t, o.taken)
    if t.n_teams == 1:
        found[0 if o.taken[0] >= t.unit else 1] += 1
        return
    best, level, at = -1, 0, 0
    for team in range(t.n_teams):
        one = o.taken[t.team_seats[at]]
        level = 1 if one > best else level + (one == best)
        best, at = max(best, one), at + t.team_sizes[team]
    at = 0
    for team in range(t.n_teams):
        if o.taken[t.team_seats[at]] == best:
            found[team] += 1 / level
        at += t.team_sizes[team]


@cached_kernel
def judge(
    states, tables, work, c, who, network, seed, number, forced, most, every, told, won, at,
    outcomes
):
    \"\"\"Play a game; for each option of each decision with several what sides win behind it.

    ``forced`` are the places of the first options that are taken.  ``most`` playouts are behind the
    option that is taken, and so many behind each other one, of ``every`` together; ``at`` says how
    many rows there are, and how many decisions, -1 where there are more than there is room for.
    \"\"\"
    s, o, counts = states[0], work[0], np.zeros_like(c)
    t = tables[_peer(tables, seed, number)]
    _begin(s, t, seed, number)
    begin(s)
    _zero(c)
    r_start(s, t, c)
    rows = decisions = 0
    while s.acting:
        acting, at_once = s.acting, s.at_once
        for seat in range(t.seats):
            if acting >> seat & 1:
                ask(s, t, c, o, seat)
                if decisions < len(forced):
                    place = forced[decisions]
                else:
                    place = choose(states, t, work, c, who[seat], seat, network)
                o.taken[seat] = o.options[place]
                if o.n > 1:
                    if rows + o.n > len(told):
                        at[0] = -1
                        return
                    states[3] = states[0]
                    states[3].players = _mix(s.players + np.uint64(decisions + 1))
                    for stream in range(len(states[3].drawn)):
                        states[3].drawn[stream] = 0
                    parts = won.shape[1]
                    each = max(min(most[1], every // o.n) // parts, 1)
                    for option in range(o.n):
                        told[rows, 0], told[rows, 1] = decisions, seat
                        told[rows, 2], told[rows, 3] = o.options[option], option == place
                        n = most[0] // parts if option == place else each
                        for part in range(parts):
                            for _ in range(n):
                                won_behind(
                                    states, t, work, counts, seat, o.options[option],
                                    won[rows, part]
                                )
                            for side in range(won.shape[2]):
                                won[rows, part, side] /= n
                        rows += 1
                decisions += 1
                if decisions > MOST_DECISIONS:
                    raise ValueError
        carry_out(s, t, c, o, acting, at_once)
    score(s, t, c)
    _outcomes(s, t, outcomes)
    at[0], at[1] = rows, decisions

"""
