"""`fairdeal check`: mistakes planted one at a time are told, and right games have none."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from reports.cli.app import run
from simcore.contract import loops
from simcore.contract.compiled import layout
from simcore.contract.finding import load_file
from simcore.contract.play import Table
from simcore.contract.state import Checked
from simcore.own_games.check import check, measured
from simcore.own_games.check.findings import FAULT, LOOK, WARNING
from support.own_games import EXAMPLES, KUHN, KUHN_CARDS

DUEL = """
from fairdeal import Cards, Choice, Game, Kind, Number, Rules, Setting, Whole, Words

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


@pytest.fixture(autouse=True)
def few_contests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search plays for one second, in place of five."""
    monkeypatch.setattr(measured, "_CONTESTED", 1.0)


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled: no finding is about that."""
    monkeypatch.setattr("simcore.own_games.check.COMPILING", math.inf)


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
    "scores change state": (
        FAULT,
        "scores changes",
        "        return list(self.won)",
        "        self.won[0] += 1\n        return list(self.won)",
    ),
    "scores draw luck": (
        FAULT,
        "scores changes the game or draws luck",
        "return list(self.won)",
        "return [self.rng.below(3, 'x'), 1]",
    ),
    "list on the class": (
        FAULT,
        "goes otherwise when it is played again: games change log, which stands on the class",
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
    "order of a set": (
        FAULT,
        "goes otherwise in another process",
        OFFER + '            yield "play", card\n',
        '        return {("play", card) for card in self.hand[seat]}\n',
    ),
    "an open hand": (
        LOOK,
        "hand gets cards that nobody has seen",
        'hand = Cards(6, per_seat=True, seen_by="owner")',
        "hand = Cards(6, per_seat=True)",
    ),
    "an open deck": (
        LOOK,
        "deck is shuffled, and everybody sees in which order",
        'deck = Cards(12, seen_by="nobody")',
        "deck = Cards(12)",
    ),
    "an open secret": (
        LOOK,
        "secret of each seat comes by lot, and everybody sees it",
        "        self.acting = 0\n",
        "        for seat in range(2):\n"
        "            self.secret[seat] = self.rng.roll(6, 'secret', seat)\n"
        "        self.acting = 0\n",
    ),
    "a place before the first": (
        LOOK,
        "duel.py:23: self.won[-1] is counted from the end",
        "self.won[seat] += card.rank",
        "self.won[seat - 1] += card.rank",
    ),
    "the own hand dealt anew": (
        FAULT,
        "sees something else in an imagined game",
        "    def scores",
        "    def hidden(self, seat, rng):\n        self.hand[seat].shuffle()\n\n    def scores",
    ),
    "asked with an answer only": (
        FAULT,
        "and gives them away",
        "self.acting = 1 - seat if self.hand[1 - seat] else None",
        "self.acting = self.next(1 - seat)",
    ),
    "possible refuses all else": (
        WARNING,
        "every imagined game was the true one",
        "    def scores",
        "    def could_hold(self, seat, card, zone, place):\n        return False\n\n"
        "    def scores",
    ),
    "a player who peeks": (
        WARNING,
        "player high chooses by cards that its seat does not see",
        "return max(options, key=lambda option: option[1].rank)",
        "return options[sum(card.rank for card in game.hand[1 - seat]) % len(options)]",
    ),
    "a function in the state": (
        FAULT,
        "self.key holds a function",
        "        self.acting = 0\n",
        "        self.acting = 0\n        self.key = lambda card: card.rank\n",
    ),
    "a generator in the state": (
        FAULT,
        "self.next holds a generator",
        "        self.acting = 0\n",
        "        self.acting = 0\n        self.next = (n for n in range(3))\n",
    ),
    "one list in two places": (
        WARNING,
        "one list stands in two places of self.lanes",
        "        self.acting = 0\n",
        "        self.acting = 0\n        self.lanes = [[0]] * 3\n",
    ),
    "one list, two names": (
        WARNING,
        "one list stands in two places of self.mine and self.yours",
        "        self.acting = 0\n",
        "        self.acting = 0\n        self.mine = self.yours = [0]\n",
    ),
    "a list in the module that changes few games": (
        FAULT,
        "goes otherwise in another process: games change LOG, which stands",
        "        self.won[seat] += card.rank\n",
        "        LOG.append(1)\n        self.won[seat] += card.rank + (len(LOG) > 9)\n",
    ),
    "a word that no card has": (
        WARNING,
        "'wnig' is no word of words; did you mean 'wing'? Allowed here: wing, fin.",
        "self.won[seat] += card.rank",
        "self.won[seat] += card.rank * (2 if 'wnig' in card.words else 1)",
    ),
    "a word that no state has": (
        WARNING,
        "'dy' is no word of phase",
        "self.won[seat] += card.rank",
        "self.won[seat] += card.rank * (2 if self.phase in ('dy', 'night') else 1)",
    ),
    "a word beside a list": (
        WARNING,
        "words is a list, which never equals a word: write 'fin' in",
        "self.won[seat] += card.rank",
        "self.won[seat] += card.rank * (2 if card.words == 'fin' else 1)",
    ),
    "an entry that never comes": (
        WARNING,
        "card 'c6' never came up in 40 games",
        'self.deck.fill(self.setup.deck("card"))',
        'self.deck.fill([one for one in self.setup.deck("card") if one.rank < 6])',
    ),
    "a field never read": (
        WARNING,
        "rank of cards changes nothing in 200 games",
        "self.won[seat] += card.rank",
        "self.won[seat] += self.rng.below(3, 'won')",
    ),
    "a setting ignored": (
        WARNING,
        "the setting rounds changes nothing in 200 games",
        "kinds=[",
        'settings=[Setting("rounds", Whole(1, 9), 3)], kinds=[',
    ),
    "a value that breaks a rule": (
        FAULT,
        "C1: rank 9 instead of 1",
        "self.won[seat] += card.rank",
        "self.won[seat] += [0, 1, 2, 3, 4, 5, 6, 7, 8][card.rank]",
    ),
    "a rule by name": (
        WARNING,
        "games go otherwise where cards have other names",
        "self.won[seat] += card.rank",
        "self.won[seat] += 9 if card.name == 'C3' else card.rank",
    ),
    "over 200 options": (
        WARNING,
        "over 200 options",
        OFFER,
        OFFER + '            for n in range(90):\n                yield "wait", n\n',
    ),
    "a loop without end": (FAULT, "does a loop of it never end?", OFFER, "{LOOP}" + OFFER),
    "all draws": (WARNING, "end in a draw", "return list(self.won)", "return [0, 0]"),
}


