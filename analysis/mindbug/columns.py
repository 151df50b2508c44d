"""The column dictionary: what every column of every table means.

``docs/columns.md`` is written from it with ``python -m analysis.mindbug.columns >
docs/columns.md``.
"""

from analysis.estimates import MIN_GAMES_OF_MEAN, MIN_GAMES_OF_VARIANCE, MIN_GAMES_SEEN
from analysis.mindbug.selections import (
    CHANGES,
    GAME_MEASURES,
    INTERACTION,
    KEYWORDS_OBSERVED,
    MEASURES,
    OBSERVED,
    PAIR_VERDICTS,
    PER_GAME,
    Q_VALUE,
    SCORE,
    SKILL_CHANGE,
    SKILL_VERDICTS,
    STAGES,
    STATISTICS,
    STOPPED_GAMES,
    SYSTEM_STATISTICS,
    UNUSED_COPIES,
    VERDICTS,
    VIEWS,
    View,
)
from simcore.mindbug.rules.dice import FACES
from simcore.mindbug.table.records import GAME_RECORD
from simcore.records import columns_of

_SLOTS = (
    "by slot; slots 0–9 are the cards dealt to player 0 in draw order, 10–19 those of player 1; "
    "slots 20–63 are cards of the unused pile"
)
_MASK = "mask: bit s is set for slot s"

_LOW, _HIGH = "lower end of its 95 % interval", "upper end of its 95 % interval"
_SEEN = f"the interval is missing for fewer than {MIN_GAMES_SEEN} games"
_POLICY = "the policy of the players that the row is about; different policies are never mixed"
_PAIR = {
    "policy_first": "policy of the player who starts",
    "policy_second": "policy of the other player",
}
_BOTH = "who played: a policy, or two as `first:second`"
_FIRST_WINS = "win rate of the player who starts; a draw counts one half"


def _with_interval(column: str, meaning: str) -> dict[str, str]:
    """An estimate and the two ends of its interval."""
    return {
        column: meaning,
        f"{column}_ci_low": f"`{column}`: {_LOW}",
        f"{column}_ci_high": f"`{column}`: {_HIGH}",
    }


def _q_value(family: str, p_value: str = "`p_value`") -> str:
    """A p-value corrected for the number of ``family``."""
    return f"{Q_VALUE}: {p_value}, corrected for the number of {family} (Benjamini-Hochberg)"


def _defined(view: View) -> str:
    """The definition of a view, with the copies that it counts besides those dealt."""
    of_dealt = ("dealt", "drawn", "not_drawn")
    return view.definition + ("" if view.name in of_dealt else f"; {UNUSED_COPIES}")


def _views(player_games: str) -> dict[str, str]:
    """Four columns for each view, of the player-games described."""
    columns = {}
    for view in VIEWS:
        columns[f"{view.name}_n"] = f"{player_games} {_defined(view)}"
        columns[f"{view.name}_win_rate"] = f"win rate of those player-games. {SCORE}"
        columns[f"{view.name}_ci_low"] = f"`{view.name}_win_rate`: {_LOW}, clustered by game"
        columns[f"{view.name}_ci_high"] = f"`{view.name}_win_rate`: {_HIGH}, clustered by game"
    return columns


def _by_card(cards: str, views: list[str]) -> dict[str, str]:
    """Four columns for each view, of the cards described."""
    columns = {}
    for view in views:
        columns[f"{view}_n"] = f"{cards} in the view `{view}`, copies counted"
        columns[f"{view}_win_rate"] = (
            f"win rate of the players in that view, once for each such card. {SCORE}"
        )
        columns[f"{view}_ci_low"] = f"`{view}_win_rate`: {_LOW}, clustered by game"
        columns[f"{view}_ci_high"] = f"`{view}_win_rate`: {_HIGH}, clustered by game"
    return columns


