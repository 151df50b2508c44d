"""What the game is called, and which rules are played: known without loading the engine."""

#: What the game is called.
TITLE = "Mice & Mystics"
#: Version of the rules text that the engine plays; run folders carry it.
RULES_VERSION = 2
