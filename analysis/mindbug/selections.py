"""What the words in the tables mean: selections, measures, statistics and verdicts.

This is the one place where they are defined; the column dictionary, ``docs/methods.md`` and the
report quote it.  A *player-game* is one player in one game.  A *selection* picks player-games by
what happened to a card in them.  A player counts once per game and selection, however many copies
of the card are concerned.
"""

from typing import NamedTuple

from analysis.registry import HIGH, LOW
from analysis.verdicts import LESS, MORE, NEEDS_GAMES, NOT_SETTLED
from card_data.mindbug.vocabulary import Ruling

SEEN = "the interval allows for the table having rows only for what was seen"
POLICY = "the policy of the players that the row is about; different policies are never mixed"
PAIRING = {
    "policy_first": "policy of the player who starts",
    "policy_second": "policy of the other player",
}
BOTH = "who played: a policy, or two as `first:second`"
FIRST_WINS = "win rate of the player who starts; a draw counts one half"
#: Of an estimate from games that are paired.
PAIRED_ERROR = "standard error of `{}`, from pairs of games with the same deal"


class Selection(NamedTuple):
    """The player-games it picks, and how to read their win rate."""

    name: str
    definition: str  # completes "the player-games in which …"
    reading: str


SELECTIONS = (
    Selection(
        "dealt",
        "at least one copy was among the ten cards dealt to the player, drawn or not",
        "The fair comparison: cards are dealt at random, so these players differ from others only "
        "in the card. Diluted, because a dealt card is not always drawn or played.",
    ),
    Selection(
        "drawn",
        "the player drew a copy that they were dealt, opening hand included",
        "Closer to what the card does in the hand. But how many of their cards players draw "
        "depends on how the game went for them, so these players are not a fair sample.",
    ),
    Selection(
        "not_drawn",
        "at least one copy was dealt to the player and they drew none of them",
        "The other half of `dealt`: games that were over before the player came to the card, "
        "decided by other cards.",
    ),
    Selection(
        "played",
        "the player played a copy from their hand as their turn action and no Mindbug took it",
        "Includes the players' judgement: cards kept for winning positions look strong, cards "
        "played in despair weak, and cards that draw Mindbugs are seen when none was left.",
    ),
    Selection(
        "taken",
        "the player took a copy with a Mindbug",
        "How the players fared who took the card, at moments of their own choice: with a Mindbug "
        "in hand and the table before their eyes.",
    ),
    Selection(
        "lost_to_mindbug",
        "the opponent took a copy from the player with a Mindbug",
        "The other side of `taken`. The robbed player gets an extra turn for it, and the opponent "
        "has a Mindbug less.",
    ),
    Selection(
        "entered",
        "the player came to control a copy by playing it or taking it with a Mindbug",
        "What the card does on the table, whoever it was dealt to. The same selection as `played` "
        "and `taken`.",
    ),
)

SELECTION_NAMES = tuple(selection.name for selection in SELECTIONS)

#: Other measures of a card, by the name of their column.
MEASURES = {
    "mindbug_rate": "Share of the plays of the card from hand, with a Mindbug available to the "
    "opponent, that were taken with a Mindbug; of copies that were dealt.",
    "dead_rate": "Among the player-games in `drawn`, the share in which the player never played a "
    "copy that they drew: none was kept, and none was lost to a Mindbug.",
    "mean_turn_played": "Mean number of the turn on which a copy that was dealt was first played "
    "and kept. The turns of both players count, extra turns included.",
    "drawn_minus_not_drawn": "Among the player-games in `dealt`, the win rate where the card was "
    "drawn minus the win rate where it was not.",
    "advantage": "`dealt_win_rate` minus the win rate of all player-games of this policy, which is "
    "50% when both players follow the same policy. Cards are dealt at random, so this is what "
    "being dealt the card is worth among these players, against an average card.",
}

#: Which copies all selections count but `dealt`, `drawn` and `not_drawn`.
UNUSED_COPIES = "a copy that came from the unused pile counts as well (R117, C61)"
SCORE = "A win counts 1, a draw one half, a loss 0; a win rate is a mean score."
#: Why means leave out games that were stopped.
STOPPED_GAMES = (
    "Games that were stopped (R20) have no length of their own. They count in `capped_rate` and "
    "`looped_rate`; every mean and variance is over the games that ended by the rules."
)

