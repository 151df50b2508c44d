"""What public calls return looks well at a prompt and in a notebook, and is harmless there."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from attrs import evolve

import analysis.mindbug
import card_data.mindbug
import reports.mindbug
from card_data.mindbug.modes import Modes
from card_data.mindbug.schema import Card, CardSet, Pool, PowerCard
from card_data.mindbug.vocabulary import Ruling
from simcore.mindbug import CardTable, compile_cards
from simcore.mindbug.face.game import Game
from support.synthetic import hostile_cards, synthetic_cards, synthetic_games, synthetic_run

HOSTILE = "<img src=x onerror=alert(1)>"


class Html(HTMLParser):
    """Tags and text of a piece of HTML."""

    def __init__(self, html: str | None) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(html or "")

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Note a tag."""
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        """Note text."""
        self.text += f"{data} "


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> analysis.mindbug.Run:
    """A run of made-up games."""
    table = synthetic_cards()
    folder = tmp_path_factory.mktemp("views") / "run"
    synthetic_run(folder, table, synthetic_games(table, 1500), policies=("greedy", "random"))
    return analysis.mindbug.open_run(folder)


def test_card_is_told_in_its_words() -> None:
    """A card shows name, power, keywords, copies and the text made from its abilities."""
    [card_set] = card_data.mindbug.load_sets(["first_contact"])
    cards = {card.card_id: card for card in card_set.cards}
    assert str(cards["turbo_bug"]) == (
        "Turbo Bug\n  power 4, 1 copy\n  Attack: Your opponent loses all but 1 life."
    )
    html = Html(cards["spider_owl"]._repr_html_())
    assert "Spider Owl power 3, POISONOUS, SNEAKY, 2 copies" in html.text
    assert "card_id='turbo_bug'" in repr(cards["turbo_bug"])


def test_cards_of_every_set_can_be_shown() -> None:
    """No card fails to be shown, power cards and later stages included."""
    for card_set in card_data.mindbug.load_sets(card_data.mindbug.available_sets()):
        cards: list[Card | PowerCard] = [*card_set.cards, *card_set.power_cards]
        for card in cards:
            assert str(card).startswith(f"{card.name}\n")
            assert Html(card._repr_html_()).text.startswith(card.name)


def test_hostile_names_are_text() -> None:
    """A name is never a tag of the notebook."""
    pool = Pool((CardSet("x", HOSTILE, hostile_cards([HOSTILE]).cards),))
    for html in (pool._repr_html_(), pool.sets[0].cards[0]._repr_html_()):
        assert "img" not in Html(html).tags
        assert HOSTILE in Html(html).text


def test_pool_lists_its_sets() -> None:
    """A pool shows its sets with their numbers of cards, and the modes that are unusual."""
    pool = card_data.mindbug.load_pool(["first_contact", "king_of_tokyo"])
    assert repr(pool) == (
        "Pool(First Contact: 32 creatures, 48 cards; "
        f"{repr(pool.sets[1]).removeprefix('CardSet(').removesuffix(')')};"
        " after_mindbug action, kot_parts True)"
    )
    [plain] = card_data.mindbug.load_sets(["first_contact"])
    assert repr(Pool((plain,))) == "Pool(First Contact: 32 creatures, 48 cards)"
    assert repr(plain) == "CardSet(First Contact: 32 creatures, 48 cards)"
    modes = Modes(life=4, rulings=frozenset({Ruling.PRINTED_POWER_COUNTS}))
    html = Html(Pool((plain,), modes)._repr_html_())
    assert "First Contact 32 48 0" in html.text
    assert "Played with life 4, rulings printed_power_counts" in html.text
    assert "Axolotl Healer" in html.text


def test_run_shows_what_was_played(run: analysis.mindbug.Run) -> None:
    """A run shows sets, games, players, seed and folder, in one line and as a table."""
    assert repr(run) == (
        f"Run(sets synthetic, games 1,500, players greedy against random, seed 0, folder"
        f" {run.folder})"
    )
    text = Html(run._repr_html_()).text
    for words in ("synthetic", "1,500", "greedy against random", "seed 0", str(run.folder)):
        assert words in text


def test_comparison_counts_its_verdicts(run: analysis.mindbug.Run) -> None:
    """A comparison says what was compared and how the verdicts fell out."""
    comparison = analysis.mindbug.compare_runs(run.folder, run.folder, threads=1)
    assert repr(comparison) == (
        "Comparison(run with run, paired; 0 more, 0 less, 32 the same, 0 not settled)"
    )


