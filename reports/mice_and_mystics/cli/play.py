"""What `fairdeal play` is asked to do with Mice & Mystics."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from attrs import frozen
from cyclopts import Parameter

from reports.cli.console import InputError, as_input_error
from reports.mice_and_mystics.cli import options

if TYPE_CHECKING:
    from card_data.mice_and_mystics.facts import Entry
    from reports.play.log import GameLog
    from simcore.mice_and_mystics.table.table import Table

#: Who decides for the mice that a person leaves: strong, and quick.
COMPANION = "search:100"


@Parameter(name="*", group=options.GROUP, help="What is played, how, and for which mice.")
@frozen(kw_only=True)
class MatchOptions:
    """Party, switches, and the person's mice."""

    party: options.Party = None
    switches: options.Switches = None
    mice: Annotated[
        str | None,
        Parameter(help="The heroes that you play, as in 'collin,tilda'. Default: the whole party."),
    ] = None

    def log(
        self, named: Sequence[str], *, player: str | None, seed: int, start_with: str | None
    ) -> "tuple[str, GameLog]":
        """The game of which nothing has been played yet.  Raises CardFileError and InputError."""
        from card_data.mice_and_mystics.facts import by_id
        from reports.play.log import GameLog
        from simcore.mice_and_mystics.play.run import match_entries
        from simcore.mice_and_mystics.play.setup import ChapterSetup
        from simcore.mice_and_mystics.players.seats import fingerprints, split_players

        if self.party == options.ALL_PARTIES:
            raise InputError(f"--party is '{options.ALL_PARTIES}'; name the heroes of one party")
        with as_input_error("--player"):
            players = split_players(COMPANION if player is None else player)
            options.use_players(players)
            weights = fingerprints(players)
        playable = options.load_chapter("+".join(named), self.party, self.switches or (), players)
        facts, settings = playable.played()
        setup = ChapterSetup(facts, settings)
        table = setup.table
        with as_input_error("--player"):
            setup.seat(players)
        number, card = 0, None
        if start_with is not None:
            number, card = _deal_with(table, start_with, seed)
        asked, files = match_entries(setup)
        chapter = by_id(facts.chapters)[settings.chapter]
        log = GameLog(
            game="mice_and_mystics",
            title=chapter.name or chapter.id,
            asked=asked,
            files={name: data.decode() for name, data in files.items()},
            seed=seed,
            number=number,
            start_with=card,
            players=players,
            weights=weights,
            person=self._mice(table),
        )
        return playable.name, log

    def _mice(self, table: "Table") -> tuple[int, ...]:
        """The mice of the person by party index.  Raises InputError."""
        from card_data.faults import unknown_word

        party = list(table.settings.party)
        if self.mice is None:
            return tuple(range(len(party)))
        names = {hero.name.casefold(): hero.id for hero in table.facts.heroes}
        wanted = [one.strip().casefold() for one in self.mice.split(",")]
        found = [names.get(one, one) for one in wanted]
        for one in found:
            if one not in party:
                raise InputError(f"--mice: {unknown_word('mouse in this party', one, party)}")
        return tuple(sorted({party.index(one) for one in found}))


def _deal_with(table: "Table", name: str, seed: int) -> tuple[int, str]:
    """The first game of the seed in which an entry comes first, and what is dealt."""
    from card_data.faults import nearest
    from simcore.mice_and_mystics.face.game import first_game_with

    facts = table.facts
    kinds: tuple[tuple[Entry, ...], ...] = facts.minions, facts.encounters, facts.search_cards
    entries = {
        word.casefold(): one for kind in kinds for one in kind for word in (one.name, one.id)
    }
    if name.casefold() in {one.id for one in facts.heroes}:
        raise InputError(f"--start-with: {name} is a hero, who is met in a party: --party")
    if name.casefold() in {one.id for one in facts.abilities}:
        raise InputError(f"--start-with: {name} is an ability, which you choose at the beginning")
    entry = entries.get(name.casefold())
    if entry is None:
        guess = nearest(name, entries)
        meant = f"; did you mean '{entries[guess].id}'?" if guess else "."
        raise InputError(
            f"--start-with: there is no search card, encounter or minion '{name}'{meant}"
        )
    with as_input_error("--start-with"):
        number = first_game_with(table, entry.id, seed=seed)
        return number, f"{entry.name or entry.id} on top of its deck"
