"""The studio's server: what a browser can ask, and how the server starts and ends."""

import ctypes
import io
import json
import logging
import socket
import sys
import zipfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from attrs import evolve, frozen
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route

from card_data.faults import CardFileError, Fault
from card_data.toml_editor import NotEditable, with_tables
from card_data.toml_files import Unreadable
from reports.cli.console import InputError
from reports.cli.games import game_named
from reports.games import reports_of
from reports.kit.page import page_template
from reports.kit.theme import TYPEFACE
from reports.studio import history, results, tables, trial_views, views
from reports.studio.bench import Bench, Choice
from reports.studio.charts import export_of, page_of
from reports.studio.complete import options_in_field, options_in_text, options_of_names
from reports.studio.editing import Sheet
from reports.studio.form import Forms
from reports.studio.form_views import form_part, grid_part, steps_of
from reports.studio.git_commit import top_of
from reports.studio.guard import (
    FILE_POLICY,
    FRAME_POLICY,
    MOST_CONNECTIONS,
    RUN_POLICY,
    SHARE_POLICY,
    Guard,
    NewAddress,
    Once,
    Secrets,
    TooMuchError,
    few_connections,
)
from reports.studio.project import RULES, RUNS, ChangedError, Project, Text
from reports.studio.results import said_by
from reports.studio.said import text_of as _text
from reports.studio.said import value_of as _value
from reports.studio.table.table import Table
from reports.studio.work import (
    ANSWER,
    MORE,
    PAGE,
    PLAY,
    VERDICT,
    WORKING,
    Asked,
    Desk,
    Work,
    place_of,
    watched_results,
)
from simcore.contract.loops import LoopWatch
from simcore.places import RunError

_TEMPLATES = Path(__file__).parents[1] / "templates"
_STATIC = {
    "page.css": "text/css",
    "studio.css": "text/css",
    "studio.js": "text/javascript",
    "studio_complete.js": "text/javascript",
    "studio_parts.js": "text/javascript",
    "studio_form.js": "text/javascript",
    "studio_tables.js": "text/javascript",
    "studio_trials.js": "text/javascript",
    "studio_games.js": "text/javascript",
    "studio_table.css": "text/css",
    "studio_table.js": "text/javascript",
    TYPEFACE.name: "font/woff2",
}
_MOST_TIMES = 4**6
# Kinds of entries for each of which there is a button.
_FEW_KINDS = 2
# Options of glibc's mallopt: M_ARENA_MAX, the number of heaps, and M_MMAP_THRESHOLD, the bytes from
# which on a piece of memory lies outside them.
_OF_MEMORY = ((-8, 2), (-3, 256 * 1024))

_Answer = Callable[["Studio", Mapping[str, Any]], dict[str, Any]]


