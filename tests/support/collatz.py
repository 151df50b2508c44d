"""A small program with kernels, for trials of the cache: it compiles within a second.

``python -m support.collatz`` prints how many steps the sequence of Collatz takes from 27 to 1,
which is 111, and how often its compiled code was found in the cache.
"""

from simcore.jit import cached_kernel, kernel


@kernel
def _next(n):
    """The next number of the sequence."""
    return n // 2 if n % 2 == 0 else 3 * n + 1


def _count_steps(n):
    """How many steps it is from a number to 1."""
    steps = 0
    while n != 1:
        n = _next(n)
        steps += 1
    return steps


def new_program():
    """A program in which nothing is compiled yet: it looks into the cache when it is called."""
    return cached_kernel(_count_steps)


def n_found(program) -> int:
    """How often the program found its code in the cache."""
    return sum(program.stats.cache_hits.values())


if __name__ == "__main__":
    collatz = new_program()
    print(collatz(27), n_found(collatz))