def table(folder: Path, text: str) -> Table:
    (folder / "duel.py").write_text(text)
    (folder / "cards.toml").write_text(CARDS)
    game = load_file(folder / "duel.py")
    return Table(game, game.load(), game.set([]), 2)


def test_a_right_game_has_no_finding(tmp_path: Path) -> None:
    assert check(table(tmp_path, DUEL)).findings == []


#: What stands before the rules, and the fields of cards with words.
BEFORE = {"a list in the module that changes few games": "LOG = []\n\n"}
WORDED = '{"rank": Whole(1, 9), "words": Words(["wing", "fin"], default=[])}'
#: What else stands in the rules where a mistake needs it: before a method, its text.
BESIDE = {
    "a word that no state has": '    phase = Choice(["day", "night"])\n\n',
    "list on the class": "    log = []\n\n",
    "options show hidden cards": "    def peek(self, seat):\n        pass\n\n",
    "asked with an answer only": (
        "    def next(self, foe):\n"
        "        if not self.hand[0] and not self.hand[1]:\n            return None\n"
        "        strong = any(card.rank > 3 for card in self.hand[foe])\n"
        "        return foe if strong or not self.hand[1 - foe] else 1 - foe\n\n"
    ),
    "an open secret": "    secret = Number(per_seat=True)\n\n",
    "over 200 options": (
        "    def wait(self, seat, n):\n        self.play(seat, self.hand[seat][0])\n\n"
    ),
}


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_is_told(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loops, "_SECONDS", 0.3)
    level, words, old, new = PLANTED[name]
    text = DUEL.replace(
        old, new.replace("{LOOP}", "        while seat == 1:\n            pass\n"), 1
    )
    assert text != DUEL
    text = text.replace("class Duel", BEFORE.get(name, "") + "class Duel", 1)
    if "word" in name:
        text = text.replace('{"rank": Whole(1, 9)}', WORDED)
    text = text.replace("    def start", BESIDE.get(name, "") + "    def start", 1)
    found = check(table(tmp_path, text)).findings
    assert any(one.level == level and words in one.text for one in found), found


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("name", ["an open hand", "an open deck", "an open secret"])
def test_a_look_is_answered_in_the_file(name: str, tmp_path: Path) -> None:
    """What everybody sees on purpose says so."""
    _, _, old, new = PLANTED[name]
    text = DUEL.replace(old, new, 1).replace(
        "    def start", BESIDE.get(name, "") + "    def start", 1
    )
    for open_one in (
        "hand = Cards(6, per_seat=True",
        "deck = Cards(12",
        "secret = Number(per_seat",
    ):
        text = re.sub(
            rf"({re.escape(open_one)}[^)]*?)(, seen_by=\"\w+\")?\)", r'\1, seen_by="all")', text
        )
    assert check(table(tmp_path, text)).findings == []


