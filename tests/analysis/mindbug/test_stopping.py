"""The rule that ends a run: its intervals hold at every look, and it ends where it says."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from attrs import evolve
from scipy.special import ndtri

from analysis.confidence import normal_z
from analysis.estimates import RatioSums, estimate_rate
from analysis.mindbug import analyze, read_tables
from analysis.mindbug.runs import open_run
from analysis.mindbug.stopping import PlayUntil, dealt_cells
from analysis.mindbug.tallies import SCORES, CardTraits, tally_games
from analysis.simultaneous import apart_z
from analysis.stopping import ANYTIME, AT_THE_END, Goal, GoalError, Known, Promise, know, promise_of
from reports.kit.stopping_text import how_it_ended, rule_text
from simcore.sealed import RunError
from simcore.work.parts import part_path, read_manifest
from simcore.work.runs import RunSpec, run_games
from support.contents import contents
from support.resealed import edit_entries, edit_unsealed
from support.synthetic import made_up_spec, made_up_task, synthetic_cards, synthetic_games

N_RUNS, N_CARDS, N_LOOKS, PART_GAMES = 400, 6, 150, 1024
PRECISION = 0.02
EACH, ALL = Promise(PRECISION, anytime=True), Promise(PRECISION, N_CARDS, anytime=True)


class MadeUp(NamedTuple):
    """Made-up runs, each looked at after every part; arrays of shape (runs, cards, looks)."""

    truth: np.ndarray
    sums: RatioSums


@pytest.fixture(scope="module")
def made_up() -> MadeUp:
    """Runs in which the chances of every (outcome, who was dealt the card) are known."""
    rng = np.random.default_rng(20_261_121)
    n, score = dealt_cells((0, 1))
    runs = []
    for card in range(N_CARDS):
        worth, draws = 0.03 * (card - 2), 0.02 * (card % 2)
        by_who = np.array([0.36, 0.24, 0.24, 0.16])  # nobody, player 0, player 1, both
        win_0 = 0.5 + worth * np.array([0, 1, -1, 0]) - draws / 2
        chances = np.stack([win_0, np.full(4, draws), 1 - draws - win_0]) * by_who
        counts = rng.multinomial(PART_GAMES, chances.ravel(), size=(N_RUNS, N_LOOKS)).cumsum(axis=1)
        sums = RatioSums.of_cells(counts, n, score)
        runs.append(((chances.ravel() @ score) / (chances.ravel() @ n), sums))
    truths, all_sums = zip(*runs, strict=True)
    truth = np.array(truths)[None, :, None]
    return MadeUp(truth, RatioSums(*(np.stack(x, axis=1) for x in zip(*all_sums, strict=True))))


def share_always_right(made_up: MadeUp, low: np.ndarray, high: np.ndarray) -> float:
    """Share of the cards of all runs whose intervals contain the truth at every look."""
    return float(((low <= made_up.truth) & (made_up.truth <= high)).all(axis=-1).mean())


# ------------------------------------------------------------------------------- intervals


def test_intervals_hold_at_every_look(made_up: MadeUp) -> None:
    """95% of 2,400 sequences of 150 intervals miss nothing; ordinary intervals fail this."""
    known = know(made_up.sums, EACH)
    low, high = known.rate - known.half_width, known.rate + known.half_width
    assert share_always_right(made_up, low, high) >= 0.95
    known = know(made_up.sums, ALL)
    always = (abs(known.rate - made_up.truth) <= known.half_width).all(axis=(1, 2))
    assert always.mean() >= 0.95  # all cards of a run, at all looks
    naive = estimate_rate(made_up.sums)
    assert share_always_right(made_up, naive.ci_low, naive.ci_high) < 0.85


def test_whoever_stops_when_a_difference_shows_is_not_misled(made_up: MadeUp) -> None:
    """Stopping at the first interval without 50% finds a card of no worth in 5% at most."""
    fair = [card for card in range(N_CARDS) if made_up.truth[0, card, 0] == pytest.approx(0.5)]
    assert fair
    known, naive = know(made_up.sums, ALL), estimate_rate(made_up.sums)
    misled = abs(known.rate - 0.5) > known.half_width
    by_naive = (naive.ci_low > 0.5) | (naive.ci_high < 0.5)
    assert np.any(misled[:, fair], axis=-1).mean() <= 0.05
    assert np.any(by_naive[:, fair], axis=-1).mean() > 0.2


def where_it_ends(known: Known, values: np.ndarray) -> np.ndarray:
    """Values at the first look at which all cards are known to PRECISION."""
    content = (known.half_width <= PRECISION).all(axis=1)
    assert np.any(content, axis=1).all()
    ends = content.argmax(axis=1)[:, None, None]
    return np.take_along_axis(values, ends, axis=2)[..., 0]


def test_intervals_hold_where_the_rule_ends(made_up: MadeUp) -> None:
    """At the end of a run all cards are covered, and ordinary intervals of others are right."""
    truth = made_up.truth[..., 0]
    by_look = RatioSums(*(np.moveaxis(values, 1, -1) for values in made_up.sums))
    for promise in ALL, Promise(PRECISION, N_CARDS):
        known, naive = know(by_look, promise), estimate_rate(made_up.sums)
        known = Known(*(np.moveaxis(values, -1, 1) for values in known))
        width = where_it_ends(known, known.half_width)
        assert (width <= PRECISION).all()
        covered = abs(where_it_ends(known, known.rate) - truth) <= width
        assert covered.all(axis=1).mean() >= (0.98 if promise.anytime else 0.93)
        low, high = (where_it_ends(known, values) for values in (naive.ci_low, naive.ci_high))
        assert ((low <= truth) & (truth <= high)).mean() == pytest.approx(0.95, abs=0.012)


@pytest.mark.parametrize("n_cards", [8, 32, 120])
def test_all_cards_are_known_together_at_the_games_of_a_fixed_design(n_cards: int) -> None:
    """In 93 to 97% of runs all cards hold, after the games of a number chosen beforehand.

    That is fewer than somebody chooses who knows nothing of the variances, and as many as somebody
    who knows them, but for the last look.
    """
    n_runs, part, precision = 500, 512, 0.01
    promise = Promise(precision, n_cards)
    rng = np.random.default_rng(n_cards)
    n, score = dealt_cells((0, 1))
    by_who = np.array([0.36, 0.24, 0.24, 0.16])
    worth = np.linspace(-0.05, 0.05, n_cards)[:, None] * [0, 1, -1, 0]
    chances = (np.stack([0.5 + worth, 0.5 - worth], axis=1) * by_who).reshape(n_cards, 8)
    n, score = (np.delete(values.reshape(3, 4), 1, axis=0).ravel() for values in (n, score))
    truth = chances @ score / (chances @ n)
    # Fixed designs, their intervals corrected by Bonferroni.
    variance = max(chances[i] @ (score - truth[i] * n) ** 2 for i in range(n_cards))
    per_game = chances[0] @ n
    span = -ndtri(0.025 / n_cards) / precision
    knowing, unknowing = span**2 * variance / per_game**2, span**2 / 4 / per_game
    look = look_at_first = int(0.85 * knowing / part)  # before that all are too wide
    counts = rng.multinomial(look * part, chances, size=(n_runs, n_cards))
    going, right, games = np.arange(n_runs), 0, []
    while len(going):
        known = know(RatioSums.of_cells(counts, n, score), promise)
        ended = (known.half_width <= precision).all(axis=1)
        right += (abs(known.rate - truth) <= known.half_width)[ended].all(axis=1).sum()
        games += [look * part] * int(ended.sum())
        going, counts = going[~ended], counts[~ended]
        counts = counts + rng.multinomial(part, chances, size=(len(going), n_cards))
        look += 1
    assert min(games) > (look_at_first + 1) * part
    assert 0.93 <= right / n_runs <= 0.97
    assert np.mean(games) < 0.7 * unknowing
    assert np.mean(games) - part / 2 < 1.01 * knowing


def test_the_width_is_at_its_best_at_the_goal() -> None:
    """There one interval spans 3.03 standard errors; with more games it never gets wider."""
    assert EACH.span == pytest.approx(3.0351, abs=1e-4)
    at_goal = 0.01 / EACH.span

    def width(std_err: Any, precision: float) -> Any:
        return Promise(precision, anytime=True).half_width(std_err)

    assert width(at_goal, 0.01) == pytest.approx(0.01, rel=1e-4)
    assert all(width(at_goal, 0.01 * f) > 0.01 for f in (0.25, 0.5, 2, 4))
    errors = np.geomspace(1e-6, 1, 200)
    widths = width(errors, 0.01)
    assert (np.diff(widths) > 0).all()
    assert (widths > normal_z() * errors).all()


@pytest.mark.parametrize("together", [1, 32, 400])
def test_what_looking_costs(together: int) -> None:
    """At the end an interval spans what so many together ask; at every look 1.5 to 2.4 times."""
    at_the_end, anytime = Promise(0.01, together), Promise(0.01, together, anytime=True)
    assert at_the_end.span == apart_z(together)
    assert 1.45 < (anytime.span / at_the_end.span) ** 2 < 2.45
    alike = np.full(together, 0.01 / at_the_end.span)
    assert at_the_end.half_width(alike) == pytest.approx(0.01)
    assert anytime.half_width(0.01 / anytime.span) == pytest.approx(0.01)


def test_a_card_that_always_wins_is_not_known_at_once() -> None:
    """Without any variation the interval is about 3 / n wide; a few games tell nothing."""
    n, score = dealt_cells((0,))
    counts = np.zeros((2, 12), int)
    counts[0, 1], counts[1, 1] = 99, 3000  # player 0 was dealt the card, and won
    known = know(RatioSums.of_cells(counts, n, score), Promise(0.001, anytime=True))
    assert (known.half_width[0], known.rate[1]) == (np.inf, 1)
    assert known.half_width[1] == pytest.approx(0.001, rel=0.05)


# ------------------------------------------------------------------------------------ goals


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "50.1", "", "x", "0.2:", ":cards", "%"])
def test_what_is_no_precision_is_refused(text: str) -> None:
    """The message says what a precision is."""
    with pytest.raises(GoalError, match=r"is not a precision; give .* from 0\.001 to 50"):
        Goal.parse(text)


def test_goals_are_read_and_written() -> None:
    """What a goal says of itself is what was said."""
    assert Goal.parse("0.2") == Goal(0.2)
    assert Goal.parse("0.20:cards") == Goal(0.2, "cards")
    for text in "0.2", "50", "1.5:first_player", "0.001:killer_bee":
        assert str(Goal.parse(text)) == text


def test_a_goal_is_about_what_is_dealt() -> None:
    """An unknown card is refused with the nearest one, a later stage as what it is."""
    cards = synthetic_cards().cards
    with pytest.raises(GoalError, match=r"neither first_player nor .* did you mean 'card_0\d'\?"):
        PlayUntil(Goal(1, "crd_01"), cards, ("random", "random"))
    later = [evolve(card, stage=2) for card in cards]
    with pytest.raises(GoalError, match="'card_01' is never dealt: it is a later stage"):
        PlayUntil(Goal(1, "card_01"), later, ("random", "random"))


# --------------------------------------------------------------------------------- counting


@pytest.mark.parametrize(
    ("policies", "anytime"), [(("random", "random"), False), (("greedy", "random"), True)]
)
def test_the_rule_sees_the_rates_of_the_tables(
    policies: tuple[str, str], anytime: bool, tmp_path: Path
) -> None:
    """The rates are those of the tables, and the tables' intervals are those of the rule."""
    table = synthetic_cards()
    games = synthetic_games(table, 3000, seed=5, first_player_advantage=0.05, draw_rate=0.1)
    spec = made_up_spec(table, games, policies=policies)
    for of in "cards", "first_player", "card_03":
        rule = PlayUntil(Goal(50, of), table.cards, policies, anytime=anytime)
        assert rule.part_games == 256
        folder = tmp_path / of
        run_games(evolve(spec, until=rule), folder, threads=2)
        played = games[: read_manifest(folder)["games"]]
        sums = rule.count(played)
        traits = CardTraits.of(table.cards)
        same = policies[0] == policies[1]
        tally = tally_games(played, traits, same_policy=same, mindbugs_each=2)
        known = rule.known(sums)
        tables = analyze(folder, threads=1)
        np.testing.assert_array_equal(rule.known(rule._sums_of(tally)).rate, known.rate)
        if of == "first_player":
            summary = tables["summary"].set_index("statistic").loc["first_player_win_rate"]
            rates, low, high = [summary["estimate"]], [summary["ci_low"]], [summary["ci_high"]]
        else:
            rows = tables["cards"]
            rows = rows[rows["card_id"] == of] if of != "cards" else rows
            rates, low, high = (
                rows[f"dealt_{x}"].to_numpy() for x in ("win_rate", "ci_low", "ci_high")
            )
            if same:
                np.testing.assert_allclose(rows["advantage_ci_low"], low - 0.5)
        np.testing.assert_allclose(known.rate, rates)
        np.testing.assert_allclose(known.rate - known.half_width, low)
        np.testing.assert_allclose(known.rate + known.half_width, high)
        pd.testing.assert_frame_equal(read_tables(folder)["cards"], tables["cards"])


