"""The words of the narrator: what figures, cards, dice, options and lasting effects are called."""

from collections.abc import Callable, Iterable, Sequence

from card_data.mice_and_mystics.facts import Chapter, Face, Group, Tile, by_id
from simcore.mice_and_mystics.face.moments import Moment, bits
from simcore.mice_and_mystics.table import words
from simcore.mice_and_mystics.table.limits import FIGURES, MICE
from simcore.mice_and_mystics.table.table import Table

_BYTE = 255
_EDGES = {"N": "north", "E": "east", "S": "south", "W": "west"}
_PLAIN = {
    "END": "end the turn",
    "STAND": "stand up",
    "SEARCH": "search",
    "SCURRY": "scurry",
    "RECOVER": "recover",
    "EQUIP": "change equipment",
    "STAY": "stay",
    "STOP": "stop",
    "GIVE_CHEESE": "give 1 cheese",
    "TAKE_CHEESE": "take 1 cheese",
    "PASS": "pass",
}
_SPACES = {
    "LEAVE_WATER": "leave the water for",
    "SWIM": "swim to",
    "MOVE": "move to",
    "PLACE": "go to",
}
_MICE = {"HEAL": "heal", "SHARE": "share with"}
_CARDS = {
    "DROP": "discard",
    "PICK": "take",
    "TAKE_OFF": "take off",
    "GIVE": "give",
    "TAKE": "take",
    "TRICK": "use",
}
_MOST_ITEMS = 8  # of a group of options that are named one by one
_SYMBOLS = {"sword_shield": "sword-shield"}
#: Numbers of a mouse that last until the end of the round, or longer, and what they are said to be.
LASTING = {
    "round_battle": "until the end of the round weapon attacks of {mouse} have {n} more {dice}",
    "round_defense": "until the end of the round {mouse} defends with {n} more {dice}",
    "leads": "until the end of the round weapon attacks of the other mice have {n} more {dice}",
    "fortifies": "until the next turn of {mouse} all mice defend with {n} more {dice}",
}


