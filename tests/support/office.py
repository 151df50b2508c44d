"""LibreOffice as a judge of workbooks."""

import subprocess
from pathlib import Path

import openpyxl
from openpyxl.workbook import Workbook


def computed(path: Path, folder: Path) -> Workbook:
    """A workbook with the values of its formulas, as LibreOffice computes them."""
    home = f"-env:UserInstallation=file://{folder}/office"
    words = ["soffice", home, "--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML"]
    out = folder / "out"
    subprocess.run([*words, "--outdir", str(out), str(path)], check=True, capture_output=True)
    return openpyxl.load_workbook(out / path.name, data_only=True)
