"""The front door: all that the author of a game, or a notebook, needs from one module.

    from fairdeal import Cards, Game, Kind, Number, Rules, Whole

Names are resolved on first use, so that nothing heavy is imported with it.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
