"""The page of a verdict, ``verdict.html``: the answer first, one chart that shows it, then why.

It holds all it needs, works without a network.
"""

import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from analysis.estimates import CONFIDENCE
from analysis.mindbug.experiments.verdict import Evidence
from analysis.mindbug.experiments.verdict_tables import VERDICT_TABLES, write_verdict
from analysis.mindbug.replays import replays
from analysis.verdicts import STRONG, WEAK
from card_data.mindbug.language.formatter import format_cards
from card_data.mindbug.schema import CardSet
from card_data.mindbug.variants import with_card
from reports.kit.cells import Cell, counted, estimate, number, verdict, word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, page_template
from reports.kit.words import Finding, chance, count, percent, points
from reports.mindbug import run_text
from reports.mindbug.balance.card_pages import StoryLine, end_of_story, faces_of
from reports.mindbug.explain.experiments import experiments_of_run
from reports.mindbug.explain.tables import explained
from reports.mindbug.explain.text import AVERAGE, GOES_WITH, OBSERVED
from reports.mindbug.verdict import text
from reports.mindbug.verdict.charts import CHARTS
from simcore.sealed import write_file, writing

PAGE = "verdict.html"
#: The card file with the proposed change.
PROPOSAL_FILE = "proposal.toml"
_POINTS = partial(points, digits=1)
_PERCENT = partial(percent, digits=1)


class Story(NamedTuple):
    """A game that the card decided: in words, the command that tells it whole, and its end."""

    words: str
    command: str
    lines: list[StoryLine]


def write_proposal(evidence: Evidence, folder: Path) -> Path | None:
    """Write the card file with the proposed change; None, and no file, without one."""
    from analysis.mindbug.experiments.rebalance import changed_cards

    path = folder / PROPOSAL_FILE
    if evidence.proposal is None:
        with writing(path):
            path.unlink(missing_ok=True)  # of another band
        return None
    pool = evidence.case.pool
    cards = changed_cards(pool, with_card(pool, evidence.proposal.card))
    write_file(path, format_cards(CardSet(path.stem, "Proposal", tuple(cards))).encode())
    return path


def write_verdict_page(
    evidence: Evidence,
    tables: Mapping[str, pd.DataFrame],
    findings: Sequence[Finding],
    folder: Path,
    command: str,
) -> Path:
    """Write tables, charts and page into ``folder``; the path of the page.

    ``command`` is what was typed.  The same evidence and findings give the same bytes.  Raises
    RunError when something cannot be written.
    """
    write_verdict(dict(tables), evidence, folder)
    manifest = evidence.manifest
    said = text.describe(manifest, most_sets=1)
    caption = run_text.caption(said, manifest)
    files = write_figures(tables, folder / "figures", caption=caption, charts=CHARTS)
    case, parts = evidence.case, tables["card_parts"]
    card_set = next(one for one in case.pool.sets if case.card in one.cards)
    page = page_template(PAGE).render(
        title=f"{text.headline(tables)}",
        sentence=text.sentence(tables),
        played=text.describe(manifest),
        findings=findings,
        faces=faces_of(case.card, card_set, case.pool),
        charts=drawings(files),
        csv={name: csv_address(tables[name]) for name in VERDICT_TABLES},
        player_rows=[_player_row(row) for _, row in tables["verdict"].iterrows()],
        worth_rows=[_worth_row(row) for _, row in _worth(tables["sensitivity"]).iterrows()],
        change_rows=[_change_row(row) for _, row in tables["verdict_changes"].iterrows()],
        pair_rows=[_pair_row(row) for _, row in _shown(tables["verdict_pairs"]).iterrows()],
        pairs_words=text.pairs_text(tables["verdict_pairs"]),
        parts=explained(
            parts, AVERAGE, partial(experiments_of_run, evidence.run, case.card.card_id)
        ),
        observed=OBSERVED,
        goes_with=GOES_WITH,
        q_text=run_text.Q_TEXT,
        stories=_stories(evidence, tables["verdict_games"]),
        facts=_facts(evidence, command),
    )
    path = folder / PAGE
    write_file(path, page.encode())
    return path


