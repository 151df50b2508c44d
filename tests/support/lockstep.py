"""Two engines side by side: the same decisions, and everything compared after each of them."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from card_data.mindbug.schema import Card
from simcore.mindbug import CardTable, Game
from support.fast_game import FastGame, card_table
from support.positions import Decision, Option, Position, Side, hidden_anew
from support.random_twin import CHANCE, RandomStream, deal
from support.reference_cards import ALL_CARDS, POWER_CARDS, CardFacts, PowerCard
from support.reference_game import ReferenceGame
from support.reference_language import facts_of, power_card_of

Choose = Callable[[FastGame, Decision], Option]


def reference_cards(table: CardTable) -> dict[str, CardFacts]:
    """The cards of a table for the reference engine: written by hand where they are, else read."""
    return {card.card_id: ALL_CARDS.get(card.card_id) or facts_of(card) for card in table.cards}


def reference_power_cards(table: CardTable) -> dict[str, PowerCard]:
    """The power cards of a table for the reference engine, in the order of their numbers."""
    return {
        card.card_id: POWER_CARDS.get(card.card_id) or power_card_of(card)
        for card in table.power_cards
    }


def play_in_lockstep(fast: FastGame, reference: ReferenceGame, choose: Choose) -> Counter[str]:
    """Play both engines to the end with the same decisions; how often each point occurred.

    After every decision both must offer the same options to the same player in the same state; at
    the end both must have the same outcome.  The endings are counted as well.
    """
    counts: Counter[str] = Counter()
    history: list[object] = []
    while True:
        if _seen(fast) != _seen(reference):
            raise AssertionError(_report(fast, reference, history))
        decision = fast.decision
        if decision is None:
            counts[str(fast.ending)] += 1
            return counts
        option = choose(fast, decision)
        history.append((decision.point, decision.player, option))
        counts[decision.point] += 1
        fast.choose(option)
        reference.choose(option)


def _seen(game: FastGame | ReferenceGame) -> dict[str, object]:
    """The whole state, the decision and the outcome."""
    seen: dict[str, object] = {"over": game.over, "winner": game.winner, "ending": game.ending}
    if game.decision is not None:
        seen["point"] = game.decision.point
        seen["decider"] = game.decision.player
        seen["options"] = sorted(game.decision.options)
    return seen | game.snapshot()


def _report(fast: FastGame, reference: ReferenceGame, history: list[object]) -> str:
    """What differs, and how it came about."""
    seen, expected = _seen(fast), _seen(reference)
    lines = ["the engines differ"]
    for key in sorted(seen.keys() | expected.keys()):
        if seen.get(key) != expected.get(key):
            lines.append(f"  {key}: fast      {seen.get(key)}")
            lines.append(f"  {key}: reference {expected.get(key)}")
    lines.append(f"  cards: {dict(enumerate(reference.card_ids))}")
    lines += ["  decisions so far:", *(f"    {step}" for step in history)]
    return "\n".join(lines)


# --------------------------------------------------------------------------------------------------
# Whole games
# --------------------------------------------------------------------------------------------------


def pair_from_deal(
    table: CardTable, seed: int, game: int, cards: Mapping[str, CardFacts]
) -> tuple[FastGame, ReferenceGame]:
    """A game of the fast engine, and one of the reference engine from the same deal."""
    modes = table.modes
    rows = table.rows[0]
    pool = [int(row) for row in rows["pool"][: table.pool_size]]
    powers = [table.cards[row].power for row in pool]
    n_power_cards = len(table.power_cards) if modes.kot_parts else 0
    ways = modes.who_starts, modes.hand_size
    dealt = deal(pool, powers, seed, game, n_power_cards, *ways)
    ids = [table.cards[row].card_id for row in dealt.cards]
    chance = RandomStream(seed, game, CHANCE)
    reference = ReferenceGame.from_deal(
        (ids[:10], ids[10:]),
        dealt.first_player,
        pick_random=chance.pick,
        roll=chance.below,
        unused=[table.cards[row].card_id for row in dealt.unused],
        power_deck=dealt.power_deck,
        kot_parts=modes.kot_parts,
        life=modes.life,
        mindbugs=modes.mindbugs,
        hand_size=modes.hand_size,
        after_mindbug=modes.after_mindbug,
        turn_cap=modes.turn_cap,
        effect_cap=modes.effect_cap,
        at_turn_cap=modes.at_turn_cap,
        cards=cards,
        power_cards=reference_power_cards(table),
    )
    return FastGame(Game(table, seed=seed, game=game)), reference


def like_the_policy(policy: str) -> Choose:
    """Choose what a policy of the fast engine chooses."""

    def choose(fast: FastGame, decision: Decision) -> Option:
        return decision.options[fast.game.choose(policy)]

    return choose


def at_random(rng: random.Random) -> Choose:
    """Choose any option."""

    def choose(fast: FastGame, decision: Decision) -> Option:
        return rng.choice(decision.options)

    return choose


# --------------------------------------------------------------------------------------------------
# Random positions
# --------------------------------------------------------------------------------------------------


def random_position(rng: random.Random, table: CardTable) -> Position:
    """A position with crowded play areas, in which abilities meet that rarely do in a game."""
    kot_parts = table.modes.kot_parts
    power_cards = [card.card_id for card in table.power_cards] if kot_parts else []
    rng.shuffle(power_cards)
    deck = [card.card_id for card in table.cards if card.stage == 1]
    return Position(
        _random_side(rng, table.cards, deck, kot_parts),
        _random_side(rng, table.cards, deck, kot_parts),
        active=rng.randrange(2),
        after_mindbug=table.modes.after_mindbug,
        unused=rng.choices(deck, k=rng.randint(0, 3)),
        power_deck=power_cards[: rng.randint(0, 8)],
        kot_parts=kot_parts,
    )


def _random_side(
    rng: random.Random, cards: Sequence[Card], deck: Sequence[str], kot_parts: bool
) -> Side:
    """What one player has; 29 cards and 3 boost cards at most, so that all fit into the slots."""

    def some(most: int) -> list[str]:
        return rng.choices(deck, k=rng.randint(0, most))

    play = [rng.choice(cards).card_id for _ in range(rng.randint(0, 6))]
    play = [f"{card_id} exhausted" if rng.random() < 0.3 else card_id for card_id in play]
    boosts = some(3) if play and rng.random() < 0.4 else []
    if boosts:
        play[0] += f" boosts:{','.join(boosts)}"
    return Side(
        play=play,
        hand=some(7),
        draw=some(6),
        discard=some(7),
        life=rng.randint(1, 5),
        mindbugs=rng.randint(0, 2),
        energy=rng.randint(0, 4) if kot_parts else 0,
    )


def alike_but_for_hidden(n: int) -> Iterator[tuple[Game, Game]]:
    """Games that differ only in what whoever decides cannot see (R4), from up to ``n`` positions.

    What a card finds in a hidden place may decide whether its Action does something (R99): such
    positions are left out.
    """
    table = card_table()
    deck = [card.card_id for card in table.cards if card.stage == 1]
    for number in range(n):
        rng = random.Random(number)
        position = random_position(rng, table)
        for side in (position.alice, position.bob):  # a full hand: no refill changes it
            side.hand = (side.hand + ["gorillion"] * 5)[:5]
        one, other = (
            FastGame.from_position(at, table=table, seed=number).game
            for at in (position, hidden_anew(rng, position, deck))
        )
        if not one.over and one.options == other.options:
            yield one, other


def pair_from_position(
    position: Position, table: CardTable, cards: Mapping[str, CardFacts], *, seed: int = 0
) -> tuple[FastGame, ReferenceGame]:
    """Both engines at the turn action of a position, with the caps of the table."""
    fast = FastGame.from_position(position, table=table, seed=seed)
    chance = RandomStream(seed, 0, CHANCE)
    reference = ReferenceGame.from_position(
        position,
        pick_random=chance.pick,
        roll=chance.below,
        turn_cap=table.modes.turn_cap,
        effect_cap=table.modes.effect_cap,
        at_turn_cap=table.modes.at_turn_cap,
        cards=cards,
        power_cards=reference_power_cards(table),
    )
    return fast, reference
