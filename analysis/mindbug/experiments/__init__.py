"""Experiments: what is played in order to find out, and what follows."""
