"""Rooms as text and as pictures."""
