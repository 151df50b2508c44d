"""A game of Mice & Mystics in which a person decides for some of the mice, or for all."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from card_data.mice_and_mystics.facts import Ability, Entry
from card_data.mice_and_mystics.formatter import entry_text
from reports.kit.words import listed
from reports.mice_and_mystics.entry_text import ability_text
from reports.mice_and_mystics.play.scene import Scenes, ratings, scale
from reports.mice_and_mystics.told import story_lines
from reports.play.log import GameLog
from reports.play.match import Choice, Match, Opinion, Question, entry_called
from reports.play.scene import Moment, Option, Scene
from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.face.laid_out import laid_out
from simcore.mice_and_mystics.face.replay import Board, tell
from simcore.mice_and_mystics.face.seen import Seen
from simcore.mice_and_mystics.face.steps import steps
from simcore.mice_and_mystics.play.run import read_asked

if TYPE_CHECKING:
    from analysis.mice_and_mystics.story import Judge

#: Fields that are for those who keep the files.
_SOURCES = re.compile(r"(field_)?confidence =|source =|note =")


class MiceMatch(Match):
    """One game; the person decides for the mice of ``log.person``.

    Raises RunError for facts that this version reads otherwise, and what comes of a log that nobody
    can have written: CardFileError, KeyError or ValueError.
    """

    adviser = "search:100"

    def __init__(self, log: GameLog) -> None:
        super().__init__(log)
        self._table = table = read_asked(log.asked, log.data)
        if not log.person or not {*range(table.n_mice)}.issuperset(log.person):
            raise ValueError("a person decides for one or more of the mice")
        self._scenes = Scenes(table.facts, table.settings.chapter, log.person)
        self._begin(lambda: 0)

    def _begin(self, choose: Callable[[], int], *, brief: bool = False) -> None:
        """Deal the game anew."""
        log = self.log
        self._game = Game(
            self._table,
            seed=log.seed,
            game=log.number,
            players=log.players,
            to_decision=False,
        )
        self._seen = Seen(self._game, log.person, lambda _: choose(), brief=brief)

    @property
    def who(self) -> str:
        """The mice of the person, and who decides for the others."""
        heroes = self._table.facts.heroes
        names = [heroes[hero].name for hero in self._game.state["hero"][: self._table.n_mice]]
        mine = [names[mouse] for mouse in self.log.person]
        if len(mine) == self._table.n_mice:
            return "you play all mice"
        others = listed(dict.fromkeys(self.log.players))
        return f"you play {listed(mine)}, {others} the others"

    def tell(
        self, choose: Callable[[], int], *, openly: bool = False, brief: bool = False
    ) -> Iterator[str]:
        """Play the game and tell it."""
        self._begin(choose, brief=brief)
        return self._lines(tell(self._game, lambda _: choose()) if openly else self._seen.tell())

    def moments(self, choose: Callable[[], int]) -> list[Moment]:
        """Play the game and tell it move by move."""
        self._begin(choose)
        players = [
            "you" if mouse in self.log.person else self.player(mouse)
            for mouse in range(self._table.n_mice)
        ]
        return self._scenes.moments(steps(self._game, lambda _: choose()), players)

    @property
    def judge(self) -> "Judge":
        """How ``search`` judges."""
        from analysis.mice_and_mystics.story import Judge

        return Judge(self._table, self.log.seed)

    def _lines(self, story: Iterable[str | Board]) -> Iterator[str]:
        return story_lines(story, self._table.facts)

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What was asked, and heroes and search cards by their places in the record."""
        kinds = {"heroes": self._table.facts.heroes, "cards": self._table.facts.search_cards}
        return {
            **self.log.asked,
            **{kind: [one.id for one in there] for kind, there in kinds.items()},
        }

    @property
    def record(self) -> np.void:
        """The record of the finished game."""
        return self._game.record

    @property
    def place(self) -> int:
        """The mouse that decides."""
        return int(self._game.state["decider"])

    def question(self) -> Question:
        """What the person decides."""
        abilities = self._table.facts.abilities
        choices = [
            Choice(lead, item, "" if card < 0 else ability_text(abilities[card]), space)
            for (lead, item), card, space in zip(
                *(self._seen.phrases(), self._seen.new_abilities(), self._seen.destinations()),
                strict=True,
            )
        ]
        return Question(self._seen.question(), choices)

    def glance(self) -> Iterator[str]:
        """Round, mice, minions and map."""
        return self._lines(self._seen.glance())

    def table(self) -> Iterator[str]:
        """The same, with what the mice have."""
        return self._lines(self._seen.table())

    def scene(self) -> Scene:
        """The room, and the party with what they have."""
        return self._scenes.scene(laid_out(self._seen))

    def card(self, name: str) -> Sequence[str]:
        """What the entry of a card, ability, hero, minion or encounter says."""
        facts = self._table.facts
        every: tuple[tuple[Entry, ...], ...] = (
            *(facts.abilities, facts.encounters, facts.minions, facts.heroes, facts.search_cards),
        )
        entries = {
            word.casefold(): entry for kind in every for entry in kind for word in _words(entry)
        }
        found = entry_called(name, entries)
        lines = [line for line in entry_text(found).splitlines() if not _SOURCES.match(line)]
        return [*lines, ability_text(found)] if isinstance(found, Ability) else lines

    def opinion(self, player: str, decision: int) -> Opinion:
        """What a player chooses at the present decision, and thinks of the options."""
        game = self._game
        chosen = game.choose(player, (self.log.seed, self.log.number, decision))
        phrases, now = self._seen.phrases(), game.state["round"]
        thoughts = ratings(game.thoughts, len(phrases))
        options = [
            Option(*phrase, thought=thought)
            for phrase, thought in zip(phrases, thoughts, strict=True)
        ]
        return Opinion(
            player=player,
            asked=f"{f'Round {now}' if now else 'Setting up'}. {self._seen.question()}",
            chosen=chosen,
            choice=options[chosen].whole,
            scale=scale(game.thoughts, player),
            ratings=[(number, option) for number, option in enumerate(options) if option.thought],
        )


def _words(entry: Entry) -> tuple[str, ...]:
    """What an entry is called: its id and its name."""
    return (entry.id, entry.name) if entry.name else (entry.id,)
