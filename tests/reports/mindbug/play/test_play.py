"""A person plays Mindbug in a terminal: asked, helped, taken back, kept, told again."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import subprocess
import sys
import termios
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from card_data.checksums import seal_json
from reports.play.log import read_log
from simcore import own_code
from simcore.mindbug import POLICIES
from simcore.work.lock import holding_file
from support.typist import Piped, plain, typed

GAME = ["play", "first_contact", "--seed", "7"]
EVERY_PLAYER = [f"{name}:4" if policy.searches else name for name, policy in POLICIES.items()]
#: A person who always takes the first option.
FIRST = [*["1"] * 120]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has a folder of its own."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("player", EVERY_PLAYER)
def test_a_game_against_each_player_at_a_terminal(player: str, piped: Piped) -> None:
    """A script plays to the end; the file leads to the same end again, told with open hands."""
    status, seen = typed([*GAME, "--player", player, "--out", "game.json"], FIRST)
    assert status == 0
    [verdict] = re.findall(r"^(You win|The opponent wins|A draw): .*", plain(seen), re.MULTILINE)
    log = read_log(Path("game.json"))
    assert log.players == (player,)
    assert log.record is not None
    told = piped("replay", "game.json").done().out
    assert re.search(rf"^{verdict}: ", told, re.MULTILINE)
    assert len(re.findall(r"^  \? ", told, re.MULTILINE)) == len(log.decisions)
    assert "The opponent was dealt" in told
    assert not re.search(r"[Pp]layer \d", told)
    assert max(map(len, plain(seen).splitlines())) <= 80


def test_colour_is_for_terminals_alone(piped: Piped, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal has headings in bold, unless NO_COLOR says no; a pipe never has."""
    _, seen = typed([*GAME, "--out", "game.json"], ["quit"])
    assert "\x1b[1mTurn 1, yours\x1b[0m" in seen
    assert "\x1b" not in piped(*GAME, "--out", "other.json", lines=["quit"])[1]
    monkeypatch.setattr("support.typist.TERM", "dumb")
    assert "\x1b[1m" not in typed([*GAME, "--out", "third.json"], ["quit"])[1]


def test_a_game_that_was_left_goes_on(piped: Piped) -> None:
    """By quit, by the end of input; what follows is what would have followed."""
    whole = piped(*GAME, "--out", "whole.json", lines=FIRST)[1]
    piped(*GAME, "--out", "parts.json", lines=["1", "1", "quit"])
    assert piped("play", "parts.json", lines=["1"])[0] == 0
    assert len(read_log(Path("parts.json")).decisions) < len(read_log(Path("whole.json")).decisions)
    rest = piped("play", "parts.json", lines=FIRST)[1]
    assert read_log(Path("parts.json")) == read_log(Path("whole.json"))
    end = next(line for line in rest.splitlines() if " wins: " in line or "You win" in line)
    assert end in whole


def test_one_process_plays_a_game_and_runs_lists_it(piped: Piped) -> None:
    """A second one ends in a message; the list of runs says who plays, and how far each game is."""
    piped(*GAME, "--out", "runs/play-a.json", lines=["1", "quit"])
    piped(*GAME, "--out", "runs/play-b.json", lines=FIRST)
    with ThreadPoolExecutor(1) as others:
        held = holding_file(Path("runs/play-a.json"))
        others.submit(held.__enter__).result()
        piped("play", "runs/play-a.json", lines=["1"]).refused(
            "another fairdeal uses runs/play-a.json"
        )
        games = [line for line in piped("runs")[1].splitlines() if "  play: " in line]
        assert {line.rpartition(" · ")[2] for line in games} == {"at work", "complete"}
        others.submit(held.__exit__, None, None, None).result()
    listed = piped("runs")[1]
    assert "1 game · interrupted" in listed
    record = read_log(Path("runs/play-b.json")).record
    assert record is not None
    end = "won" if record["winner"] == 0 else "lost"
    assert listed.count(f"            You {end}.\n") == 1
    Path("runs/play-a.json").rename("runs/my evening.json")
    assert "my evening.json" in piped("runs")[1]
    (Path("runs") / "play-c.json").write_text("{}")
    assert "play-c.json is not a game" in piped("runs")[1]