def test_what_was_promised_is_kept() -> None:
    """The manifest says which form was asked for."""
    cards = synthetic_cards().cards
    for policies, together in ((("random", "random"), 16), (("greedy", "random"), 32)):
        for anytime in False, True:
            rule = PlayUntil(Goal(2), cards, policies, anytime=anytime)
            assert promise_of(rule.asked) == rule.promise == Promise(0.02, together, anytime)
    assert PlayUntil(Goal(2, "card_03"), cards, ("random", "random")).promise.together == 1


# -------------------------------------------------------------------------------------- runs


def rule_for(precision: float, of: str = "cards") -> tuple[RunSpec, PlayUntil]:
    """A run of made-up games, and a rule for it."""
    table = synthetic_cards()
    rule = PlayUntil(Goal(precision, of), table.cards, ("random", "random"))
    games = synthetic_games(table, 40_000, seed=3)
    return evolve(made_up_spec(table, games), until=rule), rule


def test_the_same_games_for_any_threads_and_after_interruptions(tmp_path: Path) -> None:
    """One or many threads, interrupted or given a budget first: the same files, byte by byte."""
    spec, rule = rule_for(1)
    run_games(spec, tmp_path / "one", threads=1)
    manifest = read_manifest(tmp_path / "one")
    assert manifest["stopped"]["reached"]
    assert manifest["stopped"]["half_width"] <= 1
    assert manifest["games"] == manifest["counts"]["games"] < 40_000
    assert manifest["games"] % rule.part_games == 0
    wanted = contents(tmp_path / "one")
    for threads in 2, 5:
        run_games(spec, tmp_path / str(threads), threads=threads)
        assert contents(tmp_path / str(threads)) == wanted

    def interrupted(first_game: int, out: np.ndarray) -> None:
        if first_game >= 6 * rule.part_games:
            raise KeyboardInterrupt
        spec.task.player(spec.record).play(first_game, out)

    with pytest.raises(KeyboardInterrupt):
        run_games(evolve(spec, task=made_up_task(interrupted)), tmp_path / "again", threads=2)
    assert 1 < len(contents(tmp_path / "again")) < len(wanted)
    run_games(spec, tmp_path / "again", threads=2)
    assert contents(tmp_path / "again") == wanted
    run_games(evolve(spec, n_games=2500), tmp_path / "budget", threads=2)
    run_games(spec, tmp_path / "budget", threads=2)
    assert contents(tmp_path / "budget") == wanted


