"""The story of a game agrees with its record, and reads as promised."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from card_data import load_pool, load_sets, parse_set
from card_data.vocabulary import Keyword
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
from simcore.mindbug.dice import FACES
from simcore.mindbug.replay import Replay, replay_game, tell
from support.reference_cards import SETS

TABLE = compile_cards(load_sets(["first_contact"]))
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


@pytest.mark.parametrize("sets", [*((name,) for name in SETS), SETS], ids="+".join)
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
    ("sides", "how", "text"),
    [
        pytest.param(
            [side(play=["hades"], hand=["kong"]), side(play=["gigazaur"], hand=["mantis", "rob"])],
            {"script": ["attack hades", "keep", "first 0", "no_block"], "seed": 2},
            """
  ? Player 0 chooses an action: play Kong | [attack with H.A.D.E.S. (5 TOUGH)]
  Player 0 attacks with H.A.D.E.S. (5 TOUGH).
  Player 0 rolls growth 2 and growth 3.
  ? Player 0 may reroll: [keep] | reroll growth 2 | reroll growth 3 | reroll both
  ? Player 0 chooses which result comes first: [growth 2] | growth 3
  Result of the die: growth 2.
  Now: H.A.D.E.S. (7 TOUGH).
  Result of the die: growth 3.
  Now: H.A.D.E.S. (10 TOUGH).
  ? Player 1 may block: [do not block] | block with Gigazaur (9)
  H.A.D.E.S. (10 TOUGH) is not blocked.
  Player 1 loses 1 life: 3 -> 2.
""",
            id="dice",
        ),
        pytest.param(
            [side(play=["kong"], hand=["rob"], energy=2), side(play=["gigazaur"], hand=["mantis"])],
            {
                "script": ["buy pounce", "stop", "attack kong", "keep", "hunt gigazaur"],
                "power_deck": ("pounce", "rage", "ambush", "stomp"),
            },
            """
  Power cards: Ambush (2 energy), Pounce (1 energy), Rage (1 energy); in the power deck 1
  ? Player 0 may buy a power card: stop | buy Ambush (2 energy) | [buy Pounce (1 energy)] | buy Rage (1 energy)
  Player 0 buys Pounce; energy: 2 -> 1.
  New power card to buy: Stomp (1 energy).
  Pounce (player 0): Your creatures have HUNTER this turn.
  Now: Kong (9 HUNTER).
  Pounce goes to the discarded power cards.
  ? Player 0 may buy a power card: [stop] | buy Rage (1 energy) | buy Stomp (1 energy)
  ? Player 0 chooses an action: play Rob | [attack with Kong (9 HUNTER)]
  Player 0 attacks with Kong (9 HUNTER).
  Player 0 rolls growth 3.
  ? Player 0 may reroll: [keep] | roll again
  Result of the die: growth 3.
  Now: Kong (12 HUNTER).
  ? Player 0 may hunt: do not hunt | [hunt Gigazaur (9)]
  Kong (12 HUNTER) fights Gigazaur (9).
  Defeated: Gigazaur of player 1.
  Gigazaur (player 1), Defeated: Your opponent loses 1 life.
  Player 0 loses 1 life: 3 -> 2.
""",
            id="energy",
        ),
        pytest.param(
            [
                side(play=["cloud_lady", "frog_prophet"], hand=["robopup"]),
                side(play=["robopup!"], hand=["sawn"]),
            ],
            {"script": ["activate cloud_lady", "activate frog_prophet"]},
            """
  ? Player 0 chooses an action: play Robopup #1 | attack with Cloud Lady (4) | attack with Frog Prophet (3 POISONOUS TOUGH) | [use the Action of Cloud Lady (4)] | use the Action of Frog Prophet (3 POISONOUS TOUGH)
  Cloud Lady (player 0), Action: Defeat an enemy creature of power 4 or less, then evolve this.
  Defeated: Robopup #2 of player 1.
  Cloud Lady evolves into Typhoon Princess (6).
