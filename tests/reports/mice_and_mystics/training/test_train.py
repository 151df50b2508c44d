"""`fairdeal train` for Mice & Mystics: leaves weights that play, resumes, refuses wrong input."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from card_data.mice_and_mystics.loader import base_files
from reports.kit.words import percent
from reports.mice_and_mystics import training
from simcore.mice_and_mystics.players.weights import own_weights, read_weights
from simcore.mice_and_mystics.table.weight_names import START
from support.reported import cut_off_and_repeated

QUESTION = (
    *("train", "standin_four_rooms", "ch1_flight_to_barksburg"),
    *("--generations", "3", "--population", "4", "--games", "10"),
)


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few games to fit and to test with."""
    monkeypatch.setattr(training, "_TEST_GAMES", 200)
    monkeypatch.setattr(training, "_POSITIONS", 500)


def test_training_leaves_weights_a_curve_and_win_rates(ask) -> None:
    """The weights can play and search; each chapter is told, and chapter 1 with any party."""
    answer = ask(*QUESTION, "--json").json
    folder = Path(answer["folder"])
    assert folder == Path(
        f"runs/train-standin_four_rooms-all+ch1_flight_to_barksburg-all-{date.today()}"
    )
    assert {path.name for path in folder.iterdir()} == {
        *("about.json", "checksums.json", "training.json", "curve.csv", "weights.toml"),
        *("scores.json", "curve.svg", "train.html"),
    }
    assert len(pd.read_csv(folder / "curve.csv")) == 3
    assert [one["what"].split()[0] for one in answer["wins"]] == ["Stand-in", "Chapter", "Chapter"]
    assert answer["wins"][2]["what"].endswith("with any party")
    assert all(0 < one["win_rate"] < 1 and one["n"] == 200 for one in answer["wins"])
    page = Path(answer["page"]).read_text()
    won = percent(answer["wins"][0]["win_rate"])
    assert f"<h1>{answer['wins'][0]['what']}: the trained player wins {won} of games (" in page
    assert all(one["what"] in page for one in answer["wins"])
    weights = read_weights(folder / "weights.toml")
    assert (weights != own_weights()).mean() > 0.9
    player = f"learned={folder}/weights.toml:search:uniform:uniform"
    assert ask("simulate", "standin_four_rooms", "--policy", player, "--games", 5).status == 2
    player = f"learned={folder}/weights.toml"
    assert ask("simulate", "standin_four_rooms", "--policy", player, "--games", 5).status == 0


def test_training_goes_on_where_it_stopped(ask) -> None:
    """A curve that was cut off ends with the same curve, the same weights and the same page."""
    cut_off_and_repeated(ask, QUESTION, "--threads", 1)
    whole, cut = (read_weights(Path(folder, "weights.toml")) for folder in ("whole", "cut"))
    assert whole.tolist() == cut.tolist() != START


def test_a_finished_training_is_answered_at_once(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is played or learned again, and every file stays as it is."""
    first = ask(*QUESTION, "--out", "run", "--json")
    before = {path: path.read_bytes() for path in Path("run").iterdir()}

    def no_work(*_: object, **__: object) -> None:
        raise AssertionError

    for name in ("train", "fit_positions", "score", "play_games"):
        monkeypatch.setattr(training, name, no_work)
    again = ask(*QUESTION, "--out", "run", "--json")
    assert (again.status, again.out) == (first.status, first.out) == (0, first.out)
    assert {path: path.read_bytes() for path in Path("run").iterdir()} == before


#: What is asked otherwise of a training that stands in a folder, and what the refusal says.
REFUSED = {
    "--seed 2": "holds a training with other settings: --seed 0;",
    "--spread 0.1": "--spread 0.5;",
    "--start learned": "other weights to begin with;",
    "--party collin,nez,tilda,filch": "other chapters, parties or switches;",
    "--set page_end=7": "other chapters, parties or switches;",
    "--spread 0": "it must be above 0 and at most 1",
    "--start heuristic": "it is 'first', 'learned', or a file",
    "--start nowhere.toml": "nowhere.toml",
    "--set page_ende=7": "page_end",
    "--party collin,nez": "2 heroes are named",
}


def test_what_cannot_be_trained_is_refused(ask) -> None:
    """One clear message, and the training in the folder stays as it was."""
    assert ask(*QUESTION, "--out", "run").status == 0
    before = {path: path.read_bytes() for path in Path("run").iterdir()}
    for change, message in REFUSED.items():
        ask(*QUESTION, "--out", "run", *change.split()).refused(message)
        assert before == {path: path.read_bytes() for path in Path("run").iterdir()}


def test_chapters_share_their_files(ask) -> None:
    """Files behind one chapter and not behind the other would be two games."""
    (base,) = (path for path in base_files() if path.name == "minions.toml")
    roach = base.read_text(encoding="utf-8").split("[minion.greedy_roach]")[0]
    Path("mine.toml").write_text(roach.replace("life = 1", "life = 2"), encoding="utf-8")
    ask("train", "standin_four_rooms+mine.toml", "ch1_flight_to_barksburg").refused(
        "name the same files behind each chapter"
    )
