"""HOW games run: arrays in, arrays out.

What every game shares lives here: random streams, records, work in pieces, the compiler.  Each game
has a package of its own, and `simcore.games` finds it.
"""
