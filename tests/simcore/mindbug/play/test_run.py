"""A run of Mindbug is the engine's games, whatever the threads, parts and interruptions."""

import hashlib
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from analysis.mindbug import open_run
from analysis.mindbug.replays import replay
from card_data.mindbug import available_sets, cards_hash, load_pool, pool_hash, read_pool
from card_data.mindbug.modes import Modes
from card_data.mindbug.variants import with_card
from card_data.mindbug.vocabulary import Ruling
from simcore.mindbug import RULES_VERSION, compile_cards, play_games
from simcore.mindbug.play.run import count_games, new_run, played_again
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players.seats import seat
from simcore.mindbug.players.weights import own_weights, write_weights
from simcore.mindbug.table.records import GAME_RECORD
from simcore.mindbug.table.weight_names import place_of
from simcore.sealed import RunError
from simcore.work import runs as runner
from simcore.work.parts import part_path
from simcore.work.runs import run_games

N_GAMES = 6000
POOL = load_pool(["first_contact"])
EVERYTHING = load_pool(available_sets())


@pytest.fixture(scope="module")
def games() -> np.ndarray:
    """The games of the runs, played in one call."""
    return play_games(compile_cards(POOL.sets), n_games=N_GAMES, seed=11)


def read(folder: Path) -> np.ndarray:
    """All games of a run."""
    return np.concatenate(list(open_run(folder).parts()))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("part_games", [500, 1024, 10_000])
def test_run_is_the_engines_games(
    tmp_path: Path,
    games: np.ndarray,
    monkeypatch: pytest.MonkeyPatch,
    threads: int,
    part_games: int,
) -> None:
    """Threads and part size change nothing in the games and their counts."""
    monkeypatch.setattr(runner, "_LEAST_PART_GAMES", part_games)
    monkeypatch.setattr(runner, "_MOST_PART_GAMES", part_games)
    counts = run_games(new_run(POOL, n_games=N_GAMES, seed=11), tmp_path, threads=threads)
    np.testing.assert_array_equal(read(tmp_path), games)
    assert counts == count_games(games)


def test_a_run_of_games_with_a_card(tmp_path: Path, games: np.ndarray) -> None:
    """They are those of the seed in which it is dealt, with their numbers; each can be told."""
    cards = compile_cards(POOL.sets).cards
    row = [card.card_id for card in cards].index("killer_bee")
    there = games[(games["cards"] == row).any(axis=1)]
    spec = new_run(POOL, n_games=len(there), seed=11, dealt="killer_bee")
    run_games(spec, tmp_path, threads=2)
    np.testing.assert_array_equal(read(tmp_path), there)
    run = open_run(tmp_path)
    assert run.manifest["dealt"] == "killer_bee"
    number = int(there["game"][100])
    assert replay(run, number).record["turns"] == there["turns"][100]
    absent = int(np.flatnonzero(~(games["cards"] == row).any(axis=1))[0])
    with pytest.raises(ValueError, match=f"no game {absent} in the run: nobody is dealt"):
        replay(run, absent)
    elsewhere = pickle.loads(pickle.dumps(played_again(tmp_path, run.manifest).task))
    out = np.zeros(50, GAME_RECORD)
    elsewhere.player(GAME_RECORD).play(200, out)
    np.testing.assert_array_equal(out, there[200:250])


def test_manifest_says_what_was_played(tmp_path: Path) -> None:
    """The manifest has all that the result depends on, and the pool lies beside it."""
    run_games(new_run(POOL, n_games=50, seed=3, policies=("random", "random")), tmp_path)
    manifest = open_run(tmp_path).manifest
    assert manifest["sets"] == ["first_contact"]
    assert manifest["cards_hash"] == cards_hash(POOL.sets)
    assert manifest["pool_hash"] == pool_hash(POOL)
    assert manifest["cards"] == [card.card_id for card in compile_cards(POOL.sets).cards]
    assert manifest["modes"]["after_mindbug"] == "turn"
    assert manifest["rules_version"] == RULES_VERSION
    assert (manifest["seed"], manifest["games"]) == (3, 50)
    assert manifest["policies"] == ["random", "random"]
    assert list(manifest["counts"]) == ["capped", "draws", "games", "looped"]
    assert read_pool(tmp_path) == open_run(tmp_path).pool() == POOL


