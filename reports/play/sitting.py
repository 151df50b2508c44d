"""A game with a person in it from one question to the next: for whoever answers them in pieces.

The file of the game is all that is kept between two questions.  From it the game is told again,
which takes a moment, so it can be left, gone on with elsewhere, and taken up again at any point.
"""

from collections import deque
from contextlib import suppress

from attrs import evolve

from reports.cli.console import InputError
from reports.play.log import record_values
from reports.play.match import Match, Opinion, Question
from reports.play.told import Followed, LeftError


class Sitting:
    """A game as it stands: at a question to the person, or at its end.

    ``log`` has every decision so far, those that players have taken since it was written too;
    ``lines`` tell the game as the person sees it, of which those from ``n_known`` on came after
    their last decision.  ``question`` is None at the end.  Raises RunError, about the game called
    ``name``, where it does not go as it went.
    """

    def __init__(self, match: Match, name: str) -> None:
        self.match, self._name = match, name
        self.log = match.log
        self._stand()

    def _stand(self) -> None:
        """Go on to the next question to the person, or to the end."""
        match, log = self.match, self.log
        match.log = log
        self.lines, self.n_known = list[str](), 0
        self.question: Question | None = None

        def more(number: int) -> int:
            if match.mine:
                raise LeftError
            return match.think(number).chosen

        followed = Followed(match, self._name, more)

        def choose() -> int:
            if len(followed.done) == log.last_own:
                self.n_known = len(self.lines)
            return followed()

        with suppress(LeftError):
            for line in match.tell(choose, brief=True):
                self.lines.append(line)
        if not match.over:
            self.question = match.question()
        record = record_values(match.record) if match.over else None
        self.log = evolve(log, decisions=tuple(followed.done), record=record)

    @property
    def can_go_back(self) -> bool:
        """Whether there is a decision to take back."""
        return self.log.last_own >= 0

    def choose(self, option: int) -> None:
        """Take an option by number from 0, and go on.  Raises InputError for one there is not."""
        n_options = 0 if self.question is None else len(self.question.choices)
        if not 0 <= option < n_options:
            raise InputError("there is no such option now")
        decision = (self.match.place, option)
        self.log = evolve(self.log, decisions=(*self.log.decisions, decision))
        self._stand()

    def undo(self) -> None:
        """Take the person's last decision back.  Raises InputError where there is none."""
        if not self.can_go_back:
            raise InputError("there is no decision of yours to go back to")
        self.log = self.log.back()
        self._stand()

    def hint(self) -> Opinion:
        """What a strong player would choose.  Raises InputError at the end of the game."""
        if self.question is None:
            raise InputError("the game is over: there is nothing to choose")
        return self.match.hint(len(self.log.decisions))

    def thoughts(self) -> list[Opinion]:
        """What the others thought at their last decisions."""
        match, first = self.match, self.log.first_of_others
        match.log = self.log
        found: list[Opinion] = []
        followed = Followed(match, self._name)

        def choose() -> int:
            number = len(followed.done)
            if first <= number < len(match.log.decisions) and not match.mine:
                found.append(match.think(number))
            return followed()

        with suppress(LeftError):
            deque(match.tell(choose), maxlen=0)
        return found
