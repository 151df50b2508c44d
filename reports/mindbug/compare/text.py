"""A comparison in words: what was changed, what followed, and the entry for a designer's diary.

Nothing is estimated here; sentences quote the table of `analysis.experiments.comparison`.
"""

import math
from collections.abc import Iterator, Sequence

import pandas as pd

from analysis.confidence import confidence, normal_z
from analysis.experiments.comparison import Comparison, median_reduction, n_tested
from analysis.mindbug.runs import pool_of
from analysis.verdicts import NOT_SETTLED, SAME, SETTLED
from card_data.mindbug.pool import Change, changes
from reports.compare.text import (
    describe_comparison,
    difference_text,
    difference_words,
    is_mean,
    most_changed,
    moved_text,
    moves_of,
    sides_text,
    stronger_finding,
    value_text,
)
from reports.kit.markdown import code, pipe_table, plain
from reports.kit.verdicts import predicate, settled
from reports.kit.words import (
    ARROW,
    DOT,
    Finding,
    capital,
    count,
    display_name,
    interval_of,
    level,
    listed,
    percent,
    points_text,
    times,
)
from reports.mindbug.explain import text as explain
from reports.mindbug.luck import luck_changes_text
from reports.mindbug.run_text import called, caption, describe_sets

#: Cards and changes named in one sentence before "and n more".
_NAMED = 6
# Letters of a change that the headline repeats.
_LONGEST = 60

#: Numbers of the whole game.
GAME_TEXT = {
    "first_player_win_rate": "games won by the player who starts",
    "player_0_win_rate": "games won by the player named first",
    "draw_rate": "draws",
    "life_rate": "games that end because a player's life is 0",
    "no_action_rate": "games that end because a player has no action left",
    "capped_rate": "games that hit the turn limit",
    "looped_rate": "games that hit the effect limit",
    "effect_rate": "games that the effect of a card ends",
    "mean_turns": "turns in a game",
    "mean_decisions": "decisions in a game",
}
#: What each measure is called, also of cards, keywords and sets.
MEASURE_TEXT = {
    "dealt": "win rate dealt",
    "drawn": "win rate drawn",
    "not_drawn": "win rate not drawn",
    "played": "win rate played",
    "taken": "win rate taken",
    "lost_to_mindbug": "win rate lost to a Mindbug",
    "entered": "win rate entered",
    "mindbug_rate": "taken with a Mindbug",
    "dead_rate": "never played",
    "mean_turn_played": "turn played",
    **GAME_TEXT,
}

#: Share of games with the same deals below which pairing them brings little.
_FEW_DEALS = 0.5
_OTHER_DEALS = (
    "Cards are dealt by their place in the pool. Here the places differ: cards were added or"
    " removed, or a card has more or fewer copies. Such a comparison needs about as many games as"
    " two runs with different seeds."
)


def caption_of(comparison: Comparison) -> str:
    """What stands under a chart of the comparison."""
    manifests = [run.manifest for run in (comparison.base, comparison.variant)]
    sets = describe_sets(manifests[0], most_sets=1)
    return caption(f"{sets}{DOT}{describe_comparison(comparison)}", *manifests)


def headline(comparison: Comparison) -> str:
    """What was changed, and what became of it."""
    found, table = changes_of(comparison), comparison.table
    cards = table[(table["kind"] == "card") & (table["measure"] == "dealt")]
    mine = cards[cards["id"].isin({change.card_id for change in found})]
    if len(mine) == 1:
        line = mine.iloc[0]
        what = change_text(found[0]) if len(found) == 1 else title_of(found)
        what = what if len(what) < _LONGEST else title_of(found)
        is_alone = len({change.card_id for change in found}) == 1
        whom = "it" if is_alone else display_name(line["name"])
        return f"{what}; {_won_text(line, whom)}{moved_of_card(comparison, line['id'])}"
    changed = len(settled(cards))
    return capital(f"{title_of(found)}; {_changed_text(changed, f'{len(cards)} cards')}")


