"""What `fairdeal compare` plays on both sides, where, how it is said again, and what came of it.

The studio compares in the same way.
"""

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from analysis.confidence import confidence_said, unusual_confidence
from card_data.names import parts_of
from reports.cli.compute import Crew
from reports.cli.console import InputError, as_input_error
from reports.cli.named_files import check_writable, write_named
from reports.cli.options import NOBODY
from reports.cli.steps import compare_folders, is_run, play_run
from reports.compare import PAGE
from reports.games import Side, SideOptions, reports_of
from reports.kit.words import ARROW
from simcore.commands import as_policy, command, option_words

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison
    from reports.kit.words import Finding
    from simcore.work.about import Question
    from simcore.work.runs import RunSpec

#: The folders of both sides in that of a comparison.
SIDES = ("base", "variant")
#: Where a stronger player plays both sides, in a folder of their own.
STRONGER = "stronger"


@frozen
class PlayPlan:
    """How both sides are played; ``policy`` is None for the usual players."""

    games: int
    policy: str | None
    seed: int


def check_record(record: Path | None, why: str | None) -> None:
    """Raise InputError for a ``--record`` that cannot be written, or says no ``--why``."""
    if record is not None and not (why or "").strip():
        raise InputError("--record needs a reason: say with --why why the change was made")
    if why is not None and record is None:
        raise InputError("--why is written into a file; name it with --record")
    if record is None:
        return
    if record.is_dir():
        raise InputError(f"--record: {record} is a folder; name a Markdown file")
    check_writable(record)
    from simcore.sealed import RunError, read_file

    try:
        read_file(record).decode("utf-8")
    except FileNotFoundError:
        pass
    except (RunError, UnicodeDecodeError) as error:
        problem = error if isinstance(error, RunError) else f"{record} is not UTF-8 text"
        raise InputError(f"--record: {problem}; name a Markdown file") from None


def add_record(file: Path, lines: Iterable[str]) -> None:
    """Append an entry to a diary of changes, unless it is there; the file is made if there is none.

    Raises InputError and RunError when it cannot be written.
    """
    from simcore.sealed import read_file

    try:
        before = read_file(file).decode("utf-8")
    except FileNotFoundError:
        before = "# Changes and what they did\n"
    entry = "\n".join(lines)
    if entry in before:
        return
    write_named(file, f"{before.rstrip()}\n\n{entry}\n".encode())


def play_plan(
    game: str, sides: Sequence[Side], *, games: int | None, policy: str | None, seed: int | None
) -> PlayPlan:
    """How the sides are played: as was said, as the run among them was, or as usual.

    Raises InputError where a run was played otherwise than was said, and RunError where the other
    side would be played by players who have changed since.
    """
    from analysis.games import analysis_of
    from analysis.runs import open_run

    said = {"games": games, "policy": policy, "seed": seed}
    for side in sides:
        if side.run is None:
            continue
        found = _plan_of(side.run)
        for name, value in said.items():
            if value is not None and value != found[name]:
                raise InputError(
                    f"--{name} is {value}, but {side.run} was played with {found[name]}; leave it"
                    " out, or name what the run was played from"
                )
        if any(other.run is None for other in sides):
            run = open_run(side.run)
            analysis_of(run.game.name).check_players(run)
            return PlayPlan(**found)
    usual: dict[str, Any] = {
        "games": reports_of(game).compared_games,
        "policy": None,
        "seed": 0,
    }
    usual |= {name: value for name, value in said.items() if value is not None}
    return PlayPlan(**usual)


def _stronger_plan(
    options: SideOptions, sides: Sequence[Side], plan: PlayPlan, players: Sequence[str]
) -> PlayPlan:
    """How a stronger player plays both sides as well, on other deals; no policy for nobody.

    Raises InputError.
    """
    from simcore.work.parts import fresh_seed

    played = next((side.run for side in sides if side.run is not None), None)
    if played is None:
        stronger, games = options.rung(players, plan.games)
        return PlayPlan(games, stronger or None, fresh_seed(plan.seed))
    if options.stronger not in (None, NOBODY):
        raise InputError(
            f"--stronger is {options.stronger}, but {played} has been played; name what it was"
            " played from"
        )
    return PlayPlan(0, None, 0)


