"""The table ``games``: the record of a game, as it is read from a run, and what counters mean."""

import numpy as np
import pandas as pd

from analysis.mice_and_mystics.run_facts import OUTCOMES, RunFacts, party_name
from analysis.registry import Table
from simcore.mice_and_mystics.play.setup import SEATS
from simcore.mice_and_mystics.table.limits import CAUSES, MICE, MINIONS
from simcore.mice_and_mystics.table.records import GAME_RECORD, ROLLED
from simcore.records import columns_of

#: What every counter with one number for a game counts, in the order of the record.
COUNTED = {
    "rounds": "rounds begun, at most 400 (M116)",
    "mouse_turns": "turns of cards of mice, skipped ones included",
    "minion_card_turns": "turns of cards of minions, skipped ones included",
    "decisions": "decisions with two or more entries",
    "surges": "surges (M83)",
    "surges_with_minions": "surges that placed at least one figure",
    "captures": "captures (M104)",
    "captures_battle": "captures by wounds from attacks of minions",
    "captures_trap": "captures by a mousetrap (M43)",
    "captures_drift": "captures by drifting off the tile (M40)",
    "captures_event": "captures by an event card",
    "rescues": "captured mice that came back (M107)",
    "turns_skipped_captured": "turns of captured mice that were skipped (M107)",
    "wheel_in_attack": "cheese that attack dice of minions put on the wheel (M51)",
    "wheel_in_defense": "cheese that defense dice of minions put on the wheel (M49)",
    "wheel_in_idle": "cheese put on the wheel by rounds without minions (M20)",
    "wheel_in_theft": "cheese that minions took from mice and put on the wheel",
    "wheel_in_event": "cheese that event cards put on the wheel",
    "wheel_in_counter": "cheese that came onto the wheel from the counter of a room (M128)",
    "wheel_out_surge": "cheese that left the wheel with a surge (M83)",
    "wheel_out_pilfer": "cheese that Pilfer took off the wheel (M134)",
    "wheel_left": "cheese on the wheel at the end",
    "cheese_in_attack": "cheese that mice got from their attack dice (M48)",
    "cheese_in_defense": "cheese that mice got from their defense dice (M51)",
    "cheese_in_bow": "cheese of defense dice of minions that went to a mouse (Lily's Bow)",
    "cheese_in_trap": "cheese got from mousetraps (M43)",
    "cheese_in_discard": "cheese got for found cards that were discarded (D4)",
    "cheese_in_event": "cheese got from event cards",
    "cheese_in_pilfer": "cheese got by Pilfer (M134)",
    "cheese_in_start": "cheese that mice began with",
    "cheese_out_ability": "cheese paid for abilities (M103)",
    "cheese_out_level": "cheese paid for levelling up (M102)",
    "cheese_out_pay": "cheese paid for extra actions",
    "cheese_out_capture": "cheese lost with captures (M104)",
    "cheese_out_theft": "cheese that minions took from mice",
    "cheese_left": "cheese of all mice at the end",
    "wounds_total": "wounds of mice, poison wounds included",
    "wounds_trap": "wounds by mousetraps",
    "wounds_event": "wounds by event cards",
    "wounds_poison": "poison wounds, a part of `wounds_total`",
    "wounds_prevented": "wounds that were prevented",
    "wounds_healed": "wounds that were healed",
    "stuns": "times that a mouse was stunned",
    "minion_hits": "hits that minions rolled",
    "minion_hits_blocked": "hits of minions that were cancelled by defense dice",
    "minion_attacks_cancelled": "attacks of minions that were cancelled",
    "mouse_attacks_melee": "melee attacks of mice; one roll on several figures is one attack",
    "mouse_attacks_ranged": "ranged attacks of mice",
    "mouse_hits": "hits of mice",
    "mouse_hits_blocked": "hits of mice that were cancelled by defense dice",
    "kills_attack": "minions defeated by attacks",
    "kills_set_trap": "minions defeated by traps that mice set",
    "kills_grape": "roaches removed by grapes",
    "kills_spark": "minions defeated by Spark",
    "kills_toothpick": "minions defeated by the Toothpick",
    "minions_not_placed": "minions that were to be placed and for whom there was no figure or room",
    "fights_left": "minions on the tile at the end",
    "search_tries": "searches (M61)",
    "search_success": "successful searches",
    "cards_drawn": "search cards drawn: the sum of the five that follow",
    "cards_kept": "found cards that were kept",
    "cards_discarded": "found cards that were discarded for a cheese (D4)",
    "cards_events": "event cards drawn",
    "cards_party": "party cards drawn",
    "cards_unchosen": "cards drawn to choose from that were not chosen",
    "cards_overflow": "cards discarded because a pack was full",
    "equips": "cards that were equipped (PUT, D5)",
    "shares": "times that two mice shared (M100)",
    "share_transfers": "cards and cheese given or taken in them, one by one",
    "level_ups": "abilities taken by levelling up (M102)",
    "first_level_up_round": "round of the first of them; -1 = never",
    "scurries": "scurries (M45)",
    "recovers": "recoveries, or tries, from being stunned or webbed (M46)",
    "stands": "times that a mouse stood up (M112)",
    "explores": "times that the party left for another room",
    "returns_to_explored": "those of them that led to a room explored before",
    "battles": "attacks with a weapon as an action, those of Give Order included",
    "traps_entered": "spaces with a mousetrap entered (M43)",
    "traps_sprung": "mousetraps that sprang",
    "swims": "moves from water to water (M37)",
    "leave_tries": "tries to leave water (M38)",
    "leave_success": "those of them that succeeded",
    "drifts": "times that a mouse drifted with a current (M40)",
    "encounters": "encounter cards drawn",
    "ambushes": "those of them that were an ambush (M81)",
}

