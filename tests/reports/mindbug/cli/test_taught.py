"""Players with a network learn new cards before they play with them, once for each pool."""

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from analysis.mindbug import play_run
from card_data.mindbug import load_pool
from card_data.mindbug.schema import Pool
from card_data.mindbug.vocabulary import Keyword
from reports.mindbug.cli.taught import taught
from reports.play.log import read_log
from simcore.mindbug import compile_cards
from simcore.mindbug.play.network_training import NetworkTraining
from simcore.mindbug.players.network_files import NETWORKS, own_network, read_network, write_network
from simcore.mindbug.players.seats import fingerprints
from simcore.places import TAUGHT
from support.typist import Piped

EVERYTHING = load_pool(
    [
        *("first_contact", "new_servants", "beyond_evolution", "beyond_eternity"),
        *("king_of_tokyo", "promos"),
    ]
)

#: A card of whose kind no network has seen any.
OWN_CARD = """
name = "Mine"
[own]
name = "Own Card"
power = 6
keywords = ["FRENZY", "HUNTER", "POISONOUS", "SNEAKY", "TOUGH"]
"""
# As it is, before tests make lessons short.
WHOLE = NetworkTraining.teaching


def with_own_card(**changes: Any) -> Pool:
    """First Contact with one card of a set of one's own."""
    (first,) = load_pool(["first_contact"]).sets
    card = evolve(first.cards[0], card_id="own", name="Own Card", copies=2, **changes)
    return Pool((first, evolve(first, set_id="mine", name="Mine", cards=(card,))))


@pytest.fixture
def somewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)


def test_networks_know_the_cards_that_come_with_fairdeal() -> None:
    """So nothing is learned before a set is played; a name means nothing to a network."""
    faces = compile_cards(EVERYTHING).faces
    for name in NETWORKS:
        assert own_network(name).unknown(faces) == []
    renamed = evolve(faces[0], card_id="other", name="Other", copies=1)
    stronger = evolve(faces[0], power=faces[0].power + 1)
    other = evolve(faces[0], keywords=frozenset(Keyword) - faces[0].keywords)
    assert own_network("expert").unknown([renamed, stronger, other]) == [other]
    assert taught(("expert", "search:16"), [EVERYTHING]) == ("expert", "search:16")


def test_players_learn_new_cards_once(somewhere: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Each network is taught, whoever thinks with it; the next command finds what it learned."""
    pool = with_own_card(keywords=frozenset(Keyword))
    players = taught(("expert", "search:16-blocks@0.1", "learned", "search=learned:4"), [pool])
    name = players[0].removeprefix("expert=")
    assert name == "mine"
    assert players[1:] == (f"search={name}:16-blocks@0.1", "learned", "search=learned:4")
    assert "expert was not trained with Own Card: it first learns" in capsys.readouterr().err
    network = read_network(TAUGHT / f"{name}.npz")
    assert network.digest != own_network("expert").digest
    assert network.unknown(compile_cards(pool).faces) == []
    assert fingerprints(players[:1]) != fingerprints(["expert"])
    assert taught(players, [pool]) == players
    assert taught(("expert",), [pool]) == players[:1]
    assert capsys.readouterr().err == ""


def test_another_pool_is_learned_by_itself(somewhere: None) -> None:
    """What was learned for one pool does not serve for another."""
    one, other = (
        taught(("expert",), [with_own_card(keywords=frozenset(Keyword), power=power)])
        for power in (11, 12)
    )
    assert (one, other) == (("expert=mine",), ("expert=mine-2",))


def test_an_interrupted_lesson_goes_on(somewhere: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its last file the lesson is not done; it ends in the same network."""
    pool = with_own_card(keywords=frozenset(Keyword))
    (player,) = taught(("expert",), [pool])
    file = TAUGHT / f"{player.removeprefix('expert=')}.npz"
    digest = read_network(file).digest
    file.unlink()
    assert taught(("expert",), [pool]) == (player,)
    assert read_network(file).digest == digest


def test_ladder_and_play_teach_too(ask, piped: Piped) -> None:
    """A new card is met by players who know it, and who learned it once; hints know it as well."""
    Path("mine.toml").write_text(OWN_CARD)
    players = "random,expert"
    answer = ask(
        "ladder", "first_contact", "mine.toml", "--players", players, "--games", "2"
    ).done()
    assert "expert was not trained with Own Card: it first learns" in answer.err
    both = "expert,expert=mine"
    refused = ask("ladder", "first_contact", "mine.toml", "--players", both, "--games", "2")
    same = "'expert' and 'expert=mine' are the same player"
    assert (refused.status, same in refused.err) == (2, True)
    game = ["play", "first_contact", "mine.toml", "--seed", "7", "--out", "game.json"]
    status, told, err = piped(*game, lines=["hint", "quit"])
    assert (status, "it first learns" in err) == (0, False)
    assert read_log(Path("game.json")).players == ("expert=mine",)
    assert "Chance of winning, as expert sees it" in " ".join(told.split())


def test_a_dry_run_foresees_lessons(ask) -> None:
    """They are among the games that are told, once for each network, until they are played."""
    Path("mine.toml").write_text(OWN_CARD)
    asked = ("simulate", "first_contact", "mine.toml", "--policy", "expert:search:4", "--games")
    told = [json.loads(ask(*asked, 20, "--dry-run", "--json").out)["plays"]]
    assert not TAUGHT.exists()
    assert ask(*asked, 2, "--out", "run").status == 0
    told.append(json.loads(ask(*asked, 20, "--dry-run", "--json").out)["plays"])
    assert [[one["players"] for one in plays] for plays in told] == [
        [["expert", "search:4"], ["expert", "expert"], ["expert", "learned"]],
        [["expert", "search:4"]],
    ]


def test_python_warns_of_new_cards(tmp_path: Path) -> None:
    """No lesson is given there; the warning names the cards, and whoever has none gets none."""
    pool = with_own_card(keywords=frozenset(Keyword))
    with pytest.warns(UserWarning, match="^expert was not trained with Own Card, and"):
        play_run(pool, tmp_path / "run", games=2, policy="expert:greedy")
    play_run(pool, tmp_path / "other", games=2, policy="greedy")


def test_what_was_learned_elsewhere_is_missed(ask) -> None:
    """One message says which file is missing, and who there is instead."""
    TAUGHT.mkdir(parents=True)
    write_network(own_network("second"), TAUGHT / "my_cards.npz")
    played = ("--policy", "expert=my_cards", "--games", "20", "--out", "run")
    assert ask("simulate", "first_contact", *played).status == 0
    (TAUGHT / "my_cards.npz").unlink()
    for question in (("replay", "run", "3"), ("balance", "first_contact", *played[:-2])):
        ask(*question).refused(
            f"but there is no {TAUGHT}/my_cards.npz here; copy that file",
            "Networks here are expert, second, third",
            lines=1,
        )


@pytest.mark.parametrize(("faces", "games"), [(60, 6_000), (180, 10_800)])
def test_more_cards_take_more_games(faces: int, games: int) -> None:
    """A lesson is long enough for pools of every size; what is said is done."""
    network = own_network("expert")
    pool = EVERYTHING if faces == 180 else load_pool(["first_contact"])
    training = WHOLE(network, [pool])
    assert (training.start, training.generations, training.games) == (network, 5, games)
    assert WHOLE(network, [pool], generations=2, games=6).games == 6
