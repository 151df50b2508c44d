"""Brodie: a boss with several initiative cards that fills no space (M16, M35, M58, M96-M99)."""

from collections import Counter

import attrs
import pytest

from card_data.mice_and_mystics.facts import BossCard, Effect, Facts, Group, Minion
from support.mice_and_mystics.examples import Lay, offered, words
from support.mice_and_mystics.table import PARTY, MinionAt, MouseAt, base_facts

RAT, ROACH, ELITE = "rat_warrior", "roach", "elite_rat_warrior"
BRODIE, POUNCE, CHASE = "brodie", "brodie_pounce", "brodie_chase"


def brodie(*more: BossCard, surge: int = 0, **fields: object) -> Facts:
    """The base game with Brodie; ``surge`` of him come with si_enc_01."""
    cards = (
        BossCard(id=POUNCE, abilities=(Effect("pounce"),)),
        BossCard(id=CHASE, abilities=(Effect("chase"),)),
        *more,
    )
    one = {"battle": 3, "defense": 1, "life": 1, "attack": "melee", "size": "token", "move_dice": 2}
    one |= {"figure_pool": BRODIE, "figure_limit": 1, "initiative_card": BRODIE, "boss": True}
    one |= {"name": "Brodie", "confidence": "assumed", "source": "a test", "rolls_cheese": False}
    boss = Minion(id=BRODIE, **{**one, "cards": cards, **fields})  # type: ignore[arg-type]
    facts = base_facts()
    listed = (Group(type=BRODIE, count=surge),) if surge else ()
    encounters = tuple(
        attrs.evolve(card, surge=listed) if card.id == "si_enc_01" and surge else card
        for card in facts.encounters
    )
    return attrs.evolve(facts, minions=(*facts.minions, boss), encounters=encounters)


FACTS = brodie()
THIRD = BossCard(id="brodie_yawn", battle=1)
NOISE = {"wheel": 5, "search_deck": ("si_noise",), "face_up": "si_enc_01"}


# Cards


def test_two_cards_and_a_turn_for_each(lay: Lay) -> None:
    """M16: one turn per card, with that card's own power."""
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[(BRODIE, "d1")], facts=FACTS)
    assert table.track == [*PARTY, POUNCE, CHASE]
    table.dice(3, 3, 3, 0, 0, 3, 3, 3)
    table.act(POUNCE)
    assert table.dice_left == 0
    assert table.count("minion_card_turns") >= 2
    assert (table.count("attacks_by_brodie"), table.count("dice_by_brodie")) == (2, 6)


def test_two_of_three_cards_are_drawn(lay: Lay) -> None:
    """M16: a boss with more cards gets two of them, by chance."""
    seen: Counter[tuple[str, ...]] = Counter()
    for seed in range(40):
        table = lay("901", {}, rest="b1", facts=brodie(THIRD, surge=1), seed=seed, **NOISE)
        table.dice(0, 1)
        table.act("collin")
        table.take("SEARCH")
        seen[tuple(sorted(card for card in table.track if card not in PARTY))] += 1
    assert len(seen) == 3
    assert all(len(cards) == 2 and n > 4 for cards, n in seen.items())


@pytest.mark.parametrize("others", [False, True])
def test_where_his_cards_go(lay: Lay, others: bool) -> None:
    """M16, M22: both at the end; beside other minion cards the first then moves up as in M81."""
    seen = set()
    for seed in range(12):
        minions = [(RAT, "d4")] if others else []
        more = {"switches": {"S2": "after_attack"}}
        table = lay("901", {}, rest="b1", minions=minions, facts=brodie(surge=1), seed=seed,
                    **NOISE, **more)  # fmt: skip
        table.dice(0, 1, 1)  # the movement die, the search, and a 2 for the card
        table.act("collin")
        table.take("SEARCH")
        places = [table.track.index(card) for card in (POUNCE, CHASE)]
        seen.add(tuple(places))
        assert table.dice_left == (not others)
    n = len(PARTY) + others
    first = n - 2 if others else n
    assert seen == {(first, n + 1), (n + 1, first)}


def test_the_player_chooses_which_card_takes_a_wound(lay: Lay) -> None:
    """M58, D8, M99: a card with its wound leaves, and with the second he does."""
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[(BRODIE, "b2")], facts=FACTS)
    table.dice(0, 1, 3, 3, 3)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    assert (table.decider, table.labels) == ("collin", [f"WOUND {POUNCE}", f"WOUND {CHASE}"])
    table.take(f"WOUND {CHASE}")
    assert table.track == [*PARTY, POUNCE]
    assert len(table.minions) == 1
    assert table.count("wounds_dealt_collin") == 1
    assert table.count("kills_collin_brodie") == 0