_LISTS = "as places in the manifest's list"
_OF_HEROES = f"by hero, {_LISTS} `heroes`"
_OF_MINIONS = f"by minion, {_LISTS} `minions`"
_OF_CARDS = f"by search card, {_LISTS} `cards`"
_OF_ABILITIES = f"by ability card, {_LISTS} `abilities`"
_OF_ROOMS = f"by room, {_LISTS} `rooms`"
_BY_ROUTE = "by place of the room on the route; -1 = not entered"
_MASK = f"mask over the abilities, {_LISTS} `abilities`"

GAMES = Table(
    "games",
    "One row per game",
    {
        "game": "number of the game; game i of a seed is always the same game",
        "party": f"the heroes, {_LISTS} `heroes`; -1 = the party has fewer",
        "first_track": f"cards of the first initiative track from the top: 0 to {MICE - 1} the mice"
        f" by their place in `party`, {MICE} + m the card of minion m, {_LISTS} `minions`; -1 = no"
        " card",
        "first_e": f"top card of the first encounter deck, {_LISTS} `encounters`; -1 = none",
        "dealt": f"starting abilities: {_MASK}",
        "outcome": "how it ended: 1 win, 2 lost on the last page, 3 lost because all mice were"
        " captured, 4 stopped after 400 rounds",
        "route_depth": "rooms of the route entered, the start room included",
        "rooms_explored": "rooms entered, start room and kitchen included",
        "page_final": "page on which the hourglass stood at the end",
        "pages_left": "pages left at the end",
        "page_at_entry": f"page on which a room of the route was entered, {_BY_ROUTE}",
        "round_at_entry": f"round in which a room of the route was entered, {_BY_ROUTE}",
        "page_at_entry_kitchen": "page on which the first room off the route was entered; -1 ="
        " none was",
        "tile_final": f"room in which the game ended, {_LISTS} `rooms`",
        **COUNTED,
        "encounter_in": f"encounter card drawn on first entry, {_LISTS} `encounters`, {_OF_ROOMS};"
        " -1 = none",
        "rounds_in": f"rounds begun in a room, {_OF_ROOMS}",
        "rounds_fought": f"those of them that began with minions there, {_OF_ROOMS}",
        "surges_in": f"surges in a room, {_OF_ROOMS}",
        "captures_in": f"captures in a room, {_OF_ROOMS}",
        "mice_ahead": "cards of mice above all of minions when the track of a room was built,"
        f" {_OF_ROOMS}; -1 = it was not",
        "rolled": f"dice rolled and their successes, in this order: {', '.join(ROLLED)}",
        "captures_of": f"captures, {_OF_HEROES}",
        "captures_how": f"captures, at {CAUSES} x hero + cause: 0 battle, 1 trap, 2 drift, 3 event",
        "cheese_income": f"cheese got, {_OF_HEROES}",
        "attacks": f"attacks, {_OF_HEROES}",
        "attack_dice": f"attack dice, rerolled ones included, {_OF_HEROES}",
        "wounds_dealt": "hits that were not blocked, beyond a figure's life too, and 1 for each"
        f" roach removed by a grape, {_OF_HEROES}",
        "level_ups_of": f"abilities taken by levelling up, {_OF_HEROES}",
        "kills": f"minions defeated, at {MINIONS} x hero + minion",
        "captures_by": f"captures in battle, {_OF_MINIONS}",
        "wounds_by": f"wounds of mice, {_OF_MINIONS}",
        "attacks_by": f"attacks, {_OF_MINIONS}",
        "dice_by": f"attack dice, {_OF_MINIONS}",
        "placed": f"figures placed, {_OF_MINIONS}",
        "placed_by_surge": f"figures placed by surges, {_OF_MINIONS}",
        "drawn": f"times drawn, {_OF_CARDS}",
        "equipped": f"times equipped (PUT, D5), {_OF_CARDS}",
        "used": f"times used, {_OF_CARDS}",
        "top8": f"copies among the top 8 of the first search deck, {_OF_CARDS}",
        "owned": f"abilities of all mice at the end: {_MASK}",
        "used_ability": f"times used, {_OF_ABILITIES}",
        "cheese_ability": f"cheese paid for it, {_OF_ABILITIES}",
        "drawn_e": f"times drawn, by encounter card, {_LISTS} `encounters`",
    },
    where="",
    files="`Run.games()`, and the Parquet files in `games/`",
    types={
        column: kind.base.name + "".join(f"[{length}]" for length in kind.shape)
        for column, _, _, kind in columns_of(GAME_RECORD, SEATS)
    },
)

