"""Mice & Mystics in the studio: what can be written and chosen is what the commands take."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from analysis.stopping import Goal
from analysis.verdicts import TOO_STRONG
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.changes import own_entries
from card_data.mice_and_mystics.loader import parse_changes
from card_data.mice_and_mystics.settings import SETTINGS
from reports.cli.console import InputError
from reports.mice_and_mystics.cli.options import ALL_PARTIES
from reports.mice_and_mystics.studio.bench import BENCH
from reports.mice_and_mystics.studio.choices import Asked, read
from reports.studio.bench import Choice, Recipe
from reports.studio.live import RunStage

USUAL = {one.name: one.usual for one in BENCH.choices()}
TEMPLATE = BENCH.template.replace("{name}", "Mine")
NEW = {one.title: one.lines for one in BENCH.recipes() if one.section == "New entries"}
HEADERS = {
    "innate": """[hero.x]
name = "X"
classes = ["scamp"]
battle = 2
defense = 1
lore = 1
move = 2
life = 3
starting_gear = ["dagger"]
""",
    "abilities": """[minion.x]
name = "X"
battle = 2
defense = 1
life = 1
attack = "melee"
size = "small"
move_dice = 1
figure_pool = "rat"
figure_limit = 6
initiative_card = "x"
""",
}
#: Gear of a hero whom every party has: never in the search deck.
SWORD = next(one.lines for one in BENCH.recipes() if "[search_card.collins_sword]" in one.lines)
MINION = HEADERS["abilities"].replace(".x]", ".rat_warrior]").replace('"x"', '"rat_warrior"')


def asked(folder: Path, text: str, entry: str = "", **chosen: str) -> Asked:
    """What is played where so much is chosen."""
    (folder / "mine.toml").write_text(text)
    return read(folder / "mine.toml", entry, USUAL | chosen)


def stage(folder: Path, text: str, entry: str = "", **chosen: str) -> RunStage:
    """The games that are watched."""
    (folder / "mine.toml").write_text(text)
    [one] = BENCH.stages(folder / "mine.toml", entry, USUAL | chosen)
    return one


def test_a_new_file_changes_one_entry() -> None:
    """The file that is begun has no fault, is this game's, and changes one hero of the game."""
    checked = BENCH.check(TEMPLATE, "mine.toml")
    assert not checked.faults
    assert [(one.name, one.is_judged) for one in checked.faces] == [("Nez Bellows", True)]
    assert own_entries(parse_changes(TEMPLATE)) == {("heroes", "nez"): "changed"}


@pytest.mark.parametrize("recipe", BENCH.recipes(), ids=lambda one: f"{one.section}: {one.title}")
def test_examples_have_no_fault(recipe: Recipe) -> None:
    """Each example can be inserted into an empty file, or into an entry of its kind."""
    field = recipe.lines.partition(" ")[0]
    text = recipe.lines if recipe.is_whole else HEADERS[field] + recipe.lines
    if recipe.says.startswith("a token"):
        text = text.replace('size = "small"', 'size = "token"')
    checked = BENCH.check(text, "mine.toml")
    assert [str(one) for one in checked.faults] == []
    [face] = checked.faces
    said = " ".join([face.facts, *face.lines])
    assert "`" not in said and recipe.says
    if recipe.is_whole:
        assert recipe.says == ". ".join([face.facts, *face.lines])


def test_usual_changes_change_the_game() -> None:
    """What is called a change makes one entry other than the game has it; copies make none."""
    for recipe in BENCH.recipes():
        if recipe.is_whole and not recipe.section.startswith("New"):
            found = len(own_entries(parse_changes(recipe.lines)))
            assert found == (recipe.section == "Usual changes"), recipe.title


@pytest.mark.parametrize(
    ("text", "is_mine"),
    [
        (TEMPLATE, True),
        ("[hero.nez]\nname = broken", True),
        ('game = "mice_and_mystics"\n', True),
        ('name = "Cards"\n\n[ogre]\npower = 3\n', False),
        ('game = "another"\n[x]\n', False),
        ("", False),
    ],
)
def test_whose_file_it_is(tmp_path: Path, text: str, is_mine: bool) -> None:
    """A file is known by its line or its headers, with faults too, and by no other game."""
    path = tmp_path / "mine.toml"
    path.write_text(text)
    assert BENCH.is_file(path) == is_mine
    assert not BENCH.is_file(tmp_path / "none.toml")


