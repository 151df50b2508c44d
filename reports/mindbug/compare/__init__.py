"""Two runs compared: chart, text and page."""

#: The page in the folder of a comparison.
PAGE = "compare.html"