_OF_CARD = {
    "drawn": "times that the card was drawn",
    "equipped": "times that it was equipped (PUT, D5)",
    "used": "times that it was used",
    "top8": "copies of it among the top 8 of the first search deck",
}

_OF_GAME = ("route_depth", "rooms_explored", "page_final", "pages_left", "rounds", "captures")

CARD_GAMES = Table(
    "card_games",
    "One row per game and search card that came up in it, in the party's hands or near the top of "
    "its deck",
    {
        "game": "number of the game",
        "policy": "who played all mice",
        "party": "the heroes, as `--party` names them",
        "card_id": "the card",
        **_OF_CARD,
        "won": "whether the game was won",
        "outcome": f"how it ended: {', '.join(OUTCOMES)}",
        **{name: GAMES.columns[name] for name in _OF_GAME},
    },
    files="`tables/card_games.parquet` after `fairdeal analyze RUN --card-games`, or "
    "`analysis.card_games(run)`",
    note=". Every column is a plain number, text or truth value",
    types={
        "game": "int64",
        "policy": "text",
        "party": "text",
        "card_id": "text",
        **dict.fromkeys(_OF_CARD, "int16"),
        "won": "bool",
        "outcome": "text",
        **dict.fromkeys(_OF_GAME, "int16"),
    },
)


def card_games(games: np.ndarray, facts: RunFacts) -> pd.DataFrame:
    """The table ``card_games`` of some games of a run, an array (n_games,) of GAME_RECORD."""
    cards = facts.ids["cards"]
    counts = {name: games[name][:, : len(cards)].astype(np.int16) for name in _OF_CARD}
    row, card = np.nonzero(np.sum([*counts.values()], axis=0))
    parties = np.array([party_name(party) for party in facts.parties], object)
    outcome = np.array(OUTCOMES, object)[games["outcome"][row] - 1]
    return pd.DataFrame(
        {
            "game": games["game"][row],
            "policy": np.full(len(row), facts.player, object),
            "party": parties[facts.party_of(games)[row]],
            "card_id": np.array(cards, object)[card],
            **{name: count[row, card] for name, count in counts.items()},
            "won": outcome == OUTCOMES[0],
            "outcome": outcome,
            **{name: games[name][row].astype(np.int16) for name in _OF_GAME},
        }
    )
