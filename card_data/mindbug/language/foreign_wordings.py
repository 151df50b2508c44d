"""Words of other card games, and what this game says instead.

A designer who has written cards for another game writes its words: "draw a card", "deal 2 damage".
``WORDINGS`` has a row for each such wording, ``KEYWORDS_ELSEWHERE`` for each foreign keyword, and
``FIELDS_ELSEWHERE`` for each likely name of a field.  A row is looked up only in a line that says
nothing in the card language, so it can forbid nothing.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Protocol

from attrs import frozen

from card_data.faults import nearest
from card_data.mindbug.vocabulary import Keyword
from card_data.phrases import COUNTED

_AMOUNT = r"(?:a|an|one|two|three|four|five|\d+)"
_WHO = r"(?:target|each|every|any|your|an) (?:opponent|player|enemy player)"
_WHEN = r"(?:when|whenever|if|after)"
_ONES = r"(?:creature|minion|monster|unit|character|permanent)s?"
_KEYWORDS = "|".join(Keyword.__members__)
_LASTS = r"(?!.*(?:this|the|of) turn)"  # what lasts until the end of a turn cannot begin there
_LIVES = r"(?:lives|life points?|health(?: points?)?|hit points?|hp|damage)"


@frozen
class Wording:
    """What is said elsewhere, why it cannot be said here, and what stands here in its place.

    ``said`` is a regular expression; every space in it stands for any white space.  ``instead`` are
    templates of what stands in its place, in the writer's own line; behind ``field:`` the rest of
    the line is for that field.
    """

    said: str
    why: str
    instead: tuple[str, ...] = ()


#: Those that are part of others stand behind them.
WORDINGS = (
    # ------------------------------------------------------------ cards, hands and piles
    Wording(
        rf"draws? ({_AMOUNT}|\w+) (?:card|creature)s?"
        r"(?: from (?:the top of )?(?:your|the) (?:deck|draw pile|library))?(?! from)",
        "hands are refilled from the draw pile by themselves (R27), so a card takes from elsewhere",
        (r"draw \1 card from your discard pile", r"steal \1 random card"),
    ),
    Wording(
        rf"(?:steal|take)s? ({_AMOUNT}) cards?"
        r"(?: (?:from|of) (?:your |the )?opponent(?:'s)?(?: hand)?)?",
        "nobody chooses from a hand that they do not see; a card of it is stolen by 'steal a random"
        " card'",
    ),
    Wording(
        r"search (?:your|the|their)|tutor|scry|look at|reveal",
        "nobody looks through a pile but the discard piles",
    ),
    Wording(
        rf"mills?(?: {_AMOUNT}(?: cards?)?)?",
        "a draw pile is discarded as a whole or not at all",
    ),
    Wording(
        rf"(?:gain|get|take|steal|lose|draw|return)s? (?:{_AMOUNT}|another|an extra) Mindbugs?",
        "Mindbugs can be counted, and forbidden; no effect gives or takes one",
    ),
    Wording(r"shuffles?", "piles are shuffled before the game alone"),
    Wording(
        rf"(?:summon|create|conjure)s?|tokens?|puts? (?:{_AMOUNT}|this|target) {_ONES} into play",
        "there are no tokens; cards are played from a pile or a hand",
    ),
    # ------------------------------------------------------------ creatures
    Wording(
        r"(?:destroy|kill|murder|slay|obliterate|assassinate)s?",
        "the word is 'defeat'",
        ("defeat",),
    ),
    Wording(
        rf"(?:each|both|all|every) players? (?:must )?sacrifices? ({_AMOUNT}) {_ONES}"
        r"(?: (with [^,.;:]+))?",
        "whoever plays the effect chooses whom it meets, on both sides",
        (r"defeat \1 allied creature \2, then defeat \1 enemy creature \2",),
    ),
    Wording(
        rf"(?:(?:your|the|each|an|target) )?opponent (?:must )?sacrifices? ({_AMOUNT}) {_ONES}",
        "whoever plays the effect chooses whom it meets, on both sides",
        (r"defeat \1 enemy creature",),
    ),
    Wording(
        rf"sacrifices? ({_AMOUNT}|another|all(?: other)?|up to \d)"
        r"(?! (?:other )?(?:allied|friendly))",
        "one's own creatures are defeated like others",
        (r"defeat \1 allied",),
    ),
    Wording(
        r"sacrifices?(?= (?:this|it|.*\b(?:allied|friendly|your)\b))",
        "one's own creatures are defeated like others",
        ("defeat",),
    ),
    Wording(
        r"(?:exile|banish)(?:es|s)?|remove",
        "nothing leaves the game; creatures are set aside, for good or for a time",
        ("set aside",),
    ),
    Wording(
        r"bounces? (.+)",
        "creatures return from play to the hand of whoever controls them (R94)",
        (r"return \1 from play",),
    ),
    Wording(
        r"(?:return|put)s? (.+ discard pile) (?:in)?to play",
        "a card of a discard pile comes into play by being played",
        (r"play \1",),
    ),
    Wording(
        r"(return .+?)(?: to .+)?$",
        "creatures return from play, always to the hand of whoever controls them (R94)",
        (r"\1 from play",),
    ),
    Wording(
        rf"(?:take|steals?)((?: {_AMOUNT}| another| target| all)?)(?= (?:.{{0,30}} )?{_ONES})",
        "the words are 'take control of'",
        (r"take control of\1",),
    ),
    Wording(
        rf"(?:un)?(?:tap|exhaust|stun|freeze)s? (.+)|{_ONES} (?:is|are) (?:tapped|exhausted)",
        "no effect exhausts a creature; it can be kept from attacking or blocking",
        (r"\1 cannot attack this turn", r"\1 cannot block this turn"),
    ),
    Wording(
        rf"counters?(?: target| {_AMOUNT}| the)?(?: {_ONES}| spell| ability| effect)?"
        r"|negates?|cancels?",
        "nothing is countered; the constant lines 'Mindbugs cannot be used' and "
        '"the opponent\'s play effects do not trigger" come nearest',
    ),
    Wording(
        r"silences?|loses? all (?:abilities|keywords)",
        'abilities stay; the constant line "the opponent\'s play effects do not trigger" comes '
        "nearest",
    ),
    Wording(
        r"(?:fights?|duels?) (?=target|an?|another)(.+)",
        "an effect can make a creature attack; the other player chooses who blocks",
        (r"\1 must attack now",),
    ),
    Wording(
        r"transforms?(?: into)?|morphs?",
        "creatures change by evolving to the card that 'evolves_to' names",
    ),
    # ------------------------------------------------------------ power
    Wording(
        r"(?:more|greater|higher|larger|bigger) power than (?:this|it)",
        "a power is compared with that of the card by 'less power than this' and 'power within … of"
        " this'",
    ),
    Wording(
        r"(?:less|lower|fewer|smaller|below|under|<|more|greater|higher|larger|bigger|above|over|>)"
        r"(?: than)? \d+",
        "powers are whole numbers: write 'power <= …' or 'power >= …' with the last that fits",
    ),
    Wording(
        rf"without(?: an?)? (?:{_KEYWORDS})",
        "creatures are asked for keywords that they have, or for 'no keyword'",
    ),
    Wording(
        r"(?:gets?|gains?|gives?|has|have) ([+-] ?\d+) ?/ ?[+-]? ?\d+(?: counters?)?",
        "creatures have one number, their power",
        (r"has \1 power", r"has \1 power this turn"),
    ),
    Wording(r"[+-]? ?\d+ ?/ ?[+-]? ?\d+(?: counters?)?", "creatures have one number, their power"),
    Wording(
        r"(?:gets?|gains?|gives?) ([+-] ?\d+)(?: (?:strength|attack|might|toughness))?",
        "creatures have one number, their power, and the line says for how long",
        (r"has \1 power", r"has \1 power this turn"),
    ),
    Wording(
        r"([+-] ?\d+) (?:strength|toughness|defen[sc]e|might|attack)",
        "creatures have one number, their power",
        (r"\1 power", r"\1 power this turn"),
    ),
    Wording(
        rf"(?:(?:has|have) (?:not|no)|(?:does|do) not have|(?:doesn't|don't|cannot) have|loses?)"
        rf" (?:{_KEYWORDS})",
        "a line gives keywords, and takes none away",
    ),
    Wording(
        r"can(?= (?:attack|block))",
        "every creature can attack and block, unless a line says that it cannot",
    ),
    Wording(
        r"(?:double|triple|halve)s?(?: .+)?",
        "a number is fixed, or counts creatures, Mindbugs or cards discarded; none is multiplied",
    ),
    # ------------------------------------------------------------ life and the game
    Wording(
        rf"(?:deal|inflict|do)s? ({_AMOUNT}) (?:damage|dmg) to ((?:{_AMOUNT}|target|all|each|every)"
        rf" (?:other )?(?:enemy |allied |friendly |opposing )?{_ONES})",
        "there is no damage: creatures are defeated or not",
        (r"defeat \2 with power <= \1",),
    ),
    Wording(
        rf"(?:deal|inflict|do)s? ({_AMOUNT}) (?:damage|dmg)(?: to)?(?: (.+))?",
        "there is no damage: players lose life, creatures are defeated or not",
        (r"\2 loses \1 life",),
    ),
    Wording(r"(?:deal|inflict)s?|damage|dmg", "there is no damage: players lose life"),
    Wording(
        rf"(?:heal|restore|recover|regenerate|regain)s? ({_AMOUNT})(?: {_LIVES}| life)?",
        "the words are 'gain' and 'life'",
        (r"gain \1 life",),
    ),
    Wording(
        rf"(?:drains?|siphons?|steals?) ({_AMOUNT}) (?:life|lives)",
        "what one player loses and the other gains are two instructions",
        (r"the opponent loses \1 life, then gain \1 life",),
    ),
    Wording(rf"({_AMOUNT}) {_LIVES}", "the word is 'life'", (r"\1 life",)),
    Wording(_LIVES, "the word is 'life', with the number before it", ("life",)),
    Wording(
        r"(?:take|get|gain)s? an?(?:other| extra| additional) turn|extra turn|skips?",
        "only a Mindbug gives an extra turn; FRENZY gives a second attack",
    ),
    Wording(
        r"mana|gold|resources?|pay \d*",
        "nothing is paid for creatures; energy buys power cards of King of Tokyo",
    ),
    Wording(
        r"(?:flip|toss) a coin|rolls? a (?:die|dice|d6)",
        "chance is a die that is rolled again: 'as often as a die shows 4 or more, …'",
    ),
    # ------------------------------------------------------------ when it happens
    Wording(
        rf"(?:battlecry|etb|on play|{_WHEN} (?:this|it|you|~)(?: {_ONES})?(?: is)?"
        r" (?:played?|enters?(?: play| the battlefield)?|comes? into play|summon(?:ed)?)(?: this)?)"
        r"\b[,:]? ?",
        "the field says when: 'play' is when the creature comes into play",
        ("play: ",),
    ),
    Wording(
        rf"(?:death ?rattle|last words|on death|{_WHEN} (?:this|it|~)(?: {_ONES})?"
        r" (?:dies|leaves? play|(?:is|gets|was) (?:defeated|destroyed|killed)))\b[,:]? ?",
        "the field says when: 'defeated' is when the creature is defeated",
        ("defeated: ",),
    ),
    Wording(
        rf"(?:on attack|{_WHEN} (?:this|it|~)(?: {_ONES})?"
        r" (?:attacks?|is attacking))\b[,:]? ?",
        "the field says when: 'attack' is when the creature attacks",
        ("attack: ",),
    ),
    Wording(
        r"at the end of your turn\b[,:]? ?",
        "the field says when: 'end_of_turn' is the end of every turn",
        ("end_of_turn: if it is your turn, ",),
    ),
    Wording(
        r"(?:at the end of (?:the|each|every|a) turn|(?:your|each|every) end step)\b[,:]? ?",
        "the field says when: 'end_of_turn' is the end of every turn",
        ("end_of_turn: ",),
    ),
    Wording(
        rf"at the (?:start|beginning) of your (?:turn|upkeep)\b{_LASTS}[,:]? ?",
        "nothing happens at the start of a turn; 'end_of_turn' is the end of every turn",
        ("end_of_turn: if it is your turn, ",),
    ),
    Wording(
        rf"at the (?:start|beginning) of (?:the|each|every|a) turn\b{_LASTS}[,:]? ?",
        "nothing happens at the start of a turn; 'end_of_turn' is the end of every turn",
        ("end_of_turn: ",),
    ),
    Wording(
        r"at the (?:start|beginning) of|(?:your|each|every) upkeep|(?:your|each|every) turn",
        "nothing happens at the start of a turn; 'end_of_turn' is the end of every turn",
    ),
    Wording(
        rf"{_WHEN} (?:this|it)(?: {_ONES})? blocks?\b[,:]? ?",
        "no field says when a creature blocks; at the end of a turn an effect can ask for "
        "creatures 'with a block this turn'",
    ),
    Wording(
        rf"{_WHEN} (?:an?|another|any|your|the|one|each) (?:\w+ ){{0,2}}{_ONES} .+",
        "a card reacts to what happens to itself, to Mindbugs, to lost life and to the end of a "
        "turn",
    ),
    Wording(
        r"when(?:ever)?|on",
        "the field says when something happens: play, attack, defeated, action and others",
    ),
    Wording(
        rf"(you|(?:your|the) opponent|they) (have|has|controls?) ({_AMOUNT}(?: \w+)*)",
        "a condition says 'exactly', 'at least' or 'at most'",
        (r"\1 \2 exactly \3", r"\1 \2 at least \3"),
    ),
    Wording(
        r"(life|hand|pile|Mindbugs|energy) (?:is|are|equals?) (\d+)",
        "a condition compares two amounts with <, <=, =, >= or >",
        (r"\1 = \2",),
    ),
    Wording(
        r"(and|or) (?:if|while)",
        "conditions are joined by 'and' or 'or', behind one 'if' or 'while'",
        (r"\1",),
    ),
    Wording(
        r"&&?",
        "conditions are joined by 'and' or 'or', behind one 'if' or 'while'",
        ("and",),
    ),
    Wording(
        r"[|][|]?",
        "conditions are joined by 'and' or 'or', behind one 'if' or 'while'",
        ("or",),
    ),
    Wording(
        r"both(?! players)",
        "conditions are joined by 'and' or 'or', behind one 'if' or 'while'",
        ("",),
    ),
    # ------------------------------------------------------------ words of every line
    Wording(
        r"(?:does|do) not|doesn't|don't|never|(?:defeat|lose|gain|discard|draw|steal)s? no",
        "a line says what happens; a constant line with 'cannot' says what cannot happen",
    ),
    Wording(
        r"(?:each|both|all|every) players? (?:must )?(gain|lose|discard)s? (.+)",
        "say what happens to each player, one after the other",
        (r"\1 \2, then the opponent \1s \2",),
    ),
    Wording(
        r"(?:each|both|all|every) players?",
        "say what happens to each player, one after the other",
    ),
    Wording(
        rf"target(?= (?:{_ONES}|cards?|enemy|allied|other))",
        "whoever plays the effect chooses; there is no word for it",
        ("a",),
    ),
    Wording(
        r"(defeats?|take control of|return|set aside) ((?:other )?(?:enemy |allied )?creatures)",
        "the line says how many: 'all creatures' or 'a creature'",
        (r"\1 all \2",),
    ),
    Wording(
        r"(?:minion|monster|unit|character|permanent)s?", "the word is 'creature'", ("creature",)
    ),
    Wording(r"an ally", "the words are 'allied creature'", ("an allied creature",)),
    Wording(r"allies", "the words are 'allied creatures'", ("allied creatures",)),
    Wording(r"(?:a foe|an enemy)", "the words are 'enemy creature'", ("an enemy creature",)),
    Wording(r"foes|enemies", "the words are 'enemy creatures'", ("enemy creatures",)),
    Wording(r"graveyard|trash", "the pile is the discard pile", ("discard pile",)),
    Wording(r"decks?|library", "the piles are the draw pile and the discard pile", ("draw pile",)),
    Wording(_WHO, "there is one opponent, called 'the opponent'", ("the opponent",)),
)

_NO_SICKNESS = "every creature may attack from its player's next turn action on (R60)"
_ONLY_SNEAKY = "only creatures with SNEAKY can block one that has it"
_DOUBLE = "with FRENZY a creature may attack a second time"
_STAYS = "TOUGH saves a creature once, and the constant line 'this cannot be defeated' for good"

#: Keywords of other games: what comes nearest here, and the keyword that means the same.
KEYWORDS_ELSEWHERE = {
    "haste": Wording("haste|rush|charge|blitz", _NO_SICKNESS),
    "flying": Wording(
        "flying|flyer|flies|reach|unblockable|evasion|stealth|shadow|menace|fear|intimidate",
        _ONLY_SNEAKY,
        ("SNEAKY",),
    ),
    "trample": Wording(
        "trample|overwhelm|piercing|pierce",
        "an attack costs one life or none (R69), and no damage is left over",
    ),
    "deathtouch": Wording(
        "death ?touch|poison(?:ed)?|venom(?:ous)?|toxic|lethal",
        "a creature that fights one with POISONOUS is defeated",
        ("POISONOUS",),
    ),
    "taunt": Wording(
        "taunt|provoke|guard(?:ian)?|defender|bodyguard|protector",
        "the defending player chooses who blocks; the constant line 'enemy creatures with HUNTER "
        "must hunt this' tells whom HUNTER has to choose",
    ),
    "double strike": Wording(
        "double strike|wind ?fury|first strike|double attack|multi ?strike", _DOUBLE, ("FRENZY",)
    ),
    "indestructible": Wording(
        "indestructible|hexproof|shroud|ward|immune|immunity|divine shield|shield(?:ed)?|armou?r"
        "|resilient|invulnerable",
        _STAYS,
    ),
    "vigilance": Wording(
        "vigilance|vigilant", "attacking tires nobody: a creature that has attacked may block"
    ),
    "lifelink": Wording(
        "life ?link|life ?steal|vampir(?:e|ic|ism)",
        "an effect of the field 'attack' says what an attack brings",
    ),
}

#: Fields of cards, pool files and modes, and the names that they have elsewhere.
_FIELDS = {
    "name": ("title", "card", "label", "card_name"),
    "card_id": ("id", "key", "slug", "identifier"),
    "power": ("strength", "attack_power", "pow", "str", "might", "atk", "toughness", "defense"),
    "keywords": ("keyword", "traits", "tags", "skills", "kw"),
    "copies": ("count", "number", "amount", "quantity", "qty", "n", "copy", "counts"),
    "dice": ("die", "dices"),
    "evolves_to": ("evolves_into", "evolution", "next_stage", "becomes"),
    "cost": ("price", "mana", "energy_cost"),
    "play": ("on_play", "when_played", "battlecry", "etb", "enter", "effect"),
    "text": ("rules", "rules_text", "card_text", "ability", "abilities", "rules_box"),
    "attack": ("on_attack", "when_attacking", "attacks", "attacking"),
    "defeated": ("on_death", "death", "deathrattle", "dies", "when_defeated", "on_defeat"),
    "action": ("activate", "activated", "tap"),
    "discarded": ("on_discard", "when_discarded", "discard"),
    "end_of_turn": ("end", "turn_end", "at_end_of_turn"),
    "constant": ("passive", "always", "static", "aura", "continuous", "permanent"),
    "in_discard": ("graveyard", "in_discard_pile", "discard_pile"),
    "leave_out": (
        "without", "exclude", "excluded", "excludes", "except", "remove", "removed", "ban",
        "banned", "omit", "skip", "drop", "leaveout", "left_out",
    ),
    "sets": ("set", "expansion", "expansions", "packs", "pack", "series"),
    "cards": ("files", "file", "own_cards", "card_files", "own", "include", "with", "add"),
    "modes": ("mode", "rules", "options", "settings", "config"),
    "life": ("lives", "health", "hp", "life_points", "start_life", "starting_life"),
    "mindbugs": ("mindbug", "bugs"),
    "hand_size": ("hand", "handsize", "max_hand", "cards_in_hand"),
    "turn_cap": ("max_turns", "turn_limit", "turns", "most_turns"),
    "at_turn_cap": ("at_cap", "tie", "ties", "draws", "winner_at_cap"),
    "effect_cap": ("max_effects", "effect_limit", "effects"),
    "who_starts": ("first_player", "starter", "starts", "first", "start", "starting_player"),
    "rulings": ("ruling", "variant_ruling"),
    "kot_parts": ("kot", "energy", "king_of_tokyo", "power_cards", "dice"),
    "after_mindbug": ("extra_turn", "mindbug_turn"),
}  # fmt: skip
FIELDS_ELSEWHERE = {(other, field) for field, others in _FIELDS.items() for other in others}


class Line(Protocol):
    """Reads lines of a field: the canonical line, and where a line stops to mean something."""

    def canonical(self, line: str, field: str) -> str:
        """The canonical line; empty for what cannot be read.  ``field`` is empty for its own."""
        ...

    def stumbles(self, line: str, field: str) -> int:
        """The character at which a line stops to mean something."""
        ...


#: Wordings that are mended in one line at most.
_MOST_MENDED = 4
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(COUNTED, 1)}
_OURS = {"your", "allied", "friendly", "yours", "ally", "allies"}
_THEIRS = {"opponent", "opponent's", "opponents", "enemy", "enemies", "opposing", "foe", "foes"}


@cache
def _expression(said: str) -> re.Pattern[str]:
    pattern = said.replace(" ", r"\s+").replace(r"\s+?", r"\s*")
    return re.compile(rf"(?<![\w'])(?:{pattern})(?![\w'])", re.IGNORECASE)


def foreign_wording(line: str, at: int, reader: Line) -> tuple[int, str, str] | None:
    """Words of another game that a line stumbles over at a character: where, what, and what to say.

    None where there are none.
    """
    found = _stumbled(line, at)
    if found is None:
        return None
    row, match = found
    message = f"'{match[0].strip(' .!')}': {row.why}"
    if lines := _mended(line.rstrip(" .!"), "", reader):
        message += f"; write {' or '.join(lines)}"
    return match.start(), match[0], message


def _stumbled(line: str, at: int) -> tuple[Wording, re.Match[str]] | None:
    for row in (*KEYWORDS_ELSEWHERE.values(), *WORDINGS):
        for match in _expression(row.said).finditer(line):
            if match.start() <= at <= match.end() + 1:
                return row, match
    return None


def _mended(line: str, field: str, reader: Line, n_left: int = _MOST_MENDED) -> list[str]:
    """What the writer of a line can write: lines of their own words that say the same."""
    found = _stumbled(line, reader.stumbles(line, field)) if n_left else None
    if found is None:
        return []
    row, match = found
    lines: list[str] = []
    for template in row.instead:
        name, _, rest = template.rpartition(": ")
        new = f"{line[: match.start()]}{match.expand(rest)}{line[match.end() :]}".strip()
        new = re.sub(r"\ba an?\b|\ban? (?=all )", lambda word: word[0].split()[-1], new)
        for one in (new, f"{new} this turn"):
            canonical = reader.canonical(one, name or field)
            if canonical and _same(facts_of(line), facts_of(canonical), facts_of(rest)):
                lines.append(f'{name} = "{canonical}"' if name else f"'{canonical}'")
                break
        else:
            lines += _mended(new, name or field, reader, n_left - 1)
    return list(dict.fromkeys(lines))[:3]


def facts_of(line: str) -> set[str]:
    """The numbers, sides and keywords of a line, which nobody may change unasked."""
    words = re.findall(r"[a-z']+|\d+", re.sub(r"(?i)your opponent", "opponent", line).lower())
    facts = {"1" if word in ("a", "an") else _NUMBER_WORDS.get(word, word) for word in words}
    found = {fact for fact in facts if fact.isdigit() or fact.upper() in Keyword.__members__}
    found |= {side for side, said in (("ours", _OURS), ("theirs", _THEIRS)) if facts & said}
    return found | (facts & {"other", "another", "cannot", "no"})


def _same(facts: set[str], mended: set[str], added: set[str]) -> bool:
    """Whether nothing was lost of a line, and no more was added than a side or what a row adds."""
    return facts <= mended <= facts | added | {"ours", "theirs", "1"}


def foreign_keyword(word: str) -> tuple[str, str]:
    """What comes nearest to a keyword of another game, and the keyword that means the same.

    Empty where there is none.
    """
    for row in KEYWORDS_ELSEWHERE.values():
        if _expression(row.said).fullmatch(word.strip()):
            return f"'{word}': {row.why}", "".join(row.instead)
    return "", ""


def nearest_field(word: str, fields: Iterable[str]) -> str:
    """The field that was probably meant: one that is called so elsewhere, else the most like it."""
    fields = tuple(fields)
    said = word.casefold().replace("-", "_").replace(" ", "_")
    for field in fields:
        if (said, field) in FIELDS_ELSEWHERE:
            return field
    return nearest(word, fields)
