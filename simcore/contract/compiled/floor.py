"""What rewritten rules stand on: kernels for zones, luck, choices and results of a game.

``s`` is the record of a game as it stands, ``t`` that of what is played (`layout.py`), ``c`` counts
what happens to entries, ``o`` has the options of a seat.  A zone is a number, and so is an entry.
Where the interpreted rules raise, these kernels raise as well: without a reason, since the game is
then played again by the rules themselves.
"""

import numpy as np

from simcore.contract.rules import MOST_OBSERVED
from simcore.jit import inline_kernel, kernel
from simcore.random_streams import _below, _mix

#: A number that stands for None.
NOTHING = -(2**62)
#: Events of entries that every game counts, by their places.
DEALT, CHOSEN = 0, 1
#: Bits of a word and of each thing in the number of an option.
WORD_BITS, THING_BITS, MOST_NUMBER = 8, 12, 4_095

#: A loop that has gone round so often never ends: the rules are asked where that is.
MOST_TIMES = 20_000_000

#: What whole numbers are at most, either way, so that 64 bits hold sums of them.
_MOST_WHOLE = 2.0**62
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_STREAM_STEP = np.uint64(0xD1342543DE82EF95)
_ONE = np.uint64(1)


# ------------------------------------------------------------ places and numbers


@inline_kernel
def _place(i, n):
    """The place of an index, which counts from the end where it is negative."""
    if i < 0:
        i += n
    if i < 0 or i >= n:
        raise IndexError
    return i


@inline_kernel
def _item(things, i):
    return things[_place(i, len(things))]


@inline_kernel
def _times(one, other):
    """A product of whole numbers; it raises where 64 bits do not hold it."""
    if abs(float(one) * float(other)) > _MOST_WHOLE:
        raise OverflowError
    return one * other


@inline_kernel
def _power(one, n):
    """A power of a whole number; it raises where 64 bits do not hold it."""
    if abs(float(one)) ** n > _MOST_WHOLE:
        raise OverflowError
    return one**n


@inline_kernel
def _once_more(times):
    """How often a loop has gone round; it raises where no loop would end."""
    if times >= MOST_TIMES:
        raise RuntimeError
    return times + 1


@inline_kernel
def _within(value, low, high):
    if value < low or value > high:
        raise ValueError
    return value


@inline_kernel
def _there(value, nothing):
    if value == nothing:
        raise TypeError
    return value


@inline_kernel
def _over(a, b):
    if b == 0:
        raise ZeroDivisionError
    return a // b


@inline_kernel
def _rest(a, b):
    if b == 0:
        raise ZeroDivisionError
    return a % b


@inline_kernel
def _ratio(a, b):
    if b == 0:
        raise ZeroDivisionError
    return a / b


@inline_kernel
def _bits_of(n):
    """A number of bits by which a number may be shifted."""
    if n < 0 or n > 62:
        raise ValueError
    return n


@inline_kernel
def _shifted_up(one, n):
    """A whole number with bits behind it; it raises where 64 bits do not hold it."""
    if abs(float(one)) * 2.0 ** _bits_of(n) > _MOST_WHOLE:
        raise OverflowError
    return one << n


@inline_kernel
def _shifted_down(one, n):
    return one >> _bits_of(n)


@inline_kernel
def _keyed(t, kinds, entry):
    """An entry, if it is of some kinds, given as bits."""
    if entry <= 0 or (kinds >> t.kind[entry]) & 1 == 0:
        raise KeyError
    return entry


@inline_kernel
def _position(positions, word):
    """The place of a word in a list."""
    if word < 0 or positions[word] < 0:
        raise KeyError
    return positions[word]


@inline_kernel
def _among(positions, word):
    """A word, if it is in a list."""
    _position(positions, word)
    return word


@inline_kernel
def _has_word(mask, positions, word):
    """Whether a word is among those whose bits are set."""
    return word >= 0 and positions[word] >= 0 and (mask >> positions[word]) & 1 != 0


@inline_kernel
def _with_field(has, entry):
    """An entry, if it has a field."""
    if not has[entry]:
        raise AttributeError
    return entry


# ------------------------------------------------------------ lists


