"""Experiments on a card of Mindbug in the studio, which are those of the commands."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.mindbug.experiments.usual import COMPARED_GAMES
from reports.studio import history
from reports.studio.bench import Chart, Choice, Chosen, Row, Show, Trial, Tried

if TYPE_CHECKING:
    import pandas as pd

    from reports.studio.work import Asked

#: The options of a pool, and the sets that are named, for a file and what was chosen.
PoolOf = Callable[[Path, Chosen], tuple[dict[str, Any], tuple[str, ...]]]

#: Where reasons for changes are written down, below the project folder.
DIARY = Path("diary.md")
# Cards besides one's own whose change is shown, the most changed.
_MOST_OTHERS = 5
# Percentage points either way that a chart shows at least.
_LEAST_REACH = 2.0


def trials(pool_of: PoolOf) -> Mapping[str, Trial]:
    """The experiments by their names."""
    return {
        "compare": Trial(
            "Compare with a version before",
            "Plays the same games with the file as it was and as it is now: whatever differs, the"
            " change has caused.",
            "Compare",
            partial(_compare, pool_of),
            [_games_choice(COMPARED_GAMES, "as the command: games each", 10_000, 40_000)],
            with_version=True,
        ),
    }


def _games_choice(usual: int, words: str, *others: int) -> Choice:
    """How many games are played; the command's number first."""
    options = {str(usual): f"{usual:,} {words}"}
    return Choice("games", "Games", options | {str(one): f"{one:,}" for one in others})


# ---------------------------------------------------------------- compare


def _compare(pool_of: PoolOf, asked: "Asked", show: Show) -> None:
    """Do what ``balancelab compare`` does, of two versions of a file."""
    from reports.cli import sides
    from reports.cli.compute import HERE
    from reports.cli.console import InputError
    from reports.kit.words import display_name
    from reports.mindbug.cli.compare_sides import CompareOptions
    from reports.mindbug.compare.text import headline

    folder, more = history.place(asked.file), asked.more
    known = history.versions(folder)
    now = next((one for one in known if one.number.isdecimal()), None)
    before = history.version(folder, asked.file, more["against"])
    if now is None or now == before:
        raise InputError(f"{asked.file} is as it was in {before.called}; choose another version")
    options, _ = pool_of(Path(asked.file), asked.chosen)
    modes = {name: value for name, value in options.items() if name != "cards"}
    base, variant = (
        _played_as(pool_of, asked, folder / one.number / asked.file) for one in (before, now)
    )
    said = sides.ask(
        asked.game,
        CompareOptions(**modes, policy=asked.chosen["player"]),
        base,
        variant,
        games=int(more["games"]),
    )
    with HERE.start() as crew:
        answer = sides.find_out(said, crew, note=more["why"] or None)
    if more["why"]:
        sides.record(answer, said, DIARY, more["why"])
    lines = [f"{one.topic}: {one.text}" for one in answer.findings]
    if more["why"]:
        lines.append(f"Written into {DIARY}: {display_name(more['why'], 300)}")
    show(
        Tried(
            f"Against {before.called}: {headline(answer.comparison)}.",
            answer.played,
            lines,
            _moves(answer.comparison.table, asked.own),
            (answer.page.parent.name, answer.page.name),
        )
    )


def _played_as(pool_of: PoolOf, asked: "Asked", version: Path) -> str:
    """What is named on a command line to play a version of a file as the file is played.

    A version that is mixed into sets is named by a pool file, which lies beside it.
    """
    from card_data.toml_writer import quoted
    from simcore.sealed import write_file

    options, named = pool_of(Path(asked.file), asked.chosen)
    if "cards" not in options:
        return str(version)
    pool = version.with_name(f"{'+'.join(named)}+{version.name}")
    sets = ", ".join(map(quoted, named))
    text = f"sets = [{sets}]\ncards = [{quoted(version.name)}]\n".encode()
    if not pool.is_file() or pool.read_bytes() != text:
        write_file(pool, text)
    return str(pool)


def _moves(table: "pd.DataFrame", own: Sequence[str]) -> Chart | None:
    """By how much players dealt a card win more: one's own cards, and the most changed others."""
    from reports.compare.text import difference_text, difference_words, most_changed
    from reports.kit.words import interval_of

    cards = most_changed(table[(table["kind"] == "card") & (table["measure"] == "dealt")])
    mine = cards["id"].isin(own)
    rows = [
        _row(
            line["name"],
            difference_text(line),
            interval_of(line, "difference", difference_words(line, 2)),
            [line["difference_ci_low"], line["difference"], line["difference_ci_high"]],
            word=line["verdict"],
            is_own=line["id"] in own,
        )
        for shown in (cards[mine], cards[~mine].head(_MOST_OTHERS))
        for _, line in shown.iterrows()
    ]
    return _chart(("Card", "Won when dealt", "Verdict"), rows, 100 * float(table["band"].min()))


def _row(
    name: str, value: str, ends: str, shares: Sequence[float], *, word: str, is_own: bool = False
) -> Row:
    """A row whose interval is in percentage points; blue or orange where it leaves out 0."""
    from math import isnan

    from reports.kit.words import display_name

    low, at, high = (None if isnan(one) else 100 * float(one) for one in shares)
    kind = ""
    if low is not None and high is not None:
        kind = "strong" if low > 0 else "weak" if high < 0 else ""
    return Row(display_name(name, 120), value, ends, low, at, high, word, kind, is_own=is_own)


def _chart(headings: tuple[str, str, str], rows: Sequence[Row], band: float) -> Chart | None:
    """Rows on a ground of percentage points with 0 in the middle."""
    from math import ceil

    ends = [abs(end) for row in rows for end in (row.low, row.high) if end is not None]
    reach = ceil(max([*ends, _LEAST_REACH]))
    ticks = f"\N{MINUS SIGN}{reach} points", f"+{reach}"
    return Chart(headings, rows, -reach, reach, 0, band, ticks) if rows else None
