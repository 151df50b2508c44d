"""Whatever stands in a text while somebody types, the studio answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.studio_texts import ask, fed, studio_in


@pytest.mark.parametrize("header", ["[my-card]", "[A]", '["Ä"]', '[""]', f"[{'a' * 70}]"])
@pytest.mark.parametrize("line", ['play = ""', 'play = "gain"', 'constant = ["", "this has "]'])
def test_a_card_whose_id_is_none_is_not_read_out(tmp_path: Path, header: str, line: str) -> None:
    """A card with a wrong id and an unfinished ability is told as faulty, and shown later."""
    text = f'name = "S"\n{header}\nname = "A"\npower = 3\n{line}\n'
    said = {"game": "mindbug", "file": "s.toml", "text": text, "form": ""}
    assert ask(studio_in(tmp_path), "check", said) == "answered"


@pytest.mark.parametrize("seed", range(4))
def test_texts_that_nobody_would_write_are_answered(tmp_path: Path, seed: int) -> None:
    """Check, form, edits, completion and formatter: answers and refusals alone, of all games."""
    studio = studio_in(tmp_path)
    came = {what for number in range(75) for _, what in fed(number, seed, studio)}
    assert came == {"answered", "refused"}
