"""Mindbug in the studio: card files, players, sets, modes."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.games import at
from reports.mindbug.cli.options import PoolOptions
from reports.mindbug.cli.run_options import BalanceOptions
from reports.mindbug.studio.modes import choices_of_modes, chosen_modes
from reports.studio.bench import (
    Bench,
    Checked,
    Choice,
    Chosen,
    Example,
    Face,
    Priced,
    Recipe,
    Trial,
    checked,
)
from reports.studio.form import Forms
from reports.studio.tables import Tables
from simcore.mindbug.players.registry import POLICIES

if TYPE_CHECKING:
    import pandas as pd

    from analysis.runs import Run
    from card_data.mindbug.schema import Card, PowerCard
    from reports.play.log import GameLog
    from reports.play.scene import Moment
    from reports.studio.live import RunStage
    from reports.studio.measure import Measure

#: Who gives a first impression while a stronger player learns the cards.
_AT_ONCE = "heuristic"
#: Where a file's cards are played unless a set is chosen.
_HOME, _ALONE = "", "-"
#: Games before somebody asks for more, and how well a card, or every card, is to be known at best
#: (percentage points): by players who choose at once, who think, and who search.
_SPEEDS = {
    "at once": (200_000, "0.25", "0.5"),
    "thinks": (100_000, "0.25", "0.5"),
    "searches": (10_000, "1", "2"),
}


_EXAMPLE = """name = "My Cards"

[marsh_lantern]
name = "Marsh Lantern"
power = 5
copies = 2
play = "gain 1 life"
"""


class _Mindbug(Bench):
    place = 1
    others = "Play against"
    entries, entry = "cards", "card"
    whole, page = "all cards of the pool", "all cards"
    looked_for = "destroy, life, power …"
    template = """name = "{name}"

