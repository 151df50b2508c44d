"""The report of a run of any game: what stands in it, as a page, as Markdown and as a workbook."""
