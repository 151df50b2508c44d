"""Rebalancing a chapter: charts, text and page."""
