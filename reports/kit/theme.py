"""The look of charts and pages: colours that colour-blind readers tell apart, fonts, captions.

The colours are blue, orange and greys after M. Okabe and K. Ito, "Color Universal Design" (2008),
darkened so that text can be set in them.  A chart never tells things apart by colour alone.
"""

import base64
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakSet

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.textpath import text_to_path

from analysis.verdicts import FAIR, NEEDS_GAMES, TOO_STRONG, TOO_WEAK

INK = "#1f2933"  # text
MUTED = "#5f6c7b"  # captions and axes
GRID = "#d9dee4"
PAPER = "#fdfdfc"
BAND = "#eaeef1"  # the range that is fair
BLUE = "#0b6aa8"
ORANGE = "#c8500a"
AMBER = "#eeac4d"  # beside blue also in grey print
GREY = "#8a94a0"
LIGHT = "#b4bcc5"
GREEN = "#1d7a46"
#: Colour says what was found: warm for too strong or more, cool for too weak or less, green for
#: fair, grey for not known yet.  The marks say the same.
WARM, COOL = ORANGE, BLUE

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
    "green": GREEN,
}

#: Colour and marker of each verdict.
VERDICT_MARKS = {
    TOO_STRONG: (WARM, "^"),
    TOO_WEAK: (COOL, "v"),
    FAIR: (GREEN, "o"),
    NEEDS_GAMES: (GREY, "d"),
}

#: The typeface of pages and charts, a part of Schibsted Grotesk (docs/libraries.md), which comes
#: along so that a chart is the same everywhere; its weights for charts, by number.
FAMILY = "Schibsted Grotesk"
TYPEFACE = Path(__file__).parents[1] / "templates" / "fonts" / "schibsted_grotesk.woff2"
OF_CHARTS = {
    400: TYPEFACE.with_suffix(".ttf"),
    700: TYPEFACE.with_name("schibsted_grotesk_bold.ttf"),
}
#: What draws letters, and those that it lacks: the font that comes with matplotlib.
FONT = [FAMILY, "DejaVu Sans"]
TICK_SIZE = 11

#: Width of a chart in inches, so that its letters can be read on a phone and at half its size; that
#: of a matrix with many columns, which a phone shows through a window; the resolution as PNG.
WIDTH, WIDE = 5.6, 8.0
_DOT, _FIXED = " · ", "\N{NO-BREAK SPACE}"
_CAPTION_SIZE, _LINE = 10.0, 1.25
#: What begins the ids of finding, of what is drawn and of the source in a drawing.  The height in
#: points of what stands above or below the chart itself follows.
FINDING, DRAWN, CAPTION = "finding", "drawn", "source"
#: Of the width of a figure, for texts: small letters of a PNG are wider than they measure.
TEXT_SHARE = 0.94
#: The left edge of titles and captions, as a share of the width.
EDGE = 0.012
#: Twice as many dots as a usual screen.
DPI = 192

_STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": MUTED,
    "axes.facecolor": PAPER,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.prop_cycle": f"cycler('color', {[BLUE, ORANGE, MUTED, AMBER]})",
    "axes.labelsize": 11,
    "axes.linewidth": 0.8,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 14,
    "axes.titleweight": "bold",
    "figure.facecolor": PAPER,
    "font.family": FONT,
    "font.size": 11,
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
    "svg.fonttype": "none",
    "svg.hashsalt": "fairdeal",
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
for _file in OF_CHARTS.values():
    fontManager.addfont(_file)
_off_screen: ContextVar[bool] = ContextVar("off_screen", default=False)
_ours: WeakSet[Figure] = WeakSet()


@contextmanager
def style() -> Iterator[None]:
    """Charts drawn and saved inside look as those of fairdeal, whatever the user's settings."""
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


