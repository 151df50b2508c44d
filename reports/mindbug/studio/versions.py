"""Versions of a card side by side in the studio, and how those are played that were not yet."""

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from analysis.verdicts import BAND
from reports.cli.console import InputError
from reports.kit.verdicts import KINDS
from reports.kit.words import bare_percent, between, count, display_name
from reports.studio import history
from reports.studio.bench import Chart, Chosen, Row, Show, Trial, Tried
from reports.studio.project import RUNS
from reports.studio.rows import LONGEST, UNKNOWN, games_choice
from reports.studio.side_by_side import chosen_versions

if TYPE_CHECKING:
    import pandas as pd

    from card_data.mindbug.schema import Card, Pool
    from reports.studio.work import Asked

# Percentage points either way of half of the games that the chart shows at least.
_LEAST_REACH = 4
_HALF = 50
_MORE = ("Measured", "Day", "Players", "Games", "Note")

#: The options of a pool, and the sets that are named, for a file and what was chosen.
PoolOf = Callable[[Path, Chosen], tuple[dict[str, Any], tuple[str, ...]]]


def trial(pool_of: PoolOf) -> Trial:
    """The experiment as it can be asked for."""
    return Trial(
        "Versions side by side",
        "Shows every version of the card that was played in this folder. Choose versions that are"
        " to be played as well: they and the card as it is now are played by the same players with"
        " the other cards of today, so that all can be compared.",
        "Side by side",
        partial(_side_by_side, pool_of),
        [games_choice({"100000": "100,000 of each"}, 10_000, 400_000)],
        with_versions=True,
    )


@frozen
class _Saved:
    """A card as it was saved: its stages, what it says, in which versions of its file, and why."""

    cards: "tuple[Card, ...]"
    says: str
    numbers: tuple[str, ...]
    why: str
    is_now: bool

    @property
    def name(self) -> str:
        """What a person calls it: "Version 2, 4 (now)"."""
        return f"Version {', '.join(self.numbers)}{' (now)' if self.is_now else ''}"

    @property
    def order(self) -> int:
        """The first of its numbers; 0 for what git has."""
        return min(int(one) if one.isdecimal() else 0 for one in self.numbers)


def _side_by_side(pool_of: PoolOf, asked: "Asked", show: Show) -> None:
    """Play what was chosen, and show what ``fairdeal cards versions`` shows."""
    if not asked.entry:
        raise InputError("choose one card in “Ask about”: versions are those of one card")
    saved = _saved(asked)
    waiting = _wanted(asked, saved)

    def played(one: _Saved) -> None:
        waiting.remove(one)
        show(_tried(asked, saved, waiting))

    show(_tried(asked, saved, waiting))
    if waiting:
        _play(pool_of, asked, [*waiting], played)


def _saved(asked: "Asked") -> list[_Saved]:
    """The card in all versions of its file, equal ones together, in the order of their numbers."""
    from card_data.mindbug.loader import read_set_text
    from reports.mindbug.cards.versions import face

    found: dict[str, _Saved] = {}
    for place, (version, text) in enumerate(history.known(history.place(asked.file), asked.file)):
        card_set, faults = read_set_text(text, asked.file, {})
        whole = card_set.cards if card_set and not faults else ()
        cards = {card.card_id: card for card in whole}
        if asked.entry not in cards:
            continue
        line = [cards[asked.entry]]
        while (after := cards.get(line[-1].evolves_to or "")) is not None:
            line.append(after)
        new = _Saved((*line,), face(line[0]), (), "", is_now=not place)
        known = found.setdefault(new.says, new)
        numbers, why = (version.number, *known.numbers), known.why or version.why
        found[new.says] = evolve(known, numbers=numbers, why=why)
    return sorted(found.values(), key=lambda one: one.order)


def _wanted(asked: "Asked", saved: Sequence[_Saved]) -> list[_Saved]:
    """What is to be played: the chosen versions and that of now.  Raises InputError."""
    chosen = chosen_versions(asked)
    for number in chosen:
        if not any(number in one.numbers for one in saved):
            called = history.version(history.place(asked.file), number).called
            raise InputError(f"{asked.entry} is not in {called}, or not without faults")
    return [one for one in saved if chosen and (one.is_now or {*chosen} & {*one.numbers})]


