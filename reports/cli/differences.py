"""How a change is played against what was there before: for the command and for the studio."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from reports.cli.compute import Crew
from reports.cli.console import as_input_error
from reports.cli.steps import compare_folders, play_run
from reports.games import Side, SideOptions, reports_of

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison
    from reports.cli.sides import PlayPlan
    from reports.kit.words import Finding
    from simcore.work.about import Question
    from simcore.work.runs import RunSpec


@frozen
class Asked:
    """What is compared, and how; ``command`` makes the comparison again.

    ``specs`` are those of the sides that are to be played, ``band`` is in percentage points.
    """

    game: str
    sides: tuple[Side, Side]
    plan: "PlayPlan"
    players: tuple[str, ...]
    band: float
    simultaneous: bool
    command: str
    specs: "tuple[RunSpec | None, RunSpec | None]"
    question: "Question"


@frozen
class Answer:
    """A comparison whose page is written, and its words."""

    comparison: "Comparison"
    page: Path
    played: str
    findings: "list[Finding]"


def ask(
    game: str,
    options: SideOptions,
    base: str,
    variant: str | None,
    *,
    games: int | None = None,
    seed: int | None = None,
    band: float = 1.0,
    simultaneous: bool = False,
    threads: int | None = None,
    learn: bool = True,
) -> Asked:
    """What is asked where BASE and VARIANT are named; the players learn new cards if they may.

    Raises InputError, RunError and what the game raises.
    """
    from reports.cli.sides import command_line, comparison, play_plan

    sides = options.sides(base, variant)
    plan = play_plan(game, sides, games=games, policy=options.policy, seed=seed)
    players = options.players(plan.policy, sides, threads, learn)
    with as_input_error():
        first, second = (
            None if side.run else side.spec(plan.games, plan.seed, players, None) for side in sides
        )
    specs = first, second
    return Asked(
        game=game,
        sides=sides,
        plan=plan,
        players=players,
        band=band,
        simultaneous=simultaneous,
        command=command_line(sides, plan, players, options.words(), band, simultaneous),
        specs=specs,
        question=comparison(game, sides, specs, players, options.words()),
    )


def find_out(asked: Asked, crew: Crew, out: Path | None = None, note: str | None = None) -> Answer:
    """Play what is missing of both sides, compare them, and write the page.

    ``note`` says why.  Raises InputError and RunError.
    """
    from reports.kit.words import headline
    from simcore.work.about import working_on

    reports, (base, variant) = reports_of(asked.game), asked.sides
    with working_on(asked.question, out) as work:
        folder = work.folder
        first = _play_side(base, asked, folder / "base", crew)
        beside = None if base.run else first
        second = _play_side(variant, asked, folder / "variant", crew, beside)
        comparison = compare_folders(
            *(first, second, crew.threads),
            band=asked.band / 100,
            simultaneous=asked.simultaneous,
        )
        page = reports.compare_page(comparison, folder, asked.command)
        played, findings = reports.compare_words(comparison)
        work.finish(headline(findings), page.name, note=note)
    return Answer(comparison, page, played, findings)


def record(answer: Answer, asked: Asked, file: Path, why: str) -> None:
    """Add an entry about the change to a diary.  Raises InputError and RunError."""
    from datetime import date

    from reports.cli.sides import add_record

    lines: Sequence[str] = [
        *reports_of(asked.game).record_lines(
            answer.comparison, why, date.today().isoformat(), asked.command
        )
    ]
    add_record(file, lines)


def _play_side(
    side: Side, asked: Asked, folder: Path, crew: Crew, beside: Path | None = None
) -> Path:
    """Play one side of a comparison, ``beside`` the other if that has been; its folder."""
    if side.run is not None:
        return side.run
    with as_input_error():
        spec = side.spec(asked.plan.games, asked.plan.seed, asked.players, beside)
    return play_run(spec, folder, crew, f"playing {folder.name}")
