"""What a change does to a chapter, in words: is it easier, how is it lost now, for whom.

Nothing is estimated here; sentences quote the table of `analysis.experiments.comparison`.
"""

from collections.abc import Sequence

import pandas as pd
from attrs import asdict

from analysis.experiments.comparison import Comparison
from analysis.experiments.stronger import COMPARISON_STRONGER
from analysis.mice_and_mystics.contract import facts_of
from analysis.mice_and_mystics.pairs import MAIN_COUNTERS
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.verdicts import SAME, SETTLED
from card_data.mice_and_mystics.changes import differences
from card_data.mice_and_mystics.settings import SETTINGS
from card_data.schema.changes import Difference
from reports.balance.sections import Block, Downloads, Section, Tab, Text
from reports.compare import text as shared
from reports.compare.text import (
    ABOUT,
    TOPIC,
    moved_text,
    moves_of,
    stronger_finding,
    stronger_grid,
)
from reports.kit.verdicts import settled
from reports.kit.words import (
    ARROW,
    DOT,
    Finding,
    capital,
    count,
    interval_of,
    listed,
    percent,
    points,
    points_text,
)
from reports.mice_and_mystics.run_text import party_name

#: How games can be lost.
LOSSES = {
    "loss_page_rate": "out of pages",
    "loss_captured_rate": "all mice captured",
    "timeout_rate": "stopped after 400 rounds",
}
#: Means and changes named in one sentence, and letters of a value that is quoted.
_NAMED, _CHANGES, _LONGEST = 3, 6, 40


def words_of(comparison: Comparison) -> tuple[str, list[Finding]]:
    """What was played, in one line, and what follows: what was changed comes first."""
    changed = changes_of(*(facts_of(run) for run in (comparison.base, comparison.variant)))
    played, found = shared.describe_comparison(comparison), findings(comparison)
    if not changed:
        return played, found
    brief = f"{listed(changed, _CHANGES)}; {_inside(found[0].brief)}"
    text = capital(listed(changed, _CHANGES))
    return DOT.join([listed(changed, 1), played]), [Finding("Changed", f"{text}.", brief), *found]


def name_of(line: pd.Series) -> str:
    """What a line is about, in the chart: a party that wins, or how all games end."""
    if line["kind"] == "party":
        return party_name(line["id"])
    lost = LOSSES.get(line["measure"])
    return f"lost: {lost}" if lost else "all games: won"


def _inside(sentence: str) -> str:
    """A sentence as it goes on behind a semicolon."""
    return f"{sentence[0].lower()}{sentence[1:]}"


def changes_of(base: RunFacts, variant: RunFacts) -> list[str]:
    """What differs between two runs: "page_end 6 → 7"."""
    found = []
    if base.chapter.name != variant.chapter.name:
        found.append(f"{base.chapter.name} {ARROW} {variant.chapter.name}")
    sides = [asdict(one.settings) | {"page_end": one.page_end} for one in (base, variant)]
    found += [
        f"{name} {sides[0][name]} {ARROW} {sides[1][name]}"
        for name in SETTINGS
        if sides[0][name] != sides[1][name]
    ]
    if base.settings.party != variant.settings.party:
        parties = [_party(one.settings.party) for one in (base, variant)]
        found.append(f" {ARROW} ".join(parties))
    return found + [_difference_text(one) for one in differences(base.data, variant.data)]


def _difference_text(one: Difference) -> str:
    """One thing in which an entry differs: "Prince Collin, life: 3 → 4"."""
    if one.what == "entry":
        return f"{one.name} is {'new' if one.after else 'left out'}"
    if max(len(one.before), len(one.after)) > _LONGEST:
        return f"{one.name}, {one.what} changed"
    return f"{one.name}, {one.what}: {one.before} {ARROW} {one.after}"


def _party(party: Sequence[str]) -> str:
    return party_name(",".join(party)) if party else "every legal party"


def findings(comparison: Comparison) -> list[Finding]:
    """What the change does to the win rate, to how games are lost, to parties and in a game."""
    table = comparison.table
    of_all = table[table["kind"] == "game"].set_index("measure")
    stronger = stronger_players(comparison)
    line = of_all.loc["win_rate"]
    known = interval_of(line, "difference", points)
    full = f"{_sides(line)}, {points(line['difference'])} points ({known})"
    found = [
        Finding(
            "Win rate",
            f"{_verdict_text(line)}: {full}.",
            f"{_verdict_text(line)}: {_sides(line)}{_moved(comparison)}.",
        ),
        *([stronger] if stronger else []),
        Finding("Losses", _losses_text(of_all)),
    ]
    parties = table[(table["kind"] == "party") & (table["measure"] == "win_rate")]
    if len(parties):
        found.append(Finding("Parties", _parties_text(parties)))
    if means := _means_text(of_all):
        found.append(Finding("In a game", means))
    return found


