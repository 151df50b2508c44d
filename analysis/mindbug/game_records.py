"""The table ``games``: the record of a game, as it is read from a run."""

from analysis.registry import Table
from simcore.mindbug.rules.dice import FACES
from simcore.mindbug.table.records import GAME_RECORD, SEATS
from simcore.records import columns_of

_SLOTS = (
    "by slot; slots 0–9 are the cards dealt to player 0 in draw order, 10–19 those of player 1; "
    "slots 20–63 are cards of the unused pile"
)
_MASK = "mask: bit s is set for slot s"


GAMES = Table(
    "games",
    "One row per game",
    {
        "game": "number of the game; game i of a seed is always the same game",
        "first_player": "who took the first turn (R11), 0 or 1",
        "winner": "who won, 0 or 1; -1 = draw",
        "ending": "how it ended: 0 a player's life was 0 (R14), 1 a player had no legal action "
        "(R18), 2 capped: stopped after too many turns, 3 looped: stopped after too many effects "
        "in one turn (R20; 3 is a draw, and so is 2 unless `at_turn_cap` lets the player with more "
        "life win), 4 the effect of a card ended the game (C52, C59)",
        "turns": "turns; extra turns count (R20)",
        "decisions": "decisions with two or more options (R120)",
        **{f"life_{p}": f"life of player {p} at the end" for p in (0, 1)},
        **{f"mindbugs_{p}": f"Mindbugs that player {p} had left at the end" for p in (0, 1)},
        "attacks": "attacks declared, second attacks included",
        "second_attacks": "second attacks by FRENZY (R74)",
        "hunts": "attacks that hunted (R65)",
        "blocks": "attacks that were blocked without a hunt (R68)",
        "defeats": "creatures defeated (R92)",
        "tough_saves": "creatures exhausted by TOUGH instead of being defeated (R81)",
        "actions": "Action abilities used (R98)",
        "boosted": "boost cards put under creatures (R103)",
        **{f"energy_{p}": f"energy that player {p} gained (R108)" for p in (0, 1)},
        "dice": f"last results of dice (R113-R115), by face: {', '.join(FACES)}",
        **{
            f"power_bought_{p}": f"mask: bit i is set for number i of the manifest's list "
            f"`power_cards` if player {p} bought that copy (R110, R112)"
            for p in (0, 1)
        },
        "open_points": "bit n is set if the open point On of the rules text came up",
        "cards": f"the 20 cards dealt, as rows of the manifest's list `cards`, {_SLOTS}",
        "unused_cards": "the cards of slots 20–63 that were played or taken, as rows of the "
        "manifest's list `cards`; -1 = not played or taken",
        "best_stage": "highest stage in play of the card dealt (R101), by slot; 0 = never in play, "
        "1 for a card without stages",
        "drawn": f"{_MASK} of a card that the player to whom it was dealt drew, opening hand "
        "included",
        **{
            f"played_{p}": f"{_MASK} of a card that player {p} played from hand as a turn action "
            "and that no Mindbug took"
            for p in (0, 1)
        },
        **{f"taken_{p}": f"{_MASK} of a card that player {p} took with a Mindbug" for p in (0, 1)},
        "defeated": f"{_MASK} of a card that was defeated at least once",
        "turn_played": "number of the turn on which the card dealt was first played and kept, by "
        "slot; 0 = never",
        "offers": "times the card dealt was played from hand while the opponent had a Mindbug, by "
        "slot",
        "thefts": "times the card dealt was taken with a Mindbug, by slot",
    },
    where="",
    files="`Run.games()`, and the Parquet files in `games/`",
    types={
        column: kind.base.name + "".join(f"[{length}]" for length in kind.shape)
        for column, _, _, kind in columns_of(GAME_RECORD, SEATS)
    },
)
