"""Games that are watched: the commands' own, with verdicts that may be read at any moment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.verdicts import FAIR, NEEDS_GAMES, TOO_STRONG, TOO_WEAK, verdicts
from reports.cli.compute import Crew
from reports.games import reports_of
from reports.mindbug.cli.strong import ask_strong
from reports.studio.guard import Secrets
from reports.studio.live import play_stage
from reports.studio.measure import Seen
from reports.studio.project import Project
from reports.studio.server import Studio
from reports.studio.words import pool_sentence
from reports.studio.work import DONE, FAILED, PAGE, PLAY, STOPPED, WORKING, Asked, Desk
from simcore.work.parts import read_manifest

from .conftest import CARDS

BENCH: Any = reports_of("mindbug").studio
USUAL = {one.name: one.usual for one in BENCH.choices()}


class Eye:
    """Keeps what it sees."""

    headline = "what was found"

    def __init__(self) -> None:
        self.folder, self.looks = Path(), list[Seen]()

    def begin(self, folder: Path) -> None:
        """Note the folder."""
        self.folder = folder

    def see(self, seen: Seen) -> None:
        """Note a look."""
        self.looks.append(seen)


@pytest.mark.parametrize("entry", ["marsh_lantern", ""])
def test_either_goes_on_where_the_other_stopped(ask, tmp_path: Path, entry: str) -> None:
    """A run that a command began is gone on with in the studio, and the reverse: same games."""
    (tmp_path / "mine.toml").write_text(CARDS)
    [stage] = BENCH.stages(Path("mine.toml"), entry, USUAL | {"player": "random"})
    command = ("simulate", "first_contact", "--cards", "mine.toml", "--policy", "random",
               "--until", stage.until, "--anytime", "--games")  # fmt: skip
    assert ask(*command, "8192").status == 0
    eye = Eye()
    play_stage("mindbug", stage, 32_768, eye)
    assert [*Path("runs").iterdir()] == [eye.folder], "the folder of the command"
    assert read_manifest(eye.folder)["games"] == eye.looks[-1].games == 32_768
    widths = [
        float((look.rows["win_rate_ci_high"] - look.rows["win_rate_ci_low"]).max())
        for look in eye.looks
    ]
    assert widths == sorted(widths, reverse=True) and widths[-1] < widths[0]
    told = ask(*command, "32768").done()
    assert str(eye.folder) in told.out
    again = Eye()
    play_stage("mindbug", stage, 32_768, again)
    for one, other in zip(eye.looks, again.looks, strict=True):
        pd.testing.assert_frame_equal(one.rows, other.rows)


def test_verdicts_follow_from_intervals() -> None:
    """An interval beyond the band decides, one inside it too, one across its edge does not."""
    low = np.array([0.021, -0.03, -0.019, 0.01, -0.2])
    high = np.array([0.10, -0.021, 0.019, 0.03, 0.2])
    assert [*verdicts(low, high, band=0.02)] == [
        TOO_STRONG,
        TOO_WEAK,
        FAIR,
        NEEDS_GAMES,
        NEEDS_GAMES,
    ]


def test_the_sentence_of_a_pool() -> None:
    """How many cards stand where, the most extreme named first."""
    rows = pd.DataFrame(
        {
            "name": ["Ant", "Bee", "Cow", "Dog"],
            "win_rate": [0.4, 0.6, 0.5, 0.55],
            "verdict": [TOO_WEAK, TOO_STRONG, FAIR, NEEDS_GAMES],
        }
    )
    assert pool_sentence(rows, "win_rate", "card") == (
        "1 of 4 cards is too strong: Bee. 1 of 4 cards is too weak: Ant. 1 of 4 cards is fair."
        " 1 of 4 cards needs more games."
    )


def test_stop_keeps_what_was_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop ends the work soon; going on shows what was known until more is."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(CARDS)
    desk = Desk({"mindbug": BENCH})
    asked = Asked("mindbug", "mine.toml", "marsh_lantern", USUAL | {"player": "learned"})
    desk.begin(asked, PLAY)
    work = desk.work
    assert work is not None
    while work.state == WORKING and not (work.played and work.played[-1].last):
        pass
    desk.stop(wait=True)
    assert work.state == STOPPED
    seen = work.played[-1].last
    assert seen is not None
    desk.begin(asked, PLAY)
    desk.stop(wait=True)
    now = desk.work
    assert now is not None and now is not work
    last = now.played[-1].last
    assert last is not None and last.games >= seen.games


def test_the_page_is_judged_by_stronger_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is there at once; then the strong are asked, and it says what they say."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("reports.studio.work._MOST_GAMES", 4096)
    Path("mine.toml").write_text(CARDS)
    desk = Desk({"mindbug": BENCH})
    asked = Asked("mindbug", "mine.toml", "", USUAL | {"player": "random"})
    pages = list[str]()

    def strong_and_cheap(folder: Path, panel: list[str], _games: int, crew: Crew) -> Any:
        assert desk.work is not None
        [(run, page)] = desk.work.pages.values()
        assert Path(f"runs/{run}") == folder
        pages.append((folder / page).read_text())
        return ask_strong(folder, panel, 600, crew)

    monkeypatch.setattr("analysis.mindbug.experiments.usual.PLAYER", "random")
    monkeypatch.setattr("reports.mindbug.cli.strong.STRONG", "greedy")
    monkeypatch.setattr("reports.mindbug.cli.strong.ask_strong", strong_and_cheap)
    for kind in (PLAY, PAGE, PAGE):
        desk.begin(asked, kind)
        assert desk._thread is not None and desk.work is not None
        desk._thread.join()
        assert desk.work.state == DONE, desk.work.trouble
    assert desk.work is not None
    [(run, page)] = desk.work.pages.values()
    strong = "Strong play: Marsh Lantern"
    assert [strong in text for text in (*pages, Path(f"runs/{run}/{page}").read_text())] == [
        *(False, True, True)
    ]
    [told] = desk.work.found
    assert told.startswith("Strong play, between search:400 players: Marsh Lantern")


def test_a_changed_file_is_another_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was seen of a text is shown for no other one, and no page of it is linked."""
    monkeypatch.chdir(tmp_path)
    studio = Studio(Project(Path()), Desk({"mindbug": BENCH}), Secrets())
    said = {"game": "mindbug", "file": "mine.toml", "entry": "marsh_lantern", "kind": PLAY,
            "chosen": {"player": "random"}}  # fmt: skip
    seen: list[list[Any]] = []
    monkeypatch.setattr(Desk, "_run", lambda _, work: seen.append(list(work.played)))
    for text in (CARDS, CARDS, CARDS.replace("power = 5", "power = 20")):
        Path("mine.toml").write_text(text)
        studio.play(said)
        desk = studio.desk
        assert desk.work is not None and desk._thread is not None
        desk._thread.join()
        desk.work.state = DONE
        desk.work.played = ["what was seen"]  # type: ignore[list-item]
    assert seen == [[], ["what was seen"], []]


def test_what_cannot_be_played_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is gone by the time ends in the words of the commands, not in a traceback."""
    monkeypatch.chdir(tmp_path)
    desk = Desk({"mindbug": BENCH})
    desk.begin(Asked("mindbug", "gone.toml", "", USUAL | {"player": "random"}), PLAY)
    assert desk._thread is not None
    desk._thread.join()
    assert desk.work is not None and desk.work.state == FAILED != DONE
    assert desk.work.trouble == "gone.toml: there is no such file."
