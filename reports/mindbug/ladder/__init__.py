"""A ladder of players: charts, text and page."""
