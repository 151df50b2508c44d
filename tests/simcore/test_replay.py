"""The story of a game agrees with its record, and reads as promised."""

from __future__ import annotations

import re

import numpy as np
import pytest

from card_data import load_sets, parse_set
from card_data.vocabulary import Keyword
from simcore.mindbug import DEALT, CardTable, Ending, compile_cards, play_games
from simcore.mindbug.replay import Replay, replay_game

TABLE = compile_cards(load_sets(["first_contact"]))
PAIRS = [("random", "random"), ("greedy", "greedy"), ("greedy", "random")]
ENDINGS = {
    "has no life left": Ending.LIFE,
    "has no legal action": Ending.NO_ACTION,
    "the game is capped": Ending.CAPPED,
    "the game is looped": Ending.LOOPED,
}


def labels(table: CardTable, record: np.void) -> list[str]:
    """What each slot is called: the name, with a number where it is not the only one."""
    names = [table.cards[card].name for card in record["cards"]]
    return [
        f"{name} #{names[: slot + 1].count(name)}" if names.count(name) > 1 else name
        for slot, name in enumerate(names)
    ]


def slots(mask: np.uint64) -> list[int]:
    """Slots of a mask."""
    return [slot for slot in range(DEALT) if int(mask) >> slot & 1]


def found(told: Replay, pattern: str) -> list[tuple[str, ...]]:
    """What the groups of a pattern match, line by line."""
    matches = (re.fullmatch(pattern, line) for line in told.lines)
    return [match.groups() for match in matches if match]


def cards_in(told: Replay, pattern: str) -> set[str]:
    """The cards in the lines that match a pattern with one group."""
    return {card for (cards,) in found(told, pattern) for card in cards.split(", ")}


@pytest.mark.parametrize("policies", PAIRS)
def test_story_agrees_with_the_record(policies: tuple[str, str]) -> None:
    """Winner, ending, turns, life, Mindbugs, and what became of every card, in 120 games."""
    records = play_games(TABLE, n_games=120, seed=5, policies=policies)
    for record in records:
        told = replay_game(TABLE, seed=5, game=int(record["game"]), policies=policies)
        assert told.record == record
        check_ending(told, record)
        check_counts(told, record)
        check_cards(told, record)


def check_ending(told: Replay, record: np.void) -> None:
    """The last lines are the end that the record knows."""
    *_, verdict, numbers = told.lines
    assert told.lines[0] == f"Player {record['first_player']} starts."
    winner = record["winner"]
    assert verdict.startswith(f"Player {winner} wins: " if winner >= 0 else "A draw: ")
    assert [e for words, e in ENDINGS.items() if words in verdict] == [record["ending"]]
    life, mindbugs = (f"{one} : {two}" for one, two in (record["life"], record["mindbugs"]))
    assert numbers == (
        f"Turns {record['turns']}, life {life}, unused Mindbugs {mindbugs} (player 0 : player 1)."
    )
    heads = found(told, r"Turn (\d+): player \d.*")
    assert [int(turn) for (turn,) in heads] == list(range(1, record["turns"] + 1))


def check_counts(told: Replay, record: np.void) -> None:
    """As many decisions, attacks and so on are told as the record counts."""
    assert len(found(told, r"  Player \d attacks with (.*)\.")) == record["attacks"]
    assert len(found(told, r"  (.*) is exhausted instead .*")) == record["tough_saves"]
    chosen = [line for line in told.lines if line.startswith("  ? ")]
    assert len(chosen) == record["decisions"]
    assert all(line.count("[") == line.count("]") == 1 for line in chosen)
    assert sum("[hunt " in line for line in chosen) == record["hunts"]
    assert sum("[block with " in line for line in chosen) == record["blocks"]
    assert sum("[attack again]" in line for line in chosen) == record["second_attacks"]
    assert sum("[use a Mindbug]" in line for line in chosen) == 4 - sum(record["mindbugs"])


def check_cards(told: Replay, record: np.void) -> None:
    """Dealt, drawn, played, taken and defeated cards are those of the record."""
    names = labels(TABLE, record)
    for player in (0, 1):
        (dealt,) = found(told, rf"Player {player} was dealt (.*); in the draw pile lie (.*)\.")
        assert ", ".join(dealt).split(", ") == names[10 * player : 10 * player + 10]
        drawn = {*dealt[0].split(", "), *cards_in(told, rf"  Player {player} draws (.*)\.")}
        own = [slot for slot in slots(record["drawn"]) if slot // 10 == player]
        assert drawn == {names[slot] for slot in own}
        played = cards_in(told, rf"  (.*) comes into play for player {player}\.")
        assert played == {names[slot] for slot in slots(record["played"][player])}
        taken = cards_in(told, rf"  Player {player} takes (.*) with a Mindbug\.")
        assert taken == {names[slot] for slot in slots(record["taken"][player])}
    defeated = cards_in(told, r"  Defeated: (.*) of player \d\.")
    assert defeated == {names[slot] for slot in slots(record["defeated"])}


def test_story_reads_as_promised() -> None:
    """A turn shows the position, each decision with all its options, and what follows."""
    told = replay_game(TABLE, seed=0, game=3)
    start = told.lines.index(
        "Turn 2: player " + ("1" if told.lines[0] == "Player 0 starts." else "0")
    )
    assert all(
        f"  Player {player}: life 3, " in told.lines[start + 1 + player] for player in (0, 1)
    )
    decision = next(line for line in told.lines[start:] if line.startswith("  ? "))
    assert "chooses an action: " in decision
    assert len(decision.split(" | ")) >= 5


ONE_CARD = """name = "Effects"

[card]
name = "Card"
power = 5
keywords = [{keywords}]
copies = 20
{field} = "{line}"
"""


@pytest.mark.parametrize(
    ("field", "line", "words"),
    [
        ("play", "gain 2 life", "gains 2 life: 3 -> 5."),
        ("play", "the opponent loses 1 life", "loses 1 life: 3 -> 2."),
        ("play", "the opponent discards 2 cards", "discards Card #"),
        ("play", "steal a random card", "from the hand of player"),
        ("play", "take control of an enemy creature", "takes control of Card #"),
        ("attack", "play a card from your discard pile", "from the discard pile."),
        ("attack", "play a card from the opponent's discard pile", "from the discard pile of"),
        ("attack", "draw all cards from your discard pile", "from the discard pile to hand."),
        ("attack", "draw all cards from the opponent's discard pile", "from the discard pile of"),
        ("attack", "defeat this", "The attack ends."),
        ("attack", "defeat a creature", "is exhausted instead of defeated (TOUGH)."),
        ("defeated", "defeat all creatures", "chooses which effect comes next: "),
        ("attack", "if your life > 9, gain 1 life", "  Nothing happens."),
        ("defeated", "set your life to 2", "loses 1 life: 3 -> 2."),
    ],
)
def test_every_effect_has_words(field: str, line: str, words: str) -> None:
    """Whatever an effect moves is told, in a set where every card has it."""
    keywords = f'"{Keyword.TOUGH.name}"' if "TOUGH" in words else ""
    text = ONE_CARD.format(keywords=keywords, field=field, line=line)
    table = compile_cards([parse_set(text, "effects.toml")])
    stories = [replay_game(table, seed=1, game=game) for game in range(25)]
    assert any(words in line for told in stories for line in told.lines)
    records = play_games(table, n_games=25, seed=1)
    assert all(told.record == record for told, record in zip(stories, records, strict=True))
