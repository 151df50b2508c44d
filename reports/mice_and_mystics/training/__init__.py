"""Trainings of Mice & Mystics in their folders."""