def test_undo_has_the_same_luck(piped: Piped) -> None:
    """Whoever goes back and decides as before meets the same game, a searching opponent's too."""
    game = [*GAME, "--player", "search:4"]
    piped(*game, "--out", "straight.json", lines=FIRST)
    wavering = ["1", "undo", "1", "1", "undo", "undo", "1", "1"] * 4
    piped(*game, "--out", "wavering.json", lines=[*wavering, *FIRST])
    straight, other = (read_log(Path(f"{name}.json")) for name in ("straight", "wavering"))
    assert straight.record == other.record
    assert straight.decisions == other.decisions
    assert (straight.taken_back, other.taken_back > 10) == (0, True)


def test_a_finished_game_can_be_taken_back(piped: Piped) -> None:
    """After the end, undo leads to the last decision, and the file is that of a game going on."""
    _, out, _ = piped(*GAME, "--out", "game.json", lines=[*FIRST[:60], "undo", "quit"])
    assert "The game is over. 'undo' goes back" in out
    log = read_log(Path("game.json"))
    assert log.record is None
    assert "To go on, and to have it told so far:\n  fairdeal play game.json" in out
    assert "Here the game was left." in piped("replay", "game.json")[1]


def test_a_game_that_goes_on_is_told_as_the_person_sees_it(piped: Piped) -> None:
    """R4: replay shows no hidden card before the end, and in JSON has no record."""
    piped(*GAME, "--out", "game.json", lines=["1", "quit"])
    told = piped("replay", "game.json")[1]
    assert "You were dealt" in told
    assert not re.search(r"[Pp]layer \d|opponent was dealt", told)
    answer = json.loads(piped("replay", "game.json", "--json")[1])
    assert answer["record"] is None
    assert answer["lines"][0].endswith(" start.") or answer["lines"][0].endswith(" starts.")


def test_hints_and_thoughts(piped: Piped) -> None:
    """A hint rates each option; thoughts are of the last choices of the other one, none hidden."""
    lines = ["hint", "thoughts", "1", "thoughts", "1", "1", "thoughts", "quit"]
    _, out, _ = piped(*GAME, lines=lines)
    assert re.search(r"^expert would choose \d, play .*\.\nChance of winning", out, re.MULTILINE)
    assert len(re.findall(r"^ +\d+%  +\d  play ", out, re.MULTILINE)) == 5
    assert "Nobody else has decided anything yet." in out
    assert re.search(r"^Turn \d\. The opponent chooses an action: play [A-Z]", out, re.MULTILINE)
    assert "options with 4 cards that you cannot see" in out
    out = piped(*GAME, "--player", "random", lines=["1", "thoughts", "quit"])[1]
    assert "random rates no options here." in out


def test_thoughts_are_there_after_going_back(piped: Piped) -> None:
    """What the opponent thought is the same before and after undo, and in a game that goes on."""
    out = piped(*GAME, "--out", "game.json", lines=["1", "1", "thoughts", "1", "undo", "thoughts"])[
        1
    ]
    out += piped("play", "game.json", lines=["thoughts"])[1]
    found = re.findall(r"> thoughts\n(.*?)(?=^>|^End of input)", out, re.MULTILINE | re.DOTALL)
    assert len(found) == 3
    assert found[0] == found[1] == found[2]
    assert "%" in found[0]


def test_a_card_of_ones_own_is_met_at_once(piped: Piped) -> None:
    """--start-with finds the first deal with it in the hand, and the file says so."""
    Path("mine.toml").write_text(
        'name = "Mine"\n[marsh_lantern]\nname = "Marsh Lantern"\npower = 5\nplay = "gain 1 life"\n'
    )
    game = ["play", "first_contact+mine.toml", "--seed", "3", "--start-with"]
    _, out, _ = piped(*game, "marsh lantern", "--out", "game.json", lines=["table", "quit"])
    assert "the first deal with Marsh Lantern in your hand" in " ".join(out.split())
    assert re.search(r"^    hand +Marsh Lantern – power 5. Play: Gain 1 life.", out, re.MULTILINE)
    assert read_log(Path("game.json")).start_with == "Marsh Lantern in your hand"
    Path("mine.toml").unlink()  # the file of the game has its cards
    assert "hand          Marsh Lantern" in piped("play", "game.json", lines=["table"])[1]
    Path("mine.toml").write_text('name = "Mine"\n[a]\nname = "A"\npower = 5\n')
    status, _, err = piped(*game, "marsh lantarn")
    assert status == 2
    assert err.startswith("fairdeal: --start-with: there is no card 'marsh lantarn'")


