"""Questions about a game, one room for all games: what is asked, played, found and written."""
