"""Files of entries: a game declares kinds with fields, and the rest follows from that.

Reading with line and column and all faults at once, one form of writing, a JSON Schema, a reference
page, and everything that can be stepped, with the entries that a step gives.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
