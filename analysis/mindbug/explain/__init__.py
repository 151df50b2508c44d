"""What goes with the strength of a card, and with what a change did to it."""
