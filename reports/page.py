"""What all pages share: templates, charts inside a page, and the library that sorts its tables.

A page is one file that works without a network.  Everything that comes from a card or a manifest is
escaped by Jinja, or drawn as outlines in a chart; the content security policy of the page lets no
script run but the one that it brings, which it names by its digest.
"""

import base64
import hashlib
import re
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
import pandas as pd
from markupsafe import Markup, escape

from analysis.tables import csv_text
from reports.theme import COLOURS

# Rows of a table beyond which a page does not bring it along to be saved.
_MOST_ROWS = 2000
# Height of a chart for its width beyond which it does not fit on a sheet of paper.
_TALL = 1.4
_TEMPLATES = Path(__file__).parent / "templates"
# An outline of a letter, as matplotlib defines it once for each chart.
_GLYPH = re.compile(r'<path id="([^"]+)"([^>]*) transform="scale\(0\.015625\)"/>\s*')
_REFERENCE = re.compile(r'\b(id="|href="#|url\(#)([^")]+)')
_EXPORTS = re.compile(r"export\{([^}]*)\};?")


def page_template(name: str) -> jinja2.Template:
    """A template that escapes what it is given and knows the ``style`` of all pages."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"with_code": _with_code, "is_tall": _is_tall}
    environment.globals["style"] = Markup((_TEMPLATES / "page.css").read_text())
    return environment.get_template(name)


def csv_address(table: pd.DataFrame) -> str:
    """The address of a table that a page brings along to be saved; empty if it is too large.

    Numbers and letters stand for themselves, which takes a quarter less than base64.
    """
    if len(table) > _MOST_ROWS:
        return ""
    return f"data:text/csv;charset=utf-8,{quote(csv_text(table), safe=',')}"


@cache
def page_script() -> dict[str, Any]:
    """The ``script`` of a page whose tables can be sorted and filtered, and its ``script_hash``.

    It consists of DataTables, as the installed package itables brings it, and of ``page.js``.
    Raises RuntimeError when that package is not as expected.
    """
    path = Path(str(distribution("itables").locate_file("itables/html/dt_bundle.js")))
    library = path.read_text()
    exports = _EXPORTS.search(library)
    pairs = [export.split(" as ") for export in (exports[1] if exports else "").split(",")]
    names = {pair[-1]: pair[0] for pair in pairs}
    if exports is None or "default" not in names:
        raise RuntimeError(f"{path} is not the library that is expected; install itables anew")
    own = (_TEMPLATES / "page.js").read_text()
    begin = f"{{\nconst DataTable = {names['default']};\n"
    code = f"{library[: exports.start()]}\n{begin}{own}}}\n{library[exports.end() :].lstrip()}"
    # What a browser would read as the end of the script, or as a comment around it.
    script = re.sub(r"<(?=!--|/?script)", r"\\x3C", code, flags=re.IGNORECASE)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return {"script": Markup(script), "script_hash": f"sha256-{digest}"}


def inline_svg(svg: str, label: str, glyphs: dict[str, tuple[str, str]] | None = None) -> Markup:
    """A chart as an element of a page.

    Takes the colours of the page, and no names from outside: what is referred to gets an id that
    depends on the label alone, other ids, comments and metadata go.  Lengths are rounded to a
    hundredth of a point.

    Parameters
    ----------
    svg
        The drawing, as `figure_files.write_figure` writes it.
    label
        What is read out by screen readers; charts of a page have different ones.
    glyphs
        The letters that charts of the page have used so far.  Where it is given, the outlines of
        letters are added to it instead of to the chart, and the page needs `glyph_sheet` of it.
    """
    drawing = svg[svg.index("<svg") :]
    for unwanted in (r"<!--.*?-->", r"<metadata>.*?</metadata>", r"<style.*?</style>"):
        drawing = re.sub(unwanted, "", drawing, flags=re.DOTALL)
    names: dict[str, str] = {}
    if glyphs is not None:
        for name, outline in _GLYPH.findall(drawing):
            names[name] = glyphs.setdefault(name, (f"g{len(glyphs):x}", outline))[0]
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
    view_box = re.search(r'viewBox="[^"]*"', drawing)
    assert view_box is not None
    words = escape(label.replace("_", " "))
    head = f'<svg {view_box[0]} role="img" aria-label="Chart: {words}">'
    return Markup(head + re.sub(r"\s*\n\s*", "\n", drawing[drawing.index(">") + 1 :]).strip())


def drawings(
    files: Mapping[str, Mapping[str, Path]], glyphs: dict[str, tuple[str, str]] | None = None
) -> dict[str, list[Markup]]:
    """The charts of a page by their names, from the files that `figures.write_figures` wrote.

    ``glyphs`` is for `inline_svg`.
    """
    return {
        name: [
            inline_svg(path.with_name(f"{path.name}.svg").read_text(), path.name, glyphs)
            for path in paths.values()
        ]
        for name, paths in files.items()
    }


def glyph_sheet(glyphs: dict[str, tuple[str, str]]) -> Markup:
    """The letters of all charts of a page; see `inline_svg`."""
    outlines = "".join(
        f'<path id="{name}"{outline} transform="scale(0.015625)"/>\n'
        for name, outline in glyphs.values()
    )
    return Markup(f'<svg class="glyphs" aria-hidden="true"><defs>\n{outlines}</defs></svg>')


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _is_tall(drawing: str) -> bool:
    """Whether a chart is higher, for its width, than a sheet of paper."""
    view_box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)
    return view_box is not None and float(view_box[2]) > _TALL * float(view_box[1])


def _with_code(text: str) -> Markup:
    """Text of ours, with the names in `backquotes` set as code."""
    return Markup(re.sub(r"`(.+?)`", r"<code>\1</code>", str(escape(text))))
