"""What commands say, as the studio says it: without options, and with players in words."""

from __future__ import annotations

import pandas as pd
import pytest

from card_data.mice_and_mystics.settings import SETTINGS
from card_data.schema import Choice
from reports.mice_and_mystics.studio.choices import choices_of_play
from reports.mindbug.run_text import called_in_game
from reports.mindbug.studio.bench import BENCH
from reports.rebalance.text import more_games_text
from reports.studio.rows import so_far
from reports.studio.words import about_what, in_studio


@pytest.mark.parametrize("needed", [None, 4200])
def test_options_of_commands_are_left_out(needed: int | None) -> None:
    """A sentence that names options in brackets is whole without them."""
    said = more_games_text({"games_to_show": needed})
    assert "--" in said
    assert needed is None or "In 4,200 fresh games" in said
    here = in_studio(said, BENCH)
    assert "--" not in here and "(" not in here
    assert in_studio("2 turns (1.9 to 2.1) need more games (--confirm).", BENCH) == (
        "2 turns (1.9 to 2.1) need more games."
    )


def test_runs_are_named_without_options() -> None:
    """Options are left out of what a run is about, and two versions of a file are named once."""
    assert about_what("first+mine → first+mine --party all") == "first+mine: two versions"
    assert about_what("first → second --set life=1 --party all") == "first → second"
    assert about_what("first+mine", "compare") == "first+mine: two versions"
    assert about_what("first+mine", "balance") == "first+mine"
    assert about_what("nez, Chapter 1 · every legal party") == "nez, Chapter 1 · every legal party"


def test_players_who_learned_cards_are_told_in_words() -> None:
    """No name that the studio made up for a lesson is shown; other players keep theirs."""
    learned = "expert (who learned your cards)"
    assert in_studio("expert=my_set-2 plays fresh deals", BENCH) == f"{learned} plays fresh deals"
    assert in_studio("random, expert=my_set", BENCH) == f"random, {learned}"
    assert in_studio("search=my_set:16 plays fresh deals", BENCH) == (
        "search:16 (who learned your cards) plays fresh deals"
    )
    assert in_studio("expert=my_set:random plays", BENCH) == f"{learned}:random plays"
    assert in_studio("learned plays", BENCH) == "learned plays"


def test_sides_of_a_comparison_are_told_in_words() -> None:
    """What the folders of a comparison are called is not a word for what is played."""
    assert in_studio("expert plays base", BENCH) == "expert plays the version before"
    assert in_studio("search:4 plays variant", BENCH) == "search:4 plays the file as it is now"
    assert in_studio("expert plays", BENCH) == "expert plays"


def test_players_of_a_game_have_names() -> None:
    """Two kinds of players are called by these; of one kind, by who starts."""
    assert called_in_game(["random", "expert=mine"], 1) == ("random player", "expert player")
    assert called_in_game(["expert=a", "expert=b"], 0) == ("first player", "second player")
    assert called_in_game(["random", "random"], 1) == ("second player", "first player")


def test_a_search_says_how_far_it_is() -> None:
    """It says how much its best plan leaves outside the band, and does not list the changes."""
    plans = pd.DataFrame({"amount": [0, 3], "changes": ["", "a-power+1 b-power-1 c-power+1"],
                          "excess": [0.291, 0.116]})  # fmt: skip
    assert so_far(plans).startswith(
        "Best so far: 11.6 points outside the band instead of 29.1, with 3 changes, in the games of"
    )
    assert so_far(plans.head(1)).startswith("As it is: 29.1 points outside the band. No better")


def test_open_points_are_asked_in_words() -> None:
    """Every switch of the rules has a question, and words for each answer, the usual one first."""
    asked = {one.name: one for one in choices_of_play()}
    for name in SETTINGS.keys() - {"parties"}:
        setting = SETTINGS[name]
        if isinstance(setting, Choice):
            usual, *others = asked[name].options
            assert (usual, *others) == ("", *setting.words[1:])
            words = asked[name].options
            assert words[""].endswith(" (usual)")
            assert len({*words.values()}) == len(words)
            assert not any("_" in text for text in (asked[name].label, *words.values()))
