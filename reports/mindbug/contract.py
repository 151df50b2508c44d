"""Mindbug's side of the contract for `reports`: options, commands, words and pages."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis.mindbug.experiments.usual import COMPARED_GAMES, PRECISION
from reports.games import Command, GoalWords, Kernels, Reports, Told, at

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison
    from analysis.runs import Run
    from card_data.playtest_log import LogTerms
    from reports.kit.words import Finding
    from reports.play.log import GameLog
    from reports.studio.bench import Bench
    from simcore.narration import Replay
    from simcore.work.tasks import Task


class _Mindbug(Reports):
    title = "Mindbug"
    compared_games = COMPARED_GAMES
    story_games = 10_000
    options: Mapping[str, str] = {
        "simulate": "reports.mindbug.cli.run_options:SimulateOptions",
        "balance": "reports.mindbug.cli.run_options:BalanceOptions",
        "compare": "reports.mindbug.cli.compare_sides:CompareOptions",
        "bench": "reports.mindbug.cli.bench:BenchOptions",
        "play": "reports.mindbug.cli.play:MatchOptions",
        **dict.fromkeys(("playtests", "story"), "reports.mindbug.cli.run_options:SimulateOptions"),
    }
    own_player = "simcore.mindbug.face.own_players:own_player"
    examples: Mapping[str, Sequence[str]] = {
        "verdict": (
            "verdict my_cards.toml first_contact",
            'verdict "Brain Fly" first_contact',
        ),
        "balance": ("balance first_contact", "balance first_contact --cards my_cards.toml"),
        "compare": ("compare first_contact first_contact+my_cards.toml",),
        "sensitivity": ("sensitivity brain_fly first_contact",),
        "rebalance": ("rebalance first_contact --cards my_cards.toml",),
        "prices": ("prices first_contact", "prices my_cards.toml first_contact"),
        "story": ("story first_contact",),
        "play": ("play first_contact",),
        "ladder": ("ladder first_contact --players random,learned,expert",),
        "restrict": ("restrict first_contact --policy heuristic",),
        "cards": ("cards check my_cards.toml", "cards list"),
    }
    commands: Mapping[str, Command] = {
        "verdict": Command(
            "reports.mindbug.cli.verdict",
            "Find whether a card is too strong, why, and the smallest change that would fix it.",
        ),
        "skill": Command(
            "reports.mindbug.cli.skill",
            "Compare finished runs of different players: what cards are worth in stronger hands.",
        ),
        "train": Command(
            "reports.mindbug.cli.train",
            "Train a player's weights by evolution, or a network from its own games"
            " (docs/players.md).",
        ),
        "ladder": Command(
            "reports.mindbug.cli.ladder",
            "Play several players against each other, and rate them.",
        ),
        "restrict": Command(
            "reports.mindbug.cli.restrict",
            "Forbid one option and play against the unrestricted version, to see what it is worth.",
        ),
        "sensitivity": Command(
            "reports.mindbug.cli.sensitivity",
            "Find what a card is worth, and what each part of it does, by experiments on the same"
            " deals.",
        ),
        "prices": Command(
            "reports.mindbug.cli.prices",
            "Find what each part of a card is worth, and price any card from that list.",
        ),
        "rebalance": Command(
            "reports.mindbug.cli.rebalance",
            "Find small changes that balance a pool, and confirm them with fresh games.",
        ),
        "cards": Command(
            "reports.mindbug.cli.cards",
            "Show cards, check and format card files, print the language.",
        ),
    }

    @property
    def help(self) -> Mapping[str, str]:
        from reports.mindbug.cli.options import NAMED
        from reports.mindbug.cli.play import OPPONENT

        return {
            "named": NAMED,
            "measured": f"{NAMED} Several sets are measured one by one and then together; with your"
            " own cards or a pool file only together.",
            "variant": "The cards of a card file take the place of those of BASE with the same id,"
            " unless both are whole sets of your own. Default: BASE, with the rulings of"
            " --variant-ruling.",
            "until": "Play until the dealt win rate of every card is known to this many percentage"
            " points either way, as in '0.2'; '0.2:first_player' is about the win rate of the"
            " player who starts, '0.2:CARD_ID' about one card.",
            "goals": "0.2:first_player or 0.2:CARD_ID",
            "precision": f"{PRECISION}.",
            "compared": f"{COMPARED_GAMES:,}, which show the change of a card's win rate to about"
            " 0.3 points either way.",
            "story": "10,000.",
            "player": f"Your opponent, spelled as for --policy of balance. Default: {OPPONENT}.",
            "start_with": "It is in your opening hand.",
        }

    @property
    def kernels(self) -> Mapping[str, Kernels]:
        from reports.mindbug.cli.steps import ANALYSIS, COMPARISON, SINGLE_GAMES

        alone = {"replay": SINGLE_GAMES, "play": SINGLE_GAMES}
        return {"analyze": ANALYSIS, "compare": COMPARISON, **alone}

    @property
    def studio(self) -> "Bench":
        from reports.mindbug.studio.bench import BENCH

        return BENCH

    @property
    def offered(self) -> Sequence[str]:
        from card_data.mindbug import available_sets

        return available_sets()

    @property
    def entries(self) -> Collection[str]:
        from reports.mindbug.cli.verdict_pool import known_names

        return known_names()

    @property
    def kept(self) -> Mapping[str, str]:
        return {"players": "what players have learned of new cards, for later commands"}

    @property
    def printed(self) -> Mapping[str, str]:
        from card_data.mindbug import load_sets

        return {one.name.casefold(): one.set_id for one in load_sets(self.offered)}

    def log_terms(self, playable: Any) -> "LogTerms":
        from card_data.playtest_log import LogTerms

        cards = {card.card_id: card.name for one in playable.pool.sets for card in one.cards}
        return LogTerms(playable.title, 2, cards, {})

    def offers(self, word: str) -> bool:
        from card_data.mindbug.pool_reader import split_names

        return any(one.endswith(".toml") or one in self.offered for one in split_names([word]))

    def compile_engine(
        self, players: Sequence[str], task: "Task | None" = None, counted: bool = False
    ) -> None:
        from reports.mindbug.cli.steps import COUNTING, compile_engine
        from simcore.mindbug.play.run import PoolGames

        played = None if task is None else task.built
        tables = [played.setup.table] if isinstance(played, PoolGames) else None
        compile_engine(players, tables, [COUNTING] if counted else [])

    called = at("reports.mindbug.run_text:called")
    who_played = at("reports.mindbug.run_text:describe_policies")

    describe = at("reports.mindbug.run_text:describe_run")
    findings = at("reports.mindbug.balance.text:findings")

    def goal_words(self, manifest: Mapping[str, Any]) -> GoalWords:
        of, stopped = manifest["until"]["of"], manifest["stopped"]
        name, policies = stopped["worst_name"], manifest["policies"]
        whose = f" ({stopped['worst_policy']})" if policies[0] != policies[1] else ""
        if of == "first_player":
            return GoalWords(
                what="the win rate of the player who starts",
                worst="",
                intervals="The interval of that win rate",
                many=False,
                plural=False,
            )
        if of == "cards":
            return GoalWords(
                what="every card's dealt win rate",
                worst=name + whose,
                intervals="The intervals of the win rates of those dealt a card, and of the"
                " advantage between players of the same policy,",
                many=True,
                plural=True,
            )
        return GoalWords(
            what=f"the dealt win rate of {name}",
            worst=name + whose if whose else "",
            intervals="The intervals of that win rate and of the card's advantage",
            many=False,
            plural=True,
        )

    report = at("reports.mindbug.balance.run_report:read_report")

    def tell(self, run: "Run", game: int) -> "Replay":
        from analysis.mindbug.replays import replay
        from analysis.mindbug.runs import open_run

        return replay(open_run(run.folder), game)

    def story(self, run: "Run", told: Told) -> Iterable[str]:
        from reports.mindbug.run_text import called_in_game
        from simcore.mindbug.face.replay_text import named

        names = called_in_game(run.manifest["policies"], told.record["first_player"])
        return (named(line, [f"the {name}" for name in names]) for line in told.lines)

    match = at("reports.mindbug.play:MindbugMatch")

    def ended(self, log: "GameLog") -> str:
        assert log.record is not None
        winner = log.record["winner"]
        if winner < 0:
            return "a draw"
        return "you won" if winner in log.person else "you lost"

    def before_words(self, comparison: "Comparison") -> "tuple[str, list[Finding]]":
        from reports.compare.text import describe_comparison
        from reports.mindbug.compare.text import before_findings

        return describe_comparison(comparison), before_findings(comparison)

    def compare_words(self, comparison: "Comparison") -> "tuple[str, list[Finding]]":
        from reports.compare.text import describe_comparison
        from reports.mindbug.compare.text import findings

        return describe_comparison(comparison), findings(comparison)

    def compare_json(self, comparison: "Comparison") -> dict[str, Any]:
        from attrs import asdict

        from reports.mindbug.compare.text import changes_of

        return {"changes": [asdict(change) for change in changes_of(comparison)]}

    compare_overview = at("reports.mindbug.compare.text:first_screen")
    compare_page = at("reports.mindbug.compare.page:write_compare_page")
    record_lines = at("reports.mindbug.compare.text:record_lines")


REPORTS = _Mindbug()
