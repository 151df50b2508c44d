"""The walls of the house: who may import whom.

All imports count, those inside functions and those for type checkers too.  What does not hold yet
is listed; an entry that holds by now fails as well, so that the lists can only shrink.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from simcore.games import FLOORS, names

ROOT = Path(__file__).parents[1]
#: The floors, from left to right: a module imports from its own floor and from those before it.
HOUSE = ("card_data", *FLOORS)
#: The rooms of Mindbug's engine, from left to right.
ENGINE = "simcore.mindbug"
ROOMS = ("table", "rules", "players", "play", "face")
#: How many modules a room has at most.
MOST_MODULES = 24

#: What kernels ask the compiler and the compiler answers: no function that Python could call.
QUESTIONS = {"simcore.jit": {"_general"}}

#: Shared modules that import a game: (module, imported).
IMPORT_A_GAME: set[tuple[str, str]] = set()
#: Shared modules in which the name of a game stands.
NAME_A_GAME: set[str] = set()
#: Modules that import each other, as sets of all that lie on circles together.
CIRCLES: set[frozenset[str]] = set()
#: Imports to the right, between floors and between rooms of the engine: (module, imported).
TO_THE_RIGHT: set[tuple[str, str]] = set()
#: Private names that are imported across rooms and are no kernels: (module, name).
PRIVATE: set[tuple[str, str]] = set()
#: Rooms with more modules than that.
CROWDED: set[str] = set()


class Import(NamedTuple):
    """One import: ``module`` imports ``name`` from ``source``, or ``source`` itself ("")."""

    module: str
    source: str
    name: str


@cache
def modules() -> Mapping[str, Path]:
    """Every module of the house by its dotted name; a package by that of the folder."""
    found = {}
    for floor in HOUSE:
        for path in sorted((ROOT / floor).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def trees() -> Mapping[str, ast.Module]:
    """The code of every module."""
    return {module: ast.parse(path.read_text()) for module, path in modules().items()}


@cache
def imports() -> tuple[Import, ...]:
    """Every import of a module of the house by another."""
    return tuple(one for module in trees() for one in _imports_of(module))


def _imports_of(module: str) -> Iterator[Import]:
    """The imports of a module, and the private names that it asks imported modules for."""
    bound = {}
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.ImportFrom) and node.module and node.module in modules():
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                whole = inner in modules()
                if whole:
                    bound[alias.asname or alias.name] = inner
                yield Import(module, *((inner, "") if whole else (node.module, alias.name)))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in modules():
                    yield Import(module, alias.name, "")
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            source = bound.get(node.value.id)
            if source is not None and node.attr.startswith("_"):
                yield Import(module, source, node.attr)


def game_of(module: str) -> str:
    """The game in whose rooms a module lies; "" if it is shared."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in names() else ""


def room_of(module: str) -> str:
    """The package that a module lies in; a package lies in itself."""
    return module if modules()[module].name == "__init__.py" else module.rpartition(".")[0]


def engine_room(module: str) -> int | None:
    """Which of `ROOMS` a module lies in; None if it lies in none."""
    rest = module.removeprefix(f"{ENGINE}.").split(".")[0]
    return ROOMS.index(rest) if module.startswith(f"{ENGINE}.") and rest in ROOMS else None


def test_shared_code_imports_no_game() -> None:
    """No module outside a game's rooms imports anything from inside them, nor one game another."""
    found = {
        (one.module, one.source)
        for one in imports()
        if game_of(one.source) not in ("", game_of(one.module))
    }
    assert found == IMPORT_A_GAME


def test_shared_code_names_no_game() -> None:
    """The name of a game stands in its own rooms alone, in code and comments."""
    found = {
        module
        for module, path in modules().items()
        if not game_of(module) and any(name in path.read_text().lower() for name in names())
    }
    assert found == NAME_A_GAME


def test_imports_run_to_the_left() -> None:
    """A floor imports from floors before it alone, a room of the engine from rooms before it."""
    found = set()
    for module, source, _ in imports():
        floors = (HOUSE.index(one.split(".")[0]) for one in (module, source))
        mine, theirs = engine_room(module), engine_room(source)
        if next(floors) < next(floors) or (
            mine is not None and theirs is not None and mine < theirs
        ):
            found.add((module, source))
    assert found == TO_THE_RIGHT


def test_imports_run_in_no_circles() -> None:
    """No module imports another that leads back to it, at whatever depth."""
    assert set(_circles()) == CIRCLES


def test_no_private_name_is_imported_across_rooms() -> None:
    """A name that begins with ``_`` stays in its room, unless it is that of a kernel."""
    found = {
        (one.module, f"{one.source}.{one.name}")
        for one in imports()
        if one.name.startswith("_")
        and room_of(one.module) != room_of(one.source)
        and one.name not in kernels_of(one.source)
    }
    assert found == PRIVATE


def test_no_room_is_crowded() -> None:
    """A room has about two dozen modules at most."""
    count: defaultdict[str, int] = defaultdict(int)
    for module in modules():
        count[room_of(module)] += room_of(module) != module
    assert {room for room, number in count.items() if number > MOST_MODULES} == CROWDED


@cache
def kernels_of(module: str) -> set[str]:
    """The functions of a module that are compiled: a decorator of `simcore.jit` says so.

    And what only compiled code calls: intrinsics.  A package has those of its modules that it hands
    on.
    """
    found = {
        one.name
        for one in imports()
        if one.module == module
        and one.source.startswith(f"{module}.")
        and one.name in kernels_of(one.source)
    }
    found |= QUESTIONS.get(module, set())
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.FunctionDef):
            words = {
                word.id if isinstance(word, ast.Name) else word.attr
                for decorator in node.decorator_list
                for word in ast.walk(decorator)
                if isinstance(word, ast.Name | ast.Attribute)
            }
            if any("kernel" in word or "njit" in word or word == "intrinsic" for word in words):
                found.add(node.name)
        elif isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("_make_"):
            found |= {one.id for one in ast.walk(node.targets[0]) if isinstance(one, ast.Name)}
    return found


def _circles() -> Iterator[frozenset[str]]:
    """The modules that lie on circles together: strongly connected components [Tarjan 1972]."""
    graph: defaultdict[str, set[str]] = defaultdict(set)
    for module, source, _ in imports():
        # A package is imported with each of its modules; what it imports lazily is no circle.
        if source != module:
            graph[module].add(source)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[frozenset[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for source in graph[module]:
            if source not in index:
                visit(source)
                low[module] = min(low[module], low[source])
            elif source in stack:
                low[module] = min(low[module], index[source])
        if low[module] == index[module]:
            members = set()
            while module not in members:
                members.add(stack.pop())
            if len(members) > 1:
                found.append(frozenset(members))

    for module in modules():
        if module not in index:
            visit(module)
    return iter(found)
