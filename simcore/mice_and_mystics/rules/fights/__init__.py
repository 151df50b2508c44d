"""Fights and cards: attacks, spells, reactions, searches, gear, and abilities that are used."""
