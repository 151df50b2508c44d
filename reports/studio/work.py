"""The long work of the studio: one thing at a time, in a thread, which can be stopped."""

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, field, frozen

from reports.cli.console import InputError, heard_by
from reports.studio.bench import Bench, Chart, Chosen, Stage, Tried
from reports.studio.history import place
from reports.studio.measure import Measure, Seen
from reports.studio.results import Result, keep, result_of, said_by
from simcore.places import RunError

if TYPE_CHECKING:
    from reports.verdict.studio import TriedChange
    from reports.verdict.words import Words

#: What is asked: the games of the card or the pool, the page of these games, or the whole verdict.
PLAY, PAGE, VERDICT = "play", "page", "verdict"
#: What the page of a verdict is called; that of the games has its name from the bench.
WHOLE = "The whole verdict"
#: Where the answers to these questions stand; that of each trial has a place of its own.
ANSWER = "answer"
WORKING, DONE, STOPPED, FAILED = "working", "done", "stopped", "failed"
#: How many times more games are played where more precision is asked for.
MORE = 4
# Lines that are kept of what the steps say, and games that are played at most.
_MOST_SAID, _MOST_GAMES = 6, 20_000_000


class Stopped(KeyboardInterrupt):
    """Somebody has pressed Stop."""


@frozen
class Asked:
    """What somebody asked: of a file, an entry in it or "" for all that is played, and how."""

    game: str
    file: str
    entry: str
    chosen: Chosen
    #: The entries of the file, with what each says.
    own: Mapping[str, str] = Factory(dict)
    #: What was said of a trial besides.
    more: Chosen = Factory(dict)
    #: The fingerprint of the contents of the file: of other contents something else is asked.
    version: str = ""


@define
class Games:
    """The games of a stage: what each look showed, and the folder they are in.

    ``before`` is what looks had shown when the games were stopped; it is shown until those that are
    read again and played now show more.
    """

    stage: Stage
    before: Sequence[Seen] = ()
    looks: list[Seen] = Factory(list)
    folder: Path | None = None
    is_done: bool = False

    @property
    def last(self) -> Seen | None:
        """What is known now."""
        return self.shown[-1] if self.shown else None

    @property
    def sentence(self) -> str:
        """The answer, as far as there is one."""
        return "" if self.last is None else self.stage.measure.words(self.last.rows)

    @property
    def shown(self) -> Sequence[Seen]:
        """The looks that rest on most games."""
        if self.before and (not self.looks or self.looks[-1].games < self.before[-1].games):
            return self.before
        return self.looks


@define(eq=False)
class Work:
    """What is being done, or was done last; read and written under the lock of `Desk`."""

    asked: Asked
    kind: str
    times: int = 1
    state: str = WORKING
    stopping: bool = False
    doing: str = "starting"
    done: int = 0
    total: int = 0
    unit: str = ""
    said: list[str] = Factory(list)
    trouble: str = ""
    played: list[Games] = Factory(list)
    #: Pages that are written, by what they are called: the run and the file in it.
    pages: dict[str, tuple[str, str]] = Factory(dict)
    #: The whole verdict and who played for it, in the place of what the games show.
    sentence: str = ""
    who: str = ""
    #: What else it says first, each with its topic before a colon.
    found: Sequence[str] = ()
    #: The entries of the smallest change that the verdict proposes, as they stand in a file; or "".
    proposal: str = ""
    #: What the verdict says of the parts of an entry: charts by their headings.
    why: Mapping[str, Chart] = Factory(dict)
    #: What the changes that it tried lead to.
    changes: Chart | None = None
    #: Where the entry and its changes stand by the verdict.
    results: Sequence[Result] = ()
    #: What a trial has shown so far.
    tried: Tried | None = None
    step_began: float = field(factory=time.monotonic)

    @property
    def seconds_left(self) -> int | None:
        """About how long the present step still takes; None while nobody knows."""
        spent = time.monotonic() - self.step_began
        if not 0 < self.done < self.total or spent < 1:
            return None
        return round(spent * (self.total - self.done) / self.done)