def test_every_pool_is_a_run(tmp_path: Path) -> None:
    """All sets with modes of their own: the games of the engine, and the pool comes back."""
    rulings = frozenset({Ruling.PRINTED_POWER_COUNTS})
    numbers: dict[str, Any] = {"turn_cap": 60, "life": 5, "mindbugs": 3, "hand_size": 4}
    ways: dict[str, Any] = {"who_starts": "stronger_hand", "at_turn_cap": "higher_life"}
    modes = Modes("turn", True, **numbers, **ways, rulings=rulings)
    pool = evolve(EVERYTHING, modes=modes)
    run_games(new_run(pool, n_games=200, policies=("greedy", "random")), tmp_path)
    table = compile_cards(pool.sets, modes)
    np.testing.assert_array_equal(
        read(tmp_path), play_games(table, n_games=200, policies=("greedy", "random"))
    )
    run = open_run(tmp_path)
    assert run.pool() == pool
    assert run.card_ids == [card.card_id for card in table.cards]
    assert run.manifest["modes"]["rulings"] == ["printed_power_counts"]
    assert len(run.manifest["power_cards"]) == len(table.power_cards)


def test_parts_played_again_are_the_same(tmp_path: Path) -> None:
    """A part that was deleted comes back byte by byte."""
    spec = new_run(POOL, n_games=N_GAMES, seed=11)
    run_games(spec, tmp_path)
    before = part_path(tmp_path, 2).read_bytes()
    part_path(tmp_path, 2).unlink()
    run_games(spec, tmp_path)
    assert part_path(tmp_path, 2).read_bytes() == before


def test_other_cards_are_another_run(tmp_path: Path) -> None:
    """A run does not go on with a card that has changed."""
    run_games(new_run(POOL, n_games=50), tmp_path)
    (card_set,) = POOL.sets
    card, *others = card_set.cards
    changed = evolve(card_set, cards=(evolve(card, power=card.power + 1), *others))
    with pytest.raises(RunError, match="holds a run with other cards; choose"):
        run_games(new_run(evolve(POOL, sets=(changed,)), n_games=50), tmp_path)


def test_other_modes_are_another_run(tmp_path: Path) -> None:
    """A run does not go on with another mode; the message names it."""
    run_games(new_run(POOL, n_games=50), tmp_path)
    with pytest.raises(RunError, match="holds a run with life 3, not 4"):
        run_games(new_run(evolve(POOL, modes=Modes(life=4)), n_games=50), tmp_path)


