"""Is a hero, card, minion or encounter too strong: the answer in a sentence, and why."""