def _won_text(line: pd.Series, whom: str) -> str:
    """How often those win who are dealt a card, before and after."""
    doubts = {SAME: f", the same within {band_text(line)}", NOT_SETTLED: f", {NOT_SETTLED}"}
    return f"players dealt {whom} win {sides_text(line)}{doubts.get(line['verdict'], '')}"


def first_screen(comparison: Comparison) -> tuple[str, list[Finding]]:
    """The headline, and the first things to know."""
    return headline(comparison), overview(comparison)


def overview(comparison: Comparison) -> list[Finding]:
    """The first things to know: the changed cards, the others, and the game as a whole."""
    table, found = comparison.table, changes_of(comparison)
    cards = table[(table["kind"] == "card") & (table["measure"] == "dealt")]
    is_mine = _is_changed(cards, found)
    told = [Finding("Changed", _changes_text(found, brief=True)), *_own_findings(cards[is_mine])]
    if stronger := stronger_players(comparison):
        told.append(stronger)
    if not is_mine.all():
        told.append(Finding("Other cards", _others_text(cards[~is_mine])))
    games = table[table["kind"] == "game"].set_index("measure", drop=False)
    first = [name for name in ("player_0_win_rate", "first_player_win_rate") if name in games.index]
    told += [Finding("Going first", _first_brief(line)) for _, line in games.loc[first].iterrows()]
    told.append(Finding("The game", _games_brief(games.drop(index=[*first, "mean_decisions"]))))
    return told[:5]


def _is_changed(lines: pd.DataFrame, found: Sequence[Change]) -> pd.Series:
    """Which lines are about a card that was changed."""
    return (lines["kind"] == "card") & lines["id"].isin({change.card_id for change in found})


def _own_findings(lines: pd.DataFrame) -> list[Finding]:
    """What became of the cards that were changed; none where no line is about one."""
    whose = " ({policy})" if lines["policy"].nunique() > 1 else ""
    moves = [
        f"{line['name']}{whose.format(policy=line['policy'])} {sides_text(line)}"
        f" ({_amount(line)}; {verdict_text(line)})"
        for _, line in most_changed(lines).iterrows()
    ]
    text = f"{listed(moves, _NAMED)}. Differences are in points, with {level()} intervals."
    return [Finding("Won when dealt", text, f"{listed(moves, _NAMED)}.")] if moves else []


def _first_brief(line: pd.Series) -> str:
    """How often the player who starts, or is named first, wins, before and after."""
    subject = GAME_TEXT[line["measure"]].removeprefix("games won by ")
    sides = f"{sides_text(line)} of the games"
    return f"{capital(subject)} wins {sides} ({verdict_text(line)})."


def _games_brief(lines: pd.DataFrame) -> str:
    """What of length and endings changed, in one sentence."""
    changed = [
        f"{GAME_TEXT[line['measure']]} ({sides_text(line)})"
        for _, line in settled(lines).iterrows()
    ]
    if not changed:
        return "Neither the length of games nor how they end is shown to have changed."
    return f"What else changed: {listed(changed, 3)}."


def _others_text(cards: pd.DataFrame) -> str:
    """How many cards changed, are the same, or not settled; the first by name."""
    changed = most_changed(settled(cards))
    names = [
        f"{line['name']} ({difference_text(line, digits=1)})" for _, line in changed.iterrows()
    ]
    said = [_changed_text(len(changed), str(len(cards)))]
    said[0] += f" ({listed(names, 3)})" * bool(names)
    counts = {word: int((cards["verdict"] == word).sum()) for word in (SAME, NOT_SETTLED)}
    said += [f"{n} {predicate(word, n)}" for word, n in counts.items() if n]
    text = listed(said)
    return f"{capital(text)}."


def _changed_text(n: int, of: str) -> str:
    """How many changed; a change that is not shown may be there."""
    return f"{n} of {of} changed" if n else f"none of {of} is shown to have changed"


