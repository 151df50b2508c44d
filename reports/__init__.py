"""What to show: the kit that charts and pages are made of, commands, and a room for each game."""
