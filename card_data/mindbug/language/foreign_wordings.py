"""Words of other card games, and what this game says instead.

A designer who has written cards for another game writes its words: "draw a card", "deal 2 damage".
``WORDINGS`` has a row for each such wording, ``KEYWORDS_ELSEWHERE`` for each foreign keyword, and
``FIELDS_ELSEWHERE`` for each likely name of a field.  A row is looked up only in a line that says
nothing in the card language, so it can forbid nothing.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from attrs import frozen

from card_data.faults import nearest

_AMOUNT = r"(?:a|an|one|two|three|four|five|\d+)"
_WHO = r"(?:target|each|every|any|your|an) (?:opponent|player|enemy player)"
_ONES = r"(?:creature|minion|monster|unit|character|permanent)s?"
_LIVES = r"(?:lives|life points?|health(?: points?)?|hit points?|hp|damage)"


@frozen
class Wording:
    """What is said elsewhere, why it cannot be said here, and what can.

    ``said`` is a regular expression; every space in it stands for any white space.  Each piece of
    ``advice`` is a field of a card, a colon and a line, or a line alone where it is one for any
    field with instructions.
    """

    said: str
    why: str
    advice: tuple[str, ...]

    def advised(self) -> Iterator[tuple[str, str]]:
        """Field and line of each piece of advice; the "" for any field with instructions."""
        for one in self.advice:
            field, _, line = one.rpartition(": ")
            yield (field, line) if re.fullmatch(r"[a-z_]*", field) else ("", one)

    def message(self, found: str) -> str:
        """``'draw a card': why; write '…' or '…'``."""
        lines = [f'{field} = "{line}"' if field else f"'{line}'" for field, line in self.advised()]
        return f"'{found}': {self.why}; write {' or '.join(lines)}"


#: Those that are part of others stand behind them.
WORDINGS = (
    # ------------------------------------------------------------ cards, hands and piles
    Wording(
        rf"draws? {_AMOUNT} cards?(?! from)",
        "hands are refilled from the draw pile by themselves (R27), so a card takes from elsewhere",
        ("draw a card from your discard pile", "steal a random card"),
    ),
    Wording(
        rf"discards? {_AMOUNT} cards? at random",
        "'random' stands before the card",
        ("discard a random card", "the opponent discards a random card"),
    ),
    Wording(
        rf"(?:{_WHO}|(?:he|she|they)) (?:discards?|loses?|gains?|draws?|sacrifices?|takes?)",
        "there is one opponent, who is called so",
        ("the opponent discards a card", "the opponent loses 1 life"),
    ),
    Wording(
        r"search (?:your|the|their)|tutor|scry|look at|reveal",
        "nobody looks through a pile but the discard piles",
        ("draw a card from your discard pile", "play a card from your discard pile"),
    ),
    Wording(
        rf"mills?(?: {_AMOUNT}(?: cards?)?)?",
        "a draw pile is discarded as a whole or not at all",
        ("the opponent discards their draw pile",),
    ),
    Wording(
        r"shuffles?",
        "piles are shuffled before the game alone",
        ("put 2 cards of the unused pile under your draw pile",),
    ),
    Wording(
        rf"(?:summon|create|conjure)s?|tokens?|puts? (?:{_AMOUNT}|this|target) {_ONES} into play",
        "there are no tokens; cards are played from a pile or a hand",
        ("play a card from your discard pile", "play a card with power >= 7 from your hand"),
    ),
    # ------------------------------------------------------------ creatures
    Wording(
        r"(?:destroy|kill|murder|slay|obliterate|assassinate)s?",
        "the word is 'defeat'",
        ("defeat an enemy creature", "defeat all enemy creatures with power <= 4"),
    ),
    Wording(
        r"sacrifices?",
        "one's own creatures are defeated like others",
        ("defeat an allied creature", "defeat this"),
    ),
    Wording(
        r"(?:exile|banish)(?:es|s)?|remove",
        "nothing leaves the game; creatures are set aside, for good or for a time",
        ("set aside an enemy creature", "defeated: return the creatures set aside by this"),
    ),
    Wording(
        rf"bounces?|returns? (?:{_AMOUNT}|target|up to|this|all)?.{{0,60}}?"
        r" to (?:its|their|your|the)(?: (?:owner|opponent)'s)? hands?",
        "creatures return from play, always to the hand of whoever controls them (R94)",
        ("return an enemy creature from play",),
    ),
    Wording(
        rf"(?:gains? control of|take|steals?) (?:{_AMOUNT}|target|another)? ?(?:enemy |allied )?"
        r"(?:creature|minion|monster|unit)s?",
        "the words are 'take control of'",
        ("take control of an enemy creature",),
    ),
    Wording(
        rf"(?:un)?taps?|exhausts?|stuns?|freezes?|{_ONES} (?:is|are) (?:tapped|exhausted)",
        "no effect exhausts a creature; it can be kept from attacking or blocking",
        ("an enemy creature cannot attack this turn", "an enemy creature cannot block this turn"),
    ),
    Wording(
        rf"counters?(?: target| {_AMOUNT}| the)?(?: {_ONES}| spell| ability| effect)?"
        r"|negates?|cancels?",
        "nothing is countered; a constant line keeps Play effects or Mindbugs from working",
        (
            "constant: the opponent's play effects do not trigger",
            "constant: Mindbugs cannot be used",
        ),
    ),
    Wording(
        r"silences?|loses? all (?:abilities|keywords)",
        "abilities stay; a constant line keeps the opponent's Play effects from triggering",
        ("constant: the opponent's play effects do not trigger",),
    ),
    Wording(
        r"(?:fights?|duels?) (?:target|an?|another)",
        "an effect can make a creature attack; the other player chooses who blocks",
        ("an enemy creature must attack now",),
    ),
    Wording(
        r"transforms?(?: into)?|morphs?",
        "creatures change by evolving to the card that 'evolves_to' names",
        ("action: evolve this",),
    ),
    # ------------------------------------------------------------ power
    Wording(
        r"[+-]? ?\d+ ?/ ?[+-]? ?\d+(?: counters?)?",
        "creatures have one number, their power",
        (
            "this has +1 power this turn",
            "constant: other allied creatures have +1 power",
            "boost up to 1 card to this",
        ),
    ),
    Wording(
        r"(?:gets?|gains?|gives?) (?:it |this )?[+-] ?\d+(?: power| attack| strength)?|buffs?"
        r"|gets?|this gains",
        "the word is 'has', and the line says for how long",
        ("this has +1 power this turn", "constant: this has +1 power"),
    ),
    Wording(
        r"(?:[+-] ?\d+ )?(?:strength|toughness|defen[sc]e|might)|[+-] ?\d+ attack",
        "creatures have one number, their power",
        ("constant: other allied creatures have +1 power",),
    ),
    Wording(
        r"(?:with )?power (?:of )?\d+ (?:or|and) (?:more|greater|higher|above|up)"
        r"|(?:with )?power (?:of )?(?:at least|greater than|more than|higher than|above|over) \d+"
        r"|(?:with )?(?:at least|more than) \d+ power|\d+ or (?:more|higher|greater) power",
        "the sign is '>='",
        ("defeat an enemy creature with power >= 6",),
    ),
    Wording(
        r"(?:with )?power (?:of )?\d+ (?:or|and) (?:less|lower|fewer|below|smaller)"
        r"|(?:with )?power (?:of )?(?:at most|up to|less than|lower than|below|under) \d+"
        r"|(?:with )?(?:at most|less than|up to) \d+ power|\d+ or (?:less|lower|fewer) power",
        "the sign is '<='",
        ("defeat an enemy creature with power <= 4",),
    ),
    # ------------------------------------------------------------ life and the game
    Wording(
        r"(?:deal|inflict|do)s?(?: \d+| a| an| one| two| three)? (?:damage|dmg)(?: to)?(?: \w+)?",
        "there is no damage: players lose life, creatures are defeated or not",
        ("the opponent loses 2 life", "defeat an enemy creature with power <= 2"),
    ),
    Wording(
        r"(?:heal|restore|recover|regenerate|regain)s?(?: \d+)?(?: \w+)?",
        "the words are 'gain' and 'life'",
        ("gain 2 life",),
    ),
    Wording(
        r"drains?|lifesteal|life ?link|steals? (?:\d+|a) (?:life|lives)|siphons?",
        "what one player loses and the other gains are two instructions",
        ("the opponent loses 1 life, then gain 1 life",),
    ),
    Wording(
        rf"(?:\d+|a|one) {_LIVES}|{_LIVES}",
        "the word is 'life', with the number before it",
        ("gain 2 life", "the opponent loses 1 life"),
    ),
    Wording(
        r"(?:take|get|gain)s? an?(?:other| extra| additional) turn|extra turn|skips?",
        "only a Mindbug gives an extra turn; FRENZY gives a second attack",
        ("this has FRENZY this turn", "enemy creatures cannot attack this turn"),
    ),
    Wording(
        r"mana|gold|resources?|pay \d*",
        "nothing is paid for creatures; energy buys power cards of King of Tokyo",
        ("gain 1 energy",),
    ),
    Wording(
        r"(?:flip|toss) a coin|rolls? a (?:die|dice|d6)",
        "chance is a die that is rolled again as long as it shows enough",
        ("as often as a die shows 4 or more, gain 1 life",),
    ),
    # ------------------------------------------------------------ when it happens
    Wording(
        rf"battlecry|etb|on play|(?:when|whenever|if|after) (?:this|it|you|~)(?: {_ONES})?(?: is)?"
        r" (?:played?|enters?(?: play| the battlefield)?|comes? into play|summon(?:ed)?)(?: this)?",
        "the field says when: 'play' is when the creature comes into play",
        ("play: gain 1 life",),
    ),
    Wording(
        rf"death ?rattle|last words|on death|(?:when|whenever|if|after) (?:this|it|~)(?: {_ONES})?"
        r" (?:dies|leaves? play|(?:is|gets|was) (?:defeated|destroyed|killed))",
        "the field says when: 'defeated' is when the creature is defeated",
        ("defeated: gain 1 life",),
    ),
    Wording(
        rf"on attack|(?:when|whenever|if|after) (?:this|it|~)(?: {_ONES})?"
        r" (?:attacks?|is attacking)",
        "the field says when: 'attack' is when the creature attacks",
        ("attack: gain 1 life",),
    ),
    Wording(
        r"at the end of (?:your|the|each|every|a) turn|(?:your|each|every) end step",
        "the field says when: 'end_of_turn' is the end of every turn",
        ("end_of_turn: if it is your turn, gain 1 life",),
    ),
    Wording(
        r"at the (?:start|beginning) of|(?:your|each|every) upkeep|(?:your|each|every) turn",
        "nothing happens at the start of a turn; 'end_of_turn' is the end of every turn",
        ("end_of_turn: if it is your turn, gain 1 life",),
    ),
    Wording(
        r"(?:until|till)(?: the)? end of(?: the| this| your)? turn|for the rest of the turn",
        "the words are 'this turn'",
        ("this has FRENZY this turn", "allied creatures have +1 power this turn"),
    ),
    Wording(
        r"when(?:ever)?|on",
        "the field says when something happens: play, attack, defeated, action and others",
        ("play: gain 1 life", "defeated: gain 1 life"),
    ),
    Wording(
        r"(?:if|while) (?:you|(?:the |your )?opponent|they) (?:have|has|controls?)"
        r"|(?:is|are|equals?) (?:(?:less|more|fewer|greater) than |at least |at most )?\d+",
        "a condition compares two amounts with <, <=, =, >= or >",
        ("if your life = 1, gain 1 life", "if allied creatures >= 3, gain 1 life"),
    ),
    Wording(
        r"&&?|[|][|]?|(?:and|or) (?:if|while)|both|either(?! discard)|as well as",
        "conditions are joined by 'and' or 'or', behind one 'if' or 'while'",
        ("if your life <= 2 and the opponent's hand = 0, gain 1 life",),
    ),
    # ------------------------------------------------------------ words of every line
    Wording(
        rf"target (?:{_ONES}|cards?)",
        "whoever plays the effect chooses; there is no word for it",
        ("defeat a creature", "defeat an enemy creature"),
    ),
    Wording(
        rf"(?:each|every)(?: other)?(?: enemy| allied)? {_ONES}",
        "the words are 'all' and 'creatures'",
        ("defeat all creatures", "constant: other allied creatures have +1 power"),
    ),
    Wording(
        rf"(?:your |the )?opponent(?:'s|s)? {_ONES}|opposing(?: {_ONES})?",
        "the words are 'enemy creature'",
        ("defeat an enemy creature", "enemy creatures cannot block this turn"),
    ),
    Wording(
        rf"(?:your|friendly)(?: other)? {_ONES}|creatures? you control|friendly",
        "the words are 'allied creatures'",
        ("allied creatures have +1 power this turn",),
    ),
    Wording(
        r"(?:minion|monster|unit|character|permanent|ally|foe)s?|allies",
        "the word is 'creature', 'allied' or 'enemy'",
        ("defeat an enemy creature", "constant: other allied creatures have +1 power"),
    ),
    Wording(
        r"decks?|library|graveyard|trash",
        "the piles are the draw pile and the discard pile",
        ("play a card from your discard pile", "the opponent discards their draw pile"),
    ),
    Wording(
        _WHO,
        "there is one opponent, who is called so",
        ("the opponent loses 1 life",),
    ),
    Wording(
        r"one(?= (?:cards?|life|lives))|two|three|four|five|six|seven|eight|nine|ten",
        "numbers are written in digits",
        ("the opponent discards 2 cards",),
    ),
)

_NO_SICKNESS = "every creature may attack from its player's next turn action on (R60)"
_ONLY_SNEAKY = "only creatures with SNEAKY can block one that has it"
_DOUBLE = "with FRENZY a creature may attack a second time"
_STAYS = "TOUGH saves a creature once, and a constant line for good"

#: Keywords of other games: what comes nearest here, and a keyword or line that says so.
KEYWORDS_ELSEWHERE = {
    "haste": Wording("haste|rush|charge|blitz", _NO_SICKNESS, ("this has FRENZY this turn",)),
    "flying": Wording(
        "flying|flyer|flies|reach|unblockable|evasion|stealth|shadow|menace|fear|intimidate",
        _ONLY_SNEAKY,
        ("this has SNEAKY this turn", "constant: creatures with power <= 4 cannot block this"),
    ),
    "trample": Wording(
        "trample|overwhelm|piercing|pierce",
        "an attack costs one life or none (R69), and no damage is left over",
        ("constant: creatures with power <= 4 cannot block this",),
    ),
    "deathtouch": Wording(
        "death ?touch|poison(?:ed)?|venom(?:ous)?|toxic|lethal",
        "a creature that fights one with POISONOUS is defeated",
        ("this has POISONOUS this turn",),
    ),
    "taunt": Wording(
        "taunt|provoke|guard(?:ian)?|defender|bodyguard|protector",
        "the defending player chooses who blocks; a constant line tells whom HUNTER has to choose",
        ("constant: during the opponent's turn, enemy creatures with HUNTER must hunt this",),
    ),
    "double strike": Wording(
        "double strike|wind ?fury|first strike|double attack|multi ?strike",
        _DOUBLE,
        ("this has FRENZY this turn",),
    ),
    "indestructible": Wording(
        "indestructible|hexproof|shroud|ward|immune|immunity|divine shield|shield(?:ed)?|armou?r"
        "|resilient|invulnerable",
        _STAYS,
        ("this has TOUGH this turn", "constant: this cannot be defeated"),
    ),
    "vigilance": Wording(
        "vigilance|vigilant",
        "attacking tires nobody: a creature that has attacked may block",
        ("this has FRENZY this turn",),
    ),
    "lifelink": Wording(
        "life ?link|life ?steal|vampir(?:e|ic|ism)",
        "an effect of the field 'attack' says what an attack brings",
        ("attack: gain 1 life",),
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
    "play": ("on_play", "when_played", "battlecry", "etb", "enter", "text", "effect", "ability"),
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


@cache
def _expression(said: str) -> re.Pattern[str]:
    pattern = said.replace(" ", r"\s+").replace(r"\s+?", r"\s*")
    return re.compile(rf"(?<![\w'])(?:{pattern})(?![\w'])", re.IGNORECASE)


def foreign_wording(line: str, at: int) -> tuple[int, str, str] | None:
    """Words of another game that a line stumbles over at a character: where, what, and what to say.

    None where there are none.
    """
    for row in (*KEYWORDS_ELSEWHERE.values(), *WORDINGS):
        for match in _expression(row.said).finditer(line):
            if match.start() <= at <= match.end() + 1:
                return match.start(), match[0], row.message(match[0])
    return None


def foreign_keyword(word: str) -> str:
    """What comes nearest to a keyword of another game; "" where it is none."""
    for row in KEYWORDS_ELSEWHERE.values():
        if _expression(row.said).fullmatch(word.strip()):
            return row.message(word)
    return ""


def nearest_field(word: str, fields: Iterable[str]) -> str:
    """The field that was probably meant: one that is called so elsewhere, else the most like it."""
    fields = tuple(fields)
    said = word.casefold().replace("-", "_").replace(" ", "_")
    for field in fields:
        if (said, field) in FIELDS_ELSEWHERE:
            return field
    return nearest(word, fields)
