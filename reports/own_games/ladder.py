"""The command `fairdeal ladder` of games that people bring, and what it says of a ladder."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from analysis.confidence import confidence_said
from reports.cli.console import InputError, as_input_error
from reports.cli.options import MAX_GAMES, Seed, whole
from reports.ladder.command import Asked, command_of
from reports.own_games.options import NAMED, PlayableGame, Seats, Settings, load_table, ready
from simcore.commands import command

if TYPE_CHECKING:
    from reports.ladder.page import LadderWords


def ask(
    named: Annotated[str, Parameter(name="GAME", help=NAMED)],
    /,
    *,
    seats: Seats = None,
    settings: Settings = None,
    players: Annotated[
        str | None,
        Parameter(
            help="Two or more players of the game, separated by commas: 'random', its own,"
            " 'learned', 'search:N', and 'greedy' where the rules have standing(seat)."
            " Default: all but 'learned' and 'search:N'."
        ),
    ] = None,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(1, MAX_GAMES),
            help="How many games each pair plays: a multiple of the games of a deal, which are 2"
            " for two seats, and 6 for three. Default: about 2,000, which show a score to 2.2"
            " points either way.",
        ),
    ] = None,
    seed: Seed = 0,
) -> Asked:
    """Play the players of a game against each other, and rate them.

    Every player meets every other on the same deals, with seats exchanged. Prints who is best and
    by how much, and writes a page with ratings, charts and tables.
    """
    from analysis.experiments.pair_games import check_players
    from analysis.own_games.ladder import OwnLadder, usual_games
    from simcore.own_games.run import new_run
    from simcore.work.cost import Plan

    table = load_table([named], seats, settings or ())
    names = tuple(name.strip() for name in players.split(",")) if players is not None else ()
    if players is None and len(table.game.player_names) < 2:
        raise InputError(
            f"{table.game.title} has no player but 'random', and a ladder needs two: write one, or"
            " standing(seat) for 'greedy'"
        )
    with as_input_error("--players" if players is not None else ""):
        asked = OwnLadder(table, names or table.game.player_names, usual_games(table), seed)
    known = {one: ready(table, one) for one in asked.players}
    with as_input_error("--players"):
        check_players(asked.players, known.__getitem__)
    with as_input_error("--games"):
        asked = OwnLadder(table, (*known.values(),), asked.games if games is None else games, seed)

    def plans() -> list[Plan]:
        return [
            Plan(new_run(table, n_games=n, seed=seed, players=_seated(pair, table.seats)), 8)
            for *pair, n in asked.pairs
        ]

    entries = {**asked.asked, "games": asked.games, "seed": seed}
    playable = PlayableGame(named, table)
    question = playable.question("ladder", asked.players, games, seed, entries)
    again = command(
        *("ladder", named),
        seats=seats,
        set=settings,
        players=players,
        games=games,
        seed=seed,
        confidence=confidence_said(),
    )
    return Asked(asked, question, plans, ladder_words, lambda _: again, lambda: None)


ladder = command_of(ask)


def _seated(pair: list[str], seats: int) -> list[str]:
    """One player of a pair in the first seat, the other in all others."""
    return [pair[0], *[pair[1]] * (seats - 1)]


def ladder_words(manifest: Mapping[str, Any]) -> "LadderWords":
    """What is said of a ladder."""
    from reports.kit.words import intervals
    from reports.ladder.page import LadderWords
    from reports.ladder.text import describe
    from reports.own_games.page import game_text

    rules = manifest["rules"]
    what, of_deal, seats = game_text(manifest), manifest["games_of_deal"], manifest["seats"]
    exchanged = f"Each deal of a pair is played {of_deal} times, with seats exchanged: "
    if of_deal == 1:
        exchanged = "Each deal of a pair is played by either alone; the better outcome wins it."
    elif of_deal == seats == 2:
        exchanged = "Each deal of a pair is played twice, once from either side."
    elif of_deal == 2 * seats:
        exchanged += "either of them sits in each seat once, and the other in all others."
    else:
        exchanged += "either of them has each team once, and the other all other seats."
    facts = [
        ("Game", what),
        ("Seats", str(seats)),
        ("Rules", f"{rules['source']}, version {manifest['rules_version']}"),
        ("Players", ", ".join(manifest["players"])),
    ]
    return LadderWords(what, exchanged, f"{describe(manifest, what)}{intervals()}", facts)
