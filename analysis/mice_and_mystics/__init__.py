"""Mice & Mystics on the floor of `analysis`: runs, what is counted of them, and their tables."""
