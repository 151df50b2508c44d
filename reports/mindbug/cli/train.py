"""The command `fairdeal train`."""

from functools import partial
from typing import Annotated

from cyclopts import Parameter

from card_data.faults import unknown_word
from reports.cli.compute import HERE, Compute
from reports.cli.console import as_input_error
from reports.cli.dry_run import DryRun
from reports.cli.options import Json, Seed, decimal, whole
from reports.mindbug.cli.options import ONLY_SETS, PoolOptions, Sets
from reports.mindbug.cli.questions import pool_question
from reports.training.options import Out, check_spread


def train(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    apart: Annotated[
        list[str] | None,
        Parameter(
            negative=(),
            help="A set that is also played separately, not only with the others. May be given"
            " several times.",
        ),
    ] = None,
    against: Annotated[
        str | None,
        Parameter(
            help="The opponents, besides earlier versions of the learner: one player that comes"
            " with fairdeal, or several separated by commas, spelled as for --policy. 'random*8'"
            " plays eight times as many games."
            " Default: heuristic; for a network, which plays one alone, itself."
        ),
    ] = None,
    self_play: Annotated[
        bool | None,
        Parameter(
            help="Whether a learner of weights also plays earlier versions of itself. Default: it"
            " does."
        ),
    ] = None,
    start: Annotated[
        str,
        Parameter(
            help="Whose weights or network to start from: a player that has some, or a file."
            " 'nothing' trains a network anew."
        ),
    ] = "heuristic",
    only: Annotated[
        str | None,
        Parameter(
            help="Learn only these sections of the weights, separated by commas, as in"
            " 'effect,rule'. The others stay as they are, except the values of positions, which are"
            " fitted at the end. Default: all."
        ),
    ] = None,
    generations: Annotated[
        int | None,
        Parameter(
            converter=whole(1, 100_000),
            help="How many generations to try. Default: 200, or 15 of a network.",
        ),
    ] = None,
    population: Annotated[
        int | None,
        Parameter(
            converter=whole(4, 1_000),
            help="Candidates in each generation of weights. Default: 24.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(2, 1_000_000),
            help="Games of each candidate against each opponent with each pool, or of each"
            " generation of a network with each pool. Default: 400, or 30,000.",
        ),
    ] = None,
    spread: Annotated[
        float | None,
        Parameter(
            converter=decimal,
            help="How far the first candidates are from the start, above 0 and at most 1; use a"
            " small number for weights that are already good. Default: 0.3.",
        ),
    ] = None,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Out = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Train a player's weights by evolution, or a network from its own games (docs/players.md).

    Writes OUT/weights.toml, for --policy 'learned=OUT/weights.toml', or OUT/network.npz, for
    'expert=OUT/network.npz', and the page OUT/train.html. Trained against one player alone, they
    show how far it can be exploited. To teach expert your own cards: --start expert.
    """
    from card_data.mindbug import pool_hash
    from reports.mindbug.training.fit import PoolTrainer, WeightTrainer, describe
    from reports.mindbug.training.network import NetworkTrainer, begins_network
    from reports.training import trainer
    from simcore.evolution import Evolution

    pools = [*(pool.load([name]) for name in apart or ()), pool.load(sets)]
    # Each once, the one of all sets last: the same games twice would count as twice as many.
    pools = [*reversed({pool_hash(one): one for one in reversed(pools)}.values())]
    asked = pool_question(
        *("train", pools[-1], ()),
        games=games,
        seed=seed,
        pools=[pool_hash(one) for one in pools],
        against=against,
        self_play=self_play,
        start=start,
        only=only,
        numbers=[generations, population, spread],
    )
    found: PoolTrainer
    with as_input_error():
        if begins_network(start):
            _refuse_of_weights(only=only, population=population, spread=spread, self_play=self_play)
            found = NetworkTrainer.of(
                pools,
                start=start,
                against=against,
                generations=generations,
                games=games,
                seed=seed,
            )
        else:
            wide = check_spread(0.3 if spread is None else spread)
            found = WeightTrainer.of(
                pools,
                against=[who.strip() for who in (against or "heuristic").split(",")],
                self_play=self_play is not False,
                start=start,
                only=_sections(only),
                games=games or 400,
                evolution=Evolution(generations or 200, population or 24, wide, seed),
            )
    tell = partial(describe, pool=pool.typed(sets))
    trainer.train(found, tell, asked, compute, out, dry_run=dry_run, as_json=as_json)


def _refuse_of_weights(**given: object) -> None:
    """Refuse options that only the training of weights has.  Raises ValueError."""
    named = [f"--{name.replace('_', '-')}" for name, value in given.items() if value is not None]
    if named:
        raise ValueError(
            f"{', '.join(named)}: this is for weights, and a network is trained; leave it out, or"
            " --start with weights such as 'heuristic'"
        )


def _sections(text: str | None) -> tuple[str, ...]:
    """Sections of weights that can be learned.  Raises ValueError for another word."""
    from simcore.mindbug.play.training import learned_places
    from simcore.mindbug.table.weight_names import SECTIONS

    if text is None:
        return SECTIONS
    words = [word.strip() for word in text.split(",")]
    known = [section for section in SECTIONS if len(learned_places([section]))]
    unknown = [word for word in words if word not in known]
    if unknown:
        raise ValueError(
            "\n".join(f"--only: {unknown_word('section', word, known)}" for word in unknown)
        )
    return tuple(section for section in known if section in words)
