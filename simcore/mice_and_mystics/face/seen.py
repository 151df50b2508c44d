"""A game as somebody sees it who decides for some of the mice: told, and asked for decisions.

Nobody is told what lies in a deck or what dice will show: the story tells what has happened.
"""

from collections.abc import Callable, Collection, Iterator

import numpy as np

from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.face.replay import Board, _Narrator
from simcore.mice_and_mystics.face.replay_text import counted, listed
from simcore.mice_and_mystics.table import words

#: What a mouse does at a decision point; at D1 it is told where the mouse stands.
_ASKED = {
    words.D3: "may move",
    words.D4: "decides about cards",
    words.D5: "shares or changes equipment",
    words.D6: "is placed",
    words.D9: "may react",
    words.D10: "starts with an ability",
    words.D11: "aims",
}


class Seen(_Narrator):
    """Tells a game to somebody who decides for the mice ``own``, numbers by party index.

    ``choose`` gives the number of the entry to take at each decision, of any mouse.  At a decision
    `question` and `phrases` say what is asked; `glance` and `table` show where the game stands.
    A ``brief`` story leaves that out, and tells what everybody decides.
    """

    def __init__(
        self,
        game: Game,
        own: Collection[int],
        choose: Callable[[Game], int],
        *,
        brief: bool = False,
    ) -> None:
        self._own = own
        super().__init__(game, choose, brief=brief)

    def question(self) -> str:
        """Who decides what."""
        return asked(self)

    def phrases(self) -> list[tuple[str, str]]:
        """The entries of the present decision: what is done, and to which of several."""
        return self._book.phrases(self._now, self._figure_in_place)

    def destinations(self) -> list[str]:
        """The space to which each entry leads a mouse, "" for other entries."""
        options = self._now.state["options"][: self._now["n_options"]]
        return [self._book.destination(self._now, int(option)) for option in options]

    def new_abilities(self) -> list[int]:
        """The number of the ability that each entry gives a mouse, -1 for other entries."""
        kinds = (words.OPTION_WORDS.index("START"), words.OPTION_WORDS.index("LEVEL_UP"))
        options = map(int, self._now.state["options"][: self._now["n_options"]])
        return [option >> 8 & 255 if option & 255 in kinds else -1 for option in options]

    def glance(self) -> Iterator[str | Board]:
        """Round, page, track, mice, minions, and the map."""
        if self._now["round"]:
            self._drawn = None
            yield from self._standings()
            yield from self._map()

    def table(self) -> Iterator[str | Board]:
        """The same, with what the mice have."""
        yield from self.glance()
        now, book = self._now, self._book
        for mouse in range(book.n_mice):
            worn = [book.card(card) for card in now.worn(mouse)]
            known = [
                book.ability(ability)
                for ability in range(len(book.facts.abilities))
                if now.of("abilities", mouse) >> ability & 1
            ]
            yield (
                f"  {self._name(mouse)}: equipped: {listed(worn) if worn else 'nothing'};"
                f" abilities: {listed(known) if known else 'none'}"
            )

    def _decided(self, chosen: int) -> Iterator[str]:
        """What a mouse does for which somebody else decides; briefly told, any mouse."""
        now = self._now
        if self._brief or now["decider"] not in self._own:
            lead, item = self.phrases()[chosen]
            yield f"    {self._name(now['decider'])}: {lead} {item}".rstrip() + "."


def asked(narrator: _Narrator) -> str:
    """Who decides what where the game of a narrator stands."""
    now = narrator._now
    mouse = now["decider"]
    name, point = narrator._name(mouse), np.int64(now["point"])
    if point != words.D1:
        return f"{name} {_ASKED[point]}"
    left = [counted(now["actions"], "action")]
    if not now["moved"]:
        left.insert(0, f"a move of {counted(now['allowance'], 'space')}")
    place = narrator._book.space(now, now.of("space", mouse))
    return f"{name}, on {place}, has {listed(left)} left"
