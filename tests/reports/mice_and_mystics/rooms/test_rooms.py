"""Rooms as maps, in words and as pictures, and the commands that show them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import evolve
from matplotlib.colors import to_hex
from matplotlib.patches import Circle, FancyBboxPatch

from card_data.faults import CardFileError
from card_data.mice_and_mystics import by_id, load_facts
from card_data.mice_and_mystics.entries import KINDS, SCHEMA
from card_data.mice_and_mystics.facts import OFF, Tile
from card_data.mice_and_mystics.reference import EXAMPLE, data_reference
from card_data.schema.sheet import read_entry_table
from reports.cli.console import InputError
from reports.kit import theme
from reports.mice_and_mystics.cli.rooms import rooms
from reports.mice_and_mystics.rooms.room_picture import SUFFIXES, picture_of, plot_room
from reports.mice_and_mystics.rooms.room_text import map_lines, room_lines, space_rows, space_text

FACTS = load_facts()
TILES = by_id(FACTS.tiles)


def run(*words: str) -> object:
    """Run one of the commands."""
    return rooms(list(words), exit_on_error=False, print_error=False, result_action="return_value")


@pytest.mark.parametrize("tile", FACTS.tiles, ids=lambda tile: tile.id)
def test_every_space_is_on_the_map(tile: Tile) -> None:
    """All spaces stand on the map in full, those further left and up as on the tile."""
    lines = map_lines(tile)
    assert {len(line) for line in lines} == {78}
    words = {word for line in lines for word in line.replace("|", " ").split()}
    assert {space_text(space) for space in tile.spaces} <= words


def test_figures_stand_below_their_spaces() -> None:
    """What stands on a space is written in the line below it, and hides no space."""
    lines = map_lines(TILES["901"], {"b2": ["C", "2r"], "b4": ["N" * 40]})
    row = next(number for number, line in enumerate(lines) if " b2 " in line)
    assert "C 2r" in lines[row + 1]
    assert lines[row + 1].rstrip("|").endswith("N" * 40)
    assert {len(line) for line in map_lines(TILES["901"], columns=10, lines=9)} == {30}


def test_a_room_in_words() -> None:
    """The kitchen's arrow and red lines (W2, W3), the sewer's currents (W10, W12), all exits."""
    kitchen = dict(space_rows(TILES["3"]))
    assert kitchen["K"] == (
        "special area for 16; minions enter; next to A5; red line to A1, A2, A3, A4, A6"
    )
    assert "to K against the arrow (3)" in kitchen["A5"]
    sewer = dict(space_rows(TILES["6"]))
    assert sewer["N1"].startswith("water, flows off the tile; next to B1, B2")
    assert sewer["N3"].startswith("water, flows to N2")
    assert "does not see" in dict(space_rows(TILES["2"]))["t1"]
    text = "\n".join(room_lines(FACTS, TILES["6"]))
    assert "south exit at D3, D4: leads to 4 Kitchen Tunnels in Chapter 1" in text
    assert "turned over at S3 with the fish hook: leads to 5 Guard Room in Chapter 1" in text
    assert "north exit at A3, A4: leads nowhere in any chapter" in text
    assert "6 cheese lie on K for roaches to take (M128)" in "\n".join(
        room_lines(FACTS, TILES["3"])
    )
    meets = "whoever enters first meets 1 captain_vurst and 2 elite_rat_warrior (M72, M130)"
    assert meets in "\n".join(room_lines(FACTS, TILES["904"]))


@pytest.mark.parametrize("tile", FACTS.tiles, ids=lambda tile: tile.id)
def test_a_picture_has_everything(tile: Tile) -> None:
    """Spaces stand at their places with their ids; every line, arrow, exit and mark is drawn."""
    with theme.off_screen(), theme.style():
        axes = plot_room(FACTS, tile)
    circles = {patch.center for patch in axes.patches if isinstance(patch, Circle)}
    boxes = [patch for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
    special = [space for space in tile.spaces if space.special_area]
    assert circles == {(space.x, space.y) for space in tile.spaces if not space.special_area}
    assert len(boxes) == len(special)
    texts = {(text.get_position(), text.get_text()) for text in axes.texts}
    assert {((space.x, space.y), space.id) for space in tile.spaces} <= texts
    lines = [(line.get_color(), line.get_xydata().tolist()) for line in axes.lines]  # type: ignore[union-attr]
    spaces = {space.id: space for space in tile.spaces}
    for edge in tile.edges:
        a, b = spaces[edge.a], spaces[edge.b]
        drawn = (theme.LIGHT, [[a.x, a.y], [b.x, b.y]]) in lines
        assert drawn == (edge.cost_ab == edge.cost_ba)
    arrows = [text for text in axes.texts if getattr(text, "arrow_patch", None) is not None]
    colours = [to_hex(arrow.arrow_patch.get_edgecolor()) for arrow in arrows]  # type: ignore[attr-defined]
    n_yellow = sum(edge.cost_ab != edge.cost_ba for edge in tile.edges)
    assert colours.count(theme.AMBER) == n_yellow
    assert colours.count(theme.BLUE) == len(tile.current)
    assert sum(text == "3" for _, text in texts) == n_yellow
    dotted = [line for line in axes.lines if line.get_linestyle() == ":"]
    assert len(dotted) == len(tile.red_lines)
    marks = [line.get_marker() for line in axes.lines]
    assert marks.count("v") == len(tile.minion_entry)
    assert marks.count("X") == len(tile.mousetrap_spaces)
    assert marks.count("D") == (tile.flip is not None)
    assert sum(line.get_linewidth() == 6 for line in axes.lines) == len(tile.exits)


def test_a_current_that_begins_at_the_edge_points_off_the_tile() -> None:
    """A current without one before it leaves the tile by the nearest edge."""
    cellar = evolve(TILES["903"], current=(("b2", OFF),))
    with theme.off_screen(), theme.style():
        axes = plot_room(FACTS, cellar)
    [arrow] = [text for text in axes.texts if getattr(text, "arrow_patch", None) is not None]
    x, y = arrow.xy  # type: ignore[attr-defined]
    assert (x, y) == pytest.approx((0, 366))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_pictures_are_the_same_bytes(suffix: str) -> None:
    """The same room gives the same file, of each kind."""
    first = picture_of(FACTS, TILES["901"], suffix)
    assert first == picture_of(FACTS, TILES["901"], suffix)
    assert first.startswith({".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix])


# ---------------------------------------------------------------- commands


def test_show_and_list(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A room is found by id or name, its picture written; rooms are listed with their chapters."""
    picture = tmp_path / "room.png"
    run("show", "the kitchen", "--picture", str(picture))
    said = capsys.readouterr()
    assert said.out.startswith("3 The Kitchen: the orange side of tile 2, 25 spaces, reported")
    assert said.err == f"picture: {picture}\n"
    assert picture.read_bytes().startswith(b"\x89PNG")
    run("show", "5", "--json")
    assert json.loads(capsys.readouterr().out)["name"] == "Guard Room"
    run("list")
    listed = capsys.readouterr().out
    assert listed.count("ch1_flight_to_barksburg") == 6
    assert listed.count("standin_four_rooms") == 4
    run("list", "--json")
    assert json.loads(capsys.readouterr().out)[0]["id"] == "1"


