"""Which faction or deck of a game beats which, asked in the studio."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from reports.kit.verdicts import KINDS
from reports.kit.words import DOT, bare_percent, capital, display_name, interval_of
from reports.own_games.studio.opened import Opened
from reports.studio.bench import Cell, Map, Show, Trial, Tried
from reports.studio.rows import games_choice

if TYPE_CHECKING:
    import pandas as pd

    from card_data.schema.kinds import Kind
    from reports.studio.work import Asked

_HOW = (
    "Each number is the share of games, in per cent, in which the row beats the column, a draw as"
    " half; bold where it is clear that this is not half."
)


def trial(opened: Opened, kind: "Kind") -> Trial:
    """The experiment on entries of which each of two seats has one."""
    return Trial(
        f"Which {kind.word} beats which?",
        f"Deals each seat a {kind.word} by lot, and says what those settle on who know all"
        " matchups.",
        "Play them",
        partial(_matchups, opened, kind.word),
        [games_choice({"20000": "20,000"}, 5_000, 100_000)],
        of_pool=True,
    )


def _matchups(opened: Opened, kind: str, asked: "Asked", show: Show) -> None:
    """Do what ``fairdeal balance`` does, of the game with the file."""
    from reports.cli.compute import HERE
    from reports.cli.run import asked_run
    from reports.cli.steps import analyze_run, finding_of, play_run, report_run
    from reports.own_games.matchups import matchup_findings
    from simcore.own_games.run import NAME
    from simcore.work.about import working_on

    opened.game()
    named, games = [opened.said(Path(asked.file))], int(asked.more["games"])
    options = opened.played_by(asked.chosen).ready(named, None, None, True)
    _, spec, doing, question = asked_run(NAME, options, named, games, 0, None, anytime=False)
    with HERE.start() as crew, working_on(question) as work:
        folder = play_run(spec, work.folder, crew, doing)
        tables = analyze_run(folder, crew.threads)
        page = report_run(folder)["html"]
        work.finish(finding_of(folder), page.name, games)
    table = tables["matchups"]
    table = table[table["kind"] == kind]
    [found] = matchup_findings({**tables, "matchups": table})
    who = DOT.join([f"{games:,} games", " against ".join(options.players())])
    show(Tried(found.text, who, map=_square(kind, table), page=(folder.name, page.name)))


def _square(kind: str, table: "pd.DataFrame") -> Map:
    """Each entry against each other; nothing against itself."""
    names = {one: display_name(name) for one, name in zip(table["id"], table["name"], strict=True)}
    most = (table["outcome"] - 0.5).abs().max() or 1.0
    cells = {
        (line["id"], line["against_id"]): Cell(
            bare_percent(line["outcome"]),
            f"against {display_name(line['against'])}: "
            + interval_of(line, "outcome", bare_percent),
            kind="strong" if line["outcome"] > 0.5 else "weak",
            share=abs(line["outcome"] - 0.5) / most,
            is_sure=line["verdict"] in KINDS,
        )
        for _, line in table.iterrows()
    }
    rows = [
        (name, False, [cells.get((one, other), "") for other in names])
        for one, name in names.items()
    ]
    return Map(capital(kind), [f"against {name}" for name in names.values()], rows, _HOW)