def test_readable_tables(run: analysis.mindbug.Run) -> None:
    """Shares in per cent, differences in points, intervals beside them, all rows and no others."""
    tables = analysis.mindbug.analyze(run.folder)
    cards = tables["cards"]
    told = reports.mindbug.readable(cards)
    assert list(told.index) == list(cards.index)
    assert not [column for column in told if column.endswith(("ci_low", "ci_high"))]
    row, card = told.iloc[3], cards.iloc[3]
    share = f"{100 * card['dealt_win_rate']:.1f}% ("
    assert row["dealt_win_rate"].startswith(share)
    assert f"({100 * card['dealt_ci_low']:.1f} to " in row["dealt_win_rate"]
    assert row["advantage"].replace("−", "-").startswith(f"{100 * card['advantage']:+.1f} (")
    assert row["dealt_n"] == f"{card['dealt_n']:,}"
    assert row["name"] == card["name"]
    summary = reports.mindbug.readable(tables["summary"]).set_index("statistic")["estimate"]
    mean = tables["summary"].set_index("statistic").loc["mean_turns", "estimate"]
    assert summary["mean_turns"].startswith(f"{mean:.2f} (")
    some = reports.mindbug.readable(cards[["name", "dealt_win_rate", "p_value"]], digits=2)
    assert list(some) == ["name", "dealt_win_rate", "p_value"]
    assert "(" not in some["dealt_win_rate"].iloc[0]


def test_unknown_numbers_are_readable() -> None:
    """What is not known is a dash, with or without an interval."""
    nan = float("nan")
    table = pd.DataFrame(
        {"share": [nan, 0.5], "share_ci_low": [nan, nan], "share_ci_high": [nan, nan]}
    )
    assert list(reports.mindbug.readable(table)["share"]) == ["–", "50.0%"]


# ------------------------------------------------------------------ one call from Python


def test_play_run_is_what_the_command_plays(tmp_path: Path) -> None:
    """A pool in memory is played into a folder, goes on there, and refuses another pool."""
    pool = card_data.mindbug.load_pool(["first_contact"])
    run = analysis.mindbug.play_run(pool, tmp_path / "run", games=40, policy="random", seed=5)
    assert (run.n_games, run.manifest["policies"]) == (40, ["random", "random"])
    assert run.pool() == pool
    again = analysis.mindbug.play_run(pool, tmp_path / "run", games=40, policy="random", seed=5)
    assert again.manifest == run.manifest
    with pytest.raises(ValueError, match="unknown policy 'rando'"):
        analysis.mindbug.play_run(pool, tmp_path / "other", games=40, policy="rando")


def test_own_cards_in_memory() -> None:
    """Cards as text take the place of those of the pool, or come to them."""
    pool = card_data.mindbug.load_pool(["first_contact"])
    text = 'name = "Mine"\n[{0}]\nname = "Mine"\npower = 9\ncopies = 2\n'
    changed = card_data.mindbug.change_cards(
        pool, card_data.mindbug.parse_set(text.format("turbo_bug"))
    )
    assert [card_set.set_id for card_set in changed.sets] == ["first_contact"]
    cards = {card.card_id: card for card in changed.sets[0].cards}
    assert cards["turbo_bug"] == Card("turbo_bug", "Mine", 9, copies=2)
    more = card_data.mindbug.change_cards(
        pool, card_data.mindbug.parse_set(text.format("newcomer"), "mine.toml")
    )
    assert [card_set.set_id for card_set in more.sets] == ["first_contact", "mine"]
    die = evolve(cards["turbo_bug"], dice=1)
    with pytest.raises(
        card_data.mindbug.CardFileError, match=r"cards\.toml: turbo_bug: dice and power"
    ):
        card_data.mindbug.change_cards(pool, CardSet("cards", "Mine", (die,)))


