"""The story of planted games, whose chances are known by formula."""

from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from analysis.own_games.story import Judge
from analysis.questions.story import (
    BACK,
    CHANGES,
    KING,
    LEADER,
    LOSS,
    TAIL,
    TURNS,
    Calibration,
    Story,
    Views,
    Words,
    compared,
)
from analysis.story_games import Seen
from analysis.story_games import views_of as watched
from simcore.own_games.setup import table_named
from support import planted_stories
from support.planted_stories import WORDS, chance, race, truth, truth_of_walk, views_of, walk


def figure(story: Story, kind: str, of: str = "") -> dict[str, float]:
    """A figure of a story."""
    table = story.tables()["story"]
    [row] = table[(table["kind"] == kind) & (table["of"] == of)].to_dict("records")
    return {str(name): value for name, value in row.items()}


def test_a_race_by_formula() -> None:
    """Figures of a race are those of the sum over its paths; the judge is nearly left alone."""
    story = Story(race(4_000, 7, seed=2), WORDS)
    assert np.abs(story.chances - story.views.view).max() < 0.03
    for (kind, of), known in truth(7).items():
        if kind in (BACK, TAIL):
            continue  # chances of 25% to the point are below it by the least correction
        row = figure(story, kind, of)
        wide = 1.6 * (row["value_ci_high"] - row["value_ci_low"]) / 2
        assert abs(row["value"] - known) < wide, (kind, of)


def test_a_walk_by_formula() -> None:
    """All figures of a walk are as they are known."""
    story = Story(walk(4_000, 12, seed=2), WORDS)
    for (kind, of), known in truth_of_walk(12).items():
        row = figure(story, kind, of)
        wide = 1.6 * (row["value_ci_high"] - row["value_ci_low"]) / 2
        assert abs(row["value"] - known) < wide, (kind, of)


def test_a_cautious_judge_is_corrected_by_the_other_half() -> None:
    """Views drawn towards one half get back to what came; a bin misses no more than by chance."""
    views = race(4_000, 7, seed=3)
    drawn = 0.5 + 0.6 * (views.view - 0.5)
    story = Story(views._replace(view=drawn), WORDS)
    said = story.chances[:, 0]
    assert np.abs(said - views.view[:, 0]).max() < 0.08
    table = story.tables()["story_calibration"]
    gaps = (table["came"] - table["said"]).abs().groupby(table["when"]).max()
    assert gaps["corrected"] < 0.06 < gaps["as judged"]


def test_intervals_of_a_calibration_hold_in_few_games() -> None:
    """A judge who is right is told to be off in any bin in no more than 6 of 60 stories."""
    off = []
    for seed in range(60):
        table = Story(race(40, 7, seed), WORDS).tables()["story_calibration"]
        table = table[table["when"] == "as judged"]
        assert table["came_ci_low"].ge(0).all()
        assert table["came_ci_high"].le(1).all()
        beyond = (table["said"] < table["came_ci_low"]) | (table["said"] > table["came_ci_high"])
        off.append(beyond.any())
    assert np.mean(off) <= 0.1


@pytest.mark.parametrize(
    "views", [race(40, 9, seed=13), race(20, 5, seed=7), walk(20, 9, seed=4), walk(40, 15, seed=12)]
)
def test_shares_of_few_games_lie_in_their_intervals(views: Views) -> None:
    """What comes from the correction of chances adds up to nothing: no share is below none."""
    table = Story(views, WORDS).tables()["story"]
    rows = table[table["kind"].isin((BACK, LEADER))]
    assert len(rows) > 5
    assert rows["value"].between(0, 1).all()
    assert (rows["value_ci_low"] <= rows["value"]).all()
    assert (rows["value"] <= rows["value_ci_high"]).all()


