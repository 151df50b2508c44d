"""Restricted play: chart, text and page."""
