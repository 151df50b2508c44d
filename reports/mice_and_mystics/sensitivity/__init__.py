"""What one step on each number of a chapter changes: chart, text and page."""
