"""A run that a rule ended (``--until``), in words: how it ended, and what its intervals mean."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reports.games import reports_of
from reports.kit.words import level, listed

if TYPE_CHECKING:
    from analysis.stopping import Promise

# Names in one sentence before "and n more".
_NAMED = 6


def how_it_ended(manifest: Mapping[str, Any]) -> list[str]:
    """One sentence about the end of a run that a rule ended; none about other runs.

    And one about what never came up, if there is anything.
    """
    if "until" not in manifest:
        return []
    never = [*dict.fromkeys(manifest["stopped"].get("never", ()))]
    if not never:
        return [_how_it_ended(manifest)]
    games = f"{manifest['games']:,} games"
    came_up = f"{listed(never, _NAMED)} came up in none of them, so nothing is known of"
    came_up += " them" if len(never) > 1 else " it"
    if manifest["stopped"]["half_width"] is None and manifest["stopped"]["reached"]:
        return [f"stopped after {games}: {came_up}"]
    return [_how_it_ended(manifest), came_up]


def _how_it_ended(manifest: Mapping[str, Any]) -> str:
    games, until, stopped = (manifest[key] for key in ("games", "until", "stopped"))
    precision = until["precision"]
    goal = f"±{shown_precision(precision)} points"
    words = reports_of(manifest["game"]).goal_words(manifest)
    what, worst = words.what, words.worst
    width = stopped["half_width"]
    if width is not None:
        reach = f"±{width:.{digits_of(precision) + 1}f}"
    if width is not None and not _promise(until).anytime:
        worst = ""  # all that is watched has one width
    if stopped["reached"]:
        worst = f"worst: {worst} {reach}" if worst else reach
        how = f"{goal}{_how_surely(until, many=words.many)}"
        return f"stopped after {games:,} games: {what} is known to {how} ({worst})"
    if width is None:
        return (
            f"budget spent: {games:,} games; of {worst or what} there are too few to say how many"
            f" more {goal} would need; a larger --games resumes the run"
        )
    more = stopped["more_games"]
    so_far = f"{worst} is least certain, at {reach}" if worst else f"{what} is known to {reach}"
    return (
        f"budget spent: {games:,} games; {so_far}, not {goal}; about {_round(more):,} more games"
        " would be needed; a larger --games resumes the run"
    )


def rule_facts(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the page says of the rule beside the number of games."""
    return [("How the run ended", sentence) for sentence in how_it_ended(manifest)]


def rule_text(manifest: Mapping[str, Any]) -> str:
    """What the rule means for the intervals of the page; empty for other runs."""
    if "until" not in manifest:
        return ""
    until = manifest["until"]
    words = reports_of(manifest["game"]).goal_words(manifest)
    hold = "hold" if words.plural else "holds"
    promise = _promise(until)
    surely = f"with {level()}"
    if words.plural:
        surely = f"{'together' if promise.together > 1 else 'each by itself'} {surely}"
    one_width = "; all are equally wide" if promise.together > 1 else ""
    text = (
        "The number of games was not chosen beforehand: the run was to end as soon as"
        f" {words.what} was known to ±{shown_precision(until['precision'])} points. The"
        " rule looks only at widths, so with many games intervals and verdicts hold as if the"
        " number"
        " had been chosen beforehand (Chow and Robbins 1965)."
    )
    if promise.anytime:
        return (
            f"{text} {words.intervals} {hold} {surely} at every look (an asymptotic confidence"
            " sequence: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024), so reading them and"
            " then deciding whether to play on does no harm. This is true only of these."
        )
    return (
        f"{text} {words.intervals} {hold} {surely}{one_width}. They no longer do if somebody reads"
        " the results and then decides whether to play on; --anytime allows for that."
    )


def _how_surely(until: Mapping[str, Any], *, many: bool) -> str:
    """What is promised of all that is watched; nothing for one interval at the end of the run."""
    promise = _promise(until)
    sure = f"with {100 * until['confidence']:g}% confidence"
    whose = "each by itself" if promise.together == 1 else "all together"
    parts = [whose] * many + ["at every look"] * promise.anytime
    return f", {' and '.join(parts)} {sure}" if parts else ""


def _promise(until: Mapping[str, Any]) -> "Promise":
    from analysis.stopping import promise_of  # its functions of scipy take a sixth of a second

    return promise_of(until)


def digits_of(precision: float) -> int:
    """Decimals that show a precision: two, or more for a fine one."""
    return max(2, len(f"{precision:f}".rstrip("0").partition(".")[2]))


def shown_precision(precision: float) -> str:
    """A precision in percentage points: 0.2 -> "0.20"."""
    return f"{precision:.{digits_of(precision)}f}"


def _round(number: int) -> int:
    """A number of games to two digits: it is an estimate."""
    step = 10 ** max(len(str(number)) - 2, 0)
    return -(-number // step) * step
