"""The command `fairdeal rebalance` of Mice & Mystics."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen
from cyclopts import Parameter

from analysis.confidence import confidence_said
from analysis.mice_and_mystics.experiments.levers import LEVERS, USUAL_LEVERS
from analysis.mice_and_mystics.experiments.usual import (
    CANDIDATE_GAMES,
    CONFIRM_GAMES,
    PLAYER,
    SEARCH_GAMES,
)
from card_data.faults import CardFileError, unknown_word
from card_data.typed_numbers import decimal_number
from reports.cli.compute import HERE, Compute, Crew
from reports.cli.console import (
    InputError,
    print_json,
    read_all,
)
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.json_answers import found_json
from reports.cli.options import Json, Seed, to_place, whole, with_confidence
from reports.games import reports_of
from reports.mice_and_mystics.cli.options import (
    ALL_PARTIES,
    NAMED,
    Policy,
    Switches,
    load_chapter,
    read_players,
)
from reports.mice_and_mystics.cli.questions import chapter_question
from reports.rebalance import answer
from reports.rebalance.answer import Answer, print_answer
from simcore.commands import command, option_words

if TYPE_CHECKING:
    from analysis.mice_and_mystics.experiments.rebalance import Question
    from analysis.mice_and_mystics.experiments.rebalance_goals import Band
    from analysis.questions.rebalance import Answer as Found
    from analysis.questions.rebalance import FrontSoFar
    from card_data.mice_and_mystics.facts import Facts
    from card_data.mice_and_mystics.settings import Settings
    from card_data.schema.changes import Variable
    from reports.kit.words import Finding
    from reports.mice_and_mystics.cli.options import PlayableChapter
    from simcore.work.about import Question as AskedFolder

#: The word for entries of a designer's own.
_MINE = "mine"
#: The bands of parties and of entries, as they are typed.
_OF_PARTIES, _OF_ENTRIES = "45,55", "2"


@with_confidence
def rebalance(
    *chapter: Annotated[str, Parameter(name="CHAPTER", help=NAMED)],
    band: Annotated[
        str | None,
        Parameter(
            help="The band of win rates in per cent that every party should be in, as in"
            f" '45,55'; with --only how many points each of these entries may add or cost, as in"
            f" '2'. Default: {_OF_PARTIES}, with --only {_OF_ENTRIES}."
        ),
    ] = None,
    party: Annotated[
        str,
        Parameter(
            help=f"The heroes, as in 'collin,nez,tilda,filch', or '{ALL_PARTIES}': every legal"
            " party should be in the band."
        ),
    ] = ALL_PARTIES,
    switches: Switches = None,
    policy: Policy = None,
    changes: Annotated[
        str,
        Parameter(
            help="What may be changed, with commas between: 'heroes', 'minions', 'encounters',"
            " 'chapters' (minions at the start, the last page), 'rules' (the numbers of --set),"
            " 'abilities', 'search_cards'."
        ),
    ] = ",".join(USUAL_LEVERS),
    step: Annotated[
        int,
        Parameter(converter=whole(1, 5), help="By how much a number may be changed, up or down."),
    ] = 1,
    only: Annotated[
        str | None,
        Parameter(
            help="Change and judge only these: ids or names of entries, with commas between, and"
            " numbers of --set; 'mine' stands for entries of your own. Parties are judged if --band"
            " has two numbers."
        ),
    ] = None,
    keep: Annotated[
        str | None,
        Parameter(
            help="Ids of entries, with commas between, and numbers of --set, that stay as they"
            " are: 'collin,roach,page_end'."
        ),
    ] = None,
    most_changes: Annotated[
        int | None,
        Parameter(converter=whole(1, 1000), help="How many numbers may change. Default: any."),
    ] = None,
    games: Annotated[
        int,
        Parameter(
            converter=whole(100, 10_000_000),
            help="How many games to play with each candidate, of all parties together.",
        ),
    ] = CANDIDATE_GAMES,
    confirm: Annotated[
        int,
        Parameter(
            converter=whole(100, 100_000_000),
            help="How many fresh games to play with each plan of the answer.",
        ),
    ] = CONFIRM_GAMES,
    budget: Annotated[
        int,
        Parameter(
            converter=whole(100, 1_000_000_000), help="How many games the search may play in all."
        ),
    ] = SEARCH_GAMES,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder of the search. Default:"
            " runs/rebalance-CHAPTER-PARTY-PLAYER-DAY. Run the same command again to"
            " resume.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find small changes that bring every party into a band of win rates, and confirm them.

    With --only they bring the entries that it names into the band of 'verdict', by what each adds
    to the win rate. Changes race on the same chance, the best are combined, and fresh games confirm
    the answer. The proposal is a file of your own and settings, which 'balance' and 'compare' can
    play.
    """
    asked = ask(
        "+".join(chapter),
        party,
        switches or (),
        band=band,
        policy=policy,
        changes=changes,
        step=step,
        only=only,
        keep=keep,
        most_changes=most_changes,
        games=games,
        confirm=confirm,
        budget=budget,
        seed=seed,
    )
    if dry_run:
        players = read_players(policy)
        plans = [
            asked.played.plan(budget, seed, players, bound="at most"),
            asked.played.plan(2 * confirm, asked.balanced.fresh_seed, players, bound="at least"),
        ]
        tell_cost(plans, compute, as_json=as_json)
        return
    with compute.start() as crew:
        told = find_out(asked, crew, out)
    if as_json:
        folder, found = told.page.parent, told.found
        said = {"folder": str(folder), "page": str(told.page), "to_play": told.to_play}
        of_game = found_json("mice_and_mystics", told.findings, found.tables, folder)
        print_json(said | found.manifest | of_game)
    else:
        from reports.mice_and_mystics.rebalance.text import describe

        manifest = told.found.manifest
        print_answer(describe(manifest), told, manifest["file"] or "")


