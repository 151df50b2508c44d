"""The story of a game agrees with its record, and reads as promised."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from card_data.mindbug import load_pool, load_sets, parse_set
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug import (
    DEALT,
    CardTable,
    Creature,
    Ending,
    Game,
    Option,
    Side,
    compile_cards,
    play_games,
)
from simcore.mindbug.face.replay import replay_game, tell
from simcore.mindbug.face.replay_text import thoughts_text
from simcore.mindbug.rules.dice import FACES
from simcore.narration import Replay
from support.reference_cards import SETS

TABLE = compile_cards(load_sets(["first_contact"]))
STORIES = Path(__file__).parents[3] / "data" / "stories"
PAIRS = [("random", "random"), ("greedy", "greedy"), ("greedy", "random")]
ENDINGS = {
    "has no life left": Ending.LIFE,
    "has no legal action": Ending.NO_ACTION,
    "the game is capped": Ending.CAPPED,
    "the game is looped": Ending.LOOPED,
    "decides the game": Ending.EFFECT,
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
    lists = [re.sub(r" \([^)]*\)", "", cards) for (cards,) in found(told, pattern)]
    return {card for cards in lists for card in cards.split(", ")}


@pytest.mark.parametrize("policies", PAIRS)
def test_story_agrees_with_the_record(policies: tuple[str, str]) -> None:
    """Winner, ending, turns, life, Mindbugs, and what became of every card.

    Telling is slow; after 40 games hardly a kind of line is new, and every card was dealt.
    """
    records = play_games(TABLE, n_games=40, seed=5, policies=policies)
    for record in records:
        told = replay_game(TABLE, seed=5, game=int(record["game"]), policies=policies)
        assert told.record == record
        check_ending(told, record)
        check_counts(told, record)
        check_cards(told, record)


def test_another_way_to_start_is_told() -> None:
    """It stands in the first line, so that nobody looks for revealed cards."""
    table = compile_cards(load_sets(["first_contact"]), who_starts="weaker_hand")
    told = replay_game(table, seed=5, game=0)
    first = told.record["first_player"]
    assert told.lines[0] == f"Player {first} starts (who_starts: weaker_hand)."


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
    check_rarer_counts(told, record)
    chosen = [line for line in told.lines if line.startswith("  ? ")]
    assert len(chosen) == record["decisions"]
    assert all(line.count("[") == line.count("]") == 1 for line in chosen)
    assert sum("[hunt " in line for line in chosen) <= record["hunts"]  # C20 leaves no choice
    assert sum("[block with " in line for line in chosen) == record["blocks"]
    assert sum("[attack again]" in line for line in chosen) == record["second_attacks"]
    assert sum("[use a Mindbug]" in line for line in chosen) == 4 - sum(record["mindbugs"])


def check_rarer_counts(told: Replay, record: np.void) -> None:
    """Actions, boosts, dice and power cards are told as often as the record counts."""
    assert len(found(told, r"  (.*), Action: .*")) == record["actions"]
    under = found(told, r"  (.*) from the discard pile of player \d go(?:es)? under .*")
    assert sum(len(cards.split(", ")) for (cards,) in under) == record["boosted"]
    results = [face for (face,) in found(told, r"  Result of the die: (.*)\.")]
    assert [results.count(face) for face in FACES] == list(record["dice"])
    bought = {card for pair in found(told, r"  Player \d (?:buys|reveals) (.*?)(;| and| for).*")
              for card in pair[:1]}  # fmt: skip
    masks = record["power_bought"]
    assert len(bought) == (int(masks[0]) | int(masks[1])).bit_count()


def check_cards(told: Replay, record: np.void) -> None:
    """Dealt, drawn, played, taken and defeated cards are those of the record."""
    names = labels(TABLE, record)
    for player in (0, 1):
        (dealt,) = found(told, rf"Player {player} was dealt (.*); in the draw pile lie (.*)\.")
        assert ", ".join(dealt).split(", ") == names[10 * player : 10 * player + 10]
        drawn = {*dealt[0].split(", "), *cards_in(told, rf"  Player {player} draws (.*)\.")}
        own = [slot for slot in slots(record["drawn"]) if slot // 10 == player]
        assert drawn == {names[slot] for slot in own}
        played = cards_in(told, rf"  (.*) comes? into play for player {player}\.")
        assert played == {names[slot] for slot in slots(record["played"][player])}
        taken = cards_in(told, rf"  Player {player} takes (.*) with a Mindbug\.")
        assert taken == {names[slot] for slot in slots(record["taken"][player])}
    defeated = cards_in(told, r"  Defeated: (.*) of player \d\.")
    assert defeated == {names[slot] for slot in slots(record["defeated"])}


@cache
def pool_table(*sets: str) -> CardTable:
    """The compiled cards of a pool, played as its sets are meant to be."""
    pool = load_pool(sets)
    return compile_cards(pool.sets, pool.modes)


@pytest.mark.parametrize("sets", [*((name,) for name in SETS), tuple(SETS)], ids="+".join)
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_story_of_every_set(sets: tuple[str, ...], policy: str) -> None:
    """Whatever happens has words, is told as often as the record counts, and ends as it says."""
    table, policies = pool_table(*sets), (policy, policy)
    for record in play_games(table, n_games=25, seed=11, policies=policies):
        told = replay_game(table, seed=11, game=int(record["game"]), policies=policies)
        assert told.record == record
        check_ending(told, record)
        check_counts(told, record)
        for line in told.lines:
            assert not re.search(
                r"\(\)|\.\.$| {2}\S.* {2}| [,.]|\{|moves?: from|None|: \|", line
            ), line
            assert not re.search(r"(plays|draws|discards|takes|buys|Defeated:|Now:) nothing", line)


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
        ("play", "gain 2 life", "gains 2 life: 3 → 5."),
        ("play", "the opponent loses 1 life", "loses 1 life: 3 → 2."),
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
        ("defeated", "set your life to 2", "loses 1 life: 3 → 2."),
    ],
)
def test_every_effect_has_words(field: str, line: str, words: str) -> None:
    """Whatever an effect moves is told, in a set where every card has it: in every game of it."""
    keywords = f'"{Keyword.TOUGH.name}"' if "TOUGH" in words else ""
    text = ONE_CARD.format(keywords=keywords, field=field, line=line)
    table = compile_cards([parse_set(text, "effects.toml")])
    stories = [replay_game(table, seed=1, game=game) for game in range(5)]
    assert all(any(words in line for line in told.lines) for told in stories)
    records = play_games(table, n_games=5, seed=1)
    assert all(told.record == record for told, record in zip(stories, records, strict=True))


def test_a_waiting_trigger_is_that_of_its_stage() -> None:
    """R54, T144: the waiting ability is stage III's, though a stage I card lies in the pile."""
    bomb = 'name = "x"\n[bomb]\nname = "Bomb"\npower = 1\nplay = "defeat all enemy creatures"\n'
    sets = [*load_sets(["first_contact", "promos"]), parse_set(bomb, "bomb.toml")]
    mimic = Creature("big_box_mimic", boosts=("gorillion",))
    sides = Side(hand=("bomb", "gorillion")), Side(play=(mimic, Creature("harpy_mother")))
    game = Game.from_position(compile_cards(sets), sides, to_decision=False)
    lines = list(tell(game, lambda _: 0))
    asked = next(line for line in lines if "which effect comes next" in line)
    assert "Big Box Mimic: Defeated" in asked and "Tuckbox" not in asked
    game = Game.from_position(compile_cards(sets), sides)
    game.step(0)
    assert "Big Box Mimic: Defeated" in repr(game) and "Mimic: Defeated" in str(game._repr_html_())


