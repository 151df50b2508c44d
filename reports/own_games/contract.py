"""What the shared code of `reports` is told of games that people bring: ``REPORTS``."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from card_data.names import parts_of
from reports.games import Command, GoalWords, Reports, at
from simcore.own_games import TITLE

if TYPE_CHECKING:
    from card_data.playtest_log import LogTerms
    from reports.play.log import GameLog
    from reports.studio.bench import Bench


_OPTIONS = "reports.own_games.options:OwnOptions"


class _OwnGames(Reports):
    title = TITLE
    compared_games = 2_000
    story_games = 200
    options: Mapping[str, str] = {
        **dict.fromkeys(
            ("simulate", "balance", "compare", "bench", "playtests", "story"), _OPTIONS
        ),
        "play": "reports.own_games.options:OwnMatchOptions",
    }
    examples: Mapping[str, Sequence[str]] = {
        "balance": ("balance my_game.py",),
        "sensitivity": ("sensitivity my_game.py",),
        "rebalance": ("rebalance my_game.py",),
        "skill": ("skill my_game.py",),
        "story": ("story my_game.py",),
        "prices": ("prices my_game.py",),
        "play": ("play my_game.py --player random",),
        "new": ("new my_game", "new my_game --template auction"),
        "check": ("check my_game.py",),
    }
    commands: Mapping[str, Command] = {
        "check": Command(
            "reports.own_games.check",
            "Look for mistakes in the rules of a game.",
        ),
        "ladder": Command(
            "reports.own_games.ladder",
            "Play the players of a game against each other, and rate them.",
        ),
        "new": Command(
            "reports.own_games.new",
            "Write a folder with a small complete game: its rules, its cards, and what to type"
            " next.",
        ),
        "prices": Command(
            "reports.own_games.prices",
            "Find what each number, choice and word of the entries of a game is worth.",
        ),
        "rebalance": Command(
            "reports.own_games.rebalance",
            "Find small changes that balance the entries of a game, and confirm them with fresh"
            " games.",
        ),
        "sensitivity": Command(
            "reports.own_games.sensitivity",
            "Find what one step on each number of a game changes, in games with the same deals and"
            " luck.",
        ),
        "skill": Command(
            "reports.own_games.skill",
            "Find what stronger play changes in a game, and how much of it is luck.",
        ),
        "verdict": Command(
            "reports.own_games.verdict",
            "Find whether an entry is too strong, why, and the smallest change that would fix it.",
        ),
    }

    @property
    def help(self) -> Mapping[str, str]:
        from reports.own_games.options import NAMED

        return {
            "named": NAMED,
            "measured": NAMED,
            "variant": "As BASE, such as 'my_game.py+changed.toml'.",
            "until": "Play until the outcome of each seat, and of seats with each entry, is known"
            " to this many percentage points either way, as in '3'; '3:seats' is about each seat"
            " alone, and an entry can be named.",
            "goals": "3:seats or 3:my_card",
            "precision": "3.",
            "compared": "2,000.",
            "story": "200.",
            "player": "A player of the game, for all seats or one for each. Default: the strongest"
            " of a short ladder, or search:100 where there are only random players.",
        }

    def studio_of(self, named: str) -> "Bench":
        from reports.own_games.studio.bench import bench_of

        return bench_of(named)

    @property
    def offered(self) -> Collection[str]:
        from simcore.contract.packages import installed

        return installed().keys()

    def offers(self, word: str) -> bool:
        from card_data.toml_files import game_said_in

        first = parts_of(word)[0]
        return (
            first in self.offered
            or (first.endswith(".py") and Path(first).is_file())
            or (first.endswith(".toml") and game_said_in(Path(first)) in self.offered)
        )

    def log_terms(self, playable: Any) -> "LogTerms":
        from card_data.playtest_log import LogTerms

        table = playable.played()
        sides, cards = (
            {
                entry.id: entry.name
                for kind in table.game.kinds
                if kind.each_seat == is_side
                for entry in table.entries[kind.word]
            }
            for is_side in (True, False)
        )
        together = len(table.game.teams_of(table.seats)) == 1
        return LogTerms(table.game.title, table.seats, cards, sides, together=together)

    about = at("reports.own_games.options:about")
    use_rules = at("simcore.contract.finding:load_file")
    describe = at("reports.own_games.page:describe")
    findings = at("reports.own_games.page:findings")
    report = at("reports.own_games.page:read_report")
    tell = at("reports.own_games.told:tell")

    def title_of(self, log: "GameLog") -> str:
        return log.title

    match = at("reports.own_games.match:OwnMatch")

    def goal_words(self, manifest: Mapping[str, Any]) -> GoalWords:
        of, worst = manifest["until"]["of"], manifest["stopped"]["worst_name"]
        many = of in ("all", "seats")
        what = "the outcome of each seat" if many else f"the outcome of seats with {worst}"
        if of == "all" and manifest["kinds"]:
            what += " and of seats with each entry"
        return GoalWords(what, worst if many else "", "Their intervals", many=many, plural=True)


REPORTS = _OwnGames()
