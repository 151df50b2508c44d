"""What the columns of several tables mean."""

from analysis.mindbug.selections import SCORE, SELECTIONS, UNUSED_COPIES, Selection
from analysis.registry import HIGH, LOW

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
