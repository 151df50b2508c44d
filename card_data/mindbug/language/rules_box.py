"""The rules box of a card: its trigger words, and which field each of its sentences is for.

Keywords and trigger words are known in the languages that the rulebooks were printed in; whole
sentences in English alone.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from card_data.mindbug.language.phrases import table
from card_data.mindbug.vocabulary import Keyword
from card_data.phrases import tokens_of

#: Keywords as other printed languages have them: Spanish, Italian, Russian.
_KEYWORDS = {
    Keyword.FRENZY: ("Frenesí", "Frenesia", "Яростное"),
    Keyword.HUNTER: ("Cacería", "Caccia", "Охотник"),
    Keyword.POISONOUS: ("Veneno", "Veleno", "Ядовитое"),
    Keyword.SNEAKY: ("Sigilo", "Furtività", "Скрытное"),
    Keyword.TOUGH: ("Dureza", "Tenacia", "Крепкое"),
}
#: Trigger words by field, with those of the other languages.
_HEADERS = {
    "play": "Play|Jugar|Gioco|Розыгрыш",
    "attack": "Attack|Atacar|Attacco|Атака",
    "defeated": "Defeated|Derrotada|Sconfitto|Уничтожение",
    "action": "Action|Activar|Azione",
    "in_discard": "In (?:your |the |a )?discard pile|En la pila de descartes"
    "|Nella pila degli scarti",
}
#: Trigger words as cards print them.
HEADERS = (
    "Play: ",
    "Attack: ",
    "Play/Attack: ",
    "Defeated: ",
    "Action: ",
    "In your discard pile: ",
)
_THIS = "(?:this(?: card| creature)?|it)"
#: How the sentence of a trigger begins that has no word of its own.
_EVENTS = {
    "play": f"when(?:ever)? {_THIS} (?:is played|comes into play|enters play)|when played",
    "attack": f"when(?:ever)? {_THIS} attacks",
    "defeated": f"when(?:ever)? {_THIS} is defeated",
    "discarded": f"when(?:ever)? {_THIS} is (?:put into (?:your|the|a) discard pile|discarded)",
    "end_of_turn": "at the end of (?:each|every|(?P<whose>your|(?:your|the) opponent's)) turn",
    "mindbug_used": "when(?:ever)? (?:your |the )?opponent uses a Mindbug",
    "exhausted": f"when(?:ever)? {_THIS} becomes exhausted",
}
_SENTENCE = re.compile(r'[\s\u2022*\u2013-]*((?:"[^"]*"|[^".!\n])+(?:[.!]+|\n|$))')
#: A sentence that goes on with the one before.
_GOES_ON = re.compile(r"\s*(?:if you do|then)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


class Piece(NamedTuple):
    """A line of a field and where it begins; the end of a turn may be that of one player alone."""

    field: str
    line: str
    start: int
    your_turn: bool | None = None


def folded(text: str) -> str:
    """A text without capitals and accents, as long as it was."""
    return "".join(unicodedata.normalize("NFD", letter)[0].lower()[:1] for letter in text)


_BY_WORD = {folded(one.name): one for one in Keyword} | {
    folded(word): one for one, words in _KEYWORDS.items() for word in words
}
_ONE = {field: folded(words) for field, words in _HEADERS.items()}
_OR = f"(?:{'|'.join(_ONE.values())})"
_HEADER = re.compile(rf"\s*(?P<words>{_OR}(?:\s*/\s*{_OR})*)\s*[:\-]")
_EVENT = {
    field: re.compile(rf"\s*(?:{words})\s*[,:]", re.IGNORECASE) for field, words in _EVENTS.items()
}
#: A trigger word in the middle of a text that has no full stop before it.
_INSIDE = re.compile(rf"(?<=[^\W\d_.,;])\s+(?={_OR}\s*[:/])")


def keyword_named(word: str) -> Keyword | None:
    """The keyword that a word names, in any of the printed languages."""
    return _BY_WORD.get(folded(word.strip()))


def keywords_in(text: str) -> list[Keyword]:
    """The keywords that a text names."""
    return [word for word in map(keyword_named, _WORD.findall(text)) if word is not None]


def headed(line: str) -> Piece:
    """A line without its trigger word, and the field that the word stands for; "" for none."""
    plain = folded(line).replace("\u2019", "'")
    if found := _HEADER.match(plain):
        words = [word.strip() for word in found["words"].split("/")]
        fields = [name for word in words for name, one in _ONE.items() if re.fullmatch(one, word)]
        field = "play_attack" if sorted(fields) == ["attack", "play"] else "/".join(fields)
        return Piece(field, line[found.end() :], found.end())
    for field, event in _EVENT.items():
        if found := event.match(plain):
            whose = found.groupdict().get("whose")
            your_turn = None if whose is None else whose == "your"
            return Piece(field, line[found.end() :], found.end(), your_turn)
    return Piece("", line, 0)


def pieces(text: str) -> Iterator[Piece]:
    """The lines of a rules box, each for its field; the field of keywords is ``keywords``."""
    start, end, field = 0, 0, ""
    your_turn: bool | None = None
    for begun, sentence in _sentences(text):
        piece = headed(sentence)
        words = _WORD.findall(sentence)
        if not piece.field and words and len(keywords_in(sentence)) == len(words):
            kind = "keywords"
        elif piece.field:
            kind = piece.field
        elif field not in ("", "keywords", "constant") and _goes_on(sentence):
            end = begun + len(sentence)
            continue
        else:
            kind = "constant"
        for one in filter(None, field.split("/")):
            yield Piece(one, text[start:end], start, your_turn)
        field, start, your_turn = kind, begun + piece.start, piece.your_turn
        end = begun + len(sentence)
    for one in filter(None, field.split("/")):
        yield Piece(one, text[start:end], start, your_turn)


def _goes_on(sentence: str) -> bool:
    """Whether a sentence goes on with the effect before it, as one that is not so all the time."""
    if _GOES_ON.match(sentence):
        return True
    tokens = [token for token in tokens_of(sentence) if token.text not in (".", "!")]
    read = table().read
    return bool(read(tokens, "triggered")) and not read(tokens, "constant")


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a text with their places."""
    for found in _SENTENCE.finditer(text):
        if not found[1].strip(" .\n\u2022-*"):
            continue
        start, said = found.start(1), found[1].rstrip()
        if '"' not in said:
            for cut in _INSIDE.finditer(folded(said)):
                before = text[start : found.start(1) + cut.start()]
                if before.split()[-1].lower() not in ("has", "have"):
                    yield start, before
                    start = found.start(1) + cut.end()
        yield start, text[start : found.start(1) + len(said)]
