"""Logs of people's games as people write them: read, or told with cell and remedy."""

from datetime import date, timedelta
from math import isnan
from pathlib import Path

import pytest
from openpyxl import Workbook

from card_data.faults import CardFileError
from card_data.playtest_log import LogTerms, PlaytestLog, log_columns, read_playtests

_DUEL = LogTerms(
    "Duel", 2, {"bee": "Bee", "fly_agaric": "Fly Agaric"}, {"fox": "Fox", "owl": "Owl"}
)

_GERMAN = """Unsere Testspiele 2026;;;;;;;;
;;;;;;;;
Datum;Fassung;Spieler 1;Spieler 2;Beginnt;Sieger;Züge;Dauer (min);Spaß
07.08.2026;1.0;Anna;Jörg;Anna;anna ;18;28,5;4
8. August 2026;1.0;anna ;Jörg;Jörg;0,5;22;1:05;3,5
;;;;;;;;
2026-08-09;1.0;Ben;Jörg;?;;20;35 min;
9.8.26;1.1;Ben;Anna;2;Anna;24;30;2
Summe;;;;;;84;;
"""


@pytest.fixture
def read(tmp_path: Path):
    """Reads the text of a CSV file as a log."""

    def read_text(text: str, terms: LogTerms = LogTerms()) -> PlaytestLog:  # noqa: B008
        (tmp_path / "games.csv").write_text(text, "utf-8")
        return read_playtests(tmp_path / "games.csv", terms)

    return read_text


def _faults(read, text: str, terms: LogTerms = _DUEL) -> str:
    with pytest.raises(CardFileError) as error:
        read(text, terms)
    return str(error.value)


def test_a_german_sheet_with_title_blank_rows_and_sum(read) -> None:
    """Umlauts, a title, blank rows, dates and decimals, a tie as 0,5, a missing winner, a sum."""
    log = read(_GERMAN)
    assert [game.row for game in log.games] == [4, 5, 7, 8]
    days = [date(2026, 8, 7), date(2026, 8, 8), date(2026, 8, 9), date(2026, 8, 9)]
    assert [game.date for game in log.games] == days
    assert [game.scores for game in log.games[:2]] == [(1, 0), (0.5, 0.5)]
    assert all(map(isnan, log.games[2].scores))
    assert [game.first for game in log.games] == [0, 1, -1, 1]
    assert [game.numbers["minutes"] for game in log.games] == [28.5, 65, 35, 30]
    assert log.games[1].numbers["spass"] == 3.5
    assert log.games[1].more == {"Spaß": "3,5"}
    assert log.players == {"anna": "Anna", "jörg": "Jörg", "ben": "Ben"}
    assert log.versions == ["1.0", "1.1"]
    told = " ".join(log.notes)
    assert "'Anna' = 'anna'" in told
    assert "row 9 (Summe) is left out" in told
    assert "kept as they are: Spaß" in told
    assert "1 game without a winner" in told


def test_a_row_for_each_player(read) -> None:
    """Rows of one game are joined, in the order of their seats."""
    log = read(
        "game,player,seat,side,held,began,result,score,turns\n"
        "1,Ann,2,Fox,Bee,no,lost,3,12\n1,Bob,1,owl,,yes,won,5,\n"
        "2,Ann,1,Fox,fly agaric,yes,tie,4,9\n2,Bob,2,Owl,Bee; Fly Agaric,no,0.5,4,9\n",
        _DUEL,
    )
    one, two = log.games
    assert (one.players, one.sides, one.scores) == (("bob", "ann"), (("owl",), ("fox",)), (1, 0))
    assert (one.held, one.points, one.first) == (((), ("bee",)), (5, 3), 0)
    assert one.numbers == {"turns": 12}
    assert two.scores == (0.5, 0.5)
    assert two.held == (("fly_agaric",), ("bee", "fly_agaric"))


