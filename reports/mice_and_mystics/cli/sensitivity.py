"""The command `fairdeal sensitivity` of a chapter."""

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from attrs import frozen
from cyclopts import Parameter

from analysis.confidence import confidence_said
from analysis.mice_and_mystics.experiments.usual import CHANGE_GAMES
from card_data.mice_and_mystics.chapter_names import offered_chapters, split_named
from reports.cli.console import InputError, read_all
from reports.cli.options import Seed, whole
from reports.mice_and_mystics.cli import options
from reports.sensitivity import command as shared
from simcore.commands import command

if TYPE_CHECKING:
    import pandas as pd

    from analysis.questions.sensitivity import Tried
    from analysis.runs import Run
    from card_data.schema.changes import Change
    from reports.mice_and_mystics.cli.options import PlayableChapter
    from reports.sensitivity.text import Nouns, Shown

#: Everything that can be changed.
ALL = "all"


@frozen
class Asked(shared.AskedSteps):
    """Which changes of a chapter are tried, and how."""

    def try_changes(self, run: "Run", **how: Any) -> "Generator[Tried]":
        """Play the changes beside the run."""
        from analysis.mice_and_mystics.contract import facts_of
        from analysis.mice_and_mystics.experiments.assumptions import GAMES_FOLDER
        from analysis.mice_and_mystics.experiments.sensitivity import try_changes

        folder = run.folder / GAMES_FOLDER / str(self.games)
        yield from try_changes(run, facts_of(run), self.changes, folder, games=self.games, **how)

    def identity(self, run: "Run") -> "Mapping[str, str]":
        """What the table carries."""
        from analysis.mice_and_mystics.experiments.sensitivity import identity_of

        return identity_of(run)

    def shown(self, tables: "Mapping[str, pd.DataFrame]", run: "Run") -> "Shown":
        """What was found of the chapter."""
        from reports.kit.words import count
        from reports.mice_and_mystics.run_text import caption_of, describe_run, played_facts
        from reports.sensitivity.text import Shown

        manifest = run.manifest
        more = " games as it is and with each change"
        played = describe_run(manifest).replace(" games", more, 1)
        return Shown(
            tables=tables,
            subject=manifest["chapter_name"],
            moved="the win rate",
            played=played,
            caption=caption_of(played, manifest),
            facts=[
                *played_facts(manifest),
                ("Player", manifest["policies"][0]),
                ("Games", f"{count(manifest['games'])} as it is and with each change"),
            ],
            nouns=nouns(),
        )


def nouns() -> "Nouns":
    """The words of the page."""
    from reports.sensitivity.text import Nouns

    return Nouns(
        as_it_is="The party wins {} of its games.",
        measures={"mean_score": ("the score", "rooms", "Score, rooms")},
        same="party, starting abilities, decks and dice",
        where="in this chapter, for these parties",
        more=" A change of the number of copies of a card shuffles the deck anew, so games with it"
        " are hardly paired and its interval is wide. Known says how sure a number of the data is."
        " The score counts rooms of the route entered; for a win 1 more, and the share of all pages"
        " that was left.",
    )


def ask(
    *chapter: Annotated[str, Parameter(name="CHAPTER", help=options.NAMED)],
    of: Annotated[
        str,
        Parameter(
            help="What to change, separated by commas: 'heroes', 'minions', 'cards' ('abilities',"
            " 'search_cards' and 'encounters'), 'chapter', 'rules' (numbers that --set sets),"
            " 'switches', the id or name of an entry, or a number such as 'life'. An entry may also"
            " stand before CHAPTER."
        ),
    ] = ALL,
    party: options.Party = None,
    switches: options.Switches = None,
    policy: options.Policy = None,
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
    if of == ALL and len(chapter) > 1 and split_named(chapter[1])[0] in offered_chapters():
        of, chapter = chapter[0], chapter[1:]
    named, words = "+".join(chapter), [word.strip() for word in of.split(",")]
    read_all(
        lambda: options.read_players(policy),
        lambda: options.load_chapter(named, party, switches or ()),
        lambda: _check_words(named, words),
    )
    players = options.read_players(policy)
    played, player = options.load_chapter(named, party, switches or (), players), ":".join(players)
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
        options.chapter_question("sensitivity", [played], (player,), games=games, seed=seed),
        command("sensitivity", named, **said, games=games, seed=seed),
    )


sensitivity = shared.command_of(ask)


def _check_words(named: str, words: list[str]) -> None:
    """Raise InputError with all words that mean nothing in the chapter, whoever plays it how."""
    from card_data.faults import CardFileError

    try:
        played = options.load_chapter(
            named, options.ALL_PARTIES, ["parties=any", "encounter_deck=all"]
        )
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
