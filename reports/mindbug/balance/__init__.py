"""The report of a run: charts, text, page and other formats."""