def findings(comparison: Comparison) -> list[Finding]:
    """What was changed and what followed, the most important first."""
    table = comparison.table
    changes = changes_of(comparison)
    found = [Finding("Changed", _changes_text(changes), f"{headline(comparison)}.")]
    dealt = table[table["measure"] == "dealt"]
    is_mine = _is_changed(dealt, changes)
    found += _own_findings(dealt[is_mine])
    cards = "Other cards" if is_mine.any() else "Cards"
    for kind, topic in (("card", cards), ("keyword", "Keywords"), ("set", "Sets")):
        lines = dealt[(dealt["kind"] == kind) & ~is_mine]
        for policy, of_policy in lines.groupby("policy", sort=False):
            whose = f" ({policy})" if lines["policy"].nunique() > 1 else ""
            what = f"other {kind}" if topic == "Other cards" else kind
            found.append(Finding(f"{topic}{whose}", _lines_text(of_policy, what)))
    if stronger := stronger_players(comparison):
        found.append(stronger)
    found += explain.findings(comparison)
    games = table[table["kind"] == "game"].set_index("measure", drop=False)
    first = [name for name in ("player_0_win_rate", "first_player_win_rate") if name in games.index]
    found.append(Finding("Going first", _game_text(games.loc[first])))
    rest = games.drop(index=[*first, "mean_decisions"])
    known = (rest["base"] > 0) | (rest["variant"] > 0)
    found.append(Finding("Length and ending", _game_text(rest[known])))
    if "luck_changes" in comparison.more:
        found.append(Finding("Luck", luck_changes_text(comparison.more["luck_changes"])))
    found.append(Finding("Pairing", pairing_text(comparison)))
    if certainty := certainty_text(comparison):
        found.append(Finding("Certainty", certainty))
    return found


def verdict_text(line: pd.Series) -> str:
    """The word with its band, or with the games that it still needs."""
    if line["verdict"] == SAME:
        return f"{SAME} within {band_text(line)}"
    if line["verdict"] == NOT_SETTLED and pd.notna(line["more_games"]):
        return f"{NOT_SETTLED}: about {count(line['more_games'])} more games needed"
    return str(line["verdict"])


def band_text(line: pd.Series) -> str:
    """The band of a line: "1 point", or "0.25" for a mean."""
    if is_mean(line):
        return f"{line['band']:.2g} {'turns' if 'turn' in line['measure'] else 'decisions'}"
    return points_text(line["band"])


def interval_text(line: pd.Series) -> str:
    """The interval of a difference: "+3.1 to +3.7"."""
    return interval_of(line, "difference", difference_words(line))


def _amount(line: pd.Series) -> str:
    """A difference with its interval, in parentheses: "+3.41, +3.12 to +3.70"."""
    if math.isnan(line["difference_ci_low"]):
        return f"{difference_text(line)}, interval unknown"
    return f"{difference_text(line)}, {interval_text(line)}"


def pairing_text(comparison: Comparison) -> str:
    """How the games were compared, and what that brought."""
    if not comparison.paired:
        return (
            "The runs have different seeds and were compared as independent runs. Runs with the"
            " same seed and number of games are paired, which takes fewer games."
        )
    text = (
        "Both runs have the same seed and were compared game by game;"
        f" {percent(comparison.same_deals)} of the games had the same deal in both."
    )
    factor = median_reduction(comparison)
    if math.isnan(factor):
        return text
    return (
        f"{text} For the median card, two independent runs would have needed {times(factor)} times"
        " as many games for the same certainty."
    )