#: table -> column -> meaning.  ``games`` are the rows of a run's parts, ``player_cards`` those of
#: `runs.expand_cards`; the last three are those of a ladder; the others are the files in the run
#: folder's ``tables/``.
TABLES: dict[str, dict[str, str]] = {
    "games": {
        "game": "number of the game; game i of a seed is always the same game",
        "first_player": "who took the first turn (R11), 0 or 1",
        "winner": "who won, 0 or 1; -1 = draw",
        "ending": "how it ended: 0 a player's life was 0 (R14), 1 a player had no legal action "
        "(R18), 2 capped: stopped after too many turns, 3 looped: stopped after too many effects "
        "in one turn (R20; 3 is a draw, and so is 2 unless `at_turn_cap` lets the player with more "
        "life win), 4 the effect of a card ended the game (C52, C59)",
        "turns": "turns; extra turns count (R20)",
        "decisions": "decisions with two or more options (R120)",
        **{f"life_{p}": f"life of player {p} at the end" for p in (0, 1)},
        **{f"mindbugs_{p}": f"Mindbugs that player {p} had left at the end" for p in (0, 1)},
        "attacks": "attacks declared, second attacks included",
        "second_attacks": "second attacks by FRENZY (R74)",
        "hunts": "attacks that hunted (R65)",
        "blocks": "attacks that were blocked without a hunt (R68)",
        "defeats": "creatures defeated (R92)",
        "tough_saves": "creatures exhausted by TOUGH instead of being defeated (R81)",
        "actions": "Action abilities used (R98)",
        "boosted": "boost cards put under creatures (R103)",
        **{f"energy_{p}": f"energy that player {p} gained (R108)" for p in (0, 1)},
        "dice": f"last results of dice (R113-R115), by face: {', '.join(FACES)}",
        **{
            f"power_bought_{p}": f"mask: bit i is set for number i of the manifest's list "
            f"`power_cards` if player {p} bought that copy (R110, R112)"
            for p in (0, 1)
        },
        "open_points": "bit n is set if the open point On of the rules text came up",
        "cards": f"the 20 cards dealt, as rows of the manifest's list `cards`, {_SLOTS}",
        "unused_cards": "the cards of slots 20–63 that were played or taken, as rows of the "
        "manifest's list `cards`; -1 = not played or taken",
        "best_stage": "highest stage in play of the card dealt (R101), by slot; 0 = never in play, "
        "1 for a card without stages",
        "drawn": f"{_MASK} of a card that the player to whom it was dealt drew, opening hand "
        "included",
        **{
            f"played_{p}": f"{_MASK} of a card that player {p} played from hand as a turn action "
            "and that no Mindbug took"
            for p in (0, 1)
        },
        **{f"taken_{p}": f"{_MASK} of a card that player {p} took with a Mindbug" for p in (0, 1)},
        "defeated": f"{_MASK} of a card that was defeated at least once",
        "turn_played": "number of the turn on which the card dealt was first played and kept, by "
        "slot; 0 = never",
        "offers": "times the card dealt was played from hand while the opponent had a Mindbug, by "
        "slot",
        "thefts": "times the card dealt was taken with a Mindbug, by slot",
    },
    "player_cards": {
        "game": "number of the game",
        "player": "the player that the row is about, 0 or 1",
        "card_id": "the card; a player has one row for a card in a game, however many copies",
        "went_first": "whether the player took the first turn",
        **{view.name: _defined(view) for view in VIEWS},
        "score": f"the score of the player in the game. {SCORE}",
    },
    "summary": {
        "statistic": "what is estimated; the words are explained below",
        "policy": "who played: a policy, or two as `first:second` where the line concerns both",
        "estimate": f"the estimate. {STOPPED_GAMES}",
        "ci_low": f"{_LOW}; missing for a mean over fewer than {MIN_GAMES_OF_MEAN} games and a "
        f"variance over fewer than {MIN_GAMES_OF_VARIANCE}",
        "ci_high": _HIGH,
        "n_games": "number of games that it rests on",
    },
    "first_player": {
        **_PAIR,
        "n_games": "games in which these policies met in this order",
        "first_player_win_rate": _FIRST_WINS,
        "ci_low": f"`first_player_win_rate`: {_LOW}",
        "ci_high": f"`first_player_win_rate`: {_HIGH}",
        "won": "games won by the player who started",
        "drawn": "games without a winner",
        "lost": "games lost by the player who started",
        **_with_interval("won_rate", "share of games won by the player who started"),
        **_with_interval("draw_rate", "share of games without a winner"),
        **_with_interval("lost_rate", "share of games lost by the player who started"),
    },
    "cards": {
        "card_id": "the card",
        "name": "its printed name",
        "set_id": "the set that it belongs to",
        "power": "printed power",
        "keywords": "printed keywords, separated by spaces",
        "copies": "copies in the pool",
        "policy": _POLICY,
        **_views("player-games in which"),
        **_with_interval("drawn_minus_not_drawn", MEASURES["drawn_minus_not_drawn"]),
        "mindbug_n": "plays of the card from hand with a Mindbug available to the opponent; for "
        "two policies, plays of the cards dealt to this policy's player",
        **_with_interval("mindbug_rate", MEASURES["mindbug_rate"]),
        "mindbug_q_value": _q_value(
            "cards",
            "the probability of a `mindbug_rate` at least this far from that of all plays if all "
            "cards had the same",
        ),
        **_with_interval("dead_rate", MEASURES["dead_rate"]),
        **_with_interval(
            "mean_turn_played",
            f"{MEASURES['mean_turn_played']} The interval is missing for fewer than "
            f"{MIN_GAMES_OF_MEAN} games",
        ),
        **_with_interval("dealt_won_rate", "share of the player-games in `dealt` that were won"),
        **_with_interval("dealt_draw_rate", "share of them that had no winner"),
        **_with_interval("dealt_lost_rate", "share of them that were lost"),
        **_with_interval("advantage", MEASURES["advantage"]),
        **_with_interval("decided_advantage", MEASURES["decided_advantage"]),
        "p_value": "probability of a `decided_advantage` at least this large if the truth is zero",
        "q_value": _q_value("cards"),
        "band": "values of `decided_advantage` between minus and plus this number are called "
        "balanced",
        "verdict": "; ".join(f"{word}: {meaning}" for word, meaning in VERDICTS.items()),
    },
    "keywords": {
        "keyword": "the keyword",
        "policy": _POLICY,
        "n_cards": "number of the player's cards with the keyword in the view, copies counted",
        **_views("player-games in which, for exactly `n_cards` cards with the keyword,"),
        **_with_interval(
            "effect",
            "observed: by how much the win rate differs with one more dealt card that has the "
            "keyword, the numbers of cards with the other keywords and the total power dealt held "
            f"fixed (a regression). {KEYWORDS_OBSERVED} The same in all rows of a keyword and "
            "policy",
        ),
    },
    "turns": {
        **_PAIR,
        "turns": "number of turns; extra turns count (R20)",
        "n_games": "games that lasted so many turns",
        "won": "those of them that the player who started won",
        "drawn": "those of them without a winner",
        "lost": "those of them that the player who started lost",
        "stopped": "those of them that were stopped (R20) and did not end by the rules",
        **_with_interval("share", f"share of the games of this pair of policies; {_SEEN}"),
        "cumulative_share": "share of games that lasted so many turns or fewer",
        "first_player_win_rate": f"among the games of this length: {_FIRST_WINS}",
        "ci_low": f"`first_player_win_rate`: {_LOW}",
        "ci_high": f"`first_player_win_rate`: {_HIGH}",
    },
    "outcomes": {
        **_PAIR,
        "ending": "how games ended: life, no_action (R18), capped or looped (R20), "
        "effect (C52, C59)",
        "seat": "first or second: the player that the row is about, by who starts",
        "policy": "the policy of that player",
        "n_games": "games of this pair of policies, however they ended",
        "ended": "games that ended this way, the same for both seats",
        **_with_interval("ended_rate", "share of games that ended this way"),
        "won": "games that the player of this seat won this way",
        **_with_interval("won_rate", "share of games that the player of this seat won this way"),
        "drawn": "draws that ended this way",
        "lost": "games that the player of this seat lost this way",
    },
    "sets": {
        "set_id": "the set",
        "name": "its printed name",
        "policy": _POLICY,
        "n_cards": "different cards of the set in the pool",
        "copies": "copies of them in the pool",
        **_by_card("cards of the set", [view.name for view in VIEWS]),
        **_with_interval(
            "effect",
            "by how much the win rate differs when one of the ten cards dealt to the player is a "
            "card of this set instead of one of the other sets; cards are dealt at random",
        ),
    },
    "stages": {
        "card_id": "the card with which the evolution line begins; empty for all lines together, "
        "where there are several",
        "name": "its printed name",
        "set_id": "the set that it belongs to",
        "policy": _POLICY,
        "stage": "highest stage of the card in play in a game, whoever controlled it; 0 = never in "
        "play",
        "stage_name": f"the name of that stage; for all lines one of: {', '.join(STAGES)}",
        **_with_interval(
            "share", "share of the cards of the line that were dealt for which it was the highest"
        ),
        **_by_card(
            "cards of the line that were dealt, with this highest stage,", ["dealt", "entered"]
        ),
    },
    "dice": {
        "face": "the face of the die (R113)",
        "policy": _BOTH,
        "dice": "dice rolled; rerolls are not counted again",
        "results": "dice whose last result was this face",
        **_with_interval("share", "`results` per die; interval clustered by game"),
        "expected": "what the die by itself gives; a player who rerolls on purpose departs from it",
        "chi_square": "Pearson's chi-square of all faces against `expected`, the same in all rows; "
        "only where both players are random, whose rerolls favour no face",
        "p_value": "probability of a `chi_square` at least this large from a fair die (5 degrees "
        "of freedom)",
    },
    "power_cards": {
        "card_id": "the power card",
        "name": "its printed name",
        "set_id": "the set that it belongs to",
        "cost": "its cost in energy",
        "copies": "copies in the power deck",
        "policy": _POLICY,
        **_with_interval(
            "bought_share", "share of the player-games in which the player bought a copy"
        ),
        "bought_n": "player-games in which the player bought a copy, free ones included",
        "bought_win_rate": f"win rate of those player-games, {OBSERVED}. {SCORE}",
        "bought_ci_low": f"`bought_win_rate`: {_LOW}, clustered by game",
        "bought_ci_high": f"`bought_win_rate`: {_HIGH}, clustered by game",
    },
    "per_game": {
        "quantity": "; ".join(f"{name}: {meaning}" for name, meaning in PER_GAME.items()),
        "policy": _BOTH,
        "number": "a number that occurred in a game that ended by the rules",
        "n_games": "those games with this number",
        **_with_interval("share", f"their share of all games that ended by the rules; {_SEEN}"),
    },
    "open_points": {
        "open_point": "number of the open point in the rules text",
        "policy": _BOTH,
        "meaning": "when it is said to have come up",
        "n_games": "games played",
        "came_up": "games in which it came up",
        **_with_interval("share", "share of games in which it came up"),
    },
    "ratings": {
        "player": "the player, best first",
        **_with_interval(
            "elo",
            "rating (Bradley and Terry), in Elo: 400 more are ten wins for one loss; the mean of "
            "all players of the ladder is 0",
        ),
        "games": "games that the player played, against all others",
        "wins": "those that the player won",
        "draws": "those without a winner",
        "losses": "those that the player lost",
        "score": f"mean score of those games, whoever the opponents were. {SCORE}",
    },
    "pairs": {
        "player": "the player with the higher rating",
        "opponent": "the other player of the pair",
        "games": "games that they played, each deal once from either side",
        "wins": "games that the player won",
        "draws": "games without a winner",
        "losses": "games that the opponent won",
        "score": f"mean score of the player. {SCORE}",
        "ci_low": f"`score`: {_LOW}, clustered by deal",
        "ci_high": f"`score`: {_HIGH}, clustered by deal",
        "expected": "the score that the ratings of both expect",
        **_with_interval("elo_difference", "rating of the player minus rating of the opponent"),
    },
    "speed": {
        "player": "the first player of the pair, or the player with the restriction",
        "opponent": "the other player of the pair",
        "games": "games that they played",
        "seconds": "seconds of processor time that these took, the thinking of both included",
        "games_per_second": "games of the pair for each second of processor time",
    },
    "deals": {
        "deal": "number of the game that was played from both sides; each pair has its own",
        **{
            f"result_{p}": f"how the pair's first player fared as player {p}: 1 won, 0 drawn, "
            "-1 lost"
            for p in (0, 1)
        },
    },
}


