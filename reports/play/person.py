"""The person at the table: asks for their decisions, helps, takes back, and keeps the game."""

import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from pathlib import Path
from textwrap import fill
from time import monotonic

from attrs import evolve

from card_data.faults import nearest
from reports.cli.console import InputError, printable, styled, waiting
from reports.kit.words import display_name
from reports.play.log import GameLog, record_values, write_log
from reports.play.match import Match, Opinion, Question
from reports.play.told import other_game
from simcore.commands import command
from simcore.sealed import RunError

#: What can be typed besides the number of an option, and what it does.
COMMANDS = {
    "hint": "what a strong player would choose here, and how it rates each option",
    "thoughts": "what the others thought when they last chose",
    "undo": "go back to your last decision; luck falls the same way again",
    "table": "what lies where, with what the cards say",
    "card": "what a card says, as in 'card NAME'",
    "help": "this list",
    "quit": "leave; the game is kept and can be played on",
}
_ALIASES = {"?": "help", "q": "quit", "exit": "quit", "u": "undo", "h": "hint", "t": "thoughts"}
# Seconds after which a player's thinking is shown.
_LONG = 0.5

_WIDTH, _LEAST_WIDTH, _MOST_WIDTH = 80, 20, 100
#: A blank at which no line is broken.
NO_BREAK = "\N{NO-BREAK SPACE}"
#: What stands before a text: what follows a line break is indented as far.
_LABEL = re.compile(r" *\S+( \S+)? {2,}")
_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


class Screen:
    """Standard input and output; ``typed`` says whether somebody types at a terminal."""

    def __init__(self) -> None:
        self._coloured = (
            sys.stdout.isatty()
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") != "dumb"
        )
        self.typed = sys.stdin.isatty()
        if isinstance(sys.stdin, TextIOWrapper):  # what is no text is not a command either
            sys.stdin.reconfigure(errors="backslashreplace")

    def show(self, lines: Iterable[str]) -> None:
        """Print lines; what is not indented is a heading."""
        for line in lines:
            self._print(line, "" if line[:1] in ("", " ") else _BOLD)

    def add(self, lines: Iterable[str]) -> None:
        """Print lines of minor weight."""
        for line in lines:
            self._print(line, _DIM)

    def print(self, command: str) -> None:
        """Print a command in one line, so that it can be copied."""
        print(f"  {command}")

    def ask(self) -> str:
        """The next line that is typed, without blanks around it.  Raises EOFError at the end."""
        sys.stdout.flush()
        if self.typed:
            return input("> ").strip()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        print(f"> {line.strip()}")
        return line.strip()

    def _print(self, line: str, style: str) -> None:
        """Print a line, broken between words: what follows is indented a little more."""
        line = printable(line)
        label = _LABEL.match(line)
        indent = " " * (label.end() if label else len(line) - len(line.lstrip()) + 2)
        width = max(_LEAST_WIDTH, min(shutil.get_terminal_size((_WIDTH, 24)).columns, _MOST_WIDTH))
        text = fill(
            line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
        )
        text = text.replace(NO_BREAK, " ")
        if style and self._coloured:
            print(f"{style}{text}{_PLAIN}", file=styled(sys.stdout))
        else:
            print(text)


class _TakenBackError(Exception):
    """The person takes their last decision back."""


class _LeftError(Exception):
    """The person leaves; the message says why."""