class Desk:
    """The one piece of long work of this process, for all windows."""

    def __init__(self, benches: Mapping[str, Bench]) -> None:
        self.benches = dict(benches)
        self.lock = threading.Lock()
        self.version = 0
        self.work: Work | None = None
        #: What was done last in each place of the page.
        self.last: dict[str, Work] = {}
        self._thread: threading.Thread | None = None

    def open(self, game: str, bench: Bench) -> None:
        """Take a game in, in the place of one of that name.  Raises InputError during work."""
        with self.lock:
            if self.work is not None and self.work.state == WORKING:
                raise InputError("the studio is at work; stop that first, or wait for it")
            others = {name: one for name, one in self.benches.items() if name != game}
            self.benches.clear()
            self.benches |= {game: bench, **others}  # which may read its files as well

    def begin(self, asked: Asked, kind: str, times: int = 1) -> None:
        """Begin work.  Raises InputError while other work is being done."""
        with self.lock:
            now = self.work
            if now is not None and now.state == WORKING:
                raise InputError(
                    f"the studio is at work on {now.asked.file} already, perhaps for another"
                    " window; stop that first, or wait for it"
                )
            place = place_of(kind)
            before = self.last.get(place)
            self.work = self.last[place] = work = Work(asked, kind, times)
            if before is not None and before.asked == asked:
                work.tried = before.tried
                work.pages = dict(before.pages)
                work.played = before.played
                if kind != PLAY:
                    work.sentence, work.who = before.sentence, before.who
                    work.found, work.why = before.found, before.why
                    work.proposal, work.changes = before.proposal, before.changes
                    work.results = before.results
            self.version += 1
            self._thread = threading.Thread(target=self._run, args=(work,), name="studio's work")
            self._thread.start()

    def stop(self, *, wait: bool = False) -> None:
        """Stop what is being done; what is finished of it is kept."""
        with self.lock:
            if self.work is not None and self.work.state == WORKING:
                self.work.stopping = True
                self.version += 1
            thread = self._thread
        if wait and thread is not None:
            thread.join()

    def _run(self, work: Work) -> None:
        """Do the work, whatever comes of it."""
        state, trouble = DONE, ""
        try:
            with heard_by(_Ear(self, work)):
                doers = {PLAY: self._play, PAGE: self._page, VERDICT: self._verdict}
                doers.get(work.kind, self._try)(work)
        except KeyboardInterrupt:
            state = STOPPED
        except Exception as error:  # noqa: BLE001 - told on the page, and the studio goes on
            state, trouble = FAILED, _told(error)
        if work.asked.own and (found := [*watched_results(work), *work.results]):
            try:
                keep(place(work.asked.file), found)
            except RunError as error:
                trouble = trouble or str(error)
        self.tell(work, state=state, trouble=trouble)

    def tell(self, of: Work | Games, **changes: Any) -> None:
        """Change what windows see.  Raises Stopped where somebody has pressed Stop."""
        with self.lock:
            for name, value in changes.items():
                setattr(of, name, value)
            self.version += 1
            stopping = self.work is not None and self.work.stopping and self.work.state == WORKING
        if stopping:
            raise Stopped

    # ------------------------------------------------------------ what is done

    def _play(self, work: Work) -> None:
        """Play the games of each stage, weakest players first."""
        asked = work.asked
        bench = self.benches[asked.game]
        stages = bench.stages(Path(asked.file), asked.entry, asked.chosen)
        shown = {games.stage.player: games.shown for games in work.played}
        played = [Games(stage, shown.get(stage.player, ())) for stage in stages]
        self.tell(work, played=played)
        for games in played:
            times = work.times if games is played[-1] else 1
            most = min(games.stage.games * times, _MOST_GAMES)
            games.stage.play(asked.game, most, _Eye(self, games))
            self.tell(games, is_done=True)

    def _page(self, work: Work) -> None:
        """Analyse the games that were played last, and write their page; then ask the strong."""
        from reports.cli.steps import analyze_run, finding_of
        from simcore.work.lock import holding

        played = (one for one in reversed(work.played) if one.is_done and one.stage.is_run)
        folder = next((one.folder for one in played), None)
        if folder is None:
            raise InputError("there are no games yet; press Play first")
        bench = self.benches[work.asked.game]
        with holding(folder):
            analyze_run(folder, None)
            pages = work.pages | {bench.page: _report(folder)}
        self.tell(work, pages=pages)
        if who := bench.ask_stronger(folder, work.asked.chosen):
            with holding(folder):
                _report(folder)
                topic, _, rest = finding_of(folder).partition(": ")
            said = f"{topic}, {bench.played_by(who)}: {rest}"
            self.tell(work, found=[*(one for one in work.found if one != said), said])

    def _verdict(self, work: Work) -> None:
        """Do what the command verdict does."""
        from reports.verdict.command import find_out
        from reports.verdict.studio import changes_chart, measure_of, tried_changes

        asked = work.asked
        bench = self.benches[asked.game]
        for one in bench.verdicts(Path(asked.file), asked.entry, asked.chosen):
            found = find_out(one)
            words, changes = found.verdict.words, tried_changes(found.verdict)
            measure = measure_of(words)
            results = [*_judged(work, words, measure), *_estimates(work, bench, changes, measure)]
            self.tell(
                work,
                sentence=words.sentence,
                who=found.verdict.played,
                why=bench.why(words.tables),
                changes=changes_chart(changes, measure, words.called(one.case.policy)),
                results=results,
                found=[
                    *(f"{one.topic}: {one.text}" for one in words.findings[:2]),
                    *(f"Games: {said}" for said in words.turned),
                ],
                proposal=found.verdict.proposal or "",
                pages=work.pages | {WHOLE: (found.folder.name, found.page.name)},
            )

    def _try(self, work: Work) -> None:
        """Do a trial."""
        trial = self.benches[work.asked.game].trials[work.kind]
        trial.do(work.asked, lambda tried: self.tell(work, tried=tried))