def certainty_text(comparison: Comparison) -> str:
    """How many numbers changed, and for how many the intervals are corrected; empty for none."""
    table = comparison.table
    if not (n := n_tested(table)):
        return ""
    changed = len(settled(table))
    numbers = f"{count(changed)} of {count(n)} numbers compared changed."
    if comparison.joint_z is not None:
        return (
            f"{numbers} With {level()} confidence all intervals hold at once: they span"
            f" {comparison.joint_z:.2f} standard errors either way instead of {normal_z():.2f}"
            " (max-t)."
        )
    return (
        f"{numbers} The intervals are corrected for all of them: where nothing changed, at most"
        f" 1 in {1 / (1 - confidence()):.3g} such comparisons has one that leaves 0 out. They do"
        " not all hold at once (--simultaneous)."
    )


def record_lines(comparison: Comparison, why: str, date: str, command: str) -> Iterator[str]:
    """The lines of an entry in a designer's diary: what changed, why, what was measured."""
    found = changes_of(comparison)
    yield f"## {date}: {plain(title_of(found))}"
    yield ""
    yield from [f"- {plain(change_text(change))}" for change in found] or ["- nothing"]
    yield from ("", f"**Why.** {plain(why)}", "")
    yield f"**Measured.** {describe_comparison(comparison)}. {_diary_note(comparison)}".rstrip()
    yield ""
    rows = [
        [
            f"{line['name']}, {MEASURE_TEXT[line['measure']]}".lstrip(", "),
            value_text(line, "base"),
            value_text(line, "variant"),
            difference_text(line),
            interval_text(line),
            verdict_text(line),
        ]
        for _, line in _recorded(comparison.table, found).iterrows()
    ]
    headings = ("what", "before", "after", "difference", f"{level()} interval", "verdict")
    yield from pipe_table(headings, rows, words=(0, 5))
    yield ""
    if stronger := stronger_players(comparison):
        yield from (plain(stronger.text), "")
    yield code(command)


def _diary_note(comparison: Comparison) -> str:
    """For how many numbers the intervals are corrected; empty where nothing was tested."""
    if not (n := n_tested(comparison.table)):
        return ""
    if comparison.joint_z is not None:
        return f"The intervals of all {count(n)} numbers compared hold at once."
    return f"Intervals are corrected for all {count(n)} numbers compared."


def _recorded(table: pd.DataFrame, found: Sequence[Change]) -> pd.DataFrame:
    """The lines worth keeping: changed cards, others that moved, going first, length."""
    dealt = most_changed(table[(table["measure"] == "dealt") & (table["kind"] == "card")])
    touched = dealt["id"].isin([change.card_id for change in found])
    moved = settled(dealt[~touched]).head(_NAMED)
    games = table[table["measure"].isin(["first_player_win_rate", "mean_turns", "draw_rate"])]
    return pd.concat([dealt[touched], moved, games])


def _changes_text(found: Sequence[Change], *, brief: bool = False) -> str:
    """What was changed; ``brief`` leaves the words of cards to the table of changes."""
    if not found:
        return "Nothing: both runs were played with the same pool."
    clauses = [change_text(change).rstrip(".") for change in found]
    if brief:
        clauses = [one.partition(":")[0] if ". " in one else one for one in clauses]
    rest = f"; and {len(clauses) - _NAMED} more" if len(clauses) > _NAMED else ""
    return "; ".join(clauses[:_NAMED]) + f"{rest}."


def _lines_text(lines: pd.DataFrame, what: str) -> str:
    """What became of the cards, keywords or sets, by the win rate of the players dealt them."""
    sorted_lines = most_changed(lines)
    changed, same, unclear = (
        sorted_lines[sorted_lines["verdict"].isin(words)]
        for words in (SETTLED, (SAME,), (NOT_SETTLED,))
    )
    sentences = []
    if len(changed):
        moves = [
            f"{line['name']} ({sides_text(line)}, {_amount(line)})"
            for _, line in changed.iterrows()
        ]
        of_all = f"{len(changed)} of {len(lines)} {what}s"
        sentences.append(f"{of_all} changed, by games won when dealt: {listed(moves, _NAMED)}.")
    else:
        sentences.append(f"No {what} is shown to have changed.")
    if n := len(same):
        band = band_text(same.iloc[0])
        sentences.append(f"{n} {predicate(SAME, n)} within {band}.")
    if n := len(unclear):
        amounts = [f"{line['name']} ({_amount(line)})" for _, line in unclear.iterrows()]
        needed = unclear["more_games"].max()
        more = f"; about {count(needed)} more games would settle them" if pd.notna(needed) else ""
        sentences.append(f"{n} {predicate(NOT_SETTLED, n)}: {listed(amounts, _NAMED)}{more}.")
    if len(changed) or len(unclear):
        sentences.append(f"Differences are in points, with {level()} intervals.")
    return " ".join(sentences)


