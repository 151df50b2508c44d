"""Several versions of a file side by side, each in the same games as the file as it is now."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from attrs import Factory, frozen

from analysis.estimates import estimate_share
from analysis.verdicts import NOT_SETTLED, SAME, SETTLED
from reports.cli.console import InputError
from reports.kit.verdicts import predicate
from reports.kit.words import (
    bare_percent,
    capital,
    display_name,
    interval,
    listed,
    plural,
    points_text,
)
from reports.studio import compare, history
from reports.studio.bench import Bench, Row, Show, Trial, Tried
from reports.studio.changes import interval_heading, shares_of
from reports.studio.rows import LONGEST, UNKNOWN, games_choice, points_chart

if TYPE_CHECKING:
    import pandas as pd

    from analysis.experiments.comparison import Comparison
    from card_data.toml_places import KeyPath
    from reports.cli.sides import Answer
    from reports.studio.work import Asked

#: Versions that are played in one go.
MOST_VERSIONS = 12
# Letters of a reason, and versions that are named in a sentence.
_LONGEST, _NAMED = 300, 4
_SURER = (
    "Each version has played the same games as that of now, so the difference is known more"
    " precisely"
    " than the two {}."
)


class Words(NamedTuple):
    """How a share that versions are compared by is called, as headings and behind "now"."""

    measure: str
    column: str
    shares: str
    more: str
    less: str
    same: str


class ComparingVersions(compare.Comparing):
    """How a game compares several versions by one number."""

    words: ClassVar[Words]

    @abstractmethod
    def line(self, comparison: "Comparison", entry: str) -> "pd.Series":
        """The line of the table that is about an entry, or about all that is played for ""."""

    @abstractmethod
    def now(self, line: "pd.Series") -> str:
        """How the file as it is now does, by a line: "53% of the games are won now"."""

    @abstractmethod
    def entries(self, text: str, file: str) -> "Mapping[KeyPath, str]":
        """The entries in the text of a file, as they stand in one.

        They are named by the paths of their headers, which end in their ids.
        """


def side_by_side_trial(bench: Bench, of: ComparingVersions, usual: int, *others: int) -> Trial:
    """Several versions with that of now, each played as `compare_trial` plays them."""
    words = f"usual: {usual:,} each"
    return Trial(
        "Versions side by side",
        "Plays the same games with each version that you choose and with the file as it is now:"
        f" {of.words.shares}, and by how much each differs from now. What was compared before is"
        " not played again.",
        "Side by side",
        partial(_side_by_side, bench, of),
        [games_choice({str(usual): words}, *others)],
        with_versions=True,
    )


def chosen_versions(asked: "Asked") -> list[str]:
    """The numbers of the versions that were chosen.  Raises InputError for too many."""
    chosen = asked.more["versions"].split()
    if len(chosen) > MOST_VERSIONS:
        raise InputError(f"choose at most {MOST_VERSIONS} versions at once")
    return chosen


def _side_by_side(bench: Bench, of: ComparingVersions, asked: "Asked", show: Show) -> None:
    """Compare each version with that of now, the oldest first."""
    from reports.cli import sides
    from reports.cli.compute import HERE

    now = compare.version_of_now(asked)
    chosen = dict.fromkeys(compare.version_of(asked, number) for number in chosen_versions(asked))
    versions = sorted((one for one in chosen if one != now), key=_order)
    if not versions:
        raise InputError("choose at least one version to stand beside the file as it is now")
    _check(bench, asked, versions)
    questions = [compare.question_of(of, asked, one, now) for one in versions]
    mine = _entries(of, asked, now)
    texts = {one: _text_to_take(_entries(of, asked, one), mine) for one in versions}
    seen = _Seen(of, asked.entry, now, texts)
    show(seen.tried())
    played = None
    with HERE.start() as crew:
        for version, question in zip(versions, questions, strict=True):
            seen.answers[version] = answer = sides.find_out(question, crew, like=played)
            played = answer.page.parent
            show(seen.tried())


def _order(version: history.Version) -> int:
    """The place of a version among others; what git has comes first."""
    return int(version.number) if version.number.isdecimal() else 0


def _text(asked: "Asked", version: history.Version) -> str:
    return history.read(history.place(asked.file), asked.file, version.number)


def _check(bench: Bench, asked: "Asked", versions: Sequence[history.Version]) -> None:
    """Raise InputError for versions with faults, and for those without the entry asked about."""
    checked = {one: bench.check(_text(asked, one), asked.file) for one in versions}
    if faulty := [one.called for one in versions if checked[one].faults]:
        raise InputError(
            f"{asked.file} had a fault in {listed(faulty)} and cannot be played as it was then;"
            " choose other versions"
        )
    lacking = [
        one.called
        for one in versions
        if asked.entry and all(face.entry_id != asked.entry for face in checked[one].faces)
    ]
    if lacking:
        raise InputError(
            f"{asked.entry} is not in {listed(lacking)}; choose other versions, or ask about"
            f" {bench.whole}"
        )


def _entries(
    of: ComparingVersions, asked: "Asked", version: history.Version
) -> "Mapping[KeyPath, str]":
    """The entry asked about in a version, or all of them."""
    entries = of.entries(_text(asked, version), asked.file)
    return {path: text for path, text in entries.items() if asked.entry in ("", path[-1])}


def _text_to_take(before: "Mapping[KeyPath, str]", now: "Mapping[KeyPath, str]") -> str:
    """Entries as they were.

    "" where they are as they are now, and where an entry of now was not there: no press takes one
    away.
    """
    return "\n".join(before.values()) if before != now and before.keys() >= now.keys() else ""


@frozen
class _Seen:
    """What is known of versions beside that of now.

    ``texts`` are what a press on each takes into the editor, in the order of the rows.
    """

    of: ComparingVersions
    entry: str
    now: history.Version
    texts: Mapping[history.Version, str]
    answers: "dict[history.Version, Answer]" = Factory(dict)

    def tried(self) -> Tried:
        """What is shown: rows that are known, and others that wait."""
        from reports.compare.text import describe_comparison

        lines = {
            one: _from_now(self.of.line(answer.comparison, self.entry))
            for one, answer in self.answers.items()
        }
        words = self.of.words
        known = next(iter(lines.values()), None)
        rows = [*(self._row(one, lines.get(one)) for one in self.texts), self._row_of_now(known)]
        band = 0 if known is None else 100 * float(known["band"])
        more = interval_heading(), words.column, "Note"
        chart = points_chart(("Version", "Against now", words.measure), rows, band, more)
        n = len(self.texts)
        if len(lines) < n:
            return Tried(f"{len(lines)} of {n} {plural('version', n)} played so far.", chart=chart)
        played = next(iter(self.answers.values())).comparison
        who = describe_comparison(played)
        return Tried(self._sentence(lines), who, [_SURER.format(words.shares)], chart)

    def _row(self, version: history.Version, line: "pd.Series | None") -> Row:
        """A version, with how it differs from now if that is known."""
        name, text = capital(version.called), self.texts[version]
        if line is None:
            return Row(display_name(name, LONGEST), word=UNKNOWN, text=text, more=_more(version))
        page = self.answers[version].page
        row = compare.difference_row(name, line, text=text, page=(page.parent.name, page.name))
        more = _more(version, row.ends, _won(line, "base"))
        return row._replace(word=self._how(line) or NOT_SETTLED, more=more)

    def _row_of_now(self, line: "pd.Series | None") -> Row:
        """What all are compared with, and how often it wins if that is known."""
        name = display_name(f"{capital(self.now.called)} (now)", LONGEST)
        if line is None:
            return Row(name, word=UNKNOWN, is_own=True, more=_more(self.now))
        more = _more(self.now, won=_won(line, "variant"))
        return Row(name, "0", "as it is now", 0, 0, 0, is_own=True, more=more)

    def _sentence(self, lines: "Mapping[history.Version, pd.Series]") -> str:
        """How now does, with which versions there is more or less, and what is unknown."""
        found: dict[str, list[str]] = {}
        for version, line in lines.items():
            number, _, _ = version.called.partition(",")  # names are in the rows
            found.setdefault(self._how(line), []).append(number)
        unknown = found.pop("", [])
        said = self.of.now(next(iter(lines.values())))
        if found:
            with_ = (f"{how} with {listed(names, _NAMED)}" for how, names in found.items())
            said += f", {listed(with_)}"
        if unknown:
            said += f"; {listed(unknown, _NAMED)} {predicate(NOT_SETTLED, len(unknown))}"
        return f"{said}."

    def _how(self, line: "pd.Series") -> str:
        """More than now, less, or as much, in the words of the game; "" where that is unknown."""
        words = self.of.words
        if line["verdict"] in SETTLED:
            return words.more if line["difference"] > 0 else words.less
        return f"{words.same} within {points_text(line['band'])}" if line["verdict"] == SAME else ""


def _more(version: history.Version, ends: str = "", won: str = "") -> list[str]:
    """The further columns of a row."""
    return [ends, won, display_name(version.why, _LONGEST)]


def _from_now(line: "pd.Series") -> "pd.Series":
    """A line that says how now differs from a version, as how the version differs from now."""
    turned = line.copy()
    low, at, high = shares_of(line)
    turned[["difference_ci_low", "difference", "difference_ci_high"]] = [-high, -at, -low]
    return turned


def _won(line: "pd.Series", side: str) -> str:
    """The share of a side of a comparison, with an interval."""
    if not line[f"{side}_n"]:
        return "unknown"
    share = estimate_share(line[side] * line[f"{side}_n"], line[f"{side}_n"])
    ends = interval(float(share.ci_low), float(share.ci_high), bare_percent)
    return f"{bare_percent(line[side])} ({ends})"
