"""Charts inside a page: nothing from outside comes along, and what repeats is there once."""

from __future__ import annotations

import re

from reports.kit import theme
from reports.kit.drawing import new_axes, set_titles
from reports.kit.figure_files import figure_bytes
from reports.kit.inline_svg import Shared, described, inline_svg


def test_inlined_chart_keeps_nothing_from_outside() -> None:
    """A drawing loses prolog, comments, metadata and sizes, and takes the colours of the page."""
    svg = (
        '<?xml version="1.0"?><svg width="1pt" viewBox="0 0 1 1" xmlns="http://www.w3.org/2000/svg">'
        '<metadata><a href="http://x"/></metadata><!-- name --><path id="p" style="fill: #1f2933"/>'
        '<use xlink:href="#p" clip-path="url(#p)"/></svg>'
    )
    drawing = inline_svg(svg, "my_chart")
    name = re.search(r'<path id="([\w-]+)"', drawing)
    assert name is not None
    assert drawing == (
        '<svg viewBox="0 0 1 1" role="img" aria-label="Chart: my chart">'
        f'<path id="{name[1]}" style="fill: var(--ink)"/>'
        f'<use href="#{name[1]}" clip-path="url(#{name[1]})"/></svg>'
    )
    assert name[1] not in inline_svg(svg, "another_chart")


def test_words_of_a_chart_become_text_of_the_page() -> None:
    """Title, subtitle and source leave the drawing, which keeps its other words as text."""
    with theme.off_screen(), theme.style():
        ax = new_axes(1.0, left=0.5, legend=False)
        ax.set_ylabel("a < b")
        set_titles(ax, "Moth & Co wins 60%", "games won")
        theme.add_caption(ax, "seed 0")
        svg = figure_bytes(theme.figure_of(ax), "svg").decode()
    assert described(svg) == ("Moth & Co wins 60%", "Games won. Source: seed 0")
    assert svg.count("@font-face") == 1
    shared = Shared()
    drawn = inline_svg(svg, "one", shared)
    words = ("Moth &amp; Co wins 60%", "Games won", "Source: seed 0")
    tags = ('<p class="finding">', '<p class="drawn">', "<figcaption>")
    after = drawn.partition("<svg")[2]
    for word, tag in zip(words, tags, strict=True):
        assert f"{tag}{word}</" in drawn
        assert word not in after[after.index(">") : after.index("</svg>")]
    assert f'aria-label="Chart: {". ".join(words)}"' in drawn
    assert re.search(r"<text[^>]*>a &lt; b</text>", drawn)
    for rest in ("@font-face", "<title", "<desc", "style=", "#1f2933"):
        assert rest not in drawn
    assert shared.sheet().count("fill: var(--ink)") and inline_svg(svg, "two", shared) != drawn
