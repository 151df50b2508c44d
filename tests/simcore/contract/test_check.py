"""`fairdeal check`: mistakes planted one at a time are told, and right games have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.cli.app import run
from simcore.contract.check import FAULT, WARNING, check
from simcore.contract.finding import load_file
from simcore.contract.play import Table

EXAMPLES = Path(__file__).parents[3] / "examples"

DUEL = """
from fairdeal import Cards, Game, Kind, Number, Rules, Whole

class Duel(Rules):
    deck = Cards(12, seen_by="nobody")
    hand = Cards(6, per_seat=True, seen_by="owner")
    gone = Cards(12)
    won = Number(per_seat=True)

    def start(self):
        self.deck.fill(self.setup.deck("card"))
        self.deck.shuffle()
        for seat in range(self.seats):
            self.deck.deal(3, self.hand[seat])
        self.acting = 0

    def options(self, seat):
        for card in self.hand[seat]:
            yield "play", card

    def play(self, seat, card):
        self.hand[seat].move(card, self.gone)
        self.won[seat] += card.rank
        self.acting = 1 - seat if self.hand[1 - seat] else None

    def standing(self, seat):
        return self.won[seat]

    def scores(self):
        return list(self.won)

def high(game, seat, options, rng):
    return max(options, key=lambda option: option[1].rank)

GAME = Game(name="duel", title="Duel", version=1, rules=Duel, players={"high": high},
            kinds=[Kind("card", "cards", {"rank": Whole(1, 9)}, copies=2)])
"""
CARDS = "".join(f"[card.c{rank}]\nrank = {rank}\n" for rank in range(1, 7))
OFFER = "        for card in self.hand[seat]:\n"

#: What is planted: the level, words of what is told, what is replaced, and by what.
PLANTED = {
    "luck in options": (
        FAULT,
        "options changes",
        OFFER,
        '        self.rng.below(2, "x")\n' + OFFER,
    ),
    "options change state": (
        FAULT,
        "options changes",
        OFFER,
        "        self.won[seat] += 1\n" + OFFER,
    ),
    "standing changes state": (
        FAULT,
        "standing changes",
        "        return self.won[seat]",
        "        self.won[seat] += 1\n        return self.won[seat]",
    ),
    "list on the class": (
        FAULT,
        "goes otherwise when it is played again",
        "        self.won[seat] += card.rank\n",
        "        self.log.append(1)\n        self.won[seat] += card.rank + len(self.log)\n",
    ),
    "options show hidden cards": (
        FAULT,
        "depend on what it does not see",
        OFFER,
        "        if self.deck[0].rank > 3:\n            yield 'peek'\n" + OFFER,
    ),
    "global luck": (
        FAULT,
        "luck is self.rng",
        OFFER,
        "        import random; random.random()\n" + OFFER,
    ),
    "the clock": (
        FAULT,
        "no rule may read the clock",
        OFFER,
        "        import time; time.time()\n" + OFFER,
    ),
    "no options": (FAULT, "options gave nothing", " if self.hand[1 - seat] else None", ""),
    "nobody acts": (FAULT, "nobody who chooses first", "        self.acting = 0\n", ""),
    "no such seat": (FAULT, "self.acting is 2", "self.acting = 0", "self.acting = 2"),
    "a float": (FAULT, "gives 0.5", '"play", card', '"play", 0.5'),
    "scores of None": (FAULT, "scores gave None", "return list(self.won)", "return None"),
    "one score": (FAULT, "it needs 2 numbers", "return list(self.won)", "return [1]"),
    "never ends": (FAULT, "has not ended", "self.hand[seat].move(card, self.gone)", "pass"),
    "an illegal player": (FAULT, "which is no option", "return max(", "return 'win' or max("),
    "possible refuses the truth": (
        FAULT,
        "possible refuses",
        "    def scores",
        "    def possible(self, seat):\n        return False\n\n    def scores",
    ),
    "all draws": (WARNING, "end in a draw", "return list(self.won)", "return [0, 0]"),
}


def table(folder: Path, text: str) -> Table:
    (folder / "duel.py").write_text(text)
    (folder / "cards.toml").write_text(CARDS)
    game = load_file(folder / "duel.py")
    return Table(game, game.load(), game.set([]), 2)


def test_a_right_game_has_no_finding(tmp_path: Path) -> None:
    assert check(table(tmp_path, DUEL)) == []


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_is_told(name: str, tmp_path: Path) -> None:
    level, words, old, new = PLANTED[name]
    text = DUEL.replace(old, new, 1)
    assert text != DUEL
    if name == "list on the class":
        text = text.replace("    def start", "    log = []\n\n    def start", 1)
    if "peek" in text:
        text = text.replace(
            "    def scores", "    def peek(self, seat):\n        pass\n\n    def scores"
        )
    found = check(table(tmp_path, text))
    assert any(one.level == level and words in one.text for one in found), found


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_examples_have_no_finding(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(path)]) == 0
    assert capsys.readouterr().out == "No mistake was found.\n"


def test_a_game_that_only_greedy_never_ends_is_told(tmp_path: Path) -> None:
    """Who keeps cards stands best, so greedy waits for ever; random players end it."""
    text = DUEL.replace(OFFER, '        yield "wait"\n' + OFFER)
    keeps = "        return len(self.hand[seat])\n\n    def wait(self, seat):\n        pass\n"
    text = text.replace("        return self.won[seat]\n", keeps)
    text = text.replace('players={"high": high},', "")
    [found] = check(table(tmp_path, text))
    assert found.level == FAULT
    assert "has not ended after 5,000 decisions" in found.text
    assert "greedy plays" in found.text


def test_a_fault_ends_with_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table(tmp_path, DUEL.replace("return list(self.won)", "return [1]"))
    assert run(["check", str(tmp_path / "duel.py")]) == 2
    assert "duel.py:" in capsys.readouterr().out