def test_decided_by_the_first_move() -> None:
    """Whoever is ahead after one turn has won: all the rest is played out."""
    story = Story(views_of([([0.999 - 0.998 * (n % 2)] * 9, n % 2) for n in range(200)]), WORDS)
    assert figure(story, TAIL)["value"] == 8
    assert figure(story, CHANGES)["value"] == 0
    assert figure(story, BACK, "0.5")["value"] == 0
    assert figure(story, LEADER, "0.333")["value"] == 1


def test_open_until_the_last_turn() -> None:
    """A coin at the end: nobody leads before, and nothing is played out."""
    rng = np.random.default_rng(1)
    story = Story(views_of([([0.5] * 9, int(rng.random() < 0.5)) for _ in range(300)]), WORDS)
    assert figure(story, TAIL)["value"] == 0
    assert figure(story, LEADER, "0.667")["value"] == 0.5
    assert (story.decided == 9).all()


def test_catching_up_beside_none() -> None:
    """Who is behind steps more often: more comebacks, less for the leader, and shown to differ."""
    fair, kind = (
        Story(race(3_000, 7, seed, catch_up), WORDS).tables()["story"]
        for seed, catch_up in ((1, 0.0), (2, 0.15))
    )
    rows = compared(fair, kind).set_index(["kind", "of"])
    assert rows.loc[(LEADER, "0.5"), "difference_ci_high"] < 0
    assert rows.loc[(CHANGES, ""), "difference_ci_low"] > 0
    again = Story(race(3_000, 7, 3), WORDS).tables()["story"]
    row = compared(fair, again).set_index(["kind", "of"]).loc[(LEADER, "0.5")]
    assert row["difference_ci_low"] < 0 < row["difference_ci_high"]


def test_the_mean_of_the_latest_views_is_no_zigzag() -> None:
    """Two seats that see 60% and 40% of themselves in turn agree on 60% for the first."""
    views = views_of([([0.6, 0.4] * 4, 0)] * 2)
    turns = views.turn % 2
    story = Story(views._replace(seat=turns), WORDS)
    assert story.raw[1:8, 0] == pytest.approx([0.5] * 7)


def test_the_swing_of_a_card() -> None:
    """From the last views before a card to the first in a later turn; of the last, to the end."""
    views = views_of([([0.5, 0.6, 0.8], 0)])
    words = Words(cards=["wolf"], names=["Wolf"])
    story = Story(views._replace(card=np.array([-1, 0, 0])), words)
    assert story.swings["swing"].tolist() == pytest.approx([0.8 - 0.5, 1 - 0.6])


class _Teams:
    """A judge of one game of teams: each decision as seat, side, card and chance of each side."""

    name, words = "a judge", Words(cards=["wolf"], names=["Wolf"])

    def __init__(self, told: list[tuple[int, int, int, list[float]]], moved: float = np.nan):
        self._told, self._moved = told, moved

    def watch(self, number: int, taken: object = None) -> tuple[list[Seen], list[float], int]:
        """The same each time; the first side wins."""
        seen = [
            Seen(at, at + 1, seat, "a play", np.array(view), side, card, moved=self._moved)
            for at, (seat, side, card, view) in enumerate(self._told)
        ]
        return seen, [1.0, *np.zeros(len(self._told[0][3]) - 1)], len(seen)


def test_swings_in_teams_are_of_the_side_that_plays() -> None:
    """The second seat is of the first side, the third and the fourth of the second."""
    even, ahead = [0.5, 0.5], [0.8, 0.2]
    told = [(0, 0, -1, even), (1, 0, 0, even), (3, 1, 0, ahead), (2, 1, -1, [0.3, 0.7])]
    story = Story(watched(_Teams(told), [0]), _Teams.words)
    swings = [
        (0.8 + 0.3) / 2 - 0.5,
        0.7 - 0.5,
    ]  # by the first views behind
    assert story.swings["swing"].tolist() == pytest.approx(swings, abs=0.01)


