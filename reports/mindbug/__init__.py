"""What to show: charts and a page from the tables of a run.

`write_report` turns an analysed run folder into ``report.html`` and ``figures/``, `write_reports`
into Markdown and a workbook as well, `write_ladder` the folder of a ladder into ``ladder.html``.
Every chart is also a function ``plot_x(table, *, ax=None)`` of its own.  A chart of one's own is
drawn inside `style`, gets its caption from `add_caption` and its files from `write_figure`;
`readable` is a table for looking at.  Nothing is estimated here: that is `analysis`.

Importing this package costs nothing: a name is imported when it is first used.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
