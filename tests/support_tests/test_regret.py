"""What players give away by a longer search: who knows more gives away less."""

import numpy as np

from support.regret import asked_in, rows

PLAYERS, REFEREE = ("random", "heuristic", "search:50"), "search:50"


def test_who_knows_more_gives_away_less() -> None:
    """The referee rates its own choice highest; a random option is worth much less."""
    found = asked_in(["first_contact"], PLAYERS, REFEREE, 6, range(8))
    regrets = {who: np.array([one.regrets[who] for one in found]) for who in PLAYERS}
    assert len(found) > 20 and {one.point for one in found} >= {"ACTION", "MINDBUG"}
    assert all((of_player >= 0).all() for of_player in regrets.values())
    worst, middle, best = (regrets[who].mean() for who in PLAYERS)
    assert worst > 0.05 and worst > middle > best


def test_the_row_says_what_was_found() -> None:
    """A row has the player, the decisions, the mean regret, the share of blunders and which."""
    [row] = rows("first_contact", ["random"], 4, "search:20")
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[:2] == ["first contact", "`random`"] and int(cells[2]) > 3
    assert float(cells[3]) > 1 and " to " in cells[4]
    assert cells[5].split()[0] in ("ACTION", "MINDBUG", "BLOCK", "HUNT", "TARGET")
