"""Feed the studio texts that somebody is still typing: `python -m support.studio_texts 4000 7`.

Card files, files of Mice & Mystics and those of a game of one's own are cut, doubled, swapped and
changed at random, their ids as well, and go through everything that the page asks while somebody
types: what is wrong, the form, its changes, completion, and the spelling that the formatter gives.
Each must be answered, or refused with a message.  Text i of a seed is always the same.
"""

import json
import random
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from card_data.faults import CardFileError
from card_data.mice_and_mystics.loader import base_files
from card_data.mindbug import available_sets
from card_data.mindbug.loader import set_path
from card_data.toml_files import Unreadable
from reports.cli.console import InputError
from reports.games import reports_of
from reports.own_games.studio.bench import bench_of
from reports.studio.editing import Sheet
from reports.studio.form import Forms
from reports.studio.guard import Secrets
from reports.studio.project import Project
from reports.studio.server import Studio
from reports.studio.work import Desk
from simcore.games import names
from simcore.places import RunError
from support import random_cards
from support.fuzz import _pieces, changed
from support.own_games import EXAMPLES

#: Headers that are no ids, or hardly: what somebody types before it is one.
_HEADERS = (
    *("my-card", "A", '"Ä"', "1", "_", "a.b", '""', '"a b"', "a" * 70, '"]"', '"\\u0000"', "''"),
    *("[a]", "hero.my-hero", 'hero."Ä"', "hero", 'minion.""', "name", "game", "in_discard", "play"),
)
#: Lines of which the last words are still to come.
_UNFINISHED = (
    *('play = ""', 'play = "gain"', 'constant = "this has "', 'attack = ["gain 1 life", ""]'),
    *("in_discard = { play = 3 }", "power =", 'evolves_to = "A"', 'name = ""', "life = 0"),
    *('abilities = [""]', 'starting_gear = ["', 'effects = [{ do = "" }]', "keywords = [1, [2]]"),
    *("cards = { pup = 0 }", "cards = { ghost = 4 }", 'cards = ["pup"', 'words = ["", 3]'),
)


def made(game: str, rng: random.Random) -> str:
    """A text in which something is not whole."""
    pieces = _PIECES[game]()
    begin = 'name = "Fuzzed"\n\n' if game == "mindbug" else ""
    text = begin + "".join(rng.choices(pieces, k=rng.choice((1, 1, 2, 3))))
    if rng.random() < 0.4:
        lines = text.splitlines(keepends=True)
        headers = [at for at, line in enumerate(lines) if line.startswith("[")]
        lines[rng.choice(headers)] = f"[{rng.choice(_HEADERS)}]\n"
        text = "".join(lines)
    if rng.random() < 0.4:
        lines = text.splitlines(keepends=True)
        at = rng.randrange(len(lines) + 1)
        lines[at : at + rng.randrange(2)] = [f"{rng.choice(_UNFINISHED)}\n"]
        text = "".join(lines)
    return text if rng.random() < 0.4 else changed(text, rng, pieces)


def _pieces_of_mindbug() -> list[str]:
    texts = [set_path(name).read_text("utf-8") for name in available_sets()]
    return [*_pieces(texts), *_pieces([random_cards.made_up(random.Random(0), 200)])]


def _pieces_of_mice() -> list[str]:
    pieces = _pieces([path.read_text("utf-8") for path in base_files()])
    return [one for one in pieces if len(one) < 1500]


def _once(make: Callable[[], list[str]]) -> Callable[[], list[str]]:
    kept: list[str] = []

    def pieces() -> list[str]:
        if not kept:
            kept.extend(make())
        return kept

    return pieces


def _pieces_of_an_own_game() -> list[str]:
    return _pieces([RULES.with_suffix(".toml").read_text("utf-8")])


#: The rules of the game of one's own, whose factions name its cards.
RULES = EXAMPLES / "factions.py"
_PIECES = {
    "mindbug": _once(_pieces_of_mindbug),
    "mice_and_mystics": _once(_pieces_of_mice),
    "own_games": _once(_pieces_of_an_own_game),
}