def _of_pairs(first: str, second: str, n: str, win_rate: str) -> dict[str, str]:
    """The columns of a table of pairs of cards."""
    return {
        "card_a": first,
        "name_a": "its printed name",
        "card_b": second,
        "name_b": "its printed name",
        "policy": _POLICY,
        "n": n,
        "win_rate": f"{win_rate}. {SCORE}",
        "expected": "the win rate that the two cards by themselves explain: `win_rate` - "
        "`interaction`",
        **_with_interval("interaction", f"what the two do beyond what each does: {INTERACTION}"),
        "std_err": "standard error of `interaction`, clustered by game",
        "p_value": "probability of an interaction at least this large if the truth is zero; "
        "missing for too few games",
        "q_value": _q_value("pairs of the policy in this table"),
        **_with_interval(
            "shrunk",
            "`interaction` as it is to be believed in the light of all pairs of the policy in this "
            "table: shrunk towards zero (adaptive shrinkage)",
        ),
        "verdict": "; ".join(f"{word}: {meaning}" for word, meaning in PAIR_VERDICTS.items()),
    }


TABLES["card_pairs"] = _of_pairs(
    "a card",
    "another card, or the same if it has several copies in the pool",
    "pairs of copies of the two cards that were dealt to one player",
    "win rate of the players with such a pair, once for each",
)
TABLES["card_matchups"] = _of_pairs(
    "a card, dealt to the player; between equal policies the one of the two that does better than "
    "by themselves they would",
    "another card, dealt to the opponent",
    "pairs of copies, the first dealt to the player and the second to the opponent",
    "win rate of the players with the first card in such a pair, once for each",
)
TABLES["comparison"] = {
    "kind": "what the row is about: card, keyword, set (in mixtures) or game",
    "id": "the card, keyword or set; empty for the whole game",
    "name": "its printed name, in the base",
    "policy": f"{_POLICY}; for the whole game, who played",
    "measure": "for cards, keywords and sets a view, which stands for the win rate in it (keywords "
    "and sets: once for each card), and for cards mindbug_rate, dead_rate and mean_turn_played; "
    "for the whole game one of the words below",
    "base_n": "observations in the base: player-games, cards, plays or games",
    "base": "the estimate in the base",
    "variant_n": "observations in the variant",
    "variant": "the estimate in the variant",
    **_with_interval(
        "difference",
        "`variant` minus `base`; with --simultaneous the intervals of all rows hold together",
    ),
    "std_err": "standard error of `difference`; for paired runs from pairs of games",
    "std_err_independent": "the standard error that two independent runs would have had",
    "variance_reduction": "(`std_err_independent` / `std_err`)²: how many times as many games "
    "independent runs would have needed; missing where no game differs",
    "differing": "games in which the observations or their total differ; missing for runs that are "
    "not paired",
    "band": "differences between minus and plus this number are called unchanged",
    "p_value": "probability of a difference at least this large if the truth is zero; missing for "
    "too few games",
    "q_value": _q_value("rows of this table"),
    "verdict": "; ".join(f"{word}: {meaning}" for word, meaning in CHANGES.items()),
    "more_games": "about how many more games would decide, if the difference stays as it is",
}
TABLES["skill_cards"] = {
    "card_id": "the card",
    "name": "its printed name",
    "set_id": "the set that it belongs to",
    "policy": "the policy that both players follow in the games that the row is about",
    "rung": "place of the policy among those compared, from the weakest, 0, to the strongest",
    "n": "player-games in which the card was dealt",
    **_with_interval("advantage", MEASURES["advantage"]),
    "p_value": "probability of an advantage at least this large if the truth is zero",
    "band": "advantages between minus and plus this number are called balanced",
    "verdict": "the verdict among these players alone; see the table `cards`",
    "mindbug_n": "plays of the card from hand with a Mindbug available to the opponent",
    **_with_interval("mindbug_rate", MEASURES["mindbug_rate"]),
    **_with_interval(
        "change", f"{SKILL_CHANGE}; this and what follows is the same in all rows of a card"
    ),
    "change_q_value": _q_value(
        "cards", "the probability of a `change` at least this large if the truth is zero"
    )
    + "; missing for too few games",
    "skill_p_value": "probability that a card that does not change sides looks this much like one "
    "that does",
    "skill_q_value": _q_value("cards", "`skill_p_value`"),
    "skill_verdict": "; ".join(f"{word}: {meaning}" for word, meaning in SKILL_VERDICTS.items()),
}
TABLES["skill_summary"] = {
    "policy": "the policy that both players follow",
    "rung": "place of the policy among those compared, from the weakest, 0, to the strongest",
    "n_games": "games played",
    **_with_interval(
        "first_player_advantage",
        "win rate of the player who starts minus one half; a draw counts one half",
    ),
    **{
        column: meaning
        for statistic in ("mean_mindbugs_used", "mean_turns", "draw_rate")
        for column, meaning in _with_interval(statistic, STATISTICS[statistic]).items()
    },
}
_OF_ALL_COPIES = "the card that is changed; all its copies are changed together"
_PAIRED_ERROR = "standard error of `{}`, from pairs of games with the same deal"
_TESTED = {
    "p_value": "probability of {} at least this large if the truth is zero; missing for too few "
    "games",
}
TABLES["sensitivity"] = {
    "card_id": _OF_ALL_COPIES,
    "name": "its printed name",
    "policy": "who played, on both sides",
    "change": "what is changed: value, power-2 to power+2, a keyword with + (added) or - (taken "
    "away), copies-1 and copies+1, -line1 and following (a line of text left out), -all, parts:… "
    "(some parts alone)",
    "kind": "value: the reference lies in its place; power; add_keyword; remove_keyword; "
    "copies: one more or fewer in the pool, which then deals otherwise; remove_line; remove_all: "
    "neither keywords, dice nor text; parts: a plain creature with the power of the reference and "
    "some parts of the card, by their numbers in the table `parts`",
    "label": "the change in words",
    "measure": "dealt: the win rate of the players who were dealt the card; or "
    "first_player_win_rate or mean_turns, of all games",
    "n": "observations in the variant: player-games or games; as many in the base, unless copies "
    "are changed",
    "base": "the estimate with the card as it is",
    "variant": "the estimate with the change",
    **_with_interval("difference", "`variant` minus `base`"),
    "std_err": _PAIRED_ERROR.format("difference"),
    "std_err_independent": "the standard error that two independent runs would have had",
    "variance_reduction": "(`std_err_independent` / `std_err`)²: how many times as many games "
    "independent runs would have needed; missing where no game differs",
    "differing": "games in which the number differs",
    "p_value": _TESTED["p_value"].format("a difference"),
    "q_value": _q_value(
        "changes of all cards in the same measure, those of kind parts by themselves"
    ),
}
TABLES["values"] = {
    "card_id": "the card",
    "name": "its printed name",
    "policy": "who played, on both sides",
    "copies": "copies in the pool, all of which are swapped",
    "reference": "id of the card that takes its place",
    "n": "player-games in which the player was dealt the card",
    "dealt_win_rate": f"win rate of those player-games, with the card as it is. {SCORE}",
    **_with_interval("advantage", "observed: `dealt_win_rate` minus one half"),
    **_with_interval(
        "value",
        "by experiment: `dealt_win_rate` minus the win rate of the same players when the reference "
        "lies in its place; zero for the reference itself, missing if it was not asked for",
    ),
    "std_err": _PAIRED_ERROR.format("value"),
    "variance_reduction": "how many times as many games independent runs would have needed",
    "p_value": _TESTED["p_value"].format("a value"),
    "q_value": _q_value("cards"),
}
TABLES["by_copies"] = {
    "card_id": "the card",
    "name": "its printed name",
    "policy": "who played, on both sides",
    "copies_dealt": "how many copies the player was dealt",
    "n": "player-games in which the player was dealt so many",
    "dealt_win_rate": f"win rate of those player-games, with the card as it is. {SCORE}",
    **_with_interval(
        "value",
        "`dealt_win_rate` minus the win rate of the same players when the reference lies in the "
        "place of all copies",
    ),
    "std_err": _PAIRED_ERROR.format("value"),
    "p_value": _TESTED["p_value"].format("a value"),
    "q_value": _q_value("rows"),
}
TABLES["parts"] = {
    "card_id": "the card",
    "name": "its printed name",
    "policy": "who played, on both sides",
    "part": "number of the part",
    "kind": "power (where it is not that of the reference), keyword, dice, line (of text), or "
    "total: all parts together, against a plain creature with the power of the reference",
    "label": "the part in words",
    "method": "shapley: what the part adds on average over all orders of adding the parts; "
    "one_at_a_time (more than four parts): the card minus the card without it",
    "n": "player-games in which the player was dealt the card",
    **_with_interval("worth", "what the part adds to the win rate of the players dealt the card"),
    "std_err": _PAIRED_ERROR.format("worth"),
    **_with_interval(
        "alone",
        "what it adds to the plain creature without any other part; missing for more than four "
        "parts",
    ),
    **_with_interval(
        "last", "what it adds to the card as it is: the card minus the card without it"
    ),
    **_with_interval(
        "share",
        "`worth` divided by that of the total; missing where the total may be nothing, for more "
        "than four parts, and where parts work against each other",
    ),
    "p_value": _TESTED["p_value"].format("a worth"),
    "q_value": _q_value("parts of all cards"),
}
TABLES["by_change"] = {
    "policy": f"{_POLICY}; the players who were dealt the card",
    "change": "what is changed: power-2 to power+2, a keyword with + (added) or - (taken away), or "
    "-all",
    "kind": "power, add_keyword, remove_keyword, or remove_all: neither keywords, dice nor text",
    "n_games": "games of the pool as it is, and of each change",
    "n_cards": "cards to which the change can be made and that somebody was dealt",
    "n": "player-games in which the player was dealt one of them, once for each",
    **_with_interval(
        "effect",
        "by experiment: by how much the change of a card moves the win rate of the players dealt "
        "it, on the same deals, the mean over these cards, each counted once. The cards are fixed: "
        "the interval is about the luck of the games, not about other cards",
    ),
    "std_err": "standard error of `effect`",
    **_with_interval(
        "spread",
        "how much that differs from card to card: the standard deviation over these cards, without "
        "what their errors add to it; missing for a single card",
    ),
    "cards_up": "cards of which it is shown that the change raises the win rate, corrected for "
    "their number (Benjamini-Hochberg, 5 %)",
    "cards_down": "cards of which it is shown that it lowers the win rate",
    "p_value": _TESTED["p_value"].format("an effect"),
    "q_value": _q_value("changes of the policy"),
}
TABLES["keyword_effects"] = TABLES["by_change"] | {
    "change": "the keyword, with + (added to each card that lacks it) or - (taken away from each "
    "that has it)",
    "kind": "add_keyword or remove_keyword",
}
TABLES["restrictions"] = {
    "restriction": "the word that spells it, as in `heuristic-blocks`",
    "never": "what the player never does, in words",
    "policy": "who played: on one side with the restriction, on the other without",
    "games": "games played, each deal once from either side",
    "wins": "games that the restricted player won",
    "draws": "games without a winner",
    "losses": "games that the restricted player lost",
    **_with_interval(
        "cost",
        "what the restriction costs: one half, the score of the player against itself, minus the "
        "restricted player's score, clustered by deal",
    ),
    "p_value": _TESTED["p_value"].format("a cost"),
    "q_value": _q_value("restrictions"),
    "band": "costs between minus this and this are taken for none",
    "verdict": "costs, gains (the player is better off with the restriction), nothing (shown to "
    "lie within the band), not enough games, or never came up",
    **_with_interval(
        "games_barred",
        "share of games in which an option was forbidden at least once, clustered by deal",
    ),
    "decisions": "decisions of the restricted player, among two or more options",
    "barred": "those at which some of the options were forbidden",
    "waived": "those at which all of them were, so that none was",
    **_with_interval("barred_rate", "`barred` divided by `decisions`, clustered by deal"),
}
_FRESH = "from fresh games, which the search did not see"
TABLES["front"] = {
    "plan": "number of the plan, from 0, nothing changed",
    "amount": "how much it changes: the weights of its changes, one for each step, added up",
    "changes": "its changes, with what each thing becomes: a card's power or copies, a keyword "
    "(1 added, 0 taken away), or a rule",
    "in_words": "the same for a reader",
    "proposed": "whether it is the proposal; nowhere true if none is shown to be a gain",
    "policy": "who played, on both sides",
    "n_games": "fresh games played with it",
    **_with_interval(
        "excess",
        "by how many points cards lie outside the band, all together (0.01 is one percentage "
        f"point); {_FRESH}",
    ),
    **_with_interval(
        "gain", f"by how much less that is than with nothing changed, on the same deals; {_FRESH}"
    ),
    "cards_outside": f"cards whose advantage lies outside the band by estimate, {_FRESH}",
    "worst_card": "the card with the largest advantage either way",
    "worst_advantage": f"its advantage, {_FRESH}",
    "first_player_win_rate": f"{_FIRST_WINS}; missing if it was not asked about",
    "mean_turns": "mean number of turns; missing if it was not asked about",
}
_GOAL = "card: the advantage of a card; or first_player_win_rate or mean_turns"
TABLES["gains"] = {
    "goal": "card: the advantages of all cards; or first_player_win_rate or mean_turns",
    "plan": "number of the plan in the table front: the proposal, or what was found in its place",
    "before": "by how much the goal is missed with nothing changed: a share (0.01 is one "
    f"percentage point), for mean_turns turns; {_FRESH}",
    "after": "the same with the plan",
    **_with_interval("gain", "by how much less the goal is missed with the plan"),
}
TABLES["nearest"] = {
    "goal": f"a goal that nothing tried reaches; {_GOAL}",
    "card_id": "the card; empty for the other goals",
    "name": "its printed name",
    "least": "the range that was asked for: its lower end",
    "most": "its upper end",
    **_with_interval(
        "nearest", f"the nearest to the range that came of all that was played; {_FRESH}"
    ),
    "changes": "the changes with which it came so near",
    "in_words": "the same for a reader",
    "out_of_reach": "whether every allowed change was tried (of a card: its own) and the interval "
    "lies outside the range",
}
TABLES["changes"] = {
    "card_id": "the card that the proposal changes; empty for a rule",
    "name": "its printed name",
    "what": "what is changed: power, keywords, copies, life, mindbugs or hand size",
    "before": "what it is; empty for no keyword",
    "after": "what is proposed",
    "amount": "how much that counts",
}
_SHOWN = (
    "met (shown to lie in the range), missed (shown to lie outside), or not shown with this many "
    "games; of cards corrected for their number (Benjamini-Hochberg)"
)
TABLES["goals"] = {
    "goal": _GOAL,
    "card_id": "the card; empty for the other goals",
    "name": "its printed name",
    "least": "the range that was asked for: its lower end",
    "most": "its upper end",
    "policy": "who played, on both sides",
    **_with_interval("before", f"the number with the pool as it is, {_FRESH}"),
    "before_n": "player-games in which the player was dealt the card, or games",
    "before_verdict": f"what is shown of it: {_SHOWN}",
    **_with_interval(
        "after", f"the number with the proposal, {_FRESH}; missing if there is no proposal"
    ),
    "after_n": "the same as `before_n`, with the proposal",
    "after_verdict": "what is shown of it then",
}