@pytest.mark.parametrize(
    ("typed_line", "answer"),
    [
        ("9", "There is no option 9. Type a number from 1 to 5 or one of: hint,"),
        ("0", "There is no option 0."),
        ("99999999999999999999", "There is no option 999999999."),
        ("-1", "'-1' is not a command."),
        ("hnt", "'hnt' is not a command; did you mean hint? Type a number"),
        ("play rhino turtel", "is not a command; did you mean "),
        ("quit now", "'quit now' is not a command; did you mean quit?"),
        ("card", "Name a card."),
        ("card kiler bee", "There is no card 'kiler bee' in this pool; did you mean 'Killer Bee'?"),
        ("card Killer Bee", "power 5, HUNTER, 2 copies"),
        ("undo", "There is no decision of yours to go back to."),
        ("help", "luck falls the same way again"),
        ("?", "The number of an option chooses it"),
        ("", "You choose an action:"),
        ("\x1b[2J\x07 {0} %s", "is not a command."),
        ("²", "'²' is not a command."),
        ("x" * 100_000, "is not a command."),
    ],
)
def test_whatever_is_typed_gets_an_answer(typed_line: str, answer: str, piped: Piped) -> None:
    """One clear message with what is allowed and the nearest word; nothing typed reaches the
    terminal as it is."""
    _, out, err = piped(*GAME, lines=[typed_line, "quit"]).done()
    assert err == ""
    assert answer in " ".join(out.replace("\n", " ").split())
    assert "\x1b" not in out
    assert out.count("The game is kept.") == 1


def test_nonsense_never_ends_in_a_traceback(piped: Piped) -> None:
    """Bytes that are no text, and words by the hundred."""
    words = ["undo", "hint", "card é", "thoughts", "table", "\udcff", "\0", "1", "3", "help x", "١"]
    status, _, err = piped(*GAME, lines=[*words * 6, "quit"])
    assert (status, err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["first_contact", "--player", "expart"],
            "--player: unknown policy 'expart'; did you mean",
        ),
        (["first_contact", "--seat", "2"], "Invalid value for --seat: 2 is not between 0 and 1"),
        (["first_contact", "--start-with", "all"], "stands for every card; name one"),
        (["first_contakt"], "did you mean 'first_contact'?"),
        ([], "name "),
        (["game.json"], "game.json is not a game of 'fairdeal play'"),
        (["game.json", "--seed", "3"], "goes on as it began; leave --seed out"),
        (["game.json", "first_contact"], "game.json is a game; leave 'first_contact' out"),
        (["gone.json"], "there is no file gone.json"),
        (["game.json", "--life", "4"], "goes on as it began; leave --life out"),
        (["first_contact", "--out", "x.txt"], "the file of a game ends in .json, as in x.json"),
        (["first_contact", "--out", "game.json"], "game.json is there already"),
        (["first_contact", "--out", "game.json/x.json"], "game.json"),
    ],
)
def test_what_cannot_be_played(arguments: list[str], message: str, piped: Piped) -> None:
    """One message, status 2, and nothing is written."""
    Path("game.json").write_text("{}")
    piped("play", *arguments).refused_at_once(message)


def test_a_file_that_is_damaged_or_of_another_version(piped: Piped) -> None:
    """It is refused with one message, by play and replay; no wrong end is told as the right."""
    piped(*GAME, "--out", "game.json", lines=FIRST)
    file = Path("game.json")
    entries = json.loads(file.read_bytes())
    data = file.read_bytes()
    file.write_bytes(data.replace(b'"seed": 7', b'"seed": 8'))
    for command in ("play", "replay"):
        piped(command, "game.json").refused(
            "game.json is damaged: its contents do not match its checksum"
        )
    changes: tuple[tuple[str, object, str], ...] = (
        ("seed", 8, "played by another version of the engine"),
        ("decisions", [[0, 77]], "played by another version of the engine"),
        ("person", "0", "game.json is damaged: person"),
        ("rules_version", 1, "played by version 1 of the rules"),
        ("game", "chess", "there is no game 'chess'"),
        ("files", {"pool.toml": "x"}, "game.json cannot be dealt again"),
        ("files", {"cards/../../away.toml": "x"}, "away.toml' is no file of a pool"),
        ("asked", {}, "game.json cannot be dealt again"),
        ("players", ["expart"], "unknown policy 'expart'"),
    )
    for name, value, message in changes:
        changed = {**entries, name: value}
        del changed["checksum"]
        file.write_bytes(seal_json(changed))
        for command in ("replay", "play")[name == "players" :]:
            status, _, err = piped(command, "game.json", lines=["quit"])
            assert status == 2, name
            assert message in err, name
            assert err.count("\n") == 1


