"""What a page at the table can ask: sit down, decide, get advice, and have a game told."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import randbelow
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from reports.cli.console import InputError, as_input_error, heard_by
from reports.cli.play import headline, match_of, prepared
from reports.cli.steps import compiling, kernels_of
from reports.kit.page import page_template
from reports.kit.words import display_name
from reports.play.course import Course, course_of
from reports.play.log import GameLog, new_file, read_log, write_log
from reports.play.scene import Moment
from reports.play.sitting import Sitting
from reports.play.told import tell_moments
from reports.studio.bench import Bench
from reports.studio.project import RUNS, Project
from reports.studio.said import text_of, value_of, whole_of
from reports.studio.table.listing import games_part
from reports.studio.table.views import (
    course_part,
    hint_part,
    moment_part,
    sitting_part,
    thoughts_part,
)
from simcore.commands import command
from simcore.own_code import is_own
from simcore.work.about import read_about
from simcore.work.lock import holding_file
from simcore.work.parts import deal_of

_SEEDS, _MOST_SEED = 1_000_000, 2**63 - 1
_DEAL = "Deal"  # what the page calls a seed
_MOST_OPTIONS, _LONGEST = 10_000, 120
#: The log of playtests to which games are added.
PLAYTESTS = "games.xlsx"
# Told games that are kept in memory, since a page asks for one moment after another.
_KEPT = 4

_Said = Mapping[str, Any]
_Told = tuple[str, Sequence[Moment]]


class Table:
    """The table of a project.

    Whatever is played lies in its file: between two requests nothing is kept, so that a reload, a
    second window, or the command in a terminal can go on at any point.
    """

    def __init__(self, project: Project, benches: Mapping[str, Bench]) -> None:
        self._project, self._benches = project, benches
        self._lock = threading.Lock()  # what has to be compiled is compiled once
        self._told: dict[tuple[str, int, int], _Told] = {}
        #: The games that were added to the log since the studio began.
        self._logged = set[str]()
        self.doing = ""

    @property
    def asked(self) -> Mapping[str, Callable[[_Said], dict[str, Any]]]:
        """What can be asked, by name."""
        return {
            "sit_down": self.sit_down,
            "at_table": self.at_table,
            "choose": self.choose,
            "undo": self.undo,
            "hint": self.hint,
            "thoughts": self.thoughts,
            "tell": self.tell,
            "course": self.course,
            "add_to_log": self.add_to_log,
        }

    def page(self, request: Request) -> Response:
        """The page of a game that is played, or told."""
        names = ("play", "run", "number", "turn", "file")
        about = {name: request.query_params.get(name, "") for name in names}
        is_told = bool(about["run"]) or "told" in request.query_params
        page = page_template("studio_table.html").render(**about, is_told=is_told)
        return HTMLResponse(page)

    def games(self, _request: Request) -> Response:
        """The games that can be played on or told."""
        return HTMLResponse(games_part(self._benches))

    def what_it_does(self, _request: Request) -> Response:
        """What takes long at the table just now, if anything does."""
        return JSONResponse({"doing": self.doing})

    # ------------------------------------------------------------ a person plays

    def sit_down(self, said: _Said) -> dict[str, Any]:
        """Begin a game with the cards of a file."""
        game, file, entry = (text_of(said, name) for name in ("game", "file", "entry"))
        bench, seat = self._benches.get(game), text_of(said, "seat")
        if bench is None or seat not in bench.seats:
            raise InputError("there is no such seat in the studio")
        if bench.has_entries or file != bench.file:
            self._project.file(file)
        values = said.get("chosen")
        chosen = {
            one.name: value_of(one, values if isinstance(values, dict) else {})
            for one in bench.choices()
        }
        seed = whole_of(said, "seed", _MOST_SEED) if said.get("seed") else randbelow(_SEEDS)
        with self._at_work():
            with compiling(*kernels_of(game, "play")):
                what, log = bench.sit_down(Path(file), entry, chosen, seat, seed)
            path = new_file(what, log)
            with holding_file(path):
                write_log(log, path)
        return {"play": path.name}

    def at_table(self, said: _Said) -> dict[str, Any]:
        """How a game stands."""
        return self._stands(said, None)

    def choose(self, said: _Said) -> dict[str, Any]:
        """Take an option."""
        option = whole_of(said, "option", _MOST_OPTIONS)
        return self._stands(said, lambda sitting: sitting.choose(option))

    def undo(self, said: _Said) -> dict[str, Any]:
        """Take the last decision of the person back."""
        return self._stands(said, Sitting.undo)

    def hint(self, said: _Said) -> dict[str, Any]:
        """What a strong player would choose."""
        with self._sitting(said) as (sitting, _):
            return {"html": hint_part(sitting.hint())}

    def thoughts(self, said: _Said) -> dict[str, Any]:
        """What the others thought when they last chose."""
        with self._sitting(said) as (sitting, _):
            return {"html": thoughts_part(sitting.thoughts())}

    def _stands(self, said: _Said, act: Callable[[Sitting], None] | None) -> dict[str, Any]:
        """Do something in a game, unless it is not the one that the page showed; how it stands."""
        with self._sitting(said) as (sitting, file):
            is_seen = said.get("at") == _moment_of(sitting.log)
            if act is not None and is_seen:
                act(sitting)
                write_log(sitting.log, file)
            match = sitting.match
            return {
                "html": sitting_part(sitting, match.scene(), PLAYTESTS),
                "at": _moment_of(sitting.log),
                "what": headline(match, _DEAL),
                "over": sitting.question is None,
                "moved_on": act is not None and not is_seen,
            }

    @contextmanager
    def _sitting(self, said: _Said) -> Iterator[tuple[Sitting, Path]]:
        """A game that is kept, with everything that players have decided since.

        Raises InputError and RunError.
        """
        file = self._file(text_of(said, "play"))
        with self._at_work(), holding_file(file):
            log = read_log(file)
            _refuse_own_code(log.players, command("play", file, player=":".join(log.players)))
            sitting = Sitting(prepared(log, file), str(file))
            if sitting.log != log:
                write_log(sitting.log, file)
            yield sitting, file

    def add_to_log(self, said: _Said) -> dict[str, Any]:
        """Add a finished game to the log of playtests in the folder, once."""
        from reports.playtests.played import add_played

        file = self._file(text_of(said, "play"))
        place = self._project.folder / self._project.file(PLAYTESTS, (".xlsx",))
        with self._at_work(), holding_file(file), holding_file(place):
            log = read_log(file)
            if file.name in self._logged:
                raise InputError(f"this game is in {PLAYTESTS} already")
            with compiling(*kernels_of(log.game, "play")):
                match = match_of(log, file)
                tell_moments(match, str(file))  # to its end
                add_played(match, log, place, None)
            self._logged.add(file.name)
        return {"log": PLAYTESTS}

    # ------------------------------------------------------------ a game is told

    def tell(self, said: _Said) -> dict[str, Any]:
        """A moment of a told game: number ``at``, or the first one of a turn."""
        with self._at_work():
            what, moments = self._moments(said)
        last = len(moments) - 1
        if said.get("turn"):
            turn = whole_of(said, "turn", _MOST_SEED)
            at = next((n for n, one in enumerate(moments) if one.turn >= turn), last)
        else:
            at = min(whole_of(said, "at", _MOST_SEED), last)
        html = moment_part(moments[at], at, len(moments))
        return {"html": html, "at": at, "last": last, "what": what}

    def course(self, said: _Said) -> dict[str, Any]:
        """How likely a side was to win at each moment of a told game; nothing without a judge."""
        with self._at_work():
            _, moments = self._moments(said)
            found = self._judged(said, moments)
        return {"html": "" if found is None else course_part(found, moments)}

    def _judged(self, said: _Said, moments: Sequence[Moment]) -> Course | None:
        """The judge's word on a game of a person, or of a run."""
        if said.get("play"):
            file = self._file(text_of(said, "play"))
            log = read_log(file)
            with compiling(*kernels_of(log.game, "play")):
                return match_of(log, file).course(log.decisions)
        from analysis.games import analysis_of
        from analysis.runs import open_run

        run = open_run(self._run(text_of(said, "run")))
        number = whole_of(said, "number", _MOST_SEED)
        taken = [one.move.chosen for one in moments if one.move is not None]
        with compiling(*kernels_of(run.game.name, "play")):
            judge = analysis_of(run.game.name).judge_in(run, number)
            if judge is None:
                return None
            name = self._benches[run.game.name].first_side(run, number)
            return course_of(judge, deal_of(run.manifest, number)[1], taken, name)

    def _moments(self, said: _Said) -> _Told:
        """What is told, and its moments: of a game that a person has played, or of a run."""
        if said.get("play"):
            file = self._file(text_of(said, "play"))
            return self._keep(file, 0, lambda: self._played(file))
        number = whole_of(said, "number", _MOST_SEED)
        folder = self._run(text_of(said, "run"))
        return self._keep(folder, number, lambda: self._of_run(folder, number))

    def _keep(self, path: Path, number: int, tell: Callable[[], _Told]) -> _Told:
        """A told game, which is told again only where its file is another one by now."""
        key = str(path), number, path.stat().st_mtime_ns
        if key not in self._told:
            told = tell()
            while len(self._told) >= _KEPT:
                del self._told[next(iter(self._told))]
            self._told[key] = told
        return self._told[key]

    def _played(self, file: Path) -> _Told:
        """A game that a person has played."""
        log = read_log(file)
        with compiling(*kernels_of(log.game, "replay")):
            match = match_of(log, file)
            return headline(match, _DEAL), tell_moments(match, str(file))

    def _of_run(self, folder: Path, number: int) -> _Told:
        """A game of a run."""
        from analysis.games import analysis_of
        from analysis.runs import open_run

        run = open_run(folder)
        game, policies = run.game.name, run.manifest["policies"]
        bench = self._benches.get(game)
        if bench is None:
            raise InputError(f"{run.game.title} is not played in the studio")
        own = [*dict.fromkeys(filter(is_own, policies))]
        _refuse_own_code(policies, command("replay", folder, number, policy=own))
        analysis_of(game).check_players(run)
        with compiling(*kernels_of(game, "replay")), as_input_error():
            moments = bench.moments(run, number)
        players = bench.in_words(run.game.players_text(policies))
        about = read_about(folder) or read_about(folder.parent)  # the run of a verdict is inside
        what = f"{display_name(about.what, _LONGEST)}, " if about else ""
        return f"Game {number}: {what}{players} · {folder}", moments

    # ------------------------------------------------------------ what is asked about

    def _file(self, name: str) -> Path:
        """The file of a game by its name.  Raises InputError."""
        path = RUNS / name
        if not _is_name(name) or path.suffix != ".json":
            raise InputError("there is no such game")
        if not self._project.inside(path).is_file():
            raise InputError(f"there is no game {name} in this folder any more")
        return path

    def _run(self, name: str) -> Path:
        """The folder of a run by its name, or of one that belongs to a verdict.

        Raises InputError.
        """
        outer, _, inner = name.partition("/")
        self._project.run(outer)
        path = RUNS / outer / inner
        if inner and not (_is_name(inner) and self._project.inside(path).is_dir()):
            raise InputError("there is no such run")
        return path

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """One thing after another; a page is told what takes long."""
        with self._lock, heard_by(_Ear(self)):
            try:
                yield
            finally:
                self.doing = ""


class _Ear:
    """Hears what the steps say that take long at the table."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def say(self, text: str) -> None:
        """What is said last."""
        self._table.doing = text

    def advance(self, doing: str, done: int, total: int, unit: str) -> None:
        """How far a step is that can say it."""
        if total:
            self._table.doing = f"{doing}: {done:,} of {total:,} {unit}".rstrip()


def _moment_of(log: GameLog) -> str:
    """By what a page and the table know that they mean the same moment of a game."""
    return f"{len(log.decisions)}-{log.taken_back}"


def _is_name(name: str) -> bool:
    """Whether a name leads nowhere else."""
    return bool(name) and not name.startswith(".") and not {"/", "\\", "\0"} & {*name}


def _refuse_own_code(players: Sequence[str], again: str) -> None:
    """Raise InputError where somebody's own code plays: the studio runs none, as ``again`` does."""
    if own := [player for player in players if is_own(player)]:
        raise InputError(
            f"{own[0]} is code of somebody's own, which the studio does not run; read it, then use"
            f" '{again}'"
        )
