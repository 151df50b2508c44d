"""The look of charts and pages: colours that colour-blind readers tell apart, fonts, captions.

The colours are blue, orange and greys after M. Okabe and K. Ito, "Color Universal Design" (2008),
darkened so that text can be set in them.  A chart never tells things apart by colour alone.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from analysis.verdicts import BALANCED, STRONG, UNDECIDED, WEAK

INK = "#1f2933"  # text
MUTED = "#5f6c7b"  # captions and axes
GRID = "#d9dee4"
PAPER = "#fdfdfc"
BAND = "#eaeef1"  # the range that is called balanced
BLUE = "#0b6aa8"
ORANGE = "#c8500a"
AMBER = "#eeac4d"  # beside blue also in grey print
GREY = "#8a94a0"
LIGHT = "#b4bcc5"

#: Every colour of a chart, so that a page can replace them in the dark.
COLOURS = {
    "ink": INK,
    "muted": MUTED,
    "grid": GRID,
    "paper": PAPER,
    "band": BAND,
    "blue": BLUE,
    "orange": ORANGE,
    "amber": AMBER,
    "grey": GREY,
    "light": LIGHT,
}

#: Colour and marker of each verdict.
VERDICT_MARKS = {
    STRONG: (BLUE, "^"),
    WEAK: (ORANGE, "v"),
    BALANCED: (MUTED, "o"),
    UNDECIDED: (GREY, "d"),
}

#: The font that comes with matplotlib, so that a chart is the same everywhere.
FONT = "DejaVu Sans"
TICK_SIZE = 11

#: Width of a chart in inches, and its resolution as PNG.
WIDTH = 8.0
_DOT = " · "
#: The part of a caption that only charts with intervals have.
INTERVALS = f"{_DOT}95\N{NO-BREAK SPACE}% intervals"
_CAPTION_SHARE = 0.92  # of the width: small letters of a PNG are wider than they measure
_CAPTION_SIZES, _CAPTION_LINES = (9.0, 8.0, 7.0), 2
DPI = 150

_STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": MUTED,
    "axes.facecolor": PAPER,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.prop_cycle": f"cycler('color', {[BLUE, ORANGE, MUTED, AMBER]})",
    "axes.labelsize": 12,
    "axes.linewidth": 0.8,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 15,
    "axes.titleweight": "bold",
    "figure.facecolor": PAPER,
    "font.family": FONT,
    "font.size": 12,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "legend.fontsize": 11,
    "legend.borderaxespad": 0.2,
    "legend.borderpad": 0,
    "legend.columnspacing": 1.4,
    "legend.frameon": False,
    "legend.handlelength": 1.2,
    "legend.handletextpad": 0.4,
    "pdf.fonttype": 42,  # letters that a drawing program can edit, and a reader search for
    "svg.fonttype": "path",
    "svg.hashsalt": "balancelab",
    "text.color": INK,
    "text.parse_math": False,  # a card may be called "$x^2$"
    "xtick.color": MUTED,
    "xtick.labelcolor": INK,
    "xtick.labelsize": TICK_SIZE,
    "xtick.major.size": 0,
    "ytick.color": MUTED,
    "ytick.labelcolor": INK,
    "ytick.labelsize": TICK_SIZE,
    "ytick.major.size": 0,
}
_off_screen: ContextVar[bool] = ContextVar("off_screen", default=False)


@contextmanager
def style() -> Iterator[None]:
    """Charts drawn and saved inside look as those of balancelab, whatever the user's settings."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        yield
        interactive = mpl.is_interactive()
    mpl.interactive(interactive)  # a notebook's backend sets it when the first figure is made


@contextmanager
def off_screen() -> Iterator[None]:
    """Figures made by `new_figure` inside are unknown to pyplot: no window, nothing to close.

    A name in a script that the font lacks is drawn as boxes without a warning.
    """
    token = _off_screen.set(True)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            yield
    finally:
        _off_screen.reset(token)


def new_figure(height: float) -> Figure:
    """A figure of the usual width; pyplot, and with it a notebook, shows it."""
    size = (WIDTH, height)
    if _off_screen.get():
        return Figure(figsize=size)
    from matplotlib import pyplot

    return pyplot.figure(figsize=size)


def figure_of(axes: Axes) -> Figure:
    """The whole figure that the axes are on."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure


def text_size(text: str, font: FontProperties) -> tuple[float, float]:
    """Width and height of a text in points."""
    width, height, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return width, height


def add_caption(axes: Axes, caption: str) -> None:
    """Write at the bottom of the figure what was played: n, players, seed and versions.

    The parts of a caption stand between dots; two lines of them have room, and the letters shrink
    where there are more.
    """
    figure = figure_of(axes)
    width, height = figure.get_size_inches()
    for size in _CAPTION_SIZES:
        lines = _wrapped(caption, 72 * _CAPTION_SHARE * width, size)
        if len(lines) <= _CAPTION_LINES:
            break
    figure.text(
        x=0.012,
        y=0.08 / height,
        s="\n".join(lines),
        color=MUTED,
        fontsize=size,
        va="bottom",
        linespacing=1.25,
        parse_math=False,
    )


def _wrapped(caption: str, width: float, size: float) -> list[str]:
    """The lines of a caption, broken between parts to be at most so many points wide."""
    font, lines = FontProperties(family=FONT, size=size), []
    for said in caption.split("\n"):
        first, *rest = said.split(_DOT)
        lines.append(first)
        for part in rest:
            line = f"{lines[-1]}{_DOT}{part}"
            if text_size(line, font)[0] <= width:
                lines[-1] = line
            else:
                lines.append(part)
    return lines
