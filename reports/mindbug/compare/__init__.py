"""Two runs compared: chart, text and page."""
