"""What commands are asked to play of Mice & Mystics: chapter, party, switches, player."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

from attrs import evolve, frozen
from cyclopts import Group, Parameter

from analysis.confidence import unusual_confidence
from analysis.mice_and_mystics.experiments.usual import (
    OF_ALL,
    OF_ONE,
    PLAYER,
    STRONGER,
    STRONGER_GAMES,
)
from card_data.mice_and_mystics.chapter_names import offered_chapters
from reports.cli.compute import Crew
from reports.cli.console import InputError, as_input_error, resumable
from reports.cli.options import NOBODY, usual_or_said, whole
from reports.games import reports_of
from reports.kit.words import DOT, listed
from simcore.mice_and_mystics import TITLE
from simcore.mice_and_mystics.players.registry import NOISE, POLICIES, SPELLED

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mice_and_mystics.stopping import PlayUntil
    from analysis.stopping import Goal
    from card_data.mice_and_mystics.facts import Entry, Facts
    from card_data.mice_and_mystics.settings import Settings
    from simcore.work.about import Question
    from simcore.work.cost import Plan
    from simcore.work.runs import Look, RunSpec

#: Load those of some players who are functions.  Raises OwnCodeError.
use_players = reports_of("mice_and_mystics").use_players

#: What is named, in every command that plays.
NAMED = (
    "A chapter, such as 'ch1_flight_to_barksburg', followed by '+' and files of your own that"
    " change"
    " or add heroes, minions, cards, rooms or chapters."
)
# Bytes that are kept of a game of an experiment, whose result is a few small numbers.
_KEPT = 4
#: The word for a party that each game draws.
ALL_PARTIES = "all"

*_OTHERS, _STRONGEST = (f"'{name}'" for name in SPELLED)
_PLAYERS = f"{', '.join(_OTHERS)} or {_STRONGEST} ({POLICIES['search'].description})"

GROUP = Group(TITLE, sort_key=3)

Party = Annotated[
    str | None,
    Parameter(
        help=f"The heroes, as in 'collin,nez,tilda,filch', or '{ALL_PARTIES}': every game draws one"
        " of the legal parties. Default: the first legal party."
    ),
]
Switches = Annotated[
    list[str] | None,
    Parameter(
        name="--set",
        negative=(),
        help="A rule or a number of the game, as in 'page_end=7'. May be given several times;"
        " docs/mice_and_mystics_data.md has them all.",
    ),
]
Policy = Annotated[
    str | None,
    Parameter(
        help=f"Who plays all heroes, from weak to strong: {_PLAYERS}; or one player for each, in"
        f" the order of the game's heroes, separated by colons. {NOISE}. 'FILE.py:FUNCTION' is a"
        f" player of your own (docs/programs.md). Default: {PLAYER}."
    ),
]


@frozen
class PlayableChapter:
    """A chapter and its players, or the folder of a run that has been played."""

    said: str
    facts: "Facts | None" = None
    settings: "Settings | None" = None
    policies: tuple[str, ...] = ()
    run: Path | None = None

    @property
    def name(self) -> str:
        """What is played, in the name of a run folder."""
        settings = self.played()[1]
        parts = [settings.chapter, "+".join(settings.party) or ALL_PARTIES]
        return "-".join(
            [*parts, *(f"{name}-{value}" for name, value in settings.changed().items())]
        )

    @property
    def title(self) -> str:
        """What is played, in words."""
        facts, settings = self.played()
        [chapter] = [one.name for one in facts.chapters if one.id == settings.chapter]
        names = {hero.id: hero.name for hero in facts.heroes}
        party = listed(names[hero] for hero in settings.party) or "every legal party"
        changed = [f"{name}={value}" for name, value in settings.changed().items()]
        return DOT.join([chapter, party, *changed])

    @property
    def precision(self) -> str:
        """What ``--until`` asks for where nothing is said."""
        return OF_ONE if self.played()[1].party else OF_ALL

    def spec(
        self,
        n_games: int,
        seed: int,
        players: tuple[str, ...] = (),
        beside: Path | None = None,  # noqa: ARG002 - nothing is saved by an earlier run
    ) -> "RunSpec":
        """The run of ``n_games`` games.  Raises ValueError for what cannot be played."""
        from simcore.mice_and_mystics.play.run import new_run

        facts, settings = self.played()
        return new_run(
            facts, settings, n_games=n_games, seed=seed, players=players or self.policies
        )

    def plan(
        self,
        n_games: int,
        seed: int,
        players: tuple[str, ...] = (),
        *,
        bound: str = "",
    ) -> "Plan":
        """Games of an experiment, for ``--dry-run``.  Raises InputError for who cannot play."""
        from simcore.work.cost import Plan

        with as_input_error():
            return Plan(self.spec(n_games, seed, players), _KEPT, bound)

    def rule(
        self, goal: "Goal", *, anytime: bool, on_look: "Callable[[Look], None]"
    ) -> "PlayUntil":
        """The rule that ends the run at a goal.  Raises GoalError."""
        from analysis.mice_and_mystics.run_facts import RunFacts
        from analysis.mice_and_mystics.stopping import PlayUntil

        facts = RunFacts(*self.played(), ":".join(self.policies))
        return PlayUntil(goal.called(facts.names), facts, anytime=anytime, on_look=on_look)

    def played(self) -> "tuple[Facts, Settings]":
        """The facts and settings of a chapter that is to be played."""
        assert self.facts is not None
        assert self.settings is not None
        return self.facts, self.settings


@Parameter(name="*", group=GROUP, help="What is played, how, and by whom.")
@frozen(kw_only=True)
class PlayOptions:
    """Party, switches and player of ``simulate`` and ``balance``."""

    party: Party = None
    switches: Switches = None
    policy: Policy = None

    def players(self) -> tuple[str, ...]:
        """Who plays.  Raises InputError."""
        return read_players(self.policy)

    def ready(
        self, _named: Sequence[str], _before: Path | None, _threads: int | None, _learn: bool, /
    ) -> Self:
        """The same: what players go by is said of every chapter."""
        return self

    def read(self, named: Sequence[str]) -> PlayableChapter:
        """The chapter that is named.  Raises CardFileError and InputError."""
        found = load_chapter("+".join(named), self.party, self.switches or (), self.players())
        _tell_unused(found)
        return found


@Parameter(name="*", group=GROUP, help="What is played, how, by whom, and what else is tried.")
@frozen(kw_only=True)
class BalanceOptions(PlayOptions):
    """What ``balance`` can do besides: try what the numbers that are assumed change."""

    assumptions: Annotated[
        int | None,
        Parameter(
            converter=whole(0, 1_000_000),
            help="Games with each change of the tornado chart: every assumed number one less and"
            " one more, every switch the other way. 0: none. The games are in RUN/changes."
            " Default: a hundredth of the games of the run, but 400 at most, and none for fewer"
            " than 100.",
        ),
    ] = None

    stronger: Annotated[
        str | None,
        Parameter(
            help="A stronger player, who plays other deals to show how far the win rate depends"
            f" on who plays; or '{NOBODY}'. The games are in"
            f" RUN/stronger. Default: '{STRONGER}', in at most {STRONGER_GAMES:,} games, where"
            f" '{PLAYER}' plays all heroes; otherwise nobody."
        ),
    ] = None

    def check(self) -> None:
        """Raise InputError for a stronger player who cannot be one."""
        stronger_than(self.stronger, self.players())

    def more_plans(self, playable: PlayableChapter, n_games: int, seed: int) -> "list[Plan]":
        """The stronger player's games, and those with changed assumptions, at most."""
        from analysis.mice_and_mystics.experiments.assumptions import assumed_changes, usual_games
        from simcore.work.cost import Plan

        plans = []
        if stronger := stronger_than(self.stronger, self.players()):
            plans.append(Plan(_beside(playable, stronger, n_games, seed)))
        games = usual_games(n_games) if self.assumptions is None else self.assumptions
        n_changes = len(assumed_changes(*playable.played())) if games else 0
        games = min(games, n_games) * n_changes
        return [*plans, playable.plan(games, seed, bound="at most")] if games else plans

    def do_more(
        self, folder: Path, tables: "dict[str, pd.DataFrame]", crew: Crew
    ) -> "dict[str, pd.DataFrame]":
        """Let a stronger player play, and change what is assumed; the tables of both."""
        return self._play_stronger(folder, tables, crew) | self._change_assumptions(folder, crew)

    def _play_stronger(
        self, folder: Path, tables: "dict[str, pd.DataFrame]", crew: Crew
    ) -> "dict[str, pd.DataFrame]":
        """What a stronger player makes of the chapter."""
        from analysis.mice_and_mystics.contract import facts_of
        from analysis.mice_and_mystics.experiments.stronger import keep_moves, read_moves
        from analysis.runs import open_run
        from reports.cli.steps import analyze_run, play_run
        from simcore.work.about import in_a_name

        stronger = stronger_than(self.stronger, self.players())
        if not stronger:
            return read_moves(folder)
        run = open_run(folder)
        facts = facts_of(run)
        played = PlayableChapter("", facts.data, facts.settings)
        spec = _beside(played, stronger, run.n_games, run.seed)
        beside = folder / "stronger" / in_a_name(stronger)
        play_run(spec, beside, crew, f"games of {stronger}")
        theirs = analyze_run(beside, crew.threads)
        return keep_moves(run, tables, theirs)

    def _change_assumptions(self, folder: Path, crew: Crew) -> "dict[str, pd.DataFrame]":
        """What changed assumptions do."""
        from analysis.mice_and_mystics.contract import facts_of
        from analysis.mice_and_mystics.experiments.assumptions import (
            ASSUMPTIONS,
            GAMES_FOLDER,
            play_assumptions,
            read_assumptions,
            usual_games,
        )
        from analysis.runs import open_run

        run = open_run(folder)
        games = usual_games(run.n_games) if self.assumptions is None else self.assumptions
        if not games:
            return read_assumptions(folder)
        with (
            resumable("finished changes stay", folder / GAMES_FOLDER),
            crew.playing("changing what is assumed") as how,
        ):
            table = play_assumptions(run, facts_of(run), games=games, **how)
        return {ASSUMPTIONS.name: table}


