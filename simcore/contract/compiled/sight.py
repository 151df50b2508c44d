"""The kernel ``look_at``: what a seat sees of a compiled game, as `simcore.contract.features`."""

from collections.abc import Callable, Iterator, Sequence

from simcore.contract.compiled.layout import Layout
from simcore.contract.state import SEERS, Cards, Choice, Number


class Sight:
    """The text of ``look_at``, and how many numbers it writes.

    ``positions`` gives the name of a list: by the number of a word its place among some words.
    """

    def __init__(self, layout: Layout, positions: Callable[[Sequence[str]], str]) -> None:
        self._layout, self._positions = layout, positions
        self._n_rows = layout.table.rows.shape[1]
        lines = ["found[:] = 0.0", "found[0] = s.acting >> seat & 1", "at = 1"]
        self.width, seats = 1, layout.table.seats
        for place, kind in enumerate(layout.table.game.kinds):
            if kind.each_seat:
                card = f"s.has[{place}, owner]"
                lines += self._for_each([f"_add_row(t, found, at, {card}, 1)"], self._n_rows)
                self.width += seats * self._n_rows
        for name, one in layout.declared.items():
            write, width = self._zone(name, one) if isinstance(one, Cards) else self._value(name)
            lines += self._for_each(write, width) if one.per_seat else [*write, f"at += {width}"]
            self.width += width * (seats if one.per_seat else 1)
        body = "\n    ".join([*lines, "return at"])
        self.text = f"@kernel\ndef look_at(s, t, seat, found):\n    {body}"

    @staticmethod
    def _for_each(lines: Sequence[str], width: int) -> Iterator[str]:
        """Lines for each seat in turn, from the one that looks."""
        yield "for ahead in range(t.seats):"
        yield "    owner = (seat + ahead) % t.seats"
        yield from (f"    {line}" for line in lines)
        yield f"    at += {width}"

    def _zone(self, name: str, one: Cards) -> tuple[list[str], int]:
        zone = f"{self._layout.zones[name]}{' + owner' if one.per_seat else ''}"
        first = 1 + self._n_rows
        lines = [f"_add_zone(s, t, seat, {zone}, found, at)"]
        lines += [
            f"_add_marks(s, t, seat, {zone}, {self._layout.marks[mark]}, found, at + {first + n})"
            for n, mark in enumerate(one.marks)
        ]
        return lines, first + len(one.marks)

    def _value(self, name: str) -> tuple[list[str], int]:
        """Lines that write a declared number or word, of one owner where each seat has it."""
        one = self._layout.declared[name]
        dims = [(what, of) for what, of in self._layout.dims(name) if what != "seats"]
        places, lines, width, depth = ["owner"] if one.per_seat else [], [], 1, 0
        offset = "0"
        for what, of in dims:
            if what == "entries":
                break
            n = of if what == "places" else len(of)
            lines.append("    " * depth + f"for i{depth} in range({n}):")
            places.append(f"i{depth}")
            offset, width, depth = f"({offset}) * {n} + i{depth}", width * n, depth + 1
        of_entries = [of for what, of in dims if what == "entries"]
        each = len(one.words) if isinstance(one, Choice) else self._n_rows if of_entries else 1
        at = f"at + ({offset}) * {each}"
        if of_entries:
            kinds = [self._layout.kinds[word] for word in of_entries[0]]
            for kind in kinds:  # those that are in this game
                card = f"s.cards[t.start[{kind}] + i]"
                value = f"s.v_{name}[{', '.join([*places, card])}]"
                lines.append("    " * depth + f"for i in range(s.n[{kind}]):")
                lines.append("    " * (depth + 1) + f"_add_row(t, found, {at}, {card}, {value})")
        else:
            value = f"s.v_{name}[{', '.join(places)}]" if places else f"s.v_{name}"
            if isinstance(one, Choice):
                lines.append(
                    "    " * depth + f"found[{at} + {self._positions(one.words)}[{value}]] = 1"
                )
            else:
                lines.append("    " * depth + f"found[{at}] = {value}")
        return self._if_seen(one, lines), width * each

    @staticmethod
    def _if_seen(one: Number, lines: Sequence[str]) -> list[str]:
        """Lines where the seat that looks sees a number, and nothing elsewhere."""
        by = one.seen_by if isinstance(one, Number) else SEERS[0]
        if by == "all":
            return [*lines]
        if not one.per_seat:
            # what nobody owns is seen by the others alone
            return [*lines] if by == "others" else ["pass"]
        test = {"owner": "owner == seat", "others": "owner != seat"}.get(by, "False")
        return [f"if {test}:", *(f"    {line}" for line in lines)]
