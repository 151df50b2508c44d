"""Run folders are read whole and verified, and expanded by the definitions of the views."""

import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from analysis.mindbug.game_records import expand_cards
from analysis.mindbug.registry import TABLES
from analysis.mindbug.runs import Run, open_run
from analysis.mindbug.selections import SELECTION_NAMES
from card_data.checksums import CHECKSUMS, seal_json
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.records import GAME_RECORD
from simcore.sealed import RunError
from simcore.work.parts import part_path
from support.resealed import edit_entries, edit_table, edit_unsealed, lose_entry
from support.synthetic import synthetic_cards, synthetic_games, synthetic_run

N_GAMES = 2500  # three parts


@pytest.fixture(scope="module")
def card_table() -> CardTable:
    """The cards of the runs."""
    return synthetic_cards()


@pytest.fixture(scope="module")
def games(card_table: CardTable) -> np.ndarray:
    """The games of the runs, draws among them."""
    return synthetic_games(card_table, N_GAMES, draw_rate=0.1)


@pytest.fixture
def folder(tmp_path: Path, card_table: CardTable, games: np.ndarray) -> Path:
    """The folder of a finished run."""
    policies = ("random", "greedy")
    return synthetic_run(tmp_path / "run", card_table, games, policies=policies, seed=7)


def edit_manifest(folder: Path, **changes: Any) -> None:
    """Replace entries of the manifest, and seal it anew."""
    edit_entries(folder / "manifest.json", **changes)


def edit_by_hand(folder: Path, **changes: Any) -> None:
    """Replace entries of the manifest with an editor."""
    edit_unsealed(folder / "manifest.json", **changes)


def only_cards(folder: Path) -> None:
    """Remove manifest and parts."""
    shutil.rmtree(folder / "games")
    (folder / "manifest.json").unlink()


def no_parts(folder: Path) -> None:
    """Damage the manifest of a run that has no parts."""
    shutil.rmtree(folder / "games")
    (folder / "manifest.json").write_text("{")


