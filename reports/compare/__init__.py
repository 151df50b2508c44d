"""A comparison of two runs of any game: what follows, in words and as a page."""

#: The page in the folder of a comparison.
PAGE = "compare.html"
