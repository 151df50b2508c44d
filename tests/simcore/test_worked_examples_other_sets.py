"""Worked examples (T1 ...) with later cards, played with stand-ins that the fast engine has.

The cards are in ``data/test_cards.toml``: as printed where the card language can say it, else a
card made up for the same rule. The same examples with the real cards are in the files of the sets,
``test_worked_examples_beyond_evolution.py`` and so on. See ``test_worked_examples.py``; padding is
the same.
"""

from __future__ import annotations

import pytest

from support.positions import ALICE, BOB, NEUTRAL, Position, Side, board

# Mindbugs -----------------------------------------------------------------------------------------


def test_t26_the_active_player_orders_the_triggers_of_both_toads(new_table):
    """T26: Bob's Turtle Toaster defeats both Toads of Alice, who orders them (R44, R57, R21)."""
    table = new_table(
        Position(
            Side(play=["explosive_toad", "explosive_toad"], hand=["turtle_toaster", *NEUTRAL]),
            Side(hand=list(NEUTRAL), mindbugs=1),
        )
    )
    table.choose("play turtle_toaster")
    table.choose("use")
    assert (table.point, table.decider) == ("D8", BOB)
    table.choose("target explosive_toad")
    assert table.in_play(ALICE) == ["explosive_toad", "explosive_toad"]
    table.choose("target explosive_toad")
    assert (table.point, table.decider, table.waiting) == ("D11", ALICE, 2)
    assert table.options() == ["resolve alice explosive_toad defeated"] * 2
    table.choose("resolve explosive_toad")
    assert table.in_play(ALICE) == table.in_play(BOB) == []
    assert table.discard(BOB) == ["turtle_toaster"]
    assert (table.point, table.decider, table.turn) == ("D1", ALICE, 2)


# SNEAKY and HUNTER --------------------------------------------------------------------------------


def test_t49_sneaky_and_tough(new_table):
    """T49: fresh Robopup attacks, Tiger Squirrel blocks, Robopup is exhausted (R81)."""
    table = new_table(board(["robopup"], ["tiger_squirrel"]))
    table.choose("attack robopup")
    table.choose("block tiger_squirrel")
    assert table.in_play(ALICE) == ["robopup"]
    assert table.exhausted("robopup")


def test_t50_frenzy_and_sneaky(new_table):
    """T50: Tiger Wasp attacks twice past a Gorillion that is never asked (R68, R74)."""
    table = new_table(board(["tiger_wasp"], ["gorillion"]))
    table.choose("attack tiger_wasp")
    assert (table.point, table.decider) == ("D5", ALICE)
    table.choose("attack again")
    assert table.life(BOB) == 1
    assert (table.point, table.active) == ("D1", BOB)


def test_t55_hunting_ignores_bee_bear(new_table):
    """T55: a Bee Bear with HUNTER hunts Killer Bee, which could not block it (R67).

    Hunting Horn gives HUNTER in place of an effect for this turn.
    """
    table = new_table(board(["bee_bear", "hunting_horn"], ["killer_bee"]))
    table.choose("attack bee_bear")
    assert table.options() == ["hunt bob killer_bee", "no_hunt"]
    table.choose("hunt killer_bee")
    assert table.discard(BOB) == ["killer_bee"]


def test_t65_the_only_creature_cannot_attack(new_table):
    """T65: Alice's only creature cannot attack, her hand is empty: she loses (R18).

    Jailer in Bob's play area stands for Blessed Tiger Squirrel in his discard pile.
    """
    table = new_table(Position(Side(play=["luchataur"]), Side(play=["jailer"], hand=list(NEUTRAL))))
    assert (table.over, table.winner, table.ending) == (True, BOB, "no_action")
    assert table.turn == 1


# FRENZY and Attack triggers -----------------------------------------------------------------------


def test_t68_no_second_attack_after_death(new_table):
    """T68: Hiss Holiness and the blocking Gorillion defeat each other; no D5 (R74, R71)."""
    table = new_table(board(["hiss_holiness"], ["gorillion"]))
    table.choose("attack hiss_holiness")
    table.choose("block gorillion")
    assert table.discard(ALICE) == ["hiss_holiness"]
    assert table.discard(BOB) == ["gorillion"]
    assert (table.point, table.active) == ("D1", BOB)


