"""What the table shows: the scene, what has happened, and what is to be decided or was decided."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from reports.kit.words import capital
from reports.play.course import Course, chances, mistakes
from reports.play.match import Opinion, Question
from reports.play.scene import Moment, Option, Scene, together
from reports.play.sitting import Sitting
from reports.studio.table.plan import drawn
from reports.studio.views import fragment

# The size of the curve of a game.
_WIDE, _HIGH = 640, 120
# Lines that say how a game ended.
_END = 2


def sitting_part(sitting: Sitting, scene: Scene, with_log: str) -> str:
    """A game in which the person decides next, or which is over and can be added to a log."""
    question, log = sitting.question, _told(sitting.lines)
    news = log[len(_told(sitting.lines[: sitting.n_known])) :]
    end = [] if question else log[-_END:]
    return fragment(
        "studio_sitting.html",
        scene=scene,
        draw=partial(drawn, options=_destinations(question)),
        asked=capital(question.asked) if question else "",
        groups=_groups(question),
        with_log=with_log,
        end=[line["text"] for line in end],
        news=news[: len(news) - len(end)],
        log=log,
        can_go_back=sitting.can_go_back,
        knows_others=any(who not in sitting.log.person for who, _ in sitting.log.decisions),
    )


def _told(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Lines of a story, and which of them are heads: of a turn, or of what comes before."""
    return [
        {"text": line.strip(), "is_head": not (before or line.startswith(" "))}
        for before, line in pairwise(("", *lines))
        if line
    ]


def _destinations(question: Question | None) -> dict[str, int]:
    """The first option that leads to each space of the plan."""
    found: dict[str, int] = {}
    for number, choice in enumerate(question.choices if question else ()):
        if choice.spot:
            found.setdefault(choice.spot, number)
    return found


def _groups(question: Question | None) -> list[dict[str, Any]]:
    """The options in their groups; what is said of a thing is said once."""
    told = {""}
    found = []
    for members in question.groups if question else ():
        is_alone = len(members) == 1
        options = []
        for number, choice in members:
            note = "" if choice.note in told else choice.note
            told.add(choice.note)
            text = capital(choice.whole) if is_alone else choice.item
            options.append({"number": number, "text": text, "note": note})
        found.append({"lead": "" if is_alone else capital(members[0][1].text), "options": options})
    return found


def hint_part(hint: Opinion) -> str:
    """What a strong player would choose at the present decision."""
    return thoughts_part([hint._replace(asked="")])


def thoughts_part(opinions: Sequence[Opinion]) -> str:
    """What players thought when they chose."""
    shown = [
        {
            "asked": one.asked,
            "player": one.player,
            "choice": one.choice,
            "scale": one.scale,
            "n_hidden": one.n_hidden,
            "groups": _told_options(one.ratings, one.chosen),
        }
        for one in opinions
    ]
    return fragment("studio_opinions.html", opinions=shown)


def _told_options(options: Iterable[tuple[int, Option]], chosen: int) -> list[dict[str, Any]]:
    """Options with what was thought of them, those that do the same to several things together."""
    found = []
    for members in together(options, lambda one: one[1].text if one[1].item else ""):
        is_alone = len(members) == 1
        shown = [
            {
                "text": capital(one.whole) if is_alone else one.item,
                "thought": one.thought,
                "is_chosen": number == chosen,
            }
            for _, (number, one) in members
        ]
        found.append({"lead": "" if is_alone else capital(members[0][1][1].text), "options": shown})
    return found


def course_part(course: Course, moments: Sequence[Moment]) -> str:
    """The chance of a side along a told game, and the choices that cost most."""
    values = chances(course, len(moments))
    last = max(len(moments) - 1, 1)
    points = [(_WIDE * at / last, _HIGH * (1 - value)) for at, value in enumerate(values)]
    return fragment(
        "studio_course.html",
        course=course,
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points),
        width=_WIDE,
        height=_HIGH,
        mistakes=[
            {"at": one.at, "turn": one.turn, "chosen": one.chosen, "best": one.best,
             "cost": round(100 * one.cost)}
            for one in mistakes(course, moments)
        ],
    )  # fmt: skip


def moment_part(moment: Moment, at: int, n_moments: int) -> str:
    """A told game at one of its decisions."""
    move = moment.move
    return fragment(
        "studio_moment.html",
        moment=moment,
        chosen=move.options[move.chosen].whole if move else "",
        groups=_told_options(enumerate(move.options), move.chosen) if move else [],
        scene=moment.scene,
        draw=partial(drawn, options={}),
        at=at,
        last=n_moments - 1,
    )
