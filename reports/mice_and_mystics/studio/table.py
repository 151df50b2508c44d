"""The table of the studio: who sits where, with which party, and which games are told."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reports.cli.console import InputError
from reports.kit.words import listed
from reports.mice_and_mystics.cli.play import MatchOptions
from reports.mice_and_mystics.studio.choices import Asked, read
from reports.studio.bench import Chosen, Decided
from reports.verdict.studio import decided_games

if TYPE_CHECKING:
    from analysis.runs import Run
    from card_data.mice_and_mystics.facts import Ability, Hero
    from reports.play.log import GameLog
    from reports.play.scene import Moment

#: Seats of whoever plays all mice, or the hero that is asked about; others are ids of heroes.
_ALL, _ASKED = "all", "asked"


def seats() -> Mapping[str, str]:
    """The seats in words: all mice, or one of them."""
    from card_data.mice_and_mystics import load_facts

    alone = {hero.id: f"{hero.name} alone" for hero in load_facts().heroes}
    return {_ALL: "all mice", _ASKED: "the hero that you ask about", **alone}


def sit_down(file: Path, entry: str, chosen: Chosen, seat: str, seed: int) -> "tuple[str, GameLog]":
    """A game of a person before it begins; see `reports.studio.bench.Bench.sit_down`."""
    asked = read(file, entry, chosen)
    facts = asked.played.played()[0]
    heroes = {hero.id for hero in facts.heroes}
    if seat == _ASKED and entry not in heroes:
        raise InputError("choose the hero whom you want to play above, or take another seat")
    mine = entry if seat == _ASKED else "" if seat == _ALL else seat
    party = _party(asked, {mine, entry} & heroes, entry, seed)
    cards = (*facts.minions, *facts.encounters, *facts.search_cards)
    options = MatchOptions(party=",".join(party), switches=[*asked.switches], mice=mine or None)
    return options.log(
        [asked.played.said],
        player=chosen["player"],
        seed=seed,
        start_with=entry if any(card.id == entry for card in cards) else None,
    )


def _party(asked: Asked, wanted: set[str], entry: str, seed: int) -> Sequence[str]:
    """The party that is chosen, or one of the legal ones, by the seed.

    It has the heroes that are ``wanted``, which raises InputError where no party has, and one who
    can learn the entry if that is an ability.
    """
    from card_data.mice_and_mystics.settings import legal_parties

    facts, settings = asked.played.played()
    heroes = {hero.id: hero for hero in facts.heroes}
    abilities = [one for one in facts.abilities if one.id == entry]
    parties = [settings.party] if settings.party else legal_parties(facts, settings)
    fitting = [
        party
        for party in parties
        if wanted <= {*party}
        and all(any(_learns(heroes[one], ability) for one in party) for ability in abilities)
    ]
    if not fitting:
        names = listed(heroes[one].name for one in sorted(wanted))
        raise InputError(
            f"no party that may play here has {names} in it: choose another party or chapter"
        )
    return fitting[seed % len(fitting)]


def _learns(hero: "Hero", ability: "Ability") -> bool:
    """Whether a hero may own an ability."""
    own = {"any", hero.id, hero.extra_ability_class, *hero.classes}
    return not own.isdisjoint(ability.classes)


def company(log: "GameLog") -> str:
    """Who decides for the mice that a person leaves."""
    others = listed(dict.fromkeys(log.players))
    mice = log.asked["settings"]["party"]
    return "you play all mice" if len(log.person) == len(mice) else f"together with {others}"


def moments(run: "Run", game: int) -> "Sequence[Moment]":
    """A game of a run, told move by move; see `reports.studio.bench.Bench.moments`."""
    from analysis.mice_and_mystics.contract import facts_of
    from analysis.mice_and_mystics.replays import stepped
    from reports.mice_and_mystics.play.scene import Scenes

    played = facts_of(run)
    scenes = Scenes(played.data, played.settings.chapter)
    return scenes.moments(stepped(run, game).steps, run.manifest["policies"])


def decided(folder: Path) -> Sequence[Decided]:
    """The games of a verdict that came out otherwise.  Raises RunError."""
    from analysis.mice_and_mystics.experiments.verdict import FOLDER
    from analysis.mice_and_mystics.experiments.verdict_tables import VERDICT_GAMES
    from reports.mice_and_mystics.verdict.text import game_text

    return decided_games(FOLDER, VERDICT_GAMES, folder, game_text, turn=lambda _: 0)