@inline_kernel
def _number_of(things, n):
    """How many things there are: all for -1."""
    return len(things) if n < 0 else n


@kernel
def _sum(things, n):
    n = _number_of(things, n)
    total = things[0] * 0 if n else 0
    for i in range(n):
        total += things[i]
    return total


@kernel
def _max(things, n):
    n = _number_of(things, n)
    if n == 0:
        raise ValueError
    best = things[0]
    for i in range(1, n):
        if things[i] > best:
            best = things[i]
    return best


@kernel
def _min(things, n):
    n = _number_of(things, n)
    if n == 0:
        raise ValueError
    best = things[0]
    for i in range(1, n):
        if things[i] < best:
            best = things[i]
    return best


@kernel
def _any(things, n):
    n = _number_of(things, n)
    for i in range(n):  # noqa: SIM110 - kernels have no generators
        if things[i]:
            return True
    return False


@kernel
def _all(things, n):
    n = _number_of(things, n)
    for i in range(n):  # noqa: SIM110 - kernels have no generators
        if not things[i]:
            return False
    return True


@kernel
def _count_in(things, n, wanted):
    n = _number_of(things, n)
    found = 0
    for i in range(n):
        if things[i] == wanted:
            found += 1
    return found


@kernel
def _index(things, n, wanted):
    n = _number_of(things, n)
    for i in range(n):
        if things[i] == wanted:
            return i
    raise ValueError


@kernel
def _copy(things, n):
    n = _number_of(things, n)
    found = np.empty(n, things.dtype)
    for i in range(n):
        found[i] = things[i]
    return found


@kernel
def _repeated(thing, n):
    found = np.empty(max(n, 0), np.int64)
    for i in range(n):
        found[i] = thing
    return found


@kernel
def _repeated_real(thing, n):
    found = np.empty(max(n, 0), np.float64)
    for i in range(n):
        found[i] = thing
    return found


@kernel
def _reals(things):
    found = np.empty(len(things), np.float64)
    for i in range(len(things)):
        found[i] = things[i]
    return found


@kernel
def _longer(things, n):
    """A list with room for one thing more than ``n``."""
    if n < len(things):
        return things
    found = np.empty(2 * n + 4, things.dtype)
    for i in range(n):
        found[i] = things[i]
    return found


# ------------------------------------------------------------ luck


@inline_kernel
def _stream(address, key):
    """The counter at which a stream begins."""
    return _mix(address + (key + _ONE) * _STREAM_STEP)


@inline_kernel
def _next(s, address, t, stream):
    """The next number of a stream, by the address at which streams of a record begin."""
    number = _mix(_stream(address, t.key[stream]) + s.drawn[stream] * _GOLDEN)
    s.drawn[stream] += _ONE
    return number


@inline_kernel
def _draw(s, address, t, stream, n):
    """The next number of a stream, from 0 to n - 1."""
    if n < 1 or n > 0xFFFFFFFF:
        raise ValueError
    return _below(_next(s, address, t, stream), n)


@inline_kernel
def _behind(stream, n):
    """The stream of a number behind a purpose."""
    if n < 0 or n >= 32:
        raise ValueError
    return stream + n


@kernel
def _bits(s, t, stream):
    """The next number of a stream of the players."""
    return _next(s, s.players, t, stream)


@kernel
def _choose(s, t, seat, n):
    """One of so many options, by the luck of a seat."""
    return _below(_bits(s, t, t.first_choice + seat), n)


# ------------------------------------------------------------ zones


@inline_kernel
def _card(s, t, zone, i):
    return s.cards[t.start[zone] + _place(i, s.n[zone])]


@inline_kernel
def _at(s, t, zone, i):
    """Where the marks of a card are."""
    return t.start[zone] + _place(i, s.n[zone])


@inline_kernel
def _more(s, zone, k, changes):
    """Whether a loop over a zone goes on; it may not have been changed meanwhile."""
    if k > 0 and s.changes[zone] != changes:
        raise RuntimeError
    return k < s.n[zone]