@pytest.mark.parametrize("settings", [{"policies": ("random", "grandmaster")}, {"seed": -1}])
def test_settings_are_checked_first(tmp_path: Path, settings: dict[str, Any]) -> None:
    """An unknown policy or a bad seed leaves no folder behind."""
    with pytest.raises(ValueError, match=r"grandmaster|seed is -1"):
        run_games(new_run(POOL, n_games=50, **settings), tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("policy", ["random", "search:2"])
def test_a_run_beside_another_is_the_same_run(
    tmp_path: Path, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taking over what cannot change saves games and changes no byte."""
    card = POOL.sets[0].cards[3]
    pool, n_games = with_card(POOL, evolve(card, power=card.power + 1)), 1500
    if policy.startswith("search"):
        n_games = 20
    asked: dict[str, Any] = {"n_games": n_games, "seed": 4, "policies": (policy, policy)}
    played: list[int] = []

    def counting(*args: Any, games: np.ndarray, **more: Any) -> np.ndarray:
        played.append(len(games))
        return play_rows(*args, games=games, **more)

    monkeypatch.setattr("simcore.mindbug.play.run.play_rows", counting)
    folders = [tmp_path / name for name in ("base", "alone", "beside")]
    for folder, cards in zip(folders, (POOL, pool, pool), strict=True):
        beside = folders[0] if folder.name == "beside" else None
        played.clear()
        run_games(new_run(cards, beside=beside, **asked), folder)
    assert sum(played) == n_games if policy != "random" else 0 < sum(played) < 0.8 * n_games
    for name in [path.relative_to(folders[1]) for path in folders[1].rglob("*.*")]:
        assert (folders[1] / name).read_bytes() == (folders[2] / name).read_bytes()


def test_another_way_to_start_beside_a_run(tmp_path: Path) -> None:
    """Who starts touches every game: none is taken over, and all are those of the new way."""
    run_games(new_run(POOL, n_games=300, seed=4), tmp_path / "base")
    pool = evolve(POOL, modes=Modes(who_starts="weaker_hand"))
    run_games(new_run(pool, n_games=300, seed=4, beside=tmp_path / "base"), tmp_path / "variant")
    games = play_games(compile_cards(pool.sets, pool.modes), n_games=300, seed=4)
    np.testing.assert_array_equal(read(tmp_path / "variant"), games)
    starts = read(tmp_path / "base")["first_player"], games["first_player"]
    assert 0.3 < (starts[0] != starts[1]).mean() < 0.7
    with pytest.raises(RunError, match="a run with who starts weaker_hand, not higher_card"):
        run_games(new_run(POOL, n_games=300, seed=4), tmp_path / "variant")


def write_changed_weights(path: Path, name: str, value: float, heading: str = "made up") -> None:
    """The weights of `learned` as a file, one of them changed."""
    weights = own_weights("learned").copy()
    weights[place_of(name)] = value
    write_weights(weights, path, heading=heading)


def test_the_manifest_tells_the_weights_of_those_who_have_some(tmp_path: Path) -> None:
    """What a player thinks with, not what the file is called; without thinkers there is nothing."""
    write_changed_weights(tmp_path / "own.toml", "creature.power", 3)
    who = f"learned={tmp_path / 'own.toml'}"
    told = new_run(POOL, n_games=10, policies=(who, "random")).manifest()["weights"]
    seated = seat(compile_cards(POOL.sets), (who, "random"))["weight"][0, 0]
    assert told == {who: hashlib.sha256(seated.tobytes()).hexdigest()[:16]}
    write_changed_weights(tmp_path / "own.toml", "creature.power", 3, heading="a comment")
    assert new_run(POOL, n_games=10, policies=(who, "random")).manifest()["weights"] == told
    write_changed_weights(tmp_path / "own.toml", "creature.power", 4)
    assert new_run(POOL, n_games=10, policies=(who, "random")).manifest()["weights"] != told
    assert "weights" not in new_run(POOL, n_games=10).manifest()


def test_a_run_of_other_weights_is_not_used_beside(tmp_path: Path) -> None:
    """Its games are those of other players, whatever the file is called."""
    asked: dict[str, Any] = {"n_games": 60, "policies": (f"learned={tmp_path / 'own.toml'}",) * 2}
    write_changed_weights(tmp_path / "own.toml", "play.any", 100)
    run_games(new_run(POOL, **asked), tmp_path / "base")
    write_changed_weights(tmp_path / "own.toml", "attack.any", 100)
    run_games(new_run(POOL, **asked), tmp_path / "alone")
    run_games(new_run(POOL, beside=tmp_path / "base", **asked), tmp_path / "beside")
    alone, beside = read(tmp_path / "alone"), read(tmp_path / "beside")
    np.testing.assert_array_equal(alone, beside)
    assert (alone != read(tmp_path / "base")).any()


@pytest.mark.parametrize("wrong", ["another seed", "a damaged part", "nothing", "unfinished"])
def test_what_cannot_stand_beside_is_not_used(tmp_path: Path, wrong: str) -> None:
    """A run of other games, or one that cannot be read, costs time and nothing else."""
    base, variant = tmp_path / "base", tmp_path / "variant"
    run_games(new_run(POOL, n_games=300, seed=5 if wrong == "another seed" else 4), base)
    if wrong == "a damaged part":
        part_path(base, 0).write_bytes(b"broken")
    elif wrong == "nothing":
        base = tmp_path / "nowhere"
    elif wrong == "unfinished":
        manifest = (base / "manifest.json").read_text()
        (base / "manifest.json").write_text(
            re.sub(r'"counts": \{[^}]*\}', '"counts": null', manifest)
        )
    run_games(new_run(POOL, n_games=300, seed=4, beside=base), variant)
    games = play_games(compile_cards(POOL.sets), n_games=300, seed=4)
    np.testing.assert_array_equal(read(variant), games)


def test_a_search_leaves_seated_players_as_they_are() -> None:
    """Threads share seated players: what a search noted in them would change other games."""
    seated = seat(compile_cards(POOL.sets), ("search:2", "search:2-blocks"))
    before = seated.tobytes()
    play_rows(seated, seed=1, games=np.arange(2))
    assert seated.tobytes() == before