def test_t69_frenzy_and_poisonous(new_table):
    """T69: Hiss Holiness beats a 4, attacks again and falls with Gorillion (R74, R71)."""
    table = new_table(board(["hiss_holiness"], ["turbo_bug", "gorillion"]))
    table.choose("attack hiss_holiness")
    table.choose("block turbo_bug")
    assert table.discard(BOB) == ["turbo_bug"]
    table.choose("attack again")
    table.choose("block gorillion")
    assert table.discard(ALICE) == ["hiss_holiness"]
    assert table.discard(BOB) == ["gorillion", "turbo_bug"]


def test_t73_control_lost_between_the_attacks(new_table):
    """T73: Harpy Mother takes the attacking Mole Machine: exhausted, no second attack (R95, R74).

    War Drum gives FRENZY in place of an effect for this turn.
    """
    table = new_table(board(["mole_machine", "war_drum"], ["harpy_mother"]))
    assert table.keywords("mole_machine") == ["FRENZY", "TOUGH"]
    table.choose("attack mole_machine")
    table.choose("block harpy_mother")
    assert (table.point, table.decider) == ("D8", BOB)
    table.choose("target mole_machine")
    assert table.in_play(BOB) == ["mole_machine"]
    assert table.exhausted("mole_machine")
    assert table.discard(BOB) == ["harpy_mother"]
    assert (table.point, table.active) == ("D1", BOB)


# Triggers and simultaneity ------------------------------------------------------------------------


