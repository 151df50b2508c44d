"""The report of a run: is the chapter too hard, for whom, and what makes it so."""
