"""The pages about games of one's own: what stands there is played, and prints what they say."""

import re
from pathlib import Path

import pytest

from analysis.runs import open_run
from reports.cli.app import run
from support.reported import charts_as, without_axes

DOCS = Path(__file__).parents[1] / "docs"


def blocks(page: str, kind: str) -> list[str]:
    """The blocks of a page of a kind, such as python."""
    text = (DOCS / page).read_text("utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [block for of, block in found if of == kind]


@charts_as("svg")
@without_axes()
def test_the_smallest_game_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is played from the page alone, and who plays wisely wins from the better seat."""
    monkeypatch.chdir(tmp_path)
    Path("nim.py").write_text(blocks("own_games.md", "python")[0])
    words = ("--policy", "wise:random", "--games", "400", "--seed", "1", "--out", "run")
    assert run(["balance", "nim.py", *words]) == 0
    [games] = open_run("run").parts()
    assert games["outcome"][:, 0].min() == open_run("run").manifest["unit"]
    assert run(["compare", "nim.py", "run", "--set", "sticks=12", "--out", "c"]) == 0


@charts_as("svg")
@without_axes()
def test_the_tutorial_says_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the rules to the change, each command in the order of the page."""
    monkeypatch.chdir(tmp_path)
    rules, player = blocks("your_own_game.md", "python")
    cards, change = blocks("your_own_game.md", "toml")
    Path("cards.toml").write_text(cards)
    Path("riper.toml").write_text(change)
    without_end = rules.replace(" if self.row else None", "")
    with_player = rules.replace("GAME = ", f"{player}\n\nGAME = ").replace(
        "    settings=", '    players={"ripest": ripest},\n    settings='
    )
    checked, fault, *rest = blocks("your_own_game.md", "")
    for text, said in (
        (rules, checked),
        (without_end, f"$ fairdeal check orchard.py\n{fault}"),
        *((with_player, said) for said in rest),
    ):
        Path("orchard.py").write_text(text)
        command, *lines = said.splitlines()
        status = run(command.split()[2:])
        printed = capsys.readouterr().out.replace("\N{NO-BREAK SPACE}", " ")
        assert status == (2 if text == without_end else 0)
        assert [line for line in lines if line not in printed] == [], printed
