"""Classes of settings: each attribute holds what a field can, which is declared with it."""

from typing import Any

from attrs import field as attribute
from attrs import fields

from card_data.schema.fields import Field


def setting(field: Field, **more: Any) -> Any:
    """An attribute that holds what a field can; ``more`` is kept beside the field."""
    return attribute(default=field.default, metadata={"field": field, **more})


def settings_of(cls: type) -> dict[str, Field]:
    """The fields of a class of settings, by the names of its attributes."""
    return {one.name: one.metadata["field"] for one in fields(cls) if "field" in one.metadata}
