"""Minions come onto the tile, and the track is made (M13-M15, M73-M82, P5)."""

from collections.abc import Callable, Iterable, Mapping

from card_data.mice_and_mystics.facts import Encounter, Minion
from support.mice_and_mystics import attacks
from support.mice_and_mystics.decisions import Asking, ask
from support.mice_and_mystics.state import Figure, State

Worth = Callable[[int], object]


def place(game: State, groups: Mapping[str, int], *, surge: bool = False) -> list[Figure]:
    """Place minions on entry spaces in three steps (M74-M78); the figures that came."""
    placed: list[Figure] = []
    for step in (_is_small_ranged, _is_large, _is_small_melee):
        for name in game.box.minion_order:
            kind = game.box.minions[name]
            if step(kind):
                for _ in range(groups.get(name, 0)):
                    figure = _place_one(game, kind, placed)
                    if figure is None:
                        game.counts["minions_not_placed"] += 1
                        continue
                    placed.append(figure)
                    game.counts[f"placed_{figure.kind.id}"] += 1
                    game.counts[f"placed_by_surge_{figure.kind.id}"] += surge
    return placed


def _is_large(kind: Minion) -> bool:
    return kind.size == "large"


def _is_small_ranged(kind: Minion) -> bool:
    return kind.size == "small" and kind.attack == "ranged"


def _is_small_melee(kind: Minion) -> bool:
    return kind.size == "token" or (kind.size == "small" and kind.attack == "melee")


def _place_one(game: State, kind: Minion, placed: list[Figure]) -> Figure | None:
    """One figure, if the supply (M6) and the spaces (M78) have room for it."""
    space = _space_for(game, kind, placed) if _in_supply(game, kind) else None
    if space is None:
        return None
    used = {figure.number for figure in game.figures}
    number = next(i for i in range(len(used) + 1) if i not in used)
    if kind.id == "greedy_roach" and not game.greedy:  # M82, M127
        game.greedy = True
        for figure in game.figures:
            if figure.kind.id == "roach":
                figure.kind = kind
    elif kind.id == "roach" and game.greedy:
        kind = game.box.minions["greedy_roach"]
    figure = Figure(number, kind, space, cards=_two_cards(game, kind))
    game.figures.append(figure)
    game.figures.sort(key=lambda figure: figure.number)
    return figure


def _two_cards(game: State, kind: Minion) -> dict[str, int]:
    """The cards of a boss that come into play: two of them (M16)."""
    cards = [card.id for card in kind.cards]
    while len(cards) > 2:
        cards.pop(game.chance.below(len(cards)))
    return dict.fromkeys(cards, 0)


def _in_supply(game: State, kind: Minion) -> bool:
    pool = sum(figure.kind.figure_pool == kind.figure_pool for figure in game.figures)
    same = sum(figure.kind is kind for figure in game.figures)
    return pool < kind.figure_limit and (kind.token_limit is None or same < kind.token_limit)


def _space_for(game: State, kind: Minion, placed: list[Figure]) -> int | None:
    """The best entry space with room, or the best neighbour of one; ties at random (D7)."""
    together = game.switch["S17"] == "together"
    board = game.board
    mice = game.mice_here()
    worth: Worth
    if _is_large(kind):
        has_room = game.has_room_for_large

        def worth(space: int) -> object:
            return game.distance_to_mice(space, mice)

    else:

        def has_room(space: int) -> bool:
            return kind.size == "token" or not game.is_full(space)

        if _is_small_ranged(kind):

            def worth(space: int) -> object:
                fort = board.special[space] and board.has_red_lines
                begun = together and any(figure.space == space for figure in placed)
                return (not fort, -game.distance_to_mice(space, mice), not begun)

        else:

            def worth(space: int) -> object:
                return len(game.figures_at(space))

    neighbours = sorted({other for space in board.entry for other in board.steps[space]})
    for spaces in (board.entry, neighbours):
        free = [space for space in spaces if has_room(space) and not game.barred(space)]
        if free:
            return _one_of_the_best(game, free, worth)
    return None


