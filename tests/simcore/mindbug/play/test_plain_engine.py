"""The plain engine plays the same games as the general one, and only pools that it knows."""

import pytest

from card_data.mindbug import load_sets
from card_data.mindbug.modes import Modes
from card_data.mindbug.vocabulary import Ruling
from simcore.mindbug import CardTable, compile_cards, play_games
from support.purpose_made import made_table

SETS = load_sets(["first_contact"])


def is_plain(table: CardTable) -> bool:
    """Whether the plain engine plays the cards."""
    return bool(table.rows[0]["plain"])


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize(
    "modes",
    [
        Modes(),
        Modes(after_mindbug="action", life=1, hand_size=2),
        Modes(who_starts="weaker_hand"),
        *(Modes(rulings=frozenset({ruling})) for ruling in Ruling),
    ],
    ids=str,
)
def test_both_engines_play_the_same_games(modes: Modes, policy: str) -> None:
    plain, general = compile_cards(SETS, modes), compile_cards(SETS, modes)
    assert is_plain(plain)
    general.rows["plain"] = 0
    games = [
        play_games(table, n_games=2_000, policies=(policy, policy)) for table in (plain, general)
    ]
    assert games[0].tobytes() == games[1].tobytes()


@pytest.mark.parametrize(
    "line",
    [
        {"constant": "allied creatures have +1 power"},
        {"play": "gain 2 life"},
        {"defeated": "the opponent discards 2 cards"},
    ],
    ids=str,
)
def test_what_the_base_game_says_is_plain(line: dict[str, str]) -> None:
    assert is_plain(made_table({"probe": line}))


@pytest.mark.parametrize(
    "line",
    [
        {"action": "gain 2 life"},
        {"discarded": "gain 2 life"},
        {"end_of_turn": "gain 2 life"},
        {"play": "you may gain 2 life"},
        {"play": "allied creatures have +1 power this turn"},
    ],
    ids=str,
)
def test_what_later_sets_say_is_not(line: dict[str, str]) -> None:
    assert not is_plain(made_table({"probe": line}))
