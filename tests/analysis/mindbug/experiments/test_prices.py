"""Price lists of cards: what is made up, how it is dealt, what it is worth, and what is kept."""

from collections import defaultdict

import numpy as np
import pytest
from attrs import evolve

from analysis.mindbug.experiments.price_features import CardDescriber
from analysis.mindbug.experiments.prices import (
    FOLDER,
    SHIPPED,
    PriceGames,
    play_prices,
    prices_elsewhere,
    usual_numbers,
    worths_of,
)
from analysis.mindbug.experiments.usual import PLAYER
from analysis.questions.price_list import (
    ELSEWHERE,
    Columns,
    PriceList,
    Pricer,
    Worths,
    elsewhere_in,
    read_list,
    write_list,
)
from card_data.mindbug import available_sets, load_pool, parse_set
from card_data.mindbug.invention import Inventor, lines_of, words_of
from card_data.mindbug.schema import Card
from card_data.mindbug.vocabulary import Effect, Keyword, Quantity, Rule
from simcore.mindbug.play.guests import GuestSetup
from simcore.mindbug.table.records import GAME_RECORD

POOL = load_pool(["first_contact"])


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A small list: what was asked, its folder and worths."""
    asked = PriceGames(pool=POOL, seed=4, policy="greedy", batches=3, cards=30, games=2_000)
    folder = tmp_path_factory.mktemp("prices")
    return asked, folder, play_prices(asked, folder, threads=2)


@pytest.fixture(scope="module")
def planted():
    """The list of planted worths, and the effects that were planted."""
    worths, effects = _planted()
    return PriceList.fit(CardDescriber.of(POOL), worths), effects


def _planted(seed=3):
    """Worths that are sums of drawn effects, in batches judged a little higher or lower."""
    rng = np.random.default_rng(seed)
    asked = PriceGames(pool=POOL, seed=seed, batches=5, cards=100)
    cards = [card for one in (*POOL.sets, *asked.made_up) for card in one.cards]
    printed = len(cards) - 500
    batch = np.concatenate([np.full(printed, -1), np.repeat(np.arange(5), 100)])
    described = [[*CardDescriber.of(POOL).features(card)] for card in cards]
    columns = Columns({(one.block, one.name) for card in described for one in card})
    spreads = {"power": 4.0, "keyword": 3.0, "effect": 3.0, "effect × field": 1.0}
    effects = np.array([rng.normal() * spreads.get(block, 0.3) for block in columns.blocks])
    truth = columns.matrix(described) @ effects + rng.normal(size=len(cards))
    std_err = np.where(batch < 0, 0.5, 1.8)
    slope = np.where(batch < 0, 1.0, rng.normal(1, 0.08, 5)[batch])
    worth = truth * slope + rng.normal(size=len(cards)) * std_err
    return Worths(cards, worth, std_err, batch), effects


def test_made_up_cards_say_what_the_language_can():
    """Most effects come up, none that ends the game or needs dice; a seed gives the same cards."""
    inventor = Inventor(POOL, 1)
    sets = [inventor.card_set(f"batch_{number}", 125) for number in range(4)]
    said = {word for one in sets for card in one.cards for word in words_of(lines_of_all(card))}
    effects = {word for kind, word in said if kind is Effect}
    assert not effects & {Effect.WIN, Effect.LOSE, Effect.GAIN_ENERGY, Effect.BUY_FREE}
    assert len(effects) >= 25
    assert Inventor(POOL, 1).card_set("batch_0", 125) == sets[0]
    assert Inventor(POOL, 2).card_set("batch_0", 125) != sets[0]


@pytest.mark.parametrize("name", available_sets())
def test_made_up_cards_say_what_the_pool_says(name):
    """No word of the pool is left out, but for those that end games or change cards."""
    pool = load_pool([name])
    inventor = Inventor(pool, 0)
    sets = [inventor.card_set(f"batch_{number}", 125) for number in range(6)]
    said, wanted = (
        {word for one in some for card in one.cards for word in words_of(lines_of_all(card))}
        for some in (sets, pool.sets)
    )
    never = (
        *(Effect.WIN, Effect.LOSE, Effect.NAME_KEYWORD, Effect.EVOLVE, Rule.EVOLVE_INSTEAD),
        Quantity.DEFEATED_BY_THIS,  # printed in lines about evolving alone
    )
    assert wanted - said <= {(type(word), word) for word in never}


def lines_of_all(card):
    """All lines of a card as one thing."""
    return tuple(lines_of(card))


def test_a_pool_with_dice_may_use_them():
    """King of Tokyo has energy and dice, so made-up cards may have them too."""
    inventor = Inventor(load_pool(["king_of_tokyo"]), 1)
    cards = inventor.card_set("batch", 125).cards
    said = {word for card in cards for word in words_of(lines_of_all(card))}
    assert (Effect, Effect.GAIN_ENERGY) in said


def test_guests_are_dealt_by_the_number_of_the_game():
    """One or two of ten cards are guests, all of them come up, and parts of a run deal the same."""
    made_up = Inventor(POOL, 1).card_set("batch", 40)
    setup = GuestSetup(evolve(POOL, sets=(*POOL.sets, made_up)), 8)
    seated, games = setup.seat(("random", "random")), np.arange(800)
    whole, parts = np.zeros(800, GAME_RECORD), np.zeros(800, GAME_RECORD)
    setup.play(seated, 7, games, whole)
    for part in (slice(0, 50), slice(50, 317), slice(317, 800)):
        setup.play(seated, 7, games[part], parts[part])
    assert (whole == parts).all()
    guest = whole["cards"] >= len(POOL.sets[0].cards)
    assert guest.mean() == pytest.approx(8 / 56, abs=0.01)
    assert len({*whole["cards"][guest]}) == 40


def test_worths_are_found_in_games():
    """What cards were worth when results were drawn by them, to within their errors."""
    rng = np.random.default_rng(5)
    n_games, copies, n_guests = 30_000, np.full(30, 2), 10
    truth = rng.normal(0, 4, 40)
    truth -= truth[:30].mean()
    games = np.zeros(n_games, GAME_RECORD)
    for row in games["cards"]:
        row[:] = rng.permutation(40)[:20]
    side = truth[games["cards"]].reshape(-1, 2, 10).sum(axis=2)
    won = rng.random(n_games) < 0.5 + (side[:, 0] - side[:, 1]) / 100
    games["winner"] = np.where(won, 0, 1)
    games["first_player"] = rng.integers(0, 2, n_games)
    worth, variance = worths_of(games, copies, n_guests)
    z = (worth - truth) / np.sqrt(variance)
    assert np.abs(z).max() < 4
    assert np.mean(z**2) == pytest.approx(1.0, abs=0.5)


def test_a_card_that_nobody_was_dealt_has_no_worth():
    """It is left out, not told as average."""
    games = np.zeros(100, GAME_RECORD)
    games["cards"] = np.arange(20)
    worth, _ = worths_of(games, np.ones(21, int), 0)
    assert np.isnan(worth[20])
    assert np.isfinite(worth[:20]).all()


def test_prices_of_planted_cards(planted):
    """Whole batches left out: error, slope and intervals are those that were planted."""
    quality = planted[0].tables()["price_quality"].set_index("cards").loc["whole batches"]
    assert quality["error"] < 2.2
    assert 0.9 <= quality["slope"] <= 1.1
    assert quality["correlation"] > 0.85
    assert 0.93 <= quality["covered"] <= 0.97


def test_intervals_of_lines_hold(planted):
    """What the lines of a card add is in its interval as often as that says, or more often."""
    found, effects = planted
    cards = [card for card in found.worths.cards if lines_of(card)]
    bare = [evolve(card, triggered=(), constant=()) for card in cards]
    describe = found.describer.features
    with_lines, without = (
        found.columns.matrix([[*describe(card)] for card in some]) for some in (cards, bare)
    )
    price = found.model.contrast(with_lines - without)
    off = np.abs(price.mean - (with_lines - without) @ effects)
    inside = off <= found.calibration.half_width(price, 0)
    assert inside.mean() >= 0.92
    assert np.sqrt((off**2).mean()) < 1.5


def test_a_list_prices_cards_by_its_tables(played):
    """Written and read again, with any number of threads, a list gives the same prices."""
    asked, folder, worths = played
    tables = PriceList.fit(CardDescriber.of(POOL), worths).tables()
    assert read_list(FOLDER, asked.asked(), folder) is None
    write_list(FOLDER, tables, folder)
    again = read_list(FOLDER, asked.asked(), folder)
    assert again is not None
    read = Pricer.read(CardDescriber.of(POOL), again)
    first = Pricer.read(CardDescriber.of(POOL), tables)
    for card in POOL.sets[0].cards[:5]:
        assert read.price(card) == first.price(card)
    assert read_list(FOLDER, evolve(asked, seed=5).asked(), folder) is None


def test_the_number_of_threads_changes_nothing(played, tmp_path):
    """One thread finds the same worths as two."""
    asked, _, worths = played
    again = play_prices(asked, tmp_path, threads=1)
    assert [card.card_id for card in again.cards] == [card.card_id for card in worths.cards]
    np.testing.assert_array_equal(again.worth, worths.worth)
    np.testing.assert_array_equal(again.std_err, worths.std_err)


def test_a_sum_of_lines_is_the_price(planted):
    """What the parts of a card add is its price, and a word never played has none."""
    pricer = planted[0].pricer
    plain = Card("plain", "Plain", 4, frozenset({Keyword.SNEAKY, Keyword.TOUGH}))
    price = pricer.price(plain)
    assert [line for line, _ in price.lines] == ["power", "SNEAKY", "TOUGH", "together"]
    assert sum(points for _, points in price.lines) == pytest.approx(price.price)
    assert price.ci_low < price.price < price.ci_high
    [ends] = parse_set(
        'name = "Own"\n[last]\nname = "Last"\npower = 3\nplay = "win the game"'
    ).cards
    unknown = pricer.price(ends)
    assert (unknown.price, unknown.ci_low, unknown.ci_high) == (None, None, None)
    assert unknown.why == "no price for “win the game”: never played"


def test_a_line_that_was_never_met_is_less_sure(planted):
    """Features that no played card had have a mean of 0, and the variance of their blocks."""
    pricer = planted[0].pricer
    plain = Card("plain", "Plain", 5, frozenset({Keyword.SNEAKY}))
    [other] = parse_set(
        'name = "Own"\n[own]\nname = "O"\npower = 5\ndiscarded = "gain 2 life"'
    ).cards
    for card, sure in ((plain, True), (other, False)):
        described = [*pricer.describer.features(card)]
        unmet = [*pricer.columns.unmet(described)]
        assert (not unmet) == sure
        met = pricer.model.forecast(pricer.columns.matrix([described]))
        more = sum(pricer.model.variances[block] * amount**2 for block, amount in unmet)
        assert (more == 0) == sure
        wide = met._replace(variance=met.variance + more)
        price = pricer.price(card)
        half = float(pricer.calibration.half_width(wide, 0)[0])
        assert price.ci_high - price.price == pytest.approx(half)


@pytest.mark.parametrize("name", sorted(path.name for path in SHIPPED.glob("*")))
def test_lists_that_come_with_fairdeal_are_of_today(name):
    """Of today's cards, rules, player and made-up cards: else `make prices` makes them anew."""
    wanted = name.removeprefix("prices-")
    pool = load_pool(available_sets() if wanted == "all_sets" else [wanted])
    asked = PriceGames(pool=pool, policy=PLAYER, **usual_numbers(pool, [PLAYER]))
    assert asked.shipped == SHIPPED / name
    tables = read_list(FOLDER, asked.asked(), SHIPPED / name)
    assert tables is not None
    batch, features = tables["price_worths"]["batch"], tables["price_features"]
    describer = CardDescriber.of(pool)
    [made_up] = evolve(asked, batches=1).made_up
    for row, card in zip(np.flatnonzero(batch == 0), made_up.cards, strict=True):
        said = features[features["card"] == row]
        known = dict(
            zip(zip(said["block"], said["feature"], strict=True), said["times"], strict=True)
        )
        found = defaultdict[tuple[str, str], float](float)
        for one in describer.features(card):
            found[one.block, one.name] += one.amount
        del known[ELSEWHERE]
        assert known == pytest.approx({key: n for key, n in found.items() if n})
    # It begins with what the other lists say today.
    points = elsewhere_in(tables["price_elsewhere"])
    assert points == pytest.approx(prices_elsewhere(pool), abs=0.002)
