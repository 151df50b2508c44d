"""Facts as integers: what `compile_facts` makes of the base game."""

import numpy as np

from support.mice_and_mystics.fast_table import table_of


def test_ways_of_the_kitchen_cost_three_against_the_arrow() -> None:
    """A5 to K costs 3, K to A5 costs 1, and A1 is one step from K for minions alone (W2, W3)."""
    table = table_of("ch1_flight_to_barksburg")
    kitchen = table.ids["tiles"].index("3")
    row = table.rows[0]["tiles"][kitchen]
    a1, a5, k = (table.spaces[kitchen].index(space) for space in ("A1", "A5", "K"))
    assert row["dear"][a5] >> k & 1
    assert row["cheap"][k] >> a5 & 1
    assert not row["near"][a1] >> k & 1
    assert row["d0"][a1, k] == 1


def test_parties_and_encounters_follow_the_switches() -> None:
    """Chapter 1 has 4 parties and 12 encounter cards, 15 and 18 by S12 and S14 (section 29)."""
    narrow = table_of("ch1_flight_to_barksburg").rows[0]
    wide = table_of("ch1_flight_to_barksburg", "parties=any", "encounter_deck=all").rows[0]
    assert (narrow["n_parties"], narrow["n_encounters"]) == (4, 12)
    assert (wide["n_parties"], wide["n_encounters"]) == (15, 18)


def test_the_way_along_the_route_leads_over_the_current() -> None:
    """The way on from the sewer is its south exit; from A1 there is none: water (section 24)."""
    table = table_of("ch1_flight_to_barksburg")
    row = table.rows[0]["tiles"][1]
    spaces = table.spaces[1]
    assert row["way_on"] == 2
    assert row["exit_distance"][spaces.index("D3")] == 0
    assert row["exit_distance"][spaces.index("A1")] == 40
    assert np.count_nonzero(row["exit_distance"] == 0) == 2