_FILES = "`tables/{0}.csv` and `tables/{0}.parquet`"
_TITLES = {
    "games": "One row per game: `Run.games()`, and the Parquet files in `games/`",
    "player_cards": "One row per player and card of a game: `expand_cards(part, run.card_ids)`",
    "ratings": "One row per player, in the folder of a ladder: `tables/ratings.csv` and "
    "`tables/ratings.parquet`",
    "pairs": "One row per pair of players, in the folder of a ladder: `tables/pairs.csv` and "
    "`tables/pairs.parquet`",
    "speed": "One row per pair, in the folder of a ladder or of restricted play: "
    "`tables/speed.csv` and `tables/speed.parquet`; no result, since it depends on the clock",
    "deals": "One row per deal of a pair, in the folder of a ladder: the Parquet files in `pairs/`",
    "sensitivity": "One row per card, change and measure, in the folder of `balancelab "
    "sensitivity`",
    "values": "One row per card, in the folder of `balancelab sensitivity`",
    "parts": "One row per part of a card, in the folder of `balancelab sensitivity`",
    "by_change": "One row per change that was made to several cards, in the folder of `balancelab "
    "sensitivity all`",
    "keyword_effects": f"{_FILES.format('keyword_effects')}, where the experiment on keywords was "
    "played (`balancelab balance --keywords`): one row per keyword, added or taken away",
    "front": "One row per amount of change, in the folder of `balancelab rebalance`",
    "gains": "One row per kind of goal, in the folder of `balancelab rebalance`; none where "
    "nothing was found",
    "nearest": "One row per goal that nothing tried reaches, in the folder of `balancelab "
    "rebalance`",
    "changes": "One row per thing that the proposal changes, in the folder of `balancelab "
    "rebalance`",
    "goals": "One row per number that is asked about, in the folder of `balancelab rebalance`",
    "restrictions": "One row per restriction, in the folder of `balancelab restrict`",
    "comparison": "`tables/comparison.csv` and `tables/comparison.parquet` in the folder of a "
    "comparison (`balancelab compare`)",
}
_TITLES |= {
    name: f"{_FILES.format(name)}, where players were compared (`balancelab balance --skill`)"
    for name in ("skill_cards", "skill_summary")
}

