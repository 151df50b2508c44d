"""What single changes of a game do: words, charts, page, command and studio, for every game."""
