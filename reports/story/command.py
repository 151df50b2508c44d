"""The command `fairdeal story`: who leads, when a game is decided, and what swings it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import evolve
from cyclopts import Parameter

from analysis.confidence import confidence
from reports.cli.compute import HERE, Compute, Crew
from reports.cli.console import InputError, print_json, resumable, waiting
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.games import chosen_game
from reports.cli.options import MAX_GAMES, Json, Seed, to_place, whole, with_confidence
from reports.games import Playable, reports_of
from simcore.commands import command

if TYPE_CHECKING:
    import numpy as np

    from analysis.questions.story import Story, Views, Words
    from analysis.runs import Run
    from reports.story.text import Answer
    from simcore.work.about import Question
    from simcore.work.runs import RunSpec

_VIEWS, _GAMES = "views", "games"


@with_confidence
def story(
    *named: Annotated[str, Parameter(name="SET", help="What is played. {named}")],
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(20, MAX_GAMES),
            help="Games to play and to judge decision by decision. Default: {story}",
        ),
    ] = None,
    beside: Annotated[
        str | None,
        Parameter(
            name="--beside",
            help="Another version, such as 'first_contact+my_cards.toml', to compare with this"
            " one.",
        ),
    ] = None,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder. Default: runs/story-SETS-PLAYERS-DAY. Run the same command again to"
            " resume; a finished story is shown at once.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
    **said: Any,
) -> None:
    """Find who leads, when a game is decided, what swings it, and whether choices matter.

    Plays games, and lets a judge say before each decision how likely each side is to win.
    """
    from simcore.work.cost import Plan

    if not named:
        raise InputError("name what is played, such as first_contact")
    game, options = chosen_game(said, named)
    n_games = games or reports_of(game).story_games
    versions = [
        options.ready(one, None, compute.threads, not dry_run).read(one)
        for one in filter(None, [named, beside and (beside,)])
    ]
    if dry_run:
        tell_cost([Plan(one.spec(n_games, seed)) for one in versions], compute, as_json=as_json)
        return
    lines, answer = tell_story(versions, n_games, seed, compute, out)
    if as_json:
        print_json(answer)
        return
    print("\n".join(lines))


def tell_story(
    versions: Sequence[Playable], games: int, seed: int, compute: Compute, out: Path | None = None
) -> tuple[list[str], dict[str, Any]]:
    """Tell the story of what is played, beside another version if there are two.

    What the terminal says, and the answer for a program.  Raises InputError and RunError.
    """
    from reports.story.page import answer_json, write_page
    from simcore.work.about import working_on

    specs = [one.spec(games, seed) for one in versions]
    with compute.start() as crew, working_on(_question(versions, specs, seed), out) as work:
        folders = work.folder, work.folder / "beside"
        judged = [_judged(spec, place, crew) for spec, place in zip(specs, folders, strict=False)]
        answers = [
            _answer(_story(run, views, words), run, len(views.turns), version.title, seed)
            for (run, views, words), version in zip(judged, versions, strict=True)
        ]
        answer, run = _beside(*answers), judged[0][0]
        with waiting("drawing the charts"):
            page = write_page(answer, work.folder, _told(run, answer))
        work.finish(answer.headline, page.name)
    lines = [*answer.lines, answer.played, f"report: {page}"]
    return lines, answer_json(answer, work.folder, page)


def _question(versions: Sequence[Playable], specs: "Sequence[RunSpec]", seed: int) -> "Question":
    """What is asked, by which its folder is found again."""
    from simcore.work.about import Question

    spec = specs[0]
    players = tuple(dict.fromkeys(one for each in specs for one in each.settings["policies"]))
    return Question(
        game=spec.game,
        question="story",
        named=("story", *(one.name for one in versions)),
        what=" beside ".join(one.title for one in versions),
        players=players,
        who=tuple(map(reports_of(spec.game).called, players)),
        games=spec.n_games,
        seed=seed,
        asked={
            "played": [each.settings for each in specs],
            "games": spec.n_games,
            "confidence": confidence(),
        },
    )


def _judged(spec: "RunSpec", folder: Path, crew: Crew) -> "tuple[Run, Views, Words]":
    """The run, played, and its games, judged: what is there is not made again."""
    from analysis.games import analysis_of
    from analysis.runs import open_run
    from analysis.story_games import judge_games
    from reports.cli.steps import compiling, kernels_of, play_run

    run = open_run(play_run(spec, folder / _GAMES, crew))
    judges = analysis_of(spec.game).judges
    with (
        compiling(*kernels_of(spec.game, "replay")),
        resumable("judged games stay", folder),
        crew.progress("judging", "games") as advance,
    ):
        words = judges(spec.task, spec.record).words
        return run, judge_games(spec, judges, folder / _VIEWS, crew, advance), words


def _story(run: "Run", views: "Views", words: "Words") -> "Story":
    """What the judged games of a run tell.  Raises InputError where none has a winner."""
    from analysis.questions.story import Story

    won = views.with_winner()
    if not len(won.turns):
        raise InputError(f"none of {len(views.turns)} games has a winner; play more, or others")
    return Story(won, words, _worth(run, won, words))


def _answer(story: "Story", run: "Run", n_games: int, title: str, seed: int) -> "Answer":
    """A story in words."""
    from reports.story.text import Answer
    from simcore.contract.packages import installed

    source = run.manifest.get("rules", {}).get("source", "")
    rules = source if source and source not in installed() else None
    return Answer(
        tables=story.tables(),
        words=story.words,
        title=title,
        who=run.game.players_text(run.manifest["policies"]),
        n_games=n_games,
        n_left_out=n_games - story.n_games,
        seed=seed,
        replay=command("replay", str(run.folder), rules=rules),
    )


def _beside(answer: "Answer", other: "Answer | None" = None) -> "Answer":
    """An answer with the figures of another version beside its own, where there is one."""
    from analysis.questions.story import compared

    if other is None:
        return answer
    table = compared(answer.tables["story"], other.tables["story"])
    return evolve(answer, tables={**answer.tables, "story_compared": table}, beside=other.title)


def _worth(run: "Run", views: "Views", words: "Words") -> "tuple[np.ndarray, np.ndarray] | None":
    """How many seats of each game were dealt each card, and what they won; by card and game."""
    import numpy as np

    from analysis.games import analysis_of

    facts = [analysis_of(run.game.name).facts(run.manifest, games) for games in run.parts()]
    if not words.cards or not all(card in facts[0].held for card in words.cards):
        return None
    scores = np.concatenate([one.scores for one in facts])[views.number]
    n, won = np.zeros((2, len(words.cards), len(scores)))
    for place, card in enumerate(words.cards):
        held = np.concatenate([one.held[card] for one in facts])[views.number]
        n[place], won[place] = held.sum(axis=1), (held * scores).sum(axis=1)
    return n, won


def _told(run: "Run", answer: "Answer") -> Mapping[str, Sequence[str]]:
    """The lines of the games to look at, by what they are."""
    reports = reports_of(run.game.name)
    with waiting("telling three games"):
        return {
            which: [*reports.story(run, reports.tell(run, number))]
            for which, number, _ in answer.chosen()
        }
