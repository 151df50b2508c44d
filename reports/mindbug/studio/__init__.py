"""Mindbug in the studio."""
