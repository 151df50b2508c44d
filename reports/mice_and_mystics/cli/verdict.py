"""The command `balancelab verdict` of Mice & Mystics."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from reports.cli.console import (
    InputError,
    as_input_error,
    print_findings,
    print_json,
    print_wrapped,
    progress,
    resumable,
    waiting,
)
from reports.cli.formats import print_report
from reports.cli.json_answers import found_json
from reports.cli.options import Json, Seed, Threads, check_band, whole
from reports.mice_and_mystics.cli.options import (
    ALL_PARTIES,
    PlayableChapter,
    Switches,
    load_chapter,
    offered_chapters,
    read_players,
)
from reports.mice_and_mystics.cli.questions import chapter_question

if TYPE_CHECKING:
    from analysis.mice_and_mystics.experiments.verdict import Case
    from card_data.mice_and_mystics.facts import Entry

#: The word for no stronger player.
NOBODY = "none"


def verdict(
    entry: Annotated[
        str,
        Parameter(name="ENTRY", help="The id or name of a hero, a minion, a card or an encounter."),
    ],
    /,
    *chapter: Annotated[
        str,
        Parameter(
            name="CHAPTER",
            help="The chapter, with files of your own behind '+' that change or add entries."
            " Default: the first chapter that comes with balancelab in which the entry comes up.",
        ),
    ],
    party: Annotated[
        str | None,
        Parameter(
            help="The heroes, as in 'collin,nez,tilda,filch'. Default: every game draws one of the"
            " legal parties."
        ),
    ] = None,
    switches: Switches = None,
    band: Annotated[
        float,
        Parameter(help="Up to this many percentage points of the win rate are balanced."),
    ] = 2.0,
    policy: Annotated[str, Parameter(help="Who plays first, as for balance.")] = "heuristic",
    stronger: Annotated[
        str,
        Parameter(
            help="A stronger player, who shows by how much the verdict still moves, or 'none'."
        ),
    ] = "learned",
    games: Annotated[
        int,
        Parameter(
            converter=whole(1_000, 100_000_000),
            help="How many games to play of the chapter as it is; all else is in proportion.",
        ),
    ] = 120_000,
    seed: Seed = 0,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The folder of the verdict. Default:"
            " runs/verdict-ENTRY-CHAPTER-PARTY-POLICY-DAY. Run the same command again to resume."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Find whether a hero, card, minion or encounter is too strong, why, and what mends it.

    Plays the chapter, once more with an average one in its place, and with each of its numbers one
    less and one more, in games with the same luck. Says how far the answer holds over players, with
    whom it does more, and in which games it decided.
    """
    from analysis.mice_and_mystics.experiments.verdict import Case, play_case
    from analysis.mice_and_mystics.experiments.verdict_tables import verdict_tables
    from reports.games import reports_of
    from reports.mice_and_mystics.verdict import text
    from reports.mice_and_mystics.verdict.page import write_proposal, write_verdict_page
    from simcore.work.about import working_on

    check_band(band)
    players = read_players(policy)
    if len({*players}) > 1:
        raise InputError(f"--policy is {policy}; name one player, who plays all heroes")
    player = players[0]
    beyond = "" if stronger == NOBODY else _read_stronger(stronger, player)
    played, kind, found = _read_entry(entry, "+".join(chapter), party, switches or ())
    facts, settings = played.played()
    case = Case(facts, settings, kind, found, player, beyond, band / 100, games, seed)
    question = chapter_question(
        *("verdict", [played], (player, *filter(None, [beyond]))),
        of=found.id,
        games=games,
        seed=seed,
        band=band,
    )
    command = ["balancelab", "verdict", found.id, played.said]
    command += [] if party is None else ["--party", party]
    command += [word for one in switches or () for word in ("--set", one)]
    command += ["--band", f"{band:g}", "--policy", player, "--stronger", stronger]
    more = shlex.join([*command, "--games", str(4 * games), "--seed", str(seed)])
    reports_of("mice_and_mystics").compile_engine([player])
    with working_on(question, out) as work:
        folder = work.folder
        with as_input_error(), resumable("finished games stay", folder):
            evidence = play_case(
                case, folder, watch=lambda what: progress(what, "games"), threads=threads
            )
        tables = verdict_tables(evidence)
        proposal = write_proposal(evidence, folder)
        with waiting("measuring the speed"):
            minutes = 4 * _seconds(case, threads) / 60
        play_it = ""
        if proposal is not None:
            again = ["balancelab", "verdict", found.id, f"{played.said}+{proposal}"]
            play_it = f"To play it: {shlex.join(again)}"
        findings = text.findings(tables, text.surer_text(more, minutes), play_it)
        command += ["--games", str(games), "--seed", str(seed)]
        with waiting("drawing the page"):
            page = write_verdict_page(evidence, tables, findings, folder, shlex.join(command))
        sentence = text.sentence(tables)
        work.finish(sentence, page.name)
    if as_json:
        answer = {
            "folder": str(folder),
            "page": str(page),
            "entry": found.id,
            "sentence": sentence,
            "proposal": None if proposal is None else str(proposal),
        }
        print_json(answer | found_json("mice_and_mystics", findings, tables, folder))
        return
    from reports.mice_and_mystics.run_text import describe_run

    print_wrapped([sentence, "", describe_run(evidence.played[player].run.manifest)])
    print_findings(findings)
    print()
    print_report(folder, {"html": page}, tables=True)