@kernel
def _arrive(s, t, zone, card, known):
    if s.n[zone] >= t.room[zone] or card <= 0:
        raise ValueError
    at = t.start[zone] + s.n[zone]
    s.cards[at] = card
    s.known[at] = known
    for mark in range(s.marks.shape[0]):
        s.marks[mark, at] = 0
    s.n[zone] += 1


@kernel
def _move_at(s, t, zone, i, other):
    at = _at(s, t, zone, i)
    card, known = s.cards[at], s.known[at]
    s.n[zone] -= 1
    for after in range(at, t.start[zone] + s.n[zone]):
        s.cards[after] = s.cards[after + 1]
        s.known[after] = s.known[after + 1]
        for mark in range(s.marks.shape[0]):
            s.marks[mark, after] = s.marks[mark, after + 1]
    s.changes[zone] += 1
    _arrive(s, t, other, card, known)
    return card


@kernel
def _find(s, t, zone, card):
    """The place of a card in a zone; -1 if it is not there."""
    start = t.start[zone]
    for i in range(s.n[zone]):
        if s.cards[start + i] == card:
            return i
    return -1


@kernel
def _move(s, t, zone, card, other):
    i = _find(s, t, zone, card)
    if i < 0:
        raise ValueError
    return _move_at(s, t, zone, i, other)


@kernel
def _deal(s, t, zone, n, other):
    number = min(n, s.n[zone])
    for _ in range(number):
        _move_at(s, t, zone, -1, other)
    return number


@kernel
def _move_all(s, t, zone, other):
    number = s.n[zone]
    if zone == other:
        for _ in range(number):
            _move_at(s, t, zone, 0, other)
        return number
    start = t.start[zone]
    for i in range(number):
        _arrive(s, t, other, s.cards[start + i], s.known[start + i])
    s.n[zone] = 0
    s.changes[zone] += number
    return number


@kernel
def _swap(s, t, zone, other):
    if s.n[zone] > t.room[other] or s.n[other] > t.room[zone]:
        raise ValueError
    a, b = t.start[zone], t.start[other]
    for i in range(max(s.n[zone], s.n[other])):
        if i < t.room[zone] and i < t.room[other]:
            s.cards[a + i], s.cards[b + i] = s.cards[b + i], s.cards[a + i]
            s.known[a + i], s.known[b + i] = s.known[b + i], s.known[a + i]
            for mark in range(s.marks.shape[0]):
                kept = s.marks[mark, a + i]
                s.marks[mark, a + i] = s.marks[mark, b + i]
                s.marks[mark, b + i] = kept
    s.n[zone], s.n[other] = s.n[other], s.n[zone]
    s.changes[zone] += 1
    s.changes[other] += 1


@kernel
def _empty(s, zone):
    s.n[zone] = 0
    s.changes[zone] += 1


@kernel
def _fill_deck(s, t, zone, kind):
    """Hold all copies of the entries of a kind."""
    _empty(s, zone)
    start = t.start[kind]
    for i in range(s.n[kind]):
        entry = s.cards[start + i]
        for _ in range(t.copies[entry]):
            _arrive(s, t, zone, entry, 0)


@kernel
def _fill_counts(s, t, zone, holder, which, many):
    """Hold the entries that an entry holds, so many of each."""
    _empty(s, zone)
    for i in range(which.shape[1]):
        for _ in range(many[holder, i]):
            _arrive(s, t, zone, which[holder, i], 0)


@kernel
def _fill_list(s, t, zone, things):
    _empty(s, zone)
    for i in range(len(things)):
        _arrive(s, t, zone, things[i], 0)


@kernel
def _fill_zone(s, t, zone, other):
    if zone == other:
        raise ValueError
    _empty(s, zone)
    for i in range(s.n[other]):
        _arrive(s, t, zone, s.cards[t.start[other] + i], 0)


@kernel
def _add(s, t, zone, card, n):
    for _ in range(n):
        _arrive(s, t, zone, card, 0)
    s.changes[zone] += 1


@kernel
def _shuffle(s, t, zone):
    """Put the cards in a random order; the stream of a zone has its number."""
    s.changes[zone] += 1
    start, n = t.start[zone], s.n[zone]
    for mark in range(s.marks.shape[0]):
        for i in range(n):
            if s.marks[mark, start + i]:
                raise ValueError
    counter = _stream(s.address, t.key[zone]) + s.drawn[zone] * _GOLDEN
    _mixed(s.cards, start, n, counter)
    for i in range(n):
        s.known[start + i] = 0
    s.drawn[zone] += np.uint64(max(n - 1, 0))


