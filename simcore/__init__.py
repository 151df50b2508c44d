"""HOW games run: arrays in, arrays out.

What every game shares lives here: random streams, records, run folders, the runner.  Each game has
a package of its own, such as ``simcore.mindbug``.
"""