def _one_of_the_best(game: State, spaces: list[int], worth: Worth) -> int:
    best = min(worth(space) for space in spaces)  # type: ignore[type-var]
    ties = [space for space in spaces if worth(space) == best]
    return ties[game.chance.below(len(ties))]


# --------------------------------------------------------------------------------------------------
# The track
# --------------------------------------------------------------------------------------------------


def _cards_present(game: State) -> list[str]:
    present = {card for figure in game.figures for card in game.cards_of(figure)}
    return [card for card in game.box.initiative if card in present]


def new_track(game: State) -> None:
    """M13: all cards shuffled."""
    game.track = [mouse.id for mouse in game.mice] + _cards_present(game)
    game.chance.shuffle(game.track)


def append_to_track(game: State) -> None:
    """M14 and M22: new cards alone, below the others; the first of a boss moves up (M16)."""
    others = bool(game.minion_cards())
    cards = [card for card in _cards_present(game) if card not in game.track]
    game.chance.shuffle(cards)
    game.track += cards
    for figure in game.figures:
        if others and len(figure.cards) > 1 and set(figure.cards) <= set(cards):
            _move_up(game, game.top_card(figure))


def _ambush(game: State) -> None:
    """M81: minion cards move up by a die each."""
    for card in game.minion_cards():
        _move_up(game, card)


def _move_up(game: State, card: str) -> None:
    number = game.box.faces[game.chance.die()].number
    place_now = game.track.index(card)
    game.track.remove(card)
    game.track.insert(max(0, place_now - number), card)


# --------------------------------------------------------------------------------------------------
# Encounters
# --------------------------------------------------------------------------------------------------


def encounter(game: State) -> Asking:
    """An unexplored tile is entered (P5, M72, M130)."""
    preset = game.rule_here("preset_minions")
    ambush = False
    if preset is not None:
        placed = place(game, _counts(preset.minions))
        new_track(game)
    else:
        card = _draw(game)
        groups = {} if card is None else _band(card, game.page)
        if card is not None and card.mousetraps:
            game.mousetraps = set(game.board.mousetraps)
        groups = yield from _disguises_window(game, groups)
        placed = place(game, groups)
        new_track(game)
        ambush = card is not None and card.ambush
    if ambush:
        game.counts["ambushes"] += 1
        _ambush(game)
    yield from attacks.preemptive_window(game, placed)


def _counts(groups: Iterable) -> dict[str, int]:
    return {group.type: group.count for group in groups}


def _draw(game: State) -> Encounter | None:
    """M73: the next encounter card lies face up, an older one is discarded."""
    if game.face_up is not None:
        game.encounter_discard.append(game.face_up)
        game.face_up = None
    if not game.encounter_deck and game.encounter_discard:
        game.encounter_deck, game.encounter_discard = game.encounter_discard, []
        game.chance.shuffle(game.encounter_deck)
    if not game.encounter_deck:
        return None
    game.face_up = game.encounter_deck.pop(0)
    game.counts["encounters"] += 1
    game.counts[f"drawn_{game.face_up}"] += 1
    return game.box.encounters[game.face_up]


def _band(card: Encounter, page: int) -> dict[str, int]:
    """The line of the card for a page; one above the last band uses the last."""
    fitting = [band for band in card.bands if band.first <= page]
    return _counts((fitting or card.bands)[-1].minions)


def _disguises_window(game: State, groups: dict[str, int]) -> Asking:
    """Disguises keep rat warriors from being placed (M117, S6); what is placed then."""
    covered = ["rat_warrior"] + ["elite_rat_warrior"] * (game.switch["S6"] == "yes")
    card = game.holds("disguises")
    if card is not None and any(groups.get(name, 0) for name in covered):
        chosen = yield from ask(game, "D9", None, [("PASS",), ("DISGUISES",)])
        if chosen[0] == "DISGUISES":
            game.party_cards.remove(card)
            game.search_discard.append(card)
            game.counts[f"used_{card}"] += 1
            return {name: n for name, n in groups.items() if name not in covered}
    return groups
