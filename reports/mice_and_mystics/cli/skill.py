"""The command `fairdeal skill` of Mice & Mystics."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen
from cyclopts import Parameter

from analysis.confidence import confidence_said
from analysis.mice_and_mystics.experiments.usual import SEARCHED_SKILL_GAMES, SKILL_GAMES
from reports.cli.compute import Crew
from reports.cli.console import as_input_error, read_all
from reports.cli.options import Seed
from reports.games import reports_of
from reports.mice_and_mystics.cli import options
from reports.mice_and_mystics.cli.bench import RUNGS
from reports.skill import command as shared
from simcore.commands import command

if TYPE_CHECKING:
    from analysis.mice_and_mystics.experiments.skill import Comparison
    from reports.mice_and_mystics.cli.options import PlayableChapter
    from reports.mice_and_mystics.skill import ChapterSkill
    from simcore.work.cost import Plan

#: Players who are compared unless others are named.
USUAL_PLAYERS = ",".join(RUNGS)


@frozen
class ChapterAsked(shared.Asked):
    """Who is compared in a chapter."""

    asked: "Comparison"
    played: "PlayableChapter"

    def plans(self) -> "list[Plan]":
        """The games of each player."""
        from analysis.questions.skill import REPLAYS
        from simcore.mice_and_mystics.players.seats import split_players

        n, seed = self.asked.deals * REPLAYS, self.asked.seed
        return [self.played.plan(n, seed, split_players(one)) for one in self.asked.players]

    def play(self, folder: Path, crew: Crew) -> "ChapterSkill":
        """Play what is missing, and say what was found."""
        from analysis.mice_and_mystics.experiments.skill import KIND, play_players
        from reports.mice_and_mystics.skill import ChapterSkill
        from simcore.work.folder import read_asked

        with crew.playing() as how:
            tables = play_players(self.asked, folder, command=self.command, **how)
        return ChapterSkill(tables, read_asked(KIND, folder))

    def compile_engine(self) -> None:
        """Compile what plays."""
        reports_of("mice_and_mystics").compile_engine(self.asked.players)


def ask(
    *chapter: Annotated[str, Parameter(name="CHAPTER", help=options.NAMED)],
    party: Annotated[
        str,
        Parameter(
            help="The heroes, as in 'collin,nez,tilda,filch', or"
            f" '{options.ALL_PARTIES}': every deal draws one of the legal parties."
        ),
    ] = options.ALL_PARTIES,
    switches: options.Switches = None,
    players: Annotated[
        str,
        Parameter(
            help="Players from weak to strong, separated by commas and spelled as for --policy:"
            " 'heuristic@0.2,heuristic,learned'."
        ),
    ] = USUAL_PLAYERS,
    games: Annotated[
        int | None,
        Parameter(
            converter=shared.games_of,
            help="How many games each player plays: every deal 8 times. Default:"
            f" {SKILL_GAMES:,}, or {SEARCHED_SKILL_GAMES:,} where a player searches.",
        ),
    ] = None,
    seed: Seed = 0,
) -> ChapterAsked:
    """Find how much of a chapter is luck, and how much it matters who plays.

    All players play the same deals, and each deal several times: with the same dice waiting, and
    with others. Tells what a better player gains, and how much of winning the party, the cards and
    the dice decide.
    """
    named = "+".join(chapter)
    read_all(
        lambda: _read_players(players), lambda: options.load_chapter(named, party, switches or ())
    )
    from analysis.mice_and_mystics.experiments.skill import Comparison
    from simcore.mice_and_mystics.players.seats import split_players

    wanted = _read_players(players)
    seats = max(map(split_players, wanted), key=lambda one: len({*one}))
    played = options.load_chapter(named, party, switches or (), seats)
    games = games or (
        SEARCHED_SKILL_GAMES if any("search" in one for one in wanted) else SKILL_GAMES
    )
    said = command(
        *("skill", named),
        party=party,
        set=switches,
        players=",".join(wanted),
        confidence=confidence_said(),
        games=games,
        seed=seed,
    )
    question = options.chapter_question("skill", [played], wanted, games=games, seed=seed)
    return ChapterAsked(question, said, Comparison(*played.played(), wanted, games, seed), played)


skill = shared.command_of(ask)


def _read_players(text: str) -> tuple[str, ...]:
    """The players that are compared.  Raises InputError with all that are none."""
    from simcore.mice_and_mystics.players.seats import fingerprints, split_players

    def read(player: str) -> str:
        with as_input_error("--players"):
            options.use_players(split_players(player))
            fingerprints(split_players(player))
        return player

    return shared.read_players(text, read)
