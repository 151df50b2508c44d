"""The public names of a package, listed once: in its stub ``__init__.pyi``.

Type checkers read the stub, and `public_names` makes the package offer what is in it, each name
imported when it is first used.  So importing the package costs nothing.
"""

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def public_names(
    package: str, file: str
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """``__all__``, ``__getattr__`` and ``__dir__`` of the package with the module ``file``.

    Its stub has lines ``from module import name as name`` alone, besides the docstring.
    """
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text())
    modules = {
        alias.name: str(line.module)
        for line in stub.body
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name]), name)

    return sorted(modules), get, lambda: sorted(modules)