def test_kings_are_made_by_seats_of_teams() -> None:
    """A seat beyond the number of sides moves others while its own side is beaten."""
    told = [(seat, seat // 2, -1, [0.02, 0.9, 0.08]) for seat in range(6)]
    table = Story(watched(_Teams(told, moved=0.5), [0, 1]), _Teams.words).tables()["story"]
    assert table.set_index("kind").loc[KING, "value"] == pytest.approx(2 / 6)


def test_choices_by_kind_and_third() -> None:
    """What a random option costs, and how often nothing hangs on a choice."""
    views = views_of([([0.5] * 9, 0), ([0.5] * 9, 1)])
    loss = np.where(views.turn <= 3, 0.2, 0.0)
    story = Story(views._replace(loss=loss, spread=2 * loss), WORDS)
    rows = story.tables()["story_choices"].set_index("third")
    assert rows["loss"].tolist() == pytest.approx([0.2 / 3, 0.2, 0, 0])
    assert rows["empty"].tolist() == pytest.approx([2 / 3, 0, 1, 1])


def test_games_without_a_winner_are_left_out() -> None:
    """Their rows go, and those of the others stay with their games."""
    views = views_of([([0.5], 0), ([0.3, 0.4], 1), ([0.6] * 3, 0)])
    views.outcome[1] = 0.5
    left = views.with_winner()
    assert left.game.tolist() == [0, 1, 1, 1]
    assert left.number.tolist() == [0, 2]
    assert Story(left, WORDS).tables()["story"].set_index("kind").loc[TURNS, "value"] == 2


def test_the_curve_is_the_formula() -> None:
    """Three to one in a race to seven: six coins of which four are enough, and so on."""
    assert chance(6, 5, 7) == 0.75
    assert chance(3, 3, 7) == 0.5


def test_few_games_correct_little() -> None:
    """The fewer games, the nearer to no correction; none at all correct nothing."""
    slopes = []
    for n in (10, 40, 400):
        found = []
        for seed in range(12):
            views = race(n, 7, seed)
            drawn = views._replace(view=0.5 + 0.6 * (views.view - 0.5))
            found += [one.slope for one in Story(drawn, WORDS).curves]
        slopes.append(np.mean(found))
    assert 1 < slopes[0] < slopes[1] < slopes[2] < 2
    alone = Calibration.of(np.empty((0, 2)), np.empty((0, 2)), np.empty(0, int), 1, alike=True)
    assert [alone.level[0], alone.slope[0]] == [0, 1]


def test_playouts_do_not_change_the_lead() -> None:
    """Noise of so many playouts about a known race: about as many lead changes as by formula."""
    views, rng = race(4_000, 9, seed=4), np.random.default_rng(5)
    for playouts in (32, 512):
        first = rng.binomial(playouts, views.view[:, 0]) / playouts
        noisy = views._replace(view=np.column_stack([first, 1 - first]))
        counted = figure(Story(noisy, evolve(WORDS, playouts=playouts)), CHANGES)["value"]
        assert counted == pytest.approx(truth(9)[CHANGES, ""], rel=0.1)
        assert figure(Story(noisy, WORDS), CHANGES)["value"] > 1.8 * counted


def test_a_race_of_ones_own_is_judged_by_playouts() -> None:
    """Both forms of its rules: lead changes within their interval, and no option is better."""
    table = table_named(str(Path(planted_stories.__file__).with_name("coin_race.py")))
    for planned, n_games in ((1_000, 200), (1, 60)):
        judge = Judge(table, 7, ["random"] * 2, planned)
        story = Story(watched(judge, range(n_games)).with_winner(), judge.words)
        for kind, of in ((CHANGES, ""), (LEADER, "0.5"), (TURNS, "")):
            row, known = figure(story, kind, of), truth(6)[kind, of]
            wide = 1.6 * (row["value_ci_high"] - row["value_ci_low"]) / 2
            assert abs(row["value"] - known) < wide, (kind, planned)
        assert abs(figure(story, LOSS)["value"]) < 0.01
    assert judge.words.playouts == 32
