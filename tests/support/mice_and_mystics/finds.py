"""Searching, what is found, gear and sharing (M61-M66, M100, M101, P8, D4, D5)."""

from support.mice_and_mystics import clock, moves
from support.mice_and_mystics.attacks import ability_entries, pay_for, roll
from support.mice_and_mystics.decisions import Asking, Entry, ask
from support.mice_and_mystics.state import PACK_LIMIT, PAWS, Mouse, State

SUBMENU_LIMIT = 12  # D5

# --------------------------------------------------------------------------------------------------
# Search
# --------------------------------------------------------------------------------------------------


def may_search(game: State, mouse: Mouse) -> bool:
    """M61; after a success a mouse may still look for a friend (M126, S22)."""
    if game.switch["S22"] == "instead" and game.can_find_friend():
        return True
    return game.search_key() not in mouse.searched


def search(game: State, mouse: Mouse) -> Asking:
    """P8."""
    game.counts["search_tries"] += 1
    dice = 1
    keen = ability_entries(game, mouse, "search")
    if keen:
        entry = yield from ask(game, "D9", mouse, [("PASS",), *keen])
        if entry[0] != "PASS":
            pay_for(game, mouse, entry[1])
            effects = game.box.abilities[entry[1]].effect
            dice += sum(int(effect["delta"]) for effect in effects)
    if not any(face.star for face in roll(game, dice)):
        return
    if game.can_find_friend():
        yield from moves.bring_back(game, mouse)
        if game.switch["S22"] == "instead":
            return
    game.counts["search_success"] += 1
    mouse.searched.add(game.search_key())
    ways = ability_entries(game, mouse, "on_successful_search")
    if game.innate(mouse, "may_search_for_party_item") and _first_party_card(game) is not None:
        ways.append(("REACT", "may_search_for_party_item"))
    chosen: Entry = ("PASS",)
    if ways:
        chosen = yield from ask(game, "D9", mouse, [("PASS",), *ways])
    if chosen[0] == "PASS":
        card = draw(game)
        if card is not None:
            yield from find(game, mouse, card)
    elif chosen[1] == "may_search_for_party_item":
        card = game.search_deck.pop(_first_party_card(game))
        _count_drawn(game, card)
        game.chance.shuffle(game.search_deck)
        yield from find(game, mouse, card)
    else:
        pay_for(game, mouse, chosen[1])
        effect = game.box.abilities[chosen[1]].effect[0]
        yield from draw_and_keep(game, mouse, int(effect["draw"]))


def _first_party_card(game: State) -> int | None:
    """M133: where the topmost party card of the search deck is."""
    places = (i for i, c in enumerate(game.search_deck) if game.box.cards[c].type == "party")
    return next(places, None)


def draw(game: State) -> str | None:
    """The top card of the search deck, which is remade when it is needed (M66)."""
    if not game.search_deck:
        game.search_deck, game.search_discard = game.search_discard, []
        game.chance.shuffle(game.search_deck)
    if not game.search_deck:
        return None
    card = game.search_deck.pop(0)
    _count_drawn(game, card)
    return card


def _count_drawn(game: State, card: str) -> None:
    game.counts["cards_drawn"] += 1
    game.counts[f"drawn_{card}"] += 1


def draw_and_keep(game: State, mouse: Mouse, n: int) -> Asking:
    """Draw n cards, find one of them and discard the others without effect."""
    cards = [card for card in (draw(game) for _ in range(n)) if card is not None]
    if not cards:
        return
    kinds = cards if game.switch["S19"] == "each" else list(dict.fromkeys(cards))
    entries: list[Entry] = [("PICK", card) for card in kinds]
    chosen = yield from ask(game, "D4", mouse, entries)
    cards.remove(chosen[1])
    game.search_discard += cards
    yield from find(game, mouse, chosen[1])


def find(game: State, mouse: Mouse, card: str) -> Asking:
    """M62: what a found card does."""
    facts = game.box.cards[card]
    if facts.type == "party":
        game.party_cards.append(card)
    elif facts.type == "event":
        try:
            _event(game, mouse, card)
        finally:  # although it may have ended the game
            game.search_discard.append(card)
        yield from clock.settle_surge(game)
    else:
        entry = yield from ask(game, "D4", mouse, [("KEEP",), ("DISCARD",)], card=card)
        if entry[0] == "DISCARD":
            game.search_discard.append(card)
            clock.gain(game, mouse, 1, "discard")
            return
        mouse.pack.append(card)
        yield from keep_to_the_limit(game, mouse, "D4")


def keep_to_the_limit(game: State, mouse: Mouse, point: str) -> Asking:
    """M63, D5: with a card too many in the pack, one that is no trick is discarded."""
    if game.pack_load(mouse) > PACK_LIMIT:
        spare = [name for name in mouse.pack if not game.is_trick(name)]
        drops: list[Entry] = [("DROP", name) for name in game.box.in_order(spare)]
        dropped = yield from ask(game, point, mouse, drops, kind="drop")
        mouse.pack.remove(dropped[1])
        game.search_discard.append(dropped[1])
        game.counts["cards_overflow"] += 1


def _event(game: State, mouse: Mouse, card: str) -> None:
    """What an event does to the searcher; a surge is for the caller to settle."""
    for effect in game.box.cards[card].effect:
        if effect.op == "mouse_missing_until_search":
            _abduction(game, mouse)
        elif effect.op == "wound":
            clock.wound(game, mouse, int(effect["amount"]), "event")
            clock.capture_if_beaten(game, mouse, "event")
        elif effect["to"] == "wheel":
            game.wheel += int(effect["amount"])
            game.counts["wheel_in_event"] += int(effect["amount"])
        else:
            clock.gain(game, mouse, int(effect["amount"]), "event")


