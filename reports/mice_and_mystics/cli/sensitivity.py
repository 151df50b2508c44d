"""The command `fairdeal sensitivity` of a chapter."""

from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen
from cyclopts import Parameter

from analysis.confidence import confidence_said
from analysis.mice_and_mystics.experiments.usual import CHANGE_GAMES
from reports.cli.compute import Crew
from reports.cli.console import InputError, as_input_error, read_all
from reports.cli.options import Seed, whole
from reports.cli.steps import play_run
from reports.mice_and_mystics.cli.options import (
    ALL_PARTIES,
    NAMED,
    Party,
    Policy,
    Switches,
    load_chapter,
    read_players,
)
from reports.mice_and_mystics.cli.questions import chapter_question
from reports.sensitivity import command as shared
from simcore.commands import command

if TYPE_CHECKING:
    import pandas as pd

    from analysis.questions.sensitivity import Tried
    from card_data.schema.changes import Change
    from reports.kit.drawing import Chart
    from reports.mice_and_mystics.cli.options import PlayableChapter
    from reports.sensitivity.text import Shown
    from simcore.work.about import Question
    from simcore.work.cost import Plan

#: Everything that can be changed.
ALL = "all"


@frozen
class Asked(shared.Asked):
    """Which changes of a chapter are tried, and how; ``said`` asks the same again."""

    played: "PlayableChapter"
    changes: "Sequence[Change]"
    games: int
    seed: int
    question: "Question"
    said: str

    def command(self, folder: Path) -> str:  # noqa: ARG002 - files are named as they were
        """The command that asks the same again."""
        return self.said

    def plans(self) -> "list[Plan]":
        """The run, and every change."""
        from simcore.work.cost import Plan

        n = self.games * len(self.changes)
        run = Plan(self.played.spec(self.games, self.seed))
        return [run, self.played.plan(n, self.seed, bound="at most")]

    def play(self, folder: Path, crew: Crew) -> "Generator[Tried]":
        """Play what is missing of the chapter and of the changes."""
        from analysis.mice_and_mystics.contract import facts_of
        from analysis.mice_and_mystics.experiments.assumptions import GAMES_FOLDER
        from analysis.mice_and_mystics.experiments.sensitivity import try_changes
        from analysis.runs import open_run

        with as_input_error():
            play_run(self.played.spec(self.games, self.seed), folder, crew)
        run = open_run(folder)
        with crew.progress("trying changes", "games") as advance:
            yield from try_changes(
                run,
                facts_of(run),
                self.changes,
                folder / GAMES_FOLDER / str(self.games),
                games=self.games,
                threads=crew.threads,
                executor=crew.executor,
                on_progress=advance,
            )

    def show(self, tried: "Tried", folder: Path) -> "Shown":
        """What was found of the chapter."""
        from analysis.mice_and_mystics.experiments.sensitivity import write_sensitivity
        from analysis.runs import open_run
        from reports.mice_and_mystics.sensitivity import shown

        run = open_run(folder)
        found = shown(tried, run)
        write_sensitivity(dict(found.tables), run)
        return found

    def charts(self, tables: "Mapping[str, pd.DataFrame]") -> "dict[str, Chart]":  # noqa: ARG002
        """What moves the win rate."""
        from reports.mice_and_mystics.sensitivity import CHARTS

        return CHARTS


def ask(
    *chapter: Annotated[str, Parameter(name="CHAPTER", help=NAMED)],
    of: Annotated[
        str,
        Parameter(
            help="What to change, with commas between: 'heroes', 'minions', 'cards' ('abilities',"
            " 'search_cards' and 'encounters'), 'chapter', 'rules' (numbers that --set sets),"
            " 'switches', the id or name of an entry, or a number such as 'life'."
        ),
    ] = ALL,
    party: Party = None,
    switches: Switches = None,
    policy: Policy = None,
    games: Annotated[
        int,
        Parameter(
            converter=whole(100, 2_000_000),
            help="How many games to play of the chapter as it is, and with each change.",
        ),
    ] = CHANGE_GAMES,
    seed: Seed = 0,
) -> Asked:
    """Find what one step on each number of a chapter changes, in games with the same luck.

    Every number of heroes, minions, cards, encounters and of the chapter that can come up is made
    one less and one more, and every switch is set the other way, one at a time. In every game the
    party, the decks and the dice are the same, so the difference is what the change does.
    """
    named, words = "+".join(chapter), [word.strip() for word in of.split(",")]
    read_all(
        lambda: read_players(policy),
        lambda: load_chapter(named, party, switches or ()),
        lambda: _check_words(named, words),
    )
    players = read_players(policy)
    played, player = load_chapter(named, party, switches or (), players), ":".join(players)
    said = {
        "of": of,
        "party": party,
        "set": switches or (),
        "policy": player,
        "confidence": confidence_said(),
    }
    return Asked(
        played,
        _read_changes(played, words),
        games,
        seed,
        # Another --of is tried in the same folder, where what they have in common is played.
        chapter_question("sensitivity", [played], (player,), games=games, seed=seed),
        command("sensitivity", named, **said, games=games, seed=seed),
    )


sensitivity = shared.as_command(ask)


def _check_words(named: str, words: list[str]) -> None:
    """Raise InputError with all words that mean nothing in the chapter, whoever plays it how."""
    from card_data.faults import CardFileError

    try:
        played = load_chapter(named, ALL_PARTIES, ["parties=any", "encounter_deck=all"])
    except CardFileError:
        return  # told already
    _read_changes(played, words)


def _read_changes(played: "PlayableChapter", words: list[str]) -> "list[Change]":
    """The changes that are tried.  Raises InputError with all words that mean nothing."""
    from analysis.mice_and_mystics.experiments.sensitivity import choose
    from card_data.mice_and_mystics.changes import steps, variables

    facts, settings = played.played()
    try:
        wanted = choose(variables(facts, settings), words)
    except ValueError as error:
        raise InputError("\n".join(f"--of: {line}" for line in str(error).split("\n"))) from None
    changes = steps(facts, settings, wanted)
    if not changes:
        raise InputError("--of: none of these numbers can be one less or one more")
    return changes