def _play(
    pool_of: PoolOf, asked: "Asked", wanted: Sequence[_Saved], played: Callable[[_Saved], None]
) -> None:
    """Play each version among the other cards as they are now, by players who know them all."""
    from card_data.toml_editor import with_tables
    from card_data.toml_files import read_text
    from reports.cli.compute import HERE
    from reports.cli.run import asked_run
    from reports.cli.steps import analyze_run, play_run
    from reports.games import reports_of
    from reports.kit.words import headline
    from reports.mindbug.cli.run_options import SimulateOptions
    from reports.mindbug.cli.taught import taught
    from simcore.work.about import working_on

    now = read_text(Path(asked.file))
    with tempfile.TemporaryDirectory() as folder, HERE.start() as crew:
        named = []
        for place, one in enumerate(wanted):
            file = Path(folder, str(place), asked.file)
            file.parent.mkdir()
            file.write_text(with_tables(now, entries_text(one.cards)), "utf-8")
            named.append(pool_of(file, asked.chosen))
        pools = [SimulateOptions(**options).load(sets) for options, sets in named]
        (player,) = taught([asked.chosen["player"]], pools)
        for one, (modes, sets) in zip(wanted, named, strict=True):
            options = SimulateOptions(**modes, policy=player)
            asking = asked_run(asked.game, options, sets, int(asked.more["games"]), 0, None, False)
            _, spec, _, question = asking
            with working_on(question) as work:
                run = play_run(spec, work.folder, crew, f"playing {one.name}")
                tables = analyze_run(run, crew.threads)
                found = headline(reports_of(asked.game).findings(tables))
                work.finish(found, games=spec.n_games)
            played(one)


def _tried(asked: "Asked", saved: Sequence[_Saved], waiting: Sequence[_Saved]) -> Tried:
    """What is known of all versions, and which are still to be played."""
    from reports.mindbug.cards import versions as words
    from reports.mindbug.cli.cards import played_versions

    coming = [
        Row(one.name, word=UNKNOWN, is_own=one.is_now, more=["" for _ in _MORE]) for one in waiting
    ]
    try:
        card, table = played_versions(RUNS, asked.entry)
    except ValueError:
        name = display_name(saved[0].cards[0].name if saved else asked.entry, LONGEST)
        hint = "" if coming else " Choose versions, and press the button again."
        return Tried(f"No version of {name} was played yet.{hint}", chart=_chart(coming))
    by_text = {one.says: one for one in saved}
    table = _numbered(table, by_text)
    rows = [_row(row, by_text.get(row["text"])) for _, row in table.iterrows()]
    return Tried(
        f"{words.headline(table, card.name)}.",
        f"{words.summary(table, card.name)}.",
        [
            words.comparable(table),
            *(f"{letter}: {said}" for letter, said in words.circumstances(table)),
            *(f"{version}: {said}" for version, said in words.faces(table)),
        ],
        _chart([*rows, *coming]),
    )


def _numbered(table: "pd.DataFrame", saved: Mapping[str, _Saved]) -> "pd.DataFrame":
    """The table with the numbers that the file gives to versions, in their order.

    Those that are not in the file come first, as they were played.
    """
    orders = [saved[text].order if text in saved else 0 for text in table["text"]]
    called = [
        str(order) if order else f"played {number}"
        for order, number in zip(orders, table["version"], strict=True)
    ]
    found = table.assign(version=called, order=orders)
    return found.sort_values(["order", "measured"], kind="stable")


def _row(row: "pd.Series", saved: _Saved | None) -> Row:
    """A run of a version, as the command's table has it, and where the file has that version."""
    from math import isnan

    from reports.mindbug.cards.versions import letter
    from reports.mindbug.run_text import called

    ends = [100 * float(row[column]) for column in ("ci_low", "win_rate", "ci_high")]
    low, at, high = (None if isnan(end) else end for end in ends)
    return Row(
        saved.name if saved else f"Version {row['version']}",
        "" if at is None else bare_percent(row["win_rate"]),
        "" if at is None else between(row["ci_low"], row["ci_high"]),
        *(low, at, high),
        word=row["verdict"],
        kind=KINDS.get(row["verdict"], ""),
        text=entries_text(saved.cards) if saved and not saved.is_now else "",
        is_own=bool(saved and saved.is_now),
        more=[
            letter(row["measured"]),
            row["day"],
            called(row["policies"]),
            count(row["n_games"]),
            display_name(row["note"] or (saved.why if saved else ""), 300),
        ],
    )


def _chart(rows: Sequence[Row]) -> Chart | None:
    """Win rates around half of the games, with the band that is fair."""
    ends = [abs(end - _HALF) for row in rows for end in (row.low, row.high) if end is not None]
    reach = ceil(max([*ends, _LEAST_REACH]))
    low, high = _HALF - reach, _HALF + reach
    ticks = f"{low}%", f"{high}%"
    headings = "Version", "Won, %", "Verdict"
    return Chart(headings, rows, low, high, _HALF, 100 * BAND, ticks, _MORE) if rows else None


def entries_text(cards: Iterable["Card"]) -> str:
    """Cards as they stand in a card file, without what such a file begins with."""
    from card_data.mindbug.language.formatter import format_cards
    from card_data.mindbug.schema import CardSet

    return format_cards(CardSet("cards", "Cards", tuple(cards))).partition("\n\n")[2]


def changed_text(pool: "Pool", changed: "Pool") -> str:
    """The cards in which a pool differs from another, as they stand in a card file."""
    from analysis.mindbug.experiments.rebalance import changed_cards

    return entries_text(changed_cards(pool, changed))