""",
            id="evolution",
        ),
        pytest.param(
            [
                side(play=["sea_rex"], hand=["koibra"], discard=["peacasus"]),
                side(play=["water_antler+peacasus"], hand=["catalisk"], discard=["rockyphant"]),
            ],
            {"script": ["attack sea_rex", "target rockyphant", "hunt water_antler"]},
            """
  ? Player 0 chooses an action: play Koibra | [attack with Sea-Rex (5 HUNTER)]
  Player 0 attacks with Sea-Rex (5 HUNTER).
  Sea-Rex (player 0), Attack: Put up to 1 card from a discard pile under this as a boost.
  ? Player 0 may take a card as a boost: stop | Peacasus #1 in the discard pile of player 0 | [Rockyphant in the discard pile of player 1]
  Rockyphant from the discard pile of player 1 goes under Sea-Rex.
  Now: Sea-Rex (6 HUNTER, 1 boost).
  ? Player 0 may hunt: do not hunt | [hunt Water Antler (9, 1 boost)]
  Sea-Rex (6 HUNTER, 1 boost) fights Water Antler (9, 1 boost).
  Defeated: Sea-Rex of player 0.
  Rockyphant falls from under Sea-Rex into the discard pile of player 0.
  Rockyphant (player 0): When this card is put into your discard pile, your opponent discards a card.
  Player 1 discards Catalisk.
""",
            id="boosts",
        ),
        pytest.param(
            [
                side(play=["cake_trickster"], hand=["sawn"]),
                side(play=["thunder_queen"], hand=["sawn"]),
            ],
            {"script": ["activate cake_trickster"]},
            """
  ? Player 0 chooses an action: play Sawn #1 | attack with Cake Trickster (6 POISONOUS) | [use the Action of Cake Trickster (6 POISONOUS)]
  Cake Trickster (player 0), Action: Choose an enemy creature, which must attack now if it can.
  Thunder Queen (9) has to attack.
  Player 1 attacks with Thunder Queen (9).
  Thunder Queen (player 1), Attack: Defeat an enemy creature.
  Defeated: Cake Trickster of player 0.
  Thunder Queen (9) is not blocked.
  Player 0 loses 1 life: 3 -> 2.
  The forced attack is over.
""",
            id="forced",
        ),
        pytest.param(
            [side(play=["sluggernaut"], hand=["sawn"]), side(play=["kong"], hand=["sawn"])],
            {"script": ["attack sluggernaut", "block kong", "mode 1"]},
            """
  ? Player 0 chooses an action: play Sawn #1 | [attack with Sluggernaut (6 TOUGH)]
  Player 0 attacks with Sluggernaut (6 TOUGH).
  ? Player 1 may block: do not block | [block with Kong (9)]
  Sluggernaut (6 TOUGH) fights Kong (9).
  Sluggernaut is exhausted instead of defeated (TOUGH).
  Sluggernaut (player 0): When this becomes exhausted, choose one: this becomes a creature of power 5 with HUNTER; or this becomes a creature of power 8 with FRENZY.
  ? Player 0 chooses what to do: this becomes a creature of power 5 with HUNTER | [this becomes a creature of power 8 with FRENZY]
  Now: Sluggernaut (8 FRENZY exhausted).
""",
            id="profile",
        ),
        pytest.param(
            [
                side(hand=["alpacoodle", "sawn"], mindbugs=0),
                side(play=["thunder_queen+peacasus"], hand=["sawn"], mindbugs=1),
            ],
            {"script": ["play alpacoodle", "refuse"]},
            """
  ? Player 0 chooses an action: [play Alpacoodle] | play Sawn #1
  Player 0 plays Alpacoodle from hand.
  ? Player 1 may use a Mindbug: [refuse] | use a Mindbug
  Alpacoodle (2 FRENZY) comes into play for player 0.
  Alpacoodle (player 0), Play: Set aside every other creature.
  Set aside: Thunder Queen of player 1.
  Peacasus falls from under Thunder Queen into the discard pile of player 1.
  Thunder Queen is Cloud Lady again.
  Peacasus (player 1): When this card is put into your discard pile, gain 1 life.
  Player 1 gains 1 life: 3 -> 4.
""",
            id="aside",
        ),
        pytest.param(
            [side(hand=["hungry_hungry_hamster", "sawn"]), side(hand=["kong", "rob"])],
            {"script": ["play hungry_hungry_hamster", "discard kong", "keep"]},
            """
  ? Player 0 chooses an action: [play Hungry Hungry Hamster] | play Sawn
  Player 0 plays Hungry Hungry Hamster from hand.
  Hungry Hungry Hamster (2 SNEAKY) comes into play for player 0.
  Hungry Hungry Hamster (player 0), Play: Your opponent gives you a card from their hand, and you play it or keep it.
  ? Player 1 chooses a card to give: [Kong] | Rob
  Player 1 gives Kong.
  ? Player 0 decides what becomes of the card: play Kong | [put Kong into the hand]
  Player 0 takes Kong to hand.