@pytest.mark.parametrize(
    ("way", "life", "end"),
    [
        ("draw", 4, "A draw: stopped after turn 1, the game is capped."),
        ("higher_life", 3, "A draw: stopped after turn 1, the game is capped."),
        (
            "higher_life",
            4,
            "Player 0 wins: stopped after turn 1 with more life, the game is capped.",
        ),
    ],
)
def test_how_a_capped_game_ended(way: str, life: int, end: str) -> None:
    """R20: a game that was stopped is a draw, or a win of the player with more life."""
    table = compile_cards(load_sets(["first_contact"]), turn_cap=1, at_turn_cap=way)
    sides = Side(hand=("gorillion",), life=life), Side(hand=("gorillion",))
    lines = list(tell(Game.from_position(table, sides, to_decision=False), lambda _: 0))
    assert end in lines


def test_every_roll_of_a_plain_die_is_told() -> None:
    """C55: a die is rolled until it shows too little, and each roll is told with what it brings."""
    line = "as often as a die shows 3 or more, gain 1 life"
    table = compile_cards(
        [parse_set(ONE_CARD.format(keywords="", field="play", line=line), "effects.toml")]
    )
    rolls: list[str] = []
    for game in range(5):
        lines = replay_game(table, seed=1, game=game).lines
        for number, told in enumerate(lines):
            if told.startswith("  The die shows "):
                rolls.append(told[-2])
                gains = "gains 1 life" in lines[number + 1]
                goes_on = lines[number + (2 if gains else 1)].startswith("  The die shows ")
                assert gains == goes_on == (rolls[-1] in "3456")
    assert set(rolls) == set("123456")