@frozen
class Asked:
    """How a chapter is balanced: ``balanced`` says by what; ``command`` asks the same again."""

    balanced: "Question"
    played: "PlayableChapter"
    question: "AskedFolder"
    command: str


def ask(
    chapter: str,
    party: str,
    switches: Sequence[str],
    *,
    band: str | None = None,
    policy: str | None = None,
    changes: str = ",".join(USUAL_LEVERS),
    step: int = 1,
    only: str | None = None,
    keep: str | None = None,
    most_changes: int | None = None,
    games: int = CANDIDATE_GAMES,
    confirm: int = CONFIRM_GAMES,
    budget: int = SEARCH_GAMES,
    seed: int = 0,
) -> Asked:
    """What the command asks.  Raises InputError and CardFileError."""
    levers = [one.strip() for one in changes.split(",")]
    alone, kept = _words(only), _words(keep)
    read_all(
        lambda: _read_band(band or _OF_PARTIES),
        lambda: read_players(policy),
        lambda: _check_levers(levers),
        lambda: load_chapter(chapter, party, switches),
        lambda: _check_named(chapter, {"--only": alone, "--keep": kept}),
    )
    from analysis.mice_and_mystics.experiments.rebalance import Question, allowed_changes

    alone, kept = (_ids(chapter, words) for words in (alone, kept))

    def is_named(one: "Variable", words: Sequence[str]) -> bool:
        return one.entry in words or one.number in words

    played, player = load_chapter(chapter, party, switches), policy or PLAYER
    facts, settings = played.played()
    judged = _judged(facts, settings, alone, band)
    band = band or (_OF_ENTRIES if judged else _OF_PARTIES)
    allowed = allowed_changes(
        facts,
        settings,
        levers,
        step=step,
        but=lambda one: (
            is_named(one, kept)
            or (only is not None and not is_named(one, alone))
            or (bool(judged) and one.number == "count")  # which shuffles other cards
        ),
    )
    balanced = Question(
        *(facts, settings, _read_band(band), allowed, player),
        games=games,
        confirm=confirm,
        budget=budget,
        most=most_changes,
        seed=seed,
        judged=judged,
    )
    words = option_words(
        band=band,
        party=party,
        set=switches,
        policy=player,
        changes=",".join(levers),
        step=step,
        only=only,
        keep=keep or None,
        most_changes=most_changes or None,
        games=games,
        confirm=confirm,
        budget=budget,
        seed=seed,
        confidence=confidence_said(),
    )
    question = chapter_question(
        *("rebalance", [played], (player,)),
        games=games,
        seed=seed,
        words=["fairdeal", "rebalance", chapter, *words],
    )
    return Asked(balanced, played, question, command("rebalance", chapter, *words))


def find_out(
    asked: Asked,
    crew: Crew,
    out: Path | None = None,
    see: "Callable[[FrontSoFar], None] | None" = None,
) -> Answer:
    """Play what is missing of the search, and write the page; see `reports.rebalance.answer`."""
    from reports.mice_and_mystics.rebalance.page import write_rebalance_page
    from reports.mice_and_mystics.rebalance.text import commands_to_play, findings

    def tell(found: "Found", folder: Path) -> "tuple[Sequence[Finding], Sequence[str]]":
        tables, manifest = found.tables, found.manifest
        to_play = commands_to_play(manifest, folder, asked.played.said)
        write_rebalance_page(tables, manifest, folder, command=asked.command, to_play=to_play)
        return findings(tables, manifest), to_play

    reports_of("mice_and_mystics").compile_engine(read_players(asked.balanced.policy))
    return answer.find_out(asked.balanced, asked.question, crew, out, see, tell)


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
            f"--band: '{text}' is no band; write two numbers in per cent, as in {_OF_PARTIES}, or"
            f" with --only one number of points, as in {_OF_ENTRIES}"
        ) from None
    if "," not in text:
        if not 0 < most < 100:
            raise InputError(f"--band is {text} and must lie between 0 and 100 points")
    elif not 0 <= least < most <= 100:
        raise InputError(
            f"--band: {text} is no band; the first number must be below the second, both from 0 to"
            " 100 per cent"
        )
    return Band(least / 100, most / 100)


def _check_levers(levers: list[str]) -> None:
    """Raise InputError with all words of ``--changes`` that are none."""
    wrong = [
        f"--changes: {unknown_word('kind of change', one, LEVERS)}"
        for one in levers
        if one not in LEVERS
    ]
    if wrong:
        raise InputError("\n".join(wrong))


def _words(text: str | None) -> list[str]:
    """Words with commas between."""
    return [one.strip() for one in text.split(",")] if text else []


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