@kernel
def _mixed(cards, start, n, counter):
    """Exchange cards by the numbers from a counter on [Fisher and Yates 1938]."""
    for last in range(n - 1, 0, -1):
        other = start + _below(_mix(counter), last + 1)
        counter += _GOLDEN
        cards[start + last], cards[other] = cards[other], cards[start + last]


@kernel
def _reveal(s, t, zone, seat):
    """Show all cards to a seat."""
    for i in range(s.n[zone]):
        s.known[t.start[zone] + i] |= 1 << _bits_of(seat)


@kernel
def _count(s, t, zone, card):
    found = 0
    for i in range(s.n[zone]):
        if s.cards[t.start[zone] + i] == card:
            found += 1
    return found


@kernel
def _cards_of(s, t, zone):
    found = np.empty(s.n[zone], np.int64)
    for i in range(s.n[zone]):
        found[i] = s.cards[t.start[zone] + i]
    return found


@kernel
def _drawn_card(luck, address, t, stream, s, zone):
    return _card(s, t, zone, _draw(luck, address, t, stream, s.n[zone]))


@kernel
def _drawn(luck, address, t, stream, things, n):
    """One of the first ``n`` things of a list, of all for -1."""
    return things[_draw(luck, address, t, stream, _number_of(things, n))]


@kernel
def _drawn_order(luck, address, t, stream, things):
    """Put a list in a random order, and give it."""
    n = len(things)
    _mixed(things, 0, n, _stream(address, t.key[stream]) + luck.drawn[stream] * _GOLDEN)
    luck.drawn[stream] += np.uint64(max(n - 1, 0))
    return things


# ------------------------------------------------------------ who acts, options, counts


@inline_kernel
def _act(s, t, seat):
    """One seat chooses next; nobody for a number that stands for none."""
    s.at_once = 0
    if seat == NOTHING:
        s.acting = 0
        return
    if seat < 0 or seat >= t.seats:
        raise ValueError
    s.acting = 1 << seat


@kernel
def _act_at_once(s, t, seats):
    """Several seats choose next."""
    acting = 0
    for i in range(len(seats)):
        if seats[i] < 0 or seats[i] >= t.seats:
            raise ValueError
        acting |= 1 << seats[i]
    if acting == 0:
        raise ValueError
    s.acting, s.at_once = acting, 1


@kernel
def _act_in_range(s, t, low, high):
    """Seats side by side choose next."""
    if low < 0 or high > t.seats or low >= high:
        raise ValueError
    s.acting, s.at_once = (1 << high) - (1 << low), 1


@kernel
def _first(acting):
    """The first of the seats that choose."""
    seat = 0
    while acting >> seat & 1 == 0:
        seat += 1
    return seat


@kernel
def _acting(s):
    """The seat that chooses, a number that stands for none at the end."""
    if s.at_once:
        raise ValueError
    if s.acting == 0:
        return NOTHING
    return _first(s.acting)


@inline_kernel
def _thing(number):
    """A number behind the word of an option."""
    if number < 0 or number > MOST_NUMBER:
        raise ValueError
    return number


@kernel
def _offer(o, option):
    """Offer an option, once."""
    for i in range(o.n):
        if o.options[i] == option:
            return
    if o.n >= len(o.options):
        raise ValueError
    o.options[o.n] = option
    o.n += 1


@kernel
def _note(t, c, event, seat, entry, n):
    if seat < 0 or seat >= t.seats or entry <= 0:
        raise ValueError
    c[seat, event, t.place[entry]] += n


# ------------------------------------------------------------ imagined games


@kernel
def _with_luck(s, address):
    """Give a game other luck to come."""
    s.address = address
    for stream in range(len(s.drawn)):
        s.drawn[stream] = 0


