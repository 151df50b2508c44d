"""The report of a run of Mice & Mystics: how hard the chapter is, for whom, and why."""