def test_rooms_of_own_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """An own file's room is shown with where it leads; faults are told in place."""
    file = tmp_path / "mine.toml"
    file.write_text(EXAMPLE)
    run("show", "pantry", "--changes", str(file))
    assert "west exit at A: leads to 901 Stand-in Cell in To the pantry" in capsys.readouterr().out
    with pytest.raises(InputError, match="there is no room 'kichen'; did you mean 'The Kitchen'"):
        run("show", "kichen")
    with pytest.raises(InputError, match=r"end it in one of \.png, \.svg, \.pdf"):
        run("show", "5", "--picture", "room.gif")


def test_check_and_format(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Files are checked with exit status 2 for faults, and written in their one form."""
    file = tmp_path / "mine.toml"
    file.write_text(EXAMPLE.replace("battle = 3", "battel = 3"))
    assert run("check", str(file)) == 2
    assert "did you mean 'battle'?" in capsys.readouterr().err
    with pytest.raises(CardFileError):
        run("format", str(file))
    file.write_text(EXAMPLE.replace("battle = 3", "battle=3"))
    assert run("check", str(file)) == 0
    assert "no fault found" in capsys.readouterr().out
    assert run("format", str(file), "--check") == 2
    assert "is not formatted" in capsys.readouterr().err
    assert run("format", str(file)) == 0
    assert file.read_text() == EXAMPLE
    assert run("format", str(file), "--check") == 0
    assert "is formatted" in capsys.readouterr().out
    run("check", str(file), "--json")
    assert json.loads(capsys.readouterr().out) == []
    run("reference")
    assert capsys.readouterr().out == data_reference()


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
@pytest.mark.parametrize("kind", KINDS)
def test_entries_go_into_a_spreadsheet_and_back(kind: str, suffix: str, tmp_path: Path) -> None:
    """Every field of every kind is the same after the way through the cells."""
    table = tmp_path / f"table{suffix}"
    run("export", kind, str(table))
    entries, notes = read_entry_table(table, kind, SCHEMA)
    assert (tuple(entries), notes) == (getattr(FACTS, KINDS[kind].plural), [])


def test_a_changed_spreadsheet_is_a_file(tmp_path: Path, capsys) -> None:
    """What differs from the game is written, and only that; a table as it was is told."""
    table, file = tmp_path / "heroes.csv", tmp_path / "mine.toml"
    run("export", "hero", str(table))
    with pytest.raises(InputError, match="every hero is as the game has it"):
        run("import", "hero", str(table), str(file))
    text = table.read_text("utf-8-sig")
    assert text.startswith("id,name,classes,battle,")
    changed = text.replace("Prince Collin,leader warrior,2", "Prince Collin,leader warrior,3")
    assert changed != text
    table.write_text(changed)
    run("import", "hero", str(table), str(file))
    assert capsys.readouterr().out.endswith(f"{file}: 1 hero\n")
    assert [one.battle for one in load_facts([file]).heroes][:2] == [3, FACTS.heroes[1].battle]


def test_every_fault_of_a_spreadsheet_is_told(tmp_path: Path) -> None:
    """Each has its row and column; nothing is written."""
    table, file = tmp_path / "heroes.csv", tmp_path / "mine.toml"
    table.write_text(
        "id,name,classes,battel,battle,life\npip,Pip,scamp,,10,3-Apr\npip,Pip,,1,1,1\n"
    )
    with pytest.raises(CardFileError) as caught:
        run("import", "hero", str(table), str(file))
    said = [str(fault).removeprefix(f"{table}: ") for fault in caught.value.faults]
    assert said == [
        "row 1, column D: 'battel' is not a column of heroes; a column of notes begins with #; did"
        " you mean 'battle'? Allowed here: battle, defense, lore, move, life, starting_gear,"
        " innate, extra_ability_class, confidence, field_confidence, source, note.",
        *(
            f"row 2, column A (id): pip: the field '{name}' is missing."
            for name in ("defense", "lore", "move", "starting_gear")
        ),
        "row 2, column E (battle): pip: 10 is not a whole number from 0 to 9.",
        "row 2, column F (life): pip: '3-Apr' is a date or a time that a spreadsheet program made"
        " of what was typed, such as 3/4; mark the column as text and type it again.",
        "row 3, column A (id): 'pip' stands in row 2 already.",
    ]
    assert not file.exists()
    with pytest.raises(InputError, match="there is no kind of entry 'hreo'; did you mean 'hero'"):
        run("export", "hreo", str(table))
    with pytest.raises(InputError, match=r"end it in \.csv or \.xlsx"):
        run("export", "hero", str(file))
