"""What happened: statistics of any game, and a room for each game."""
