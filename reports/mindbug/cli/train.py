"""The command `balancelab train`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from reports.cli.console import as_input_error, print_json, progress, resumable
from reports.mindbug.cli.options import (
    ONLY_SETS,
    Json,
    PoolOptions,
    Seed,
    Sets,
    Threads,
    unknown_word,
    whole,
)
from reports.mindbug.cli.steps import compile_engine, compiling


def train(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    apart: Annotated[
        list[str] | None,
        Parameter(
            negative=(),
            help="A set that is also played by itself, and not only with the others. May be given"
            " several times.",
        ),
    ] = None,
    against: Annotated[
        str,
        Parameter(
            help="Who is played against, besides the learner's own past: one player, or several"
            " with commas between, each as --policy spells it. 'random*8' is met in eight times as"
            " many games."
        ),
    ] = "heuristic",
    self_play: Annotated[
        bool, Parameter(help="Whether the learner's own past is played against, too.")
    ] = True,
    start: Annotated[
        str, Parameter(help="Whose weights to begin with: a policy that has some, or a file.")
    ] = "heuristic",
    only: Annotated[
        str | None,
        Parameter(
            help="Learn these sections of the weights alone, with commas between, as in"
            " 'effect,rule'; the others stay as they are, but for what positions are worth, which"
            " is fitted at the end. Default: all."
        ),
    ] = None,
    generations: Annotated[
        int, Parameter(converter=whole(1, 100_000), help="How many generations are tried.")
    ] = 200,
    population: Annotated[
        int, Parameter(converter=whole(4, 1_000), help="Candidates in each generation.")
    ] = 24,
    games: Annotated[
        int,
        Parameter(
            converter=whole(2, 1_000_000),
            help="Games of a candidate against each opponent with each pool.",
        ),
    ] = 400,
    spread: Annotated[
        float,
        Parameter(
            help="How far the first candidates stray from the start, more than 0 and at most 1;"
            " little is right for weights that are good already."
        ),
    ] = 0.3,
    seed: Seed = 0,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The folder for weights and learning curve. Default: runs/train-SETS-sSEED. A"
            " training that was interrupted goes on where it stopped."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Learn weights for a player from play, by evolution (docs/players.md).

    The weights are written to OUT/weights.toml; 'learned=OUT/weights.toml' is who plays with them.
    Against one player alone, without its own past, it shows how far that player can be exploited.
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
                spread=_spread(spread),
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


def _spread(number: float) -> float:
    """How far candidates stray.  Raises ValueError for a number that is none."""
    if not 0 < number <= 1:
        raise ValueError(f"--spread is {number:g}; it lies above 0 and is 1 at most, as in 0.3")
    return number
