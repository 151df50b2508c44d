"""What experiments of any game share."""