def test_card_sensitivity_is_what_the_command_finds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One call gives the tables that the command writes; wrong words are told."""
    from reports.cli.app import run as command

    text = 'name = "Small"\n' + "".join(
        f'[card_{power}]\nname = "Card {power}"\npower = {power}\ncopies = 4\n'
        for power in range(3, 9)
    )
    file = tmp_path / "small.toml"
    file.write_text(text)
    pool = card_data.mindbug.load_pool([str(file)])
    asked: dict[str, Any] = {"games": 200, "policy": "random"}
    tables = analysis.mindbug.card_sensitivity(
        pool, "card_5", tmp_path / "here", changes=("value", "power"), **asked
    )
    question = ["sensitivity", "card_5", str(file), "--changes", "value,power", "--games", "200"]
    assert command([*question, "--policy", "random", "--out", str(tmp_path / "there")]) == 0
    capsys.readouterr()
    for name, table in tables.items():
        written = pd.read_parquet(tmp_path / "there" / "tables" / f"{name}.parquet")
        pd.testing.assert_frame_equal(table, written, check_dtype=False)
    assert set(tables["sensitivity"]["kind"]) == {"value", "power"}
    with pytest.raises(ValueError, match="no card 'card_55' is dealt in this pool; did you mean"):
        analysis.mindbug.card_sensitivity(pool, "card_55", tmp_path / "x", **asked)
    with pytest.raises(ValueError, match="there is no change 'size'; there are: value, power"):
        analysis.mindbug.card_sensitivity(pool, "card_5", tmp_path / "x", changes="size", **asked)
    assert not (tmp_path / "x").exists()


@cache
def table_of(*sets: str) -> CardTable:
    """The compiled cards of some sets."""
    pool = card_data.mindbug.load_pool(sets)
    return compile_cards(pool.sets, pool.modes)


def new_game(sets: list[str], *, seed: int, game: int) -> Game:
    """A game of some sets."""
    return Game(table_of(*sets), seed=seed, game=game)


def test_game_tells_where_it_stands() -> None:
    """A game shows turn, what both players have, who decides and the numbers of the options."""
    game = new_game(["first_contact"], seed=1, game=3)
    assert repr(game) == (
        "Turn 1, player 1\n"
        "Player 0: life 3; Mindbugs 2; in play –; hand Rhino Turtle #1, Chameleon Sniper,"
        " Snail Hydra #1, Gorillion, Grave Robber; draw pile 5; discard pile –\n"
        "Player 1: life 3; Mindbugs 2; in play –; hand Rhino Turtle #2, Snail Hydra #2,"
        " Compost Dragon, Kangasaurus Rex #1, Goblin Werewolf #2; draw pile 5; discard pile –\n"
        "Player 1 chooses an action:\n"
        "  0  play Rhino Turtle #2\n"
        "  1  play Snail Hydra #2\n"
        "  2  play Compost Dragon\n"
        "  3  play Kangasaurus Rex #1\n"
        "  4  play Goblin Werewolf #2"
    )
    game.step(1)
    *_, played, question, refuse, use = repr(game).splitlines()
    assert (played, question) == ("Being played: Snail Hydra #2", "Player 0 may use a Mindbug:")
    assert (refuse, use) == ("  0  refuse", "  1  use a Mindbug")
    html = Html(game._repr_html_())
    assert html.tags.count("li") == 2 and "Being played: Snail Hydra #2" in html.text
    while not game.over:
        game.step(0)
    assert repr(game).startswith("Player 1 wins: player 0 has no life left.\nPlayer 0: life 0;")
    assert "ol" not in Html(game._repr_html_()).tags
    waiting = Game(game.table, seed=1, to_decision=False)
    assert repr(waiting).startswith("Before the first turn; player ")


def test_games_of_every_set_can_be_shown() -> None:
    """Every decision is shown with all its options; looking changes nothing."""
    rng = np.random.default_rng(4)
    told = set()
    for number in range(12):
        game = new_game(card_data.mindbug.available_sets(), seed=6, game=number)
        while not game.over:
            before = game._states.tobytes()
            options = game.options
            lines = repr(game).splitlines()
            html = Html(game._repr_html_())
            assert game._states.tobytes() == before
            asked = lines[-len(options) - 1]
            assert asked.startswith(f"Player {game.decider} ") and asked.endswith(":")
            assert html.tags.count("li") == len(options)
            told.add(game.decision)
            game.step(int(rng.integers(len(options))))
    assert len(told) > 10


def test_hostile_cards_of_a_game_are_text() -> None:
    """A name in a position is never a tag of the notebook."""
    pool = Pool((CardSet("x", "X", hostile_cards([HOSTILE] * 16).cards),))
    html = Html(Game(compile_cards(pool.sets, pool.modes))._repr_html_())
    assert "img" not in html.tags and HOSTILE in html.text
