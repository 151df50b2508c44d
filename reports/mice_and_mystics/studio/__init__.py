"""Mice & Mystics in the studio."""