def test_t81_two_effects_one_after_the_other(new_table):
    """T81: Alice orders the triggers of Bob's two mystics that fell together (R50, R57).

    Frenzy Mystic stands for a Madam Mystique whose controller names FRENZY.
    """
    table = new_table(
        Position(
            Side(play=["luchataur"], hand=["kangasaurus_rex", *NEUTRAL]),
            Side(play=["frenzy_mystic", "frenzy_mystic"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play kangasaurus_rex")
    assert (table.point, table.decider, table.waiting) == ("D11", ALICE, 2)
    assert table.options() == ["resolve bob frenzy_mystic defeated"] * 2
    table.choose("resolve frenzy_mystic")
    assert table.in_play(ALICE) == ["kangasaurus_rex"]
    assert (table.point, table.active, table.waiting) == ("D1", BOB, 0)


def test_t82_older_triggers_first(new_table):
    """T82: Puffermech's trigger is older than that of the Toad which the other one caused (R57).

    Frenzy Mystic stands for a Madam Mystique whose controller names FRENZY.
    """
    table = new_table(
        Position(
            Side(play=["explosive_toad", "gorillion"], hand=["kangasaurus_rex", *NEUTRAL]),
            Side(play=["frenzy_mystic", "puffermech"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play kangasaurus_rex")
    assert (table.point, table.decider) == ("D11", ALICE)
    table.choose("resolve frenzy_mystic")
    # Puffermech defeated Gorillion, so that the Toad's trigger had to choose Kangasaurus Rex.
    assert table.in_play(ALICE) == table.in_play(BOB) == []
    assert table.discard(ALICE) == ["explosive_toad", "gorillion", "kangasaurus_rex"]


def test_t86_all_other_allied_creatures(new_table):
    """T86: Radioactive Rabbit takes a fresh TOUGH 5 (exhausted) and a 7 (defeated) along (R50)."""
    table = new_table(board(["gorillion"], ["radioactive_rabbit", "mole_machine", "giraffodile"]))
    table.choose("attack gorillion")
    table.choose("block radioactive_rabbit")
    assert table.in_play(BOB) == ["mole_machine"]
    assert table.exhausted("mole_machine")
    assert table.discard(BOB) == ["giraffodile", "radioactive_rabbit"]
    assert table.in_play(ALICE) == ["gorillion"]


def test_t88_the_last_life_ends_the_effect(new_table):
    """T88: Bob's Fire Newt takes Alice's last life; the rest of its effect is not done (R14).

    Fire Newt goes on with a defeat where Fire Antler goes on with a boost.
    """
    table = new_table(board(["gorillion", "bee_bear"], ["fire_newt"], alice_life=1))
    table.choose("attack gorillion")
    table.choose("block fire_newt")
    assert (table.over, table.winner, table.ending) == (True, BOB, "life")
    assert table.in_play(ALICE) == ["bee_bear", "gorillion"]


# Constant abilities -------------------------------------------------------------------------------


@pytest.mark.parametrize("allies", [[], ["shield_bugs"]])
def test_t92_power_is_never_below_one(new_table, allies):
    """T92: Chameleon Sniper with 1 - 2, and with 1 - 2 + 1, has power 1 (R86).

    Weakening Fog in play stands for Cursed Gorillion in a discard pile.
    """
    table = new_table(board(["chameleon_sniper", *allies], ["weakening_fog"]))
    assert table.power("chameleon_sniper") == 1
    assert table.power("weakening_fog") == 1


def test_t128_keywords_granted_by_current_power(new_table):
    """T128: Kraken makes the 9 SNEAKY always, the 7 while it has 8 or more (R87).

    Urchin Hurler's bonus on Alice's turn stands for the growth of a die.
    """
    table = new_table(board(["kraken", "luchataur", "giraffodile", "urchin_hurler"], ["gorillion"]))
    assert table.keywords("luchataur") == ["FRENZY", "SNEAKY"]
    assert (table.power("giraffodile"), table.keywords("giraffodile")) == (9, ["SNEAKY"])
    table.choose("attack giraffodile")
    assert table.life(BOB) == 2
    assert (table.point, table.active) == ("D1", BOB)
    assert table.keywords("luchataur") == ["FRENZY", "SNEAKY"]
    assert (table.power("giraffodile"), table.keywords("giraffodile")) == (7, [])


def test_t129_the_king_attacks_alone(new_table):
    """T129: only The King can attack; his restriction does not bind himself (C36).

    Padding: Alice holds one card, so that her turn action is a decision.
    """
    table = new_table(
        Position(Side(play=["the_king", "bee_bear"], hand=["gorillion"]), Side(hand=list(NEUTRAL)))
    )
    assert table.options() == ["attack alice the_king", "play alice gorillion"]


# Policy, further cases ----------------------------------------------------------------------------


def test_t130_every_instance_is_an_option(new_table):
    """T130: hand A, A, B, one creature able to attack, one not: A, A, B and one attack (R124).

    Without the Action ability, which the language does not have yet.
    """
    table = new_table(
        Position(
            Side(play=["the_king", "bee_bear"], hand=["shark_dog", "shark_dog", "brain_fly"]),
            Side(hand=list(NEUTRAL)),
        )
    )
    assert table.options() == [
        "attack alice the_king",
        "play alice brain_fly",
        "play alice shark_dog",
        "play alice shark_dog",
    ]


def test_t142_frenzy_twice_is_frenzy_once(new_table):
    """T142: Explosive Toad with printed and granted FRENZY attacks twice, not more (R83, R74)."""
    table = new_table(board(["explosive_toad", "war_drum"], []))
    table.choose("attack explosive_toad")
    table.choose("attack again")
    assert table.life(BOB) == 1
    assert (table.point, table.active) == ("D1", BOB)


def test_t170_two_coach_pandas(new_table):
    """T170: each of two Coach Pandas gives the other +3 power and FRENZY (C63)."""
    table = new_table(board(["coach_panda", "coach_panda"], ["coach_panda", "gorillion"]))
    creatures = [c for c in table.game.snapshot()["creatures"].values() if c["power"] == 9]
    assert [creature["keywords"] for creature in creatures] == [["FRENZY"], ["FRENZY"]]
    assert table.power("bob coach_panda") == 6
    assert (table.power("gorillion"), table.keywords("gorillion")) == (13, ["FRENZY"])


# Rules without a worked example -------------------------------------------------------------------


def test_an_attacker_taken_and_taken_back_goes_on_with_its_attack(new_table):
    """R64, R75: controlled by its declarer again it attacks, but it does not attack twice.

    Both thieves are defeated by the attack; Bob's takes the Manticore, Alice's takes it back.
    """
    table = new_table(
        board(["majestic_manticore", "thief_for_a_thief", "war_drum"], ["thief_for_a_thief"])
    )
    table.choose("attack majestic_manticore")
    assert (table.point, table.decider) == ("D11", ALICE)
    table.choose("resolve bob thief_for_a_thief")
    assert (table.point, table.decider) == ("D6", BOB)
    table.choose("target majestic_manticore")
    assert table.in_play(ALICE) == ["majestic_manticore", "war_drum"]
    assert table.life(BOB) == 2
    assert (table.point, table.active) == ("D1", BOB)


def test_an_attacker_taken_for_good_ends_its_attack(new_table):
    """R64: resolved in the other order, the Manticore stays with Bob and attacks nobody."""
    table = new_table(
        board(["majestic_manticore", "thief_for_a_thief", "war_drum"], ["thief_for_a_thief"])
    )
    table.choose("attack majestic_manticore")
    table.choose("resolve alice thief_for_a_thief")
    table.choose("target majestic_manticore")
    assert table.in_play(BOB) == ["majestic_manticore"]
    assert table.life(BOB) == 3
    assert (table.point, table.active) == ("D1", BOB)
