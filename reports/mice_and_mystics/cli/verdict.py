"""The command `fairdeal verdict` of Mice & Mystics."""

from collections.abc import Mapping, Sequence
from pathlib import Path
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
from reports.cli.compute import HERE, Compute, Crew
from reports.cli.console import InputError
from reports.cli.dry_run import DryRun
from reports.cli.options import (
    Json,
    Seed,
    Stronger,
    changed_options,
    check_band,
    decimal,
    read_stronger,
    to_place,
    whole,
    with_confidence,
)
from reports.cli.verdict import Asked, answer_all, check_number
from reports.games import reports_of
from reports.mice_and_mystics.cli.options import (
    ALL_PARTIES,
    PlayableChapter,
    Switches,
    load_chapter,
    one_player,
    read_players,
)
from reports.mice_and_mystics.cli.questions import chapter_question
from simcore.commands import option_words

if TYPE_CHECKING:
    from card_data.mice_and_mystics.facts import Entry
    from reports.mice_and_mystics.verdict.page import EntryVerdict
    from simcore.work.cost import Plan


@with_confidence
def verdict(
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
    band: Annotated[
        float,
        Parameter(
            converter=decimal,
            help="Up to this many percentage points of the win rate are fair.",
        ),
    ] = 2.0,
    policy: Annotated[str, Parameter(help="Who plays first, as for balance.")] = PLAYER,
    stronger: Stronger = STRONGER,
    games: Annotated[
        int,
        Parameter(
            converter=whole(1_000, 100_000_000),
            help="How many games to play of the chapter as it is; all else is in proportion, and"
            f" a stronger player who searches plays {STRONGER_GAMES:,} where these are"
            f" {VERDICT_GAMES:,}.",
        ),
    ] = VERDICT_GAMES,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder of the verdict. Default:"
            " runs/verdict-ENTRY-POLICY-DAY. Run the same command again to resume.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find whether a hero, card, minion or encounter is too strong, why, and what mends it.

    Plays the chapter, once more with an average one in its place, and with each of its numbers one
    less and one more, in games with the same luck. Says how far the answer holds over players, with
    whom it does more, and which games came out otherwise without it.
    """
    said: dict[str, Any] = {
        "band": band,
        "policy": policy,
        "stronger": stronger,
        "games": games,
        "seed": seed,
    }
    found = _read_entries(entry, chapter, party, switches or (), changed_options(verdict, **said))
    asked = [_ask(*(one, party, switches or ()), **said, compute=compute) for one in found]
    answer_all(asked, out, dry_run=dry_run, as_json=as_json)


def ask(
    entry: str, chapter: str, party: str | None, switches: Sequence[str], **options: Any
) -> "EntryAsked":
    """What the command asks of one entry; ``options`` as the command has them.

    Raises InputError and CardFileError.
    """
    [found] = _read_entries(entry, [chapter] if chapter else [], party, switches)
    return _ask(found, party, switches, **options)


def _ask(
    found: "tuple[PlayableChapter, str, Entry]",
    party: str | None,
    switches: Sequence[str],
    *,
    band: float = 2.0,
    policy: str = PLAYER,
    stronger: str = STRONGER,
    games: int = VERDICT_GAMES,
    seed: int = 0,
    compute: Compute = HERE,
) -> "EntryAsked":
    """What the command asks.  Raises InputError and CardFileError."""
    from analysis.mice_and_mystics.experiments.verdict import Case

    check_band(band)
    players = read_players(policy)
    if len({*players}) > 1:
        raise InputError(f"--policy is {policy}; name one player, who plays all heroes")
    player = players[0]
    beyond = read_stronger(stronger, player, one_player)
    played, kind, entry = found
    facts, settings = played.played()
    case = Case(
        *(facts, settings, kind, entry),
        policy=player,
        stronger=beyond,
        band=band / 100,
        games=games,
        seed=seed,
    )
    question = chapter_question(
        *("verdict", [played], [*case.players]), of=entry, games=games, seed=seed, band=band
    )
    options = option_words(party=party, set=switches)
    reports_of("mice_and_mystics").compile_engine([player])
    question = evolve(question, named=("verdict", entry.id), who=(player,))
    return EntryAsked(question, case, "entry", entry.id, compute, {}, played.said, options)


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
    guess = nearest(wanted.casefold(), known)
    meant = (
        f"did you mean '{known[guess]}'?"
        if guess
        else "there are " + ", ".join(dict.fromkeys(known.values()))
    )
    where = chapter or "the chapters that come with fairdeal"
    raise InputError(f"no hero, minion, card or encounter '{wanted}' comes up in {where}; {meant}")


def _entries(played: PlayableChapter) -> "list[tuple[str, Entry]]":
    """What can come up in a chapter, with its kind."""
    from analysis.mice_and_mystics.experiments.verdict_effects import KINDS
    from card_data.mice_and_mystics.confidence import used_entries

    used = used_entries(*played.played())
    return [(kind, entry) for kind in KINDS for entry in used[kind]]


@frozen
class EntryAsked(Asked):
    """An entry of a chapter that is asked about."""

    chapter: str
    options: list[str]

    def named(self, folder: Path) -> list[str]:  # noqa: ARG002 - the files are where they were
        """The chapter, and how it is played."""
        return [self.chapter, *self.options]

    def named_with(self, proposal: Path, folder: Path) -> list[str]:  # noqa: ARG002
        """The same, with the changed entry; the file has all that are not the game's own."""
        return [f"{self.case.settings.chapter}+{proposal}", *self.options]

    def play(self, folder: Path, crew: Crew) -> "EntryVerdict":
        """Play what is missing of the games."""
        from analysis.mice_and_mystics.experiments.verdict import play_case
        from reports.mice_and_mystics.verdict.page import EntryVerdict

        evidence = play_case(
            self.case,
            folder,
            watch=crew.watch,
            threads=crew.threads,
            executor=crew.executor,
        )
        return EntryVerdict(evidence)

    def plan(self, player: str, games: int) -> "Plan":
        """Games of the chapter."""
        from simcore.mice_and_mystics.players.seats import split_players

        played = PlayableChapter(self.chapter, self.case.facts, self.case.settings)
        return played.plan(games, self.case.seed, split_players(player), bound="at least")

    def play_few(self, player: str, few: int) -> None:
        """Play a few games of the chapter."""
        import numpy as np

        from simcore.mice_and_mystics.play.simulate import play_rows
        from simcore.mice_and_mystics.players.seats import seat, split_players
        from simcore.mice_and_mystics.table.compile_facts import compile_facts
        from simcore.mice_and_mystics.table.records import GAME_RECORD

        rows = seat(compile_facts(self.case.facts, self.case.settings), split_players(player))
        play_rows(rows, seed=self.case.seed, first_game=0, out=np.empty(few, GAME_RECORD))
