"""Luck and skill: how much of a game the deal decides, and how much the players' choices."""