class Person:
    """Lets a person play a game, which is kept in ``file``."""

    def __init__(self, match: Match, file: Path, screen: Screen) -> None:
        self._match, self._file, self._screen = match, file, screen
        self._log = match.log
        self._begin()

    def _begin(self) -> None:
        """Stand at the beginning of the game, with the decisions of the log to be taken first."""
        self._done: list[tuple[int, int]] = []
        self._opinions: list[Opinion] = []  # of the last players who decided, one after another
        self._quiet = bool(self._log.decisions)
        self._slow = False

    def play(self) -> GameLog:
        """Play to the end of the game, or until the person leaves; the game as it was left."""
        try:
            while self._tell():
                self._begin()
        except _LeftError as left:
            self._screen.show([str(left)] if str(left) else [])
        except KeyboardInterrupt:
            self.keep()
            raise KeyboardInterrupt(f"the game is kept; {self._command('play')} goes on") from None
        self.keep()
        self._tell_what_is_kept()
        return self._log

    def _tell(self) -> bool:
        """Tell the game to its end; whether something was taken back, so that it is told again."""
        unheard: list[str] = []
        try:
            for line in self._match.tell(self._choose):
                if self._quiet:
                    unheard = [*unheard[-1:], line]
                else:
                    self._screen.show([line])
            if self._quiet:
                self._screen.show(unheard)
            record = record_values(self._match.record)
            self._log = evolve(self._log, decisions=tuple(self._done), record=record)
            self.keep()
            self._after()
        except _TakenBackError:
            self._log = self._now.back()
            return True
        return False

    @property
    def _now(self) -> GameLog:
        """The game with every decision so far."""
        return evolve(self._log, decisions=tuple(self._done))

    # ------------------------------------------------------------ decisions

    def _choose(self) -> int:
        """The option of the present decision: of the log, the person's, or another player's."""
        match, number = self._match, len(self._done)
        if number < len(self._log.decisions):
            option = self._logged(number)
        elif match.mine:
            self._hear()
            option = self._ask()
        else:
            self._hear()
            option = self._think(number)
        self._done.append((match.place, option))
        if match.mine and not self._quiet:
            self._log = self._now
            if self._screen.typed:  # a script can be repeated, and is done at once
                self.keep()
        return option

    def _logged(self, number: int) -> int:
        """A decision of the log.  Raises RunError where the game is another one by now."""
        who, option = self._log.decisions[number]
        if who != self._match.place or not 0 <= option < self._match.n_options:
            raise RunError(other_game(str(self._file)))
        if number >= self._log.first_of_others and not self._match.mine:
            self._opinions.append(self._match.think(number))
        return option

    def _hear(self) -> None:
        """Show where the game stands when its log has been taken to the end."""
        if self._quiet:
            self._quiet = False
            self._screen.show(["", *self._match.glance()])

    def _think(self, number: int) -> int:
        """What the player whose decision it is chooses."""
        began = monotonic()
        if self._slow:
            with waiting("thinking"):
                opinion = self._match.think(number)
        else:
            opinion = self._match.think(number)
        self._slow = monotonic() - began > _LONG
        if self._done and self._done[-1][0] in self._log.person:
            self._opinions = []
        self._opinions.append(opinion)
        return opinion.chosen

    # ------------------------------------------------------------ asking

    def _ask(self) -> int:
        """The option that the person takes."""
        question = self._match.question()
        self._put(question)
        while True:
            typed = self._read()
            if not typed:
                self._put(question)
            elif typed.isdecimal():
                number = int(typed[:9])
                if 1 <= number <= len(question.choices):
                    return number - 1
                self._refuse(f"There is no option {typed[:9]}", "", len(question.choices))
            else:
                self._obey(typed, question)

    def _after(self) -> None:
        """What can still be typed when the game is over."""
        self._screen.add(
            ["The game is over. 'undo' goes back to your last decision; 'quit' or Enter ends."]
        )
        while typed := self._read():
            if typed.isdecimal():
                self._refuse("There is nothing to choose any more", "", 0)
            else:
                self._obey(typed, Question("", ()))
        raise _LeftError

    def _read(self) -> str:
        """What is typed next."""
        try:
            return self._screen.ask()
        except EOFError:
            raise _LeftError("End of input." if not self._match.over else "") from None

    def _put(self, question: Question) -> None:
        """Show what is to be decided: options that do the same to several things in one line."""
        self._screen.show([f"{question.asked}:"])
        told: set[str] = set()
        for members in question.groups:
            if len(members) > 1:
                items = ", ".join(_numbered(number, choice.item) for number, choice in members)
                self._screen.show([f"      {members[0][1].text}: {items}"])
                continue
            [(number, choice)] = members
            note = "" if choice.note in told else choice.note
            told.add(choice.note)
            self._screen.show(
                [f"  {number + 1:2}  {choice.whole}" + (f" – {note}" if note else "")]
            )

    def _obey(self, typed: str, question: Question) -> None:
        """Do what a command asks for."""
        word, _, rest = typed.partition(" ")
        command = _ALIASES.get(word.casefold(), word.casefold())
        if command not in COMMANDS or (rest and command != "card"):
            texts = [choice.whole for choice in question.choices]
            guess = nearest(typed, [*COMMANDS, *texts])
            if guess in texts:
                guess = f"{texts.index(guess) + 1} ({guess})"
            self._refuse(f"'{display_name(typed, 40)}' is not a command", guess, len(texts))
        elif command == "quit":
            raise _LeftError
        elif command == "undo":
            if self._now.last_own >= 0:
                raise _TakenBackError
            self._screen.add(["There is no decision of yours to go back to."])
        elif command == "card":
            self._card(rest.strip())
        elif command == "table":
            self._screen.show(self._match.table())
        elif command == "hint":
            self._hint()
        elif command == "thoughts":
            self._thoughts()
        else:
            self._screen.show(
                ["The number of an option chooses it; Enter shows the options again."]
            )
            self._screen.show(f"  {name:9} {text}" for name, text in COMMANDS.items())

    def _refuse(self, what: str, guess: str, n_options: int) -> None:
        """Say in a line what cannot be done, and what can."""
        meant = f"; did you mean {guess}?" if guess else "."
        numbers = f"a number from 1 to {n_options} or " if n_options else ""
        self._screen.add([f"{what}{meant} Type {numbers}one of: {', '.join(COMMANDS)}."])

    def _card(self, name: str) -> None:
        """Show a card."""
        try:
            self._screen.show(f"  {line}" for line in self._match.card(name))
        except InputError as error:
            self._screen.add([str(error)])

    # ------------------------------------------------------------ help

    def _hint(self) -> None:
        """What a strong player would do."""
        if self._match.over:
            self._screen.add(["The game is over: there is nothing to choose."])
            return
        opinion = self._match.hint(len(self._done))
        choice = f"{opinion.player} would choose {opinion.chosen + 1}, {opinion.choice}"
        if opinion.ratings:
            self._screen.show([f"{choice}."])
            self._show_scale([opinion])
            self._show_ratings(opinion, numbered=True)
        else:
            self._screen.show([f"{choice}, and rates no options here."])

    def _thoughts(self) -> None:
        """What the others thought."""
        if not self._opinions:
            self._screen.add(["Nobody else has decided anything yet."])
        self._show_scale(self._opinions)
        for opinion in self._opinions:
            self._screen.show([f"{opinion.asked}: {opinion.choice}."])
            self._show_ratings(opinion, numbered=False)

    def _show_scale(self, opinions: Sequence[Opinion]) -> None:
        """What the ratings mean, if there are any."""
        scales = [f"{opinion.scale}:" for opinion in opinions if opinion.ratings]
        self._screen.add(scales[:1])

    def _show_ratings(self, opinion: Opinion, *, numbered: bool) -> None:
        """The options with what a player thought of them."""
        if not opinion.ratings:
            self._screen.add([f"  {opinion.player} rates no options here."])
        for number, option in opinion.ratings:
            mark = " ←" if number == opinion.chosen else ""
            name = f"{number + 1:2}  {option.whole}" if numbered else option.whole
            self._screen.show([f"  {option.thought:>6}  {name}{mark}"])
        if opinion.n_hidden:
            cards = "a card" if opinion.n_hidden == 1 else f"{opinion.n_hidden} cards"
            self._screen.add([f"          and options with {cards} that you cannot see"])

    # ------------------------------------------------------------ keeping

    def keep(self) -> None:
        """Write the file of the game.  Raises RunError where that cannot be done."""
        write_log(self._log, self._file)

    def _tell_what_is_kept(self) -> None:
        """The commands about the file."""
        if self._match.over:
            self._screen.show(["The game is kept. To have it told:"])
            self._screen.print(self._command("replay"))
        else:
            self._screen.show(["The game is kept. To go on, and to have it told so far:"])
            self._screen.print(self._command("play"))
            self._screen.print(self._command("replay"))

    def _command(self, name: str) -> str:
        """A command about the file, as it is typed."""
        return command(name, self._file, **self._match.named)


def _numbered(number: int, item: str) -> str:
    """An option by its number; one that is itself a number stands in brackets."""
    shown = f"({item})" if item[:1].isdigit() else item
    return f"{number + 1} {shown}".replace(" ", NO_BREAK)