[my_card]
name = "My Card"
power = 5
copies = 2
play = "gain 1 life"
"""

    @property
    def examples(self) -> Sequence[Example]:
        from reports.mindbug.studio.forms import shipped

        return [
            Example(
                "marsh_lantern",
                "A card nobody wants to draw",
                "It does little for its power. One keyword mends it: which?",
                _EXAMPLE,
            ),
            Example(
                "brain_fly",
                "A card everybody wants",
                "It comes with First Contact. What would bring it back to fair?",
                f'name = "Brain Fly, changed"\n\n{shipped(creatures=True)["Brain Fly"]}',
            ),
        ]

    @property
    def seats(self) -> Mapping[str, str]:
        return {"0": "as it is dealt", "1": "the same deal from the other side"}

    @property
    def trials(self) -> Mapping[str, Trial]:
        from reports.mindbug.studio.trials import trials

        return trials(self._pool)

    @property
    def forms(self) -> Forms:
        from reports.mindbug.studio.forms import forms

        return forms()

    @property
    def tables(self) -> Tables:
        from card_data.cells import MAX_BYTES, SUFFIXES

        return Tables(SUFFIXES, MAX_BYTES, _from_table, _to_table)

    def reads(self, text: str, path: Path) -> bool:
        from card_data.mindbug.loader import is_pool_file

        return not is_pool_file(path) and "\ngame = " not in f"\n{text}"

    def check(self, text: str, file: str) -> Checked:
        from card_data.mindbug.loader import read_set_text
        from reports.mindbug.cards.text import all_cards

        cards, faults = read_set_text(text, file, {})
        found = all_cards(cards) if cards else ()
        return checked(faults, [(card.card_id, card) for card in found], _face)

    formatted = at("card_data.mindbug.language.formatter:format_set")

    def recipes(self) -> Sequence[Recipe]:
        from card_data.mindbug.cookbook import recipes

        return [Recipe(*one) for one in recipes()]

    def choices(self) -> Sequence[Choice]:
        from card_data.mindbug import available_sets, load_sets

        sets = {one.set_id: one.name for one in load_sets(available_sets())}
        homes = {
            _HOME: "First Contact, or the set it changes",
            **sets,
            _ALONE: "nothing: the file by itself",
        }
        players = {
            "expert": "expert: strong; first learns new cards",
            "learned": "learned: one step ahead; begins at once",
            "heuristic": "heuristic: one step ahead, weights set by hand",
            "search:16": "search:16: stronger, several times slower",
            "search:64": "search:64: stronger still, and slow",
            "random": "random: chooses blindly",
        }
        assert all(player.partition(":")[0] in POLICIES for player in players)
        return [
            Choice("player", "Players", players),
            Choice("set", "Mixed into", homes),
            *choices_of_modes(),
        ]

    def stages(self, file: Path, entry: str, chosen: Chosen) -> "Sequence[RunStage]":
        from reports.mindbug.cli.taught import must_learn

        player = chosen["player"]
        options, named = self._pool(file, chosen)
        pool = PoolOptions(**options).load(named)
        players = [_AT_ONCE, player] if must_learn(player, pool) else [player]
        return [_stage(one, entry, options, named) for one in players]

    in_words = at("reports.mindbug.run_text:learned_in_words")

    def played_by(self, player: str) -> str:
        return f"between {player} players"

    def verdicts(self, file: Path, entry: str, chosen: Chosen) -> Iterator[Any]:
        from analysis.mindbug.experiments.usual import PLAYER, STRONGER
        from reports.mindbug.cli.verdict import CardOptions, ask

        player = chosen["player"]
        options, named = self._pool(file, chosen)
        wanted = [CardOptions(stronger=STRONGER, strong=strong) for strong in (False, True)]
        if player != PLAYER:
            wanted = [CardOptions(policy=player, stronger="none")]
        for one in wanted:
            yield from ask(entry, *named, pool=PoolOptions(**options), options=one)

    def ask_stronger(self, folder: Path, chosen: Chosen) -> str:
        from analysis.mindbug.experiments.usual import PLAYER, STRONG, STRONG_GAMES
        from reports.cli.compute import Crew
        from reports.mindbug.cli.strong import ask_strong

        if chosen["player"] != PLAYER:
            return ""
        ask_strong(folder, [], STRONG_GAMES, Crew())
        return STRONG

    def price(self, text: str, file: str, entry: str, chosen: Chosen) -> Priced | None:
        from card_data.mindbug.loader import read_set_text
        from reports.mindbug.price_list import pricer_at_hand
        from reports.prices.at_hand import as_priced

        options, named = self._pool(Path(file), chosen)
        options.pop("cards", None)
        pool = PoolOptions(**options).load(named)
        cards, _ = read_set_text(text, file, {})
        card = next((one for one in cards.cards if one.card_id == entry), None) if cards else None
        pricer = pricer_at_hand(pool) if card is not None else None
        if pricer is None:
            return None
        by = f"By the price list of {' and '.join(one.name for one in pool.sets)}"
        return as_priced(pricer.price(card), by, "points from the average card")

    def sit_down(
        self, file: Path, entry: str, chosen: Chosen, seat: str, seed: int
    ) -> "tuple[str, GameLog]":
        from reports.mindbug.cli.play import MatchOptions

        options, named = self._pool(file, chosen)
        asked = MatchOptions(**options, seat=int(seat))
        return asked.log(named, player=chosen["player"], seed=seed, start_with=entry or None)

    def company(self, log: "GameLog") -> str:
        from reports.kit.words import listed
        from reports.mindbug.run_text import called

        return f"against {listed(map(called, log.players))}"

    def moments(self, run: "Run", game: int) -> "Sequence[Moment]":
        from analysis.mindbug.replays import stepped
        from analysis.mindbug.runs import open_run
        from reports.kit.words import capital
        from reports.mindbug.play import Seats, moments_of
        from reports.mindbug.run_text import called, called_in_game
        from simcore.mindbug.face.replay_text import named

        told, players = stepped(open_run(run.folder), game), run.manifest["policies"]
        names = called_in_game(players, told.record["first_player"])
        say = partial(named, names=[f"the {name}" for name in names])
        return moments_of(told.steps, Seats([*map(called, players)], [*map(capital, names)], say))

    def first_side(self, run: "Run", game: int) -> str:
        from reports.mindbug.run_text import called_in_game
        from simcore.work.parts import place_of

        part, place = place_of(run.manifest, game)
        first = int(run.part(part)[place]["first_player"])
        return f"The {called_in_game(run.manifest['policies'], first)[0]}"

    decided = at("reports.mindbug.studio.trials:decided")
    why = at("reports.mindbug.studio.trials:why")

    def _pool(self, file: Path, chosen: Chosen) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The options that say what is played, and the sets that are named.

        Raises CardFileError.
        """
        from reports.mindbug.cli.verdict_pool import homes, is_whole

        modes = chosen_modes(chosen)
        own, wanted = [str(file)], chosen["set"]
        if wanted == _ALONE or (wanted == _HOME and is_whole(own)):
            return modes, (str(file),)
        return {**modes, "cards": [file]}, tuple([wanted] if wanted else homes(own))