def _stories(evidence: Evidence, table: pd.DataFrame) -> list[Story]:
    """The games that the card decided, from the turn on which it was played."""
    run = evidence.run
    told = replays(run, evidence.case.pool, table["game"])
    return [
        Story(
            text.game_text(row),
            shlex.join(["balancelab", "replay", str(run.folder), str(row["game"])]),
            end_of_story(game.lines, row["turn_played"]),
        )
        for (_, row), game in zip(table.iterrows(), told, strict=True)
    ]


def _player_row(row: pd.Series) -> list[Cell]:
    return [
        Cell(row["policy"]),
        _rate(row),
        verdict(row["verdict"]),
        counted(row["n"]),
        counted(row["n_games"]),
    ]


def _rate(row: pd.Series) -> Cell:
    low, high = (row[f"win_rate_ci_{end}"] for end in ("low", "high"))
    return number(row["win_rate"], low, high, _PERCENT)


def _worth(sensitivity: pd.DataFrame) -> pd.DataFrame:
    """The lines about the card taken apart."""
    kinds = ["value", "remove_keyword", "remove_line", "remove_all"]
    mine = sensitivity[(sensitivity["measure"] == "dealt") & sensitivity["kind"].isin(kinds)]
    return mine.sort_values("kind", key=lambda kind: kind.map(kinds.index), kind="stable")


def _worth_row(row: pd.Series) -> list[Cell]:
    sure = row["q_value"] < 1 - CONFIDENCE
    kind = (STRONG if row["difference"] > 0 else WEAK) if sure else ""
    cell = estimate(row, "difference", _POINTS)._replace(kind=kind)
    return [
        Cell(row["label"]),
        Cell(_PERCENT(row["base"])),
        Cell(_PERCENT(row["variant"])),
        cell,
        Cell(chance(row["q_value"]) or "–"),
        counted(row["n"]),
    ]


def _change_row(row: pd.Series) -> list[Cell]:
    which = "fresh deals" if row["fresh"] else "first try"
    return [
        Cell(row["change"], kind="proposed" if row["proposed"] else ""),
        Cell(str(row["amount"])),
        word(f"{row['policy']}, {which}{', proposed' if row['proposed'] else ''}"),
        _rate(row),
        estimate(row, "difference", _POINTS),
        verdict(row["verdict"]),
        counted(row["n"]),
    ]


def _shown(pairs: pd.DataFrame) -> pd.DataFrame:
    return pairs[pairs["q_value"] < 1 - CONFIDENCE]


def _pair_row(row: pd.Series) -> list[Cell]:
    return [
        Cell(row["name_b"]),
        word("opponent has it" if row["opposed"] else "on the same side"),
        Cell(_PERCENT(row["win_rate"])),
        Cell(_PERCENT(row["expected"])),
        estimate(row, "shrunk", _POINTS),
        Cell(chance(row["q_value"])),
        counted(row["n"]),
    ]


def _facts(evidence: Evidence, command: str) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    case, manifest = evidence.case, evidence.manifest
    played = [f"{count(case.run_games)} by {case.policy}"]
    if case.stronger:
        played.append(f"{count(case.stronger_games)} by {case.stronger}")
    tried = f"{count(case.tried_games)} with each change, only such in which the card is dealt"
    if any(one.fresh for one in evidence.tried):
        tried += f"; {count(case.fresh_games)} fresh ones with each that might do"
    return [
        ("Sets", run_text.describe_sets(manifest)),
        ("Games", f"{' and '.join(played)}; {tried}"),
        ("Seed", f"{case.seed}; {case.fresh_seed} for fresh deals"),
        ("Rules version", str(manifest["rules_version"])),
        ("Pool", f"SHA-256 {manifest['pool_hash']}"),
        *run_text.weights_of(manifest),
        ("Versions", run_text.versions_of(manifest)),
        ("Command", command),
    ]
