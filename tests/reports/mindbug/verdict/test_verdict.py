"""The command verdict and its page."""

from __future__ import annotations

import html
import json
import re
import shlex
from collections.abc import Iterator
from datetime import date
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import expect

from analysis.mindbug.experiments import verdict as played
from analysis.mindbug.experiments.skill_panel import STRETCH
from analysis.mindbug.experiments.usual import STRONG
from analysis.mindbug.registry import TABLES
from reports.cli.app import run
from reports.kit.theme import figure_of, words_of
from reports.kit.words import between, count, percent, points
from reports.mindbug.cli.options import ONLY_SETS, PoolOptions
from reports.mindbug.cli.verdict_pool import read_cases
from reports.mindbug.verdict.charts import plot_changes, plot_place
from reports.mindbug.verdict.text import CardWords, stretch_text
from support.browser import NEEDS_BROWSER, Open, check_frame, check_table
from support.reported import with_axes

FEW = "--games", 12000, "--threads", 1, "--policy", "random", "--stronger", "greedy"
GIANT = """name = "Mine"

[giant]
name = "<b>Giant</b>"
power = 10
keywords = ["SNEAKY"]
copies = 2
play = "gain 1 life"
"""
SECOND = """
[dwarf]
name = "Dwarf"
power = 1
copies = 2
"""


@pytest.fixture
def ask(ask):
    """Run `fairdeal verdict` in an empty folder."""
    return partial(ask, "verdict")


@pytest.fixture(scope="module")
def giant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a card of one's own that is far too strong, and the verdict on it."""
    folder = tmp_path_factory.mktemp("giant")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("mine.toml").write_text(GIANT)
        with with_axes():
            assert run([str(word) for word in ("verdict", "giant", "mine.toml", *FEW)]) == 0
        yield folder


def folder_of(place: Path) -> Path:
    """The folder of the only verdict in a place."""
    [found] = (place / "runs").glob("verdict-*")
    return found


def page_of(folder: Path) -> str:
    """Its page, without the script that sorts tables."""
    return (folder / "verdict.html").read_text().partition('<script type="module">')[0]


def test_a_card_of_ones_own(giant: Path) -> None:
    """It is mixed into First Contact; the page says the finding first, with the table's numbers."""
    folder = folder_of(giant)
    assert folder.name == f"verdict-giant-random-{date.today()}"
    table = pd.read_parquet(folder / "tables/verdict.parquet")
    assert list(table.columns) == list(TABLES["verdict"].columns)
    page = page_of(folder)
    assert "<h1>&lt;b&gt;Giant&lt;/b&gt; is too strong</h1>" in page and "<b>" not in page
    assert "http:" not in page and "https:" not in page and "built-in" not in page
    for _, row in table.iterrows():
        ends = between(row["win_rate_ci_low"], row["win_rate_ci_high"])
        assert ends in page and percent(row["win_rate"]) in page
    assert {path.stem for path in (folder / "figures").glob("*.svg")} == {"place", "changes"}
    assert page.index("<figure") < page.index('class="findings"')
    assert re.search(r"<code>fairdeal verdict giant --pool .*--seed 0 --games 12000</code>", page)
    assert len(re.findall(r'<p class="game">Game \d+: the player who', page)) == 3


def test_numbers_of_games_stand_beside_what_they_say(giant: Path) -> None:
    """How many games whose numbers are of, and what the card as it is wins in those of changes."""
    folder = folder_of(giant)
    table, tried = (
        pd.read_parquet(folder / f"tables/{name}.parquet")
        for name in ("verdict", "verdict_changes")
    )
    page = html.unescape(page_of(folder)).replace("\N{NO-BREAK SPACE}", " ")
    (_, first), (_, other) = table.iterrows()
    who = f"12,000 games of random, {count(other['n_games'])} of greedy · seed 0"
    assert who in page and "then greedy" not in page
    net = points(first["swap_lost"] - first["swap_won"])
    assert re.search(
        rf"in its place [\d.]+% of its {count(first['swap_n'])} games turn from won to lost and"
        rf" [\d.]+% from lost to won, net {re.escape(net)} points;",
        page,
    )
    of_changes = tried[~tried["fresh"]].nlargest(1, "n_games").iloc[0]
    n, rate = count(of_changes["n_games"]), of_changes["win_rate"] - of_changes["difference"]
    assert f"On {n} of the same deals, with the average card" in page
    assert f"as it is: {percent(rate)} in the {n} games of the changes" in page
    first_columns = page.partition('id="changes"')[2]
    places = [first_columns.index(f">{name}") for name in ("Won when dealt it", "Verdict", "Size")]
    assert places == sorted(places)  # a phone shows only the first
    caption = words_of(figure_of(plot_changes(tried))).drawn
    assert caption.endswith(f"as it is {percent(rate)} in these {n} games")


