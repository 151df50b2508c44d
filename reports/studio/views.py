"""What the studio's page shows: the answer while it comes, cards with their faults, runs."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pandas as pd

from analysis.verdicts import BALANCED, BAND, STRONG, UNDECIDED, WEAK
from card_data.faults import Fault
from reports.kit.page import page_template
from reports.kit.words import (
    bare_percent,
    between,
    count,
    display_name,
    games,
    percent,
)
from reports.runs.listing import COMPLETE
from reports.runs.listing import listed as listed_runs
from reports.runs.text import players_text
from reports.studio.bench import Bench, Checked
from reports.studio.charts import drawn
from reports.studio.live import standing
from reports.studio.words import sentence
from reports.studio.work import ALL, DONE, FAILED, PLAY, STOPPED, WHOLE, WORKING, Games, Work

_LONGEST, _HEADLINE, _MOST_ALLOWED = 120, 300, 100
# The chart of an interval that narrows: its size, and the room for its letters.
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 420.0, 190.0, 46.0, 10.0, 10.0, 28.0
# Points either way of one half that the chart shows at least and at most.
_LEAST, _MOST = 0.05, 0.5
# Win rates that a row of the pool's chart can show.
_FROM, _TO = 0.4, 0.6
# Looks that the chart of one entry shows.
_MOST_POINTS = 200
_CLASSES = {STRONG: "strong", WEAK: "weak"}


def fragment(name: str, **shown: Any) -> str:
    """A part of the page."""
    return _template(name).render(**shown)


_template = cache(page_template)


def checked_part(checked: Checked) -> str:
    """The entries of a text as players read them, and what is wrong with it."""
    faces = [
        {
            "name": display_name(face.name, _LONGEST),
            "facts": face.facts,
            "lines": face.lines,
        }
        for face in checked.faces
    ]
    return fragment("studio_cards.html", faces=faces, faults=[*map(_fault, checked.faults)])


def _fault(fault: Fault) -> dict[str, Any]:
    """A fault as `balancelab check` tells it, but for its place and what is allowed."""
    where = ".".join(filter(None, [fault.card_id, fault.field]))
    guess = f"; did you mean “{fault.nearest}”?" if fault.nearest else "."
    return {
        "line": fault.line,
        "column": fault.column,
        "told": ": ".join(filter(None, [where, fault.problem])) + guess,
        "found": fault.found,
        "nearest": fault.nearest if fault.line and fault.found else "",
        "allowed": ", ".join(fault.allowed[:_MOST_ALLOWED]),
    }


# ---------------------------------------------------------------- the answer


def answer_part(work: Work | None, bench: Bench | None, files: str) -> str:
    """What is known now, how far the work is, and what can be done next."""
    if work is None or bench is None:
        return fragment("studio_answer.html", work=None)
    played = [one for one in work.played if one.last is not None]
    now = played[-1] if played else None
    pages = [
        {"name": name, "href": f"files/{files}/{quote(run)}/{quote(file)}",
         "export": f"export/{files}/{quote(run)}.zip", "run": run}
        for name, (run, file) in work.pages.items()
    ]  # fmt: skip
    last = work.played[-1] if work.played else None
    first = played[0] if len(played) > 1 or (played and now is not last) else None
    return fragment(
        "studio_answer.html",
        work=work,
        of=_about(work),
        sentence=work.sentence or (sentence(now, work.asked.entry, bench) if now else ""),
        who=work.who or (_who(now, is_first=first is now) if now else ""),
        first=_first(first, bench, work) if first is not None and first is not now else "",
        funnel=_funnel(now) if now and work.asked.entry else None,
        rows=_rows(now, work.asked.own) if now and not work.asked.entry else [],
        step=step_of(work),
        state=_state(work, last),
        pages=pages,
        is_working=work.state == WORKING,
        can_go_on=work.state in (STOPPED, FAILED),
        go_on=_GO_ON[work.kind],
        can_be_surer=_can_be_surer(work, last),
        has_page=bool(last and last.is_done and ALL not in work.pages),
        has_verdict=bool(work.asked.entry and WHOLE not in work.pages),
        entry=bench.entry,
        why={heading: drawn(chart) for heading, chart in work.why.items()},
    )


_GO_ON = {PLAY: "Go on", "page": "Write the page again", "verdict": "Go on with the verdict"}


def _can_be_surer(work: Work, last: Games | None) -> bool:
    if work.state not in (DONE, STOPPED) or last is None or last.last is None:
        return False
    return last.is_done and not last.last.reached


def _about(work: Work) -> str:
    """What was asked, for the heading."""
    what = work.asked.entry or "every card"
    return f"{what} · {work.asked.file}"


def _who(now: Games, *, is_first: bool) -> str:
    """Who plays, and how far the interval can be trusted."""
    seen = now.last
    assert seen is not None
    player = now.stage.player
    said = f"{games(seen.games)} between {player} players."
    if is_first:
        said = f"First impression: {said}"
    many = "The interval holds" if len(seen.rows) == 1 else "The intervals hold together"
    return f"{said} {many} with 95 % at whatever moment you stop."


def _first(first: Games, bench: Bench, work: Work) -> str:
    """What the players of the first impression made of it, in one line."""
    if first.last is None or not work.asked.entry:
        return ""
    words = bench.words(first.last.rows)
    row = first.last.rows.iloc[0]
    ends = between(row["win_rate_ci_low"], row["win_rate_ci_high"])
    return (
        f"First impression, {words.played_by(first.stage.player)}: {percent(row['win_rate'])}"
        f" ({ends}), {games(first.last.games)}."
    )


def step_of(work: Work) -> dict[str, Any] | None:
    """How far the present step is."""
    if work.state != WORKING:
        return None
    text = "stopping" if work.stopping else work.doing
    left = work.seconds_left
    if work.total:
        text += f" · {count(work.done)} of {count(work.total)}"
    if left is not None and not work.stopping:
        text += f" · about {left} s left" if left < 90 else f" · about {round(left / 60)} min left"
    return {"text": text, "done": work.done, "total": work.total}


def _state(work: Work, last: Games | None) -> str:
    """What became of the work, where it has ended."""
    if work.state == FAILED:
        return work.trouble
    if work.state == STOPPED:
        return "Stopped. What is finished is kept, also for the command line; press Go on."
    if work.state == DONE and work.kind == PLAY and last and last.last and last.last.reached:
        return "Known as well as this question asks: more games would change little."
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
    """The win rate after each look with its interval: a funnel around a line."""
    looks = _thinned(standing(now.shown))
    if not looks:
        return None
    ends = [
        abs(end - 0.5) for _, _, low, high in looks[-(len(looks) // 2 + 1) :] for end in (low, high)
    ]
    reach = min(max(1.15 * max(ends), _LEAST), _MOST)
    most = looks[-1][0]

    def at(n: int, rate: float) -> _Point:
        across = _LEFT + (_WIDTH - _LEFT - _RIGHT) * n / most
        share = min(max((0.5 + reach - rate) / (2 * reach), 0), 1)
        return _Point(round(across, 1), round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * share, 1))

    def path(points: Sequence[_Point]) -> str:
        return " ".join(f"{point.x},{point.y}" for point in points)

    upper = [at(n, high) for n, _, _, high in looks]
    lower = [at(n, low) for n, _, low, _ in looks]
    _, rate, low, high = looks[-1]
    band = [at(most, 0.5 + BAND).y, at(most, 0.5 - BAND).y]
    ticks = [0.5 - BAND, 0.5, 0.5 + BAND]
    if reach > 6 * BAND:
        ticks = [0.5 - reach / 1.2, *ticks[1:2], 0.5 + reach / 1.2]
    return {
        "area": path([*upper, *reversed(lower)]),
        "line": path([at(n, rate) for n, rate, _, _ in looks]),
        "end": {"x": at(most, rate).x, "low": at(most, low).y, "high": at(most, high).y,
                "y": at(most, rate).y},
        "band": {"y": band[0], "height": round(band[1] - band[0], 1)},
        "ticks": [{"y": at(most, one).y, "text": percent(one, 0)} for one in ticks],
        "left": _LEFT, "right": _WIDTH - _RIGHT, "bottom": _HEIGHT - _BOTTOM,
        "width": _WIDTH, "height": _HEIGHT, "games": games(most),
        "kind": _CLASSES.get(str(now.last.rows.iloc[0]["verdict"]) if now.last else "", ""),
        "label": f"Win rate after each look; now {percent(rate)}, {between(low, high)}",
    }  # fmt: skip


def _rows(now: Games, own: Sequence[str]) -> list[dict[str, Any]]:
    """The entries of the pool by strength, own ones first, each with its interval drawn."""
    assert now.last is not None
    rows = now.last.rows.sort_values("win_rate", ascending=False)
    mine = rows["entry_id"].isin(own)
    rows = pd.concat([rows[mine], rows[~mine]])
    return [
        {
            "is_own": row["entry_id"] in own,
            "name": display_name(row["name"], _LONGEST),
            "rate": bare_percent(row["win_rate"]),
            "ends": between(row["win_rate_ci_low"], row["win_rate_ci_high"]),
            "verdict": _CALLED[row["verdict"]],
            "kind": _CLASSES.get(row["verdict"], ""),
            "low": _across(row["win_rate_ci_low"]),
            "at": _across(row["win_rate"]),
            "length": round(_across(row["win_rate_ci_high"]) - _across(row["win_rate_ci_low"]), 2),
        }
        for _, row in rows.iterrows()
    ]


_CALLED = {STRONG: "too strong", WEAK: "too weak", BALANCED: "balanced", UNDECIDED: "not sure yet"}


def _across(rate: float) -> float:
    """Where a win rate lies in a row, in per cent of its width."""
    return round(100 * (min(max(rate, _FROM), _TO) - _FROM) / (_TO - _FROM), 2)


# ---------------------------------------------------------------- runs


def runs_part(project: Path, files: str) -> str:
    """The runs of the project, newest first, with their pages."""
    rows = []
    for one in listed_runs(project):
        if one.about is None or not one.folder.is_dir():
            continue
        run = one.folder.name
        page = f"files/{files}/{quote(run)}/{quote(one.page.name)}" if one.page else ""
        rows.append(
            {
                "what": display_name(one.about.what, _LONGEST),
                "question": one.about.question,
                "headline": display_name(one.about.headline, _HEADLINE),
                "players": players_text(one.about.players),
                "games": "" if one.about.games is None else count(one.about.games),
                "state": "" if one.state == COMPLETE else one.state,
                "day": one.about.begun,
                "page": page,
                "export": f"export/{files}/{quote(run)}.zip"
                if one.state == COMPLETE and page
                else "",
            }
        )
    return fragment("studio_runs.html", runs=rows)
