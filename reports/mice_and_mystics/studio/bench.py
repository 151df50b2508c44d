"""Mice & Mystics in the studio: files of entries, chapters, parties, players."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.mice_and_mystics.experiments.usual import PLAYER, STRONGER
from reports.cli.options import NOBODY
from reports.games import at
from reports.mice_and_mystics.cli.options import BalanceOptions
from reports.mice_and_mystics.studio.choices import choices_of_play, read, switches_of
from reports.studio.bench import (
    Bench,
    Checked,
    Choice,
    Chosen,
    Example,
    Face,
    Priced,
    Trial,
    checked,
)
from reports.studio.form import Forms
from simcore.mice_and_mystics.players.registry import POLICIES

if TYPE_CHECKING:
    from card_data.mice_and_mystics.facts import Entry
    from reports.studio.live import RunStage

#: Games before somebody asks for more, and how well a number, or each party's, is to be known at
#: best (percentage points): by players who search, and by all others.
_SEARCHES, _OTHERS = (2_000, "1.5"), (100_000, "0.5")
_PLAYERS = {
    "learned": "learned: strong; begins at once",
    "heuristic": "heuristic: plays by rules of thumb",
    "search:16": "search:16: stronger, many times slower",
    "category": "category: chooses blindly",
}


class _MiceAndMystics(Bench):
    place = 2
    others = "The other mice are played by"
    entries, entry = "entries", "entry"
    whole, page = "the chapter", "the chapter"
    looked_for = "rat, life, new hero …"

    @property
    def examples(self) -> Sequence[Example]:
        from reports.mice_and_mystics.studio.recipes import template

        return [
            Example(
                "nez",
                "A hero with one die more",
                "Nez Bellows rolls one die more in a fight. How much easier does that make it?",
                template().replace("{name}", "Nez"),
            )
        ]

    @property
    def seats(self) -> Mapping[str, str]:
        from reports.mice_and_mystics.studio.table import seats

        return seats()

    @property
    def template(self) -> str:
        from reports.mice_and_mystics.studio.recipes import template

        return template()

    @property
    def trials(self) -> Mapping[str, Trial]:
        from reports.mice_and_mystics.studio.trials import trials

        return trials(self)

    @property
    def forms(self) -> Forms:
        from reports.mice_and_mystics.studio.recipes import forms

        return forms()

    def reads(self, text: str, path: Path) -> bool:  # noqa: ARG002 - whatever its name is
        from card_data.mice_and_mystics.entries import DIE, GAME, KINDS

        headers = "|".join(KINDS)
        begins = rf'game\s*=\s*["\']{GAME}["\']|\[\s*({headers})\s*\.|\[\s*{DIE.word}\s*\]'
        return re.search(rf"^\s*({begins})", text, re.MULTILINE) is not None

    def check(self, text: str, file: str) -> Checked:
        from card_data.mice_and_mystics.loader import read_changes

        entries, faults = read_changes(text, file)
        return checked(faults, [(one.id, one) for one in entries], _face)

    formatted = at("card_data.mice_and_mystics.formatter:format_file")
    recipes = at("reports.mice_and_mystics.studio.recipes:recipes")

    def choices(self) -> Sequence[Choice]:
        assert all(player.partition(":")[0] in POLICIES for player in _PLAYERS)
        return [Choice("player", "Players", _PLAYERS), *choices_of_play()]

    def stages(self, file: Path, entry: str, chosen: Chosen) -> "Sequence[RunStage]":
        from reports.mice_and_mystics.studio.watched import watched
        from reports.studio.live import RunStage

        asked, player = read(file, entry, chosen), chosen["player"]
        games, precision = _SEARCHES if player.startswith("search") else _OTHERS
        of, measure = watched(asked.played, entry)
        options = BalanceOptions(party=asked.party, switches=[*asked.switches], policy=player)
        until = f"{precision}:{of}"
        return [RunStage(player, games, measure, options, (asked.played.said,), until)]

    def played_by(self, player: str) -> str:
        return f"played by {player}"

    def verdicts(self, file: Path, entry: str, chosen: Chosen) -> Iterator[Any]:
        from reports.mice_and_mystics.cli.verdict import EntryOptions, ask

        asked, player = read(file, entry, chosen), chosen["player"]
        stronger = STRONGER if player == PLAYER else NOBODY
        yield from ask(
            *(entry, asked.played.said),
            party=asked.party,
            switches=[*asked.switches],
            options=EntryOptions(policy=player, stronger=stronger),
        )

    def price(self, text: str, file: str, entry: str, chosen: Chosen) -> Priced | None:
        from analysis.mice_and_mystics.experiments.prices import PRICED, ChapterBatches
        from analysis.questions.price_batches import Played
        from card_data.mice_and_mystics.chapter_names import offered_chapters
        from card_data.mice_and_mystics.entries import KINDS
        from card_data.mice_and_mystics.loader import read_changes
        from reports.mice_and_mystics.cli.options import ALL_PARTIES, chapter_question, load_chapter
        from reports.prices.at_hand import price_at_hand

        entries, _ = read_changes(text, file)
        found = next(one for one in entries if one.id == entry)
        kind = next(kind for kind in KINDS.values() if isinstance(found, kind.cls))
        if kind.plural not in PRICED:
            return None
        for chapter in [chosen["chapter"]] if chosen["chapter"] else offered_chapters():
            played = load_chapter(chapter, ALL_PARTIES, switches_of(chosen))
            facts, settings = played.played()
            asked = chapter_question("prices", [played], (), seed=0).asked
            wanted = {name: asked[name] for name in ("rules_version", "facts_hash", "chapters")}
            wanted["kind"] = kind.plural
            batches = ChapterBatches(facts, 1, 0, settings=settings, of=kind.plural)
            priced = price_at_hand("mice_and_mystics", wanted, batches, Played(kind, found))
            if priced is not None:
                return priced
        return None

    sit_down = at("reports.mice_and_mystics.studio.table:sit_down")
    company = at("reports.mice_and_mystics.studio.table:company")
    moments = at("reports.mice_and_mystics.studio.table:moments")
    decided = at("reports.mice_and_mystics.studio.table:decided")
    why = at("reports.mice_and_mystics.studio.trials:why")


def _face(entry: "Entry") -> Face:
    """An entry as players of the game read it."""
    from analysis.mice_and_mystics.experiments.verdict_effects import KINDS
    from card_data.mice_and_mystics.entries import KINDS as ALL_KINDS
    from reports.mice_and_mystics.entry_text import entry_facts, entry_lines

    judged = [kind.cls for kind in ALL_KINDS.values() if kind.plural in KINDS]
    is_judged = isinstance(entry, tuple(judged))
    return Face(entry.id, entry.name, entry_facts(entry), entry_lines(entry), is_judged)


BENCH = _MiceAndMystics()
