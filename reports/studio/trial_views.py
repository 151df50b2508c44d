"""What the studio's page shows of experiments, and of the versions of a file."""

from collections.abc import Sequence

from attrs import evolve

from reports.kit.words import ARROW, DOT, display_name
from reports.studio import history
from reports.studio.bench import Bench, Checked, Face, Tried
from reports.studio.charts import coloured, drawn, export_of, page_of
from reports.studio.views import about, fragment, step_of, why_ended
from reports.studio.words import in_studio
from reports.studio.work import DONE, FAILED, STOPPED, WORKING, Work

_LONGEST, _MOST_VERSIONS, _MOST_CHANGES = 120, 100, 6


def tried_part(kind: str, work: Work | None, bench: Bench) -> str:
    """What an experiment shows now, how far it is, and what can be done next."""
    if work is None:
        return fragment("studio_tried.html", work=None)
    tried = work.tried
    page = None
    if tried is not None and tried.page is not None:
        run, _ = tried.page
        page = {
            "href": page_of(tried.page),
            "export": export_of(run),
            "run": run,
        }
    return fragment(
        "studio_tried.html",
        kind=kind,
        work=work,
        of=about(work, bench),
        tried=_said_here(tried, bench) if tried is not None else None,
        chart=drawn(tried.chart) if tried is not None and tried.chart is not None else None,
        map=coloured(tried.map) if tried is not None and tried.map is not None else None,
        step=step_of(work, bench),
        state=in_studio(why_ended(work), bench),
        said=[in_studio(one, bench) for one in work.said],
        is_working=work.state == WORKING,
        can_go_on=work.state in (STOPPED, FAILED),
        page=page if work.state == DONE else None,
    )


def _said_here(tried: Tried, bench: Bench) -> Tried:
    """What an experiment says, in the words of the studio."""
    sentence, who, *lines = (
        in_studio(one, bench) for one in (tried.sentence, tried.who, *tried.lines)
    )
    return evolve(tried, sentence=sentence, who=who, lines=lines)


# ---------------------------------------------------------------- versions


def history_part(bench: Bench, file: str, known: Sequence[tuple[history.Version, str]]) -> str:
    """The versions of a file, the newest first, each with what it changed; with their texts."""
    numbered = [one for one in known if one[0].number.isdecimal()]
    others = [one for one in known if one not in numbered]
    checked = [bench.check(text, file) for _, text in numbered]
    rows = [
        {
            **_told(version),
            "text": text,
            "changes": _changes(checked[place], checked[place + 1])
            if place + 1 < len(numbered)
            else ["the first that was kept"],
            "is_now": place == 0,
        }
        for place, (version, text) in enumerate(numbered[:_MOST_VERSIONS])
    ]
    rows += [
        {**_told(version), "text": text, "changes": [], "is_now": False} for version, text in others
    ]
    return fragment("studio_history.html", versions=rows, more=len(numbered) - _MOST_VERSIONS)


def versions_to_choose(known: Sequence[tuple[history.Version, str]]) -> list[list[str]]:
    """What can be compared with the newest version: numbers and words, the last one first."""
    return [
        [version.number, f"{_capital(version.called)} · {_day(version)}"]
        for version, text in known
        if text != known[0][1]
    ]


def _told(version: history.Version) -> dict[str, str]:
    return {
        "number": version.number,
        "called": _capital(version.called),
        "saved": _day(version),
        "name": version.name,
        "why": version.why,
    }


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _day(version: history.Version) -> str:
    return version.saved.replace("T", " ")[:16]


def _changes(now: Checked, before: Checked) -> list[str]:
    """In what a version differs from the one before, in words."""
    found = []
    of_now, of_before = ({face.entry_id: face for face in one.faces} for one in (now, before))
    for entry_id in dict.fromkeys([*of_now, *of_before]):
        new, old = of_now.get(entry_id), of_before.get(entry_id)
        if new == old:
            continue
        if new is None or old is None:
            face = new or old
            assert face is not None
            came = "had a fault before" if _is_faulty(before, entry_id) else "is new"
            went = "has a fault" if _is_faulty(now, entry_id) else "is gone"
            found.append(f"{_name(face)} {came if old is None else went}")
            continue
        pairs = [*_paired_facts(old, new), (" ".join(old.lines), " ".join(new.lines))]
        moved = [f"{one or 'no text'} {ARROW} {other or 'no text'}"
                 for one, other in pairs if one != other]  # fmt: skip
        if new.name != old.name:
            moved.append(f"called {_name(old)} before")
        found.append(f"{_name(new)}: {'; '.join(moved)}")
    more = len(found) - _MOST_CHANGES
    found = [*found[:_MOST_CHANGES], *([f"and {more} more"] if more > 0 else [])]
    return [display_name(one, 300) for one in found] or ["nothing that is played"]


def _is_faulty(checked: Checked, entry_id: str) -> bool:
    """Whether an entry is not shown because it, or the file, has a fault."""
    return any(fault.card_id in ("", entry_id) for fault in checked.faults)


def _paired_facts(old: Face, new: Face) -> list[tuple[str, str]]:
    """The facts of two versions of an entry, one by one where there are as many in both."""
    before, after = (face.facts.split(DOT) for face in (old, new))
    alike = len(before) == len(after)
    return [*zip(before, after, strict=True)] if alike else [(old.facts, new.facts)]


def _name(face: Face) -> str:
    return display_name(face.name, _LONGEST)