@kernel
def _sees(s, t, seat, zone, at):
    """Whether a seat sees, or was shown, a card."""
    by = t.seen_by[zone]
    if by == 0 or (by == 1 and seat == t.owner[zone]) or (by == 3 and seat != t.owner[zone]):
        return True
    return (s.known[at] >> seat) & 1 != 0


@kernel
def _hidden(s, t, o, seat, pool):
    """Note where the cards of a pool lie that a seat does not see, and give how many."""
    n = 0
    for zone in range(len(t.start)):
        if t.pool[zone] == pool and t.owner[zone] < t.seats:
            for i in range(s.n[zone]):
                at = t.start[zone] + i
                if not _sees(s, t, seat, zone, at):
                    o.zone[n], o.place[n] = zone, i
                    n += 1
    return n


@kernel
def _drawn_anew(s, t, o, real, pool, n):
    """Put the hidden cards of a pool in another order, by the luck of the players."""
    for i in range(n):
        o.drawn[i] = s.cards[t.start[o.zone[i]] + o.place[i]]
    stream = t.luck + 2 + pool
    counter = _stream(real.players, t.key[stream]) + real.drawn[stream] * _GOLDEN
    _mixed(o.drawn, 0, n, counter)
    real.drawn[stream] += np.uint64(max(n - 1, 0))


@kernel
def _lead(t, stands, seat):
    """How far the team of a seat is ahead of the others: `Game.lead`."""
    mine, others, n_mine, n_others = 0.0, 0.0, 0, 0
    for place in range(t.seats):
        one = t.team_seats[place]
        if t.team_of[one] == t.team_of[seat]:
            mine += stands[one]
            n_mine += 1
        if t.team_of[place] != t.team_of[seat]:
            others += stands[place]
            n_others += 1
    ahead = mine / n_mine
    if n_others:
        ahead -= others / n_others
    return -ahead if t.best < t.worst else ahead


@kernel
def _furthest(s, t, o, seat):
    """The option that is worth most; one of them by luck where several are."""
    most, level = o.worth[0], 0
    for i in range(o.n):
        most = max(most, o.worth[i])
    for i in range(o.n):
        level += o.worth[i] == most
    left = _choose(s, t, seat, level)
    for i in range(o.n):
        if o.worth[i] == most:
            if left == 0:
                return i
            left -= 1
    raise ValueError


# ------------------------------------------------------------ what a seat sees, as numbers


@kernel
def _add_row(t, found, at, card, n):
    """Add the row of an entry, so many times."""
    for column in range(t.rows.shape[1]):
        found[at + column] += n * t.rows[card, column]


@kernel
def _add_zone(s, t, seat, zone, found, at):
    """Write how many cards a zone has, and add the rows of those that a seat sees."""
    found[at] = s.n[zone]
    for place in range(t.start[zone], t.start[zone] + s.n[zone]):
        if _sees(s, t, seat, zone, place):
            _add_row(t, found, at + 1, s.cards[place], 1)


@kernel
def _add_marks(s, t, seat, zone, mark, found, at):
    """Add the marks of the cards of a zone that a seat sees."""
    for place in range(t.start[zone], t.start[zone] + s.n[zone]):
        if _sees(s, t, seat, zone, place):
            found[at] += s.marks[mark, place]


# ------------------------------------------------------------ a game from the deal to its results


@inline_kernel
def _address(seed, game):
    """Where the streams of a game begin."""
    return _mix(_mix(np.uint64(seed) + _GOLDEN) + np.uint64(game) * _GOLDEN)


@kernel
def _peer(tables, seed, game):
    """The table of a game: one of several, where an entry is swapped."""
    if len(tables) == 1:
        return 0
    return _below(_mix(_stream(_address(seed, game), tables[0].swap_key)), len(tables))