def test_faults_leave_the_other_entries_standing() -> None:
    """A fault has its place and the nearest word; entries without one are told."""
    text = TEMPLATE + MINION.replace("battle", "batle")
    checked = BENCH.check(text, "mine.toml")
    fault = next(one for one in checked.faults if one.found == "batle")
    assert (fault.nearest, text.splitlines()[fault.line - 1]) == ("battle", "batle = 2")
    assert [one.name for one in checked.faces] == ["Nez Bellows"]


def test_every_switch_and_number_can_be_chosen(tmp_path: Path) -> None:
    """Each setting is a choice, but for that of the party, which is a choice of its own."""
    assert {*USUAL} - {"player", "chapter", "party"} == {*SETTINGS} - {"parties"}
    assert asked(tmp_path, TEMPLATE).switches == []


@pytest.mark.parametrize("choice", BENCH.choices()[3:], ids=lambda one: one.name)
def test_every_choice_can_be_played(tmp_path: Path, choice: Choice) -> None:
    """Each value is one that the commands take, and is another than the usual one."""
    for value in [*choice.options][1:2] + [*choice.options][-1:]:
        if value != "-5":  # of life, which leaves no hero any
            settings = asked(tmp_path, TEMPLATE, **{choice.name: value}).played.played()[1]
            assert str(settings.changed()[choice.name]) == value


def test_a_new_hero_comes_up_by_itself(tmp_path: Path) -> None:
    """Whoever is not allowed in the chapter is in the parties that are drawn; else all is legal."""
    found = asked(tmp_path, NEW["a hero"], "pip")
    assert (found.party, found.switches) == (ALL_PARTIES, ["parties=any"])
    assert asked(tmp_path, TEMPLATE, "nez").switches == []
    lily = "collin,nez,tilda,lily"
    found = asked(tmp_path, TEMPLATE, "nez", party=lily)
    assert (found.party, found.switches) == (lily, ["parties=any"])
    assert asked(tmp_path, TEMPLATE, party="collin,nez,tilda,filch").switches == []


def test_the_chapter_is_one_in_which_it_comes_up(tmp_path: Path) -> None:
    """A boss of the second chapter is played there, and a chapter of one's own comes first."""
    first, second = (one.id for one in load_facts().chapters)
    boss = next(one.lines for one in BENCH.recipes() if one.title == "Captain Vurst")
    assert asked(tmp_path, boss).chapter == first
    assert asked(tmp_path, boss, "captain_vurst").chapter == second
    longer = next(
        one.lines for one in BENCH.recipes() if one.lines.startswith(f"[chapter.{second}")
    )
    assert asked(tmp_path, longer).chapter == second
    with pytest.raises(InputError, match="captain_vurst does not come up in what is chosen"):
        asked(tmp_path, boss, "captain_vurst", chapter=first)


def test_a_plus_in_the_name_of_a_file_joins_nothing(tmp_path: Path) -> None:
    """Such a file is played as any other."""
    path = tmp_path / "a+b.toml"
    path.write_text(TEMPLATE)
    [one] = BENCH.stages(path, "nez", USUAL)
    assert str(path) in one.named[0]
    assert one.options.read(one.named).rule(
        Goal.parse(one.until), anytime=True, on_look=lambda _: None
    )


