"""What the studio's page shows: the answer while it comes, cards with their faults, runs."""

from collections.abc import Mapping, Sequence
from functools import cache
from math import ceil
from pathlib import Path
from textwrap import shorten, wrap
from typing import Any, NamedTuple

import pandas as pd

from card_data.faults import Fault
from card_data.names import plain_key
from reports.kit.ornament import GROUNDS, ornament
from reports.kit.page import page_template
from reports.kit.verdicts import KINDS, predicate, sign_of
from reports.kit.words import count, display_name, games, level
from reports.runs.listing import COMPLETE
from reports.runs.listing import listed as listed_runs
from reports.studio.bench import Bench, Chart, Checked, Face, Priced, Row
from reports.studio.charts import drawn, export_of, page_of
from reports.studio.live import standing
from reports.studio.measure import Measure
from reports.studio.results import Result, result_of, said_by
from reports.studio.results import standing as stands
from reports.studio.words import about_what, in_studio, who_played
from reports.studio.work import DONE, FAILED, PLAY, STOPPED, WHOLE, WORKING, Games, Work

_LONGEST, _HEADLINE, _MOST_ALLOWED = 120, 300, 100
# Letters of a line on the picture to share, and lines of what a card says.
_SHARED_LINE, _SHARED_LINES = 36, 4
# Versions of an entry whose results are shown.
_MOST_BEFORE = 9
# The chart of an interval that narrows: its size, and the room for its letters.
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 420.0, 190.0, 46.0, 10.0, 10.0, 28.0
# How far the chart of one number reaches either way of its middle, at least.
_LEAST = 0.05
# Looks that the chart of one entry shows.
_MOST_POINTS = 200


def fragment(name: str, **shown: Any) -> str:
    """A part of the page."""
    return _template(name).render(**shown)


_template = cache(page_template)


def checked_part(checked: Checked, known: Mapping[str, Sequence[Result]], order: str = "") -> str:
    """The entries of a text with what is known of each, and what is wrong with it.

    They stand as in the file, or for "down" and "up" by their numbers, those without one last.
    """
    found = [(face, *stands(known.get(face.entry_id, ()), said_by(face))) for face in checked.faces]
    if order:
        sign = -1 if order == "down" else 1
        found.sort(key=lambda one: (one[1] is None, sign * (one[1].at if one[1] else 0)))
    chart = _drawn_results([result for _, result, _ in found if result is not None])
    rows = [
        {
            **face._asdict(),
            "name": display_name(face.name, _LONGEST),
            "corner": face.corner or face.name[:1],
            "result": result,
            "is_old": is_old,
            "drawn": chart["rows"][place]["drawn"] if place is not None else None,
        }
        for (face, result, is_old), place in zip(found, _places(found), strict=True)
    ]
    named = {one.card_id: one for one in checked.faults if one.card_id}
    whole = {plain_key(face.entry_id) for face in checked.faces}
    faulty = {entry: one for entry, one in named.items() if entry not in whole}
    return fragment(
        "studio_cards.html",
        rows=rows,
        chart=chart,
        order=order,
        faulty=[_fault(one) | {"entry": entry} for entry, one in faulty.items()],
        faults=[*map(_fault, checked.faults)],
        sign_of=sign_of,
    )


def _places(found: Sequence[tuple[Face, Result | None, bool]]) -> list[int | None]:
    """The place of each result among those that are known; None for one that is not."""
    places = iter(range(len(found)))
    return [None if result is None else next(places) for _, result, _ in found]


def _drawn_results(results: Sequence[Result]) -> dict[str, Any]:
    """Results on one axis, for the list of entries."""
    if not results:
        return {"rows": [], "ticks": ("", ""), "zero": 0, "from": 0, "to": 0}
    low = min(min(one.ground[0], one.low) for one in results)
    high = max(max(one.ground[1], one.high) for one in results)
    fair = next((one.fair for one in results if one.fair is not None), None)
    middle = low if fair is None else sum(fair) / 2
    band = 0.0 if fair is None else (fair[1] - fair[0]) / 2
    rows = [Row("", low=one.low, at=one.at, high=one.high) for one in results]
    return drawn(Chart(("", "", ""), rows, low, high, middle, band, ("", "")))


def card_part(
    face: Face | None,
    steps: Mapping[str, Any] | None,
    known: Sequence[Result],
    price: Priced | None = None,
) -> str:
    """An entry as it would be printed, what can be stepped on it, and what was played of it.

    Where nothing was played of it as it is, its ``price`` stands there.
    """
    if face is None:
        return fragment("studio_card.html", face=None, before=(), stands=None, price=None)
    played = [one for one in known if not one.tried][:-_MOST_BEFORE:-1]
    chart, said = _drawn_results(played), said_by(face)
    before = [
        {"result": one, "drawn": row["drawn"], "is_now": one.said == said}
        for one, row in zip(played, chart["rows"], strict=True)
    ]
    return fragment(
        "studio_card.html",
        face=printed(face),
        steps=steps,
        before=before if len(before) > 1 else (),
        stands=next((one for one in reversed(known) if one.said == said), None),
        price=price,
        chart=chart,
        sign_of=sign_of,
    )


