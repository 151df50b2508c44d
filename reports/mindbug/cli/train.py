"""The command `balancelab train`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from card_data.faults import unknown_word
from reports.cli.console import as_input_error, print_json, progress, resumable
from reports.cli.options import Json, Seed, Threads, whole
from reports.cli.steps import compiling
from reports.mindbug.cli.options import ONLY_SETS, PoolOptions, Sets
from reports.mindbug.cli.steps import compile_engine
from reports.training.options import Generations, Out, Population, Spread, check_spread


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
        str,
        Parameter(
            help="The opponents besides the learner's own past: one player, or several with commas"
            " between, each as --policy spells it. 'random*8' plays eight times as many games."
        ),
    ] = "heuristic",
    self_play: Annotated[
        bool, Parameter(help="Whether the learner also plays its own past.")
    ] = True,
    start: Annotated[
        str, Parameter(help="Whose weights to start from: a player that has weights, or a file.")
    ] = "heuristic",
    only: Annotated[
        str | None,
        Parameter(
            help="Learn only these sections of the weights, with commas between, as in"
            " 'effect,rule'. The others stay as they are, except the values of positions, which are"
            " fitted at the end. Default: all."
        ),
    ] = None,
    generations: Generations = 200,
    population: Population = 24,
    games: Annotated[
        int,
        Parameter(
            converter=whole(2, 1_000_000),
            help="Games of each candidate against each opponent with each pool.",
        ),
    ] = 400,
    spread: Spread = 0.3,
    seed: Seed = 0,
    threads: Threads = None,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Learn a player's weights from play, by evolution (docs/players.md).

    Writes the weights to OUT/weights.toml; --policy 'learned=OUT/weights.toml' plays with them.
    Trained against one player alone, without self-play, they show how far it can be exploited.
    """
    from reports.mindbug.training.fit import TrainingRun
    from simcore.work.lock import holding

    pools = [*(pool.load([name]) for name in apart or ()), pool.load(sets)]
    opponents = [who.strip() for who in against.split(",")]
    folder = out or Path("runs", f"train-{pool.name(sets, pools[-1])}-s{seed}")
    with holding(folder):
        with as_input_error():
            run = TrainingRun.begin(
                folder,
                pools,
                against=opponents,
                self_play=self_play,
                start=start,
                only=_sections(only),
                generations=generations,
                population=population,
                games=games,
                spread=check_spread(spread),
                seed=seed,
            )
        compile_engine(run.training.panel)
        with compiling(
            ("simcore.mindbug.play.position_fit._sample_positions",), "what training needs", 60
        ):
            run.prepare()
        with (
            resumable("finished generations stay", folder),
            progress("learning", "generations") as advance,
        ):
            answer = run.finish(threads=threads, on_progress=advance)
    if as_json:
        print_json({"folder": str(folder), **answer})
    else:
        for who, result in answer["scores"].items():
            print(f"wins {result['score']:.1%} ± {result['margin']:.1%} of games against {who}")
        print(f"weights: {answer['weights']}\ncurve: {answer['curve']}")


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