def test_hostile_names_are_refused_or_inert(piped: Piped) -> None:
    """A name that would move the cursor is no name; one with braces and marks is only text."""
    card = 'name = "Mine"\n[mine]\nname = "{}"\npower = 5\nplay = "gain 1 life"\n'
    game = ["play", "first_contact+mine.toml", "--seed", "3", "--start-with", "mine"]
    Path("mine.toml").write_text(card.format("Evil\\u001b[31m"))
    status, _, err = piped(*game)
    assert status == 2
    assert "\x1b" not in err
    Path("mine.toml").write_text(card.format("{slot} %s player 0 [b]draws[/b]"))
    out = piped(*game, lines=["1", "2", "3", "table", "hint", "thoughts"]).done().out
    assert "play {slot} %s " in out


def test_a_player_of_ones_own(piped: Piped) -> None:
    """A function plays where it is named; a file is played on with it only if it is named again."""
    Path("mine.py").write_text(
        "print('loaded')\ndef last(view):\n    return len(view.options) - 1\n"
    )
    game = [*GAME, "--player", "mine.py:last", "--out", "game.json"]
    out = piped(*game, lines=["1", "1", "thoughts", "quit"]).done().out
    assert "mine.py:last rates no options here." in out
    for name in list(own_code._used):
        del own_code._used[name]
    status, out, err = piped("play", "game.json")
    assert (status, out) == (2, "")
    assert "code of somebody's own: read it, then add --player mine.py:last" in err
    assert "loaded" not in "".join(piped("replay", "game.json")[1:])
    status, _, err = piped("play", "game.json", "--player", "mine.py:last", lines=["1"])
    assert (status, "loaded\n" in err) == (0, True)
    assert (
        "goes on with mine.py:last; leave --player"
        in piped("play", "game.json", "--player", "expert")[2]
    )


def test_bytes_that_are_no_text() -> None:
    """A process that is sent them refuses them, and ends at the end of its input."""
    command = "from reports.cli.start import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, *GAME],
        input=b"\xff\xfe\n\x00\n1\n",
        capture_output=True,
        check=True,
    )
    assert b"'\\xff\\xfe' is not a command" in done.stdout
    assert done.stderr == b""
    assert len(read_log(next(Path("runs").glob("*.json"))).decisions) > 0


def test_the_game_is_kept_when_it_is_interrupted(tmp_path: Path) -> None:
    """Ctrl-C at a prompt: status 130, one line, and the file has all decisions."""
    master, slave = pty.openpty()
    command = "import sys; from reports.cli.start import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", command, *GAME, "--out", str(tmp_path / "game.json")],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    ) as process:
        os.close(slave)
        seen = b""
        for line in (b"1\n", b"1\n", b"\x03"):
            while not seen.endswith(b"> "):
                seen += os.read(master, 4096)
            os.write(master, line)
            seen += b"\n"
        for more in _rest(master):
            seen += more
        assert process.wait(20) == 130
    assert b"interrupted: the game is kept; fairdeal play" in seen
    assert b"Traceback" not in seen
    log = read_log(tmp_path / "game.json")
    assert [option for who, option in log.decisions if who == 0] == [0, 0]


def _rest(master: int) -> Iterator[bytes]:
    """What a terminal still shows until it is closed, to somebody who interrupts again if need be.

    Python may get an interrupt between showing a prompt and waiting for the answer, and then sees
    it only with the next key.
    """
    while True:
        if not select.select([master], [], [], 10)[0]:
            os.write(master, b"\x03")
            continue
        try:
            yield os.read(master, 4096)
        except OSError:
            return