def test_the_rule_would_not_have_ended_the_run_before(tmp_path: Path) -> None:
    """The run ends at the first look at which the rule is content."""
    spec, rule = rule_for(3)
    run_games(spec, tmp_path, threads=2)
    manifest = read_manifest(tmp_path)
    before = np.empty(manifest["games"] - rule.part_games, spec.record)
    spec.task.player(spec.record).play(0, before)
    look = rule.look(rule.count(before), len(before))
    assert not look.reached
    assert look.games_needed == pytest.approx(manifest["games"], abs=1.2 * rule.part_games)


def test_progress_is_told_with_the_games_expected(tmp_path: Path) -> None:
    """The number in all is first what is allowed and then what the rule expects to need."""
    spec, _ = rule_for(2)
    told: list[tuple[int, int]] = []
    run_games(spec, tmp_path, threads=1, on_progress=lambda *numbers: told.append(numbers))
    games = read_manifest(tmp_path)["games"]
    assert told[0][1] == 40_000
    assert told[-1] == (games, games)
    assert all(done <= in_all for done, in_all in told)
    told.clear()
    run_games(spec, tmp_path, on_progress=lambda *numbers: told.append(numbers))
    assert told == [(games, games)]


def test_a_spent_budget_ends_the_run(tmp_path: Path) -> None:
    """No more games than allowed; the manifest says how many more would be needed."""
    spec, _ = rule_for(2)
    run_games(evolve(spec, n_games=2500), tmp_path / "run", threads=2)
    manifest = read_manifest(tmp_path / "run")
    stopped = manifest["stopped"]
    assert (manifest["games"], stopped["reached"]) == (2500, False)
    assert stopped["half_width"] > 2
    run_games(spec, tmp_path / "whole", threads=2)
    in_all = read_manifest(tmp_path / "whole")["games"]
    assert 2500 + stopped["more_games"] == pytest.approx(in_all, rel=0.2)
    assert how_it_ended(manifest)[0].startswith("budget spent: 2,500 games; every card's ")
    assert analyze(tmp_path / "run", threads=1)["first_player"]["n_games"].sum() == 2500
    with pytest.raises(RunError, match=f"a run of {in_all:,} games, more than the 2,500 allowed"):
        run_games(evolve(spec, n_games=2500), tmp_path / "whole")


