"""The table of the studio: a person plays on it, and games are told on it move by move."""
