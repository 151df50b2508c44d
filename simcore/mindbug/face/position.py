"""A game as it stands, as a person wants to see it at a prompt or in a notebook.

What is on the table, who decides what, and the numbers of the options, in the words of a replay.
"""

from collections.abc import Iterator
from html import escape

from card_data.html import html_table
from card_data.shown import as_html, as_text
from simcore.mindbug.face.game import Game
from simcore.mindbug.face.replay import _Narrator


@as_text.register
def game_text(game: Game) -> str:
    """The position in a few lines of plain text, the options with their numbers last."""
    return _Position(game).text()


@as_html.register
def game_html(game: Game) -> str:
    """The position as a table of HTML, the options with their numbers below; all is escaped."""
    return _Position(game).html()


class _Position(_Narrator):
    """Tells where a game stands; it is only looked at, not played."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, lambda _: 0)

    def text(self) -> str:
        """As plain text."""
        lines = [self._head()]
        for number, facts in enumerate(self._players()):
            text = "; ".join(f"{name} {fact}" for name, fact in facts.items())
            lines.append(f"Player {number}: {text}")
        lines += self._common()
        if self.game.waits:
            lines.append(f"{self._asked()}:")
            lines += [f"  {number}  {option}" for number, option in enumerate(self._offered())]
        return "\n".join(lines)

    def html(self) -> str:
        """As HTML."""
        players = self._players()
        rows = [[f"player {n}", *facts.values()] for n, facts in enumerate(players)]
        parts = [f"<strong>{escape(self._head())}</strong>", html_table(["", *players[0]], rows)]
        parts += [f"<div>{escape(line)}</div>" for line in self._common()]
        if self.game.waits:
            items = "".join(f"<li>{escape(option)}</li>" for option in self._offered())
            parts.append(f'<div>{escape(self._asked())}</div><ol start="0">{items}</ol>')
        return "".join(parts)

    def _head(self) -> str:
        """Whose turn it is, or how the game ended."""
        if self.game.over:
            return next(line for line in self._end() if line)
        now = self._now.position
        if now["turn"] == 0:
            return f"Before the first turn; player {now['active']} starts"
        return f"Turn {now['turn']}, player {now['active']}"

    def _players(self) -> list[dict[str, str]]:
        """What each player has, by what it is called."""
        kot_parts = self.game.table.modes.kot_parts
        return [
            {
                "life": str(player["life"]),
                "Mindbugs": str(player["mindbugs"]),
                **({"energy": str(player["energy"])} if kot_parts else {}),
                "in play": ", ".join(self._creature(s, boosts=True) for s in player["play"]) or "–",
                "hand": self._cards(player["hand"]),
                "draw pile": str(len(player["draw"])),
                "discard pile": self._cards(player["discard"]),
            }
            for player in self._now.position["players"]
        ]

    def _cards(self, slots: list[int]) -> str:
        return self._list(slots) if slots else "–"

    def _common(self) -> Iterator[str]:
        """What belongs to neither player."""
        now = self._now.position
        details = self._now.details
        if now["limbo"]:
            doing = "Being played" if details["effect"] is None else "On the way"
            yield f"{doing}: {self._list(now['limbo'])}"
        yield from (line.strip() for line in super()._common())
        if self.game.waits and details["effect"] is not None:
            source = details["source"]
            yield f"Effect of {self._creature(source) if source >= 0 else 'a power card'}"
        if self.game.waits and self.game.options[0].word == "pile":
            yield f"Revealed: {self._list(details['gathered'])}"

    def _offered(self) -> list[str]:
        """The options in words, in the order of their numbers."""
        decision, options = self.game.decision, self.game.options
        return [self._option(decision, option, options) for option in options]
