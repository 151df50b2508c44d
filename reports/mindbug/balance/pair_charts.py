"""The charts of pairs of cards: heat maps of what remains after shrinking and correction.

Like those of `charts`, each takes one table and draws it as it is.  Only cards that are part of a
pair that is shown have a row, those with the most to tell first.
"""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from analysis.mindbug.pairs import SHOWN
from analysis.mindbug.registry import TABLES
from reports.kit.drawing import (
    IN_CELLS,
    Charts,
    check_one,
    draw_nothing,
    matrix_cell,
    new_axes,
    players_of,
    set_titles,
    width_of,
)
from reports.kit.theme import BAND, COOL, INK, PAPER, WARM, WIDE, WIDTH
from reports.kit.words import display_name, points, points_text
from reports.mindbug.balance.pair_text import nothing_shown

#: Cards that find room in a heat map.
MOST_CARDS = 16
# Cards up to which there is room for all numbers on a chart as wide as others, the cells that have
# theirs on a wider one, inches for each card, and letters of its name.
_MOST_NUMBERS, _STRONGEST, _WIDE_ROW, _ROW, _LETTERS = 12, 5, 0.34, 0.24, 20
_FADED = 0.12  # the least strength of a colour


#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)


@CHARTS.draws("card_pairs", "card_pairs", split_by="policy", intervals=False)
def plot_card_pairs(card_pairs: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The pairs of cards on one side that are shown to work together or against each other."""
    words = "both dealt to one player; points of win rate beyond what each adds"
    return _heat_map(card_pairs, ax, words, opposed=False)


@CHARTS.draws("card_matchups", "card_matchups", split_by="policy", intervals=False)
def plot_card_matchups(card_matchups: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The pairs of cards on opposing sides of which the one is shown to beat the other."""
    words = "row against column; points of win rate beyond what each adds"
    return _heat_map(card_matchups, ax, words, opposed=True)


def _heat_map(table: pd.DataFrame, ax: Axes | None, words: str, *, opposed: bool) -> Axes:
    """Cards by cards; warm is more, cool less, and the stronger the colour the larger."""
    check_one(table, "policy")
    shown = table[table["verdict"].isin(SHOWN)]
    cards = _cards_of(shown)
    place = {card: number for number, card in enumerate(cards)}
    drawn = shown["card_a"].isin(place) & shown["card_b"].isin(place)
    most = shown["shrunk"].abs().max()
    known = pd.concat([shown.set_index(f"card_{end}")[f"name_{end}"] for end in "ab"])
    names = [display_name(known[[card]].iloc[0], _LETTERS) for card in cards]
    narrow = len(cards) <= _MOST_NUMBERS
    least = 0.0 if narrow else shown["shrunk"].abs().nlargest(_STRONGEST).min()
    if not cards:
        what = "card is shown to beat another"
        if not opposed:
            what = "two cards are shown to work together"
        return draw_nothing(ax, f"No {what}", nothing_shown(table))
    both_sides = opposed and _has_both_sides(table)
    row, beside = _WIDE_ROW if narrow else _ROW, width_of(names)
    width, right = (WIDTH, 0.3) if narrow else (WIDE, beside)
    ax = ax or new_axes(
        row * len(cards), left=beside, right=right, bottom=0.3 + beside, width=width
    )
    cells = []
    for pair in table[table["card_a"].isin(place) & table["card_b"].isin(place)].itertuples():
        one, other = place[pair.card_a], place[pair.card_b]
        effect = pair.shrunk if pair.verdict in SHOWN else None
        if not opposed:
            one, other = max(one, other), min(one, other)
        cells.append(_cell(ax, other, one, effect, most, least))
        if opposed and not both_sides:
            turned = None if effect is None else -effect
            cells.append(_cell(ax, one, other, turned, most, least))
    ax.add_collection(PatchCollection(cells, match_original=True))
    _add_key(ax, most)
    ax.set_xticks(range(len(cards)), names, parse_math=False, rotation=90)
    ax.tick_params(axis="y", labelright=not narrow)
    ax.set_yticks(range(len(cards)), names, parse_math=False)
    ax.set_xlim(-0.5, len(cards) - 0.5)
    ax.set_ylim(len(cards) - 0.5, -0.5)
    ax.grid(visible=False)
    ax.set_xlabel("the opponent's card" if opposed else "the other card")
    more = "" if narrow else "; numbers: the strongest"
    more += f"; {(~drawn).sum()} weaker pairs left out" if not drawn.all() else ""
    words = f"{players_of(table)}; {words}{more}"
    set_titles(ax, _finding(shown, opposed), words, legend=True)
    return ax


def _cards_of(shown: pd.DataFrame) -> list[str]:
    """The cards of the strongest pairs, as many as find room, those with the most to tell first."""
    strongest = shown.sort_values("shrunk", key=abs, ascending=False, kind="stable")
    cards: dict[str, None] = {}
    for pair in strongest.itertuples():
        more = cards | dict.fromkeys((str(pair.card_a), str(pair.card_b)))
        if len(more) <= MOST_CARDS:
            cards = more
    told = dict.fromkeys(cards, 0.0)
    for pair in strongest.itertuples():
        if pair.card_a in told and pair.card_b in told:
            for card in {str(pair.card_a), str(pair.card_b)}:
                told[card] += abs(float(pair.shrunk))
    return sorted(told, key=lambda card: -told[card])


def _cell(ax: Axes, x: int, y: int, effect: float | None, most: float, least: float) -> Rectangle:
    """One pair: a colour by sign and size, and its number, or below ``least`` its sign.

    The sign is written; the cell is returned, since a thousand of them are drawn faster together.
    """
    if effect is None:
        return matrix_cell(x, y, BAND)
    strength = _FADED + (1 - _FADED) * abs(effect) / most
    sign = "+" if effect > 0 else "\N{MINUS SIGN}"
    text = points(effect) if abs(effect) >= least else sign
    ax.text(
        x, y, text, color=PAPER if strength > 0.6 else INK, ha="center", va="center_baseline",
        fontsize=IN_CELLS,
    )  # fmt: skip
    return matrix_cell(x, y, WARM if effect > 0 else COOL, strength)


def _add_key(ax: Axes, most: float) -> None:
    """What the colours mean, in percentage points."""
    for effect in (most, most / 3, -most / 3, -most):
        strength = _FADED + (1 - _FADED) * abs(effect) / most
        ax.add_patch(
            Rectangle(
                (0, 0), 0, 0, facecolor=WARM if effect > 0 else COOL, alpha=strength,
                linewidth=0, label=points(effect),
            )
        )  # fmt: skip
    ax.add_patch(Rectangle((0, 0), 0, 0, facecolor=BAND, linewidth=0, label="nothing shown"))


def _has_both_sides(table: pd.DataFrame) -> bool:
    """Whether matchups have a row for either side, as those of two different policies do."""
    one, other = table.iloc[0][["card_a", "card_b"]]
    return bool(((table["card_a"] == other) & (table["card_b"] == one)).any())


def _finding(shown: pd.DataFrame, opposed: bool) -> str:
    """The strongest pair."""
    pair = shown.loc[shown["shrunk"].abs().idxmax()]
    one, other = display_name(pair["name_a"]), display_name(pair["name_b"])
    if opposed and pair["shrunk"] < 0:
        one, other = other, one
    more = "more" if opposed or pair["shrunk"] > 0 else "less"
    size = f"{points_text(round(abs(pair['shrunk']), 3))} {more}"
    pairing = (
        f"{one} wins {size} against {other}"
        if opposed
        else f"{one} and {other} together win {size}"
    )
    return f"{pairing} than their strengths predict"
