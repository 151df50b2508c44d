"""Single games, as people and programs meet them."""
