"""The form beside the text: an entry of it as fields, each with its faults."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from card_data.faults import Fault
from card_data.names import plain_key
from card_data.schema.fields import plain_words
from card_data.toml_places import KeyPath, TomlPlaces
from reports.cli.console import InputError
from reports.kit.words import capital, display_name
from reports.studio.bench import Bench
from reports.studio.editing import Sheet
from reports.studio.form import Field, Shape
from reports.studio.results import Result, said_by
from reports.studio.views import fragment, problem_of

_LONGEST = 120
# Numbers of an entry that can be stepped below its card, and words of a field to be switched.
_MOST_NUMBERS, _MOST_WORDS = 6, 12
# Where the rules text says it: " (R7)", " (M31, M32)".
_RULES = re.compile(r" \([A-Z]\d+(?:, [A-Z]\d+)*\)")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
# Fields that do not explain themselves where they are filled in.
_EXPLAINED = {Shape.NUMBER, Shape.YES, Shape.CHOICE, Shape.OTHER}


def form_part(bench: Bench, text: str, faults: Sequence[Fault], wanted: str) -> str:
    """The form of an entry of a text: of the one that is wanted, else of the first.

    Empty for a game that has no forms.
    """
    if (forms := bench.forms) is None:
        return ""
    try:
        sheet = Sheet(forms, text)
    except InputError as error:
        return fragment("studio_form.html", trouble=str(error))
    entry = wanted if wanted in sheet.kinds else next(iter(sheet.kinds), "")
    view = _View(sheet, faults, TomlPlaces(text.replace("\r\n", "\n")))
    kind = sheet.kinds.get(entry, "")
    fields = forms.fields(kind) if entry else ()
    rows = view.rows(entry, fields) if entry else []
    return fragment(
        "studio_form.html",
        trouble="",
        file_rows=view.rows("", forms.file),
        entries=[(one, view.name_of(one), view.n_faults(one)) for one in sheet.kinds],
        entry=entry,
        entry_id=entry.rpartition(".")[2],
        kind=kind,
        kinds={word: one.title for word, one in forms.kinds.items()},
        facts=[row for row in rows if not row["is_added"]],
        lines=[row for row in rows if row["is_added"]],
        addable=view.addable(entry, fields) if entry else [],
        faults=view.others(entry, fields) if entry else [],
    )


def grid_part(bench: Bench, text: str, faults: Sequence[Fault]) -> str:
    """All entries of a text as tables, one for each kind, a column for each field that some have.

    Empty for a game that has no forms.
    """
    if (forms := bench.forms) is None:
        return ""
    try:
        sheet = Sheet(forms, text)
    except InputError as error:
        return fragment("studio_grid.html", trouble=str(error), tables=[])
    view = _View(sheet, faults, TomlPlaces(text.replace("\r\n", "\n")))
    tables = []
    for word, kind in forms.kinds.items():
        entries = [one for one, of in sheet.kinds.items() if of == word]
        said = {name for one in entries for name in sheet.table(one)}
        fields = [one for one in kind.fields if one.name in said]
        rows = [
            {
                "entry": one,
                "name": view.name_of(one),
                "faults": view.others(one, fields),
                "cells": [view.cell(one, field) for field in fields],
            }
            for one in entries
        ]
        if rows:
            heads = [(_label(one), one.meaning) for one in fields]
            tables.append({"title": kind.title, "heads": heads, "rows": rows})
    return fragment("studio_grid.html", trouble="", tables=tables)


def steps_of(
    bench: Bench, text: str, entry_id: str, known: Sequence[Result]
) -> dict[str, Any] | None:
    """What can be stepped or switched on an entry by its id: its numbers, and its words.

    Each step has what is known of the entry with it.  None where there is no form, or nothing.
    """
    if (forms := bench.forms) is None:
        return None
    try:
        sheet = Sheet(forms, text)
    except InputError:
        return None
    entry = next((one for one in sheet.kinds if one.rpartition(".")[2] == entry_id), None)
    if entry is None:
        return None
    table, fields = sheet.table(entry), forms.fields(sheet.kinds[entry])

    def with_value(name: str, value: object) -> Result | None:
        if not any(one.tried for one in known):
            return None
        with suppress(InputError):
            faces = bench.check(sheet.with_value(entry, name, value).text, "").faces
            said = next((said_by(one) for one in faces if one.entry_id == entry_id), None)
            return next((one for one in reversed(known) if one.said == said), None)
        return None

    numbers = []
    for field in fields:
        now = table.get(field.name)
        if field.shape is not Shape.NUMBER or field.is_real or type(now) is not int:
            continue
        steps = [
            {"known": with_value(field.name, str(now + by))}
            if (field.least is None or now + by >= field.least)
            and (field.most is None or now + by <= field.most)
            else None
            for by in (-1, 1)
        ]
        numbers.append({"name": field.name, "label": _label(field), "now": now, "steps": steps})
    words = []
    for field in fields:
        if field.shape is not Shape.WORDS or len(field.options) > _MOST_WORDS:
            continue
        said = {str(one).casefold() for one in table.get(field.name, ())}
        options = []
        for word in field.options:
            on = [one for one in field.options if (one.casefold() in said) != (one == word)]
            is_on = word.casefold() in said
            options.append({"word": word, "on": is_on, "known": with_value(field.name, on)})
        words.append({"name": field.name, "label": _label(field), "options": options})
    if not (numbers or words):
        return None
    has_known = any(one.tried for one in known)
    return {
        "entry": entry,
        "numbers": numbers[:_MOST_NUMBERS],
        "words": words,
        "has_known": has_known,
    }


class _View:
    """What the form shows of a text."""

    def __init__(self, sheet: Sheet, faults: Sequence[Fault], places: TomlPlaces) -> None:
        self.sheet, self.faults, self.places = sheet, faults, places

    def name_of(self, entry: str) -> str:
        """What an entry is called in the list."""
        name = self.sheet.table(entry).get("name")
        of_id = plain_words(entry.rpartition(".")[2])
        return display_name(str(name or (of_id and capital(of_id))), _LONGEST)

    def n_faults(self, entry: str) -> int:
        """How many faults an entry has."""
        return len(self._of(entry))

    def rows(self, entry: str, fields: Sequence[Field]) -> list[dict[str, Any]]:
        """The fields in sight: one row for each, but for each line of those that have several."""
        found = []
        for field in fields:
            values = self._values(entry, field)
            if field.shape.is_added:
                found += [self._row(entry, field, at, one) for at, one in enumerate(values)]
            else:
                found.append(self._row(entry, field, 0, values[0] if values else "", values))
        return found

    def cell(self, entry: str, field: Field) -> dict[str, Any]:
        """A field in the table: one control, or what is written there, which the form changes."""
        values = self._values(entry, field)
        found = self._row(entry, field, 0, values[0] if values else "", values)
        faults = [problem_of(one) for one in self._of(entry) if one.field == field.name]
        return found | {"id": f"g:{entry}:{field.name}", "faults": faults, "said": _joined(values)}

    def addable(self, entry: str, fields: Sequence[Field]) -> list[tuple[str, str, str, str]]:
        """Fields that can be added, each with its label, meaning and shape."""
        return [
            (field.name, _label(field), field.meaning, field.shape.value)
            for field in fields
            if field.shape is Shape.LINES
            or (field.shape is Shape.LINE and field.name not in self.sheet.table(entry))
        ]

    def others(self, entry: str, fields: Sequence[Field]) -> list[str]:
        """Faults of an entry that are about none of its fields, as they are told."""
        names = {field.name for field in fields}
        return [problem_of(fault) for fault in self._of(entry) if fault.field not in names]

    def _of(self, entry: str) -> list[Fault]:
        path = self.sheet.path(entry)
        header = plain_key(path[-1]) if path else ""
        return [fault for fault in self.faults if fault.card_id == header]

    def _values(self, entry: str, field: Field) -> list[str]:
        value = self.sheet.table(entry).get(field.name)
        if value is None:
            return []
        return [_shown(one) for one in value] if isinstance(value, list) else [_shown(value)]

    def _row(
        self, entry: str, field: Field, at: int, value: str, values: Sequence[str] = ()
    ) -> dict[str, Any]:
        path = (*self.sheet.path(entry), field.name)
        faults = [one for one in self._of(entry) if one.field == field.name]
        if field.shape is Shape.LINES:
            faults = [one for one in faults if self._item(path, one) == at]
        is_number = value == "" or _NUMBER.fullmatch(value) is not None
        known = {word.casefold(): word for word in field.options}
        chosen = [known.get(one.casefold(), one) for one in values]
        return {
            "id": f"f:{'' if entry else 'file:'}{field.name}:{at}",
            "name": field.name,
            "label": _label(field),
            "meaning": field.meaning,
            "hint": _hint(field) if is_number or field.shape is not Shape.NUMBER else "",
            "shape": field.shape.value,
            "is_added": field.shape.is_added,
            "value": value,
            "options": [
                (word, word in chosen) for word in dict.fromkeys((*field.options, *chosen))
            ],
            "least": field.least,
            "most": field.most,
            "completes": field.offers is not None,
            "is_number": is_number,
            "step": "any" if field.is_real else "1",
            "line": self.places.line_column(self.places.key(path))[0],
            "faults": [problem_of(one) for one in faults],
        }

    def _item(self, path: KeyPath, fault: Fault) -> int:
        """Which text of a list a fault is about."""
        known = self.places.statements.get(path)
        starts = [self.places.line_column(one) for one in known.strings] if known else []
        return max(bisect_right(starts, (fault.line, fault.column)) - 1, 0)


def _joined(values: Sequence[str]) -> str:
    return ", ".join(values)


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{plain_words(key)} {_shown(one)}" for key, one in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _hint(field: Field) -> str:
    """What a field means, below it, without the places of the rules text; "" for plain texts."""
    return _RULES.sub("", field.meaning).replace("`", "") if field.shape in _EXPLAINED else ""


def _label(field: Field) -> str:
    return field.name.replace("_", " ").capitalize()