def test_what_a_manifest_says_of_a_rule_is_checked(tmp_path: Path) -> None:
    """Numbers that somebody wrote over are refused; sealed ones are those of the rule, or none."""
    spec, rule = rule_for(3)
    run_games(spec, tmp_path, threads=2)
    path, whole = tmp_path / "manifest.json", (tmp_path / "manifest.json").read_bytes()
    assert open_run(tmp_path).n_games > rule.part_games
    edit_unsealed(path, games=rule.part_games)
    with pytest.raises(RunError, match="is damaged: its contents do not match its checksum"):
        open_run(tmp_path)
    run_games(spec, tmp_path, threads=2)  # from the parts
    assert path.read_bytes() == whole
    for changes, told in (
        ({"stopped": None}, "holds a run that is not finished"),
        ({"stopped": {"reached": 1}}, r"no valid stopped\.reached, .*stopped\.worst_policy;"),
        ({"until": {}}, r"no valid until\.precision, until\.of, "),
    ):
        edit_entries(path, **changes)
        with pytest.raises(RunError, match=told):
            open_run(tmp_path)
        path.write_bytes(whole)


def test_too_few_games_to_tell(tmp_path: Path) -> None:
    """A budget of a handful of games is spent without any number for the cards."""
    spec, _ = rule_for(2)
    run_games(evolve(spec, n_games=50), tmp_path)
    manifest = read_manifest(tmp_path)
    assert (manifest["stopped"]["half_width"], manifest["stopped"]["more_games"]) == (None, None)
    assert "there are too few to say how many more ±2.00 points would need" in str(
        how_it_ended(manifest)
    )