def _read_stronger(text: str, player: str) -> str:
    """The stronger player.  Raises InputError where it is the first one."""
    with as_input_error("--stronger"):
        from simcore.mice_and_mystics.players.seats import split_players

        players = split_players(text)
    if len({*players}) > 1:
        raise InputError(f"--stronger is {text}; name one player, who plays all heroes")
    if players[0] == player:
        raise InputError(
            f"--stronger is {text}, who plays first already; name another, or '{NOBODY}'"
        )
    return players[0]


def _read_entry(
    wanted: str, chapter: str, party: str | None, switches: "list[str] | tuple[str, ...]"
) -> "tuple[PlayableChapter, str, Entry]":
    """The chapter, and the kind and entry that is meant.  Raises InputError and CardFileError."""
    from card_data.faults import nearest

    known: dict[str, str] = {}
    for said in [chapter] if chapter else offered_chapters():
        played = load_chapter(said, party or ALL_PARTIES, switches)
        entries = _entries(played)
        for kind, entry in entries:
            if wanted.casefold() in (entry.id, entry.name.casefold()):
                return played, kind, entry
            known |= {entry.id: entry.id, entry.name.casefold(): entry.id}
    guess = nearest(wanted.casefold(), known)
    meant = (
        f"did you mean '{known[guess]}'?"
        if guess
        else "there are " + ", ".join(dict.fromkeys(known.values()))
    )
    where = chapter or "the chapters that come with balancelab"
    raise InputError(f"no hero, minion, card or encounter '{wanted}' comes up in {where}; {meant}")


def _entries(played: PlayableChapter) -> "list[tuple[str, Entry]]":
    """What can come up in a chapter, with its kind."""
    from analysis.mice_and_mystics.experiments.verdict import KINDS
    from card_data.mice_and_mystics.confidence import used_entries

    used = used_entries(*played.played())
    return [(kind, entry) for kind in KINDS for entry in used[kind]]


def _seconds(case: "Case", threads: int | None) -> float:
    """About how long everything takes that a case asks for, measured with a few games of each."""
    import os
    from time import thread_time

    import numpy as np

    from simcore.mice_and_mystics.play.simulate import play_rows
    from simcore.mice_and_mystics.players.seats import seat, split_players
    from simcore.mice_and_mystics.table.compile_facts import compile_facts
    from simcore.mice_and_mystics.table.records import GAME_RECORD

    table, seconds = compile_facts(case.facts, case.settings), 0.0
    for player, games in case.most_games.items():
        few = 10 if player.startswith("search") else 400
        rows = seat(table, split_players(player))
        began = thread_time()
        play_rows(rows, seed=case.seed, first_game=0, out=np.empty(few, GAME_RECORD))
        seconds += (thread_time() - began) * games / few
    return seconds / (threads or os.cpu_count() or 1)
