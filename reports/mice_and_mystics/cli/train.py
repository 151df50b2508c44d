"""The command ``fairdeal train`` for Mice & Mystics."""

from functools import partial
from typing import Annotated

from cyclopts import Parameter

from reports.cli.compute import HERE, Compute
from reports.cli.console import InputError, as_input_error
from reports.cli.dry_run import DryRun
from reports.cli.options import Json, Seed, whole
from reports.mice_and_mystics.cli.options import (
    ALL_PARTIES,
    NAMED,
    PlayableChapter,
    Switches,
    chapter_question,
    load_chapter,
)
from reports.training.options import Generations, Out, Population, Spread, check_spread

Chapters = Annotated[
    str, Parameter(name="CHAPTER", help=f"{NAMED} Of several each is played by itself.")
]


def train(
    chapter: Chapters,
    /,
    *more: Chapters,
    party: Annotated[
        str,
        Parameter(
            help=f"The heroes, as in 'collin,nez,tilda,filch', or '{ALL_PARTIES}': every game draws"
            " one of the legal parties, and where a chapter allows only some, any party plays it"
            " as well."
        ),
    ] = ALL_PARTIES,
    switches: Switches = None,
    start: Annotated[
        str,
        Parameter(
            help="Whose weights to start from: 'first' are those that learning began with,"
            " 'learned' those that came out; or a file."
        ),
    ] = "first",
    generations: Generations = 200,
    population: Population = 24,
    games: Annotated[
        int,
        Parameter(
            converter=whole(2, 1_000_000),
            help="Games of each candidate in each chapter, and with any party.",
        ),
    ] = 300,
    spread: Spread = 0.5,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Out = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Learn from play what the player `learned` of Mice & Mystics goes by, by evolution.

    A candidate is better the more games it wins and the more rooms of the route it enters. Writes
    the weights to OUT/weights.toml, which --policy 'learned=OUT/weights.toml' plays with, and the
    page OUT/train.html.
    """
    from reports.mice_and_mystics.training import ChapterTrainer, describe
    from reports.training import trainer
    from simcore.evolution import Evolution

    check_spread(spread)
    read = _read((chapter, *more), party, switches or [])
    facts, chapters = read[0].played()[0], [one.played()[1] for one in read]
    numbers = [start, generations, population, spread]
    question = chapter_question("train", read, (), games=games, seed=seed, numbers=numbers)
    evolution = Evolution(generations, population, spread, seed)
    with as_input_error():
        found = ChapterTrainer.of(facts, chapters, start=start, games=games, evolution=evolution)
    options = [] if party == ALL_PARTIES else ["--party", party]
    options += [word for switch in switches or [] for word in ("--set", switch)]
    tell = partial(describe, named=[chapter, *options])
    trainer.train(found, tell, question, compute, out, dry_run=dry_run, as_json=as_json)


def _read(named: tuple[str, ...], party: str, switches: list[str]) -> list[PlayableChapter]:
    """The chapters to be played, which have the same facts.

    Raises CardFileError, and InputError for chapters of different files.
    """
    read = [load_chapter(said, party, switches) for said in named]
    facts = read[0].played()[0]
    for said, one in zip(named, read, strict=True):
        if one.played()[0] != facts:
            raise InputError(
                f"{named[0]} and {said} have different files behind '+'; training plays one set of"
                " heroes, minions, cards and rooms, so name the same files behind each chapter"
            )
    return read
