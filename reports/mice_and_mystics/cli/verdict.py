"""The command `fairdeal verdict` of Mice & Mystics."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from attrs import evolve, frozen
from cyclopts import Parameter

from analysis.mice_and_mystics.experiments.usual import (
    PLAYER,
    STRONGER,
    STRONGER_GAMES,
    VERDICT_GAMES,
)
from card_data.mice_and_mystics.chapter_names import offered_chapters, split_named
from reports.cli.console import InputError
from reports.cli.options import Stronger, whole
from reports.games import reports_of
from reports.mice_and_mystics.cli.options import (
    ALL_PARTIES,
    PlayableChapter,
    Switches,
    chapter_question,
    load_chapter,
    one_player,
    read_players,
)
from reports.verdict.command import AskedByName, VerdictOptions, check_number, command_of
from simcore.commands import option_words

if TYPE_CHECKING:
    from card_data.mice_and_mystics.facts import Entry
    from simcore.work.cost import Plan


@Parameter(name="*")
@frozen(kw_only=True)
class EntryOptions(VerdictOptions):
    """Those of a verdict on an entry of a chapter."""

    policy: Annotated[str, Parameter(help="Who plays the main games, as for balance.")] = PLAYER
    stronger: Stronger = STRONGER
    games: Annotated[
        int,
        Parameter(
            converter=whole(1_000, 100_000_000),
            help="Games to play of the chapter as it is; everything else is in proportion, and"
            f" a stronger player who searches plays {STRONGER_GAMES:,} where these are"
            f" {VERDICT_GAMES:,}.",
        ),
    ] = VERDICT_GAMES


_USUAL = EntryOptions()


@frozen
class EntryAsked(AskedByName):
    """An entry of a chapter that is asked about."""

    @property
    def kinds(self) -> tuple[Any, Any]:
        """Those of the entry."""
        from analysis.mice_and_mystics.experiments.verdict import Experiment
        from reports.mice_and_mystics.verdict.page import EntryVerdict

        return Experiment, EntryVerdict

    def plan(self, player: str, games: int) -> "Plan":
        """Games of the chapter."""
        played = PlayableChapter(self.played, self.case.facts, self.case.settings)
        return played.plan(games, self.case.seed, self.case.seats(player), bound="at least")


def ask(
    entry: Annotated[
        str,
        Parameter(
            name="ENTRY",
            help="The id or name of a hero, a minion, a card or an encounter; or a file of your"
            " own, whose entries are judged one after another.",
        ),
    ],
    /,
    *chapter: Annotated[
        str,
        Parameter(
            name="CHAPTER",
            help="Files of your own that change or add entries, and the chapter; they may be joined"
            " with '+'."
            " Default: the first chapter that comes with fairdeal in which the entry comes up.",
        ),
    ],
    party: Annotated[
        str | None,
        Parameter(
            help="The heroes, as in 'collin,nez,tilda,filch'. Default: every game draws one of the"
            " legal parties."
        ),
    ] = None,
    switches: Switches = None,
    options: EntryOptions = _USUAL,
) -> list[EntryAsked]:
    """Find whether a hero, card, minion or encounter is too strong, why, and what would fix it.

    Plays the chapter, once more with an average one in its place, and with each of its numbers one
    less and one more, in games with the same luck. Says how far the answer holds over players, with
    whom it does more, and which games ended differently without it.
    """
    found = _read_entries(entry, chapter, party, switches or (), options.said())
    return [_ask(one, party, switches or (), options) for one in found]


verdict = command_of(ask)


def _ask(
    found: "tuple[PlayableChapter, str, Entry]",
    party: str | None,
    switches: Sequence[str],
    options: EntryOptions,
) -> EntryAsked:
    """What the command asks.  Raises InputError and CardFileError."""
    from analysis.mice_and_mystics.experiments.verdict import Case

    played, kind, entry = found
    players = options.players(_one_policy, one_player)
    case = Case(*played.played(), kind, entry, **options.of_case(players))
    question = chapter_question(
        *("verdict", [played], players),
        of=entry,
        games=case.games,
        seed=case.seed,
        band=options.band,
    )
    reports_of("mice_and_mystics").compile_engine(players[:1])
    question = evolve(question, named=("verdict", entry.id), who=(players[0],))
    words = option_words(party=party, set=switches)
    base = case.settings.chapter  # a file with a change has all entries that are not the game's own
    return EntryAsked(question, case, "entry", entry.id, options, played.said, base, words)


def _one_policy(text: str) -> str:
    """The player of all heroes.  Raises InputError."""
    players = read_players(text)
    if len({*players}) > 1:
        raise InputError(f"--policy is {text}; name one player, who plays all heroes")
    return players[0]


def _read_entries(
    wanted: str,
    named: Sequence[str],
    party: str | None,
    switches: Sequence[str],
    options: Mapping[str, Any] = MappingProxyType({}),
) -> "list[tuple[PlayableChapter, str, Entry]]":
    """The chapter, and the kind and entry that is meant, or each entry of a file that comes up.

    ``options`` are those that the command was given.

    Raises InputError and CardFileError.
    """
    from card_data.faults import nearest
    from card_data.mice_and_mystics.entries import KINDS
    from card_data.mice_and_mystics.loader import own_keys
    from reports.kit.words import listed

    own = [one for one in [wanted] if one.endswith(".toml")]
    chapter = "+".join([*named, *own])
    name, files = split_named(chapter)
    if not name and not any(kind == "chapter" for file in files for kind, _ in own_keys(file)):
        chapters = ["+".join([one, *files]) for one in offered_chapters()]
    else:
        chapters = [chapter]
    known: dict[str, str] = {}
    for said in chapters:
        played = load_chapter(said, party or ALL_PARTIES, switches)
        entries = _entries(played)
        for kind, entry in [] if own else entries:
            if wanted.casefold() in (entry.id, entry.name.casefold()):
                return [(played, kind, entry)]
        if own:
            keys = {(KINDS[word].plural, one) for word, one in own_keys(wanted) if word in KINDS}
            found = [(played, kind, entry) for kind, entry in entries if (kind, entry.id) in keys]
            if found:
                words = [said, *option_words(party=party, set=switches)]
                check_number(wanted, [entry.id for _, _, entry in found], words, options)
                return found
        known |= {word: one.id for _, one in entries for word in (one.id, one.name.casefold())}
    where = "+".join(named) or "the chapters that come with fairdeal"
    if own:
        more = "; '--set parties=any' plays heroes whom a chapter does not allow"
        has_hero = any(word == "hero" for word, _ in own_keys(wanted))
        raise InputError(f"nothing in {wanted} comes up in {where}{more if has_hero else ''}")
    guess = nearest(wanted.casefold(), known)
    of_each_kind = {kind: f"'{entry.id}'" for kind, entry in entries}
    meant = (
        f"did you mean '{known[guess]}'?"
        if guess
        else f"name one, such as {listed(of_each_kind.values(), last='or')}"
    )
    raise InputError(f"no hero, minion, card or encounter '{wanted}' comes up in {where}; {meant}")


def _entries(played: PlayableChapter) -> "list[tuple[str, Entry]]":
    """What can come up in a chapter, with its kind."""
    from analysis.mice_and_mystics.experiments.verdict_effects import KINDS
    from card_data.mice_and_mystics.confidence import used_entries

    used = used_entries(*played.played())
    return [(kind, entry) for kind in KINDS for entry in used[kind]]
