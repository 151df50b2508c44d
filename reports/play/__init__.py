"""A person plays: the loop that asks, the file of a game, and what a game hands to both."""
