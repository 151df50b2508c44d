"""The engines that every example is asked of."""

import pytest

from support.mice_and_mystics.engines import ENGINES
from support.mice_and_mystics.examples import Lay, position
from support.mice_and_mystics.table import Table


@pytest.fixture(params=sorted(ENGINES))
def lay(request) -> Lay:
    """Lay out a position: ``lay("901", {"collin": "b1"}, rest="d1", minions=[...])``."""
    set_up = ENGINES[request.param]

    def laid(*given, seed: int = 0, **more) -> Table:
        return set_up(position(*given, **more), seed)

    return laid
