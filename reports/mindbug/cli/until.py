"""The option ``--until``: what it asks for, and how a run that a rule ended is told."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import InputError, as_input_error
from reports.mindbug.cli.options import MAX_GAMES, whole

if TYPE_CHECKING:
    from analysis.mindbug.stopping import Goal
    from card_data.mindbug.schema import Pool
    from simcore.work.runs import Look, RunSpec

USUAL_GAMES = 1_000_000
MOST_GAMES_UNTIL = 20_000_000

UpTo = Annotated[
    int | None,
    Parameter(
        converter=whole(1, MAX_GAMES),
        help=f"How many games are played; with --until, how many at most. Default: {USUAL_GAMES:,},"
        f" with --until {MOST_GAMES_UNTIL:,}.",
    ),
]
Until = Annotated[
    str | None,
    Parameter(
        name="--until",
        help="Play until the dealt win rate of every card is known to so many percentage points"
        " either way, as in '0.2'; '0.2:first_player' is about the win rate of the player who"
        " starts, '0.2:CARD_ID' about one card. The intervals of all that is watched hold together"
        " with 95 % (docs/methods.md). The same command with a larger --games goes on.",
    ),
]
Anytime = Annotated[
    bool,
    Parameter(
        name="--anytime",
        negative=(),
        help="With --until: intervals that also hold if you look at the results again and again and"
        " decide by them whether to play on. Takes 1.5 to 2.4 times the games.",
    ),
]


def goal_of(until: str | None) -> "Goal | None":
    """The goal that was asked for, if one was.  Raises InputError."""
    if until is None:
        return None
    from analysis.mindbug.stopping import Goal

    with as_input_error("--until"):
        return Goal.parse(until)


def with_rule(
    spec: "RunSpec",
    goal: "Goal | None",
    pool: "Pool",
    policies: Sequence[str],
    *,
    anytime: bool = False,
) -> "tuple[RunSpec, str | Callable[[], str]]":
    """The run with the rule that ends it at the goal, and what is said while it is played.

    Raises InputError.
    """
    if goal is None:
        if anytime:
            raise InputError("--anytime is about the intervals of --until; say both, or neither")
        return spec, "playing"
    from attrs import evolve

    from analysis.mindbug.stopping import PlayUntil

    now = ""

    def on_look(look: "Look") -> None:
        nonlocal now
        width = look.told["half_width"]
        now = "" if width is None else f", now ±{width:.{_digits(goal.precision) + 1}f}"

    cards = [card for card_set in pool.sets for card in card_set.cards]
    with as_input_error("--until"):
        rule = PlayUntil(goal, cards, policies, anytime, on_look=on_look)
    said = f"playing until ±{_points(goal.precision)} points"
    return evolve(spec, until=rule), lambda: said + now


def ending(folder: Path) -> dict[str, Any]:
    """How a run in ``folder`` that a rule ended is told to a program; nothing for other runs."""
    from simcore.work.parts import read_manifest

    manifest = read_manifest(folder)
    return {key: manifest[key] for key in ("games", "until", "stopped") if "until" in manifest}


def how_it_ended(manifest: Mapping[str, Any]) -> list[str]:
    """One sentence about the end of a run that a rule ended; none about other runs."""
    if "until" not in manifest:
        return []
    from analysis.mindbug.stopping import promise_of

    games, until, stopped = (manifest[key] for key in ("games", "until", "stopped"))
    precision = until["precision"]
    goal = f"±{_points(precision)} points"
    what, worst = _what(manifest)
    width = stopped["half_width"]
    if width is not None:
        reach = f"±{width:.{_digits(precision) + 1}f}"
    if width is not None and not promise_of(until).anytime:
        worst = ""  # all that is watched has one width
    if stopped["reached"]:
        worst = f"worst: {worst} {reach}" if worst else reach
        how = f"{goal}{_how_surely(until)}"
        return [f"stopped after {games:,} games: {what} is known to {how} ({worst})"]
    if width is None:
        return [
            f"budget spent: {games:,} games; of {worst or what} there are too few to say how many"
            f" more {goal} would need; a larger --games goes on"
        ]
    more = stopped["more_games"]
    so_far = f"{worst} is known worst, to {reach}" if worst else f"{what} is known to {reach}"
    return [
        f"budget spent: {games:,} games; {so_far}, not {goal}; about {_round(more):,} more games"
        " would be needed; a larger --games goes on"
    ]


def rule_facts(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the page says of the rule beside the number of games."""
    return [("Ended by a rule", sentence) for sentence in how_it_ended(manifest)]


