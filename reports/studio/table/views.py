"""What the table shows: the scene, what has happened, and what is to be decided or was decided."""

from collections.abc import Sequence
from typing import Any

from reports.kit.words import capital
from reports.play.match import Opinion
from reports.play.scene import Moment, Scene
from reports.play.sitting import Sitting
from reports.studio.views import fragment

# Options that a key takes, and lines that say how a game ended.
_KEYS, _END = 9, 2


def sitting_part(sitting: Sitting, scene: Scene) -> str:
    """A game in which the person decides next, or which is over."""
    question, log = sitting.question, _told(sitting.lines)
    news = _told(sitting.lines[sitting.n_known :])
    end = [] if question else log[-_END:]
    return fragment(
        "studio_sitting.html",
        scene=scene,
        asked=capital(question.asked) if question else "",
        options=_options(sitting),
        end=[line["text"] for line in end],
        news=news[: len(news) - len(end)],
        log=log,
        can_go_back=sitting.can_go_back,
        knows_others=bool(sitting.log.decisions),
    )


def _told(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Lines of a story, and which of them are heads of turns."""
    return [{"text": one.strip(), "is_head": not one.startswith(" ")} for one in lines if one]


def _options(sitting: Sitting) -> list[dict[str, Any]]:
    """The options; what is said of a thing is said once."""
    told: set[str] = set()
    found = []
    for number, choice in enumerate(sitting.question.choices if sitting.question else ()):
        note = "" if choice.note in told else choice.note
        told.add(choice.note)
        key = str(number + 1) if number < _KEYS else ""
        found.append({"number": number, "key": key, "text": capital(choice.whole), "note": note})
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
            "ratings": [(text, rating, n == one.chosen) for n, rating, text in one.ratings],
        }
        for one in opinions
    ]
    return fragment("studio_opinions.html", opinions=shown)


def moment_part(moment: Moment, at: int, n_moments: int) -> str:
    """A told game at one of its decisions."""
    return fragment(
        "studio_moment.html", moment=moment, scene=moment.scene, at=at, last=n_moments - 1
    )
