"""Is one card too strong: the answer in a sentence, why, and what to do about it."""
