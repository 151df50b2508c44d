"""Skill and luck: what every game says and shows of players who are compared."""
