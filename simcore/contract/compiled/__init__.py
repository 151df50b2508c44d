"""Games that somebody brings as machine code: their rules rewritten over records of numbers."""
