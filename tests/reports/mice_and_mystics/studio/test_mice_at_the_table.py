"""Who sits at the table of the studio, with which party, and which games it tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.cli.console import InputError
from reports.mice_and_mystics.studio.bench import BENCH
from reports.play.log import GameLog

USUAL = {one.name: one.usual for one in BENCH.choices()}
NEW = {one.title: one.lines for one in BENCH.recipes() if one.section == "New entries"}
TEXT = "\n".join([NEW["a hero"], NEW["an ability"], NEW["a weapon"]])


def sit_down(
    folder: Path, entry: str = "", seat: str = "all", seed: int = 5, **chosen: str
) -> GameLog:
    """The game to which somebody sits down who has written new entries."""
    (folder / "mine.toml").write_text(TEXT)
    return BENCH.sit_down(folder / "mine.toml", entry, USUAL | chosen, seat, seed)[1]


def party_of(log: GameLog) -> list[str]:
    """The heroes of the party."""
    found: list[str] = log.asked["settings"]["party"]
    return found


@pytest.mark.parametrize("seat", BENCH.seats)
def test_every_seat_can_be_taken(tmp_path: Path, seat: str) -> None:
    """All mice, the hero that is asked about, or one hero, who is then in the party."""
    log = sit_down(tmp_path, "pip", seat)
    mine = [party_of(log)[mouse] for mouse in log.person]
    assert "pip" in party_of(log)
    assert mine == {"all": party_of(log), "asked": ["pip"]}.get(seat, [seat])
    words = "you play all mice" if seat == "all" else "together with learned"
    assert BENCH.company(log) == words


def test_the_party_follows_from_what_is_chosen(tmp_path: Path) -> None:
    """A party that is named; else a legal one by the seed, with who can learn an ability."""
    party = "collin,nez,tilda,filch"
    assert party_of(sit_down(tmp_path, party=party)) == party.split(",")
    drawn = {tuple(party_of(sit_down(tmp_path, seed=seed))) for seed in range(4)}
    assert len(drawn) == 4
    same = [party_of(sit_down(tmp_path, seed=9)) for _ in range(2)]
    assert same[0] == same[1]
    for seed in range(15):
        assert "collin" in party_of(sit_down(tmp_path, "rally", seed=seed)), "the one leader"


def test_cards_come_first(tmp_path: Path) -> None:
    """A search card lies on top of its deck; a hero or an ability is dealt as usual."""
    log = sit_down(tmp_path, "needle")
    assert log.start_with == "Needle on top of its deck"
    assert sit_down(tmp_path, "pip").start_with is None


@pytest.mark.parametrize(
    ("entry", "seat", "party", "words"),
    [
        ("needle", "asked", "", "choose the hero whom you want to play"),
        ("", "lily", "collin,nez,tilda,filch", "no party .* has Lily in it"),
        ("rally", "all", "nez,tilda,filch,maginos", "rally does not come up"),
    ],
)
def test_nobody_sits_down_wrongly(
    tmp_path: Path, entry: str, seat: str, party: str, words: str
) -> None:
    """What cannot be is told with what to do instead."""
    with pytest.raises(InputError, match=words):
        sit_down(tmp_path, entry, seat, party=party)