@pytest.mark.usefixtures("uncompiled")
def test_a_place_from_the_end_that_is_meant(tmp_path: Path) -> None:
    """A written number, or a remainder, says so; what is checked plays as before."""
    old = "self.won[seat] += card.rank"
    for new in ("self.won[(seat - 1) % 2] += self.gone[-1].rank", f"self.won[-1] = 0; {old}"):
        assert check(table(tmp_path, DUEL.replace(old, new))).findings == []
    assert "__getitem__" not in vars(Checked)


def test_options_that_change_the_game_are_told_once(tmp_path: Path) -> None:
    """Not also as a game that its seat imagines otherwise."""
    _, words, old, new = PLANTED["options change state"]
    [found] = check(table(tmp_path, DUEL.replace(old, new, 1))).findings
    assert f"duel.py:17: {words}" in found.text


def test_kuhn_poker_has_no_finding(tmp_path: Path) -> None:
    (tmp_path / "kuhn.py").write_text(KUHN)
    (tmp_path / "cards.toml").write_text(KUHN_CARDS)
    game = load_file(tmp_path / "kuhn.py")
    report = check(Table(game, game.load(), {}, 2))
    assert report.findings == [] and report.missed == []


def test_forms_that_differ_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the first place where they do; the compiled form is not timed then."""
    monkeypatch.setattr(layout.Layout, "as_interpreted", lambda *_: {"won": [9, 9]})
    report = check(table(tmp_path, DUEL))
    [found] = report.findings
    assert found.level == WARNING
    assert "game 0 of seed 0, turn 1: won are others when compiled" in found.text
    assert [*report.seen[2].speeds] == ["as they are"]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_examples_have_no_finding(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith(": no mistakes were found.")


def test_a_game_that_only_greedy_never_ends_is_told(tmp_path: Path) -> None:
    """Who keeps cards stands best, so greedy waits for ever; random players end it."""
    text = DUEL.replace(OFFER, '        yield "wait"\n' + OFFER)
    keeps = "        return len(self.hand[seat])\n\n    def wait(self, seat):\n        pass\n"
    text = text.replace("        return self.won[seat]\n", keeps)
    text = text.replace('players={"high": high},', "")
    [found] = check(table(tmp_path, text)).findings
    assert found.level == FAULT
    assert "has not ended after 5,000 decisions" in found.text
    assert "greedy plays" in found.text


def test_what_was_seen_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table(tmp_path, DUEL)
    assert run(["check", str(tmp_path / "duel.py")]) == 0
    told = capsys.readouterr().out
    assert "40 games of 2 random players: 6 decisions a game" in told
    assert "  nobody: deck\n  its seat: hand\n  everybody: gone\n" in told
    assert run(["check", str(tmp_path / "duel.py"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["findings"] == []
    assert said["complete"]
    assert said["games"]["2"]["decisions"] == [6, 6, 6]
    assert said["games"]["2"]["chosen"] == {"play": 1}
    speeds = said["games"]["2"]["a_second"]
    assert speeds["compiled"]["games"] > 5 * speeds["as they are"]["games"] > 500
    assert speeds["compiled"]["decisions"] == pytest.approx(6 * speeds["compiled"]["games"])
    search = said["games"]["2"]["search"]
    assert [*search] == ["random", "greedy", "high"]
    assert all(one["better"] + one["worse"] <= one["games"] <= 20 for one in search.values())
    assert re.search(r"of \d+ games against high\.", told)
    assert said["seen_by"] == {"deck": "nobody", "hand": "its seat", "gone": "everybody"}


def test_one_line_has_one_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """However many cards, values and games lead to it; what was chosen adds up to all."""
    text = DUEL.replace("self.won[seat] += card.rank", "self.hand[1 - seat].move(card, self.gone)")
    table(tmp_path, text)
    assert run(["check", str(tmp_path / "duel.py"), "--json"]) == 2
    said = json.loads(capsys.readouterr().out)
    line = 1 + text[: text.index("self.hand[1 - seat].move")].count("\n")
    places = [f"duel.py:{line}:" in one["text"] for one in said["findings"]]
    assert places.count(True) == 1
    for numbers in said["games"].values():
        assert numbers["forced"] <= 1
        assert sum(numbers["chosen"].values()) == pytest.approx(1)


def test_without_time_it_says_so(tmp_path: Path) -> None:
    report = check(table(tmp_path, DUEL), seconds=0)
    assert report.missed[0] == "whole games"
    assert report.missed[-1] == "whether compiled games are the same"
    assert report.findings == []


def test_a_fault_ends_with_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table(tmp_path, DUEL.replace("return list(self.won)", "return [1]"))
    assert run(["check", str(tmp_path / "duel.py")]) == 2
    assert "duel.py:" in capsys.readouterr().out
