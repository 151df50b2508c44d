"""Whether a panel keeps its word: made-up players of whom it is known what cards do among them.

Part of docs/data/planted_truths.csv: `sections` has what `planted_table` plays at full size.  A few
players play a pool of 16 cards, two copies of each: a weak one and a panel.  What a card is worth
among each player of the panel is its mean plus what this player makes of it, so the mean over *all*
players of the kind is known, and so is what any further player would make of it.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import hypergeom, spearmanr

import analysis.mindbug
from analysis.mindbug.card_strength import cards_table
from analysis.mindbug.experiments.skill import skill_tables
from analysis.mindbug.experiments.skill_panel import (
    FOR_STRONG,
    FOR_WEAK,
    PLAYERS_DIFFER,
    luck_of,
    panel_tables,
)
from analysis.mindbug.game_tables import first_player_table
from analysis.mindbug.summary import summary_table
from analysis.mindbug.tallies import CardTraits, tally_games
from analysis.panel import DEPENDS, Panel, judge_panel
from analysis.verdicts import BAND, FAIR, TOO_STRONG, TOO_WEAK
from simcore.mindbug.table.records import DEALT_EACH
from support.planted_truths import COVERED, MOST_FALSE, RUNS, Section, Share, of_each
from support.synthetic import synthetic_cards, synthetic_games, synthetic_run

WEAK, STRONG = "random", ("expert", "search:16", "search:64", "search:256")
N_CARDS, COPIES = 16, 2
# Cards that are planted by hand: for strong players alone, for weak ones alone, and one that half
# of the panel has above average and half below; and by how much.
_FOR_STRONG, _FOR_WEAK, _BOTH, _FAR = 0, 1, 2, 0.03
# Standard deviation of the means of the others, and mean of their spreads.
_MEANS, _SPREADS = 0.015, 0.006


def panels(seeds: Sequence[int], games: Sequence[int], *, same_luck: bool) -> list[Share]:
    """Panels of two to four players, each with the given number of games, dealt alike or not."""
    found = of_each(partial(_one_panel, games=games, same_luck=same_luck), seeds)
    each = pd.DataFrame([counts for counts, _ in found]).sum()
    inside = np.concatenate([hits for _, hits in found])

    def share(what: str, seen: str, of: str | int, **limits: float) -> Share:
        return Share(what, int(each[seen]), int(each[of] if isinstance(of, str) else of), **limits)

    n = len(seeds)
    sure = 0.95 if len(games) > 2 else np.nan  # of what is planted two players may find less
    return [
        Share(
            "means over players inside their interval",
            int(inside.sum()),
            inside.size,
            *COVERED,
        ),
        share(
            "cards called strong or weak that a further player has on the other side",
            "far",
            "robust",
            most=0.05,
        ),
        share(
            "cards said to depend on who plays that all players have on one side",
            "wrong",
            "depends",
            most=0.05,
        ),
        share("cards for strong players alone, told as such", "strong", n, least=sure),
        share("cards for weak players alone, told as such", "weak", n, least=sure),
        share("other cards told as one of these", "other", n * (N_CARDS - 2), most=0.05),
        share("cards on different sides among the players, told as such", "split", n, least=sure),
        share("rank correlations inside their interval", "ranks", n, least=0.93),
    ]


def _one_panel(
    seed: int, games: Sequence[int], *, same_luck: bool
) -> tuple[dict[str, int], np.ndarray]:
    """What one panel says, against the truth; and which of its intervals hold the mean."""
    rng = np.random.default_rng(seed)
    mean, spread = rng.normal(0, _MEANS, N_CARDS), rng.exponential(_SPREADS, N_CARDS)
    mean[: _BOTH + 1], spread[: _BOTH + 1] = (_FAR, -_FAR, 0.0), 0.0
    mean, spread = np.clip(mean, -0.035, 0.035), np.clip(spread, 0, 0.02)
    players = STRONG[: len(games)]
    worth = mean + spread * rng.standard_normal((len(players) + 1, N_CARDS))
    worth[:-1, _BOTH] = _FAR * (-1.0) ** np.arange(len(players))
    worth[-1, _BOTH] = 0.0
    *of_panel, further = np.clip(worth, -0.045, 0.045)
    weak = np.zeros(N_CARDS)
    weak[[_FOR_STRONG, _FOR_WEAK]] = -_FAR, _FAR
    own = [5 * seed + player for player in range(len(players) + 1)]
    seeds = [seed] * len(own) if same_luck else own
    tables, winners = {}, []
    for player, values, one, n in zip(
        (WEAK, *players), (weak, *of_panel), seeds, (games[0], *games), strict=True
    ):
        tables[player], of_games = _analysed(values, n, one, player)
        winners.append(of_games)
    cards = skill_tables(tables)["skill_cards"]
    numbers = [np.arange(len(one)) for one in winners[1:]]
    found = panel_tables(cards, players, luck_of(winners[1:], seeds[1:], numbers))
    said, summary = found["card_panel"], found["panel_summary"].iloc[0]
    true = np.array([_advantages(values) for values in of_panel])
    beyond = _advantages(further)
    verdict = said["panel_verdict"]
    above, below = (verdict == TOO_STRONG).to_numpy(), (verdict == TOO_WEAK).to_numpy()
    depends = (verdict == DEPENDS).to_numpy()
    one_side = (true > 0).all(axis=0) | (true < 0).all(axis=0)
    ranks = spearmanr(true[:-1].mean(axis=0), true[-1])[0]
    whose = said["whose_card"]
    counts = {
        "robust": (above | below).sum(),
        "far": (above & (beyond < 0) | below & (beyond > 0)).sum(),
        "depends": depends.sum(),
        "wrong": (depends & one_side).sum(),
        "strong": whose[_FOR_STRONG] == FOR_STRONG,
        "weak": whose[_FOR_WEAK] == FOR_WEAK,
        "other": (whose[_BOTH:] != "").sum(),
        "split": verdict[_BOTH] == DEPENDS,
        "ranks": summary["rank_correlation_ci_low"] <= ranks <= summary["rank_correlation_ci_high"],
    }
    truth = _advantages(mean)
    low, high = said["advantage_ci_low"].to_numpy(), said["advantage_ci_high"].to_numpy()
    drawn = np.arange(N_CARDS) != _BOTH  # that card's players are no sample
    return counts, ((low <= truth) & (truth <= high))[drawn]


def _analysed(
    worth: np.ndarray, n_games: int, seed: int, player: str
) -> tuple[dict[str, pd.DataFrame], np.ndarray]:
    """The tables of a run among players for whom cards have these worths, and who won."""
    table = synthetic_cards(N_CARDS, COPIES)
    games = synthetic_games(table, n_games, seed=seed, worth=worth - worth.mean())
    tally = tally_games(games, CardTraits.of(table.cards), same_policy=True, mindbugs_each=2)
    policies = (player, player)
    named = [("synthetic", card) for card in table.cards]
    tables = {
        "cards": cards_table(tally, named, policies),
        "first_player": first_player_table(tally, policies),
        "summary": summary_table(tally, policies),
    }
    return tables, games["winner"]


def _advantages(worth: np.ndarray) -> np.ndarray:
    """The true advantages of cards with these worths (`synthetic_games`).

    The other cards of a player with a copy, and those of the opponent, are a sample of the rest of
    the pool; the worths of the whole pool add up to zero.
    """
    worth = worth - worth.mean()
    rest = COPIES * N_CARDS - COPIES
    held = np.arange(1, COPIES + 1)
    chance = hypergeom.pmf(held, rest + COPIES, COPIES, DEALT_EACH)
    other = -COPIES / rest  # mean worth of another card, in worths of this one
    mine = held + (DEALT_EACH - held) * other
    left = COPIES - held + (rest - DEALT_EACH + held) * other
    theirs = DEALT_EACH * left / (rest + COPIES - DEALT_EACH)
    return worth * float(((mine - theirs) * chance).sum() / chance.sum())


#: Who plays `panel_runs`, weak to strong; the last three form the panel.
PLAYERS = ("random", "expert", "expert=other.npz", "search:25")


def panel_runs(place: Path, n_games: int) -> list[Path]:
    """Analysed runs of `PLAYERS`, each with a seed of its own.

    Card 0 is for strong players alone, card 1 for weak ones, card 2 strong for all; card 3 is
    strong for the first two of the panel and weak for the last.
    """
    folders = []
    for seed, player in enumerate(PLAYERS):
        worth = np.zeros(N_CARDS)
        worth[:4] = (-0.04, 0.04, 0.04, 0.0) if seed == 0 else (0.04, -0.04, 0.04, 0.04)
        worth[3] *= -1 if seed == 3 else 1
        games = synthetic_games(synthetic_cards(), n_games, seed=seed, worth=worth - worth.mean())
        folder = place / f"run_{seed}"
        synthetic_run(folder, synthetic_cards(), games, policies=(player, player), seed=seed)
        analysis.mindbug.analyze(folder)
        folders.append(folder)
    return folders


#: Cards of the panels that nobody plays, standard deviation of their means, and the errors of
#: `verdict`'s two players, and of five.
_CARDS, _OF_MEANS = 32, 0.015
BUDGETS = {"two": (0.002, 0.0045), "five": (0.002, 0.0045, 0.0045, 0.005, 0.006)}
#: Of cards told to be inside the band with a chance in these limits, as many are to be.
_ABOUT = (0.93, 0.96)
#: And so many at least where players differ by more than two players can tell.
_FAR_APART = 0.87


def further(seeds: Sequence[int], errors: Sequence[float], spread: float | None) -> list[Share]:
    """What is said of a further player, whose true values are drawn as well.

    All cards have that ``spread`` between players; None: as those that the prior was learned from.
    """

    def panel_of(seed: int) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(seed)
        _, _, degrees = prior = PLAYERS_DIFFER
        drawn = prior.scale / np.sqrt(rng.chisquare(degrees, _CARDS) / degrees)
        each = drawn if spread is None else np.full(_CARDS, spread)
        mean = rng.normal(0, _OF_MEANS, _CARDS)
        true = mean[:, None] + each[:, None] * rng.standard_normal((_CARDS, len(errors) + 1))
        x = true[:, :-1] + errors * rng.standard_normal((_CARDS, len(errors)))
        panel = Panel(x, np.diag(np.square(errors)) * np.ones((_CARDS, 1, 1)), prior)
        said = judge_panel(panel, x, np.broadcast_to(errors, x.shape), band=BAND)
        beyond, verdict = true[:, -1], said["panel_verdict"]
        inside = np.abs(beyond) <= BAND
        side = np.select([verdict == TOO_STRONG, verdict == TOO_WEAK], [1, -1], 0)
        told = (
            (said["in_band"].between(*_ABOUT), inside),
            (verdict == FAIR, ~inside),
            (side != 0, side * beyond < 0),
        )
        counts = np.array([((those & right).sum(), those.sum()) for those, right in told])
        return (panel.mean.ci_low <= mean) & (mean <= panel.mean.ci_high), counts

    hits, counts = zip(*of_each(panel_of, seeds), strict=True)
    about, balanced, robust = np.sum(counts, axis=0).tolist()
    limits = COVERED if spread is None else (_FAR_APART, np.nan)
    shares = [
        Share(
            "means over players inside their interval", int(np.sum(hits)), np.size(hits), *COVERED
        ),
        Share(
            "cards told inside the band with 93 to 96% that are for a further player",
            about[0],
            about[1],
            *limits,
        ),
        Share(
            "cards called fair that a further player has outside the band",
            balanced[0],
            balanced[1],
            most=MOST_FALSE,
        ),
        Share(
            "cards called strong or weak that a further player has on the other side",
            robust[0],
            robust[1],
            most=MOST_FALSE,
        ),
    ]
    return [share for share in shares if share.of]


def sections() -> list[Section]:
    """The experiments at full size: title, words, what is to be played."""
    words = (
        "{:,} panels of {} made-up players and 16 cards, with {} games, beside a weak player."
        " Means and spreads of cards are drawn anew for each; one card is planted for strong"
        " players alone, one for weak ones, and one that half of the panel has above average and"
        " half below. {}"
    )
    runs, four, two = RUNS[:200], (10_000, 5_000, 5_000, 2_000), (10_000, 2_000)
    of_four, of_two = "10,000, 5,000, 5,000 and 2,000", "10,000 and 2,000"
    own = "Each player has deals of their own."
    same = "All have the same deals and the same luck: most of their games end alike."
    said = (
        "2,000 made-up panels of {} players and 32 cards, with the errors of `verdict`'s games. A"
        " further player is one more of the kind; inside the band is within 2 points of average. {}"
    )
    usual = "Players differ on cards as those from whom the prior was learned (`make spreads`)."
    far = (
        "Players differ by 1 point on every card, 3.1 times as much as usual: then no card is"
        " inside for more than 95.4% of them, and those told with as much were lucky."
    )
    return [
        *(
            (
                f"What a panel says of a further player: {number} players {how}",
                said.format(number, about),
                partial(further, range(1, 2_001), errors, spread),
            )
            for number, errors in BUDGETS.items()
            for how, about, spread in (("as usual", usual, None), ("far apart", far, 0.01))
        ),
        *(
            (
                f"Players as a random factor: {title}",
                words.format(len(runs), *told),
                partial(panels, runs, games, same_luck=same_luck),
            )
            for title, told, games, same_luck in (
                ("deals of their own", ("four", of_four, own), four, False),
                ("the same deals", ("four", of_four, same), four, True),
                ("two players", ("two", of_two, own), two, False),
            )
        ),
    ]