def test_who_began_and_the_other(read) -> None:
    """Columns may be named after who began: the first seat is theirs."""
    log = read("began,other,winner,held_began,held_other\nAnn,Bob,Bob,Bee,\n", _DUEL)
    [game] = log.games
    assert (game.players, game.first, game.scores) == (("ann", "bob"), 0, (0, 1))
    assert game.held == (("bee",), ())


@pytest.mark.parametrize(
    ("row", "scores", "first"),
    [
        ("yes,won", (1, 0), 0),
        ("nein,won", (1, 0), 1),
        ("x,0,5", (0, 1), 0),
        ("no,tie", (0.5, 0.5), 1),
    ],
)
def test_a_row_of_one_player_against_somebody(read, row: str, scores, first: int) -> None:
    """Whether I began and won tells what the other got."""
    [game] = read(f"began,result\n{row.partition(',0,5')[0]}{',0' * (',0,5' in row)}\n").games
    assert (game.scores, game.first) == (scores, first)


def test_a_game_that_all_win_or_lose_together(read) -> None:
    """A party is several sides of one seat."""
    terms = LogTerms("Dike", 1, {}, {"ann": "Ann", "bob": "Bob"}, together=True)
    first, second = read('party,result,rounds\n"Ann, Bob",won,4\nBob,verloren,7\n', terms).games
    assert (first.sides, first.scores) == ((("ann", "bob"),), (1,))
    assert second.scores == (0,)


def test_the_winner_follows_from_points(read) -> None:
    """Where nothing says who won, whoever has most points did; that is told."""
    log = read("score 1,score 2,score 3\n3,7,7\n9,2,1\n")
    assert [game.scores for game in log.games] == [(0, 0.5, 0.5), (1, 0, 0)]
    assert "2 games decided by points" in log.notes[0]


def test_all_faults_come_at_once_with_cell_and_remedy(read) -> None:
    """Each fault names its row, column, what was probably meant, or what to do."""
    told = _faults(
        read,
        "date,player 1,player 2,held 1,winner,turns,minutes\n"
        "32.8.2026,Ann,Bob,Bea,Anne,many,30\n2026-08-01,Ann,Ann,Zzz,Ann,0,5\n",
    )
    assert "row 2, column A (date): '32.8.2026' is not a date; write it as in 2026-08-07" in told
    assert "row 2, column D (held_1): Duel has no card 'Bea'; did you mean 'Bee'?" in told
    assert "row 2, column E (winner): 'Anne' won" in told
    assert "did you mean 'Ann'?" in told
    assert "row 2, column F (turns): 'many' is not a number" in told
    assert "row 3, column B (player_1): one player has two seats" in told
    assert "row 3, column F (turns): '0' is not a length" in told
    assert "'Zzz'; correct it, or name the file that has it as well" in told


def test_a_wrong_name_is_told_once(read) -> None:
    """A card that is unknown in a hundred games is one fault."""
    rows = "Qqq,1\n" * 5
    assert _faults(read, f"held 1,winner\n{rows}").count("\n") == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no row names columns of games"),
        ("a,b\n1,2\n", "no row names columns of games"),
        ("winner,turns\n", "there are no games"),
        ("turns,turns,winner\n1,2,1\n", "there are two columns for 'turns'"),
        ("result,turns\nperhaps,3\n", "'perhaps' is not a result; write won, lost or tie"),
        ("game,player,result\n,Ann,won\n", "say which game this player's row is of"),
    ],
)
def test_what_cannot_be_read_is_told(read, text: str, message: str) -> None:
    """Nothing ends in a traceback."""
    assert message in _faults(read, text)


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    """A log is a spreadsheet."""
    with pytest.raises(CardFileError, match=r"ends in \.csv or \.xlsx"):
        read_playtests(tmp_path / "games.txt", LogTerms())


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-08-07 00:00:00", date(2026, 8, 7)),
        ("46241", date(2026, 8, 7)),
        ("Aug 7, 2026", date(2026, 8, 7)),
        ("7. März 2026", date(2026, 3, 7)),
        ("7/8/26", date(2026, 8, 7)),
    ],
)
def test_dates(read, text: str, day: date) -> None:
    """Dates as texts, as numbers of a spreadsheet, in English and German."""
    [game] = read(f'date,winner\n"{text}",1\n').games
    assert game.date == day


