"""The command `fairdeal verdict` of games that people bring."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import evolve, frozen
from cyclopts import Parameter

from card_data.faults import nearest
from card_data.schema.kinds import SWAP
from reports.cli.console import InputError
from reports.cli.options import NOBODY, whole
from reports.own_games.options import (
    NAMED,
    PlayableGame,
    Policy,
    Seats,
    Settings,
    load_table,
    no_peer,
    one_player,
    usual_players,
)
from reports.verdict.command import AskedByName, VerdictOptions, check_number, command_of
from simcore.commands import option_words

if TYPE_CHECKING:
    from analysis.own_games.verdict import Case
    from card_data.schema import Entry
    from simcore.contract.play import Table
    from simcore.work.cost import Plan


@Parameter(name="*")
@frozen(kw_only=True)
class EntryOptions(VerdictOptions):
    """Those of a verdict on an entry of a game."""

    policy: Policy = None  # type: ignore[assignment]
    stronger: Annotated[
        str | None,
        Parameter(
            help="Who plays next, to show by how much the verdict moves with the player, or 'none'."
            " Default: the next strongest, if no player is named and that is not 'random'."
        ),
    ] = None  # type: ignore[assignment]
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(100, 100_000_000),
            help="Games to play of the game as it is; everything else is in proportion. Default:"
            " 10,000, and 2,000 where players or rules have no compiled form.",
        ),
    ] = None


_USUAL = EntryOptions()


@frozen
class EntryAsked(AskedByName):
    """An entry of a game that is asked about."""

    @property
    def kinds(self) -> tuple[Any, Any]:
        """Those of the entry."""
        from analysis.own_games.verdict import Experiment
        from reports.own_games.verdict_text import EntryVerdict

        return Experiment, EntryVerdict

    def plan(self, player: str, games: int) -> "Plan":
        """Games of the game."""
        from simcore.own_games.run import new_run
        from simcore.work.cost import Plan

        case = self.case
        how = {"n_games": games, "seed": case.seed, "players": case.seats(player)}
        return Plan(new_run(case.played, **how), bound="at least")


def ask(
    entry: Annotated[
        str,
        Parameter(
            name="ENTRY",
            help="The id or name of an entry; or a file of your own, whose entries are judged one"
            " after another.",
        ),
    ],
    game: Annotated[str, Parameter(name="GAME", help=NAMED)],
    /,
    *,
    seats: Seats = None,
    settings: Settings = None,
    options: EntryOptions = _USUAL,
) -> list[EntryAsked]:
    """Find whether an entry is too strong, why, and the smallest change that would fix it.

    What an entry is worth is measured as fits the game: by the seats that are dealt it; or by games
    that have it; or in the same games once more where a seat may not choose it, or where it has the
    values of another. Each of its numbers is made one less and one more, in games with the same
    luck.
    """
    from analysis.own_games.verdict import Case

    own = [entry] if entry.endswith(".toml") else []
    words = option_words(seats=seats, set=settings)
    table = load_table(["+".join([game, *own])], seats, settings or ())
    found = _entries(entry, table, bool(own))
    if own:
        check_number(entry, [one.id for one in found], [game, *words], options.said())
    usual = usual_players(table, 2) if options.policy is None else [options.policy]
    others = [*usual, NOBODY][1] if options.stronger is None else options.stronger
    options = evolve(options, policy=usual[0], stronger=others)
    players = options.players(
        *(partial(one_player, table, one) for one in ("--policy", "--stronger"))
    )
    cases = [Case(table, one, **options.of_case(players)) for one in found]
    return [_ask(case, "+".join([game, *own]), words, options) for case in cases]


verdict = command_of(ask)


def _entries(wanted: str, table: "Table", is_file: bool) -> "list[Entry]":
    """The entry that is meant, or those of a file.  Raises InputError."""
    if is_file:
        from card_data.schema.loader import read_entry_file

        keys = read_entry_file(Path(wanted), table.game.schema).keys
        return [one for one in table.cards if (one.kind, one.id) in keys]
    known = {name.casefold(): one for one in table.cards for name in (one.name, one.id)}
    if wanted.casefold() in known:
        return [known[wanted.casefold()]]
    if not known:
        raise InputError(f"ENTRY: {table.game.title} has no entries that a verdict can be on")
    guess = nearest(wanted.casefold(), known)
    there = ", ".join(one.id for one in table.cards)
    meant = f"did you mean '{known[guess].id}'?" if guess else f"there are {there}"
    raise InputError(f"ENTRY: {table.game.title} has no entry '{wanted}'; {meant}")


def _ask(case: "Case", said: str, words: list[str], options: EntryOptions) -> EntryAsked:
    """What the command asks of one entry.  Raises InputError."""
    table, effect = case.played, case.effect
    if effect.measure == SWAP and not effect.average_tables(table):
        raise InputError(f"ENTRY: {no_peer(case.entry)}")
    n, seed = case.sizes.run, case.seed
    asked = {
        **case.entries,
        "seats": table.seats,
        "measure": effect.measure,
        "players": [*case.players],
        "games": n,
        "seed": seed,
        "band": options.band,
    }
    question = evolve(
        PlayableGame(said, table).question("verdict", case.players, n, seed, asked),
        named=("verdict", case.entry.id),
        what=f"{case.entry.name}, {table.game.title}",
        who=(case.policy,),
    )
    return EntryAsked(question, case, "entry", case.entry.id, options, said, said, words)
