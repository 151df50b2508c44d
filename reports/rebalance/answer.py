"""What `fairdeal rebalance` asks and answers, of any game."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from reports.cli.console import as_input_error, print_findings, resumable, waiting

if TYPE_CHECKING:
    from analysis.questions.rebalance import Answer as Found
    from analysis.questions.rebalance import FrontSoFar, Question
    from reports.cli.compute import Crew
    from reports.kit.words import Finding
    from simcore.work.about import Question as AskedFolder

PAGE = "rebalance.html"


@frozen
class Answer:
    """What was found, in words and as commands that play it, and the page."""

    found: "Found"
    findings: "Sequence[Finding]"
    to_play: Sequence[str]
    page: Path


def find_out(
    balanced: "Question",
    question: "AskedFolder",
    crew: "Crew",
    out: Path | None,
    see: "Callable[[FrontSoFar], None] | None",
    tell: "Callable[[Found, Path], tuple[Sequence[Finding], Sequence[str]]]",
) -> Answer:
    """Play what is missing of the search, and let ``tell`` write the page into the folder.

    It returns the findings and the commands that play the proposal.  ``see`` is shown the front
    while the search goes on, as `rebalance` does.  Raises InputError and RunError.
    """
    from analysis.questions.rebalance import rebalance
    from reports.rebalance.text import headline
    from simcore.work.about import working_on

    with working_on(question, out) as work:
        with as_input_error(), resumable("games played so far stay", work.folder):
            found = rebalance(
                balanced,
                work.folder,
                watch=crew.watch,
                solving=lambda: waiting("choosing changes"),
                see=see,
                threads=crew.threads,
                executor=crew.executor,
            )
        with waiting("drawing the charts"):
            findings, to_play = tell(found, work.folder)
        work.finish(headline(found.manifest, found.tables["changes"]), PAGE)
    return Answer(found, findings, to_play, work.folder / PAGE)


def print_answer(asked: str, answer: Answer, proposal: str) -> None:
    """Print what was asked and found, and where it is.

    ``proposal`` is the name of the file that is proposed, "" without one.
    """
    folder = answer.page.parent
    print(asked)
    print_findings(answer.findings)
    if answer.to_play:
        print("\nto play it:")
        for line in answer.to_play:
            print(f"  {line}")
    print(f"\nreport: {answer.page}")
    if proposal:
        print(f"proposal: {folder / proposal}")
    print(f"tables: {folder / 'tables'}\ncharts: {folder / 'figures'}")