def read_players(text: str | None) -> tuple[str, ...]:
    """Who plays; the usual player for None.  Raises InputError."""
    from simcore.mice_and_mystics.players.seats import split_players

    with as_input_error("--policy"):
        players = split_players(PLAYER if text is None else text)
        use_players(players)
    return players


def one_player(text: str) -> str:
    """A player of all heroes.  Raises ValueError and OwnCodeError."""
    from simcore.mice_and_mystics.players.seats import split_players

    players = split_players(text)
    if len({*players}) > 1:
        raise ValueError(f"'{text}' names several players; name one, who plays all heroes")
    use_players(players)
    return players[0]


def _beside(played: PlayableChapter, stronger: str, n_games: int, seed: int) -> "RunSpec":
    """What a stronger player plays beside a run of ``n_games`` games.  Raises InputError."""
    from simcore.work.parts import fresh_seed

    with as_input_error():
        return played.spec(min(n_games, STRONGER_GAMES), fresh_seed(seed), (stronger,))


def stronger_than(said: str | None, players: Sequence[str]) -> str:
    """The stronger player beside those who play, "" for nobody.  Raises InputError."""
    return usual_or_said(said, players, (PLAYER, STRONGER), str, one_player)


def load_chapter(
    said: str, party: str | None, switches: Sequence[str], policies: tuple[str, ...] = ()
) -> PlayableChapter:
    """What is played, by ``policies`` where those are known.

    Raises InputError, and CardFileError with everything that is wrong.
    """
    from card_data.mice_and_mystics.loader import load_named
    from card_data.mice_and_mystics.settings import legal_parties, read_settings

    if party is not None and not party.strip():
        raise InputError(f"--party is empty; name its heroes, or '{ALL_PARTIES}'")
    if not said:
        raise InputError(f"name a chapter: {' or '.join(offered_chapters())}")
    facts, chapter = load_named(said)
    words = "" if party in (None, ALL_PARTIES) else str(party)
    heroes = [one.strip() for one in re.split(r",| and ", words)] if words else []
    settings = read_settings(facts, chapter, heroes, switches, in_order=len({*policies}) > 1)
    if party is None:
        settings = evolve(settings, party=legal_parties(facts, settings)[0])
    return PlayableChapter(said, facts, settings, policies)


