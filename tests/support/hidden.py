"""What R4 hides from a player of Mindbug, by the names of cards."""

from collections.abc import Sequence

from simcore.mindbug import Game


def named(game: Game, slots: Sequence[int]) -> set[str]:
    """The names of the cards in some slots."""
    return {game.card(slot).name for slot in slots}


def hidden_and_open(game: Game, seat: int) -> tuple[set[str], set[str]]:
    """The names of the cards that R4 hides from a player, and of those that it does not."""
    position, details = game.snapshot(), game.details()
    mine, theirs = position["players"][seat], position["players"][1 - seat]
    hidden = [*mine["draw"], *theirs["draw"], *theirs["hand"], *details["unused"]]
    boosts = [slot for one in position["creatures"].values() for slot in one["boosts"]]
    lies_open = [*mine["hand"], *position["limbo"], *position["set_aside"], *boosts]
    for player in (mine, theirs):
        lies_open += [*player["play"], *player["discard"]]
    words_offered = {option.word for option in game.options}
    if "pile" in words_offered or {"play", "keep"} == words_offered:
        lies_open += details["gathered"]  # an effect reveals it
    if game.decider == seat and "pair" not in words_offered:
        lies_open += [option.slot for option in game.options if option.slot >= 0]
    return named(game, hidden), named(game, lies_open)
