"""How help is laid out: usage, what a command does, examples, and its options in two columns.

Help of a command alone is short: the first sentence on each option of every game.  With what is
played behind it, it is whole, and has the options of that game.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions

#: What `fairdeal` says by itself.
FIRST_STEPS = """\
fairdeal tells you whether a card is fair, why, and what to change.

Start with one of these:
  fairdeal studio                             work in the browser
  fairdeal verdict my_cards.toml              are my cards fair?
  fairdeal balance first_contact              how strong is every card?
  fairdeal new my_game                        start a game of your own

All commands: fairdeal --help        Help on one: fairdeal verdict --help"""

#: What commands that several games have do in all of them.
DOES: Mapping[str, str] = {
    "verdict": "Find whether a card, hero or other entry is too strong, why, and what would fix"
    " it.",
    "sensitivity": "Change one part of a card, chapter or game at a time, and see what each does.",
    "rebalance": "Find small changes that balance a set, chapter or game, and confirm them.",
    "skill": "Find what stronger play changes, and how much of a game is luck.",
    "ladder": "Play several players against each other, and rate them.",
    "train": "Teach a player.",
}
#: Commands in the order of use; others come behind them.
_ORDER = (
    *("studio", "verdict", "balance", "compare", "sensitivity", "rebalance", "prices"),
    "story",
    *("new", "check", "cards", "rooms", "play", "replay", "ladder", "skill", "restrict", "train"),
    *("playtests", "simulate", "analyze", "report", "runs", "bench"),
)
_WIDTH, _LABEL, _EXAMPLE = 80, 22, 54
# Where a sentence ends: not behind "as in 'x.'" or an abbreviation.
_SENTENCE = re.compile(r"(?<=[\w)'\"])[.](?= [A-Z'-])")


class HelpText:
    """Lays out help as text of at most 80 columns.

    It is ``whole`` or short, shows ``examples`` of what may be typed, and leaves out the options of
    games that are ``hidden``.
    """

    def __init__(self, examples: Sequence[str], hidden: Collection[str], *, whole: bool) -> None:
        self._whole, self._hidden, self._examples = whole, hidden, examples

    def render_usage(self, console: "Console", options: "ConsoleOptions", usage: Any) -> None:  # noqa: ARG002
        """Print the line that says what to type."""
        _print(console, f"Usage: {str(usage or '').strip()}")

    def render_description(self, console: "Console", options: "ConsoleOptions", text: Any) -> None:  # noqa: ARG002
        """Print what the command does, all of it or its first paragraph, and examples."""
        told = _plain(text).split("\n\n")
        for part in told if self._whole else told[:1]:
            _print(console, "", fill(part, _WIDTH, break_on_hyphens=False))
        if self._examples:
            _print(console, "", "Examples", *(f"  fairdeal {one}" for one in self._examples))

    def __call__(self, console: "Console", options: "ConsoleOptions", panel: "HelpPanel") -> None:  # noqa: ARG002
        """Print a group of options or commands."""
        title = str(panel.title)
        game, _, special = title.partition(": ")
        if game in self._hidden or (special and not self._whole):
            return
        entries = [*panel.entries]
        if panel.format == "command":
            entries.sort(key=_place)
        if entries:
            _print(console, "", {"Parameters": "Options"}.get(title, title))
        for entry in entries:
            _print(console, *self._lines(entry))

    def _lines(self, entry: "HelpEntry") -> Iterator[str]:
        """An option or a command, and what it is for beside it."""
        label, text = _label(entry), _plain(entry.description)
        text = text if self._whole else _first_sentence(text)
        if self._whole and entry.choices:
            text += f" One of {', '.join(entry.choices)}."
        if entry.default not in (None, "False", "None"):
            default = f"'{entry.default}'" if entry.default == "." else entry.default
            text += f" Default: {default}."
        first, *more = wrap(text, _WIDTH - _LABEL - 4, break_on_hyphens=False) or [""]
        if len(label) > _LABEL:
            yield f"  {label}"
            label = ""
        yield f"  {label:<{_LABEL}}  {first}".rstrip()
        yield from (f"  {'':<{_LABEL}}  {line}" for line in more)


def more_help(command: str, games: Mapping[str, str]) -> Iterator[str]:
    """Where all is said of a command; ``games`` says what to name for each, by its title."""
    if games:
        yield from ("", "Full help, with the options of each game")
    for title, named in games.items():
        yield f"  {f'fairdeal {command} {named} --help':<{_EXAMPLE}}  {title}"


def _place(entry: "HelpEntry") -> tuple[int, str]:
    """Where a command stands among all."""
    name = entry.positive_names[0]
    return (_ORDER.index(name) if name in _ORDER else len(_ORDER)), name


def _label(entry: "HelpEntry") -> str:
    """How an option is typed: "--games INT"."""
    if entry.positional_label:
        return entry.positional_label
    name = ", ".join(entry.positive_names or entry.display_labels)
    return f"{name} {entry.metavar}" if entry.metavar else name


def _plain(text: Any) -> str:
    """A text of help without styles."""
    return str(getattr(text, "primary_renderable", text)).strip()


def _print(console: "Console", *lines: str) -> None:
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _first_sentence(text: str) -> str:
    return f"{_SENTENCE.split(text, maxsplit=1)[0].rstrip('.')}."