@kernel
def _begin(s, t, seed, game):
    """Set up the luck of a game, and draw what is in it."""
    s.address = _address(seed, game)
    s.players = _mix(_stream(s.address, t.players_key))
    s.acting = s.at_once = 0
    for stream in range(len(s.drawn)):
        s.drawn[stream] = 0
    for zone in range(len(s.n)):
        s.n[zone] = s.changes[zone] = 0
    for kind in range(len(t.many)):
        many, start = t.many[kind], t.start[kind]
        for i in range(many):
            s.cards[start + i] = t.first[kind] + i
        s.n[kind] = many
        if t.each_seat[kind]:
            _mixed(s.cards, start, many, _stream(s.address, t.lot_key[kind]))
            for seat in range(t.seats):
                s.has[kind, seat] = s.cards[start + seat % many]
            for i in range(many):
                s.cards[start + i] = t.first[kind] + i
        elif t.by_lot[kind]:
            _mixed(s.cards, start, many, _stream(s.address, t.lot_key[kind]))
            s.n[kind] = t.by_lot[kind]
            for i in range(start + 1, start + s.n[kind]):
                j = i
                while j > start and s.cards[j] < s.cards[j - 1]:
                    s.cards[j], s.cards[j - 1] = s.cards[j - 1], s.cards[j]
                    j -= 1


@kernel
def _count_dealt(s, t, c):
    """Count what is in a game, and what seats have before the first decision and can know of."""
    for kind in range(len(t.many)):
        for i in range(s.n[kind] if t.included[kind] else 0):
            for seat in range(t.seats):
                c[seat, t.included[kind], t.place[s.cards[t.start[kind] + i]]] = 1
        if t.each_seat[kind]:
            for seat in range(t.seats):
                c[seat, DEALT, t.place[s.has[kind, seat]]] = 1
    for zone in range(len(t.start)):
        seat = t.owner[zone]
        if 0 <= seat < t.seats and t.is_known[zone]:
            for i in range(s.n[zone]):
                c[seat, DEALT, t.place[s.cards[t.start[zone] + i]]] += 1


@kernel
def _digest(s, t):
    """A digest of where all cards lie."""
    found = np.uint64(0)
    for zone in range(len(t.start)):
        if t.zone_key[zone] and t.owner[zone] < t.seats:
            found = _mix(found + t.zone_key[zone])
            for i in range(s.n[zone]):
                found = _mix(found + t.entry_key[s.cards[t.start[zone] + i]])
    return found


@kernel
def _score(s, t, scores):
    """Keep the scores of the rules."""
    if len(scores) != t.seats:
        raise ValueError
    for seat in range(t.seats):
        s.points[seat] = scores[seat]
        if not np.isfinite(s.points[seat]):
            raise ValueError


@kernel
def _results(s, t):
    """Keep what the teams have, the mean of their seats."""
    at = 0
    for team in range(t.n_teams):
        total = 0.0
        for _ in range(t.team_sizes[team]):
            total += s.points[t.team_seats[at]]
            at += 1
        s.results[team] = total / t.team_sizes[team]


@kernel
def _outcomes(s, t, found):
    """The outcome of each seat, from the scores: `Game.outcomes`."""
    _results(s, t)
    results, n, at = s.results, t.n_teams, 0
    for team in range(n):
        mine = results[team]
        higher = level = lower = 0
        for other in range(n):
            higher += results[other] > mine
            level += results[other] == mine
            lower += results[other] < mine
        if t.outcome == 0:
            result = 0 if higher else t.unit // level
        elif t.outcome == 1:
            result = t.unit * (2 * lower + level - 1) // (2 * max(n - 1, 1))
        else:
            if mine < min(t.worst, t.best) or mine > max(t.worst, t.best):
                raise ValueError
            result = np.int64(np.rint(t.unit * (mine - t.worst) / (t.best - t.worst)))
        for _ in range(t.team_sizes[team]):
            found[t.team_seats[at]] = result
            at += 1


@inline_kernel
def _number_observed(value):
    """What is observed of a game, which may be from 0 to a million."""
    if value < 0 or value > MOST_OBSERVED:
        raise ValueError
    return value


@kernel
def _zero(c):
    for seat in range(c.shape[0]):
        for event in range(c.shape[1]):
            for place in range(c.shape[2]):
                c[seat, event, place] = 0


@kernel
def _keep_counts(c, found):
    """Put the counts of a game into its record."""
    for seat in range(found.shape[0]):
        for event in range(found.shape[1]):
            for place in range(found.shape[2]):
                n = c[seat, event, place]
                if n < 0:
                    raise ValueError
                found[seat, event, place] = min(n, 65_535)
