"""The report of a run in words: what is worth knowing first.

Nothing is estimated here; sentences quote the tables, and verdicts are those of
`analysis.verdicts`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from analysis import verdicts
from analysis.mindbug.selections import KEYWORDS_OBSERVED, OBSERVED, STAGES, WHOSE_SKILL
from analysis.verdicts import MANY_DRAWS
from reports.kit.verdicts import doubt, predicate, settled
from reports.kit.words import (
    ARROW,
    Finding,
    bare_percent,
    between,
    capital,
    count,
    display_name,
    interval_of,
    listed,
    percent,
    plural,
    points,
    points_text,
    seed_text,
)
from reports.mindbug.run_text import called

#: The verdicts on cards that are not as they should be.
OUTLYING = (verdicts.TOO_STRONG, verdicts.TOO_WEAK)
#: How the topics of findings begin that name cards.
ABOUT_CARDS = (
    *("Strong play", "Panel", "Cards", "Mindbugs", "Skill", "Your"),
    *("Too strong", "Too weak", "Fair", "Needs"),
)
#: Cards named in one sentence before "and n more".
_NAMED = 6
_FACTOR = "{:.2f}".format
_IN_A_GAME = {
    "mean_actions": "Actions used",
    "mean_boosted": "boosts",
    "mean_dice": "dice rolled",
    "mean_energy": "energy gained",
    "mean_power_bought": "power cards bought",
}
#: Win rate of the better policy beyond which a match says little about cards.
_ONE_SIDED = 0.8

#: The kinds of changes of keywords, in the order of the text.
ADDED, REMOVED = "add_keyword", "remove_keyword"


def describe_skill(manifest: Mapping[str, Any], skill_summary: pd.DataFrame) -> str:
    """One line about the runs on skill: what was played, by whom, and how often by each."""
    least, most = (count(n) for n in skill_summary["n_games"].agg(["min", "max"]))
    games = f"{most} games each" if least == most else f"{least} to {most} games each"
    players = skill_summary.sort_values("rung")["policy"]
    who = f"{listed(players, _NAMED)}, each against an equal"
    return " · ".join([listed(manifest["set_names"], 1), games, who, seed_text(manifest)])


def findings(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """What a designer wants to know first."""
    from reports.mindbug.balance.pair_text import pairs_text
    from reports.mindbug.luck import luck_text

    found = []
    policies = list(tables["cards"]["policy"].unique())
    for policy in policies:
        whose = f" ({called(policy)})" if len(policies) > 1 else ""
        cards = tables["cards"][tables["cards"]["policy"] == policy]
        found.append(Finding(f"Cards{whose}", cards_text(cards)))
        if keywords := keywords_text(tables, policy):
            found.append(Finding(f"Keywords{whose}", keywords))
        if pairs := pairs_text(tables, policy):
            found.append(Finding(f"Pairs{whose}", pairs))
        if cards["mindbug_rate"].notna().any():
            found.append(Finding(f"Mindbugs{whose}", _mindbugs_text(cards)))
    summary = tables["summary"].drop_duplicates("statistic").set_index("statistic")
    draws = summary["estimate"]["draw_rate"]
    if draws >= MANY_DRAWS:
        found.insert(0, Finding.of("Draws", _draws_sentences(draws)))
    win_rates = tables["summary"][tables["summary"]["statistic"] == "win_rate"]
    if len(win_rates):
        found.insert(0, Finding.of("Who wins", _winners_sentences(win_rates)))
    found += _expansions_text(tables, policies)
    if "skill_cards" in tables:
        *panel, skill = skill_findings(tables)
        found = [*panel, *found, skill]
    found = [*strong_findings(tables), *found]
    if "luck" in tables:
        found.append(Finding("Luck", luck_text(tables["luck"])))
    return [
        *found,
        Finding.of("Going first", _first_player_sentences(tables["first_player"])),
        Finding("Length and ending", _games_text(tables["summary"])),
    ]


def outliers(cards: pd.DataFrame) -> list[Finding]:
    """A few sentences on each card that is too strong or too weak, the most extreme first."""
    far_first = cards["advantage"].abs().sort_values(ascending=False).index
    return [
        Finding(row["name"], f"{_facts_text(row)} {card_text(row)}")
        for _, row in cards.loc[far_first].iterrows()
        if row["verdict"] in OUTLYING
    ]


def _draws_sentences(rate: float) -> list[str]:
    return [
        f"{percent(rate)} of the games had no winner, which brings every win rate nearer to the"
        " average; what is fair is narrower by as much.",
        "Every win rate here is a score that counts a draw as one half.",
    ]


def cards_text(cards: pd.DataFrame) -> str:
    """How many cards have each verdict, all of one policy, and the first of them by name."""
    return " ".join(f"{one.text}." for one in verdict_findings(cards))


def verdict_findings(cards: pd.DataFrame) -> Iterator[Finding]:
    """How many cards have each verdict that occurs, and the first of them by name.

    The topics are the verdicts.
    """
    ranked = cards.sort_values("advantage", ascending=False)
    for word in verdicts.VERDICTS:
        found = ranked[ranked["verdict"] == word]
        if found.empty and word not in OUTLYING:
            continue
        yield Finding(word, _verdict_text(word, found, len(cards)))


def strength_title(cards: pd.DataFrame) -> str:
    """How often the cards furthest above and below the band win, where any is shown to be there."""
    told: list[str] = []
    ranked = cards.sort_values(["dealt_win_rate", "name"])
    for verdict, at in ((verdicts.TOO_STRONG, -1), (verdicts.TOO_WEAK, 0)):
        rows = ranked[ranked["verdict"] == verdict]
        if len(rows):
            wins = " {}" if told else " wins {} of its games"
            rate = wins.format(percent(rows["dealt_win_rate"].iloc[at]))
            told.append(display_name(rows["name"].iloc[at]) + rate)
    return ", ".join(told) or "No card is shown to be too strong or too weak"


def _verdict_text(word: str, cards: pd.DataFrame, n_cards: int) -> str:
    """How many of all cards have a verdict, and the first of them by name."""
    n = len(cards)
    if not n:
        shown = "needs more games" if word == verdicts.NEEDS_GAMES else f"is shown to be {word}"
        return f"None of {n_cards} cards {shown}"
    said = f"{n} of {n_cards} cards {predicate(word, n)}"
    if word == verdicts.FAIR:
        return f"{said}: within {points_text(cards['band'].iloc[0])} of the average"
    cards = cards.iloc[::-1] if word == verdicts.TOO_WEAK else cards
    rates = cards["dealt_win_rate"].map(percent)
    names = cards["name"] + (" (" + rates + ")") if word in OUTLYING else cards["name"]
    return f"{said}: {listed(names, _NAMED)}"


def skill_findings(tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
    """What the comparison of players shows: of a panel, where there is one, and of all of them."""
    from reports.mindbug.balance.panel_text import panel_text

    found = []
    if "card_panel" in tables:
        words = panel_text(tables["card_panel"], tables["panel_summary"])
        found.append(Finding("Panel", words))
    return [*found, Finding("Skill", skill_text(tables["skill_cards"], tables["skill_summary"]))]


def judged_ends(card: pd.Series) -> tuple[float, float]:
    """The interval of the win rate dealt that holds together with those of all cards."""
    average = card["dealt_win_rate"] - card["advantage"]
    low, high = (average + card[f"advantage_ci_{end}"] for end in ("low", "high"))
    return low, high


def as_cards(strong_cards: pd.DataFrame) -> pd.DataFrame:
    """The table `strong_cards` in the columns of the table `cards`.

    Every win rate is one half and the advantage; which games were drawn it does not say.
    """
    return strong_cards.assign(
        dealt_win_rate=0.5 + strong_cards["advantage"],
        dealt_n=strong_cards["n"],
        dealt_draw_rate=0.0,
    )


def strong_findings(tables: Mapping[str, pd.DataFrame]) -> Iterator[Finding]:
    """The verdicts where the strong play, by how much that stretches, and which cards differ."""
    if "strong_cards" not in tables:
        return
    cards, [row] = tables["strong_cards"], tables["strong_summary"].to_dict("records")
    sentences = [cards_text(as_cards(cards)), f"{stretch_text(row)}."]
    apart = cards[cards["differs"]].sort_values("differs_q_value", kind="stable")
    if len(apart):
        both = apart[["alone", "weaker"]].map(points).itertuples(index=False)
        named = [
            f"{display_name(name)} ({alone} in its own games, {other} among the others)"
            for name, (alone, other) in zip(apart["name"], both, strict=True)
        ]
        sentences.append(f"It differs on {listed(named, _NAMED)}.")
    yield Finding.of("Strong play", sentences)


def stretch_text(row: Mapping[str, Any]) -> str:
    """By how much strong play stretches what cards are worth."""
    ends = interval_of(row, "slope", _FACTOR)
    return (
        f"Where {called(row['policy'])} plays, cards are {_FACTOR(row['slope'])} ({ends}) times as"
        f" far from average as among {weaker_players(row)}"
    )


def weaker_players(row: Mapping[str, Any]) -> str:
    """The other players in a sentence."""
    return listed([*map(called, row["weaker"].split(", "))])


def skill_text(skill_cards: pd.DataFrame, skill_summary: pd.DataFrame) -> str:
    """Which cards are worth more or less among stronger players."""
    summary = skill_summary.sort_values("rung")
    ends = summary.iloc[[0, -1]]
    weak, strong = map(called, ends["policy"])
    first = skill_cards[skill_cards["rung"] == 0].set_index("card_id")
    last = skill_cards[skill_cards["rung"] == len(summary) - 1].set_index("card_id")
    cards = last.assign(before=first["advantage"], was=first["verdict"]).sort_values(
        "change", key=abs, ascending=False, kind="stable"
    )
    text = f"From {weak} to {strong} players (advantage in percentage points)"
    said = []
    for word in verdicts.SETTLED:
        rows = cards[cards["skill_verdict"] == word]
        if rows.empty:
            said.append(f"none of {len(cards)} cards is shown to be worth {word}")
            continue
        named = listed([_move_text(row) for row in _named(rows)], _NAMED)
        is_worth = "is worth" if len(rows) == 1 else "are worth"
        said.append(f"{len(rows)} of {len(cards)} cards {is_worth} {word}: {named}")
    text += f" {'; '.join(said)}."
    if n := int((cards["skill_verdict"] == verdicts.NOT_SETTLED).sum()):
        text += f" {n} {predicate(verdicts.NOT_SETTLED, n)}."
    for one, other in (
        (verdicts.TOO_WEAK, verdicts.TOO_STRONG),
        (verdicts.TOO_STRONG, verdicts.TOO_WEAK),
    ):
        turned = cards[(cards["was"] == one) & (cards["verdict"] == other)]
        if len(turned):
            text += (
                f" {capital(one)} among {weak} players and {other} among {strong} players:"
                f" {listed(turned['name'], _NAMED)}."
            )
    starts = [percent(0.5 + value) for value in ends["first_player_advantage"]]
    mindbugs = [f"{mean:.2f}" for mean in ends["mean_mindbugs_used"]]
    arrow = f" {ARROW} "
    return (
        f"{text} {WHOSE_SKILL} The player who starts wins {arrow.join(starts)} of the games;"
        f" {arrow.join(mindbugs)} Mindbugs are used in a game."
    )


def _move_text(card: Any) -> str:
    return f"{card.name} ({points(card.before)} {ARROW} {points(card.advantage)})"


def _mindbugs_text(cards: pd.DataFrame) -> str:
    """How often opponents used a Mindbug, and on which cards more or less often."""
    rows = cards.dropna(subset=["mindbug_rate"]).sort_values("mindbug_rate", kind="stable")
    n_plays = rows["mindbug_n"]
    common = float((rows["mindbug_rate"] * n_plays).sum() / n_plays.sum())
    words = mindbug_words(rows)
    text = f"Opponents who still had a Mindbug used it on {percent(common)} of plays"
    for how, rates in (
        ("most often on", rows[words == verdicts.MORE].iloc[::-1]),
        ("least often on", rows[words == verdicts.LESS]),
    ):
        named = [f"{row['name']} ({percent(row['mindbug_rate'])})" for _, row in rates.iterrows()]
        if named:
            text += f"; {how} {listed(named[:3])}"
    if not np.isin(words, verdicts.SETTLED).any():
        text += f". Which cards drew more Mindbugs than the others is {verdicts.NOT_SETTLED}"
    return f"{text}."


def mindbug_words(cards: pd.DataFrame) -> np.ndarray:
    """Whether a Mindbug takes each card more or less often than all: what the intervals allow."""
    plays = cards["mindbug_n"]
    common = (cards["mindbug_rate"] * plays).sum() / max(plays.sum(), 1)
    return verdicts.changes(*(cards[f"mindbug_rate_ci_{end}"] - common for end in ("low", "high")))


def _winners_sentences(win_rates: pd.DataFrame) -> list[str]:
    rows = win_rates.sort_values("estimate", ascending=False)
    rates = [f"{row.policy} {percent(row.estimate)}" for row in rows.itertuples()]
    said = [f"Games won: {listed(rates)}.", "Cards are judged for each player separately."]
    if rows["estimate"].max() > _ONE_SIDED:
        said.append(
            "In a match this one-sided no card moves much, whatever it does between equals."
        )
    return said


def _first_player_sentences(first_player: pd.DataFrame) -> list[str]:
    sentences = []
    for row in first_player.itertuples():
        who = (
            "The player who starts"
            if len(first_player) == 1
            else f"{row.policy_first}, starting against {row.policy_second},"
        )
        if row.draw_rate >= MANY_DRAWS:
            sentences.append(
                f"{who} wins {percent(row.won_rate)} of the games"
                f" ({between(row.won_rate_ci_low, row.won_rate_ci_high)}), draws"
                f" {percent(row.draw_rate)} and loses {percent(row.lost_rate)}"
                f" ({between(row.lost_rate_ci_low, row.lost_rate_ci_high)})."
            )
            continue
        sentences.append(
            f"{who} wins {percent(row.first_player_win_rate)} of the games"
            f" ({between(row.ci_low, row.ci_high)})."
        )
    return sentences


def _games_text(summary: pd.DataFrame) -> str:
    value = summary.drop_duplicates("statistic").set_index("statistic")["estimate"]
    stopped = value["capped_rate"] + value["looped_rate"]
    which = "Games that end by the rules take" if stopped > 0 else "A game takes"
    text = f"{which} {value['mean_turns']:.1f} turns on average. "
    text = (
        f"{text if pd.notna(value['mean_turns']) else ''}{percent(value['life_rate'])} of the games"
        f" end because a player's life is 0, {percent(value['no_action_rate'])} because a player"
        " has no action left."
    )
    if value["effect_rate"] > 0:
        text += f" In {percent(value['effect_rate'])} the effect of a card ends the game."
    if stopped > 0:
        text += f" {_share_of_games(stopped)} hit the {_limits(value)}"
        by_life = stopped - value["draw_rate"] > 1e-12  # the mode at_turn_cap
        text += "; the player with more life wins these." if by_life else " and count as draws."
    drawn = value["draw_rate"] - stopped
    if drawn > 1e-12:
        text += f" {_share_of_games(drawn)} end in a draw because both players lose at once."
    return text


def _limits(rates: pd.Series) -> str:
    """The limits that stopped games (R20): on turns, on effects in a turn, or both."""
    hit = {"turn": rates["capped_rate"], "effect": rates["looped_rate"]}
    return f"{listed((limit for limit, rate in hit.items() if rate > 0), last='or')} limit"


def _expansions_text(tables: Mapping[str, pd.DataFrame], policies: list[str]) -> Iterator[Finding]:
    """Findings about what the pool has beyond the base game."""
    for policy in policies:
        whose = f" ({called(policy)})" if len(policies) > 1 else ""
        of_policy = {
            name: tables[name][tables[name]["policy"] == policy]
            for name in ("sets", "stages", "power_cards")
        }
        for topic, name, words in (
            ("Sets", "sets", _sets_text),
            ("Evolution", "stages", _stages_text),
            ("Power cards", "power_cards", _power_cards_text),
        ):
            if len(of_policy[name]):
                yield Finding(f"{topic}{whose}", words(of_policy[name]))
    summary = tables["summary"].drop_duplicates("statistic").set_index("statistic")["estimate"]
    means = [
        f"{summary[statistic]:.2f} {words}"
        for statistic, words in _IN_A_GAME.items()
        if statistic in summary
    ]
    if means:
        yield Finding("In a game", f"On average {listed(means)}, both players together.")
    if len(tables["dice"]):
        yield Finding("Dice", _dice_text(tables["dice"]))
    if tables["open_points"]["came_up"].any():
        yield Finding("Open points", _open_points_text(tables["open_points"]))


def _sets_text(sets: pd.DataFrame) -> str:
    rows = sets.dropna(subset=["effect"]).sort_values("effect", ascending=False)
    if rows.empty:
        return "Comparing the sets needs more games."
    is_clear = (rows["effect_ci_low"] > 0) | (rows["effect_ci_high"] < 0)
    effects = [f"{points(row.effect, 2)} for {row.name}" for row in _named(rows[is_clear])]
    text = ""
    if effects:
        text = (
            "Observed: with one more card of a set among the ten dealt, in place of a card of"
            f" another set, the win rate differs by (percentage points) {listed(effects)}. "
        )
    if not is_clear.all():
        text += f"{capital(verdicts.NOT_SETTLED)}: {listed(rows.loc[~is_clear, 'name'])}."
    return text.strip()


def _named(rows: pd.DataFrame) -> Iterator[Any]:
    """Rows with their column ``name`` as an attribute, whatever it holds."""
    return rows.itertuples(index=False)


def _stages_text(stages: pd.DataFrame) -> str:
    everything = stages[stages["card_id"] == stages["card_id"].iloc[-1]].set_index("stage")
    share, rate = everything["share"], everything["entered_win_rate"]
    if share.isna().all():
        return "No card that evolves was dealt."
    there = everything.index[1:]
    reached = [f"{percent(share[stage])} got to {STAGES[stage]}" for stage in there]
    text = (
        f"Of the cards dealt that can evolve, {percent(share[0])} never came into play;"
        f" {listed(reached)} and no further."
    )
    if rate[there].notna().all():
        rates = [f"{percent(rate[stage])} at {STAGES[stage]}" for stage in there]
        text += f" Players who brought one into play won {listed(rates)}. That is {OBSERVED}."
    return text


def _power_cards_text(power_cards: pd.DataFrame) -> str:
    by_share = power_cards.sort_values(["bought_share", "name"], ascending=[False, True])
    known = power_cards.dropna(subset=["bought_win_rate"]).sort_values("bought_win_rate")
    if known.empty:
        return "No power card was bought."
    most = [f"{row.name} ({percent(row.bought_share)})" for row in _named(by_share.head(3))]
    best, worst = (
        [f"{row.name} ({percent(row.bought_win_rate)})" for row in _named(rows)]
        for rows in (known.iloc[::-1].head(3), known.head(3))
    )
    return (
        f"Bought by most players: {listed(most)}. Buyers won most often with {listed(best)} and"
        f" least often with {listed(worst)}. That is {OBSERVED}."
    )


def _dice_text(dice: pd.DataFrame) -> str:
    first = dice.iloc[0]
    if first["dice"] == 0:
        return "No die was rolled."
    text = (
        f"Each face was the final result of {between(dice['share'].min(), dice['share'].max(), 2)}"
        f" of {count(first['dice'])} dice; a fair die without rerolls gives"
        f" {percent(first['expected'], 2)}."
    )
    if pd.isna(first["p_value"]):
        return f"{text} Players who choose what to reroll may depart from that."
    # At 5% one report in twenty would blame a fair die.
    fair = first["p_value"] >= 0.01
    fits = "That fits a fair die" if fair else "That does not fit a fair die"
    p_value = f"p\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{first['p_value']:.2g}"
    return f"{text} {fits} (chi-square {first['chi_square']:.1f}, {p_value})."


def _open_points_text(open_points: pd.DataFrame) -> str:
    rows = open_points[open_points["came_up"] > 0].sort_values("share", ascending=False)
    came_up = [
        f"{row.meaning.partition(':')[0]} ({_share_of_games(row.share)} of the games)"
        for row in _named(rows)
    ]
    return (
        f"Situations came up that the rules leave open: {'; '.join(came_up)}. The page says under"
        " Method how they are played."
    )


def _share_of_games(share: float) -> str:
    return percent(share, 1 if share >= 0.001 else 3)


def _facts_text(card: pd.Series) -> str:
    keywords = f", {card['keywords'].replace(' ', ' and ')}" if card["keywords"] else ""
    copies = "one copy" if card["copies"] == 1 else f"{card['copies']} copies"
    return f"Power {card['power']}{keywords}, {copies}."


def seats_text(card: pd.Series) -> str:
    """How a card fares when its owner begins and when not, a row of the table of seats."""
    if pd.isna(card["gain"]):
        return ""
    first, second = (
        f"{percent(card[f'{seat}_win_rate'])}"
        f" ({interval_of(card, f'{seat}_win_rate', bare_percent)}; the average card"
        f" {percent(card[f'average_{seat}_win_rate'])})"
        for seat in ("first", "second")
    )
    more, known = "less" if card["gain"] < 0 else "more", pd.notna(card["gain_ci_low"])
    ends = f" ({interval_of(card, 'gain', points)}{doubt(card, 'gain')})" if known else ""
    return (
        f"When its owner begins they win {first}, when second {second}: going first gains them"
        f" {bare_percent(abs(card['gain']))} points {more} than with the average card{ends}."
    )


def card_text(card: pd.Series) -> str:
    """A few sentences on one card, a row of the table of cards."""
    if pd.isna(card["advantage"]):
        return "Nobody was dealt it."
    rate = f"{percent(card['dealt_win_rate'])}"
    ends = f"({between(*judged_ends(card))})"
    text = (
        f"Players dealt it won {rate} of {count(card['dealt_n'])} games {ends},"
        f" {points(card['advantage'])} points from the average"
    )
    if card["dealt_draw_rate"] >= MANY_DRAWS:
        text = (
            f"Of {count(card['dealt_n'])} games, players dealt it won"
            f" {percent(card['dealt_won_rate'])}, drew {percent(card['dealt_draw_rate'])} and lost"
            f" {percent(card['dealt_lost_rate'])}, a score of {rate} {ends}"
        )
    if pd.notna(card["entered_win_rate"]):
        text += f"; players who got it into play won {percent(card['entered_win_rate'])}"
    if pd.notna(card["mindbug_rate"]):
        plays = card["mindbug_n"]
        text += (
            f". Opponents who still had a Mindbug took it on {percent(card['mindbug_rate'])} of"
            f" {count(plays)} {plural('play', plays)}"
        )
    if pd.notna(card["dead_rate"]):
        text += f"; {percent(card['dead_rate'])} of those who drew it never played it"
    return text + "."


def keywords_text(tables: Mapping[str, pd.DataFrame], policy: str) -> str:
    """What is known of the keywords; empty where no card of the pool has one."""
    effects = tables.get("keyword_effects")
    if effects is not None and (effects["policy"] == policy).any():
        return effects_text(effects[effects["policy"] == policy])
    keywords = tables["keywords"][tables["keywords"]["policy"] == policy]
    if keywords.empty:
        return ""
    return f"{observed_text(keywords)} Run with --keywords to find by experiment what they do."


def effects_text(effects: pd.DataFrame) -> str:
    """What the experiment found, about one policy: added and removed, mean and spread."""
    clear = effects.index.isin(settled(effects, "effect").index)
    sentences = []
    for kind, change in (
        (ADDED, "adding a keyword to a card that lacks it changes the win rate of players dealt the"
         " card, in percentage points on average over the cards, by"),
        (REMOVED, "Removing it from a card that has it changes it by"),
    ):  # fmt: skip
        rows = effects[clear & (effects["kind"] == kind)]
        rows = rows.sort_values("effect", ascending=False, kind="stable")
        if named := [_effect(row) for row in rows.itertuples()]:
            sentences.append(f"{change} {listed(named)}.")
    unclear = [
        f"{row.change[1:]} {'added' if row.kind == ADDED else 'removed'}"
        for row in effects[~clear].itertuples()
    ]
    if unclear:
        sentences.append(f"Not settled: {listed(unclear)}.")
    if any("(" in sentence for sentence in sentences):
        sentences.append("In brackets: the standard deviation between cards, where it is clear.")
    return f"By experiment, {' '.join(sentences)}"


def observed_text(keywords: pd.DataFrame) -> str:
    """How players fared with cards that carry the keywords, about one policy."""
    rows = keywords.drop_duplicates("keyword").sort_values("effect", ascending=False)
    rows = rows.dropna(subset=["effect"])
    if rows.empty:
        return "What can be observed of keywords needs more games."
    clear = settled(rows, "effect")
    unclear = rows[~rows.index.isin(clear.index)]
    text = ""
    if named := [f"{points(row.effect)} for {row.keyword}" for row in clear.itertuples()]:
        text = (
            "Observed: with one more card that has the keyword among the ten dealt, at the same"
            f" total power, the win rate differs by (percentage points) {listed(named)}."
        )
    if len(unclear):
        text += f" Not settled: {listed(unclear['keyword'])}."
    return f"{text.strip()} {KEYWORDS_OBSERVED}"


def _effect(row: Any) -> str:
    """One effect, and its spread where that is clearly above zero: "+3.0 for SNEAKY (1.4)"."""
    spread = f" ({100 * row.spread:.1f})" if row.spread_ci_low > 0 else ""
    return f"{points(row.effect)} for {row.change[1:]}{spread}"
