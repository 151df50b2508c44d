"""Charts inside a page: what matplotlib drew as SVG, as small elements in the colours of the page.

Most of a chart is repetition: outlines of letters, names of cards that are in several charts, and
the same few looks of lines and marks.  `Shared` keeps each of them once for all charts of a page.
"""

import re
import zlib
from collections.abc import Mapping
from html import unescape
from pathlib import Path

from markupsafe import Markup, escape

from reports.kit.theme import CAPTION, COLOURS

# An outline of a letter, as matplotlib defines it once for each chart.
_GLYPH = re.compile(r'<path id="([^"]+)"([^>]*) transform="scale\(0\.015625\)"/>\s*')
# A word or a number in a chart: three letters at least, each at its place.
_WORD = re.compile(r'(?:<use href="#g[0-9a-f]+"[^>]*/>\s*){3,}')
_STYLE = re.compile(r' style="([^"]*)"')
_REFERENCE = re.compile(r'\b(id="|href="#|url\(#)([^")]+)')
_CAPTION = re.compile(rf'<g id="{CAPTION}([\d.]+)">')
_NOTE = re.compile(r"<!-- (.*?) -->", re.DOTALL)
# The beginning and the end of a group.
_GROUP = re.compile(r"<g(?:>| [^>]*[^/]>)|</g>")


class Shared:
    """What the charts of a page have in common: letters, words and looks, by their ids."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        self._elements: list[str] = []
        self._looks: list[str] = []

    def letter(self, name: str, outline: str) -> str:
        """The id of a letter, given its name in all charts and the attributes of its outline."""
        return self._element(name, f'<path id="{{}}"{outline} transform="scale(0.015625)"/>')

    def word(self, letters: str) -> str:
        """The id of a row of letters."""
        row = re.sub(r">\s+<", "><", letters.strip())
        return self._element(row, f'<g id="{{}}">{row}</g>')

    def look(self, style: str) -> str:
        """The class of elements with a style."""
        if style not in self._ids:
            self._ids[style] = f"l{len(self._looks):x}"
            self._looks.append(f".{self._ids[style]} {{ {style} }}")
        return self._ids[style]

    def sheet(self) -> Markup:
        """The element that a page needs before its charts."""
        looks, elements = "\n".join(self._looks), "\n".join(self._elements)
        return Markup(
            '<svg class="shared" aria-hidden="true">\n'
            f"<style>\n{looks}\n</style>\n<defs>\n{elements}\n</defs>\n</svg>"
        )

    def _element(self, key: str, element: str) -> str:
        if key not in self._ids:
            self._ids[key] = f"g{len(self._elements):x}"
            self._elements.append(element.format(self._ids[key]))
        return self._ids[key]


def inline_svg(svg: str, label: str, shared: Shared | None = None) -> Markup:
    """A chart as an element of a page.

    Takes the colours of the page, and no names from outside: what is referred to gets an id that
    depends on the label alone, other ids, comments and metadata go.  Lengths are rounded to a
    hundredth of a point.  Each text is a group of the class "label"; the caption of
    `theme.add_caption` becomes a caption of the page.

    Parameters
    ----------
    svg
        The drawing, as `figure_files.write_figure` writes it.
    label
        What is read out by screen readers; charts of a page have different ones.
    shared
        What the charts of the page have in common.  Where it is given, this chart refers to it, and
        the page needs `Shared.sheet` of it.
    """
    drawing, caption, low = _without_caption(svg[svg.index("<svg") :])
    for unwanted in (r"<!--.*?-->", r"<metadata>.*?</metadata>", r"<style.*?</style>"):
        drawing = re.sub(unwanted, "", drawing, flags=re.DOTALL)
    drawing = re.sub(r'<g id="text_\d+">', '<g class="label">', drawing)
    names: dict[str, str] = {}
    if shared is not None:
        for name, outline in _GLYPH.findall(drawing):
            names[name] = shared.letter(name, outline)
        drawing = re.sub(r"<defs>\s*</defs>\s*", "", _GLYPH.sub("", drawing))
    prefix = f"s{zlib.crc32(label.encode()):08x}"
    for kind, name in _REFERENCE.findall(drawing):
        if kind != 'id="' and name not in names:
            names[name] = f"{prefix}-{len(names):x}"

    def renamed(reference: re.Match[str]) -> str:
        return f"{reference[1]}{names[reference[2]]}"

    drawing = re.sub(
        r' id="([^"]+)"', lambda one: one[0] if one[1] in names else "", drawing
    ).replace("xlink:href", "href")
    drawing = _REFERENCE.sub(renamed, drawing)
    drawing = re.sub(r"(?<![\d.])(?<!scale\()\d+\.\d{3,}", _rounded, drawing)
    drawing = re.sub(r'transform="translate\(([-\d.]+) 0\)"/>', r'x="\1"/>', drawing)
    for colour_name, colour in COLOURS.items():
        drawing = drawing.replace(colour, f"var(--{colour_name})")
    if shared is not None:
        drawing = _WORD.sub(lambda word: f'<use href="#{shared.word(word[0])}"/>\n', drawing)
        drawing = _STYLE.sub(lambda style: f' class="{shared.look(style[1])}"', drawing)
    view_box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)
    assert view_box is not None
    size = f"{view_box[1]} {float(view_box[2]) - low:g}"
    words = escape(label.replace("_", " "))
    head = f'<svg viewBox="0 0 {size}" role="img" aria-label="Chart: {words}">'
    return Markup(head + _tidied(drawing[drawing.index(">") + 1 :]) + caption)


def drawings(
    files: Mapping[str, Mapping[str, Path]], shared: Shared | None = None
) -> dict[str, list[Markup]]:
    """The charts of a page by their names, from the files that `figures.write_figures` wrote.

    ``shared`` is for `inline_svg`.
    """
    return {
        name: [
            inline_svg(path.with_name(f"{path.name}.svg").read_text(), path.name, shared)
            for path in paths.values()
        ]
        for name, paths in files.items()
    }


def _without_caption(drawing: str) -> tuple[str, str, float]:
    """A chart, its caption as an element of a page, and how many points that took at the bottom.

    The text is in what matplotlib notes before the outlines of each line.
    """
    start = _CAPTION.search(drawing)
    if start is None:
        return drawing, "", 0
    depth, end = 1, start.end()
    while depth:
        tag = _GROUP.search(drawing, end)
        assert tag is not None
        depth, end = depth + (1 if tag[0] != "</g>" else -1), tag.end()
    lines = _NOTE.findall(drawing[start.start() : end])
    text = escape(unescape(" ".join(lines)).replace("\N{NO-BREAK SPACE}", " "))
    rest = drawing[: start.start()] + drawing[end:]
    return rest, f"\n<figcaption>{text}</figcaption>", float(start[1])


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _tidied(elements: str) -> str:
    """Elements without groups that say nothing, indentation, and empty lines."""
    said: list[bool] = []

    def group(tag: re.Match[str]) -> str:
        if tag[0] == "</g>":
            return tag[0] if said.pop() else ""
        said.append(tag[0] != "<g>")
        return tag[0] if said[-1] else ""

    return re.sub(r"\s*\n\s*", "\n", _GROUP.sub(group, elements.replace("<g/>", ""))).strip()