@pytest.mark.parametrize(
    ("text", "entry", "chosen", "until", "column"),
    [
        (TEMPLATE, "nez", {}, "0.5:nez", "effect"),
        (TEMPLATE, "nez", {"player": "search:16"}, "1.5:nez", "effect"),
        (NEW["an encounter"], "cellar_watch", {}, "0.5:cellar_watch", "effect"),
        (NEW["an ability"], "rally", {}, "0.5:rally", "effect"),
        (NEW["a weapon"], "needle", {}, "0.5:needle", "effect"),
        (MINION, "rat_warrior", {}, "0.5:win_rate", "win_rate"),
        (SWORD, "collins_sword", {}, "0.5:win_rate", "win_rate"),
        (TEMPLATE, "nez", {"party": "collin,nez,tilda,filch"}, "0.5:win_rate", "win_rate"),
        (TEMPLATE, "", {}, "0.5:parties", "win_rate"),
        (TEMPLATE, "", {"party": "collin,nez,tilda,filch"}, "0.5:win_rate", "win_rate"),
    ],
)
def test_what_is_watched(
    tmp_path: Path, text: str, entry: str, chosen: dict[str, str], until: str, column: str
) -> None:
    """What is drawn is watched by its effect, all else by the win rate, as the commands do."""
    found = stage(tmp_path, text, entry, **chosen)
    assert (found.until, found.measure.column) == (until, column)
    assert (found.measure.band is None) == (column == "win_rate"), "win rates are not judged"
    goal = Goal.parse(found.until)
    rule = found.options.read(found.named).rule(goal, anytime=True, on_look=lambda _: None)
    watched = [one.key for one in rule.watched]
    assert len(watched) == (4 if until.endswith("parties") else 1)
    assert (watched == [entry]) == (column == "effect")


def test_words_say_what_the_interval_is_about(tmp_path: Path) -> None:
    """A hero that is drawn is judged; a minion is not, and what would tell is named."""
    rows = {"n_games": 9_000, "name": "Nez Bellows", "policy": "learned"}
    found = stage(tmp_path, TEMPLATE, "nez").measure
    seen = pd.DataFrame([rows | {"effect": 0.1, "effect_ci_low": 0.08, "effect_ci_high": 0.12,
                                 "band": found.band, "verdict": TOO_STRONG,
                                 **found.more}])  # fmt: skip
    assert found.words(seen) == (
        "Nez Bellows is too strong: parties with Nez Bellows win 10.0 points (8.0 to 12.0) more"
        " often than parties without, where up to 2 points either way is fair."
    )
    won = pd.DataFrame([rows | {"win_rate": 0.5, "win_rate_ci_low": 0.4, "win_rate_ci_high": 0.6}])
    about = stage(tmp_path, MINION, "rat_warrior").measure
    assert about.words(won) == (
        "With X as it is here, the chapter is won in 50.0% (40.0 to 60.0%) of the games."
    )
    assert "What it adds by itself is found in the same games with an average one" in about.hint
    about = stage(tmp_path, TEMPLATE, "nez", party="collin,nez,tilda,filch").measure
    assert about.hint.startswith("One party plays: what they add by themselves is found")
    collin = next(one.lines for one in BENCH.recipes() if one.title == "Prince Collin")
    about = stage(tmp_path, collin, "collin").measure
    assert about.hint.startswith("Every party has this hero: what they add by themselves")
    parties = pd.concat([won.assign(name="A, C"), won.assign(name="B", win_rate=0.45)])
    said = stage(tmp_path, TEMPLATE).measure.words(parties)
    assert said.startswith("Of 2 parties A and C win most often, in 50.0%")
    few = seen.assign(effect=float("nan"))
    assert "not enough games yet" in stage(tmp_path, TEMPLATE, "nez").measure.words(few)
    unknown = won.assign(win_rate=float("nan"))
    assert "enough games yet" in stage(tmp_path, TEMPLATE).measure.words(unknown)


def test_a_verdict_asks_what_the_command_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chapter with the file, the party and the switches, and a command that says so."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(TEMPLATE)
    chosen = USUAL | {"player": "heuristic", "page_end": "7"}
    [found] = BENCH.verdicts(Path("mine.toml"), "nez", chosen)
    assert (found.case.entry.id, found.case.policy, found.case.settings.page_end) == (
        *("nez", "heuristic", 7),
    )
    assert found.command(Path("x"), found.case.sizes.run) == (
        "fairdeal verdict nez ch1_flight_to_barksburg+mine.toml --party all --set page_end=7"
        " --policy heuristic --stronger none --games 120000"
    )