def subject_of(line: pd.Series) -> str:
    """What a line is about: the win rate of a party, or a number of all games."""
    measure = str(line["measure"]).removeprefix("mean_").removesuffix("_rate")
    if line["kind"] == "party":
        what = "win rate" if measure == "win" else "mean score"
        return f"the {what} of {party_name(line['id'])}"
    lost = LOSSES.get(line["measure"])
    said = {"win": "the win rate", "score": "the mean score"} | MAIN_COUNTERS
    return f"games lost: {lost}" if lost else said[measure]


def _moved(comparison: Comparison) -> str:
    """By how much a stronger player moves the win rate, behind it; "" where none played."""
    shown = _of_all(moves_of(comparison))
    if shown.empty:
        return ""
    line = shown.iloc[0]
    return f"; {line['stronger']} moves that by {moved_text(line)}"


def _of_all(moves: pd.DataFrame) -> pd.DataFrame:
    """The line of the win rate in all games."""
    return moves[(moves["kind"] == "game") & (moves["measure"] == "win_rate")]


def stronger_players(comparison: Comparison) -> Finding | None:
    """What a stronger player makes of the change; None where none played."""
    moves = moves_of(comparison)
    if moves.empty:
        return None
    who = f"Played by {moves['stronger'].iloc[0]}, a stronger player,"
    return stronger_finding(moves, _of_all(moves), who, subject_of, subject_of)


def _verdict_text(line: pd.Series) -> str:
    """Whether the chapter is easier: the beginning of a sentence that goes on with win rates."""
    if line["verdict"] in SETTLED:
        return f"The chapter is {'easier' if line['difference'] > 0 else 'harder'}"
    if line["verdict"] == SAME:
        return f"The win rate is the same within {points_text(line['band'])}"
    more = "" if pd.isna(line["more_games"]) else f", about {count(line['more_games'])}"
    return f"Whether the chapter is easier or harder is not settled and takes more games{more}"


def _sides(line: pd.Series) -> str:
    return f"{percent(line['base'])} {ARROW} {percent(line['variant'])}"


def _losses_text(of_all: pd.DataFrame) -> str:
    told = [
        f"{words} {_sides(of_all.loc[measure])}"
        for measure, words in LOSSES.items()
        if of_all.loc[measure, ["base", "variant"]].any()
    ]
    return f"Games lost: {listed(told)}." if told else "No game is lost in either run."


def _parties_text(parties: pd.DataFrame) -> str:
    changed = settled(parties)
    if changed.empty:
        return f"None of the {len(parties)} win rates of parties is shown to have changed."
    most = changed.loc[changed["difference"].abs().idxmax()]
    return (
        f"The win rates of {len(changed)} of {len(parties)} parties changed, most that of"
        f" {party_name(most['id'])} ({_sides(most)})."
    )


def _means_text(of_all: pd.DataFrame) -> str:
    """The means that changed most for their size."""
    means = of_all[of_all.index.isin([f"mean_{name}" for name in MAIN_COUNTERS])]
    changed = settled(means[means["base"] > 0])
    size = (changed["difference"] / changed["base"]).abs().sort_values(kind="stable")
    told = [
        f"{MAIN_COUNTERS[str(name).removeprefix('mean_')]} {changed['base'][name]:.2f} {ARROW}"
        f" {changed['variant'][name]:.2f}"
        for name in size.index[::-1][:_NAMED]
    ]
    return f"Changed most for their size: {listed(told)}." if told else ""


def stronger_tabs(comparison: Comparison) -> list[Tab]:
    """The tab on what a stronger player makes of the change; none where nobody played."""
    if (stronger := stronger_players(comparison)) is None:
        return []
    blocks: list[Block] = [
        Text(stronger.text),
        Text(ABOUT, hint=True),
        stronger_grid(moves_of(comparison), str, subject_of),
        Downloads.of(COMPARISON_STRONGER.name),
    ]
    return [Tab(TOPIC, [Section("stronger", TOPIC, blocks)])]