def new_figure(height: float, width: float = WIDTH) -> Figure:
    """A figure of the usual width; pyplot, and with it a notebook, shows it."""
    if _off_screen.get():
        figure = Figure(figsize=(width, height))
    else:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=(width, height))
    _ours.add(figure)
    return figure


def grow(figure: Figure, *, top: float = 0.0, bottom: float = 0.0) -> None:
    """Give a figure of `new_figure` more room, in points; what is drawn keeps its size.

    A figure that is somebody else's stays as it is.
    """
    if figure not in _ours:
        return
    width, height = figure.get_size_inches()
    total = height + (top + bottom) / 72
    figure.set_size_inches(width, total)
    for axes in figure.axes:
        box = axes.get_position()
        low = (box.y0 * height + bottom / 72) / total
        axes.set_position((box.x0, low, box.width, box.height * height / total))
    for text in figure.texts:
        text.set_y((text.get_position()[1] * height + bottom / 72) / total)


def figure_of(axes: Axes) -> Figure:
    """The whole figure that the axes are on."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure


@lru_cache(maxsize=4096)
def text_size(text: str, font: FontProperties) -> tuple[float, float]:
    """Width and height of a text in points."""
    width, height, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return width, height


def font_face() -> str:
    """The rule by which a page or a drawing brings its letters along."""
    data = base64.b64encode(_typeface()).decode()
    return (
        f'@font-face {{ font-family: "{FAMILY}"; font-weight: 400 900; font-display: swap;'
        f" src: url(data:font/woff2;base64,{data}); }}\n"
    )


@cache
def _typeface() -> bytes:
    return TYPEFACE.read_bytes()


class ChartWords(NamedTuple):
    """What is written on a chart: what was found, what is drawn, and where it comes from."""

    finding: str
    drawn: str
    source: str

    @property
    def described(self) -> str:
        """What is drawn and its source, for whoever does not see the chart."""
        return ". ".join(one.removesuffix(".") for one in (self.drawn, self.source) if one)


def words_of(figure: Figure) -> ChartWords:
    """The words of a figure, each on one line; "" for what it lacks."""
    finding = figure.axes[0].get_title("left") if figure.axes else ""
    marked = {
        str(text.get_gid() or "").partition("-")[0]: text.get_text()
        for text in (*figure.texts, *(text for axes in figure.axes for text in axes.texts))
    }
    said = (finding, marked.get(DRAWN, ""), marked.get(CAPTION, ""))
    return ChartWords(*(one.replace("\n", " ").replace(_FIXED, " ") for one in said))


def add_caption(axes: Axes, caption: str) -> None:
    """Write below the figure where it comes from: n, players, seed and versions.

    The parts of a caption stand between dots, and a line ends between two of them.
    """
    figure = figure_of(axes)
    font = FontProperties(family=FONT, size=_CAPTION_SIZE)
    room = 72 * TEXT_SHARE * figure.get_size_inches()[0]
    parts = [
        part.replace(" ", _FIXED) if text_size(part, font)[0] <= room else part
        for part in f"Source: {caption}".replace("\n", _DOT).split(_DOT)
    ]
    lines = wrapped(_DOT.replace(" ", _FIXED, 1).join(parts), room, font)
    height = _CAPTION_SIZE * _LINE * len(lines) + 8
    grow(figure, bottom=height)
    figure.text(
        x=EDGE,
        y=0.06 / figure.get_size_inches()[1],
        s="\n".join(lines),
        color=MUTED,
        fontproperties=font,
        va="bottom",
        linespacing=_LINE,
        parse_math=False,
        gid=f"{CAPTION}-{height:g}",
    )


def wrapped(text: str, width: float, font: FontProperties) -> list[str]:
    """The lines of a text, each at most ``width`` points wide, broken between words."""
    lines: list[str] = []
    for word in text.split(" "):
        line = f"{lines[-1]} {word}" if lines else word
        if lines and text_size(line, font)[0] > width:
            lines.append(word)
        else:
            lines[-1:] = [line]
    return lines
