"""Files of rules that are changed behind a run: what the games depend on, and what they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.own_games import ladder
from simcore.contract import finding
from support.own_games import example

#: Changes of the example "factions" after which its games are the same, and what the run is called.
HARMLESS = {
    "a title": ('title="Factions"', 'title="Sides"'),
    "a comment": ("class Factions", "# Of 1999.\nclass Factions"),
    "a docstring": ("class Factions(Rules):", 'class Factions(Rules):\n    """Bids."""\n'),
    "a measure": ('within="faction",', 'within="faction", measure="share",'),
}


def changed(path: Path, old: str, new: str) -> None:
    """Replace a part of a file."""
    text = path.read_text()
    assert text.count(old) == 1, text
    path.write_text(text.replace(old, new))


def test_a_faction_may_get_more_copies_of_each_card(ask, tmp_path: Path) -> None:
    """`rebalance` and `prices` try them; the zones of the example have room."""
    path = example("factions", tmp_path)
    more = "{ pup = 6, hound = 6, wolf = 6, alpha = 6, scout = 6 }"
    (tmp_path / "more.toml").write_text(f'game = "factions"\n[faction.pack]\ncards = {more}\n')
    ask("simulate", f"{path.name}+more.toml", "--games", 20, "--policy", "spend").done()


@pytest.mark.parametrize("name", HARMLESS)
def test_the_same_games_are_told_and_counted_anew(ask, tmp_path: Path, name: str) -> None:
    """Nothing is played again, `replay` tells the games, and tables and title are those of now."""
    path = example("factions", tmp_path)
    balance = ("balance", path.name, "--games", 30, "--policy", "spend", "--json")
    before = ask(*balance).json
    [part] = Path(before["run"], "games").iterdir()
    played = part.stat().st_mtime_ns
    story = ask("replay", before["run"], 7, "--rules", path.name).out
    changed(path, *HARMLESS[name])
    assert ask("replay", before["run"], 7, "--rules", path.name).out == story
    after = ask(*balance).json
    assert (after["run"], part.stat().st_mtime_ns) == (before["run"], played)
    measures = {one["measure"] for one in after["entries"] if one["kind"] == "card"}
    assert measures == {"", "share" if name == "a measure" else "share within"}
    title = "Sides" if name == "a title" else "Factions"
    assert f"<title>{title}: report</title>" in Path(after["reports"]["html"]).read_text()


def test_a_game_that_goes_otherwise_is_not_told(ask, tmp_path: Path) -> None:
    """And another command plays anew, in a folder of its own."""
    path = example("factions", tmp_path)
    balance = ("balance", path.name, "--games", 30, "--policy", "spend", "--json")
    before = ask(*balance).json
    changed(path, "return max(cards", "return min(cards")
    finding._opened.clear()  # as in another process
    ask("replay", before["run"], 7, "--rules", path.name).refused(
        "game 7 of", "factions.py has other rules than it was played with"
    )
    assert ask(*balance).json["run"] != before["run"]


def test_what_the_rules_import_is_a_part_of_them(ask, tmp_path: Path) -> None:
    """An edited module beside them makes another game, in this process and in others."""
    path = example("factions", tmp_path)
    best = tmp_path / "best.py"
    best.write_text("pick = max\n")
    changed(path, "return max(cards", "return pick(cards")
    path.write_text(f"from best import pick\n{path.read_text()}")
    balance = ("balance", path.name, "--games", 30, "--policy", "spend", "--json")
    before = ask(*balance).json
    best.write_text("pick = min\n")
    after = ask(*balance).json
    assert after["run"] != before["run"]
    assert after["entries"] != before["entries"]
    finding._opened.clear()
    ask("replay", before["run"], 7, "--rules", path.name).refused("other rules")


def test_replay_tells_decisions_with_their_options(ask, tmp_path: Path) -> None:
    """Each decision by its number and seat, with the option that was taken in brackets."""
    path = example("lines", tmp_path)
    assert ask("simulate", path.name, "--games", 1, "--policy", "random", "--out", "of").status == 0
    lines = ask("replay", "of", 0, "--rules", path.name).out.splitlines()
    numbers = [line for line in lines if line.startswith("Decision ")]
    assert numbers[:2] == ["Decision 1: seat 1", "Decision 2: seat 2"]
    at = lines.index("Decision 2: seat 2")
    options = " ".join(lines[at + 1 : lines.index("", at)]).partition("Seat 2: ")
    assert options[0].startswith("  ? ")
    assert f"[{options[2].split('  ')[0].strip()}]" in " ".join(options[0].split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("sensitivity", "factions.py", "--worth"), "fairdeal balance tells what entries"),
        (("sensitivity", "factions.py", "spork"), "did you mean 'spark'?"),
        (("sensitivity", "factions.py", "spork", "--worth"), "did you mean 'spark'?"),
        (("balance", "factions.py", "--until", "3:spork"), "did you mean 'spark'?"),
        (("simulate", "factions.py", "--until", "3:spork"), "did you mean 'spark'?"),
        (("balance", "factions.py", "--games", 5, "--anytime"), "--anytime is about"),
        (("balance", "factions.py", "--games", 5, "--format", "pfd"), "pfd"),
    ],
)
def test_wrong_words_are_told_before_anything_is_played(
    ask,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    told: str,
) -> None:
    """The ladder that finds who plays is not played for a command that is refused."""
    example("factions", tmp_path)
    monkeypatch.setattr(ladder, "ranked", pytest.fail)
    ask(*words).refused(told)
