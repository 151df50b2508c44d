"""A missing mouse comes back (M126)."""

from simcore.jit import kernel


@kernel
def _begin_return(state, mouse, searcher):
    """Start the return of a missing mouse next to the one that searched (D6)."""
