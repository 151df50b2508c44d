"""How `make docs` builds the site: Sphinx, from the pages in this folder and from docstrings."""

import importlib
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from docutils.nodes import Element
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

sys.path.insert(0, str(Path(__file__).parents[1]))

project = "fairdeal"
author = "the fairdeal authors"
version = release = version_of("fairdeal")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["figures/*"]

# Links of one page to a heading of another are checked like every other one.
myst_heading_anchors = 3
myst_enable_extensions = ["attrs_inline"]

html_theme = "furo"
html_title = f"fairdeal {version}"
html_copy_source = html_show_sphinx = html_show_copyright = False

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "imported-members": True}
napoleon_google_docstring = False
napoleon_use_param = napoleon_use_rtype = False
default_role = "py:obj"
nitpicky = True  # together with -W: a name in a docstring that is nowhere ends the build


def setup(app: Sphinx) -> None:
    """Let names that a docstring mentions be anything that its module knows."""
    app.connect("autodoc-process-docstring", _remember_module)
    app.connect("missing-reference", _find_in_code)


_modules: dict[str, str] = {}  # by what is documented: the module that defines it


def _remember_module(_: Sphinx, __: str, name: str, what: Any, *___: object) -> None:
    _modules[name] = getattr(what, "__module__", None) or name


def _find_in_code(
    _: Sphinx, __: BuildEnvironment, node: Element, content: Element
) -> Element | None:
    """A name without a page of its own, if the module that mentions it knows it."""
    if node.get("refdomain") != "py":
        return None
    documented = ".".join(filter(None, (node.get("py:module"), node.get("py:class"))))
    places = {module for name, module in _modules.items() if name.startswith(documented)}
    places |= {"simcore.sealed", "card_data.faults"}  # errors that anything may raise
    found = any(_is_there(f"{place}.{node['reftarget']}") for place in sorted(places))
    return content if found or _is_there(node["reftarget"]) else None


def _is_there(name: str) -> bool:
    """Whether a dotted name can be imported, or is a part of what can."""
    if name in sys.modules:
        return True
    module, _, rest = name.rpartition(".")
    attributes: list[str] = []
    while module:
        attributes.insert(0, rest)
        try:
            value: Any = importlib.import_module(module)
        except ImportError:
            module, _, rest = module.rpartition(".")
            continue
        try:
            for attribute in attributes:
                value = getattr(value, attribute)
        except AttributeError:
            return False
        return True
    return False