def naive_selections(game: np.void, player: int, card: int) -> dict[str, bool]:
    """The selections of one player and card in one game, word for word from their definitions."""
    copies = [slot for slot in range(20) if game["cards"][slot] == card]
    own = [slot for slot in copies if slot // 10 == player]

    def has(mask: np.uint64, slot: int) -> bool:
        return bool(int(mask) >> slot & 1)

    selections = {
        "dealt": len(own) > 0,
        "drawn": any(has(game["drawn"], slot) for slot in own),
        "played": any(has(game["played"][player], slot) for slot in copies),
        "taken": any(has(game["taken"][player], slot) for slot in copies),
        "lost_to_mindbug": any(has(game["taken"][1 - player], slot) for slot in copies),
    }
    selections["not_drawn"] = selections["dealt"] and not selections["drawn"]
    selections["entered"] = selections["played"] or selections["taken"]
    return selections


def test_run_says_what_was_played(folder: Path) -> None:
    """An opened run has its settings and counts."""
    run = open_run(folder)
    assert run.n_games == N_GAMES
    assert run.card_ids[3] == "card_03"
    assert run.manifest["policies"] == ["random", "greedy"]
    assert run.manifest["counts"]["games"] == N_GAMES


def test_parts_are_the_games(folder: Path, games: np.ndarray) -> None:
    """The parts hold every game, in order, as the engine wrote it."""
    parts = list(open_run(folder).parts())
    assert [len(part) for part in parts] == [1024, 1024, 452]
    np.testing.assert_array_equal(np.concatenate(parts), games)


def test_games_as_one_table(folder: Path, games: np.ndarray) -> None:
    """``Run.games`` has a row for each game and the documented columns, in that order."""
    table = open_run(folder).games()
    assert list(table.columns) == list(TABLES["games"].columns)
    assert len(table) == N_GAMES
    np.testing.assert_array_equal(np.stack(table["cards"].to_numpy()), games["cards"])
    np.testing.assert_array_equal(table["offers"].list[3], games["offers"][:, 3])
    np.testing.assert_array_equal(table["life_1"], games["life"][:, 1])
    for column in ("game", "winner", "turns", "drawn", "ending"):
        np.testing.assert_array_equal(table[column], games[column])
        assert table[column].dtype == games[column].dtype


def test_games_with_some_columns(folder: Path) -> None:
    """``Run.games`` gives the columns asked for in the order asked for; unknown ones are named."""
    assert list(open_run(folder).games(["winner", "cards", "game"])) == ["winner", "cards", "game"]
    with pytest.raises(ValueError, match="no column 'winer' in a run; there are: game, first_pl"):
        open_run(folder).games(["winer"])


def test_expansion_is_the_definition(card_table: CardTable, games: np.ndarray) -> None:
    """One row for each player and card that met, with the selections as they are defined."""
    some = games[:150]
    card_ids = [card.card_id for card in card_table.cards]
    rows = []
    for game in some:
        for player in (0, 1):
            for card, card_id in enumerate(card_ids):
                selections = naive_selections(game, player, card)
                if any(selections.values()):
                    winner = int(game["winner"])
                    rows.append(
                        {
                            "game": game["game"],
                            "player": player,
                            "card_id": card_id,
                            "went_first": game["first_player"] == player,
                            **{name: selections[name] for name in SELECTION_NAMES},
                            "score": 0.5 if winner < 0 else float(winner == player),
                        }
                    )
    expanded = expand_cards(some, card_ids)
    expected = pd.DataFrame(rows)
    assert list(expanded.columns) == list(TABLES["player_cards"].columns)
    pd.testing.assert_frame_equal(
        expanded.astype({"card_id": str, "player": int}),
        expected.astype({"card_id": str}),
        check_dtype=False,
    )
    assert expanded.dtypes[list(SELECTION_NAMES)].eq(bool).all()


def test_expansion_of_nothing(card_table: CardTable) -> None:
    """No games give no rows and the same columns."""
    empty = expand_cards(np.empty(0, GAME_RECORD), [card.card_id for card in card_table.cards])
    assert len(empty) == 0
    assert list(empty.columns) == list(TABLES["player_cards"].columns)


def remove_folder(folder: Path) -> None:
    """Move the run away."""
    folder.rename(folder.with_name("elsewhere"))


def put_folder_for_part(folder: Path) -> None:
    """Replace a part by a folder of its name."""
    part_path(folder, 1).unlink()
    part_path(folder, 1).mkdir()


def damage(part: int, flip: int) -> Callable[[Path], None]:
    """Change one bit of a part."""

    def change(folder: Path) -> None:
        data = bytearray(part_path(folder, part).read_bytes())
        data[flip] ^= 1
        part_path(folder, part).write_bytes(data)

    return change


BROKEN: dict[str, tuple[Callable[[Path], Any], str]] = {
    "no folder": (remove_folder, "run does not exist; give the folder of a run"),
    "no manifest": (
        lambda folder: (folder / "manifest.json").unlink(),
        "manifest.json is missing; repeat the command that made the run "
        r"\(policies random, greedy, sets synthetic, games 2500, seed 7\): the file is written",
    ),
    "nothing but cards": (
        only_cards,
        "run is not the folder of a run: it has no manifest.json; choose another folder",
    ),
    "cut manifest": (
        lambda folder: (folder / "manifest.json").write_text('{"format": 2, '),
        "manifest.json is damaged: it is not JSON.*repeat the command that made the run",
    ),
    "cut manifest and no parts": (
        no_parts,
        "manifest.json is damaged: it is not JSON.*or play the run again into a new one",
    ),
    "other format": (
        lambda folder: edit_manifest(folder, format=3),
        "manifest.json has run format 3, this fairdeal reads format 2",
    ),
    "games edited": (
        lambda folder: edit_by_hand(folder, games=2048),
        "manifest.json is damaged: its contents do not match its checksum; repeat the command",
    ),
    "counts edited": (
        lambda folder: edit_by_hand(folder, counts={"games": 2500, "draws": 0}),
        "damaged: its contents do not match its checksum",
    ),
    "no checksum": (
        lambda folder: (folder / "manifest.json").write_text('{"format": 2, "games": 2500}'),
        "damaged: no valid game, .*, checksum;",
    ),
    "no counts": (lambda folder: edit_manifest(folder, counts={}), "no valid counts.games;"),
    "no names": (lambda folder: edit_manifest(folder, set_names=None), "no valid set_names;"),
    "names are numbers": (
        lambda folder: edit_manifest(folder, set_names=[5]),
        r"no valid set_names\[0\];",
    ),
    "no versions": (
        lambda folder: edit_manifest(folder, versions={}),
        "no valid versions.python, versions.fairdeal;",
    ),
    "many faults": (
        lambda folder: edit_manifest(folder, games=0, seed="x", modes={}, weights=[]),
        "no valid games, modes.after_mindbug, .*, seed, weights;",
    ),
    "other game": (
        lambda folder: edit_manifest(folder, game="chess"),
        "no game 'chess'. There are: mice_and_mystics, mindbug",
    ),
    "other rules": (
        lambda folder: edit_manifest(folder, rules_version=1),
        "manifest.json was played under rules version 1, this is version .*new folder",
    ),
    "other layout": (
        lambda folder: edit_manifest(folder, record_layout="0"),
        "manifest.json was written with another record layout; play the run again",
    ),
    "no pool hash": (
        lambda folder: edit_manifest(folder, pool_hash=None),
        "damaged: no valid pool_hash; repeat the command",
    ),
    "modes are text": (lambda folder: edit_manifest(folder, modes="x"), "no valid modes;"),
    "no seed": (lambda folder: edit_manifest(folder, seed=None), "damaged: no valid seed"),
    "text for games": (lambda folder: edit_manifest(folder, games="x"), "no valid games;"),
    "no part size": (lambda folder: edit_manifest(folder, part_games=0), "no valid part_games;"),
    "counts are text": (lambda folder: edit_manifest(folder, counts="x"), "no valid counts;"),
    "nothing but the format": (
        lambda folder: (folder / "manifest.json").write_bytes(seal_json({"format": 2})),
        "no valid game, rules_version, record_layout, games, part_games, versions;",
    ),
    "three policies": (
        lambda folder: edit_manifest(folder, policies=["random"] * 3),
        "damaged: no valid policies",
    ),
    "cards are numbers": (
        lambda folder: edit_manifest(folder, cards=[1]),
        r"no valid cards\[0\];",
    ),
    "other seed": (
        lambda folder: edit_manifest(folder, seed=8),
        "part-00000.parquet belongs to another run than .*manifest.json",
    ),
    "other card names": (
        lambda folder: edit_manifest(folder, cards=["x"] * 16),
        "part-00000.parquet belongs to another run",
    ),
    "unfinished": (
        lambda folder: edit_manifest(folder, counts=None),
        "run holds a run that is not finished; run the command",
    ),
    "counts lost": (
        lambda folder: lose_entry(folder / "manifest.json", "counts"),
        "run holds a run that is not finished; run the command",
    ),
    "missing part": (
        lambda folder: part_path(folder, 1).unlink(),
        "part-00001.parquet is missing; run the command that made the run",
    ),
    "swapped parts": (
        lambda folder: part_path(folder, 1).write_bytes(part_path(folder, 0).read_bytes()),
        "part-00001.parquet belongs to another run",
    ),
    "flipped bit": (
        damage(2, 500),
        "part-00002.parquet is damaged: its contents do not match its checksum; 'fairdeal runs",
    ),
    "flipped bit at the end": (damage(0, -1), "part-00000.parquet is damaged"),
    "cut part": (
        lambda folder: part_path(folder, 1).write_bytes(part_path(folder, 1).read_bytes()[:999]),
        "part-00001.parquet is damaged",
    ),
    "folder for a part": (
        put_folder_for_part,
        "cannot read .*part-00001.parquet: it is a folder",
    ),
}


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.drop_columns("winner"),
        lambda table: table.set_column(0, "game", pa.array(["x"] * len(table))),
        lambda table: table.set_column(
            table.column_names.index("cards"), "cards", pa.array([1] * len(table))
        ),
    ],
)
def test_a_sealed_part_with_other_columns_is_named(
    folder: Path, change: Callable[[pa.Table], pa.Table]
) -> None:
    """A part that lacks a column, or holds words where numbers belong, is one message."""
    edit_table(part_path(folder, 1), change)
    with pytest.raises(RunError, match=r"part-00001\.parquet has no column \w+ of the right type"):
        open_run(folder).part(1)


