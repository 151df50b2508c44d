"""The options that several commands have, whatever the game, and how they are read."""

import inspect
import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from cyclopts import Parameter

from analysis.confidence import LEAST, MOST, USUAL, at_confidence
from card_data.typed_numbers import decimal_number, whole_number
from reports.cli.console import InputError, as_input_error
from simcore.places import located

MAX_GAMES = 1_000_000_000
#: The most threads, or workers, that can be asked for.
MAX_THREADS = 1024

#: The word for no stronger player.
NOBODY = "none"

Stronger = Annotated[
    str,
    Parameter(
        help="A stronger player, to show how far the verdict changes with better play; or 'none'."
    ),
]


def stronger_of_both(stronger: str, player: str, games: int) -> Parameter:
    """The option of `compare` for a stronger player, who is usual beside ``player``."""
    return Parameter(
        help="A stronger player, who plays both sides on other deals to show how far the result"
        f" depends on who plays; or '{NOBODY}'. Default: '{stronger}',"
        f" in at most {games:,} games on each side, where '{player}' plays; otherwise nobody."
    )


def whole(least: int, most: int) -> Callable[[Any, Sequence[Any]], int]:
    """A converter for a whole number in a range."""

    def convert(_: Any, tokens: Sequence[Any]) -> int:
        text = tokens[0].value
        try:
            number = whole_number(text)
        except ValueError:
            raise ValueError(f"'{text}' is not a whole number from {least:,} to {most:,}") from None
        if not least <= number <= most:
            raise ValueError(f"{number:,} is not between {least:,} and {most:,}")
        return number

    return convert


def number(_: Any, tokens: Sequence[Any]) -> int:
    """A converter for a number of which the command knows what is allowed."""
    try:
        return whole_number(tokens[0].value)
    except ValueError:
        raise ValueError(f"'{tokens[0].value}' is not a whole number") from None


def decimal(_: Any, tokens: Sequence[Any]) -> float:
    """A converter for a number with a point or a comma, in per cent where it is a share."""
    return decimal_number(tokens[0].value)


def as_level(_: Any, tokens: Sequence[Any]) -> float:
    """A converter for a confidence level, in per cent or as a share."""
    text = tokens[0].value
    number = decimal_number(text)
    level = number if number < 1 and "%" not in text else round(number / 100, 6)
    if not LEAST <= level <= MOST:
        raise ValueError(f"'{text}' is not between {100 * LEAST:g}% and {100 * MOST:g}%")
    return level


def _foreseeing(dry_run: Any) -> AbstractContextManager[None]:
    """The block in which players only foresee their lessons, in a dry run."""
    if not dry_run:
        return nullcontext()
    from simcore.work.cost import foreseeing

    return foreseeing()


def with_confidence(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the option ``--confidence``, at which it estimates everything.

    With ``--dry-run`` its players have no lessons, which are foreseen.
    """
    hints = get_type_hints(command, include_extras=True)

    @wraps(command)
    def sure(*arguments: Any, confidence: float = USUAL, **said: Any) -> None:
        with at_confidence(confidence), _foreseeing(said.get("dry_run")):
            command(*arguments, **said)

    signature = inspect.signature(command)
    parameters = [one.replace(annotation=hints[one.name]) for one in signature.parameters.values()]
    names = [*signature.parameters]
    parameters.insert(
        names.index("as_json") if "as_json" in names else len(names),
        inspect.Parameter(
            "confidence", inspect.Parameter.KEYWORD_ONLY, default=USUAL, annotation=Confidence
        ),
    )
    sure.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    sure.__annotations__ = {one.name: one.annotation for one in parameters}
    return sure


def to_place(_: Any, tokens: Sequence[Any]) -> Path:
    """A converter for a folder, which may be an address such as ``s3://bucket/run``."""
    return located(tokens[0].value)


#: What is played.  Words in braces in a help text stand for what games say there
#: (`reports.cli.games`).
Named = Annotated[
    str, Parameter(name="SET", help="What is played. {named} Several are played together.")
]
Seed = Annotated[
    int,
    Parameter(
        converter=whole(0, 2**63 - 1),
        help="The same seed gives the same games; another seed gives others.",
    ),
]
Confidence = Annotated[
    float,
    Parameter(
        converter=as_level,
        help="The confidence of intervals and verdicts: '90', '90%' or '0.9'. From 50% to 99.9%.",
    ),
]
Threads = Annotated[
    int | None,
    Parameter(
        converter=whole(1, MAX_THREADS),
        help="Threads to use; the results do not depend on it. Default: all processors.",
    ),
]
Out = Annotated[
    Path | None,
    Parameter(
        converter=to_place,
        help="The run folder. Default: runs/SETS-POLICY-DAY. Run the same command again to"
        " resume a run that was interrupted; a larger --games makes a run in this folder longer.",
    ),
]
Run = Annotated[Path, Parameter(converter=to_place, name="RUN", help="The folder of a run.")]
Force = Annotated[bool, Parameter(negative=(), help="Replace the file if there is one already.")]
#: A spreadsheet to read, and which sheet of it.
Spreadsheet = Annotated[
    Path, Parameter(name="TABLE", help="A spreadsheet: a file that ends in .csv or .xlsx.")
]
SheetName = Annotated[
    str | None, Parameter(name="--sheet", help="The sheet of an xlsx file. Default: the first.")
]
Json = Annotated[
    bool, Parameter(name="--json", negative=(), help="Print the answer as JSON, for a program.")
]


#: The rules of a game of somebody's own, in commands about what was played by them.
Rules = Annotated[
    Path | None,
    Parameter(
        name="--rules",
        help="The file with the rules of somebody's own game, which is run only if you name it"
        " here.",
    ),
]


def check_band(band: float) -> None:
    """Raise InputError for a ``--band`` that is not a range of percentage points."""
    if not (math.isfinite(band) and 0 < band < 100):
        raise InputError(f"--band is {band:g}; it must be above 0 and below 100 percentage points")


def read_stronger(text: str, player: str, read: Callable[[str], str]) -> str:
    """The stronger player, "" for none.  Raises InputError where it is the first one."""
    if text == NOBODY:
        return ""
    with as_input_error("--stronger"):
        found = read(text)
    if found == player:
        raise InputError(
            f"--stronger is {text}, who plays the main games already; name another, or '{NOBODY}'"
        )
    return found


def usual_or_said(
    said: str | None,
    players: Sequence[str],
    usual: tuple[str, str],
    called: Callable[[str], str],
    read: Callable[[str], str],
) -> str:
    """The stronger player beside those who play, "" for none.

    Where nothing is ``said`` that is the second of two ``usual`` players, if the first of them is
    in all seats, and otherwise nobody.  Raises InputError.
    """
    player, alike = called(players[0]), len({*players}) == 1
    if said is None:
        return usual[1] if alike and player == usual[0] else ""
    found = read_stronger(said, player, read)
    if found and not alike:
        raise InputError(
            f"--stronger is {said}, but there are several players to set it beside; name one with"
            f" --policy, or '{NOBODY}'"
        )
    return found
