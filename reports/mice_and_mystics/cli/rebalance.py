"""The command `fairdeal rebalance` of Mice & Mystics."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen
from cyclopts import Group, Parameter

from analysis.mice_and_mystics.experiments import usual
from card_data.faults import CardFileError, unknown_word
from card_data.typed_numbers import decimal_number
from reports.cli.console import InputError, read_all
from reports.cli.options import whole
from reports.games import reports_of
from reports.mice_and_mystics.cli.options import (
    ALL_PARTIES,
    NAMED,
    Policy,
    Switches,
    chapter_question,
    load_chapter,
    read_players,
)
from reports.rebalance import command as shared
from reports.rebalance.command import ALLOWED, Budget, Confirm, Games, RebalanceOptions, words_of
from simcore.commands import command

if TYPE_CHECKING:
    from analysis.mice_and_mystics.experiments.rebalance_goals import Band
    from analysis.questions.rebalance import Answer as Found
    from card_data.mice_and_mystics.facts import Facts
    from card_data.mice_and_mystics.settings import Settings
    from card_data.schema.changes import Variable
    from reports.mice_and_mystics.cli.options import PlayableChapter
    from reports.mice_and_mystics.rebalance import ChapterRebalancing
    from simcore.work.cost import Plan

#: The word for entries of a designer's own.
_MINE = "mine"
#: The bands of parties and of entries, as they are typed.
_OF_PARTIES, _OF_ENTRIES = "45,55", "2"
_GOALS = Group("Goals", sort_key=2, help="The goals for the chapter.")


@Parameter(name="*", help="What is to be reached, and how.")
@frozen(kw_only=True)
class ChapterGoals(RebalanceOptions):
    """The band, and what may be changed of a chapter."""

    band: Annotated[
        str | None,
        Parameter(
            group=_GOALS,
            help="The band of win rates in per cent that every party should be in, as in"
            f" '45,55'; with --only how many points each of these entries may add or cost, as in"
            f" '2'. Default: {_OF_PARTIES}, with --only {_OF_ENTRIES}.",
        ),
    ] = None
    changes: Annotated[
        str,
        Parameter(
            group=ALLOWED,
            help="What may be changed, separated by commas: 'heroes', 'minions', 'encounters',"
            " 'chapters' (minions at the start, the last page), 'rules' (the numbers of --set),"
            " 'abilities', 'search_cards'.",
        ),
    ] = ",".join(usual.USUAL_LEVERS)
    step: Annotated[
        int,
        Parameter(
            group=ALLOWED,
            converter=whole(1, 5),
            help="How far a number may be changed, up or down.",
        ),
    ] = 1
    only: Annotated[
        str | None,
        Parameter(
            group=ALLOWED,
            help="Change and judge only these: ids or names of entries, separated by commas, and"
            " numbers of --set; 'mine' stands for entries of your own. Parties are judged if --band"
            " has two numbers.",
        ),
    ] = None
    keep: Annotated[
        str | None,
        Parameter(
            group=ALLOWED,
            help="Entries, by id and separated by commas, and numbers of --set that stay as they"
            " are: 'collin,roach,page_end'.",
        ),
    ] = None
    games: Games = usual.CANDIDATE_GAMES
    confirm: Confirm = usual.CONFIRM_GAMES
    budget: Budget = usual.SEARCH_GAMES


_USUAL = ChapterGoals()


@frozen
class ChapterAsked(shared.Asked):
    """How a chapter is balanced; ``said`` asks the same again."""

    played: "PlayableChapter"
    said: str

    def command(self, folder: Path) -> str:  # noqa: ARG002 - files are named as they were
        """The command that asks the same again."""
        return self.said

    def plan(self, games: int, seed: int, bound: str) -> "Plan":
        """Games of the chapter."""
        return self.played.plan(games, seed, read_players(self.balanced.policy), bound=bound)

    def told(self, found: "Found") -> "ChapterRebalancing":
        """What was found of the chapter."""
        from reports.mice_and_mystics.rebalance import ChapterRebalancing

        return ChapterRebalancing(found.tables, found.manifest, self.played.said)

    def compile_engine(self) -> None:
        """Compile what plays."""
        reports_of("mice_and_mystics").compile_engine(read_players(self.balanced.policy))


def ask(
    *chapter: Annotated[str, Parameter(name="CHAPTER", help=NAMED)],
    party: Annotated[
        str,
        Parameter(
            help=f"The heroes, as in 'collin,nez,tilda,filch', or '{ALL_PARTIES}': every legal"
            " party should be in the band."
        ),
    ] = ALL_PARTIES,
    switches: Switches = None,
    policy: Policy = None,
    options: ChapterGoals = _USUAL,
) -> ChapterAsked:
    """Find small changes that bring every party into a band of win rates, and confirm them.

    With --only they bring the entries that it names into the band of 'verdict', by what each adds
    to the win rate. Changes race on the same chance, the best are combined, and fresh games confirm
    the answer. The proposal is a file of your own and settings, which 'balance' and 'compare' can
    play.
    """
    named, switches, band = "+".join(chapter), switches or [], options.band
    levers = [one.strip() for one in options.changes.split(",")]
    alone, kept = words_of(options.only), words_of(options.keep)
    read_all(
        lambda: _read_band(band or _OF_PARTIES),
        lambda: read_players(policy),
        lambda: _check_levers(levers),
        lambda: load_chapter(named, party, switches),
        lambda: _check_named(named, {"--only": alone, "--keep": kept}),
        options.sizes,
    )
    from analysis.mice_and_mystics.experiments.rebalance import Question, allowed_changes

    alone, kept = (_ids(named, words) for words in (alone, kept))

    def is_named(one: "Variable", words: Sequence[str]) -> bool:
        return one.entry in words or one.number in words

    played = load_chapter(named, party, switches, read_players(policy))
    player = usual.PLAYER if policy is None else policy
    facts, settings = played.played()
    judged = _judged(facts, settings, alone, band)
    allowed = allowed_changes(
        facts,
        settings,
        levers,
        step=options.step,
        but=lambda one: (
            is_named(one, kept)
            or (options.only is not None and not is_named(one, alone))
            or (bool(judged) and one.number == "count")  # which shuffles other cards
        ),
    )
    wanted = _read_band(band or (_OF_ENTRIES if judged else _OF_PARTIES))
    balanced = Question(
        *(facts, settings, wanted, allowed, player), **options.sizes(), judged=judged
    )
    words = options.words(party=party, set=switches, policy=player)
    said = command("rebalance", named, *words)
    question = chapter_question(
        *("rebalance", [played], (player,)),
        games=options.games,
        seed=options.seed,
        words=said.split(),
    )
    return ChapterAsked(balanced, question, played, said)


rebalance = shared.command_of(ask)


def _judged(
    facts: "Facts", settings: "Settings", named: Sequence[str], band: str | None
) -> tuple[tuple[str, str], ...]:
    """The entries that are judged: those of --only that come up, unless --band is one of parties.

    Raises InputError where --band asks for entries and none is named, or none of them comes up.
    """
    from analysis.mice_and_mystics.experiments.verdict_effects import KINDS
    from card_data.mice_and_mystics.changes import OF_ENTRIES
    from card_data.mice_and_mystics.confidence import used_entries

    entries = {entry.id for kind in OF_ENTRIES for entry in getattr(facts, kind)}
    wanted, of_parties = entries.intersection(named), band is not None and "," in band
    if of_parties or (band is None and not wanted):
        return ()
    if not wanted:
        raise InputError(
            f"--band: {band} is a band of entries; name them with --only, or write two numbers in"
            f" per cent for parties, as in {_OF_PARTIES}"
        )
    used = used_entries(facts, settings)
    found = tuple((kind, one.id) for kind in KINDS for one in used[kind] if one.id in wanted)
    if not found:
        raise InputError(f"--only: none of {', '.join(sorted(wanted))} comes up in the chapter")
    return found


def _read_band(text: str) -> "Band":
    """The band that two numbers with a comma between them spell, in per cent; or one, in points."""
    from analysis.mice_and_mystics.experiments.rebalance_goals import Band

    try:
        numbers = [decimal_number(part) for part in text.split(",")]
        least, most = numbers if "," in text else (-numbers[0], numbers[0])
    except ValueError:
        raise InputError(
            f"--band: '{text}' is not a band; write two numbers in per cent, as in {_OF_PARTIES},"
            " or"
            f" with --only one number of points, as in {_OF_ENTRIES}"
        ) from None
    if "," not in text:
        if not 0 < most < 100:
            raise InputError(f"--band is {text} and must lie between 0 and 100 points")
    elif not 0 <= least < most <= 100:
        raise InputError(
            f"--band: {text} is not a band; the first number must be below the second, both from 0"
            " to"
            " 100 per cent"
        )
    return Band(least / 100, most / 100)


def _check_levers(levers: list[str]) -> None:
    """Raise InputError with all words of ``--changes`` that are none."""
    wrong = [
        f"--changes: {unknown_word('kind of change', one, usual.LEVERS)}"
        for one in levers
        if one not in usual.LEVERS
    ]
    if wrong:
        raise InputError("\n".join(wrong))


def _ids(chapter: str, words: Sequence[str]) -> list[str]:
    """Words with ids for names of entries, and for all of one's own that 'mine' stands for."""
    from card_data.mice_and_mystics.changes import OF_ENTRIES, own_entries
    from card_data.mice_and_mystics.loader import load_named

    if not words:
        return []
    facts, _ = load_named(chapter)
    called = {one.name.casefold(): one.id for kind in OF_ENTRIES for one in getattr(facts, kind)}
    own = [entry for _, entry in own_entries(facts)]
    return [
        one
        for word in words
        for one in (own if word == _MINE else [called.get(word.casefold(), word)])
    ]


def _check_named(chapter: str, named: Mapping[str, Sequence[str]]) -> None:
    """Raise InputError with all words of some options that name nothing."""
    from card_data.mice_and_mystics.changes import OF_ENTRIES
    from card_data.mice_and_mystics.loader import load_named
    from card_data.mice_and_mystics.settings import SETTINGS

    if not any(named.values()):
        return
    try:
        facts, _ = load_named(chapter)
    except CardFileError:
        return  # told already
    known = (*(entry.id for kind in OF_ENTRIES for entry in getattr(facts, kind)), *SETTINGS)
    wrong = [
        f"{option}: {unknown_word('entry', one, known)}"
        for option, words in named.items()
        for one in _ids(chapter, words)
        if one not in known
    ]
    if wrong:
        raise InputError("\n".join(wrong))