def questions(
    game: str, forms: Forms, text: str, rng: random.Random
) -> list[tuple[str, Mapping[str, Any]]]:
    """What the page may ask of a text: the name of each question, and what is sent with it."""
    try:
        sheet = Sheet(forms, text)
        entries, kinds = ["", *sheet.kinds], sheet.kinds
    except InputError:
        entries, kinds = ["", "my-card"], {}
    entry = rng.choice(entries)
    fields = [one.name for one in forms.fields(kinds.get(entry, ""))] if entry in kinds else []
    field = rng.choice([*fields, "name", "play", "\N{MOUSE FACE}"])
    value = rng.choice((None, "", "3", "true", "gain 1", ["gain 1 life", ""], "\x7f", '"]', "A"))
    kind = rng.choice([*forms.kinds, "none"])
    known = rng.choice([*forms.kinds[kind].known()] or [""]) if kind in forms.kinds else "X"
    at = rng.randrange(len(text) + 1)
    of = {"game": game, "file": "mine.toml", "text": text, "entry": entry}
    return [
        ("check", {**of, "form": entry}),
        ("edit", {**of, "change": "value", "field": field, "value": value}),
        ("edit", {**of, "change": "new", "kind": kind, "name": rng.choice((known, "", "Ä ]"))}),
        ("edit", {**of, "change": "copy"}),
        ("edit", {**of, "change": "remove"}),
        ("edit", {**of, "change": "id", "value": rng.choice(("new_one", "A", "", "a.b"))}),
        ("complete", {**of, "before": text[:at], "behind": text[at:]}),
        (
            "complete",
            {**of, "field": field, "before": rng.choice(("", "gain 1 ", "\N{MOUSE FACE}"))},
        ),
        ("complete", {**of, "kind": kind, "before": known[:2]}),
        ("put", {**of, "of": "mine.toml", "entries": rng.choice(_PIECES[game]())}),
    ]


def ask(studio: Studio, what: str, said: Mapping[str, Any]) -> str:
    """Ask as a page does: "answered", or "refused" with a message.  Raises whatever is neither."""
    try:
        json.dumps(getattr(studio, what)(said)).encode()
    except (InputError, CardFileError, RunError) as error:
        assert str(error)
        return "refused"
    return "answered"


def fed(number: int, seed: int, studio: Studio) -> Counter[tuple[str, str]]:
    """What comes of the questions about text ``number``, by question and game's answer."""
    game = [*_PIECES][number % len(_PIECES)]
    rng = random.Random(f"{game} {seed} {number}")
    text = made(game, rng)
    found: Counter[tuple[str, str]] = Counter()
    try:
        for what, said in questions(game, studio.desk.benches[game].forms, text, rng):
            found[what, ask(studio, what, said)] += 1
        try:
            again = studio.desk.benches[game].formatted(text)
            found["format", "answered"] += 1
            assert studio.desk.benches[game].formatted(again) == again
        except (CardFileError, Unreadable):
            found["format", "refused"] += 1
    except Exception as error:
        error.add_note(f"of text {number} of {game}, seed {seed}:\n{text}")
        raise
    return found


def studio_in(folder: Path) -> Studio:
    """A studio of all games and one of one's own, without its server."""
    benches = {name: bench for name in names() if (bench := reports_of(name).studio) is not None}
    benches["own_games"] = bench_of(str(RULES))
    return Studio(Project(folder), Desk(benches), Secrets())


def main(texts: int, seed: int) -> int:
    """Print what came of so many texts; 1 if one of them ended in an error."""
    found: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        studio = studio_in(Path(folder))
        for number in range(texts):
            try:
                found += fed(number, seed, studio)
            except Exception:  # noqa: BLE001 - told, and the next one is fed
                found["all", "error"] += 1
                traceback.print_exc()
    for (what, came), count in sorted(found.items()):
        print(f"{what}: {came} {count:,}")
    return int(found["all", "error"] > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
