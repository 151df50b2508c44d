"""A person plays Mice & Mystics, with players of balancelab or alone."""