def share_picture(face: Face, result: Result) -> str:
    """Where an entry stands as an SVG to share, which brings its letters along."""
    chart, card = _drawn_results([result]), printed(face)
    says = wrap(" ".join(face.lines), _SHARED_LINE, max_lines=_SHARED_LINES, placeholder=" …")
    word = f" {predicate(result.word)}" if result.word else ""
    played = f"{games(result.games)}, {result.player}, {result.day}"
    return fragment(
        "studio_share.svg",
        face=card,
        lines=says,
        facts=shorten(face.facts, _SHARED_LINE, placeholder=" …"),
        ground=GROUNDS[card["ornament"].ground],
        headline=f"{card['name']}{word}",
        result=result,
        chart=chart,
        drawn=chart["rows"][0]["drawn"],
        foot=f"Played with fairdeal: {played}.",
    )


def printed(face: Face) -> dict[str, Any]:
    """An entry as a card."""
    return {
        "name": display_name(face.name, _LONGEST),
        "facts": face.facts,
        "lines": face.lines,
        "corner": face.corner or face.name[:1],
        "ornament": ornament(face.name),
    }


def problem_of(fault: Fault) -> str:
    """What is wrong, and what was probably meant, without the place."""
    guess = f"; did you mean “{fault.nearest}”?" if fault.nearest else "."
    return fault.problem + guess


def _fault(fault: Fault) -> dict[str, Any]:
    """A fault as `fairdeal check` tells it, but for its place and what is allowed."""
    where = ".".join(filter(None, [fault.card_id, fault.field]))
    return {
        "line": fault.line,
        "column": fault.column,
        "told": ": ".join(filter(None, [where, problem_of(fault)])),
        "found": fault.found,
        "nearest": fault.nearest if fault.line and fault.found else "",
        "allowed": ", ".join(fault.allowed[:_MOST_ALLOWED]),
    }


# ---------------------------------------------------------------- the answer


def answer_part(work: Work | None, bench: Bench | None) -> str:
    """What is known now, how far the work is, and what can be done next."""
    if work is None or bench is None:
        return fragment("studio_answer.html", work=None)
    played = [one for one in work.played if one.last is not None]
    now = played[-1] if played else None
    pages = [
        {"name": _page_name(name, bench), "href": page_of(page),
         "export": export_of(page[0]), "run": page[0]}
        for name, page in work.pages.items()
    ]  # fmt: skip
    last = work.played[-1] if work.played else None
    first = played[0] if len(played) > 1 or (played and now is not last) else None
    measure = now.stage.measure if now else None
    facts = now.last.facts if now and now.last and not work.sentence else ()
    is_one = bool(now and now.last and len(now.last.rows) == 1)
    return fragment(
        "studio_answer.html",
        work=work,
        of=about(work, bench),
        sentence=in_studio(work.sentence or _sentence(now, is_first=first is now), bench),
        who=in_studio(work.who or _who(now, bench, is_first=first is now), bench),
        first=_first(first, bench) if first is not None and first is not now and is_one else "",
        funnel=_funnel(now) if now and is_one else None,
        chart=drawn(_chart(now, [*work.asked.own])) if now and not is_one else None,
        measure=measure,
        step=step_of(work, bench),
        state=in_studio(_state(work, last), bench),
        found=[in_studio(one, bench) for one in (*work.found, *facts)],
        said=[in_studio(one, bench) for one in work.said],
        pages=pages,
        is_working=work.state == WORKING,
        can_go_on=work.state in (STOPPED, FAILED),
        go_on=_GO_ON[work.kind],
        can_be_surer=_can_be_surer(work, last),
        has_page=bool(last and last.is_done and last.stage.is_run and bench.page not in work.pages),
        has_verdict=bool(work.asked.entry and WHOLE not in work.pages),
        why={heading: drawn(chart) for heading, chart in work.why.items()},
        result=_result(work, now) if is_one or work.results else None,
        changes=drawn(work.changes) if work.changes is not None else None,
        sign_of=sign_of,
        bench=bench,
    )


def _result(work: Work, now: Games | None) -> Result | None:
    """Where the entry that is asked about stands: by its verdict, else in the games so far."""
    if work.results:
        return work.results[0]
    if now is None or now.last is None:
        return None
    return result_of(
        now.last.rows.iloc[0],
        now.stage.measure,
        entry=work.asked.entry,
        said="",
        games=now.last.games,
        player=now.stage.player,
    )


