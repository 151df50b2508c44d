"""Mindbug: the card language, the texts made from it, and the sets that are shipped."""
