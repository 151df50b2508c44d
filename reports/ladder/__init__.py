"""A ladder of players: command, charts, text and page."""
