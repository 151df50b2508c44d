"""The story of a game: what `fairdeal story` says and shows."""