def _plan_of(run: Path) -> dict[str, Any]:
    """How a run was played, as the options say it."""
    from simcore.work.parts import read_manifest

    manifest = read_manifest(run)
    policy = as_policy(manifest["policies"])
    return {"games": manifest["games"], "policy": policy, "seed": manifest["seed"]}


def comparison(
    game: str,
    sides: tuple[Side, Side],
    specs: "tuple[RunSpec | None, RunSpec | None]",
    players: Sequence[str],
    options: Sequence[str],
) -> "Question":
    """What a comparison asks; ``specs`` are those of the sides that are to be played."""
    from simcore.work.about import Question
    from simcore.work.folder import what_was_asked
    from simcore.work.parts import RUN, read_manifest

    asked: dict[str, Any] = unusual_confidence()
    for name, side, spec in zip(SIDES, sides, specs, strict=True):
        run = read_manifest(side.run) if side.run else {} if spec is None else spec.manifest()
        asked[name] = what_was_asked(RUN, run)
    names = [_short(side) for side in sides]
    new = {name: spec for name, spec in zip(SIDES, specs, strict=True) if spec is not None}

    def is_in(folder: Path) -> bool:
        return bool(new) and all(is_run(spec, folder / name) for name, spec in new.items())

    return Question(
        game=game,
        question="compare",
        named=("compare", *dict.fromkeys(names)),
        what=f" {ARROW} ".join(dict.fromkeys([names[0], " ".join([names[1], *options])])),
        players=tuple(players),
        who=tuple(map(reports_of(game).called, players)),
        games=asked[SIDES[1]].get("games"),
        seed=asked[SIDES[1]].get("seed"),
        asked=asked,
        is_in=is_in,
    )


def _short(side: Side) -> str:
    """What a side is called, without folders and endings: "first_contact+my_cards"."""
    parts = [side.run.resolve().name] if side.run else parts_of(side.said)
    return "+".join(Path(part).name.removesuffix(".toml") for part in parts)


def check_folder(folder: Path) -> None:
    """Raise InputError for a folder that holds something else than a comparison.

    That of two finished runs has neither base nor variant, and one that was interrupted no page.
    """
    from simcore.work.folder import ABOUT

    if not folder.is_dir():
        return
    names = {one.name for one in folder.iterdir()} - {ABOUT}
    holds = sorted(name for name in names if not name.startswith("."))
    made = {*SIDES, PAGE} & set(holds) or {*holds} <= {"figures", "tables"}
    if not made:
        raise InputError(
            f"{folder} is not empty and not the folder of a comparison (it holds {holds[0]});"
            " choose another folder"
        )


def command_line(
    sides: Sequence[Side],
    plan: PlayPlan,
    players: Sequence[str],
    options: Sequence[str],
    band: float,
    simultaneous: bool,
) -> str:
    """The command that makes the comparison again; ``options`` are those of the game."""
    words = [side.said for side in sides]
    if not all(side.run for side in sides):
        policy = plan.policy or as_policy(players)
        words += option_words(games=plan.games, policy=policy, seed=plan.seed)
    said = *words, *options
    more = {"simultaneous": simultaneous, "confidence": confidence_said()}
    return command("compare", *said, band=f"{band:g}", **more)


