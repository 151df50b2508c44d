"""What the steps of commands compile of Mindbug, and how long that takes."""

from collections.abc import Sequence

from reports.cli.steps import compiling
from reports.games import Kernels

#: What counting games compiles: kernels, what they are, and about how many seconds it takes.
ANALYSIS: Kernels = (
    (
        "analysis.mindbug.pair_tallies._count_pairs",
        *(f"analysis.mindbug.tallies._{what}" for what in ("tally_cards", "tally_keywords")),
        "analysis.mindbug.tallies._sum_pair_products",
    ),
    "what counts games",
    5,
)
#: What telling single games compiles: kernels, what they are, and about how many seconds it takes.
SINGLE_GAMES: Kernels = ("simcore.mindbug.face.game._step",), "the engine for single games", 50
#: What a player of a single game compiles besides.
THINKING: Kernels = (
    (*SINGLE_GAMES[0], "simcore.mindbug.face.game._ask_searcher"),
    "the engine for single games",
    60,
)
#: What comparing runs compiles.
COMPARISON: Kernels = ("analysis.mindbug.paired_sums._add_pairs",), "the comparison", 10


def compile_engine(players: Sequence[str] = ()) -> None:
    """Compile the engine, with what ``players`` need of it, where that has not been done."""
    from simcore.jit import prune
    from simcore.mindbug import parse_player
    from simcore.mindbug.play.simulate import compile_considered, compile_with_functions
    from simcore.mindbug.play.simulate import compile_engine as compile_games
    from simcore.mindbug.players.policies import compile_thinking

    simulate, policies = "simcore.mindbug.play.simulate", "simcore.mindbug.players.policies"
    games = f"{simulate}._play_games", f"{simulate}._play_plain_games"
    with compiling(games, "the engine", 45):
        compile_games()
    if any(parse_player(player).policy != "random" for player in players):
        thinking = f"{policies}._think_of_any", f"{policies}._think_plainly"
        with compiling(thinking, "the players who think", 30):
            compile_thinking()
    if any(parse_player(player).considers for player in players):
        what = "the engine for players who search or are restricted"
        with compiling((f"{simulate}._play_considered_games",), what, 20):
            compile_considered()
    if any(parse_player(player).function for player in players):
        with compiling((f"{simulate}._play_to_function",), "the engine for your player", 25):
            compile_with_functions()
    prune()
