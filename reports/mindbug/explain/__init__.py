"""What goes with the strength of a card, or with a change: chart, words, experiments."""
