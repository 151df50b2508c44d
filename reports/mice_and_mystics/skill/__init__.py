"""Luck and skill: charts, text and page of a comparison of players on the same deals."""
