"""A person plays Mice & Mystics, with players of fairdeal or alone."""
