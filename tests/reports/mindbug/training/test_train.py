"""The command `train`: leaves weights that play, goes on where it stopped, refuses wrong input."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

from reports.kit.words import percent
from reports.mindbug.training import fit as training
from reports.mindbug.training import network
from reports.runs import listing
from simcore.mindbug.players.weights import own_weights, read_weights
from simcore.mindbug.table.weight_names import WEIGHTS
from support.reported import cut_off_and_repeated, every_kind

QUESTION = (
    *("train", "first_contact", "new_servants", "--apart", "first_contact"),
    *("--apart", "first_contact"),  # no game is played twice
    *("--generations", "3", "--population", "4", "--games", "20"),
)


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few games to fit and to test with."""
    monkeypatch.setattr(training, "_TEST_GAMES", 200)
    monkeypatch.setattr(training, "_POSITIONS", 500)


@every_kind()
def test_training_leaves_weights_a_curve_and_scores(ask) -> None:
    """The weights can play; the pools are the set apart and both sets together."""
    answer = ask(*QUESTION, "--json").json
    folder = Path(answer["folder"])
    assert folder == Path(f"runs/train-first_contact+new_servants-{date.today()}")
    assert {path.name for path in folder.iterdir()} == {
        *("about.json", "checksums.json", "training.json", "curve.csv", "weights.toml"),
        *("scores.json", "train.html"),
        *("curve.svg", "curve.png", "curve.pdf"),
    }
    assert len(json.loads((folder / "training.json").read_text())["pools"]) == 2
    assert len(pd.read_csv(folder / "curve.csv")) == 3
    assert answer["scores"]["random"]["n"] == 2 * 200
    assert answer["scores"]["random"]["score"] > 0.8
    score, page = answer["scores"]["heuristic"]["score"], Path(answer["page"]).read_text()
    headline = f"The trained player wins {percent(score)} of games against heuristic ("
    assert f"<h1>{headline}" in page
    title = ElementTree.parse(answer["curve"]).findtext("{*}title", "")
    assert re.match(r"Games won against its opponents: \d+\.\d% in generation 0", title)
    player = f"learned={answer['weights']}"
    assert f"fairdeal play first_contact new_servants --player {player}" in page
    (listed,) = listing.listed(folder.parent)
    assert listed.page == folder / "train.html"
    assert listed.about is not None and listed.about.headline.startswith(headline)
    ask("simulate", "first_contact", "--policy", player, "--games", "10").done()


def test_training_against_several(ask) -> None:
    """Each opponent is played, and the scores against each are told."""
    several = [*QUESTION, "--against", "greedy, random*3", "--no-self-play", "--out", "run"]
    answer = ask(*several, "--json").json
    assert [*answer["scores"]] == ["greedy", "random"]
    asked = json.loads(Path("run/training.json").read_text())
    assert (asked["panel"], asked["times"]) == (["greedy", "random"], [1, 3])
    assert answer["scores"]["greedy"]["score"] < answer["scores"]["random"]["score"]


def test_only_some_weights_are_learned(ask) -> None:
    """Weights of other sections stay as they were; those asked for move."""
    ask(*QUESTION, "--only", "effect, rule", "--out", "run").done()
    before, after = own_weights("heuristic"), read_weights(Path("run/weights.toml"))
    moved = {
        name.split(".")[0]
        for name, old, new in zip(WEIGHTS, before, after, strict=True)
        if round(float(old), 3) != round(float(new), 3)
    }
    assert moved == {"effect", "rule", "position"}  # positions are fitted at the end


def test_training_goes_on_where_it_stopped(ask) -> None:
    """A curve that was cut off ends with the same curve, the same weights and the same page."""
    cut_off_and_repeated(ask, QUESTION)
    whole, cut = (read_weights(Path(folder, "weights.toml")) for folder in ("whole", "cut"))
    assert whole.tolist() == cut.tolist()


def no_work(*_: object, **__: object) -> None:
    """Stands for what plays or learns."""
    raise AssertionError