def test_another_goal_is_another_run(tmp_path: Path) -> None:
    """A folder goes on with the goal that it was begun with; a damaged part is played again."""
    spec, _ = rule_for(3)
    run_games(spec, tmp_path, threads=2)
    wanted = contents(tmp_path)
    with pytest.raises(RunError, match="precision 3, not 2"):
        run_games(rule_for(2)[0], tmp_path)
    with pytest.raises(RunError, match="holds a run with"):
        run_games(evolve(spec, until=None), tmp_path)
    part_path(tmp_path, 1).unlink()
    run_games(spec, tmp_path, threads=2)
    assert contents(tmp_path) == wanted


WORDS: dict[str, tuple[dict[str, Any], str]] = {
    "cards": (
        {"of": "cards", "form": {"together": 32, "method": AT_THE_END}},
        "stopped after 4,096 games: every card's dealt win rate is known to ±0.20 points, all"
        " together with 95% confidence (±0.199)",
    ),
    "anytime": (
        {"of": "cards", "form": {"together": 32, "method": ANYTIME}},
        "stopped after 4,096 games: every card's dealt win rate is known to ±0.20 points, all"
        " together and at every look with 95% confidence (worst: Bee ±0.199)",
    ),
    "first_player": (
        {"of": "first_player"},
        "stopped after 4,096 games: the win rate of the player who starts is known to ±0.20"
        " points (±0.199)",
    ),
    "bee": (
        {"of": "bee"},
        "stopped after 4,096 games: the dealt win rate of Bee is known to ±0.20 points (±0.199)",
    ),
    "spent": (
        {"of": "cards", "reached": False, "form": {"together": 32, "method": ANYTIME}},
        "budget spent: 4,096 games; Bee is least certain, at ±0.199, not ±0.20 points; about"
        " 1,300 more games would be needed; a larger --games resumes the run",
    ),
    "spent, together": (
        {"of": "cards", "reached": False, "form": {"together": 32, "method": AT_THE_END}},
        "budget spent: 4,096 games; every card's dealt win rate is known to ±0.199, not ±0.20"
        " points; about 1,300 more games would be needed; a larger --games resumes the run",
    ),
    "two": (
        {"of": "bee", "policies": ["greedy", "random"]},
        "stopped after 4,096 games: the dealt win rate of Bee is known to ±0.20 points (±0.199)",
    ),
}


