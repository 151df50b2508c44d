"""Whole games, many at once."""