#: What the lines of the table ``summary`` say.
STATISTICS = {
    "first_player_win_rate": "win rate of the player who starts (R11); a draw counts one half",
    "win_rate": "win rate of the policy named in the line; a draw counts one half",
    "draw_rate": "share of games without a winner",
    "life_rate": "share of games that ended because a player's life was 0 (R14)",
    "no_action_rate": "share of games that a player lost for want of a legal turn action (R18)",
    "capped_rate": "share of games stopped after the greatest number of turns (R20)",
    "looped_rate": "share of games stopped after too many effects in one turn, a draw (R20)",
    "effect_rate": "share of games that the effect of a card ended: it made a player win or lose "
    "(C52, C59)",
    "mean_turns": "mean number of turns in a game that ended by the rules; extra turns count",
    "variance_turns": "variance of the number of turns in a game that ended by the rules",
    "mean_decisions": "mean number of decisions with two or more options in a game that ended by "
    "the rules (R120)",
    "mean_attacks": "mean number of attacks declared in a game, second attacks included",
    "mean_second_attacks": "mean number of second attacks by FRENZY in a game (R74)",
    "mean_blocks": "mean number of attacks in a game that were blocked without a hunt (R68)",
    "mean_hunts": "mean number of attacks in a game that hunted (R65)",
    "mean_defeats": "mean number of creatures defeated in a game (R92)",
    "mean_tough_saves": "mean number of creatures in a game exhausted by TOUGH instead (R81)",
    "mean_mindbugs_used": "mean number of Mindbugs used in a game, by both players; in a line that "
    "names one of two policies, by its player",
    "mean_winner_life": "mean life of the winner at the end, over games with a winner",
    "power_effect": "observed: by how much the win rate of the policy named in the line differs "
    "with one more point of total power dealt, the numbers of cards with each keyword held fixed",
}

#: The numbers of a whole game that two runs are compared in.
GAME_MEASURES = {
    "first_player_win_rate": STATISTICS["first_player_win_rate"],
    "player_0_win_rate": "win rate of player 0, who is the first of two different policies; a draw "
    "counts one half",
    **{
        name: STATISTICS[name]
        for name in (
            *("draw_rate", "life_rate", "no_action_rate", "capped_rate", "looped_rate"),
            *("effect_rate", "mean_turns", "mean_decisions"),
        )
    },
}

#: What is counted per game where a pool has it.
PER_GAME = {
    "actions": "Actions used (R98)",
    "boosted": "boosts: cards put under creatures (R103)",
    "dice": "dice rolled (R113); the last result of a die counts",
    "energy": "energy gained by both players (R108)",
    "power_bought": "power cards bought by both players, free ones included (R110, R112)",
}

#: Lines of the table ``summary`` that only a pool with the expansion feature has.
SYSTEM_STATISTICS = {
    "mean_actions": "mean number of Actions used in a game (R98)",
    "mean_boosted": "mean number of boosts in a game: cards put under creatures (R103)",
    "mean_dice": "mean number of dice rolled in a game (R113); rerolls are not counted again",
    "mean_energy": "mean energy gained in a game (R108), by both players; in a line that names one "
    "of two policies, by its player",
    "mean_power_bought": "mean number of power cards bought in a game, free ones included (R110, "
    "R112), by both players; in a line that names one of two policies, by its player",
}

#: How the highest stage of a card of an evolution line is called (R101).
STAGES = ("never in play", "stage I", "stage II", "stage III")

#: The open points of the rules text that the engine marks: when one is said to have come up.
OPEN_POINTS = {
    3: "an effect gave something to a whole group of creatures for the rest of a turn: creatures "
    "that arrive later have it too",
    8: "a waiting effect was resolved although its source was gone",
    9: "effects of several batches waited at the same time: the oldest batch goes first",
    10: "a hunter with an Attack effect chose whom to hunt: the choice comes after the effect",
    11: "a creature with FRENZY could have attacked again after an attack that an effect ordered: "
    "it may not",
    15: "a loss of life was made larger by a card: that is one loss, not two",
    18: "a player had to attack with a certain creature, because a creature must be hunted",
}

#: The rulings that answer one of them the other way (docs/pools.md).
RULINGS = {
    8: Ruling.TRIGGERS_NEED_THEIR_SOURCE,
    9: Ruling.NEWEST_TRIGGERS_FIRST,
    11: Ruling.FRENZY_IN_FORCED_ATTACKS,
}