@frozen
class Studio:
    """One studio: its folder, what it works on, and its secrets."""

    project: Project
    desk: Desk
    secrets: Secrets
    #: The file that is shown where the address names none; "" for any.
    first: str = ""

    # ------------------------------------------------------------ what a page asks

    def index(self, request: Request) -> Response:
        """The page; of the file that its address names, if any."""
        benches = self.desk.benches
        files = [(path.name, self.game_of(path)) for path in self.project.files()]
        files += [(one.file, name) for name, one in benches.items() if not one.has_entries]
        known = [name for name, game in files if game]
        wanted = request.query_params.get("file", "")
        likely = () if "start" in request.query_params else (wanted, self.first, *known)
        shown = next((one for one in likely if one in known), "")
        having = (name for name, one in benches.items() if one.has_entries)
        offered = sorted(having, key=lambda name: benches[name].place)
        game = dict(files).get(shown) or offered[0]
        bench = benches[game]
        page = page_template("studio.html").render(
            files=known,
            others=[name for name, game in files if not game],
            shown=shown,
            missing=wanted if wanted and wanted not in known else "",
            game=game,
            games={name: benches[name].title or reports_of(name).title for name in offered},
            folder=str(self.project.folder),
            folder_name=self.project.folder.name,
            examples=[] if shown else _examples(benches),
            new_kinds=_new_kinds(bench) if shown else {},
            rules=[
                one
                for one in self.project.rules()
                if one not in {of.rules for of in benches.values()}
            ],
            bench=bench,
            recipes=_by_section(bench),
            choices=_by_group(bench),
            trials=bench.trials,
            has_commits=top_of(self.project.folder) is not None,
            has_forms=bench.forms is not None,
            tables=self._tables_for(game),
        )
        return HTMLResponse(page)

    def game_of(self, path: Path) -> str:
        """The game that reads a file; "" for none."""
        return next((name for name, one in self.desk.benches.items() if one.is_file(path)), "")

    def _tables_for(self, game: str) -> dict[str, Any] | None:
        """What the page shows of spreadsheets: of this game, else of the first that has some."""
        having = [name for name, one in self.desk.benches.items() if one.tables]
        if not having:
            return None
        of = game if game in having else having[0]
        suffixes = self._tables({"game": of}).suffixes
        files = self.project.files(suffixes)
        return {"game": of, "suffixes": suffixes, "files": files, "saves": of == game}

    def open_game(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Run the rules of a game, whose file a person has read of and confirmed."""
        name = _text(said, "rules")
        self.project.rules_named(name)
        if said.get("confirmed") != name:
            raise InputError(f"{name} is code: confirm that it is to be run")
        game = game_named([name])
        with LoopWatch():
            bench = reports_of(game).studio_of(name) if game else None
        if bench is None:
            raise InputError(f"no game in the studio reads {name}")
        self.desk.open(game, bench)
        return {"file": bench.file}

    def read(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The text of a file."""
        return self._read(_text(said, "file"))._asdict()

    def check(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """What is wrong with a text, and what it says."""
        bench, text = self._bench(said), _text(said, "text")
        file, entry = _text(said, "file"), str(said.get("entry") or "")
        checked = bench.check(text, file)
        known = self._known(file)
        html = views.checked_part(checked, known, str(said.get("order") or ""))
        faces = {one.entry_id: one for one in checked.faces}
        face = faces.get(entry) or (next(iter(faces.values()), None) if entry else None)
        found = known.get(face.entry_id, ()) if face else ()
        steps = steps_of(bench, text, face.entry_id, found) if face else None
        price = None
        if face is not None and face.is_judged and all(one.said != said_by(face) for one in found):
            with suppress(InputError, CardFileError, RunError):
                price = bench.price(text, file, face.entry_id, _chosen(bench, said))
        html += views.card_part(face, steps, found, price)
        if isinstance(wanted := said.get("form"), str):
            html += form_part(bench, text, checked.faults, wanted)
        if said.get("grid"):
            html += grid_part(bench, text, checked.faults)
        return {
            "html": html,
            "faults": [_place(fault) for fault in checked.faults],
            "entries": [[one.entry_id, one.name] for one in checked.faces if one.is_judged],
            "whole": self._bench(said).whole,
        }

    def _known(self, file: str) -> dict[str, list[results.Result]]:
        """What is known of the entries of a file, what is being played just now included."""
        if self._is_rules(file):
            return {}
        known = results.known(self.project.versions(file))
        with self.desk.lock:
            work = self.desk.work
            if work is not None and work.state == WORKING and work.asked.file == file:
                for one in watched_results(work):
                    known.setdefault(one.entry, []).append(one)
        return known

    def format(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The text spelled as the game's formatter spells it."""
        try:
            return {"text": self._bench(said).formatted(_text(said, "text"))}
        except Unreadable as error:
            raise InputError(f"{_text(said, 'file')}: {error}") from None

    def edit(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Change a text as the form asks for."""
        sheet, entry = Sheet(self._forms(said), _text(said, "text")), _text(said, "entry")
        match said.get("change"):
            case "value":
                edited = sheet.with_value(entry, _text(said, "field"), said.get("value"))
            case "step":
                edited = sheet.with_step(entry, _text(said, "field"), said.get("by"))
            case "new":
                edited = sheet.with_new(_text(said, "kind"), _text(said, "name"))
            case "copy":
                edited = sheet.with_copy(entry)
            case "remove":
                edited = sheet.without(entry)
            case "id":
                edited = sheet.renamed(entry, _text(said, "value"))
            case _:
                raise InputError("there is no such change")
        return edited._asdict()

    def complete(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """What can be written at a place of the text, of a field, or of the name of a new entry."""
        forms, before = self._forms(said), _text(said, "before")
        if "kind" in said:
            kind = _text(said, "kind")
            found = options_of_names(forms.kinds[kind], before) if kind in forms.kinds else []
        elif "field" in said:
            where = _text(said, "text"), _text(said, "entry"), _text(said, "field")
            found = options_in_field(forms, *where, before)
        else:
            found = options_in_text(forms, before + _text(said, "behind"), len(before))
        return {"options": [one._asdict() for one in found]}

    def open_table(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Open a spreadsheet as a file beside it."""
        name, sheet, replace = _text(said, "name"), _text(said, "sheet"), bool(said.get("replace"))
        file = tables.opened(self.project, self._tables(said), name, sheet, replace=replace)
        return {"file": file}

    def upload(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Take a spreadsheet into the project."""
        what = _text(said, "name"), _text(said, "sheet"), _text(said, "data")
        replace = bool(said.get("replace"))
        tables.received(self.project, self._tables(said), *what, replace=replace)
        return {}

    def save_table(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Write a spreadsheet beside a file."""
        file, suffix, replace = _text(said, "file"), _text(said, "as"), bool(said.get("replace"))
        name = tables.saved(self.project, self._tables(said), file, suffix, replace=replace)
        return {"name": name}

    def save(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Write a file; that of the rules stays as it is."""
        file, text = _text(said, "file"), _text(said, "text")
        if self._is_rules(file):
            return {"version": self._read(file).version}
        return {"version": self.project.write(file, text, _text(said, "version")).version}

    def example(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Begin a file with an example, or open the one that was begun before."""
        bench, entry = self._bench(said), _text(said, "name")
        found = next((one for one in bench.examples if one.entry == entry), None)
        if found is None:
            raise InputError("there is no such example")
        for name in (f"{entry}.toml", *(f"{entry}_{number}.toml" for number in range(2, 100))):
            path = self.project.folder / self.project.file(name)
            if not path.exists():
                self.project.write(name, found.text, "")
                return {"file": name}
            if self.project.read(name).text == found.text:
                return {"file": name}
        raise InputError(f"there are too many files {entry}_….toml here; take some of them away")

    def new(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Begin a file."""
        name = _text(said, "name").strip()
        name = name if name.endswith(".toml") else f"{name}.toml"
        path = self.project.file(name)
        if path.exists():
            raise InputError(f"{name} is there already; choose it in the list, or another name")
        title = path.stem.replace("_", " ").strip().title()
        text = self._bench(said).template.replace("{name}", title or "Mine")
        self.project.write(name, text, "")
        return {"file": name}

    def play(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Begin what was asked."""
        kind, times = _text(said, "kind"), said.get("times", 1)
        if kind not in (PLAY, PAGE, VERDICT):
            raise InputError("there is no such question")
        if not isinstance(times, int) or not 1 <= times <= _MOST_TIMES:
            raise InputError("that is more than can be asked at once")
        self.desk.begin(self._asked(said), kind, times)
        return {}

    def try_(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Begin an experiment."""
        kind, trials = _text(said, "kind"), self._bench(said).trials
        if kind not in trials:
            raise InputError("there is no such experiment")
        trial, values = trials[kind], said.get("more")
        values = values if isinstance(values, dict) else {}
        more = {one.name: _value(one, values) for one in trial.choices}
        if trial.with_versions:
            more["versions"] = _text(values, "versions")
        if trial.with_version:
            more |= {
                "against": _text(values, "against"),
                "why": history.reason(_text(values, "why")),
            }
        file = _text(said, "file")
        if not self._is_rules(file):
            self.project.keep(file)
        asked = self._asked(said)
        entry = "" if trial.of_pool else asked.entry
        self.desk.begin(evolve(asked, entry=entry, more=more), kind)
        return {}

    def history(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The versions of a file."""
        file = _text(said, "file")
        if self._is_rules(file):
            return {"html": "", "versions": []}
        known = history.known(self.project.versions(file), file)
        return {
            "html": trial_views.history_part(self._bench(said), file, known),
            "versions": trial_views.versions_to_choose(known),
        }

    def commit(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Keep what git has of a file as a version: the one answer for which git is started."""
        file = _text(said, "file")
        history.keep_commit(self.project.versions(file), file, self.project.folder)
        return {}

    def put(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Put entries into a text, which is not saved by that."""
        file, of = _text(said, "file"), _text(said, "of")
        if of != file:
            raise InputError(f"that is a change of {of}; open that file to take it")
        text, entries = _text(said, "text"), _text(said, "entries")
        try:
            return {"text": with_tables(text, entries, self._bench(said).formatted(text))}
        except (CardFileError, Unreadable):
            raise InputError(f"correct what is wrong in {file} first, then take it") from None
        except NotEditable:
            raise InputError(
                f"{file} has this written in a way that cannot be changed here; change it in the"
                " text"
            ) from None

    def describe(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Give a version a name, and say why it is."""
        file, number = _text(said, "file"), _text(said, "number")
        name, why = _text(said, "name"), _text(said, "why")
        history.describe(self.project.versions(file), number, name, why)
        return {}

    def _asked(self, said: Mapping[str, Any]) -> Asked:
        """What is asked of a file as it was saved.  Raises InputError and CardFileError."""
        file, entry, bench = _text(said, "file"), _text(said, "entry"), self._bench(said)
        asked = Asked(_text(said, "game"), file, entry, _chosen(bench, said))
        return self._read_anew(asked)

    def _read_anew(self, asked: Asked) -> Asked:
        """The same of the file as it is now.  Raises InputError and CardFileError."""
        found = self._read(asked.file)
        checked = self.desk.benches[asked.game].check(found.text, asked.file)
        if checked.faults:
            raise CardFileError(checked.faults)
        own = {face.entry_id: said_by(face) for face in checked.faces}
        if asked.entry and asked.entry not in own:
            raise InputError(f"{asked.entry} is not in {asked.file} any more; choose another")
        return evolve(asked, own=own, version=found.version)

    def go_on(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Go on with what was done last, or make it surer."""
        kind = _text(said, "kind")
        work = self.desk.last.get(place_of(kind) if kind else ANSWER)
        if work is None:
            raise InputError("there is nothing to go on with; press Play")
        kind = kind or work.kind
        more = MORE if said.get("surer") else 1
        asked = work.asked
        if kind != PAGE:  # that is written of the games as they are; all else reads the file anew
            asked = self._read_anew(asked)
        self.desk.begin(asked, kind, min(work.times * more, _MOST_TIMES))
        return {}

    def stop(self, _said: Mapping[str, Any]) -> dict[str, Any]:
        """Stop what is being done."""
        self.desk.stop()
        return {}

    def state(self, request: Request) -> Response:
        """What is known now, if it is not what the page has seen; ``game`` is that of the page."""
        desk, game = self.desk, request.query_params.get("game")

        def is_shown(one: Work) -> bool:
            """What is finished of another game is no answer to what stands in the editor."""
            return one.state == WORKING or game in (None, one.asked.game)

        with desk.lock:
            version, work = desk.version, desk.last.get(ANSWER)
            is_working = desk.work is not None and desk.work.state == WORKING
            if request.query_params.get("seen") == str(version) and not is_working:
                return JSONResponse({"version": version, "working": False})
            work = work if work and is_shown(work) else None
            bench = desk.benches[work.asked.game] if work else None
            html = views.answer_part(work, bench)
            tried = {
                kind: trial_views.tried_part(kind, one, desk.benches[one.asked.game])
                if is_shown(one)
                else ""
                for kind, one in desk.last.items()
                if kind != ANSWER
            }
        known = {"version": version, "working": is_working, "html": html, "tried": tried}
        return JSONResponse(known)

    def runs(self, _request: Request) -> Response:
        """The runs of the project."""
        return HTMLResponse(views.runs_part(RUNS, self.desk.benches))

    def page(self, request: Request) -> Response:
        """A page of a run, in a frame that keeps it here."""
        run, name = (request.path_params[part] for part in ("run", "name"))
        try:
            path = self.project.file_of_run(run, name)
        except InputError as error:
            return PlainTextResponse(str(error), 404)
        page = page_template("studio_page.html").render(
            root=request.scope["root_path"],
            src=f"files/{self.secrets.files}/{quote(run)}/{quote(name)}",
            name=path.name,
            run=run,
            export=export_of(run),
        )
        return HTMLResponse(page, headers={"content-security-policy": FRAME_POLICY})

    def file(self, request: Request) -> Response:
        """A file of a run; a page that is opened by itself gets its frame."""
        run, name = (request.path_params[part] for part in ("run", "name"))
        try:
            path = self.project.file_of_run(run, name)
        except InputError as error:
            return PlainTextResponse(str(error), 404)
        is_page = path.suffix == ".html"
        if is_page and request.headers.get("sec-fetch-dest") == "document":
            root = request.scope["root_path"]
            return RedirectResponse(f"{root}/{page_of((run, name))}", 303)
        policy = RUN_POLICY if is_page else FILE_POLICY
        return FileResponse(path, headers={"content-security-policy": policy})

    def share(self, request: Request) -> Response:
        """Where an entry of a file stands, as a picture."""
        game, file, entry = (request.query_params.get(one, "") for one in ("game", "file", "entry"))
        try:
            checked = self._bench({"game": game}).check(self._read(file).text, file)
            known = results.known(self.project.versions(file)).get(entry, ())
        except InputError as error:
            return PlainTextResponse(str(error), 404)
        face = next((one for one in checked.faces if one.entry_id == entry), None)
        found, is_old = results.standing(known, said_by(face)) if face else (None, False)
        if face is None or found is None or is_old:
            return PlainTextResponse("there is no result of this entry as it is; press Play", 404)
        said = {
            "content-disposition": f'inline; filename="{_plain(entry)}.svg"',
            "content-security-policy": SHARE_POLICY,
        }
        picture = views.share_picture(face, found)
        return Response(picture, media_type="image/svg+xml", headers=said)

    def export(self, request: Request) -> Response:
        """The answer of a run, in one file to keep."""
        run = request.path_params["run"]
        try:
            found = self.project.export(run)
        except InputError as error:
            return PlainTextResponse(str(error), 404)
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, path in found.items():
                archive.write(path, f"{run}/{name}")
        said = {"content-disposition": f'attachment; filename="{_plain(run)}.zip"'}
        return Response(data.getvalue(), media_type="application/zip", headers=said)

    def _is_rules(self, file: str) -> bool:
        """Whether a file is that of the rules of an open game which has no entries."""
        return any(one.file == file for one in self.desk.benches.values() if not one.has_entries)

    def _read(self, file: str) -> Text:
        """What a file says that can be shown.  Raises InputError."""
        return self.project.read(file, RULES) if self._is_rules(file) else self.project.read(file)

    def _bench(self, said: Mapping[str, Any]) -> Bench:
        game = _text(said, "game")
        if game not in self.desk.benches:
            raise InputError("there is no such game in the studio")
        return self.desk.benches[game]

    def _forms(self, said: Mapping[str, Any]) -> Forms:
        forms = self._bench(said).forms
        if forms is None:
            raise InputError("files of this game are edited as text")
        return forms

    def _tables(self, said: Mapping[str, Any]) -> tables.Tables:
        found = self._bench(said).tables
        if found is None:
            raise InputError("this game has no spreadsheets")
        return found


def application(studio: Studio) -> Starlette:
    """The studio as an application; a `Guard` stands before it."""

    def static(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _STATIC:
            return PlainTextResponse("there is no such file", 404)
        path = TYPEFACE if name == TYPEFACE.name else _TEMPLATES / name
        return FileResponse(path, media_type=_STATIC[name])

    table = Table(studio.project, studio.desk.benches)
    asked: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
        "open_game": studio.open_game,
        "read": studio.read,
        "check": studio.check,
        "edit": studio.edit,
        "format": studio.format,
        "complete": studio.complete,
        "open_table": studio.open_table,
        "upload": studio.upload,
        "save_table": studio.save_table,
        "save": studio.save,
        "new": studio.new,
        "example": studio.example,
        "play": studio.play,
        "go_on": studio.go_on,
        "stop": studio.stop,
        "try": studio.try_,
        "history": studio.history,
        "commit": studio.commit,
        "describe": studio.describe,
        **table.asked,
        "put": studio.put,
    }
    key = studio.secrets.files
    return Starlette(
        routes=[
            Route("/", studio.index),
            Route("/static/{name}", static),
            Route("/state", studio.state),
            Route("/runs", studio.runs),
            Route("/table", table.page),
            Route("/games", table.games),
            Route("/doing", table.what_it_does),
            Route(f"/files/{key}/{{run}}/{{name:path}}", studio.file),
            Route("/page/{run}/{name:path}", studio.page),
            Route("/export/{run}.zip", studio.export),
            Route("/share.svg", studio.share),
            *(Route(f"/{name}", _answering(do), methods=["POST"]) for name, do in asked.items()),
        ]
    )


def _answering(
    do: Callable[[Mapping[str, Any]], dict[str, Any]],
) -> Callable[[Request], Awaitable[Response]]:
    """Answer what was asked as JSON; what a person can do wrong ends in a message."""

    async def answer(request: Request) -> Response:
        try:
            said = json.loads(await request.body())
            if not isinstance(said, dict):
                raise ValueError
        except TooMuchError:
            return JSONResponse({"trouble": "that is too much at once"}, 413)
        except ClientDisconnect:
            return Response(status_code=400)  # which nobody sees any more
        except (ValueError, RecursionError):
            return JSONResponse({"trouble": "the page sent something that cannot be read"}, 400)
        try:
            return JSONResponse(await run_in_threadpool(do, said))
        except ChangedError as error:
            return JSONResponse({"trouble": str(error), "changed": True}, 409)
        except (InputError, CardFileError, RunError) as error:
            return JSONResponse({"trouble": str(error)}, 422)

    return answer


def serve(
    folder: Path,
    benches: Mapping[str, Bench],
    port: int,
    opened: Callable[[NewAddress], None],
    first: str = "",
) -> None:
    """Serve the studio of a folder until Ctrl-C; ``opened`` is told what makes its addresses.

    ``port`` 0 is any that is free, ``first`` the file that is shown first.  Raises InputError for
    a port that is taken.
    """
    import uvicorn

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", port))
            listening.listen()  # whoever is quick with the address waits, and is not refused
        except OSError as error:
            raise InputError(
                f"port {port} of this machine cannot be used: {error.strerror}; name another with"
                " --port, or leave it out"
            ) from None
        studio = Studio(Project(folder), Desk(benches), Secrets(), first)
        guard = Guard(application(studio), studio.secrets, listening.getsockname()[1])
        config = uvicorn.Config(
            guard,
            http=few_connections(),
            backlog=MOST_CONNECTIONS,
            log_level="error",
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=2,
        )
        logging.getLogger("asyncio").addFilter(Once())
        _give_memory_back()
        opened(guard.new_address)
        try:
            with suppress(KeyboardInterrupt):
                uvicorn.Server(config).run(sockets=[listening])
        finally:
            studio.desk.stop(wait=True)


def _give_memory_back() -> None:
    """Let the C library give back to the system what work that has ended had.

    glibc would keep some MB more after every piece of work, for as long as the studio runs: holes
    in a heap of each thread.  So there are two heaps, and arrays lie outside them.  Other C
    libraries do without this.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        for option, value in _OF_MEMORY:
            mallopt(option, value)


def _chosen(bench: Bench, said: Mapping[str, Any]) -> dict[str, str]:
    """What is chosen on the page, the usual where nothing is.  Raises InputError."""
    chosen = said.get("chosen")
    values = chosen if isinstance(chosen, dict) else {}
    return {one.name: _value(one, values) for one in bench.choices()}


def _examples(benches: Mapping[str, Bench]) -> list[dict[str, Any]]:
    """The examples of all games, each with its card."""
    return [
        {
            "game": game,
            "name": one.entry,
            "title": one.title,
            "says": one.says,
            "face": views.printed(face),
        }
        for game, bench in sorted(benches.items(), key=lambda of: of[1].place)
        for one in bench.examples
        for face in bench.check(one.text, f"{one.entry}.toml").faces
        if face.entry_id == one.entry
    ]


def _new_kinds(bench: Bench) -> dict[str, str]:
    """The kinds of entries that a button makes a new one of, where they are few."""
    kinds = {} if bench.forms is None else bench.forms.kinds
    return {word: one.title for word, one in kinds.items()} if len(kinds) <= _FEW_KINDS else {}


def _by_section(bench: Bench) -> list[tuple[str, list[Any]]]:
    """Examples by their section."""
    sections: dict[str, list[Any]] = {}
    for recipe in bench.recipes():
        sections.setdefault(recipe.section, []).append(recipe)
    return [*sections.items()]


def _by_group(bench: Bench) -> dict[str, list[Choice]]:
    """What can be chosen by the group that it lies in, those in sight first."""
    groups: dict[str, list[Choice]] = {"": []}
    for choice in bench.choices():
        groups.setdefault(choice.group, []).append(choice)
    return groups


def _place(fault: Fault) -> dict[str, Any]:
    """Where a fault is, for the editor."""
    return {
        "line": fault.line,
        "column": fault.column,
        "found": fault.found,
        "nearest": fault.nearest,
    }


def _plain(name: str) -> str:
    return "".join(
        char if char.isascii() and (char.isalnum() or char in "-_+") else "_" for char in name
    )