@frozen
class Asked:
    """What is compared, and how; ``command`` makes the comparison again.

    ``specs`` are those of the sides that are to be played, ``band`` is in percentage points.
    ``stronger`` plays both sides as well, by the plan ``beyond``; () for nobody.
    """

    game: str
    sides: tuple[Side, Side]
    plan: PlayPlan
    players: tuple[str, ...]
    band: float
    simultaneous: bool
    command: str
    specs: "tuple[RunSpec | None, RunSpec | None]"
    question: "Question"
    beyond: PlayPlan
    stronger: tuple[str, ...]

    @property
    def plays(self) -> "list[RunSpec]":
        """Everything that is to be played."""
        specs = [spec for spec in self.specs if spec is not None]
        if self.stronger:
            games, seed = self.beyond.games, self.beyond.seed
            specs += [side.spec(games, seed, self.stronger, None) for side in self.sides]
        return specs


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
    sides = options.sides(base, variant)
    plan = play_plan(game, sides, games=games, policy=options.policy, seed=seed)
    players = options.players(plan.policy, sides, threads, learn)
    with as_input_error():
        first, second = (
            None if side.run else side.spec(plan.games, plan.seed, players, None) for side in sides
        )
    specs = first, second
    beyond, words = _stronger_plan(options, sides, plan, players), options.words()
    stronger: tuple[str, ...] = ()
    if beyond.policy:
        stronger = options.players(beyond.policy, sides, threads, learn)
    if beyond.policy or options.stronger:
        words += option_words(stronger=beyond.policy or NOBODY)
    return Asked(
        game=game,
        sides=sides,
        plan=plan,
        players=players,
        band=band,
        simultaneous=simultaneous,
        command=command_line(sides, plan, players, words, band, simultaneous),
        specs=specs,
        question=comparison(game, sides, specs, players, options.words()),
        beyond=beyond,
        stronger=stronger,
    )


def find_out(
    asked: Asked,
    crew: Crew,
    out: Path | None = None,
    note: str | None = None,
    like: Path | None = None,
) -> Answer:
    """Play what is missing of both sides, compare them, and write the page.

    ``note`` says why.  ``like`` is the folder of another comparison: if its variant is that of this
    one, it is copied and not played again.  Raises InputError and RunError.
    """
    from analysis.experiments.stronger import with_moves
    from reports.kit.words import headline
    from simcore.work.about import in_a_name, working_on

    reports = reports_of(asked.game)
    with working_on(asked.question, out) as work:
        folder = work.folder
        compared = _compare(asked, asked.plan, asked.players, folder, crew, like)
        if asked.stronger:
            home = Path(STRONGER, in_a_name(asked.stronger[0]))
            other = None if like is None else like / home
            theirs = _compare(asked, asked.beyond, asked.stronger, folder / home, crew, other)
            compared = with_moves(compared, theirs)
        page = reports.compare_page(compared, folder, asked.command)
        played, findings = reports.compare_words(compared)
        work.finish(headline(findings), page.name, note=note)
    return Answer(compared, page, played, findings)


def record(answer: Answer, asked: Asked, file: Path, why: str) -> None:
    """Add an entry about the change to a diary.  Raises InputError and RunError."""
    from datetime import date

    lines: Sequence[str] = [
        *reports_of(asked.game).record_lines(
            answer.comparison, why, date.today().isoformat(), asked.command
        )
    ]
    add_record(file, lines)


def _compare(
    asked: Asked,
    plan: PlayPlan,
    players: tuple[str, ...],
    home: Path,
    crew: Crew,
    like: Path | None,
) -> "Comparison":
    """Play what has not been played of both sides, and compare them."""
    base, variant = asked.sides
    first = _play_side(base, plan, players, home / SIDES[0], crew)
    beside = None if base.run else first
    there = None if like is None else like / SIDES[1]
    second = _play_side(variant, plan, players, home / SIDES[1], crew, beside, there)
    return compare_folders(
        *(first, second, crew.threads), band=asked.band / 100, simultaneous=asked.simultaneous
    )


def _play_side(
    side: Side,
    plan: PlayPlan,
    players: tuple[str, ...],
    folder: Path,
    crew: Crew,
    beside: Path | None = None,
    like: Path | None = None,
) -> Path:
    """Play one side of a comparison, ``beside`` the other if that has been; its folder.

    ``like`` may hold the same run already.
    """
    if side.run is not None:
        return side.run
    with as_input_error():
        spec = side.spec(plan.games, plan.seed, players, beside)
    if like is not None and not folder.exists() and is_run(spec, like):
        # Under another name at first, so that a copy that is interrupted is no damaged run.
        copy = folder.with_name(f".{folder.name}.copy")
        shutil.copytree(like, copy, ignore=shutil.ignore_patterns(".*"), dirs_exist_ok=True)
        copy.rename(folder)
    who = ":".join(dict.fromkeys(players))
    return play_run(spec, folder, crew, f"{who} plays {folder.name}")
