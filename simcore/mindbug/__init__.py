"""Mindbug: the rules as a machine that runs from decision to decision.

``compile_cards`` turns checked cards into a table of integers, ``play_games`` plays many games at
once, and ``Game`` plays one, option by option.  One module per chapter of the rules text.
"""

import simcore.mindbug.face.position  # noqa: F401 - says what a game looks like at a prompt
from simcore.mindbug.face.game import Game, Thoughts
from simcore.mindbug.face.options import Option
from simcore.mindbug.face.set_up import Creature, Side
from simcore.mindbug.play.simulate import play_games
from simcore.mindbug.players.policies import POLICIES, Policy
from simcore.mindbug.players.seats import RUNGS, Player, parse_player, split_players
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.compile_cards import compile_cards
from simcore.mindbug.table.records import DEALT, DEALT_EACH, GAME_RECORD, Ending
from simcore.mindbug.table.state import Decision, Phase

#: Version of the rules text (docs/rules.md) that the engine plays; run folders carry it.
RULES_VERSION = 3

__all__ = [
    "DEALT",
    "DEALT_EACH",
    "GAME_RECORD",
    "POLICIES",
    "RULES_VERSION",
    "RUNGS",
    "CardTable",
    "Creature",
    "Decision",
    "Ending",
    "Game",
    "Option",
    "Phase",
    "Player",
    "Policy",
    "Side",
    "Thoughts",
    "compile_cards",
    "parse_player",
    "play_games",
    "split_players",
]