def _tell_unused(played: PlayableChapter) -> None:
    """Say which of a designer's own entries come up in no game, and how heroes would."""
    from card_data.cache import tell_once
    from card_data.mice_and_mystics.changes import unused_entries
    from card_data.mice_and_mystics.settings import legal_parties

    facts, settings = played.played()
    unused = unused_entries(facts, settings)
    names = [name for (kind, _), name in unused.items() if kind != "chapters"]
    if not names:
        return
    told = f"Your {listed(names, 3)} {'is' if len(names) == 1 else 'are'} in no game here"
    heroes = {entry_id for kind, entry_id in unused if kind == "heroes"}
    if heroes:
        legal = {hero for party in legal_parties(facts, settings) for hero in party}
        whole = [f"--party {ALL_PARTIES}"] if settings.party else []
        whole += [] if heroes <= legal else ["--set parties=any"]
        told += f"; to play every set of heroes, add '{' '.join(whole)}'"
    tell_once(told)


def chapter_question(
    command: str,
    chapters: Sequence[PlayableChapter],
    players: Sequence[str],
    *,
    of: "Entry | None" = None,
    games: int | None = None,
    seed: int,
    **asked: Any,
) -> "Question":
    """The question of a command about chapters with the same facts.

    ``of`` is an entry that it is about, None for none.

    ``players`` are as ``--policy`` spells them; ``asked`` is what else the answer depends on, as
    values of JSON.  Raises InputError for players whose weights cannot be read.
    """
    from card_data.mice_and_mystics.formatter import facts_hash
    from simcore.mice_and_mystics import RULES_VERSION
    from simcore.mice_and_mystics.players.seats import fingerprints, split_players
    from simcore.work.about import Question

    for one in chapters:
        _tell_unused(one)
    with as_input_error():
        weights = fingerprints([one for who in players for one in split_players(who)])
    return Question(
        game="mice_and_mystics",
        question=command,
        named=(command, *([of.id] if of else []), "+".join(one.name for one in chapters)),
        what=", ".join([*([of.name] if of else []), " and ".join(one.title for one in chapters)]),
        players=tuple(players),
        games=games,
        seed=seed,
        asked={
            "rules_version": RULES_VERSION,
            "facts_hash": facts_hash(chapters[0].played()[0]),
            "chapters": [one.played()[1].as_json() for one in chapters],
            "players": [*players],
            "weights": weights,
            "games": games,
            "seed": seed,
            **({"of": of.id} if of else {}),
            **asked,
            **unusual_confidence(),
        },
    )
