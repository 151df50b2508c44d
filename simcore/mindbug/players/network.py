"""A small network that judges positions, in whole numbers: the same on every processor.

It adds up the rows of all features that a position has (``position_features.py``), as the networks
of chess engines do (Nasu 2018, "Efficiently updatable neural-network-based evaluation functions for
computer shogi"); what is negative counts nothing and what is large no more than ``_MOST``.  Two
layers follow.  The rows of faces are made when the players sit down, so that a card costs the same
whatever it says, and those of features that come together are added up then.
"""

from functools import reduce

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simcore.jit import kernel, record_at
from simcore.mindbug.players.position_features import N_JOINED, N_ZONES, _list_rows
from simcore.mindbug.table.card_table import MAX_CARDS

WIDTH = 128  # sums of rows
HIDDEN = 16  # numbers of the next layer
UNIT = 256  # what 1 is as a row's, sum's or hidden number
WEIGHT_UNIT = 1024  # what 1 is as a weight of the layers
_MOST = 8 * UNIT - 1
_AT_ONCE = 4  # sums of a layer that grow side by side: one alone would wait for itself each time
_SHIFT = 10  # from a product of both units back to one
assert 1 << _SHIFT == WEIGHT_UNIT

NETWORK = np.dtype(
    [
        ("rows", np.int16, (N_JOINED + N_ZONES * MAX_CARDS, WIDTH)),
        ("bias", np.int16, (WIDTH,)),
        ("pairs", np.int16, (WIDTH // 2, HIDDEN, 2)),  # of the sums: what they count
        ("hidden_bias", np.int32, (HIDDEN,)),
        ("out", np.int16, (HIDDEN,)),
        ("out_bias", np.int64),
    ],
    align=True,
)


#: The network at an address, which is that of an array (1,) of NETWORK.
_network_at = record_at(NETWORK)


@intrinsic
def _sum_rows(typing_context, sums, rows, bias, active, n):
    """The sum of ``bias`` and of some rows, the first ``n`` of ``active``.  Modifies sums.

    All columns at once: a loop of Python's would keep the sums in memory.
    """

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        width = kinds[0].nitems
        vector = ir.VectorType(ir.IntType(16), width)
        word = ir.IntType(64)
        target, table, start, listed = (
            context.make_array(kinds[i])(context, builder, arguments[i]).data for i in range(4)
        )
        first = builder.load(builder.bitcast(start, vector.as_pointer()), align=2)
        before = builder.block
        loop, after = (builder.append_basic_block(name) for name in ("row", "summed"))
        some = builder.icmp_signed(">", arguments[4], word(0))
        builder.cbranch(some, loop, after)
        builder.position_at_end(loop)
        i, total = builder.phi(word), builder.phi(vector)
        number = builder.sext(builder.load(builder.gep(listed, [i])), word)
        place = builder.gep(table, [builder.mul(number, word(width))])
        row = builder.load(builder.bitcast(place, vector.as_pointer()), align=2)
        more, following = builder.add(total, row), builder.add(i, word(1))
        i.add_incoming(word(0), before)
        i.add_incoming(following, loop)
        total.add_incoming(first, before)
        total.add_incoming(more, loop)
        builder.cbranch(builder.icmp_signed("<", following, arguments[4]), loop, after)
        builder.position_at_end(after)
        result = builder.phi(vector)
        result.add_incoming(first, before)
        result.add_incoming(more, loop)
        builder.store(result, builder.bitcast(target, vector.as_pointer()), align=2)

    return types.void(sums, rows, bias, active, types.int64), generate


@intrinsic
def _weigh(typing_context, sums, layer, bias, out):
    """The sum of ``out`` over the hidden numbers that sums of rows lead to, in both units.

    ``layer`` has pairs of columns: what two of them count for each hidden number, so that machines
    multiply and add a pair in one step.  Modifies sums, which become what they count.
    """

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        pairs = [
            context.make_array(kind)(context, builder, argument).data
            for kind, argument in zip(kinds, arguments, strict=True)
        ]
        short, whole = ir.IntType(16), ir.IntType(32)

        def vector(kind, count):
            return ir.VectorType(kind, count)

        def constant(number, count, kind=whole):
            return ir.Constant(vector(kind, count), [number] * count)

        def load(pointer, kind, count, place=0):
            at = builder.gep(pointer, [ir.Constant(ir.IntType(64), place)])
            many = vector(kind, count)
            return builder.load(builder.bitcast(at, many.as_pointer()), align=kind.width // 8)

        def clipped(value, count, kind):
            none, most = constant(0, count, kind), constant(_MOST, count, kind)
            value = builder.select(builder.icmp_signed(">", value, none), value, none)
            return builder.select(builder.icmp_signed("<", value, most), value, most)

        def chosen(value, places):
            mask = ir.Constant(vector(whole, len(places)), places)
            return builder.shuffle_vector(value, ir.Constant(value.type, ir.Undefined), mask)

        def pair_sums(left, right, count):
            left, right = (builder.sext(side, vector(whole, count)) for side in (left, right))
            products = builder.mul(left, right)
            even, odd = (chosen(products, list(range(side, count, 2))) for side in (0, 1))
            return builder.add(even, odd)

        inputs = clipped(load(pairs[0], short, WIDTH), WIDTH, short)
        # To load a pair into all lanes takes no time beside the sums; to move it there does.  The
        # compiler, which would rather move it, is not told that memory has what was stored.
        builder.store(inputs, builder.bitcast(pairs[0], inputs.type.as_pointer()), align=2)
        nothing = ir.FunctionType(ir.VoidType(), [])
        builder.asm(nothing, "", "~{memory}", [], side_effect=True)
        totals = [load(pairs[2], whole, HIDDEN)] + [constant(0, HIDDEN)] * (_AT_ONCE - 1)
        for pair in range(WIDTH // 2):
            both = builder.bitcast(load(pairs[0], short, 2, 2 * pair), whole)
            here = builder.insert_element(constant(0, HIDDEN), both, whole(0))
            here = builder.bitcast(chosen(here, [0] * HIDDEN), vector(short, 2 * HIDDEN))
            counts = load(pairs[1], short, 2 * HIDDEN, 2 * HIDDEN * pair)
            products = pair_sums(here, counts, 2 * HIDDEN)
            totals[pair % _AT_ONCE] = builder.add(totals[pair % _AT_ONCE], products)
        total = reduce(builder.add, totals)
        hidden = clipped(builder.ashr(total, constant(_SHIFT, HIDDEN)), HIDDEN, whole)
        hidden = builder.trunc(hidden, vector(short, HIDDEN))
        sums = pair_sums(hidden, load(pairs[3], short, HIDDEN), HIDDEN)
        count = HIDDEN // 2
        while count > 1:
            low = chosen(sums, list(range(count // 2)))
            high = chosen(sums, list(range(count // 2, count)))
            sums, count = builder.add(low, high), count // 2
        last = builder.extract_element(sums, ir.Constant(whole, 0))
        return builder.sext(last, ir.IntType(64))

    return types.int64(sums, layer, bias, out), generate


@kernel
def _judge(state, table, network, work, me, hidden):
    """Log odds that player ``me`` wins from here, who has not seen the slots ``hidden``.

    Modifies ``active`` and ``sums`` of work and the notes of state.
    """
    n = _list_rows(state, table, me, hidden, work.active)
    _sum_rows(work.sums, network.rows, network.bias, work.active, n)
    odds = _weigh(work.sums, network.pairs, network.hidden_bias, network.out)
    return (odds + network.out_bias) / (UNIT * WEIGHT_UNIT)