def _report(folder: Path) -> tuple[str, str]:
    """Write the page of a run: the run, and the file in it."""
    from reports.cli.steps import report_run
    from simcore.work.about import note

    page = report_run(folder)["html"]
    # The finding stays what the answer beside it says: a report judges by another rule.
    note(folder, page=page.name)
    return folder.name, page.name


def watched_results(work: Work) -> list[Result]:
    """Where the entries of the file stand in the games that were watched so far."""
    if not work.played or (seen := work.played[-1].last) is None:
        return []
    stage, own = work.played[-1].stage, work.asked.own
    if stage.measure.band is None:
        return []  # that is of the game, and says nothing of one of them
    more = {"games": seen.games, "player": stage.player}
    rows = [row for _, row in seen.rows.iterrows() if row["entry_id"] in own]
    found = [
        result_of(row, stage.measure, entry=row["entry_id"], said=own[row["entry_id"]], **more)
        for row in rows
    ]
    return [one for one in found if one is not None]


def _judged(work: Work, words: "Words", measure: Measure) -> list[Result]:
    """Where the entry stands by its verdict."""
    row, entry = words.judged, work.asked.entry
    more = {"games": int(row["n_games"]), "player": str(row["policy"])}
    found = result_of(row, measure, entry=entry, said=work.asked.own.get(entry, ""), **more)
    return [] if found is None else [found]


def _estimates(
    work: Work, bench: Bench, changes: "Sequence[TriedChange]", measure: Measure
) -> list[Result]:
    """Where the entry would stand with each change that the verdict has tried."""
    asked, found = work.asked, []
    for row, text in changes:
        faces = bench.check(text, asked.file).faces
        said = next((said_by(one) for one in faces if one.entry_id == asked.entry), None)
        if said is not None:
            more = {"games": int(row["n_games"]), "player": str(row["policy"])}
            label = str(row["change"])
            one = result_of(
                row, measure, entry=asked.entry, said=said, tried=True, change=label, **more
            )
            found += [] if one is None else [one]
    return found


def place_of(kind: str) -> str:
    """Where on the page the answer to a question stands."""
    return ANSWER if kind in (PLAY, PAGE, VERDICT) else kind


@frozen
class _Eye:
    """Sees the games of a stage."""

    desk: Desk
    games: Games

    def begin(self, folder: Path) -> None:
        """Note the folder."""
        self.desk.tell(self.games, folder=folder)

    def see(self, seen: Seen) -> None:
        """Note a look; of several entries the last one alone."""
        before = self.games.looks if len(seen.rows) == 1 else []
        self.desk.tell(self.games, looks=[*before, seen])

    @property
    def headline(self) -> str:
        """What was found in the end."""
        return self.games.sentence


@frozen
class _Ear:
    """Hears what the steps of commands say."""

    desk: Desk
    work: Work

    def say(self, text: str) -> None:
        """Keep the last lines."""
        self.desk.tell(self.work, said=[*self.work.said, text][-_MOST_SAID:])

    def advance(self, doing: str, done: int, total: int, unit: str) -> None:
        """Note how far a step is."""
        work = self.work
        began = work.step_began if doing == work.doing else time.monotonic()
        now = {"doing": doing, "done": done, "total": total, "unit": unit}
        self.desk.tell(work, step_began=began, **now)


def _told(error: Exception) -> str:
    """What went wrong, as the command line tells it."""
    from card_data.faults import CardFileError
    from simcore.games import game, names
    from simcore.places import RunError

    known = (
        InputError,
        RunError,
        CardFileError,
        *(e for name in names() for e in game(name).errors),
    )
    if isinstance(error, known):
        return str(error)
    import traceback

    traceback.print_exception(error)
    return f"something went wrong in fairdeal itself ({error}); the terminal says where"