def _stage(player: str, entry: str, options: Mapping[str, Any], named: Sequence[str]) -> "RunStage":
    from reports.studio.live import RunStage

    policy = POLICIES[player.partition(":")[0]]
    speed = "searches" if policy.searches else "thinks" if policy.network else "at once"
    games, card, every = _SPEEDS[speed]
    until = f"{card}:{entry}" if entry else every
    said = BalanceOptions(**options, policy=player)
    return RunStage(player, games, _measure(entry), said, named, until)


def _measure(entry: str) -> "Measure":
    """How often players win who were dealt a card, or each card of the pool for ""."""
    from analysis.verdicts import BAND
    from reports.studio.measure import SHARE, Measure
    from reports.studio.words import pool_sentence

    return Measure(
        column="win_rate",
        unit=SHARE,
        words=_sentence if entry else partial(pool_sentence, column="win_rate", noun="card"),
        title="Win rate",
        caption="Share of games won by players who were dealt it, with its interval, as games are"
        " added. The shaded band is fair.",
        noun="Card",
        band=BAND,
        ground=(0.4, 0.6),
    )


def _sentence(rows: "pd.DataFrame") -> str:
    """Where a card stands."""
    from reports.mindbug.verdict.text import CardWords

    return CardWords({"verdict": rows}).sentence


def _from_table(content: bytes, name: str, sheet: str) -> str:
    """What ``cards import`` makes and says of a spreadsheet.  Raises CardFileError."""
    from card_data.mindbug.language.formatter import format_cards
    from card_data.mindbug.spreadsheet import parse_table

    notes: list[str] = []
    card_set = parse_table(content, name, sheet=sheet or None, tell=notes.append)
    return "".join([*(f"# {note}\n" for note in notes), format_cards(card_set)])


def _to_table(text: str, file: str, suffix: str) -> bytes:
    """What ``cards export`` makes of a card file.  Raises CardFileError."""
    from card_data.mindbug import parse_set
    from card_data.mindbug.spreadsheet import encode_table

    return encode_table(parse_set(text, file), suffix)


def _face(card: "Card | PowerCard") -> Face:
    """A card as players of the game read it."""
    from card_data.mindbug.language.rules_text import rules_text
    from card_data.mindbug.schema import Card

    copies = "1 copy" if card.copies == 1 else f"{card.copies} copies"
    if not isinstance(card, Card):
        facts = f"power card, costs {card.cost} · {copies}"
        return Face(card.card_id, card.name, facts, rules_text(card), False, str(card.cost))
    keywords = " ".join(keyword.name for keyword in sorted(card.keywords))
    dice = ["", "1 die", f"{card.dice} dice"][min(card.dice, 2)]
    stage = f"stage {card.stage}" if card.stage > 1 else ""
    many = copies if card.copies else "reached by evolving"
    facts = " · ".join(filter(None, [f"power {card.power}", keywords, dice, stage, many]))
    is_judged = card.copies > 0
    return Face(card.card_id, card.name, facts, rules_text(card), is_judged, str(card.power))


BENCH = _Mindbug()