#: Why the win rates by stage, and of those who bought a power card, are no measure of worth.
OBSERVED = (
    "observed, not caused: players who get that far were often ahead anyway, or their games lasted "
    "longer"
)
#: Why what is observed of keywords is no measure of what a keyword does.
KEYWORDS_OBSERVED = (
    "That is about the cards that carry the keyword, with all else that is printed on them, not "
    "about the keyword itself."
)

#: What is said of a card when equals play each other, from the weakest players to the strongest.
SKILL_VERDICTS = {
    MORE: "worth more among the strongest of these players than among the weakest",
    LESS: "worth less among the strongest of these players than among the weakest",
    NOT_SETTLED: "it takes more games to show which of the two",
}

#: About whom the verdicts by skill are.
WHOSE_SKILL = (
    "This is about how these players use the cards, with the weights that they have; better "
    "players may rank the cards differently."
)
TOGETHER, IN_THE_WAY = "work together", "get in each other's way"
BEATS, BEATEN = "beats", "is beaten by"
NO_PAIR = "no pair shown"

#: What is said of two cards, on one side or on opposing sides.
PAIR_VERDICTS = {
    TOGETHER: "a player dealt both is shown to win more than the two cards by themselves explain",
    IN_THE_WAY: "a player dealt both is shown to win less than the two cards by themselves explain",
    BEATS: "a player dealt the first card, against an opponent dealt the second, is shown to win "
    "more than the two cards by themselves explain",
    BEATEN: "the same with less instead of more",
    NO_PAIR: "not shown to differ from what the two cards by themselves explain",
    NEEDS_GAMES: "too few games with both cards to ask",
}

#: The effect of two cards beyond what each of them does.
INTERACTION = (
    "the win rate of players who were dealt the one and the other (or, in `card_matchups`, whose "
    "opponents were dealt the other) - the win rate of those with the first where the second is "
    "not in the game - the win rate of those with the second (whose opponents have it) where the "
    "first is not in the game + the win rate where neither is in the game"
)

#: What win rates by seat say, and what they do not.
SEATS = (
    "A card's win rates in either seat include the advantage of the seat, so they stand beside"
    " those of the average card in that seat. The gain is the rest: how much more often players"
    " dealt the card win when they start than when they do not, less the same for the average card."
    " Its intervals are corrected for the number of cards."
)

#: How far a card moves from the weakest players to the strongest.
SKILL_CHANGE = (
    "`advantage` among the strongest players minus `advantage` among the weakest; each of the two "
    "is estimated from games in which both players follow the same policy"
)


def p_value(what: str) -> str:
    """The meaning of a p-value."""
    return (
        f"probability of {what} at least this large if the truth is zero; missing for too few games"
    )


def defined(selection: Selection) -> str:
    """The definition of a selection, with the copies that it counts besides those dealt."""
    of_dealt = ("dealt", "drawn", "not_drawn")
    return selection.definition + ("" if selection.name in of_dealt else f"; {UNUSED_COPIES}")


def selection_columns(player_games: str) -> dict[str, str]:
    """Four columns for each selection, of the player-games described."""
    columns = {}
    for selection in SELECTIONS:
        name = selection.name
        columns[f"{name}_n"] = f"{player_games} {defined(selection)}"
        columns[f"{name}_win_rate"] = f"win rate of those player-games. {SCORE}"
        columns[f"{name}_ci_low"] = f"`{name}_win_rate`: {LOW}, clustered by game"
        columns[f"{name}_ci_high"] = f"`{name}_win_rate`: {HIGH}, clustered by game"
    return columns


def by_card_columns(cards: str, selections: list[str]) -> dict[str, str]:
    """Four columns for each selection, of the cards described."""
    columns = {}
    for name in selections:
        columns[f"{name}_n"] = f"{cards} in the selection `{name}`, copies counted"
        columns[f"{name}_win_rate"] = (
            f"win rate of the players in that selection, once for each such card. {SCORE}"
        )
        columns[f"{name}_ci_low"] = f"`{name}_win_rate`: {LOW}, clustered by game"
        columns[f"{name}_ci_high"] = f"`{name}_win_rate`: {HIGH}, clustered by game"
    return columns
