"""The command `balancelab runs`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from reports.cli.console import InputError, print_json
from reports.cli.options import Json


def runs(
    project: Annotated[
        Path, Parameter(name="PROJECT", help="The folder with the folders of runs.")
    ] = Path("runs"),
    /,
    *,
    as_json: Json = False,
) -> None:
    """List everything that was asked in a project folder, the newest first.

    Tells of each run, comparison and experiment what was asked, who played, how far it is, what was
    found first and where its page is. Also writes PROJECT/index.html, which links them all.
    """
    from reports.runs.listing import listed
    from reports.runs.page import write_runs_page
    from reports.runs.text import as_json as told
    from reports.runs.text import lines, summary

    if not project.is_dir():
        problem = "is not a folder" if project.exists() else "does not exist"
        raise InputError(
            f"{project} {problem}; commands put their folders into 'runs', or name another folder"
        )
    found = listed(project)
    page = write_runs_page(found, project)
    if as_json:
        print_json({"project": str(project), "page": str(page), "runs": told(found)})
        return
    for line in lines(found):
        print(line)
    print(f"\n{summary(found, project)}\npage: {page}" if found else summary(found, project))
