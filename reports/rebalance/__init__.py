"""What the pages of a rebalancing share, whatever game it is of."""