def test_players_are_spelled_as_they_were_typed(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a lesson, the folder and the commands still call the players what a person does."""
    lesson = ("random@0.5", "greedy@0.5")
    monkeypatch.setattr("reports.mindbug.cli.verdict.taught", lambda *_, **__: lesson)
    Path("mine.toml").write_text(GIANT)
    assert ask("giant", "mine.toml", *FEW).status == 0
    folder = folder_of(Path())
    assert folder.name == f"verdict-giant-random-{date.today()}"
    page = page_of(folder)
    commands = re.findall(r"fairdeal verdict giant --pool [^<]*", page)
    assert len(commands) == 3
    assert not any("@" in command for command in commands)
    for command in (commands[0], commands[-1]):
        assert "--policy random --stronger greedy" in command


@NEEDS_BROWSER
def test_the_page_in_a_browser(giant: Path, open_file: Open) -> None:
    """The finding first in every window, tables by the keyboard alone, a hostile name inert."""
    page = open_file(folder_of(giant) / "verdict.html")
    check_frame(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("<b>Giant</b> is too strong")
    expect(page.locator("#overview .told > .findings dt").first).to_have_text("Smallest change")
    assert page.locator("b").count() == 0
    check_table(page, "Changes", "Table of changes", "Size")


def test_charts_call_players_and_verdicts_as_sentences_do(giant: Path) -> None:
    """Who took a lesson is "expert" beside a chart, too, and the legend says "too strong"."""
    tables = folder_of(giant) / "tables"
    place = pd.read_parquet(tables / "verdict_place.parquet")
    lesson = {"random": "expert=mine-2", "greedy": "search=mine-2:16"}
    axes = plot_place(place.assign(policy=place["policy"].map(lesson)))
    labels = " ".join(label.get_text() for label in axes.get_yticklabels())
    assert "expert" in labels and "search:16" in labels and "=" not in labels
    changes = pd.read_parquet(tables / "verdict_changes.parquet")
    legend = plot_changes(changes.assign(verdict="too strong")).get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["too strong"]


def test_games_are_told_and_can_be_replayed(giant: Path, ask, capsys) -> None:
    """The command under a game tells the same game, whose end is on the page."""
    page = (folder_of(giant) / "verdict.html").read_text()
    story = r'class="game">(Game .*?) <code>fairdeal (replay .*?)</code>'
    [words, where] = re.findall(story, page)[0]
    command, folder, game = where.split()
    assert run([command, str(giant / folder), game]) == 0
    told = capsys.readouterr().out
    [turn] = re.findall(r"the player who played .*? on turn (\d+)", words)
    assert "plays <b>Giant</b>" in told.partition(f"Turn {turn}: ")[2].partition("\nTurn ")[0]


def test_the_same_again_from_what_is_there(giant: Path, ask, capsys, monkeypatch) -> None:
    """An interrupted verdict goes on where it was, and gives the same tables."""
    folder = folder_of(giant)
    before = {path: path.read_bytes() for path in (folder / "tables").iterdir()}
    records = {path: path.stat().st_mtime_ns for path in folder.rglob("part-*.parquet")}
    (folder / "tables" / "verdict.parquet").unlink()
    gone = next((folder / "changes" / "games").glob("*.parquet"))
    gone.unlink()
    monkeypatch.chdir(giant)
    assert run([str(word) for word in ("verdict", "giant", "mine.toml", *FEW, "--json")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert gone.exists()
    assert {path: path.read_bytes() for path in (folder / "tables").iterdir()} == before
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("part-*.parquet")} == records
    assert answer["card"] == "giant" and answer["sentence"].startswith("<b>Giant</b> is too strong")
    assert [row["policy"] for row in answer["verdict"]] == ["random", "greedy"]
    assert {"verdict", "verdict_changes", "verdict_games"} <= answer["tables"].keys()
    topics = [finding["topic"] for finding in answer["findings"]]
    assert topics[:4] == ["Smallest change", "Why", "With and against", "Over players"]
    assert topics[4:6] == ["Games", "What became of it"]
    assert topics[6].startswith("For intervals half as wide, in about a minute")
    assert topics[7:] == [
        "To play the proposal",
        "To read a game that ended differently without it",
    ]


def test_the_proposal_can_be_played(giant: Path, capsys, monkeypatch) -> None:
    """The smallest change is written as a card file, and the command that is given plays it."""
    folder = folder_of(giant).relative_to(giant)
    changes = pd.read_parquet(giant / folder / "tables/verdict_changes.parquet")
    ours = changes[changes["policy"] == "random"]
    [proposed] = [row for _, row in ours[ours["proposed"]].iterrows()]
    assert abs(proposed["win_rate"] - 0.5) <= 0.02
    assert f"power = {proposed['power']}" in (giant / folder / "proposal.toml").read_text()
    page = (giant / folder / "verdict.html").read_text()
    said = re.findall(r"To play the proposal</dt><dd>fairdeal verdict (.*?)</dd>", page)[0].split()
    named = ["giant", "--pool", f"{folder}/pool.toml", "--cards", f"{folder}/proposal.toml"]
    # by the same players in as many games, so that the answer can be set beside this one
    assert said == [*named, "--policy", "random", "--stronger", "greedy", "--games", "12000"]
    monkeypatch.chdir(giant)
    options = PoolOptions(pool=Path(said[2]), cards=[Path(said[4])])
    [changed] = read_cases("giant", [], options)
    assert (changed.card.power, len(changed.card.keywords)) == (
        proposed["power"],
        len(proposed["keywords"].split()),
    )
    assert len(changed.pool.sets) == 2


def test_what_a_card_is_played_with(monkeypatch, tmp_path: Path) -> None:
    """A set is found by its card, a file of this folder by its own, a changed card by its set."""
    monkeypatch.chdir(tmp_path)

    def played_with(*words: str, options: PoolOptions = ONLY_SETS) -> str:
        [found] = read_cases(words[0], words[1:], options)
        return " ".join([found.card.card_id, *(one.set_id for one in found.pool.sets)])

    assert played_with("Squirtoise Scout") == "squirtoise_scout beyond_eternity"
    assert played_with("killer_bee", "first_contact", "promos").endswith("first_contact promos")
    Path("mine.toml").write_text(GIANT)
    mixed = "giant first_contact mine"
    assert played_with("giant") == played_with("mine.toml") == mixed
    assert played_with("giant", "mine.toml") == played_with("giant", "mine.toml+first_contact")
    assert played_with("giant", options=PoolOptions(cards=[Path("mine.toml")])) == mixed
    assert played_with("giant", "promos", "mine.toml") == "giant mine promos"
    Path("changed.toml").write_text(GIANT.replace("[giant]", "[mechamster]"))
    assert played_with("mechamster", "changed.toml") == "mechamster king_of_tokyo"
    Path("dicey.toml").write_text(GIANT.replace("[giant]", "[dicey]\ndice = 1"))
    assert played_with("dicey.toml") == "dicey dicey king_of_tokyo"
    whole = GIANT.replace("copies = 2", "copies = 20")
    third = SECOND.replace("warf", "warf too").replace("[dwarf too]", "[third]")
    Path("whole.toml").write_text(whole + SECOND + third)
    assert played_with("dwarf", "whole.toml") == "dwarf whole"
    Path("pool.toml").write_text('sets = ["promos", "first_contact"]\nleave_out = ["brain_fly"]\n')
    assert played_with("killer_bee", "pool.toml") == "killer_bee first_contact promos"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["kiler bee"], "did you mean 'killer_bee'"),
        (["giant", "first_contact"], "there is no card 'giant' in this pool"),
        (["killer_bee", "frist_contact"], "did you mean 'first_contact'?"),
        (["first_contact"], "is a set; name a card before it, or ask about all: fairdeal balance"),
        (
            ["all", "first_contact"],
            "a verdict is on one card; 'fairdeal balance' judges all of them",
        ),
        (["killer_bee", "none.toml"], "none.toml"),
        (["many.toml"], "many.toml has 9 entries, and a verdict takes at most 8; name one: fair"),
        (["killer_bee", "--band", "0"], "--band is 0"),
        (["killer_bee", "--games", "10"], "10 is not between 1,000 and 100,000,000"),
        (["killer_bee", "--policy", "expret"], "did you mean 'expert'?"),
        (["killer_bee", "--stronger", "serch:16"], "--stronger"),
        (["killer_bee", "--stronger", "expert"], "is expert, who plays the main games already"),
        (["killer_bee", "--policy", "random:greedy"], "name one player"),
        (["bigroot"], "so nobody is dealt it"),
        (["ambush"], "ambush is a power card, so nobody is dealt it"),
    ],
)
def test_what_cannot_be_asked(ask, words: list[str], complaint: str) -> None:
    """One message says what is wrong and what to do; nothing is written."""
    Path("mine.toml").write_text(GIANT + SECOND)
    names = [f"dwarf_{number}" for number in range(8)]
    more = [SECOND.replace("dwarf", one).replace("Dwarf", one) for one in names]
    Path("many.toml").write_text("".join([GIANT, *more]))
    ask(*words).refused_at_once(complaint)


def test_each_card_of_a_file_is_judged(ask, capsys) -> None:
    """A file with several cards is answered for all of them, each in a folder, in one JSON."""
    Path("mine.toml").write_text(GIANT + SECOND)
    few = "--games", 2000, "--threads", 1, "--policy", "random", "--stronger", "none"
    out = ask("mine.toml", "first_contact", *few, "--out", "v").done().out
    assert {one.name for one in Path("v").iterdir()} == {"dwarf", "giant"}
    short = out.replace("\N{NO-BREAK SPACE}", " ").partition("In short:\n")[2]
    dwarf, giant = (line for line in short.splitlines() if not line.startswith(" "))
    assert dwarf.startswith("Dwarf ") and "players dealt it win" in dwarf
    assert giant.startswith("<b>Giant</b> ") and "players dealt it win" in giant
    told = ask("mine.toml", "first_contact", *few, "--out", "v", "--json").json["verdicts"]
    assert [one["card"] for one in told] == ["dwarf", "giant"]
    # every command that was printed does what the words before it say
    replays = re.findall(r"^  fairdeal (replay .*)$", out, re.MULTILINE)
    assert len(replays) > 1
    capsys.readouterr()
    assert run(replays[0].split()) == 0
    assert "Turn 1" in capsys.readouterr().out
    todo = re.findall(r"^  fairdeal (verdict .*)$", out, re.MULTILINE)
    assert len(todo) >= 2
    for command in todo:
        assert "--policy random" in command and "--stronger none" in command
        assert run([*shlex.split(command), "--dry-run", "--threads", "1"]) == 0


def test_a_card_in_two_files(ask) -> None:
    """Of a card that is in several files of the folder the file has to be named."""
    for name in ("one.toml", "two.toml"):
        Path(name).write_text(GIANT)
    ask("giant").refused(
        "giant is in one.toml and in two.toml; name the file: fairdeal verdict giant"
    )


def a_verdict(win_rate: float, verdict: str, policy: str = "expert") -> dict[str, object]:
    """A row of the table of verdicts."""
    return {
        "card_id": "x", "name": "X", "policy": policy, "n_games": 1000, "n": 500,
        "win_rate": win_rate, "win_rate_ci_low": win_rate - 0.01,
        "win_rate_ci_high": win_rate + 0.01, "band": 0.02, "verdict": verdict,
        "verdict_in_set": verdict,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([a_verdict(0.55, "too strong")], "X is too strong: players dealt it win 55.0"),
        ([a_verdict(0.45, "too weak")], "X is too weak"),
        ([a_verdict(0.5, "fair")], "and 48 to 52"),
        ([a_verdict(0.525, "needs more games")], "X needs more games: players dealt it win"),
        ([a_verdict(0.515, "needs more games")], "do not settle whether that is inside 48 to 52"),
        (
            [a_verdict(0.55, "too strong"), a_verdict(0.5, "fair", "search:16")],
            "But among search:16 players, who are stronger, it is fair",
        ),
        (
            [a_verdict(0.55, "too strong"), a_verdict(0.54, "too strong", "search:16")],
            "Stronger players (search:16) agree: 54.0%",
        ),
        (
            [a_verdict(0.55, "too strong"), a_verdict(0.52, "needs more games", "search:16")],
            "who are stronger, it needs more games: 52.0",
        ),
    ],
)
def test_the_sentence(rows: list[dict[str, object]], said: str) -> None:
    """It says what is shown, with the interval, and whether stronger players agree."""
    table = TABLES["verdict"].frame(rows)
    found = CardWords({"verdict": table}).sentence
    assert said in found and found.endswith(".")


def test_a_verdict_where_the_strong_play(ask) -> None:
    """A few games of a strong search are joined with the others; sentence, table and page say so.

    The number is that of the table of strong play; the others' follow it in the sentence.
    """
    said = ("grave robber", *FEW[:-2], "--stronger", "none", "--strong", "--strong-games", 150)
    out = ask(*said, "--out", "v", "--json").done().out
    told = json.loads(out)
    weak, strong = told["verdict"]
    [joined] = told["strong_cards"]
    assert (weak["policy"], strong["policy"], strong["n_games"]) == ("random", STRONG, 150)
    assert strong["win_rate"] == pytest.approx(0.5 + joined["advantage"])
    assert f"where {STRONG} plays: players dealt it win {percent(strong['win_rate'])}" in out
    assert f"Among random players {percent(weak['win_rate'])}" in told["sentence"]
    place = pd.read_parquet("v/tables/verdict_place.parquet")
    assert place.groupby("policy").size()[STRONG] == 32
    [drawn] = place[place["asked"] & (place["policy"] == STRONG)].to_dict("records")
    assert drawn["win_rate_ci_low"] == strong["win_rate_ci_low"]
    assert f"150 games with the card by {STRONG}" in Path("v/verdict.html").read_text()
    surer = next(one["text"] for one in told["findings"] if "half as wide" in one["topic"])
    assert "--strong-games 600" in surer and "--games 48000" in surer  # each four times as many
    assert ask(*said[:-2], "--strong-games", 0)[0] == 2


def test_many_draws_narrow_what_is_fair(ask) -> None:
    """The verdict has the band of the page of the set, and says why it is narrow."""
    told = "killer_bee", "--policy", "random", "--stronger", "none", "--games", 1000
    answer = ask(*told, "--turn-cap", 16, "--out", "v", "--json").json
    [row] = answer["verdict"]
    assert 0.7 < row["drawn"] < 0.95
    of_set = pd.read_parquet("v/run/tables/cards.parquet")["band"].unique()
    assert row["band"] == pytest.approx(of_set) and row["band"] < 0.01
    [draws] = [one["text"] for one in answer["findings"] if one["topic"] == "Draws"]
    assert draws.startswith(f"{percent(row['drawn'])} of these games had no winner")
    assert row["verdict"] != "fair"


def test_another_word_on_the_page_of_all_is_quoted() -> None:
    """Where intervals that hold together say something else, the sentence says so."""
    row = a_verdict(0.535, "too strong") | {"verdict_in_set": "needs more games"}
    found = CardWords({"verdict": TABLES["verdict"].frame([row])}).sentence
    assert "On the page of all cards, whose intervals hold together, it needs more games." in found


def test_a_pool_without_others_to_set_a_card_beside(ask) -> None:
    """It is refused before a game is played: two average cards take the place of the card."""
    two = "".join(f'[one{n}]\nname = "One {n}"\npower = {n}\ncopies = 10\n' for n in (3, 5))
    Path("two.toml").write_text(f'name = "Two"\n{two}')
    ask("one3", "two.toml").refused_at_once(
        "beside 2 others at least, and here 2 cards are dealt in all"
    )


def test_interrupted(ask, monkeypatch) -> None:
    """Ctrl-C says what is kept, and the status is 130."""

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(played.Experiment, "play_singles", stop)
    status, out, err = ask("killer_bee", *FEW, "--out", "here")
    assert (status, out) == (130, "")
    assert "finished games stay in here; run the same command again to resume" in err
    assert list(Path("here/run").rglob("part-*.parquet"))


def test_a_fault_of_the_program_is_not_told_as_one_of_the_writer(ask, monkeypatch) -> None:
    """A ValueError while games are played goes on to whoever reads a traceback."""

    def fail(*_: object, **__: object) -> None:
        raise ValueError("shapes do not match")

    monkeypatch.setattr(played.Experiment, "__init__", fail)
    with pytest.raises(ValueError, match="shapes do not match"):
        ask("killer_bee", *FEW)


@pytest.mark.parametrize(
    ("policy", "verdict", "win_rate", "said"),
    [
        ("expert", "fair", 0.517, ["It is near the edge: search:400, much stronger, has cards"]),
        ("expert", "fair", 0.51, []),
        ("expert", "too strong", 0.53, []),
        ("search:16", "fair", 0.517, []),
    ],
)
def test_a_fair_card_near_the_edge_is_told(
    policy: str, verdict: str, win_rate: float, said: list[str]
) -> None:
    """Stronger play stretches advantages: a verdict says where that may lead out of the band."""
    row = {"policy": policy, "verdict": verdict, "win_rate": win_rate, "band": 0.02}
    at = win_rate - 0.5
    found = list(stretch_text({"verdict": pd.DataFrame([row])}))
    assert [one[: len(start)] for one, start in zip(found, said, strict=True)] == said
    made = f"which would make {points(at)} {points(at * STRETCH[0])}."
    assert all(one.endswith(made) for one in found)