def of(name: str) -> str:
    """What belongs to somebody: "Tilda's"."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def counted(n: int, thing: str, things: str = "") -> str:
    """A number of things: "1 hit", "2 hits"."""
    return f"{n} {thing if n == 1 else things or thing + 's'}"


def dice_of(n: int) -> str:
    """A number of dice."""
    return counted(n, "die", "dice")


def listed(items: Iterable[str], last: str = "and") -> str:
    """Words in a sentence: "a, b and c"."""
    items = list(items)
    return f" {last} ".join((*[", ".join(items[:-1])], items[-1])) if len(items) > 1 else items[0]


def sentence(text: str) -> str:
    """A text that begins with a capital and ends with a full stop."""
    return f"{text[0].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")


def several(name: str) -> str:
    """The name of several minions of a type: "Roaches"."""
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"


def short_names(ids: Sequence[str], least: int) -> list[str]:
    """For each id the beginning that no other has, of at least so many letters."""
    found = []
    for one in ids:
        n = least
        while n < len(one) and any(o != one and o[:n] == one[:n] for o in ids):
            n += 1
        found.append(one[:n])
    return found


class Book:
    """What everything in a game is called."""

    def __init__(self, table: Table) -> None:
        self.table, self.row = table, table.rows[0]
        facts, ids = table.facts, table.ids
        self.facts = facts
        rooms = by_id(facts.tiles)
        self.tiles: list[Tile] = [rooms[one] for one in ids["tiles"]]
        self.chapter: Chapter = by_id(facts.chapters)[table.settings.chapter]
        self.page_end = int(self.row["page_end"])
        self.n_mice = table.n_mice
        own = (rule for rule in self.chapter.room_rules if rule.op == "surge_minions")
        #: What surges bring in rooms that say so themselves, by room.
        self.surges = {ids["tiles"].index(rule.tile): rule.minions for rule in own}
        self._boss_cards = [(boss, card.id) for boss in facts.minions for card in boss.cards]
        self._minion_ids = [minion.id for minion in facts.minions]
        self._tags = short_names(self._minion_ids, 2)

    # ------------------------------------------------------------ names

    def hero(self, now: Moment, mouse: int) -> str:
        """A mouse by its name."""
        return self._name(self.facts.heroes[now.of("hero", mouse)])

    def card(self, card: int) -> str:
        """A search card by its name."""
        return self._name(self.facts.search_cards[card])

    def ability(self, ability: int) -> str:
        """An ability card by its name."""
        return self._name(self.facts.abilities[ability])

    def encounter(self, card: int) -> str:
        """An encounter card by its name."""
        return self._name(self.facts.encounters[card])

    def minion(self, kind: int) -> str:
        """A type of minion by its name."""
        return self._name(self.facts.minions[kind])

    def _name(self, entry: object) -> str:
        return str(getattr(entry, "name", "") or getattr(entry, "id", ""))

    def room(self, tile: int) -> str:
        """A room by its number and name."""
        return f"room {self.tiles[tile].id}, {self.tiles[tile].name}"

    def space(self, now: Moment, space: int) -> str:
        """A space of the present tile by its id."""
        return self.table.spaces[now["tile"]][space]

    def track_card(self, now: Moment, card: int) -> str:
        """A card of the initiative track."""
        if card < MICE:
            return self.hero(now, card)
        return self.kind(card - MICE)

    def kind(self, kind: int) -> str:
        """All minions of a type: "the Rat Warriors", "the Spider", or a boss by its name.

        A card of a boss that has several is a type here, too: "Brodie (chase)".
        """
        if kind >= len(self.facts.minions):
            boss, card = self._boss_cards[kind - len(self.facts.minions)]
            return f"{self._name(boss)} ({card})"
        if self.facts.minions[kind].boss:
            return self.minion(kind)
        name = self.minion(kind)
        return f"the {name if self.is_single(kind) else several(name)}"

    def does(self, card: int, verb: str) -> str:
        """A verb as it stands behind `track_card`."""
        return verb if card >= MICE and not self.is_single(card - MICE) else f"{verb}s"

    def is_single(self, kind: int) -> bool:
        """Whether there is at most one figure of a type."""
        if kind >= len(self.facts.minions):
            return True
        minion = self.facts.minions[kind]
        return minion.boss or minion.figure_limit == 1

    def groups(self, groups: Iterable[Group]) -> str:
        """Numbers of minions: "3 Rat Warriors and 1 Spider"."""
        return listed(self.several(self._minion_ids.index(one.type), one.count) for one in groups)

    def several(self, kind: int, n: int) -> str:
        """So many minions of a type; a boss by name."""
        name = self.minion(kind)
        if self.facts.minions[kind].boss and n == 1:
            return name
        return counted(n, name, several(name))

    def card_of(self, kind: int) -> int:
        """The type whose initiative card a type uses."""
        return int(self.row["minions"]["card"][kind])

    def cards_of(self, now: Moment, kind: int) -> set[int]:
        """The cards of the track by which minions of a type act."""
        one = self.row["minions"][kind]
        rows = range(int(one["first_card"]), int(one["first_card"] + one["n_cards"]))
        several = {MICE + row for row in rows if now["boss_cards"] >> MICE + row & 1}
        return several if one["n_cards"] else {MICE + int(one["card"])}

    def defense(self, now: Moment, figure: int) -> int:
        """Dice of defense of a figure: of a boss those of its highest card."""
        kind = now.of("type", figure)
        track = [int(card) for card in now.state["track"][: now["n_track"]]]
        cards = self.cards_of(now, kind) if self.facts.minions[kind].cards else set()
        row = next((card - MICE for card in track if card in cards), kind)
        return int(self.row["minions"]["defense"][row])

    # ------------------------------------------------------------ dice

    def faces(self, dice: Sequence[int]) -> str:
        """What dice show, a star marked by an asterisk."""
        return ", ".join(self._face(self.facts.die.faces[face]) for face in dice)

    def _face(self, face: Face) -> str:
        return _SYMBOLS.get(face.symbol, face.symbol) + ("*" if face.star else "")

    def total(self, dice: Sequence[int], what: str) -> int:
        """How often dice show a star, a number, a melee or ranged hit, a shield or cheese."""
        return sum(int(getattr(self.facts.die.faces[face], what)) for face in dice)

    # ------------------------------------------------------------ the tile

    def standing(self, now: Moment) -> dict[str, tuple[str, ...]]:
        """What the map has on each space: mice by their letters, minions counted by type."""
        mice, minions = self.mice_standing(now), self.minions_standing(now)
        return {
            space: (*([mice[space]] if space in mice else []), *minions.get(space, ()))
            for space in {**mice, **minions}
        }

    def mice_standing(self, now: Moment) -> dict[str, str]:
        """The letters of the mice on each space that has some."""
        letters, found = self._letters(now), dict[str, str]()
        for mouse in now.mice:
            space = self.space(now, now.of("space", mouse))
            found[space] = found.get(space, "") + letters[mouse]
        return found

    def minions_standing(self, now: Moment) -> dict[str, list[str]]:
        """The minions on each space that has some, counted by type: "3ra"."""
        found: dict[str, list[str]] = {}
        for space, kind, figures in _gathered(now):
            tag = f"{len(figures)}{self._tags[kind]}"
            found.setdefault(self.space(now, space), []).append(tag)
        return found

    def _letters(self, now: Moment) -> list[str]:
        """What stands for each mouse on the map."""
        ids = [self.facts.heroes[one].id for one in now.state["hero"][: self.n_mice]]
        return [letters.capitalize() for letters in short_names(ids, 1)]

    def legend(self, now: Moment) -> str:
        """What the letters of the map mean."""
        letters = self._letters(now)
        meant = [f"{letters[mouse]} {self.hero(now, mouse)}" for mouse in now.mice]
        kinds = sorted({now.of("type", figure) for figure in now.figures})
        meant += [f"{self._tags[kind]} {self.minion(kind)}" for kind in kinds]
        return ", ".join(meant)

    # ------------------------------------------------------------ options

    def phrases(self, now: Moment, figure: Callable[[int], str]) -> list[tuple[str, str]]:
        """The options of a decision: what is done, and to which of several.

        ``figure`` gives the name of a figure.
        """
        options = now.state["options"][: now["n_options"]]
        return [self.phrase(now, int(option), figure) for option in options]

    def destination(self, now: Moment, option: int) -> str:
        """The space to which an option leads a mouse; "" for other options."""
        leads = words.OPTION_WORDS[option & _BYTE] in _SPACES
        return self.space(now, option >> 8 & _BYTE) if leads else ""

    def phrase(self, now: Moment, option: int, figure: Callable[[int], str]) -> tuple[str, str]:
        """One option: what is done, and to what of several."""
        return _Phrase(self, now, figure).of(option)


class _Phrase:
    """Options of one moment in words."""

    def __init__(self, book: Book, now: Moment, figure: Callable[[int], str]) -> None:
        self._book, self._now, self._figure = book, now, figure
        self._mouse = now["decider"]

    def of(self, option: int) -> tuple[str, str]:
        """One option."""
        kind = words.OPTION_WORDS[option & _BYTE]
        first, *more = given = [option >> 8 * i & _BYTE for i in range(1, 8)]
        book, now = self._book, self._now
        if kind in _PLAIN:
            return _PLAIN[kind], ""
        if kind in _SPACES:
            return _SPACES[kind], book.space(now, first)
        if kind in _MICE:
            return _MICE[kind], book.hero(now, first)
        if kind in _CARDS:
            return _CARDS[kind], book.card(first)
        if kind == "ABILITY" and more[0] == words.AT_ORDER:
            lead, item = self.of(option >> 32)
            order = f"use {self._priced(first)} and order {book.hero(now, more[1])} to"
            return order, f"{lead} {item}".strip()
        if kind == "ABILITY":
            return self._aimed(f"use {self._priced(first)}", more)
        if kind == "USE":
            return self._aimed(f"use {book.card(first)}", more)
        if kind == "REACT":
            return self._reaction(given)
        return self._rare(kind, given)

    def _rare(self, kind: str, given: list[int]) -> tuple[str, str]:
        """Options that are asked for more than one thing or seldom."""
        book, now, first = self._book, self._now, given[0]
        if kind == "BATTLE":
            return f"attack with {book.card(first)}:", self._figure(given[1])
        if kind == "EXPLORE":
            link = words.LINK_WORDS[first]
            if link not in _EDGES:
                return "explore by turning the tile over", ""
            return f"explore through the {_EDGES[link]} exit", ""
        if kind == "PAY_ACTION":
            return f"pay {now['pay_cost']} cheese for one more action", ""
        if kind == "GRAPE":
            grape = book.card(int(book.row["token_cards"][words.A_GRAPE]))
            return f"use the {grape} on", f"the roaches on {book.space(now, first)}"
        if kind == "LEVEL_UP":
            return f"pay {int(book.row['level_cost'])} cheese to level up:", book.ability(first)
        if kind == "START":
            return "start with", book.ability(first)
        if kind == "KEEP":
            return f"keep {book.card(now.frame[3])}", ""
        if kind == "DISCARD":
            return "discard it for 1 cheese", ""
        if kind == "PUT":
            return "equip", self._put(first, given[1])
        if kind == "TARGET":
            return self._target(given)
        return f"use {book.card(int(book.row['token_cards'][words.DISGUISE]))}", ""

    def _target(self, given: list[int]) -> tuple[str, str]:
        """A target inside an ability."""
        if given[0] == words.AT_FIGURE:
            return "attack", self._figure(given[1])
        return "cure", self._thing(given[1], given[2])

    def _thing(self, mouse: int, thing: int) -> str:
        status = words.THING_WORDS[thing]
        what = "a poison wound" if thing == words.POISON else f"being {status}"
        return f"{self._book.hero(self._now, mouse)} of {what}"

    def _priced(self, ability: int) -> str:
        """An ability with what it costs the decider."""
        card = self._book.facts.abilities[ability]
        row = self._book.row["abilities"][ability]
        price = f"{int(row['cost'][self._now.of('hero', self._mouse)])}"
        if card.cost_most > card.cost:
            price += f" to {card.cost_most}"
        return f"{self._book.ability(ability)} ({price} cheese)"

    def _aimed(self, what: str, given: list[int]) -> tuple[str, str]:
        """An ability or card with what it is aimed at."""
        kind, target, thing = given[:3]
        book, now = self._book, self._now
        if kind == words.AT_NOTHING:
            return what, ""
        if kind == words.AT_MOUSE:
            return f"{what} on", book.hero(now, target)
        if kind == words.AT_FIGURE:
            return f"{what} on", self._figure(target)
        if kind == words.AT_SPACE:
            return f"{what} on", book.space(now, target)
        if kind == words.AT_CARD:
            return f"{what} on", book.track_card(now, target)
        return f"{what} on", self._thing(target, thing)

    def _reaction(self, given: list[int]) -> tuple[str, str]:
        """What is used in a window."""
        if given[0] == words.NO_CARD:
            return "take the topmost party card of the search deck instead of drawing", ""
        if given[1] == words.AT_FIGURE:
            weapon = self._book.card(given[3])
            return f"use {self._priced(given[0])} to attack with {weapon}:", self._figure(given[2])
        return f"use {self._priced(given[0])}", ""

    def _put(self, card: int, replaced: int) -> str:
        """What is put on, and what it replaces."""
        book, now = self._book, self._now
        name = book.card(card)
        if replaced == words.ALL_PAWS:
            return f"{name} instead of all in the paws"
        if replaced == words.NO_CARD:
            slot = int(book.row["cards"]["slot"][card])
            replaced = int(now.state["slots"][self._mouse, slot]) if slot != words.PAW else -1
        return f"{name} instead of {book.card(replaced)}" if replaced >= 0 else name


def grouped(phrases: Sequence[tuple[str, str]], chosen: int) -> str:
    """Options in one line, those that do the same to different things together.

    The one with the number ``chosen`` stands in brackets.  Of many alike only that one is named, or
    the first and the last.
    """
    groups: dict[str, list[str]] = {}
    for number, (lead, item) in enumerate(phrases):
        if item:
            groups.setdefault(lead, []).append(f"[{item}]" if number == chosen else item)
        else:
            groups.setdefault(f"[{lead}]" if number == chosen else lead, [])
    return " | ".join(f"{lead} {_some(items)}".strip() for lead, items in groups.items())


def _some(items: Sequence[str]) -> str:
    """Things to choose from, as many as one can read."""
    if len(items) <= _MOST_ITEMS:
        return ", ".join(items)
    taken = [item for item in items if item.startswith("[")]
    if taken:
        return f"{taken[0]} or {len(items) - 1} others"
    return f"{items[0]} … {items[-1]} ({len(items)})"


def _gathered(now: Moment) -> list[tuple[int, int, list[int]]]:
    """Figures by space and type."""
    found: dict[tuple[int, int], list[int]] = {}
    for figure in now.figures:
        found.setdefault((now.of("figure_space", figure), now.of("type", figure)), []).append(
            figure
        )
    return [(space, kind, figures) for (space, kind), figures in sorted(found.items())]


def entries(mask: int, names: Callable[[int], str]) -> list[str]:
    """The names of the members of a mask."""
    return [names(member) for member in bits(mask)]


class Figures:
    """The numbers of figures: each type of initiative card counts its own, from 1 on."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._numbers = [0] * FIGURES  # 0 = not on the tile

    def forget(self, now: Moment) -> None:
        """Take the numbers from figures that are gone."""
        for figure in range(FIGURES):
            if not now.has("figures", figure):
                self._numbers[figure] = 0

    def follow(self, now: Moment) -> None:
        """Give new figures numbers, the lowest that are free."""
        for figure in now.figures:
            if self._numbers[figure] == 0:
                like = {self._numbers[other] for other in self._like(now, figure)}
                self._numbers[figure] = min(set(range(1, FIGURES + 2)) - like)

    def _like(self, now: Moment, figure: int) -> list[int]:
        card = self._book.card_of(now.of("type", figure))
        return [one for one in now.figures if self._book.card_of(now.of("type", one)) == card]

    def name(self, now: Moment, figure: int) -> str:
        """A figure by type and number."""
        kind = now.of("type", figure)
        if self._book.is_single(kind):
            return self._book.minion(kind)
        return f"{self._book.minion(kind)} {self._numbers[figure]}"

    def names(self, now: Moment, figures: Iterable[int]) -> str:
        """Some figures in a list, those of a type together: "Roach 1, 3 and 4"."""
        kinds: dict[int, list[int]] = {}
        for figure in figures:
            kinds.setdefault(now.of("type", figure), []).append(figure)
        found = []
        for kind, members in kinds.items():
            if self._book.is_single(kind):
                found.append(self._book.minion(kind))
            else:
                numbers = listed(str(self._numbers[figure]) for figure in members)
                found.append(f"{self._book.minion(kind)} {numbers}")
        return ", ".join(found)
