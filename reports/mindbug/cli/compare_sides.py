"""What is compared: BASE and VARIANT of the command line become pools or finished runs."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from reports.cli.console import InputError
from reports.cli.named_files import check_writable
from reports.mindbug.cli.options import in_a_name
from reports.mindbug.cli.until import USUAL_GAMES
from reports.mindbug.compare import PAGE

if TYPE_CHECKING:
    from card_data.mindbug.schema import Pool


@frozen
class Side:
    """One side of a comparison: a pool to be played, or the folder of a finished run."""

    said: str
    pool: "Pool"
    run: Path | None = None

    @property
    def name(self) -> str:
        """The side in the name of a folder; every version of a card has another."""
        from card_data.mindbug import pool_hash

        sets = "+".join(card_set.set_id for card_set in self.pool.sets)
        return f"{sets[:60]}@{pool_hash(self.pool)[:8]}"


def read_sides(
    base: str, variant: str, modes: dict[str, Any], variant_rulings: Sequence[str]
) -> tuple[Side, Side]:
    """Both sides of a comparison.

    ``modes`` are those of both, by their names in a pool file; ``variant_rulings`` are answered
    otherwise in the variant alone.  A card file as the variant changes the cards of the base, in
    place, unless both are whole sets of the designer's own.  Raises InputError, CardFileError and
    RunError.
    """
    from card_data.mindbug.pool_changes import change_cards

    first = _read(base, modes)
    if _is_card_file(variant) and not (_is_card_file(base) and _is_whole(variant)):
        second = Side(variant, change_cards(first.pool, variant))
    else:
        second = _read(variant, modes)
    if variant_rulings:
        if second.run is not None:
            raise InputError(
                f"--variant-ruling: {variant} is a run that has been played; name the sets or the"
                " pool file that it was played from"
            )
        second = evolve(second, pool=_with_rulings(second.pool, variant_rulings))
    return first, second


@frozen
class PlayPlan:
    """How both sides are played."""

    games: int
    policy: str
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


def play_plan(
    sides: Sequence[Side], *, games: int | None, policy: str | None, seed: int | None
) -> PlayPlan:
    """How the sides are played: as was said, as the run among them was, or as usual.

    Raises InputError where a run was played otherwise than was said, and RunError where the other
    side would be played with other weights.
    """
    from analysis.mindbug import open_run
    from analysis.mindbug.runs import check_weights

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
            check_weights(open_run(side.run))
            return PlayPlan(**found)
    usual: dict[str, Any] = {"games": USUAL_GAMES, "policy": "random", "seed": 0}
    usual |= {name: value for name, value in said.items() if value is not None}
    return PlayPlan(**usual)


def _plan_of(run: Path) -> dict[str, Any]:
    """How a run was played, as the options say it."""
    from simcore.work.parts import read_manifest

    manifest = read_manifest(run)
    policies = manifest["policies"]
    policy = policies[0] if policies[0] == policies[1] else ":".join(policies)
    return {"games": manifest["games"], "policy": policy, "seed": manifest["seed"]}


def comparison_folder(sides: tuple[Side, Side], plan: PlayPlan) -> Path:
    """The folder of a comparison that was not given one."""
    if all(side.run is not None for side in sides):
        names = [side.run.resolve().name for side in sides if side.run is not None]
        return Path("runs", "-".join(["compare", *names]))
    who = in_a_name(plan.policy)
    names = [side.name for side in sides]
    return Path("runs", "-".join(["compare", *names, who, str(plan.games), f"s{plan.seed}"]))


def check_folder(folder: Path) -> None:
    """Raise InputError for a folder that holds something else than a comparison.

    That of two finished runs has neither base nor variant, and one that was interrupted no page.
    """
    if not folder.is_dir():
        return
    holds = sorted(one.name for one in folder.iterdir() if not one.name.startswith("."))
    made = {"base", "variant", PAGE} & set(holds) or {*holds} <= {"figures", "tables"}
    if not made:
        raise InputError(
            f"{folder} is not empty and not the folder of a comparison (it holds {holds[0]});"
            " choose another folder"
        )


def command_line(
    sides: Sequence[Side],
    plan: PlayPlan,
    modes: dict[str, Any],
    variant_rulings: Sequence[str],
    band: float,
    simultaneous: bool,
) -> str:
    """The command that makes the comparison again."""
    words = ["balancelab", "compare", *(side.said for side in sides)]
    if not all(side.run for side in sides):
        words += ["--games", str(plan.games), "--policy", plan.policy, "--seed", str(plan.seed)]
    for name, value in modes.items():
        option = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{option}" if value else f"--no-{option}")
        elif isinstance(value, list):
            words += [word for ruling in value for word in ("--ruling", ruling)]
        else:
            words += [f"--{option}", str(value)]
    words += [word for ruling in variant_rulings for word in ("--variant-ruling", ruling)]
    words += ["--band", f"{band:g}", *["--simultaneous"] * simultaneous]
    return shlex.join(words)


def _read(said: str, modes: dict[str, Any]) -> Side:
    """The pool of what is named, or the folder of a run."""
    from analysis.mindbug import open_run
    from card_data.mindbug import load_pool

    path = Path(said)
    if path.is_dir():
        if modes:
            name = next(iter(modes)).replace("_", "-").replace("rulings", "ruling")
            raise InputError(f"--{name}: {said} is a run that has been played as it was")
        run = open_run(path)
        return Side(said, run.pool(), path)
    return Side(said, load_pool([said], modes=modes))


def _is_card_file(said: str) -> bool:
    from card_data.mindbug.loader import is_pool_file
    from card_data.mindbug.pool_reader import split_names

    path = Path(said)
    if path.suffix != ".toml" or path.is_dir() or len(split_names([said])) > 1:
        return False
    return not is_pool_file(path)


def _is_whole(card_file: str) -> bool:
    """Whether a card file has enough cards to be played by itself."""
    from card_data.mindbug import load_set
    from card_data.mindbug.pool_reader import MIN_CARDS

    return sum(card.copies for card in load_set(Path(card_file)).cards) >= MIN_CARDS


def _with_rulings(pool: "Pool", names: Sequence[str]) -> "Pool":
    """The pool with some open points answered otherwise, besides those that are already."""
    from card_data.mindbug.vocabulary import Ruling

    rulings = pool.modes.rulings | {Ruling[name.upper()] for name in names}
    return evolve(pool, modes=evolve(pool.modes, rulings=frozenset(rulings)))