@pytest.mark.parametrize("case", BROKEN)
def test_broken_run_is_named(folder: Path, case: str) -> None:
    """Whatever is wrong with a run, the error names the file and says what to do."""
    break_it, message = BROKEN[case]
    break_it(folder)
    with pytest.raises(RunError, match=message):
        open_run(folder).games()


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("pool.toml", None, "pool.toml: there is no such file.*Repeat the command"),
        ("pool.toml", "cards = 1", "cards: 1 is not a list of texts"),
        (
            "pool.toml",
            'cards = ["cards/synthetic.toml"]\n[modes]\nlife = 4',
            "not those of the run",
        ),
        ("cards/synthetic.toml", None, "there is no file .*synthetic.toml"),
        ("cards/synthetic.toml", "name = 3", "cannot be read"),
    ],
)
def test_pool_of_a_run_is_checked(
    folder: Path, file: str, content: str | None, message: str
) -> None:
    """A pool that is missing, damaged or another one is never taken for the one that was played.

    Checksums tell that it is another one; where there are none, as in runs of earlier versions, its
    hash does.
    """
    assert [card.card_id for card in open_run(folder).pool().sets[0].cards] == open_run(
        folder
    ).card_ids
    if content is None:
        (folder / file).unlink()
    else:
        (folder / file).write_text(content)
        with pytest.raises(RunError, match="this is not what a command wrote here"):
            open_run(folder).pool()
        (folder / CHECKSUMS).unlink()
    with pytest.raises(RunError, match=re.compile(message, re.DOTALL)):
        open_run(folder).pool()


def test_flipped_bits_never_give_a_wrong_table(folder: Path, games: np.ndarray) -> None:
    """Any flipped bit in a part is an error that names the part, in both ways of reading."""
    run, path = open_run(folder), part_path(folder, 1)
    whole = path.read_bytes()
    dice = random.Random(0)
    for _ in range(300):
        data = bytearray(whole)
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        path.write_bytes(data)
        read: Callable[[], Any] = dice.choice([run.games, lambda: list(run.parts())])
        with pytest.raises(RunError, match=r"part-00001\.parquet is damaged"):
            read()
    path.write_bytes(whole)
    np.testing.assert_array_equal(np.concatenate(list(run.parts())), games)


def test_run_needs_a_folder(tmp_path: Path) -> None:
    """A file is not a run."""
    (tmp_path / "file").touch()
    with pytest.raises(RunError, match="file is a file; give the folder of a run"):
        open_run(tmp_path / "file")


def test_every_part_column_is_documented(folder: Path) -> None:
    """The dictionary has the columns of a run's games, and nothing else."""
    run: Run = open_run(folder)
    assert set(TABLES["games"].columns) == set(run.games().columns)
