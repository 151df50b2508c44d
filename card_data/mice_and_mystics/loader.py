"""Files to facts: the base game, and what a designer changes in it, with all faults at once.

An entry of an own file takes the place of the entry of the base game with its kind and id, as a
whole; an entry with a new id is added behind the others.
"""

import os
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

from card_data.faults import CardFileError, Fault, nearest
from card_data.mice_and_mystics.chapter_names import BASE, split_named
from card_data.mice_and_mystics.checks import check_facts
from card_data.mice_and_mystics.entries import DIE, KINDS, SCHEMA
from card_data.mice_and_mystics.facts import Entry, Facts, Minion
from card_data.schema.entry_reader import EntryReader
from card_data.schema.kinds import Key
from card_data.schema.loader import combined, read_entry_file, read_entry_text
from card_data.toml_files import Unreadable, parse_toml, read_text


def base_files() -> list[Path]:
    """The files of the base game."""
    return sorted(BASE.glob("*.toml"))


def load_facts(files: Iterable[str | os.PathLike[str]] = ()) -> Facts:
    """The facts of the base game with the entries of a designer's own files.

    Raises CardFileError with everything that is wrong with any of the files.
    """
    own = [Path(file) for file in files]
    return _facts([_read_file(path) for path in own]) if own else _base_facts()


@lru_cache(maxsize=8)
def parse_facts(text: str, file: str = "facts.toml") -> Facts:
    """The facts in a text that holds all of them, as `facts_text` writes it.

    Raises CardFileError with everything that is wrong with it.
    """
    return _whole([_read_text(text, file)], any_class=True)


def check_file(path: str | os.PathLike[str]) -> list[Fault]:
    """Everything that is wrong with an own file, together with the base game; in its order."""
    try:
        load_facts([path])
    except CardFileError as error:
        return list(error.faults)
    return []


def parse_changes(text: str, file: str = "changes.toml") -> Facts:
    """The facts of the base game with the entries in the text of an own file."""
    return _facts([_read_text(text, file)])


def read_changes(text: str, file: str = "changes.toml") -> tuple[list[Entry], list[Fault]]:
    """The entries in the text of an own file as far as they can be read, in its order; its faults.

    Everything is found that is wrong with it, together with the base game.
    """
    own = _read_text(text, file)
    faults: tuple[Fault, ...] = ()
    try:
        _facts([own])
    except CardFileError as error:
        faults = error.faults
    return list(own.entries.values()), list(faults)


def own_keys(path: str | os.PathLike[str]) -> list[Key]:
    """The kinds and ids of the entries in an own file, as far as it can be read."""
    return _read_file(Path(path)).keys


def is_facts_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file holds entries of this game, as far as can be seen from its headers."""
    try:
        data = parse_toml(read_text(Path(path)))
    except Unreadable:
        return False
    return any(isinstance(data.get(word), dict) and _has_tables(data[word]) for word in KINDS)


def _has_tables(table: Mapping[str, Any]) -> bool:
    return any(isinstance(one, dict) for one in table.values())


def load_named(named: str) -> tuple[Facts, str]:
    """The facts and the id of the chapter that are meant by a chapter and own files.

    Where only a file is named, it is the chapter of that file, if there is one alone.

    Raises CardFileError.
    """
    name, files = split_named(named)
    facts = load_facts(files)
    chapters = [chapter.id for chapter in facts.chapters]
    if not name and files:
        own = [key[1] for file in files for key in own_keys(file) if key[0] == "chapter"]
        if len(own) == 1:
            return facts, own[0]
        problem = f"name the chapter that is played with it, as in {chapters[0]}+{files[0]}"
        raise CardFileError([Fault(files[0], 0, 0, "", "", problem)])
    if name not in chapters:
        begins = [one for one in chapters if name and one.startswith(name)]
        guess = begins[0] if len(begins) == 1 else nearest(name, chapters)
        problem = f"there is no chapter '{name}'"
        raise CardFileError([Fault(name, 0, 0, "", "", problem, name, tuple(chapters), guess)])
    return facts, name


@cache
def _base() -> tuple[EntryReader, ...]:
    return tuple(_read_file(path) for path in base_files())


@cache
def _base_facts() -> Facts:
    return _facts([])


def _facts(own: list[EntryReader]) -> Facts:
    """The facts of the base game and own files."""
    return _whole([*_base(), *own], own)


def _whole(
    readers: Iterable[EntryReader], own: Iterable[EntryReader] = (), *, any_class: bool = False
) -> Facts:
    """The facts of all files together; the entries of ``own`` take the place of others.

    Raises CardFileError with everything that is wrong.
    """
    found = combined(readers, own, partial(check_facts, any_class=any_class))

    def all_of(word: str) -> tuple[Any, ...]:
        return tuple(entry for key, entry in found.items() if key[0] == word)

    minions: tuple[Minion, ...] = all_of("minion")
    return Facts(
        die=found[DIE.word, DIE.word],
        **{kind.plural: all_of(word) for word, kind in KINDS.items() if word != "minion"},
        minions=tuple(sorted(minions, key=lambda minion: minion.boss)),  # M74: bosses last
    )


def _read_file(path: Path) -> EntryReader:
    """The entries of a file, or what is wrong with it."""
    return read_entry_file(path, SCHEMA)


def _read_text(text: str, file: str) -> EntryReader:
    """The entries in the text of a file, or what is wrong with it."""
    return read_entry_text(text, file, SCHEMA)