def _game_text(lines: pd.DataFrame) -> str:
    """Numbers of the whole game: what changed or is open in full, the rest in one sentence."""
    sentences, same, bands = [], [], []
    for _, line in lines.iterrows():
        subject = GAME_TEXT[line["measure"]]
        numbers = sides_text(line)
        if line["verdict"] == SAME:
            same.append(f"{subject} ({numbers})")
            bands.append(band_text(line))
            continue
        verdict = f"{_amount(line)}; {verdict_text(line)}"
        sentences.append(f"{capital(subject)}: {numbers} ({verdict}).")
    if sentences:
        sentences.append(f"Differences are given with {level()} intervals.")
    if same:
        within = listed(dict.fromkeys(bands))
        sentences.append(f"The same within {within}: {listed(same)}.")
    return " ".join(sentences)


def changes_of(comparison: Comparison) -> list[Change]:
    """What differs between the two pools."""
    return changes(pool_of(comparison.base), pool_of(comparison.variant))


def title_of(found: Sequence[Change]) -> str:
    """What was changed, in a few words: "Turbo Bug and 2 more changed"."""
    subjects = [change.name or change.what for change in found]
    names = list(dict.fromkeys(subjects))
    return f"{listed(names, 3)} changed" if names else "The same pool twice"


def change_text(change: Change) -> str:
    """One change: "Turbo Bug, power: 4 → 6"."""
    if change.what == "card":
        return (
            f"{change.name} is new: {change.after}"
            if change.after
            else f"{change.name} is left out: {change.before}"
        )
    subject = f"{change.name}, {change.what}" if change.name else change.what
    return f"{subject}: {change.before or 'none'} {ARROW} {change.after or 'none'}"


def moved_of_card(comparison: Comparison, card: str) -> str:
    """By how much a stronger player moves the change of a card, behind what became of it."""
    moves = moves_of(comparison)
    mine = moves[moves["id"] == card]
    if mine.empty:
        return ""
    line = mine.iloc[0]
    return f"; {called(line['stronger'])} moves that by {moved_text(line)}"


def subject_of(line: pd.Series) -> str:
    """What a line is about: a card, or a number of the whole game."""
    return str(line["name"] or GAME_TEXT[line["measure"]])


def stronger_players(comparison: Comparison) -> Finding | None:
    """What stronger players make of the change; None where none played."""
    moves = moves_of(comparison)
    if moves.empty:
        return None
    shown = moves[moves["id"].isin({change.card_id for change in changes_of(comparison)} - {""})]
    if shown.empty:
        shown = moves[moves["measure"] == "first_player_win_rate"]
    return stronger_finding(
        moves,
        shown,
        f"Among {called(moves['stronger'].iloc[0])} players, who are stronger,",
        subject_of,
        lambda line: (
            f"the win rate of those dealt {line['name']}"
            if line["name"]
            else f"the share of {subject_of(line)}"
        ),
    )


def before_findings(comparison: Comparison) -> list[Finding]:
    """What was changed since the earlier run, what followed, and how the two were compared."""
    found = findings(comparison)
    if comparison.paired and comparison.same_deals < _FEW_DEALS:
        found.append(Finding("Deals", _OTHER_DEALS))
    return found