def _page_name(name: str, bench: Bench) -> str:
    """What the link to a page says: about one's own entry, or about all that is played."""
    return f"The page of my {bench.entry}" if name == WHOLE else f"The page of {name}"


_GO_ON = {PLAY: "Go on", "page": "Go on with the page", "verdict": "Go on with the verdict"}


def _can_be_surer(work: Work, last: Games | None) -> bool:
    if work.state not in (DONE, STOPPED) or last is None or last.last is None:
        return False
    return last.is_done and not last.last.reached


def about(work: Work, bench: Bench) -> str:
    """What was asked, for the heading."""
    return f"{work.asked.entry or bench.whole} · {work.asked.file}"


def _sentence(now: Games | None, *, is_first: bool) -> str:
    """What the games show, if there are any; of weaker players it is a first impression."""
    if now is None:
        return ""
    return f"First impression: {now.sentence}" if is_first else now.sentence


def _who(now: Games | None, bench: Bench, *, is_first: bool) -> str:
    """Who plays, and how far the interval can be trusted; "" where nobody has played yet."""
    if now is None or (seen := now.last) is None:
        return ""
    follow = "; stronger players follow" if is_first else ""
    said = f"{games(seen.games)} {bench.played_by(now.stage.player)}{follow}."
    many = "The interval holds" if len(seen.rows) == 1 else "The intervals hold together"
    return f"{said} {many} with {level()} whenever you stop."


def _first(first: Games, bench: Bench) -> str:
    """What the players of the first impression made of it, in one line."""
    if first.last is None:
        return ""
    measure = first.stage.measure
    at, low, high = _of_row(first.last.rows.iloc[0], measure)
    return (
        f"First impression, {bench.played_by(first.stage.player)}: {measure.unit.number(at)}"
        f" ({measure.unit.between(low, high)}), {games(first.last.games)}."
    )


def _of_row(row: pd.Series, measure: Measure) -> tuple[float, float, float]:
    """The number that is watched, and the ends of its interval."""
    at, low, high = (row[f"{measure.column}{end}"] for end in ("", "_ci_low", "_ci_high"))
    return float(at), float(low), float(high)


def step_of(work: Work, bench: Bench) -> dict[str, Any] | None:
    """How far the present step is."""
    if work.state != WORKING:
        return None
    text = "stopping" if work.stopping else in_studio(work.doing, bench)
    left = work.seconds_left
    if work.total:
        text += f" · {count(work.done)} of {count(work.total)} {work.unit}".rstrip()
    if left and not work.stopping:
        much, unit = (left, "s") if left < 90 else (round(left / 60), "min")
        text += f" · about {much}\N{NO-BREAK SPACE}{unit} left"
    return {"text": text, "done": work.done, "total": work.total}


def why_ended(work: Work) -> str:
    """What became of work that has ended without an answer; "" for any other."""
    if work.state == FAILED:
        return work.trouble
    return "Stopped. What is finished is kept; press “Go on”." if work.state == STOPPED else ""


def _state(work: Work, last: Games | None) -> str:
    """What became of the work, where it has ended."""
    if ended := why_ended(work):
        return ended
    if work.state == DONE and work.kind == PLAY and last and last.last and last.last.reached:
        return "Known as precisely as this question needs: more games would change little."
    return ""


_Standing = tuple[int, float, float, float]


class _Point(NamedTuple):
    x: float
    y: float


def _thinned(looks: list[_Standing]) -> list[_Standing]:
    """As many looks as a chart can show, with the first and the last."""
    step = -(-len(looks) // _MOST_POINTS)
    return looks[: -1 : max(step, 1)] + looks[-1:]


def _funnel(now: Games) -> dict[str, Any] | None:
    """The number that is watched after each look with its interval: a funnel around a line."""
    measure = now.stage.measure
    looks = _thinned(standing(now.shown, measure.column))
    if not looks:
        return None
    most, value, low, high = looks[-1]
    middle, reach = _extent(looks, measure)

    def at(n: int, value: float) -> _Point:
        across = _LEFT + (_WIDTH - _LEFT - _RIGHT) * n / most
        share = min(max((middle + reach - value) / (2 * reach), 0), 1)
        return _Point(round(across, 1), round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * share, 1))

    def path(points: Sequence[_Point]) -> str:
        return " ".join(f"{point.x},{point.y}" for point in points)

    band = measure.band or 0
    upper, lower = (at(most, measure.middle + side * band).y for side in (1, -1))
    step = band if band and reach <= 6 * band else reach / 1.2
    return {
        "area": path([*(at(n, high) for n, _, _, high in looks),
                      *(at(n, low) for n, _, low, _ in reversed(looks))]),
        "line": path([at(n, value) for n, value, _, _ in looks]),
        "end": {"x": at(most, value).x, "low": at(most, low).y, "high": at(most, high).y,
                "y": at(most, value).y},
        "band": {"y": upper, "height": round(lower - upper, 1)} if band else None,
        "ticks": [{"y": at(most, one).y, "text": measure.unit.tick(one)}
                  for one in (middle - step, middle, middle + step)
                  if measure.least <= one <= measure.most],
        "left": _LEFT, "right": _WIDTH - _RIGHT, "bottom": _HEIGHT - _BOTTOM,
        "width": _WIDTH, "height": _HEIGHT, "games": games(most),
        "kind": _kind(now.last.rows.iloc[0]) if now.last else "",
        "label": f"{measure.title} after each look; now {measure.unit.number(value)},"
        f" {measure.unit.between(low, high)}",
        "caption": measure.caption,
    }  # fmt: skip