Turn 2: player 1
  Player 0: life 3, Mindbugs 0, energy 0, hand 2, draw pile 0, discard pile 0; in play: Hungry Hungry Hamster (2 SNEAKY)
  Player 1: life 3, Mindbugs 0, energy 0, hand 1, draw pile 0, discard pile 0; in play: no creature
  Player 1 plays Rob from hand.
  Rob (5) comes into play for player 1.

Turn 3: player 0
  Player 0: life 3, Mindbugs 0, energy 0, hand 2, draw pile 0, discard pile 0; in play: Hungry Hungry Hamster (2 SNEAKY)
  Player 1: life 3, Mindbugs 0, energy 0, hand 0, draw pile 0, discard pile 0; in play: Rob (5)
""",
            id="given",
        ),
        pytest.param(
            [
                side(hand=["utility_bug", "sawn"]),
                side(play=["chuckling_chimpborg", "axolotl_healer"], hand=["kong", "rob"]),
            ],
            {"script": ["play utility_bug", "yes", "target axolotl_healer"]},
            """
  ? Player 0 chooses an action: [play Utility Bug] | play Sawn
  Player 0 plays Utility Bug from hand.
  Utility Bug (4 HUNTER TOUGH) comes into play for player 0.
  Utility Bug (player 0), Play: You may copy the Play effect of another creature.
  ? Player 0 may do this: no | [yes]
  ? Player 0 chooses a card: Chuckling Chimpborg (5 HUNTER) | [Axolotl Healer (4 POISONOUS)]
  Utility Bug (player 0) copies Axolotl Healer (4 POISONOUS), Play: Gain 2 life.
  Player 0 gains 2 life: 3 -> 5.
""",
            id="copy",
        ),
        pytest.param(
            [
                side(play=["kong"], hand=["sawn", "rob"]),
                side(play=["jean_claw_pandamme", "knightmare"], hand=["kong", "rob"]),
            ],
            {"script": ["attack kong", "keep", "discard sawn", "no_block"]},
            """
  ? Player 0 chooses an action: play Sawn | play Rob #1 | [attack with Kong #1 (9)]
  Player 0 attacks with Kong #1 (9).
  Player 0 rolls growth 3.
  ? Player 0 may reroll: [keep] | roll again
  Result of the die: growth 3.
  Now: Kong #1 (12).
  Kong #1 (player 0), Attack from Jean-Claw Pandamme: Discard a card.
  ? Player 0 chooses a card to discard: [Sawn] | Rob #1
  Player 0 discards Sawn.
  ? Player 1 may block: [do not block] | block with Jean-Claw Pandamme (5) | block with Knightmare (5 TOUGH)
  Kong #1 (12) is not blocked.
  Player 1 loses no life.
""",
            id="granted",
        ),
        pytest.param(
            [
                side(play=["killer_bee", "mantis"], hand=["sawn"]),
                side(play=["captain_hippo"], hand=["kong", "rob"]),
            ],
            {"script": ["attack killer_bee"]},
            """
  ? Player 0 has to choose one of these actions: [attack with Killer Bee (5 HUNTER)] | attack with Mantis (4 HUNTER)
  Player 0 attacks with Killer Bee (5 HUNTER).
  Killer Bee (5 HUNTER) fights Captain Hippo (7 FRENZY).
  Defeated: Killer Bee of player 0.
""",
            id="hippo",
        ),
        pytest.param(
            [side(play=["unigon"]), side(hand=["kong", "rob"])],
            {"script": ["attack unigon"]},
            """
  Player 0 attacks with Unigon (9).
  Unigon (player 0), Attack: If you have no cards in hand, you win the game.

Player 0 wins: the effect of Unigon decides the game.
Turns 1, life 3 : 3, unused Mindbugs 0 : 0 (player 0 : player 1).
""",
            id="won",
        ),
    ],
)
def test_story_from_a_position(sides: list[Side], how: dict[str, Any], text: str) -> None:
    """The exact words of one turn, for each system."""
    assert text.strip("\n") in "\n".join(story(sides, **how))
