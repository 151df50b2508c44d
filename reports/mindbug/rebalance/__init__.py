"""Rebalancing: charts, text and page."""