@pytest.mark.parametrize("case", WORDS)
def test_the_end_is_told_in_words(case: str) -> None:
    """One sentence says what is known and how well; the page says what the rule means."""
    changes, sentence = WORDS[case]
    manifest = {
        "game": "mindbug",
        "games": 4096,
        "policies": changes.get("policies", ["random", "random"]),
        "until": {
            "precision": 0.2,
            "of": changes["of"],
            "confidence": 0.95,
            **changes.get("form", {"together": 1, "method": AT_THE_END}),
        },
        "stopped": {
            "reached": changes.get("reached", True),
            "worst": "bee",
            "worst_name": "Bee",
            "worst_policy": "greedy",
            "half_width": 0.199,
            "more_games": 1234,
        },
    }
    assert how_it_ended(manifest) == [sentence]
    words = rule_text(manifest)
    assert "The number of games was not chosen beforehand" in words
    assert ("at every look" in words) == (manifest["until"]["method"] == ANYTIME)


def test_other_runs_say_nothing_of_rules() -> None:
    """A run of a fixed number of games has no sentence about its end."""
    assert how_it_ended({"games": 10}) == []
    assert rule_text({"games": 10}) == ""


def test_scores_are_those_of_the_one_who_starts() -> None:
    """The win rate of the player who starts counts the score of that player, in either seat."""
    games = synthetic_games(synthetic_cards(), 4000, seed=1, first_player_advantage=0.2)
    rule = PlayUntil(Goal(50, "first_player"), synthetic_cards().cards, ("random", "random"))
    won = SCORES[games["first_player"], 2 * games["winner"]]
    assert rule.known(rule.count(games)).rate[0] == won.mean() > 0.6