class Enough(Exception):
    """The script of a story has been played."""


def creature(text: str) -> Creature:
    """A creature from words such as ``sea_rex!`` (exhausted) or ``sea_rex+peacasus`` (boosted)."""
    card_id, *boosts = text.split("+")
    return Creature(card_id.rstrip("!"), exhausted=card_id.endswith("!"), boosts=tuple(boosts))


def side(play: Sequence[str] = (), **lies: Any) -> Side:
    """What one player has."""
    return Side(play=[creature(text) for text in play], **lies)


def story(
    sides: Sequence[Side], script: Sequence[str], power_deck: Sequence[str] = (), seed: int = 0
) -> list[str]:
    """What is told from a position on while a script of choices such as ``block kong`` lasts."""
    table = pool_table(*SETS)
    numbers = {card.card_id: number for number, card in enumerate(table.power_cards)}
    deck = [numbers[card_id] for card_id in power_deck]
    game = Game.from_position(table, sides, power_deck=deck, seed=seed, to_decision=False)
    left = list(script)

    def means(option: Option, words: str) -> bool:
        word, _, what = words.partition(" ")
        names = {str(option.number), game.card(option.slot).card_id if option.slot >= 0 else ""}
        if word == "buy":
            names = {table.power_cards[option.number].card_id}
        return option.word == word and (not what or what in names)

    def choose(game: Game) -> int:
        if not left:
            raise Enough
        words = left.pop(0)
        options = game.options
        assert any(means(option, words) for option in options), (words, options)
        return next(number for number, option in enumerate(options) if means(option, words))

    lines = []
    try:
        for line in tell(game, choose):
            lines.append(line)  # noqa: PERF402 - those told before the script ends are kept
    except Enough:
        pass
    return lines


