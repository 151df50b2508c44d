"""A comparison of two runs of Mice & Mystics, in words."""
