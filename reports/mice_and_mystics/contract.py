"""Mice & Mystics' side of the contract for `reports`: options, commands, words and pages."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.mice_and_mystics.experiments.usual import COMPARED_GAMES, PRECISION
from card_data.mice_and_mystics.chapter_names import offered_chapters, split_named
from reports.games import Command, Kernels, Reports, at
from simcore.mice_and_mystics import TITLE

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison
    from card_data.playtest_log import LogTerms
    from reports.play.log import GameLog
    from reports.studio.bench import Bench
    from simcore.work.tasks import Task

_ENGINE: Kernels = (("simcore.mice_and_mystics.play.engine._run",), "the engine", 50)


def _parts_of(name: str) -> list[str]:
    """A name and what it consists of: "chapter 1 (flight)" is "chapter 1" and "flight", too."""
    number, _, title = name.rstrip(")").partition(" (")
    return [name, number, title] if title else [name]


class _MiceAndMystics(Reports):
    title = TITLE
    compared_games = COMPARED_GAMES
    story_games = 2_000
    options: Mapping[str, str] = {
        "simulate": "reports.mice_and_mystics.cli.options:PlayOptions",
        "balance": "reports.mice_and_mystics.cli.options:BalanceOptions",
        "compare": "reports.mice_and_mystics.cli.compare_sides:CompareOptions",
        "bench": "reports.mice_and_mystics.cli.bench:BenchOptions",
        "play": "reports.mice_and_mystics.cli.play:MatchOptions",
        **dict.fromkeys(("playtests", "story"), "reports.mice_and_mystics.cli.options:PlayOptions"),
    }
    own_player = "simcore.mice_and_mystics.face.own_players:own_player"
    examples: Mapping[str, Sequence[str]] = {
        "verdict": ("verdict nez ch1_flight_to_barksburg",),
        "balance": ("balance ch1_flight_to_barksburg --party all",),
        "sensitivity": ("sensitivity ch1_flight_to_barksburg",),
        "prices": ("prices ch1_flight_to_barksburg",),
        "skill": ("skill ch1_flight_to_barksburg",),
    }
    commands: Mapping[str, Command] = {
        "verdict": Command(
            "reports.mice_and_mystics.cli.verdict",
            "Find whether a hero, card, minion or encounter is too strong, why, and what would fix"
            " it.",
        ),
        "rooms": Command(
            "reports.mice_and_mystics.cli.rooms",
            "Show the rooms of Mice & Mystics; check and format files of heroes, cards and rooms.",
        ),
        "sensitivity": Command(
            "reports.mice_and_mystics.cli.sensitivity",
            "Find what one step on each number of a chapter changes, in games with the same luck.",
        ),
        "prices": Command(
            "reports.mice_and_mystics.cli.prices",
            "Find what each number of a hero, an ability, a search card or an encounter is worth.",
        ),
        "rebalance": Command(
            "reports.mice_and_mystics.cli.rebalance",
            "Find small changes that bring every party into a band of win rates, and confirm them.",
        ),
        "skill": Command(
            "reports.mice_and_mystics.cli.skill",
            "Find how much of a chapter is luck, and how much it matters who plays.",
        ),
        "train": Command(
            "reports.mice_and_mystics.cli.train",
            "Learn from play what the player `learned` of Mice & Mystics goes by, by evolution.",
        ),
    }
    kernels: Mapping[str, Kernels] = {"replay": _ENGINE, "play": _ENGINE}

    @property
    def help(self) -> Mapping[str, str]:
        from reports.mice_and_mystics.cli.options import NAMED
        from reports.mice_and_mystics.cli.play import COMPANION

        return {
            "named": NAMED,
            "measured": f"{NAMED} Without --policy all players are measured who need no number.",
            "variant": "Default: BASE, with what --variant-set and --variant-party say.",
            "until": "Play until the win rate is known to this many percentage points either way,"
            " as in '0.2'; '0.2:parties' is about the win rate of each party, '0.2:heroes' about"
            " what each hero is worth; a party, a hero, or the id of an ability, search card or"
            " encounter can be named.",
            "story": "2,000.",
            "player": "The player of the mice that --mice leaves, or four, separated by colons."
            f" Default: {COMPANION}.",
            "start_with": "A search card, encounter or minion comes first: on top of its deck.",
            "goals": "0.2:parties, 0.2:heroes or 0.2:maginos",
            "precision": f"{PRECISION}.",
            "compared": f"{COMPARED_GAMES:,}, which show the change of the win rate to about 0.1"
            " points either way.",
        }

    @property
    def studio(self) -> "Bench":
        from reports.mice_and_mystics.studio.bench import BENCH

        return BENCH

    @property
    def offered(self) -> Collection[str]:
        return offered_chapters()

    @property
    def entries(self) -> Collection[str]:
        from analysis.mice_and_mystics.experiments.verdict_effects import KINDS
        from card_data.mice_and_mystics import load_facts

        facts = load_facts()
        there = [one for kind in KINDS for one in getattr(facts, kind)]
        return {word for one in there for word in (one.id, one.name.casefold())}

    @property
    def printed(self) -> Mapping[str, str]:
        from card_data.mice_and_mystics import load_facts

        return {
            part: chapter.id
            for chapter in load_facts().chapters
            for part in _parts_of(chapter.name.casefold())
        }

    def log_terms(self, playable: Any) -> "LogTerms":
        from card_data.playtest_log import LogTerms

        facts, _ = playable.played()
        cards, heroes = (
            {one.id: one.name for one in kind} for kind in (facts.search_cards, facts.heroes)
        )
        return LogTerms(playable.title, 1, cards, heroes, together=True)

    def offers(self, word: str) -> bool:
        name, files = split_named(word)
        return name in self.offered or any(map(_is_facts_file, files))

    def compile_engine(
        self, _players: Sequence[str], _task: "Task | None" = None, _counted: bool = False
    ) -> None:
        from reports.cli.steps import compiling
        from simcore.mice_and_mystics.play.simulate import compile_engine

        with compiling(*_ENGINE):
            compile_engine()

    describe = at("reports.mice_and_mystics.run_text:describe_run")
    findings = at("reports.mice_and_mystics.balance.text:findings")
    report = at("reports.mice_and_mystics.balance.report:read_report")

    match = at("reports.mice_and_mystics.play.match:MiceMatch")

    def ended(self, log: "GameLog") -> str:
        from simcore.mice_and_mystics.table.records import Outcome

        assert log.record is not None
        return "you won" if log.record["outcome"] == Outcome.WIN else "you lost"

    tell = at("reports.mice_and_mystics.told:tell")
    compare_words = at("reports.mice_and_mystics.compare:words_of")

    def compare_page(self, comparison: "Comparison", folder: Path, command: str) -> Path:
        from reports.compare.page import write_compare_page
        from reports.mice_and_mystics.compare import name_of, stronger_tabs, subject_of

        words, more = self.compare_words(comparison), stronger_tabs(comparison)
        return write_compare_page(comparison, folder, command, words, name_of, subject_of, more)

    goal_words = at("reports.mice_and_mystics.run_text:goal_words")


def _is_facts_file(file: str) -> bool:
    """Whether a file, if it is one, holds entries of this game."""
    from card_data.mice_and_mystics.loader import is_facts_file

    return Path(file).is_file() and is_facts_file(file)


REPORTS = _MiceAndMystics()
