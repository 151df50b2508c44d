"""Games that somebody brings, for tests: an installed one, and files of examples."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from simcore.contract import finding, packages

EXAMPLES = Path(__file__).parents[2] / "reports" / "own_games" / "examples"

#: Kuhn poker, whose player "poker" plays an equilibrium, and its cards.
KUHN = """
from fairdeal import Cards, Game, Kind, Number, Rules, Score, Whole

class Kuhn(Rules):
    deck = Cards(3, seen_by="nobody")
    hand = Cards(1, per_seat=True, seen_by="owner")
    bets = Number(per_seat=True, default=1)
    folded = Number(default=-1)

    def start(self):
        self.deck.fill(self.setup.deck("card"))
        self.deck.shuffle()
        for seat in range(2):
            self.deck.deal(1, self.hand[seat])
        self.acting = 0

    def options(self, seat):
        yield "stay"
        yield "bet"

    def stay(self, seat):
        self.acting = 1 if seat == 0 and self.bets[1] == 1 else None
        if self.bets[1 - seat] > self.bets[seat]:
            self.folded = seat

    def bet(self, seat):
        self.bets[seat] = 2
        self.acting = 1 - seat if self.bets[1 - seat] == 1 else None

    def scores(self):
        loser = self.folded
        if loser < 0:
            loser = 0 if self.hand[0][0].rank < self.hand[1][0].rank else 1
        return [-self.bets[seat] if seat == loser else self.bets[1 - seat] for seat in range(2)]

def poker(game, seat, options, rng):
    faced = game.bets[1 - seat] == 2
    thirds = {(0, False): (1, 0, 3), (0, True): (0, 2, 3),
              (1, False): (1, 0, 3), (1, True): (0, 1, 3)}[seat, faced]
    bets = rng.below(3, "poker", seat) < thirds[game.hand[seat][0].rank - 1]
    return "bet" if bets else "stay"

GAME = Game(name="kuhn", title="Kuhn poker", version=1, rules=Kuhn, outcome=Score(-2, 2),
            kinds=[Kind("card", "cards", {"rank": Whole(1, 3)})], players={"poker": poker})
"""
KUHN_CARDS = "[card.jack]\nrank = 1\n\n[card.queen]\nrank = 2\n\n[card.king]\nrank = 3\n"


#: Who has the higher card wins.
HIGHER = """
from fairdeal import Cards, Game, Kind, Rules, Whole

class Higher(Rules):
    deck = Cards(12, seen_by="nobody")
    hand = Cards(1, per_seat=True, seen_by="owner")

    def start(self):
        self.deck.fill(self.setup.deck("card"))
        self.deck.shuffle()
        for seat in range(2):
            self.deck.deal(1, self.hand[seat])
        self.acting = 0

    def options(self, seat):
        yield "show"

    def show(self, seat):
        self.acting = None

    def scores(self):
        return [hand[0].rank for hand in self.hand]

GAME = Game(
    name="higher", title="Higher", version=1, rules=Higher, entries="higher.toml",
    kinds=[Kind("card", "cards", {"rank": Whole(1, 9)}, measure="MEASURE")],
)
"""


def ranks(some: Iterable[int]) -> str:
    """Its entries: a card of each rank, called after it."""
    return "".join(f"[card.card{rank}]\nrank = {rank}\n\n" for rank in some)


def install(name: str, value: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Let a package be installed whose entry points say what it brings, while a test runs."""
    about = folder / f"{name}_game-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-game\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{packages.GROUP}]\n{name} = {value}\n")
    patch.setattr(sys, "path", [str(folder), *sys.path])
    finding.load_installed.cache_clear()


def example(name: str, folder: Path) -> Path:
    """A copy of an example, with its entries, in a folder."""
    for suffix in ("py", "toml"):
        shutil.copy(EXAMPLES / f"{name}.{suffix}", folder)
    return folder / f"{name}.py"


#: Each of two seats draws a card and keeps one of two; the higher one wins.
KEEP = """
from fairdeal import Cards, Choice, Flag, Game, Kind, Number, Rules, Whole

class Keep(Rules):
    deck = Cards(8, seen_by="nobody")
    hand = Cards(2, per_seat=True, seen_by="owner")
    kept = Cards(1, per_seat=True, marks=("hurt",))
    secret = Number(per_seat=True, seen_by="owner")
    grid = Number(shape=2, default=5)
    shown = Number(per="card")
    mood = Choice(["calm", "angry"], per_seat=True)

    def start(self):
        self.deck.fill(self.setup.deck("card"))
        self.deck.shuffle()
        for seat in range(2):
            self.deck.deal(2, self.hand[seat])
            self.secret[seat] = 7 + seat
        self.acting = 0

    def options(self, seat):
        return [("keep", card) for card in self.hand[seat]]

    def keep(self, seat, card):
        self.hand[seat].move(card, self.kept[seat])
        self.kept[seat].hurt[0] = 3
        self.shown[card] = 1
        self.mood[seat] = "angry"
        self.acting = 1 if seat == 0 else None

    def scores(self):
        return [self.kept[seat][0].rank for seat in range(2)]

GAME = Game(name="keep", title="Keep", version=1, rules=Keep,
            kinds=[Kind("card", "cards", {"rank": Whole(1, 9), "red": Flag()})])
"""
_KEEP_CARDS = "".join(
    f'[card.c{n}]\nname = "C{n}"\nrank = {n}\nred = {str(n % 2 == 0).lower()}\n'
    for n in range(1, 9)
)


def write_keep(folder: Path) -> None:
    """That game, as files of a folder: ``keep.py`` and ``cards.toml``."""
    (folder / "keep.py").write_text(KEEP)
    (folder / "cards.toml").write_text(_KEEP_CARDS)
