"""Charts inside a page: nothing from outside comes along, and what repeats is there once."""

from __future__ import annotations

import re

import pytest

from reports.kit.inline_svg import Shared, inline_svg


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


def test_charts_share_letters_words_and_looks() -> None:
    """What several charts have is in a page once, and each chart still finds its own."""

    def chart(text: str) -> str:
        letters = "".join(
            f'<path id="DejaVuSans-{one}" d="M {one} 0" transform="scale(0.015625)"/>'
            for one in dict.fromkeys(text)
        )
        used = "\n      ".join(
            f'<use xlink:href="#DejaVuSans-{one}" transform="translate({9.063047 * i} 0)"/>'
            for i, one in enumerate(text)
        )
        return (
            f'<?xml version="1.0"?><svg viewBox="0 0 9 9"><g id="figure_1"><defs>{letters}</defs>'
            f'<g/><g style="fill: #1f2933" transform="scale(0.1 -0.1)">{used}</g></g></svg>'
        )

    shared = Shared()
    texts = ("12", "231", "231", "23")
    drawn = [inline_svg(chart(text), f"chart {i}", shared) for i, text in enumerate(texts)]
    sheet = shared.sheet()
    outlines = dict(re.findall(r'<path id="(\w+)" d="M (\d) 0"', sheet))
    assert sorted(outlines.values()) == ["1", "2", "3"]
    words = dict(re.findall(r'<g id="(\w+)">(.*?)</g>', sheet))
    assert len(words) == 1
    for drawing, text in zip(drawn, texts, strict=True):
        written = re.sub(r'<use href="#(\w+)"/>', lambda one: words.get(one[1], one[0]), drawing)
        used = re.findall(r'<use href="#(\w+)" x="([\d.]+)"/>', written)
        assert "".join(outlines[name] for name, _ in used) == text
        assert [float(x) for _, x in used] == pytest.approx([0, 9.06, 18.13][: len(text)])
        assert "defs" not in drawing and "id=" not in drawing and "style=" not in drawing
        assert drawing.count("<g") == 1
    assert "> " not in "".join(words.values())
    assert sheet.count("fill: var(--ink)") == 1
    look = re.search(r"\.(\w+) \{ fill", sheet)
    assert look and all(f'<g class="{look[1]}" transform' in drawing for drawing in drawn)