def rule_text(manifest: Mapping[str, Any]) -> str:
    """What the rule means for the intervals of the page; empty for other runs."""
    if "until" not in manifest:
        return ""
    from analysis.mindbug.stopping import promise_of

    until = manifest["until"]
    what, _ = _what(manifest)
    wider = {
        "first_player": "The interval of that win rate",
        "cards": "The intervals of the win rates of those dealt a card, and of the advantage"
        " between players of the same policy,",
    }.get(until["of"], "The intervals of that win rate and of the card's advantage")
    hold = "holds" if until["of"] == "first_player" else "hold"
    promise = promise_of(until)
    surely = f"with {100 * until['confidence']:g}\N{NO-BREAK SPACE}%"
    if until["of"] != "first_player":
        surely = f"{'together' if promise.together > 1 else 'each by itself'} {surely}"
    one_width = "; all have the one width that this takes" if promise.together > 1 else ""
    text = (
        f"The number of games was not chosen beforehand: the run was to end as soon as {what} was"
        f" known to ±{_points(until['precision'])} points. The rule looks at widths only, so"
        " intervals and verdicts are right among many games as if the number had been chosen"
        " beforehand (Chow and Robbins 1965)."
    )
    if promise.anytime:
        return (
            f"{text} {wider} {hold} {surely} at every look (an asymptotic confidence sequence:"
            " Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024), so that reading them and then"
            " deciding whether to play on does no harm; that is so of these alone."
        )
    return (
        f"{text} {wider} {hold} {surely}{one_width}. Not so if somebody reads the results and then"
        " decides whether to play on; --anytime is for that."
    )


def _how_surely(until: Mapping[str, Any]) -> str:
    """What is promised of all that is watched; nothing for one interval at the end of the run."""
    from analysis.mindbug.stopping import promise_of

    promise = promise_of(until)
    sure = f"with {100 * until['confidence']:g}\N{NO-BREAK SPACE}% confidence"
    whose = "each by itself" if promise.together == 1 else "all together"
    parts = [whose] * (until["of"] == "cards") + ["at every look"] * promise.anytime
    return f", {' and '.join(parts)} {sure}" if parts else ""


def _what(manifest: Mapping[str, Any]) -> tuple[str, str]:
    """What was to be known; and which of it is known worst, empty where it is but one thing."""
    of, stopped = manifest["until"]["of"], manifest["stopped"]
    name, policies = stopped["worst_name"], manifest["policies"]
    whose = f" ({stopped['worst_policy']})" if policies[0] != policies[1] else ""
    if of == "first_player":
        return "the win rate of the player who starts", ""
    if of == "cards":
        return "every card's dealt win rate", name + whose
    return f"the dealt win rate of {name}", name + whose if whose else ""


def _digits(precision: float) -> int:
    """Decimals that show a precision: two, or more for a fine one."""
    return max(2, len(f"{precision:f}".rstrip("0").partition(".")[2]))


def _points(precision: float) -> str:
    return f"{precision:.{_digits(precision)}f}"


def _round(number: int) -> int:
    """A number of games to two digits: it is an estimate."""
    step = 10 ** max(len(str(number)) - 2, 0)
    return -(-number // step) * step
