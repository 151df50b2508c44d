"""What the table shows: the scene, what has happened, and what is to be decided or was decided."""

from collections.abc import Sequence
from typing import Any

from reports.kit.words import capital
from reports.play.match import Opinion
from reports.play.scene import Moment, Scene
from reports.play.sitting import Sitting
from reports.studio.views import fragment

_KEYS = 9


def sitting_part(sitting: Sitting, scene: Scene) -> str:
    """A game in which the person decides next, or which is over."""
    question, lines = sitting.question, [line for line in sitting.lines if line]
    new = [line.strip() for line in sitting.lines[sitting.n_known :] if line]
    return fragment(
        "studio_sitting.html",
        scene=scene,
        asked=capital(question.asked) if question else "",
        options=_options(sitting),
        end=lines[-2:] if question is None else [],
        news=new,
        log=[{"text": line.strip(), "is_head": not line.startswith(" ")} for line in lines],
        can_go_back=sitting.can_go_back,
        knows_others=bool(sitting.log.decisions),
    )


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


def opinions_part(opinions: Sequence[Opinion], nothing: str) -> str:
    """What players think of options, or thought of them; ``nothing`` is said where nobody does."""
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
    return fragment("studio_opinions.html", opinions=shown, nothing=nothing)


def moment_part(moment: Moment, at: int, n_moments: int) -> str:
    """A told game at one of its decisions."""
    return fragment(
        "studio_moment.html", moment=moment, scene=moment.scene, at=at, last=n_moments - 1
    )
