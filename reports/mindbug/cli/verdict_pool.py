"""What `fairdeal verdict` is asked about: the card, and what it is played with."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from reports.cli.console import InputError
from reports.mindbug.cli.named_cards import ALL, guesses, read_card
from reports.mindbug.cli.options import PoolOptions
from reports.verdict.command import check_number
from simcore.commands import command

if TYPE_CHECKING:
    from card_data.mindbug.schema import Card, CardSet, Pool

# What a card of one's own is mixed into unless something else is said; one with dice needs a set
# that has them in play.
_USUAL_SET, _SET_WITH_DICE = "first_contact", "king_of_tokyo"
#: Different cards that a verdict needs: the card itself, and two average ones in its place.
_FEWEST = 3


@frozen
class Named:
    """A card and its pool, the sets and options that name the pool, and what was assumed."""

    pool: "Pool"
    card: "Card"
    sets: tuple[str, ...]
    options: PoolOptions
    note: str = ""


def read_cases(
    card: str,
    named: Sequence[str],
    options: PoolOptions,
    said: Mapping[str, Any] = MappingProxyType({}),
) -> list[Named]:
    """The card, or each one of a card file, and what it is played with.

    ``said`` are the other options that the command was given.

    Raises InputError and CardFileError.
    """
    from card_data.mindbug.loader import is_pool_file
    from card_data.mindbug.pool_reader import split_names
    from card_data.mindbug.variants import dealt_cards

    if card == ALL:
        raise InputError("a verdict is on one card; 'fairdeal balance' judges all of them")
    parts, wanted, modes = split_names(named), [card], options.mode_words()
    if card.endswith(".toml"):
        wanted = _cards_of_file(card, [*options.typed(named), *modes], said)
        parts.append(card)
    files = [one for one in parts if one.endswith(".toml") and not is_pool_file(Path(one))]
    sets = [one for one in parts if one not in files]
    own = list(dict.fromkeys([*map(str, options.cards or ()), *files]))
    note = ""
    if not sets and options.pool is None:
        if not own:
            sets, own = find_pool(wanted[0], ("verdict", *modes), said, of_all=("balance",))
        elif not is_whole(own):
            sets = homes(own)
        else:
            sets, own = own, []
        if not named and not options.cards:
            note = f"played with {' + '.join([*sets, *own])}"
    options = evolve(options, cards=[Path(one) for one in own] or None)
    pool = options.load(sets)
    if (n := len(dealt_cards(pool))) < _FEWEST:
        raise InputError(
            f"a verdict sets a card beside {_FEWEST - 1} others at least, and here"
            f" {n} card{'s are' if n > 1 else ' is'} dealt in all; name a set or more cards"
        )
    cards = [read_card(pool, one) for one in wanted]
    return [Named(pool, one, tuple(sets), options, note) for one in cards]


def _cards_of_file(file: str, named: Sequence[str], said: Mapping[str, Any]) -> list[str]:
    """The ids of the cards in a card file that are dealt.  Raises InputError and CardFileError."""
    from card_data.mindbug import load_set

    ids = [card.card_id for card in load_set(Path(file)).cards if card.copies]
    check_number(file, ids, [file, *named], said)
    return ids


def find_pool(
    wanted: str,
    asked: Sequence[str],
    said: Mapping[str, Any] = MappingProxyType({}),
    *,
    of_all: Sequence[str],
) -> tuple[list[str], list[str]]:
    """The set that has a card, or the card file of this folder that has it and its sets.

    ``asked`` is the command and the modes it was given, ``said`` its other options, and ``of_all``
    the words that ask about all cards of a set.

    Raises InputError where none has it, several files do, or it is the name of a set.
    """
    from card_data.mindbug import available_sets, load_sets

    if wanted in available_sets():
        instead = command(*of_all, wanted)
        raise InputError(f"{wanted} is a set; name a card before it, or ask about all: {instead}")
    shipped = load_sets(available_sets())
    found = [one.set_id for one in shipped if _has(one, wanted)]
    if found:
        return found[:1], []
    files = {path.name: one for path in sorted(Path().glob("*.toml")) if (one := _cards_in(path))}
    own = [name for name, one in files.items() if _has(one, wanted)]
    if len(own) > 1:
        again = command(asked[0], wanted, own[0], *asked[1:], **said)
        raise InputError(f"{wanted} is in {' and in '.join(own)}; name the file: {again}")
    if own:
        return ([], own) if is_whole(own) else (homes(own), own)
    known = [name for one in [*shipped, *files.values()] for name in _names(one)]
    likely = " or ".join(f"'{guess}'" for guess in guesses(wanted.casefold(), known))
    advice = f"did you mean {likely}?" if likely else "'fairdeal cards list' lists those there are."
    raise InputError(
        f"there is no card '{wanted}' in the sets that come with fairdeal, or in a card file of"
        f" this folder; {advice}"
    )


def known_names() -> set[str]:
    """Ids and names of the cards that come with fairdeal, and of this folder's card files."""
    from card_data.mindbug import available_sets, load_sets

    own = [one for path in Path().glob("*.toml") if (one := _cards_in(path))]
    return {name for one in [*load_sets(available_sets()), *own] for name in _names(one)}


def _cards_in(path: Path) -> "CardSet | None":
    """The cards of a card file; None for another file, or one that cannot be read."""
    from card_data.mindbug import CardFileError, load_set

    try:
        return load_set(path)
    except CardFileError:
        return None


def _names(card_set: "CardSet") -> list[str]:
    """Ids and names of all cards, of those that are never dealt as well: `read_card` says so."""
    creatures = [(card.card_id, card.name) for card in card_set.cards]
    others = [(card.card_id, card.name) for card in card_set.power_cards]
    return [name for card_id, name in creatures + others for name in (card_id, name.casefold())]


def _has(card_set: "CardSet", wanted: str) -> bool:
    return wanted in _names(card_set) or wanted.casefold() in _names(card_set)


def is_whole(files: Sequence[str]) -> bool:
    """Whether card files have enough cards to be played by themselves."""
    from card_data.mindbug.pool import load_cards
    from card_data.mindbug.pool_reader import MIN_CARDS

    sets = load_cards(files)
    return sum(card.copies for one in sets for card in one.cards) >= MIN_CARDS


def homes(files: Sequence[str]) -> list[str]:
    """The sets whose cards some card files change, else those that new cards are mixed into."""
    from card_data.mindbug import available_sets, load_sets
    from card_data.mindbug.pool import load_cards

    cards = {card.card_id: card for one in load_cards(files) for card in one.cards}
    found = [
        one.set_id
        for one in load_sets(available_sets())
        if any(card.card_id in cards for card in one.cards)
    ]
    dice = any(card.dice for card in cards.values())
    return found or [_SET_WITH_DICE if dice else _USUAL_SET]