@pytest.mark.parametrize(
    ("sides", "how"),
    [
        pytest.param(
            [side(play=["hades"], hand=["kong"]), side(play=["gigazaur"], hand=["mantis", "rob"])],
            {"script": ["attack hades", "keep", "first 0", "no_block"], "seed": 2},
            id="dice",
        ),
        pytest.param(
            [side(play=["kong"], hand=["rob"], energy=2), side(play=["gigazaur"], hand=["mantis"])],
            {
                "script": ["buy pounce", "stop", "attack kong", "keep", "hunt gigazaur"],
                "power_deck": ("pounce", "rage", "ambush", "stomp"),
            },
            id="energy",
        ),
        pytest.param(
            [
                side(play=["cloud_lady", "frog_prophet"], hand=["robopup"]),
                side(play=["robopup!"], hand=["sawn"]),
            ],
            {"script": ["activate cloud_lady", "activate frog_prophet"]},
            id="evolution",
        ),
        pytest.param(
            [
                side(play=["sea_rex"], hand=["koibra"], discard=["peacasus"]),
                side(play=["water_antler+peacasus"], hand=["catalisk"], discard=["rockyphant"]),
            ],
            {"script": ["attack sea_rex", "target rockyphant", "hunt water_antler"]},
            id="boosts",
        ),
        pytest.param(
            [
                side(play=["cake_trickster"], hand=["sawn"]),
                side(play=["thunder_queen"], hand=["sawn"]),
            ],
            {"script": ["activate cake_trickster"]},
            id="forced",
        ),
        pytest.param(
            [side(play=["sluggernaut"], hand=["sawn"]), side(play=["kong"], hand=["sawn"])],
            {"script": ["attack sluggernaut", "block kong", "mode 1"]},
            id="profile",
        ),
        pytest.param(
            [
                side(hand=["alpacoodle", "sawn"], mindbugs=0),
                side(play=["thunder_queen+peacasus"], hand=["sawn"], mindbugs=1),
            ],
            {"script": ["play alpacoodle", "refuse"]},
            id="aside",
        ),
        pytest.param(
            [side(hand=["hungry_hungry_hamster", "sawn"]), side(hand=["kong", "rob"])],
            {"script": ["play hungry_hungry_hamster", "discard kong", "keep"]},
            id="given",
        ),
        pytest.param(
            [
                side(hand=["utility_bug", "sawn"]),
                side(play=["chuckling_chimpborg", "axolotl_healer"], hand=["kong", "rob"]),
            ],
            {"script": ["play utility_bug", "yes", "target axolotl_healer"]},
            id="copy",
        ),
        pytest.param(
            [
                side(play=["kong"], hand=["sawn", "rob"]),
                side(play=["jean_claw_pandamme", "knightmare"], hand=["kong", "rob"]),
            ],
            {"script": ["attack kong", "keep", "discard sawn", "no_block"]},
            id="granted",
        ),
        pytest.param(
            [
                side(play=["killer_bee", "mantis"], hand=["sawn"]),
                side(play=["captain_hippo"], hand=["kong", "rob"]),
            ],
            {"script": ["attack killer_bee"]},
            id="hippo",
        ),
        pytest.param(
            [side(play=["unigon"]), side(hand=["kong", "rob"])],
            {"script": ["attack unigon"]},
            id="won",
        ),
    ],
)
def test_story_from_a_position(
    sides: list[Side], how: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    """The exact words of one turn, for each expansion feature: those of ``tests/data/stories``."""
    text = (STORIES / f"{request.node.callspec.id}.txt").read_text()
    assert text in "\n".join([*story(sides, **how), ""])


def test_points_have_a_sign_unless_they_round_to_zero() -> None:
    """Points are told in whole numbers, those below zero with the sign that all reports have."""
    told = thoughts_text([-0.4, 0.0, 0.4, 2.6, -3.5])
    assert told == ["0", "0", "0", "+3", "\N{MINUS SIGN}4"]


def test_thoughts_stand_behind_the_options() -> None:
    """Players with weights say what they think of each option, those who search in percent."""
    table = compile_cards(load_sets(["first_contact"]))
    for policies, pattern in (
        (("learned", "random"), r"Player 0 chooses an action: .*\([+−]?\d+\)"),
        (("search:6", "search:6"), r"chooses an action: .*\(\d+%\)"),
    ):
        lines = replay_game(table, seed=3, game=1, policies=policies).lines
        assert any(re.search(pattern, line) for line in lines)
    lines = replay_game(table, seed=3, game=1, policies=("greedy", "random")).lines
    assert not any(re.search(r"\([+-]\d+\)|\d%\)", line) for line in lines)
