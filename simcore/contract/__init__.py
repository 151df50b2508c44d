"""The contract of a game that somebody brings: rules as a class with declared state."""
