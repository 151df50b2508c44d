"""What `fairdeal rebalance` answers, of any game."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import frozen

from reports.cli.console import print_findings

if TYPE_CHECKING:
    from reports.kit.words import Finding

Found = TypeVar("Found")


@frozen
class Answer(Generic[Found]):
    """What was found, in words and as commands that play it, and the page."""

    found: Found
    findings: "Sequence[Finding]"
    to_play: Sequence[str]
    page: Path


def print_answer(asked: str, answer: Answer[Any], proposal: str) -> None:
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
