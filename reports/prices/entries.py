"""What else `fairdeal prices` answers of entries with fields: a price, a design and a sheet."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import frozen
from cyclopts import Group, Parameter

from card_data.faults import unknown_word
from reports.cli.console import InputError, print_table, print_wrapped
from reports.cli.options import decimal, to_place

if TYPE_CHECKING:
    import pandas as pd

    from analysis.questions.entry_designs import Design
    from analysis.questions.price_batches import Played, PriceBatches
    from analysis.questions.price_list import Price
    from reports.prices.text import Nouns

_FARTHEST, MOST_DESIGNS = 30, 15
_ARROW = "\N{RIGHTWARDS ARROW}"
_GROUP = Group("Asked of the list", sort_key=2)


@Parameter(name="*", group=_GROUP, help="What else the list is asked.")
@frozen(kw_only=True)
class EntryOptions:
    """What is asked of the list besides the list."""

    entry: Annotated[
        str | None,
        Parameter(help="Price this one alone, line by line: an id or a name."),
    ] = None
    target: Annotated[
        float | None,
        Parameter(
            converter=decimal,
            help="List which one or two other values bring --entry nearest to this many points; 0"
            " is the average.",
        ),
    ] = None
    keep: Annotated[
        str | None,
        Parameter(help="Values of --entry that stay for --target, separated by commas."),
    ] = None
    sheet: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="A spreadsheet to write (.xlsx), with the list and a formula that prices entries"
            " with other values.",
        ),
    ] = None

    def read(self, batches: "PriceBatches[Any]") -> "EntriesAsked":
        """What is asked of the list of a game.  Raises InputError."""
        check_asked(self.target, self.keep, self.sheet)
        played = None if self.entry is None else _named(batches, self.entry)
        if self.target is not None and played is None:
            raise InputError(
                f"--target is for one of the {_several(batches)}; name it: --entry"
                f" {batches.entries[0].entry.id}"
            )
        kept = _kept(batches, played, self.keep) if played and self.keep else ()
        return EntriesAsked(batches, played, self.target, kept, self.sheet)

    def for_players(self, players: Sequence[str]) -> Sequence[str]:
        """The players whose lists are made: one, if anything is asked of it.  Raises InputError."""
        given = [name for name in ("entry", "target", "sheet") if getattr(self, name) is not None]
        if given and len(players) > 1:
            raise InputError(
                f"--policy is {','.join(players)}, whose lists are compared; name one player for"
                f" --{given[0]}"
            )
        return players


#: Nothing is asked of the list.
ONLY_LIST = EntryOptions()


def check_asked(target: float | None, keep: str | None, sheet: Path | None) -> None:
    """Raise InputError for a sheet or a target that cannot be."""
    if sheet is not None and sheet.suffix != ".xlsx":
        raise InputError(f"--sheet is {sheet}; end its name in .xlsx")
    if target is None and keep is not None:
        raise InputError("--keep is for --target, such as --target 0")
    if target is not None and not -_FARTHEST <= target <= _FARTHEST:
        raise InputError(f"--target: {target:g} is not between -{_FARTHEST} and {_FARTHEST} points")


def _several(batches: "PriceBatches[Any]") -> str:
    """What entries of the list are called."""
    return nouns_of(batches).several


def nouns_of(batches: "PriceBatches[Any]") -> "Nouns":
    """What the entries of a list are called."""
    from card_data.schema.fields import plain_words
    from reports.prices.text import Nouns

    kinds = [one.kind for one in batches.entries]
    called = {(plain_words(kind.word), plain_words(kind.plural)) for kind in kinds}
    one, several = called.pop() if len(called) == 1 else ("entry", "entries")
    return Nouns(one, several, known=True)


def _named(batches: "PriceBatches[Any]", word: str) -> "Played":
    """The entry with an id or a name.  Raises InputError."""
    for one in batches.entries:
        if word.casefold() in (one.entry.id, one.entry.name.casefold()):
            return one
    known = [one.entry.id for one in batches.entries]
    raise InputError(f"--entry: {unknown_word(nouns_of(batches).one, word, known)}")


def _kept(batches: "PriceBatches[Any]", played: "Played", said: str) -> tuple[str, ...]:
    """The labels of values that stay, which may have commas themselves.  Raises InputError."""
    known = [one.label for one in batches.values(played)]
    parts, kept = [*filter(None, map(str.strip, said.split(",")))], list[str]()
    while parts:
        for n in range(len(parts), 0, -1):
            if (label := ", ".join(parts[:n])) in known:
                kept.append(label)
                del parts[:n]
                break
        else:
            raise InputError(f"--keep: {unknown_word('value', parts[0], known)}")
    return tuple(kept)


@frozen
class EntriesAsked:
    """What is asked of a list besides it."""

    batches: "PriceBatches[Any]"
    played: "Played | None"
    target: float | None
    kept: tuple[str, ...]
    sheet: Path | None

    @property
    def quick(self) -> bool:
        """Whether an entry is asked about, for which a page is not drawn again."""
        return self.played is not None

    def answer(
        self, tables: "Mapping[str, pd.DataFrame]"
    ) -> tuple[dict[str, Any], Sequence[Callable[[], None]]]:
        """The sheet, the designs and the price that are asked for: as JSON, and printed."""
        from analysis.questions.entry_designs import designs
        from analysis.questions.price_batches import EntryDescriber
        from analysis.questions.price_list import Pricer
        from reports.prices.text import headline

        pricer = Pricer.read(EntryDescriber(self.batches), tables)
        answer, shown = dict[str, Any](), list[Callable[[], None]]()
        if self.sheet is not None:
            from reports.prices.sheet import write_entry_sheet

            write_entry_sheet(self.sheet, pricer, tables, nouns_of(self.batches))
            answer["sheet"] = str(self.sheet)
        if self.played is not None:
            price = pricer.price(self.played)
            answer["cards"] = [price.as_json()]
            if self.target is None:
                quality = headline(tables, nouns_of(self.batches))
                shown.append(partial(print_prices, [price], [f"{quality}."]))
            else:
                found = designs(pricer, self.played, self.target, self.kept)[:MOST_DESIGNS]
                answer["designs"] = [*map(_design_json, found)]
                shown.append(partial(_print_designs, price, found, self.target))
        if self.sheet is not None and shown:
            shown.append(partial(print, f"sheet: {self.sheet}"))
        return answer, shown


def _design_json(one: "Design") -> dict[str, Any]:
    """A design for a program."""
    changes = [{"what": what, "before": was, "after": to} for what, was, to in one.changes]
    priced = {name: one.price.as_json()[name] for name in ("price", "ci_low", "ci_high")}
    return {"changes": changes, **priced}


def _print_designs(price: "Price", found: "Sequence[Design]", target: float) -> None:
    """The values that bring an entry nearest to a target."""
    from card_data.schema.changes import said
    from reports.kit.words import signed
    from reports.prices.text import ESTIMATE, card_text

    told = [f"{card_text(price, played=True)}."]
    if not found:
        print_wrapped([*told, "No other values of it have a price in this list."])
        return
    nearest = "the average" if target == 0 else f"{signed(target, 1)} points"
    print_wrapped([*told, f"Nearest to {nearest}, {ESTIMATE}:", ""])
    rows = []
    for one in found:
        changes = (f"{what} {said(was)} {_ARROW} {said(to)}" for what, was, to in one.changes)
        at, low, high = (
            signed(end or 0.0, 1) for end in (one.price.price, one.price.ci_low, one.price.ci_high)
        )
        rows.append(("; ".join(changes), at, f"{low} to {high}"))
    print_table(("change", "points", "interval"), rows, right=(1, 2))


def print_prices(priced: "Sequence[Price]", last: "Sequence[str]", *, played: bool = True) -> None:
    """The price of each, with its sum, and ``last`` lines; ``played`` as `card_text` has it."""
    from reports.prices.text import card_lines, card_text

    for price in priced:
        print_wrapped([card_text(price, played=played)])
        if lines := card_lines(price):
            print_table(("", ""), [("   " + line, points) for line, points in lines], right=(1,))
        print()
    print_wrapped(last)
