"""What the engine plays with: facts as numbers, the state of a game, the record of one."""
