"""Trainings of any game: folder, learning curve, and the options of ``fairdeal train``."""
