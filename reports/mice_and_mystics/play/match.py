"""A game of Mice & Mystics in which a person decides for some of the mice, or for all."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from card_data.faults import nearest
from card_data.mice_and_mystics.facts import Ability, Entry
from card_data.mice_and_mystics.formatter import entry_text
from reports.cli.console import InputError
from reports.kit.words import listed
from reports.mice_and_mystics.entry_text import ability_text
from reports.mice_and_mystics.play.scene import Scenes, ratings, scale
from reports.mice_and_mystics.told import story_lines
from reports.play.log import GameLog
from reports.play.match import Choice, Match, Opinion, Question
from reports.play.scene import Moment, Option, Scene
from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.face.laid_out import laid_out
from simcore.mice_and_mystics.face.replay import Board, tell
from simcore.mice_and_mystics.face.seen import Seen
from simcore.mice_and_mystics.face.steps import steps
from simcore.mice_and_mystics.play.run import read_asked
from simcore.mice_and_mystics.table.table import Table

#: Who gives hints: strong, and quick enough to be asked at any time.
ADVISER = "search:100"
#: Fields that are for those who keep the files.
_SOURCES = re.compile(r"(field_)?confidence =|source =|note =")


def new_match(log: GameLog) -> "MiceMatch":
    """The game of a log.

    Raises RunError for facts that this version reads otherwise, and what comes of a log that nobody
    can have written: CardFileError, KeyError or ValueError.
    """
    files = {name: text.encode() for name, text in log.files.items()}
    table = read_asked(log.asked, files)
    mice = {*range(table.n_mice)}
    if not log.person or not mice.issuperset(log.person):
        raise ValueError("a person decides for one or more of the mice")
    return MiceMatch(log, table)


class MiceMatch(Match):
    """One game; the person decides for the mice of ``log.person``."""

    def __init__(self, log: GameLog, table: Table) -> None:
        super().__init__(log)
        self._table = table
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
            "you" if mouse in self.log.person else self._player(mouse)
            for mouse in range(self._table.n_mice)
        ]
        return self._scenes.moments(steps(self._game, lambda _: choose()), players)

    def _lines(self, story: Iterable[str | Board]) -> Iterator[str]:
        return story_lines(story, self._table.facts)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._game.over

    @property
    def record(self) -> np.void:
        """The record of the finished game."""
        return self._game.record

    @property
    def place(self) -> int:
        """The mouse that decides."""
        return int(self._game.state["decider"])

    @property
    def n_options(self) -> int:
        """How many options there are."""
        return int(self._game.state["n_options"])

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
            *(facts.encounters, facts.minions, facts.heroes, facts.abilities, facts.search_cards),
        )
        entries = {
            word.casefold(): entry for kind in every for entry in kind for word in _words(entry)
        }
        found = entries.get(name.casefold())
        if found is None:
            guess = nearest(name, entries) if name else ""
            meant = f"; did you mean '{_words(entries[guess])[-1]}'?" if guess else "."
            what = f"There is no card '{name}' in this game" if name else "Name a card"
            raise InputError(f"{what}{meant} For instance: card {_words(facts.abilities[0])[-1]}")
        lines = [line for line in entry_text(found).splitlines() if not _SOURCES.match(line)]
        return [*lines, ability_text(found)] if isinstance(found, Ability) else lines

    def think(self, decision: int) -> Opinion:
        """What the player of the mouse chooses."""
        return self._opinion(self._player(self.place), decision)

    def _player(self, mouse: int) -> str:
        """Who decides for a mouse that is not the person's."""
        return self.log.players[mouse % len(self.log.players)]

    def hint(self, decision: int) -> Opinion:
        """What a strong player would choose."""
        return self._opinion(ADVISER, decision)

    def _opinion(self, player: str, decision: int) -> Opinion:
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