def _abduction(game: State, searcher: Mouse) -> None:
    """M126: another mouse on the tile goes missing."""
    others = [mouse for mouse in game.mice_here() if mouse is not searcher]
    if not others:
        return
    mouse = others[game.chance.below(len(others))]
    mouse.space = None
    mouse.missing = True
    mouse.knocked_down = False
    if game.turn and game.turn.mouse is mouse:
        game.turn.over = True
    clock.check_win(game)


# --------------------------------------------------------------------------------------------------
# Equipping
# --------------------------------------------------------------------------------------------------


def is_paw_card(game: State, card: str) -> bool:
    facts = game.box.cards[card]
    return facts.type == "weapon" or facts.slot == "paw"


def has_slot(game: State, card: str) -> bool:
    return is_paw_card(game, card) or bool(game.box.cards[card].slot)


def paws_used(game: State, mouse: Mouse, cards: list[str]) -> int:
    """Paws that these cards need; a tail holds one card of its own (M64)."""
    paws = sum(game.box.cards[card].paws for card in cards if is_paw_card(game, card))
    tail = game.innate(mouse, "extra_paw_slot")
    if tail is not None and tail["only"] in cards:
        paws -= game.box.cards[str(tail["only"])].paws
    return paws


def displaced_by(game: State, mouse: Mouse, card: str) -> list[list[str]]:
    """The choices of equipped cards that go to the pack when a card is put on (D5).

    An empty list of cards: it fits as it is.
    """
    slot = game.box.cards[card].slot
    if not is_paw_card(game, card):
        return [[worn for worn in mouse.equipped if game.box.cards[worn].slot == slot]]
    if paws_used(game, mouse, [*mouse.equipped, card]) <= PAWS:
        return [[]]
    held = [worn for worn in mouse.equipped if is_paw_card(game, worn)]
    tail = game.innate(mouse, "extra_paw_slot")
    single = []
    for worn in game.box.in_order(held):
        rest = list(mouse.equipped)
        rest.remove(worn)
        if paws_used(game, mouse, [*rest, card]) <= PAWS:
            single.append([worn])
    if game.switch["S20"] == "no" and tail is not None and tail["only"] in held:
        held.remove(tail["only"])
    return single or [held]


def put_entries(game: State, mouse: Mouse) -> list[tuple[Entry, list[str]]]:
    """PUT entries with the cards that each displaces."""
    entries = []
    for card in game.box.in_order(mouse.pack):
        if not has_slot(game, card) or not game.meets(mouse, card):
            continue
        for displaced in displaced_by(game, mouse, card):
            if game.pack_load(mouse) - 1 + len(displaced) > PACK_LIMIT + 1:
                continue  # one more is discarded at once
            entry: Entry = ("PUT", card)
            if displaced and is_paw_card(game, card):
                entry = (*entry, displaced[0] if len(displaced) == 1 else "all")
            entries.append((entry, displaced))
    return entries


def equip_entries(game: State, mouse: Mouse) -> list[tuple[Entry, list[str]]]:
    """All changes of gear that D5 offers besides STOP."""
    entries = put_entries(game, mouse)
    if game.pack_load(mouse) < PACK_LIMIT:
        for card in game.box.in_order(mouse.equipped):
            entries.append((("TAKE_OFF", card), [card]))
    return entries


def equip(game: State, mouse: Mouse) -> Asking:
    """The sub-menu of EQUIP (M101, D5)."""
    game.counts["equips"] += 1
    for _ in range(SUBMENU_LIMIT):
        changes = equip_entries(game, mouse)
        entries: list[Entry] = [("STOP",), *(entry for entry, _ in changes)]
        chosen = yield from ask(game, "D5", mouse, entries, kind="equip", displaced=dict(changes))
        if chosen[0] == "STOP":
            return
        displaced = dict(changes)[chosen]
        for card in displaced:
            mouse.equipped.remove(card)
            mouse.pack.append(card)
        if chosen[0] == "PUT":
            mouse.pack.remove(chosen[1])
            mouse.equipped.append(chosen[1])
            game.counts[f"equipped_{chosen[1]}"] += 1
            yield from keep_to_the_limit(game, mouse, "D5")


# --------------------------------------------------------------------------------------------------
# Sharing
# --------------------------------------------------------------------------------------------------


def share_entries(game: State, mouse: Mouse, other: Mouse) -> list[Entry]:
    """Transfers that D5 offers besides STOP."""
    entries: list[Entry] = []
    if mouse.cheese:
        entries.append(("GIVE_CHEESE",))
    if other.cheese:
        entries.append(("TAKE_CHEESE",))
    for word, giver, receiver in (("GIVE", mouse, other), ("TAKE", other, mouse)):
        has_room = game.pack_load(receiver) < PACK_LIMIT
        cards = game.box.in_order(giver.pack + giver.equipped)
        entries += [(word, card) for card in cards if has_room or game.is_trick(card)]
    return entries


def share(game: State, mouse: Mouse, other: Mouse) -> Asking:
    """The sub-menu of SHARE (M100, D5)."""
    game.counts["shares"] += 1
    for _ in range(SUBMENU_LIMIT):
        entries = [("STOP",), *share_entries(game, mouse, other)]
        chosen = yield from ask(game, "D5", mouse, entries, kind="share", other=other)
        if chosen[0] == "STOP":
            return
        game.counts["share_transfers"] += 1
        giver, receiver = (mouse, other) if chosen[0].startswith("GIVE") else (other, mouse)
        if len(chosen) == 1:
            giver.cheese -= 1
            receiver.cheese += 1
        else:
            held = giver.pack if chosen[1] in giver.pack else giver.equipped
            held.remove(chosen[1])
            receiver.pack.append(chosen[1])
