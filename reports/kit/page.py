"""What all pages share: templates, tables to be saved, and the library that sorts them.

A page is one file that works without a network.  Everything that comes from a card or a manifest is
escaped by Jinja, or by matplotlib in a chart; the content security policy of the page lets no
script run but the one that it brings, which it names by its digest.
"""

import base64
import hashlib
import re
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
import pandas as pd
from markupsafe import Markup, escape

from analysis.tables import csv_text
from reports.kit.theme import WIDTH, font_face
from reports.kit.words import level
from simcore.sealed import write_file

# Rows of a table beyond which a page does not bring it along to be saved.
_MOST_ROWS = 2000
_TEMPLATES = Path(__file__).parents[1] / "templates"
_EXPORTS = re.compile(r"export\{([^}]*)\};?")


def page_template(name: str) -> jinja2.Template:
    """A template that escapes what it is given and knows style and script of all pages."""
    return _environment().get_template(name)


def write_rendered(path: Path, template: str, /, **values: Any) -> Path:
    """Write a page, which is a template with these values; its path.  Raises RunError."""
    write_file(path, page_template(template).render(**values).encode())
    return path


@cache
def _environment() -> jinja2.Environment:
    """What all templates have in common; keeps those that were used."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"with_code": with_code, "typed": typed, "is_wide": _is_wide}
    environment.globals["level"] = level
    environment.globals |= {
        "font": Markup(font_face()),
        "style": Markup(font_face() + _text("page.css")),
    }
    environment.globals |= _script(_text("page.js"))
    return environment


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

    It takes the place of the script that every page has, and consists of DataTables, as the
    installed package itables brings it, of ``tables.js`` and of ``page.js``.  Raises RuntimeError
    when that package is not as expected.
    """
    path = Path(str(distribution("itables").locate_file("itables/html/dt_bundle.js")))
    library = path.read_text()
    exports = _EXPORTS.search(library)
    pairs = [export.split(" as ") for export in (exports[1] if exports else "").split(",")]
    names = {pair[-1]: pair[0] for pair in pairs}
    if exports is None or "default" not in names:
        raise RuntimeError(f"{path} is not the library that is expected; install itables again")
    tables = f"{{\nconst DataTable = {names['default']};\n{_text('tables.js')}}}"
    code = f"{library[: exports.start()]}\n{tables}\n{library[exports.end() :].lstrip()}"
    return _script(f"{code}\n{{\n{_text('page.js')}}}")


def _script(code: str) -> dict[str, Any]:
    """A script for a page, and the digest by which the page lets it run."""
    # What a browser would read as the end of the script, or as a comment around it.
    script = re.sub(r"<(?=!--|/?script)", r"\\x3C", code, flags=re.IGNORECASE)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return {"script": Markup(script), "script_hash": f"sha256-{digest}"}


def _text(name: str) -> str:
    """What stands in a file beside the templates."""
    return (_TEMPLATES / name).read_text()


def _is_wide(drawing: str) -> bool:
    """Whether a chart is too wide for a phone."""
    view_box = re.search(r'viewBox="0 [\d.]+ ([\d.]+) ', drawing)
    return view_box is not None and float(view_box[1]) > 72 * WIDTH + 1


def typed(command: str) -> Markup:
    """A command as code, in which no option is broken behind its hyphens at the end of a line."""
    words = re.sub(r"(?<!\S)--[\w-]+", r"<span>\g<0></span>", str(escape(command)))
    return Markup(f"<code>{words}</code>")


def with_code(text: str) -> Markup:
    """Text of ours, with the names in `backquotes` set as code."""
    return Markup(re.sub(r"`(.+?)`", r"<code>\1</code>", str(escape(text))))
