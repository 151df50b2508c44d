"""Charts inside a page: what matplotlib drew as SVG, as small elements in the colours of the page.

Charts have the same few looks of lines, marks and letters: `Shared` keeps each of them once for all
charts of a page.
"""

import re
import zlib
from collections.abc import Mapping
from html import unescape
from pathlib import Path

from markupsafe import Markup, escape

from reports.kit.theme import CAPTION, COLOURS, DRAWN, FINDING

_STYLE = re.compile(r' style="([^"]*)"')
_REFERENCE = re.compile(r'\b(id="|href="#|url\(#)([^")]+)')
_TEXT = re.compile(r"<text[^>]*>(.*?)</text>", re.DOTALL)
# The beginning and the end of a group.
_GROUP = re.compile(r"<g(?:>| [^>]*[^/]>)|</g>")


class Shared:
    """The looks of lines, marks and letters that the charts of a page have in common."""

    def __init__(self) -> None:
        self._looks: dict[str, str] = {}

    def look(self, style: str) -> str:
        """The class of elements with a style."""
        return self._looks.setdefault(style, f"l{len(self._looks):x}")

    def sheet(self) -> Markup:
        """The element that a page needs before its charts."""
        looks = "\n".join(f".{name} {{ {style} }}" for style, name in self._looks.items())
        return Markup(
            f'<svg class="shared" aria-hidden="true">\n<style>\n{looks}\n</style>\n</svg>'
        )


def described(svg: str) -> tuple[str, str]:
    """The title of a drawing of `figure_files.write_figure`, and what it says of itself."""
    found = (re.search(rf"<{name}>(.*?)</{name}>", svg, re.DOTALL) for name in ("title", "desc"))
    title, about = (unescape(one[1]) if one else "" for one in found)
    return title, about


def inline_svg(svg: str, label: str, shared: Shared | None = None) -> Markup:
    """A chart as an element of a page.

    Takes the colours of the page, and no names from outside: what is referred to gets an id that
    depends on the label alone, other ids, comments and metadata go.  Lengths are rounded to a
    hundredth of a point.  Each text is a group of the class "label"; the words above and below a
    chart become text of the page, which breaks its lines as it needs.

    Parameters
    ----------
    svg
        The drawing, as `figure_files.write_figure` writes it.
    label
        A name that no other chart of the page has.
    shared
        What the charts of the page have in common.  Where it is given, this chart refers to it, and
        the page needs `Shared.sheet` of it.
    """
    title, about = described(svg)
    drawing, finding, high = _without(svg[svg.index("<svg") :], FINDING)
    drawing, drawn, _ = _without(drawing, DRAWN)
    drawing, source, low = _without(drawing, CAPTION)
    for unwanted in ("<!--.*?-->", "<(metadata|style|title|desc).*?</\\1>"):
        drawing = re.sub(unwanted, "", drawing, flags=re.DOTALL)
    drawing = re.sub(r"<defs>\s*</defs>\s*", "", drawing)
    drawing = re.sub(r'<g id="text_\d+">', '<g class="label">', drawing)
    prefix = f"s{zlib.crc32(label.encode()):08x}"
    referred = (name for kind, name in _REFERENCE.findall(drawing) if kind != 'id="')
    names = {name: f"{prefix}-{n:x}" for n, name in enumerate(dict.fromkeys(referred))}
    drawing = re.sub(
        r' id="([^"]+)"', lambda one: one[0] if one[1] in names else "", drawing
    ).replace("xlink:href", "href")
    drawing = drawing.replace("rotate(-0 ", "rotate(0 ")
    drawing = re.sub(r' transform="rotate\(0 [^"]*"', "", drawing)
    drawing = _REFERENCE.sub(lambda one: f"{one[1]}{names[one[2]]}", drawing)
    drawing = re.sub(r"(?<![\d.])(?<!scale\()\d+\.\d{3,}", _rounded, drawing)
    for colour_name, colour in COLOURS.items():
        drawing = drawing.replace(colour, f"var(--{colour_name})")
    if shared is not None:
        drawing = _STYLE.sub(lambda style: f' class="{shared.look(style[1])}"', drawing)
    view_box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)
    assert view_box is not None
    box = f"0 {high:g} {view_box[1]} {float(view_box[2]) - high - low:g}"
    words = escape(f"Chart: {title or label.replace('_', ' ')}{'. ' * bool(about)}{about}")
    lines = ((finding, "finding"), (drawn, "drawn"))
    above = "".join(f'<p class="{kind}">{text}</p>\n' for text, kind in lines if text)
    below = f"\n<figcaption>{source}</figcaption>" if source else ""
    head = f'{above}<svg viewBox="{box}" role="img" aria-label="{words}">'
    return Markup(head + _tidied(drawing[drawing.index(">") + 1 :]) + below)


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


def _without(drawing: str, kind: str) -> tuple[str, str, float]:
    """A chart without the words of a kind, these words, and the number behind their id."""
    start = re.search(rf'<g id="{kind}-?([\d.]*)">', drawing)
    if start is None:
        return drawing, "", 0
    depth, end = 1, start.end()
    while depth:
        tag = _GROUP.search(drawing, end)
        assert tag is not None
        depth, end = depth + (1 if tag[0] != "</g>" else -1), tag.end()
    lines = (one.strip() for one in _TEXT.findall(drawing[start.start() : end]))
    text = " ".join(lines).replace("\N{NO-BREAK SPACE}", " ")
    return drawing[: start.start()] + drawing[end:], text, float(start[1] or 0)


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