def test_the_month_comes_first_where_another_date_shows_it(read) -> None:
    """8/13/2026 tells how 8/7/2026 is meant."""
    log = read("date,winner\n8/7/2026,1\n8/13/2026,2\n")
    assert [game.date for game in log.games] == [date(2026, 8, 7), date(2026, 8, 13)]


def test_a_workbook(tmp_path: Path) -> None:
    """An xlsx file with a merged title, real dates and numbers."""
    book = Workbook()
    sheet = book.active
    sheet.append(["Playtests"])
    sheet.merge_cells("A1:D1")
    sheet.append([])
    sheet.append(["Date", "Winner", "Turns", "Minutes"])
    sheet.append([date(2026, 8, 7), 1, 20, 31.125])
    book.save(tmp_path / "games.xlsx")
    [game] = read_playtests(tmp_path / "games.xlsx", LogTerms()).games
    assert (game.date, game.scores, game.numbers) == (
        *(date(2026, 8, 7), (1, 0)),
        {"turns": 20, "minutes": 31.125},
    )


def test_formulas_without_a_value_and_long_durations(tmp_path: Path) -> None:
    """A program that is no spreadsheet writes formulas without values; a game may take a day."""
    book = Workbook()
    for row in (["Winner", "Turns", "Minutes"], [1, "=2+3", timedelta(hours=25, minutes=5)]):
        book.active.append(row)
    book.save(tmp_path / "games.xlsx")
    with pytest.raises(CardFileError, match=r"formula '=2\+3'; open the file in a spreadsheet"):
        read_playtests(tmp_path / "games.xlsx", LogTerms())
    book.active["B2"] = 5
    book.save(tmp_path / "games.xlsx")
    [game] = read_playtests(tmp_path / "games.xlsx", LogTerms()).games
    assert game.numbers == {"turns": 5, "minutes": 1505}


def test_a_new_log_is_read_with_all_its_columns(read) -> None:
    """Each heading that is written is known when it is read."""
    for terms in (_DUEL, LogTerms("Dike", 1, {}, {"ann": "Ann"}, together=True), LogTerms()):
        columns = log_columns(terms)
        log = read(
            f"{','.join(columns)}\n{','.join('1' if one == 'turns' else '' for one in columns)}"
            f"\n{',' * columns.index('minutes')}9\n",
            terms,
        )
        assert log.notes[:1] != ["kept"]
        assert not any(note.startswith("kept") for note in log.notes)


def test_names_can_be_left_out(read) -> None:
    """Players get letters, also in the remarks."""
    log = read("player 1,player 2,winner,remark\nAnna,Jörg,Anna,jörg was tired\n").without_names()
    assert log.players == {"anna": "Player A", "jörg": "Player B"}
    assert log.games[0].more["remark"] == "Player B was tired"


_POINTS = "Spieler 1;Spieler 2;Punkte 1;Punkte 2;Dauer\n"


@pytest.mark.parametrize(
    ("text", "points"),
    [
        (_POINTS + "Anna;Bob;1.234;987,5;23,5\n", (1234, 987.5)),
        (_POINTS + "Anna;Bob;1.234,5;987;\n", (1234.5, 987)),
        (_POINTS + "Anna;Bob;1.234.567;1.001;\n", (1_234_567, 1001)),
        (_POINTS + "Anna;Bob;1 234;1'001;\n", (1234, 1001)),
        (_POINTS + "Anna;Bob;1.234;1.5;\n", (1.234, 1.5)),
        ('score 1,score 2,turns\n"1,100",990,23.5\n', (1100, 990)),
        ("score 1,score 2,Fun\n0.125,-0.125,4\n", (0.125, -0.125)),
    ],
)
def test_thousands_are_told_from_decimals(read, text: str, points: tuple[float, float]) -> None:
    """Another cell of the file shows which mark stands before decimals."""
    [game] = read(text).games
    assert (game.points, game.scores[0]) == (points, float(points[0] > points[1]))


