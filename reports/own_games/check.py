"""The command `fairdeal check`: whether the rules of a game can be trusted with a run."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import print_json, progress
from reports.cli.options import Json
from reports.kit.words import decimal, listed
from reports.own_games.options import NAMED, load_table

if TYPE_CHECKING:
    from simcore.own_games.check import Report
    from simcore.own_games.check.games import Seen


# The forms of rules in words.
_FORMS = {"as they are": "the rules as they are", "compiled": "compiled rules"}


def check(
    named: Annotated[str, Parameter(name="GAME", help=NAMED)],
    /,
    *,
    as_json: Json = False,
) -> int:
    """Look for mistakes in the rules of a game.

    Plays games with every number of players, and looks at many positions: a game must go the same
    way twice, options and standing may only look, and a seat's options must follow from what it
    sees.  Every card must come up, every number matter, and be what it may be.  Takes up to 30
    seconds.  Ends with status 2 where there is a fault.
    """
    from simcore.own_games.check import check

    table = load_table([named], None, ())
    with progress("Checking") as advance:
        report = check(table, on_progress=advance)
    if as_json:
        print_json(_as_json(report))
    else:
        print("\n".join([sentence(table.game.title, report), *lines(report)]))
    return 0 if report.is_sound else 2


def sentence(title: str, report: "Report") -> str:
    """Whether the game is in order."""
    from simcore.own_games.check.findings import FAULT

    faults = sum(one.level == FAULT for one in report.findings)
    if not report.findings:
        return f"{title}: no mistakes were found."
    if not faults:
        points = f"{len(report.findings)} points" if len(report.findings) > 1 else "one point"
        return f"{title} can be played; look at {points} first."
    if faults == 1:
        return f"{title} has a fault: trust no result until it is fixed."
    return f"{title} has {faults} faults: trust no result until they are fixed."


def lines(report: "Report") -> Iterator[str]:
    """What was found, then what was seen of the games; of rules with a fault no more than that."""
    yield from (f"{one.level}: {one.text}" for one in report.findings)
    if report.missed:
        yield f"There was not enough time to look at {listed(report.missed)}."
    for seats, seen in report.seen.items():
        if seen.games:
            yield _told(seats, seen)
    for seen in report.seen.values():
        yield from (*_contests(seen), *_speed(seen))
    if not report.is_sound:
        return
    if report.plain:
        yield "Many games take long, since not all of its rules can be compiled:"
    elif not report.differs:
        yield "Its rules are compiled when many games are played."
    yield from (f"  {one}" for one in report.plain)
    yield from _sight(report)


def _sight(report: "Report") -> Iterator[str]:
    """Who sees what."""
    if report.sight:
        by_who: dict[str, list[str]] = {}
        for name, who in report.sight.items():
            by_who.setdefault(who, []).append(name)
        yield "Who sees what (only you can say whether that is right):"
        yield from (f"  {who}: {listed(names)}" for who, names in by_who.items())


def _contests(seen: "Seen") -> Iterator[str]:
    """How well search plays, in some games against each other player."""
    from simcore.own_games.check.measured import SEARCHING

    told = [
        f"better in {better} and worse in {worse} of {n} games against {other}"
        for other, (better, worse, n) in seen.contests.items()
    ]
    if told:
        yield f"{SEARCHING} did {listed(told)}."


def _speed(seen: "Seen") -> Iterator[str]:
    """How fast random players play, by the form of the rules."""
    told = [
        f"{games:,.0f} games ({decisions:,.0f} decisions) a second by {_FORMS[form]}"
        for form, (games, decisions) in seen.speeds.items()
    ]
    if told:
        yield f"Random players: {listed(told)}."


def _told(seats: int, seen: "Seen") -> str:
    """What was seen of games with a number of seats."""
    numbers = _numbers(seen)
    words = [f"{word} {share:.0%}" for word, share in numbers["chosen"].items()]
    outcomes = [decimal(one) for one in numbers["outcomes"]]
    least, mean, most = numbers["decisions"]
    around = "" if least == most else f" ({least} to {most})"
    return (
        f"{seen.games} game{'s' * (seen.games > 1)} of {seats} random"
        f" player{'s' * (seats > 1)}: {mean:.0f} decisions a"
        f" game{around}, {numbers['forced']:.0%} of them without a choice; chosen:"
        f" {listed(words)}; outcome by seat: {listed(outcomes)}."
    )


def _numbers(seen: "Seen") -> dict[str, Any]:
    mean, total = sum(seen.decisions) / seen.games, seen.words.total()
    return {
        "games": seen.games,
        "decisions": [min(seen.decisions), mean, max(seen.decisions)],
        "forced": seen.forced / total,
        "outcomes": [sum(one) / seen.games for one in zip(*seen.outcomes, strict=True)],
        "chosen": {word: n / total for word, n in seen.words.most_common()},
        "a_second": {
            form: {"games": games, "decisions": decisions}
            for form, (games, decisions) in seen.speeds.items()
        },
        "search": {
            other: {"better": better, "worse": worse, "games": n}
            for other, (better, worse, n) in seen.contests.items()
        },
    }


def _as_json(report: "Report") -> dict[str, Any]:
    return {
        "findings": [{"level": one.level, "text": one.text} for one in report.findings],
        "complete": not report.missed,
        "missed": report.missed,
        "not_compiled": report.plain,
        "games": {str(seats): _numbers(seen) for seats, seen in report.seen.items() if seen.games},
        "seen_by": report.sight,
    }