_HEAD = """\
# Columns

Written by `python -m analysis.mindbug.columns`; do not edit.  R numbers are those of the rules
text.

A table is written as CSV with nine digits of each number, and as Parquet with all of them.

In the Parquet files of a run a list such as `int16[20]` is a binary value of little-endian numbers,
which is several times faster to write; `Run.games()` and `Run.parts()` give lists and arrays. In
another Parquet reader: `numpy.frombuffer(b"".join(column), "<i2").reshape(-1, 20)`, with the type
of the numbers in the column's metadata (`dtype`).
"""


def columns_page() -> str:
    """The page ``docs/columns.md``: a section for each table of ``TABLES``."""
    types = {
        column: kind.base.name + "".join(f"[{length}]" for length in kind.shape)
        for column, _, _, kind in columns_of(GAME_RECORD)
    }
    lines = [_HEAD]
    for table, meanings in TABLES.items():
        title = _TITLES.get(table, _FILES.format(table))
        typed = table == "games"
        lines += [f"## {table}", "", title, ""]
        lines += ["| column | type | meaning |" if typed else "| column | meaning |"]
        lines += ["|---|---|---|" if typed else "|---|---|"]
        for column, meaning in meanings.items():
            cells = [f"`{column}`", *([types[column]] if typed else []), meaning]
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
        words = {"summary": STATISTICS | SYSTEM_STATISTICS, "comparison": GAME_MEASURES}
        if statistics := words.get(table):
            lines += ["| statistic | meaning |", "|---|---|"]
            lines += [f"| `{name}` | {meaning} |" for name, meaning in statistics.items()]
            lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(columns_page(), end="")
