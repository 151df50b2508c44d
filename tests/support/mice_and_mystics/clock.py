"""Cheese, wheel, pages, wounds, captures and how a game ends (M82-M85, M104-M106, M114, M134)."""

from support.mice_and_mystics import attacks, placement
from support.mice_and_mystics.decisions import Asking, Entry, ask
from support.mice_and_mystics.state import Figure, GameOver, Mouse, State

# --------------------------------------------------------------------------------------------------
# Cheese
# --------------------------------------------------------------------------------------------------


def gain(game: State, mouse: Mouse, amount: int, source: str) -> None:
    """A mouse gets cheese."""
    mouse.cheese += amount
    game.counts[f"cheese_in_{source}"] += amount
    game.counts[f"cheese_income_{mouse.id}"] += amount


def pay(game: State, mouse: Mouse, amount: int, purpose: str) -> None:
    """A mouse gives cheese away."""
    mouse.cheese -= amount
    game.counts[f"cheese_out_{purpose}"] += amount


def put_on_wheel(game: State, amount: int, source: str) -> Asking:
    """Cheese comes onto the wheel, several at once (M84)."""
    if amount:
        game.wheel += amount
        game.counts[f"wheel_in_{source}"] += amount
        if game.switch["S2"] == "at_once":
            yield from settle_surge(game)


def settle_surge(game: State) -> Asking:
    """M83, as often as the wheel is full."""
    while game.wheel >= game.wheel_size:
        yield from surge(game)


def surge(game: State) -> Asking:
    """M83, M85 and P5."""
    game.counts["surges"] += 1
    advance_page(game)
    placed: list[Figure] = []
    rule = game.rule_here("surge_minions")
    if rule is not None:
        own = {group.type: group.count for group in rule.minions}
        placed = placement.place(game, own, surge=True)
        placement.append_to_track(game)
    elif game.face_up is not None:
        groups = game.box.encounters[game.face_up].surge
        placed = placement.place(game, {group.type: group.count for group in groups}, surge=True)
        placement.append_to_track(game)
        game.encounter_discard.append(game.face_up)
        game.face_up = None
    game.counts["surges_with_minions"] += bool(placed)
    game.counts["wheel_out_surge"] += game.wheel
    game.wheel = 0
    yield from attacks.preemptive_window(game, placed)


def advance_page(game: State) -> None:
    """The hourglass moves one page, which may lose the chapter (M85, M104)."""
    game.page += 1
    if game.page >= game.page_end and "page_end" in game.chapter.lose:
        raise GameOver("loss_page")


# --------------------------------------------------------------------------------------------------
# Wounds and captures
# --------------------------------------------------------------------------------------------------


def wound(game: State, mouse: Mouse, amount: int, cause: str, *, poison: bool = False) -> None:
    """A mouse takes wounds, counted beyond its life too; capture is another step (P7)."""
    if poison:
        mouse.poison += amount
        game.counts["wounds_poison"] += amount
    else:
        mouse.wounds += amount
    game.counts["wounds_total"] += amount
    game.counts[f"wounds_{cause}"] += amount


def capture_if_beaten(game: State, mouse: Mouse, cause: str) -> None:
    if game.life_left(mouse) <= 0:
        capture(game, mouse, cause)


def capture(game: State, mouse: Mouse, cause: str) -> None:
    """M104-M106."""
    mouse.space = None
    mouse.captured = True
    pay(game, mouse, mouse.cheese, "capture")
    for card in game.box.in_order(mouse.equipped):
        while card in mouse.equipped and not is_starting_gear(game, mouse, card):
            mouse.equipped.remove(card)
            game.search_discard.append(card)
    mouse.wounds = mouse.poison = 0
    mouse.stunned = mouse.webbed = mouse.knocked_down = False
    game.counts["captures"] += 1
    game.counts[f"captures_{cause}"] += 1
    game.counts[f"captures_{mouse.id}"] += 1
    if game.turn and game.turn.mouse is mouse:
        game.turn.over = True
    advance_page(game)
    check_all_captured(game)
    check_win(game)


def is_starting_gear(game: State, mouse: Mouse, card: str) -> bool:
    """Starting gear of the party, or of the mouse, stays on through a capture (M104, S21)."""
    owners = game.mice if game.switch["S21"] == "of_party" else [mouse]
    return any(card in owner.hero.starting_gear for owner in owners)


def check_all_captured(game: State) -> None:
    """M105, with S10."""
    loses = game.switch["S10"] == "yes" and "all_mice_captured" in game.chapter.lose
    if loses and not game.mice_here():
        raise GameOver("loss_captured")


def check_win(game: State) -> None:
    """M114: after every turn and after every removal of a figure."""
    win = game.chapter.win
    if win.tile != game.board.id:
        return
    if win.op == "room_cleared":
        won = not game.figures
    else:
        goal = game.board.index[win.space]
        here = game.mice_here()
        won = bool(here) and all(mouse.space == goal for mouse in here)
        won = won and not (win.requires_no_minions and game.figures)
    if won:
        raise GameOver("win")


# --------------------------------------------------------------------------------------------------
# Minions that leave
# --------------------------------------------------------------------------------------------------


def wound_figure(game: State, figure: Figure, wounds: int, by: Mouse, means: str) -> Asking:
    """A minion takes wounds; whether that defeats it (M57, M58)."""
    game.counts[f"wounds_dealt_{by.id}"] += wounds
    if figure.cards:
        yield from _wound_cards(game, figure, wounds, by)
        beaten = not figure.cards
    else:
        figure.wounds += wounds
        beaten = figure.wounds >= figure.kind.life
    if beaten:
        defeat(game, figure, by, means)
    return beaten


def _wound_cards(game: State, figure: Figure, wounds: int, by: Mouse) -> Asking:
    """D8: which card of a boss takes each wound; one with enough of them leaves the track."""
    while wounds and figure.cards:
        entries: list[Entry] = [("WOUND", card) for card in game.cards_of(figure)]
        card = (yield from ask(game, "D8", by, entries))[1]
        wounds -= 1
        figure.wounds += 1
        figure.cards[card] += 1
        if figure.cards[card] >= game.box.boss_cards[card].life:
            del figure.cards[card]
            _take_card(game, card)


def _take_card(game: State, card: str) -> None:
    """A card leaves the track (M17)."""
    game.track.remove(card)
    game.acted.discard(card)
    game.slowed.discard(card)


def leave(game: State, figure: Figure) -> None:
    """A minion leaves the tile, and perhaps its card the track (M17, M82)."""
    cards = game.cards_of(figure)
    game.figures.remove(figure)
    for card in cards:
        if all(card not in game.cards_of(other) for other in game.figures):
            _take_card(game, card)
    if not any(other.kind.figure_pool == "roach" for other in game.figures):
        game.greedy = False


def defeat(game: State, figure: Figure, by: Mouse, means: str) -> None:
    """A minion is defeated by a mouse (M17, M134)."""
    leave(game, figure)
    game.counts[f"kills_{by.id}_{figure.kind.id}"] += 1
    game.counts[f"kills_{means}"] += 1
    if means in {"attack", "spark"}:
        pilfer(game, figure, by)
    check_win(game)


def pilfer(game: State, figure: Figure, by: Mouse) -> None:
    """M134."""
    effect = game.innate(by, "pilfer")
    if effect is None:
        return
    gain(game, by, int(effect["cheese"]), "pilfer")
    kind = "rat_takes_from" if "rat" in figure.kind.tags else "other_takes_from"
    if effect[kind] == "wheel_then_supply" and game.wheel:
        game.wheel -= 1
        game.counts["wheel_out_pilfer"] += 1