def test_two_wounds_defeat_him(lay: Lay) -> None:
    """M58: the last wound needs no choice; wounds beyond that are lost, but counted."""
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[(BRODIE, "b2")], facts=FACTS)
    table.dice(0, 1, 1, 1, 3)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    table.take(f"WOUND {POUNCE}")
    assert table.minions == []
    assert table.track == list(PARTY)
    assert (table.count("kills_collin_brodie"), table.count("wounds_dealt_collin")) == (1, 3)


def test_a_card_takes_no_more_than_it_needs(lay: Lay) -> None:
    """M58: a card of life 2 can be chosen twice, one of life 1 once."""
    facts = brodie(BossCard(id="brodie_nap", life=2))
    boss = MinionAt(BRODIE, "b2")
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[boss], facts=facts,
                track=(*PARTY, POUNCE, "brodie_nap"))  # fmt: skip
    table.dice(0, 1, 1, 1, 3)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    table.take("WOUND brodie_nap")
    assert table.labels == [f"WOUND {POUNCE}", "WOUND brodie_nap"]
    table.take(f"WOUND {POUNCE}")
    assert table.minions == []  # the third wound was the nap's last


# No figure


def test_he_fills_no_space_and_holds_nobody(lay: Lay) -> None:
    """M35: a mouse walks through his space and leaves it alone; a full space can hold him."""
    table = lay("2", {"collin": "t18"}, rest="t1", minions=[(BRODIE, "t19")], facts=FACTS)
    table.dice(2)
    table.act("collin")
    assert {"t19", "t20"} <= offered(table, "MOVE")
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[(BRODIE, "b1")], facts=FACTS)
    table.act("collin")
    assert "MOVE" in words(table)
    assert "EXPLORE" not in words(table)


# Pounce


def test_pounce(lay: Lay) -> None:
    """M97: to the space with most figures, minions too; one roll, all there defend; no cheese."""
    mice = {"collin": "b1", "nez": "b1", "tilda": "d4", "filch": MouseAt("d1")}
    minions = [(BRODIE, "a1"), (RAT, "b1"), (ROACH, "d4"), (ROACH, "d4")]
    table = lay("901", mice, minions=minions, facts=FACTS, wheel=2,
                track=(CHASE, POUNCE, *PARTY, RAT, ROACH))  # fmt: skip
    table.dice(1, 0, 3, 0, 3, 3, 2, 3)
    table.act(POUNCE)
    brodie_now = table.minions[0]
    assert brodie_now.space in {"b1", "d4"}
    assert brodie_now.space == "b1"  # Collin's card is the highest (track order)
    assert table.mouse("collin").cheese == 1  # by its defense
    assert table.mouse("collin").wounds == 1
    assert table.mouse("nez").wounds == 1
    assert table.count("attacks_by_brodie") == 1
    assert table.wheel == 2


def test_minions_die_by_his_claws(lay: Lay) -> None:
    """M97: a minion in the space defends; its cheese is the wheel's, and nobody is credited."""
    minions = [(BRODIE, "a1"), (ROACH, "b1"), (ROACH, "b1"), (RAT, "b1")]
    table = lay("901", {"collin": "b1"}, rest="d4", minions=minions, facts=FACTS,
                track=(CHASE, POUNCE, *PARTY, RAT, ROACH))  # fmt: skip
    table.dice(1, 3, 3, 5, 3, *[3] * 3, 0, 3)
    table.act(POUNCE)
    kinds = [minion.type for minion in table.minions]
    assert ROACH not in kinds or RAT not in kinds
    assert table.count("kills_attack") == 0
    assert table.count("mouse_hits") == 0


# Chase


def test_chase(lay: Lay) -> None:
    """M98: two dice; from mouse to mouse; every figure in a space that he touches defends."""
    mice = {"collin": "b1", "nez": "c1", "tilda": "d4", "filch": "d4"}
    table = lay("901", mice, minions=[(BRODIE, "a1")], facts=FACTS,
                track=(POUNCE, CHASE, *PARTY))  # fmt: skip
    table.dice(0, 0, 1, 3, 3, 3, 3, 3, 3)
    table.act(CHASE)
    assert table.minions[0].space == "c1"
    assert (table.mouse("collin").wounds, table.mouse("nez").wounds) == (1, 1)
    assert (table.mouse("tilda").wounds, table.mouse("filch").wounds) == (0, 0)


def test_all_mice_in_his_space(lay: Lay) -> None:
    """M98: he stays where all mice are with him, and attacks them."""
    table = lay("901", {}, rest="b1", minions=[(BRODIE, "b1")], facts=FACTS,
                track=(POUNCE, CHASE, *PARTY))  # fmt: skip
    table.dice(5, 5, 0, 0, 0)
    table.act(CHASE)
    assert table.minions[0].space == "b1"
    assert table.dice_left == 0
    assert table.wheel == 0