@pytest.mark.parametrize("heading", ["turns", "minutes", "score 1", "Fun"])
def test_a_number_that_can_be_two_is_told(read, heading: str) -> None:
    """In every column of numbers."""
    told = _faults(read, f'winner,{heading}\n1,"1,234"\n')
    assert "row 2, column B" in told
    assert "'1,234' may be 1234 or 1.234; write 1234 or 1.2340" in told


_SEATS = "player_1,player_2,winner,result_1,result_2\n"
_ROWS = "game,player,result,turns,version,date\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (_SEATS + "Ann,Bob,Ann,lost,won\n", "(result_1): the result is 'lost', and the winner is"),
        (_SEATS + "Ann,Bob,tie,,won\n", "(result_2): the result is 'won', and the winner is 'tie'"),
        (_SEATS + "Ann,Bob,Ann,tie,tie\n", "(result_1): the result is 'tie', and the winner is"),
        (_SEATS + "Ann,Bob,,won,won\n", "the results of this game are 'won', 'won'; write won for"),
        (_SEATS + "Ann,Bob,,lost,lost\n", "the results of this game are 'lost', 'lost'"),
        (_SEATS + "Ann,Bob,,tie,won\n", "the results of this game are 'tie', 'won'"),
        ("result_1,result_2,result_3\nlost,tie,lost\n", "'lost', 'tie', 'lost'; write won for"),
        (
            _ROWS + "1,Ann,won,20\n1,Bob,lost,25\n",
            "(turns): this game has '25' here and '20' in row",
        ),
        (_ROWS + "1,Ann,won,,a\n1,Bob,lost,,b\n", "(version): this game has 'b' here and 'a' in"),
        (
            _ROWS + "1,Ann,,,,2026-08-07\n1,Bob,,,,8.8.2026\n",
            "(date): this game has '8.8.2026' here",
        ),
    ],
)
def test_contradictions_are_told(read, text: str, message: str) -> None:
    """What two cells say of one game must agree."""
    assert message in _faults(read, text, LogTerms())


def test_players_who_win_together_have_one_result(read) -> None:
    """A row for each player of a party says the same of all."""
    told = _faults(read, _ROWS + "1,Ann,won\n1,Bob,lost\n", LogTerms("Dike", 2, together=True))
    assert "the results of this game are 'won', 'lost'; write the same in all" in told


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        (_SEATS + "Ann,Bob,,won,\n", (1, 0)),
        (_SEATS + "Ann,Bob,,,tie\n", (0.5, 0.5)),
        (_SEATS + "Ann,Bob,Bob,lost,won\n", (0, 1)),
        (_SEATS + "Ann,Bob,0.5,tie,tie\n", (0.5, 0.5)),
        ("result_1,result_2,result_3,result_4\nwon,won,lost,lost\n", (1, 1, 0, 0)),
        (_ROWS + "1,Ann,won,20,a,7.8.2026\n1,Bob,lost,20.0,A,2026-08-07\n", (1, 0)),
    ],
)
def test_what_agrees_is_read(read, text: str, scores: tuple[float, ...]) -> None:
    """Of two seats one result is enough; a team may win; one number may be spelled in two ways."""
    assert read(text).games[0].scores == scores


def test_huge_numbers_are_told_or_kept_as_texts(read) -> None:
    """No length is a million, no score a million millions; other columns may hold long marks."""
    told = _faults(read, "winner,turns,score 1\n1,1e308,1e300\n1,1000001,\n")
    assert "(turns): '1e308' is too large a number" in told
    assert "(turns): '1000001' is not a length" in told
    assert "(score_1): '1e300' is too large a number" in told
    [game] = read(f"winner,Code\n1,{'7' * 300}\n").games
    assert (game.numbers, game.more) == ({}, {"Code": "7" * 300})
