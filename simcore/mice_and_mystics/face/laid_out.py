"""Where a game stands as players would lay it out: who stands where, with what."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from card_data.mice_and_mystics.facts import Encounter, Hero, Minion
from simcore.mice_and_mystics.face.moments import Moment, bits
from simcore.mice_and_mystics.face.own_players import SeenFigure, SeenMouse, figure_seen, mouse_seen
from simcore.mice_and_mystics.face.replay import _Narrator
from simcore.mice_and_mystics.face.replay_text import LASTING, counted

_NOW, _DONE = "acts now", "has acted"
#: What is true of a mouse, by the masks that say it.
_STATES = {
    "captured": "captured",
    "missing": "missing",
    "stunned": "stunned",
    "webbed": "webbed",
    "down": "knocked down",
    "invisible": "cannot be attacked",
}
_DICE = ("battle", "defense", "lore", "move")


class LaidMouse(NamedTuple):
    """A mouse of the party: the hero, where they stand, and with what.

    ``more`` is what gear and the round add to battle, defense, lore and move, ``prices`` what each
    of ``seen.abilities`` costs this hero at least, and ``marks`` what is true of them now.
    """

    hero: Hero
    seen: SeenMouse
    more: Mapping[str, int]
    prices: tuple[int, ...]
    marks: tuple[str, ...]


class LaidMinion(NamedTuple):
    """A figure of minions with the name that the story has for it: "Roach 2"."""

    name: str
    minion: Minion
    seen: SeenFigure


class Layout(NamedTuple):
    """A position: page and wheel with their ends, the room, and who stands in it.

    ``round`` is 0 before the first one.  ``turn`` says whose turn it is, "" between turns, and
    ``track`` who follows whom, with a word on who acts and who has acted.  ``room`` is the id of
    the tile, and ``face_up`` the encounter card whose surge comes next.  ``mice_at`` and
    ``minions_at`` have the letters of the map by spaces, ``legend`` what they mean.
    """

    round: int
    page: int
    page_end: int
    wheel: int
    wheel_size: int
    goal: str
    room: str
    turn: str
    track: tuple[tuple[str, str], ...]
    mice: tuple[LaidMouse, ...]
    minions: tuple[LaidMinion, ...]
    face_up: Encounter | None
    traps: tuple[str, ...]
    mice_at: Mapping[str, str]
    minions_at: Mapping[str, Sequence[str]]
    legend: str


def laid_out(narrator: _Narrator) -> Layout:
    """Where the game of a narrator stands."""
    now, book = narrator._now, narrator._book
    facts, face_up, acting = book.facts, now["face_up"], now["acting"]
    return Layout(
        now["round"],
        now["page"],
        book.page_end,
        now["wheel"],
        int(book.row["wheel_size"]),
        narrator._goal(),
        book.tiles[now["tile"]].id,
        book.track_card(now, acting) if acting >= 0 else "",
        tuple((book.track_card(now, card), _acts(now, card)) for card in now.track),
        tuple(_mouse(narrator, mouse) for mouse in range(book.n_mice)),
        tuple(_minion(narrator, figure) for figure in now.figures),
        facts.encounters[face_up] if face_up >= 0 else None,
        tuple(book.space(now, one) for one in bits(now["mousetraps"] | now["set_traps"])),
        book.mice_standing(now),
        book.minions_standing(now),
        book.legend(now),
    )


def _acts(now: Moment, card: int) -> str:
    """Whether a card of the track acts, or has acted this round."""
    return _NOW if card == now["acting"] else _DONE * now.has("acted", card)


def _mouse(narrator: _Narrator, mouse: int) -> LaidMouse:
    """A mouse by party index."""
    now, book = narrator._now, narrator._book
    hero = now.of("hero", mouse)
    more = {name: now.of(f"gear_{name}", mouse) for name in _DICE}
    for name in ("battle", "defense"):
        more[name] += now.of(f"round_{name}", mouse)
    return LaidMouse(
        book.facts.heroes[hero],
        mouse_seen(book.table, now.state, mouse),
        more,
        tuple(
            int(book.row["abilities"][ability]["cost"][hero])
            for ability in bits(now.of("abilities", mouse))
        ),
        (*_marks(narrator, mouse),),
    )


def _marks(narrator: _Narrator, mouse: int) -> Iterator[str]:
    """What is true of a mouse now, in a few words each."""
    now, name = narrator._now, narrator._name(mouse)
    if now["acting"] == mouse:
        yield _NOW
    yield from (words for mask, words in _STATES.items() if now.has(mask, mouse))
    if poison := now.of("poison", mouse):
        yield counted(poison, "poison wound")
    for field in ("leads", "fortifies"):
        if n := now.of(field, mouse):
            yield LASTING[field].format(mouse=name, n=n, dice="die" if n == 1 else "dice")


def _minion(narrator: _Narrator, figure: int) -> LaidMinion:
    """A figure of minions by its number."""
    now, book = narrator._now, narrator._book
    kind = now.of("type", figure)
    return LaidMinion(
        narrator._figures.name(now, figure),
        book.facts.minions[kind],
        figure_seen(book.table, now.state, figure),
    )