@pytest.mark.parametrize("of", ["weights", "network"])
def test_a_finished_training_is_answered_at_once(
    of: str, monkeypatch: pytest.MonkeyPatch, ask
) -> None:
    """Nothing is played, learned or compiled again, and every file stays as it is."""
    monkeypatch.setattr(network, "_TEST_GAMES", 20)
    start = [] if of == "weights" else ["--start", "expert"]
    asked = ["train", "first_contact", *start, "--generations", "2", "--games", "20", "--json"]
    answer = ask(*asked, "--out", "run").done()
    before = {path: path.read_bytes() for path in Path("run").iterdir()}
    for name in ("train", "fit_positions", "score"):
        monkeypatch.setattr(training, name, no_work)
    for name in ("train_network", "score_network", "compile_fitting"):
        monkeypatch.setattr(network, name, no_work)
    assert ask(*asked, "--out", "run").out == answer.out
    assert {path: path.read_bytes() for path in Path("run").iterdir()} == before


@pytest.mark.parametrize("name", ["scores.json", "weights.toml", "curve.csv"])
def test_a_damaged_result_is_made_anew(ask, name: str) -> None:
    """What is answered at once are whole files of this training."""
    ask(*QUESTION, "--out", "run").done()
    before = {path: path.read_bytes() for path in Path("run").iterdir()}
    damaged = bytearray(before[Path("run", name)])
    damaged[-9] ^= 1
    Path("run", name).write_bytes(damaged)
    ask(*QUESTION, "--out", "run").done()
    assert {path: path.read_bytes() for path in Path("run").iterdir()} == before


def test_a_curve_of_another_training_is_one_message(ask) -> None:
    """So is one of which no line is whole."""
    ask(*QUESTION, "--out", "run").done()
    Path("run/curve.csv").write_text("generation\n1\n2\n3\n")
    ask(*QUESTION, "--out", "run").refused(
        "fairdeal: run/curve.csv is of another training, or damaged"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--seed", "2"], "holds a training with other settings: --seed 0;"),
        (["--apart", "new_servants"], "holds a training with other settings: other cards;"),
        (["--start", "learned"], "other weights to begin with;"),
        (["--against", "greedy", "--no-self-play"], "--against heuristic, --self-play;"),
        (["--threads", "1", "--no-self-play"], "other settings: --self-play;"),
        (["--apart", "first_contract"], "first_contact"),
        (["--against", "heuristik"], "heuristic"),
        (["--against", "random,gredy"], "greedy"),
        (["--against", "random,"], "the policy is empty"),
        (["--spread", "0"], "it must be above 0 and at most 1"),
        (["--spread", "0.1"], "--spread 0.3;"),
        (["--only", "rule"], "other settings: no --only;"),
        (["--only", "rules"], "there is no section 'rules'; did you mean 'rule'?"),
        (["--only", "position"], "there is no section 'position'"),
        (["--against", "random*0"], "1 to 99"),
        (["--against", "random*often"], "1 to 99"),
        (["--against", "heuristic*2"], "opponents that are met more or less often;"),
        (["--against", "mine.py:first"], "--against has mine.py:first, a function of your own"),
        (["--start", "random"], "nothing, heuristic, learned, expert, search, second, third"),
        (["--start", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_what_cannot_be_trained_is_refused(change: list[str], message: str, ask) -> None:
    """One clear message, and the training in the folder stays as it was."""
    ask(*QUESTION, "--out", "run").done()
    before = {path: path.read_bytes() for path in Path("run").iterdir()}
    ask(*QUESTION, *change, "--out", "run").refused(message)
    assert before == {path: path.read_bytes() for path in Path("run").iterdir()}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--start", "expert", "--against", "heuristic,random"], "a network plays one opponent"),
        (["--start", "expert", "--against", "random*2"], "name one player, without a star"),
        (["--out", "at@d/t"], "'@' has a meaning of its own there: name another folder"),
        (["--out", "a:d,e/t"], "':' has a meaning of its own"),
    ],
)
def test_nothing_begins_that_cannot_end(ask, words: list[str], message: str) -> None:
    """What is learned must have a name, and a network one opponent."""
    ask("train", "first_contact", *words).refused(message)
    assert not [*Path().iterdir()]


def test_a_folder_of_something_else_is_left_alone(ask) -> None:
    """Training never writes among other files."""
    Path("other").mkdir()
    Path("other/letter.txt").write_text("mine")
    ask(*QUESTION, "--out", "other").refused("not the folder of a training (it holds")
    assert [path.name for path in Path("other").iterdir()] == ["letter.txt"]