def _extent(looks: Sequence[_Standing], measure: Measure) -> tuple[float, float]:
    """The middle of the chart, and how far it reaches: all but the widest intervals fit in.

    Its middle is that of the measure, or the last number where nothing is judged.
    """
    middle = measure.middle if measure.band is not None else round(looks[-1][1], 2)
    shown = looks[-(len(looks) // 2 + 1) :]
    ends = [abs(end - middle) for _, _, low, high in shown for end in (low, high)]
    most = max(measure.most - middle, middle - measure.least)
    return middle, min(max(1.15 * max(ends), _LEAST), most)


def _chart(now: Games, own: Sequence[str]) -> Chart:
    """All that is watched, the highest first but one's own on top, each with its interval."""
    assert now.last is not None
    measure = now.stage.measure
    rows = now.last.rows.sort_values(measure.column, ascending=False)
    mine = rows["entry_id"].isin(own)
    rows = pd.concat([rows[mine], rows[~mine]])
    is_marked = mine.mean() <= 0.5  # where most are one's own, that tells nothing
    shown = [
        _row(row, measure, own)._replace(is_own=is_marked and row["entry_id"] in own)
        for _, row in rows.iterrows()
    ]
    low, high = _ground(rows, measure)
    ticks = measure.unit.tick(low), measure.unit.tick(high)
    headings = measure.noun, f"{measure.title}, {measure.unit.sign}"
    if measure.band is None:
        return Chart((*headings, ""), shown, low, high, low, 0, ticks)
    return Chart((*headings, "Verdict"), shown, low, high, measure.middle, measure.band, ticks)


def _ground(rows: pd.DataFrame, measure: Measure) -> tuple[float, float]:
    """The ends of the chart of several: those of the measure, or farther where a number is."""
    low, high = measure.ground
    middle = (low + high) / 2
    reach = max(
        high - middle, ceil((rows[measure.column].fillna(middle) - middle).abs().max() * 20) / 20
    )
    return max(middle - reach, measure.least), min(middle + reach, measure.most)


def _row(row: pd.Series, measure: Measure, own: Sequence[str]) -> Row:
    """A row of the chart of all that is watched."""
    value, low, high = _of_row(row, measure)
    is_known = bool(pd.notna(value))
    return Row(
        display_name(row["name"], _LONGEST),
        measure.unit.bare(value),
        measure.unit.between(low, high),
        low if is_known else None,
        value if is_known else None,
        high if is_known else None,
        word=row["verdict"] if measure.band is not None else "",
        kind=_kind(row),
        entry=row["entry_id"] if row["entry_id"] in own else "",
    )


def _kind(row: pd.Series) -> str:
    """The class of a row in the style sheet, by its verdict; "" for most."""
    return KINDS.get(row.get("verdict", ""), "")


# ---------------------------------------------------------------- runs


def runs_part(project: Path, benches: Mapping[str, Bench]) -> str:
    """The runs of the project, newest first, with their pages."""
    rows = []
    for one in listed_runs(project):
        if one.about is None or not one.folder.is_dir():
            continue
        run = one.folder.name
        page = page_of((run, one.page.name)) if one.page else ""
        rows.append(
            {
                "what": display_name(about_what(one.about.what, one.about.question), _LONGEST),
                "question": one.about.question,
                "headline": display_name(one.about.headline, _HEADLINE),
                "players": who_played(one.about, benches),
                "games": "" if one.about.games is None else count(one.about.games),
                "state": "" if one.state == COMPLETE else one.state,
                "day": one.about.begun,
                "page": page,
                "export": export_of(run) if one.state == COMPLETE and page else "",
            }
        )
    return fragment("studio_runs.html", runs=rows)
