"""Small files that could cost minutes: each is read or refused soon, in little memory, briefly.

``make small_files`` writes each of them, below a megabyte, reads it in a process of its own and
prints a table of what that took.  The exit status is 1 if one took more than it may.
"""

import io
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from attrs import frozen

#: What reading a file may take: seconds of a processor, bytes of memory, bytes of message.
MOST_SECONDS, MOST_MEMORY, MOST_MESSAGE = 5, 1_000_000_000, 100_000
MOST_BYTES = 1_000_000

_HEAD = 'name = "Many"\n'
_COLUMNS = ["card_id", "name", "power", "keywords", "evolves_to", "copies", "play", "constant"]


_PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType='
    '"application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
    '<Override PartName="/xl/sharedStrings.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="{rels}"><Relationship Id="r1"'
    ' Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="{rels}"><Relationship Id="r1"'
    ' Type="{office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2"'
    ' Type="{office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
    '<sheet name="Cards" sheetId="1" r:id="r1"/></sheets></workbook>',
}
_NAMES = {
    "rels": "http://schemas.openxmlformats.org/package/2006/relationships",
    "office": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "main": "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
}


def _xlsx(rows: Iterable[Iterable[str]], more: Iterable[str] = ()) -> bytes:
    """An xlsx file with these rows below the headings, and strings that no cell shows.

    Cells with the same text share one string, as spreadsheet programs write them.
    """
    strings: dict[str, int] = {}
    sheet = io.StringIO()
    sheet.write(f'<worksheet xmlns="{_NAMES["main"]}"><sheetData>')
    for number, row in enumerate([_COLUMNS, *rows], 1):
        sheet.write(f'<row r="{number}">')
        for text in row:
            sheet.write(f'<c t="s"><v>{strings.setdefault(text, len(strings))}</v></c>')
        sheet.write("</row>")
    sheet.write("</sheetData></worksheet>")
    told = "".join(f"<si><t>{text}</t></si>" for text in (*strings, *more))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as parts:
        for name, text in _PARTS.items():
            parts.writestr(name, text.format(**_NAMES))
        parts.writestr("xl/worksheets/sheet1.xml", sheet.getvalue())
        parts.writestr("xl/sharedStrings.xml", f'<sst xmlns="{_NAMES["main"]}">{told}</sst>')
    return out.getvalue()


def _rats(text: str, n_rows: int) -> bytes:
    """An xlsx file with a text as the ability of many cards."""
    return _xlsx([f"rat_{row}", f"Rat {row}", "1", "", "", "1", text] for row in range(n_rows))


def _csv(*rows: str) -> bytes:
    return "\n".join([",".join(_COLUMNS), *rows]).encode()


def _many_lines_csv() -> bytes:
    gap = "\n"
    return _csv(f'c,C,1,,,1,,"{gap.join(["this hsa SNEAKY"] * 50_000)}"')


def _toml(card: Callable[[int], str]) -> bytes:
    """As many cards as there is room for."""
    text, number = [_HEAD], 0
    size = len(_HEAD)
    while True:
        one = card(number)
        size += len(one)
        if size >= MOST_BYTES:
            return "".join(text).encode()
        text.append(one)
        number += 1


def _card(number: int, *lines: str) -> str:
    return "\n".join([f"[c{number}]", f'name="C{number}"', "power=1", *lines, ""])


def _faulty_lines_toml() -> bytes:
    """A thousand cards, all of whose lines are faulty."""
    fields = ("play", "attack", "defeated", "action", "discarded", "end_of_turn", "mindbug_used")
    wrong = [f'{name}="gain 1 life, then the oponent gains 1 lief"' for name in fields]
    hidden = "constant=[" + ",".join(['"other creatres have +1 power"'] * 8) + "]"
    return (_HEAD + "\n".join(_card(n, *wrong, hidden) for n in range(1_000))).encode()


def _long_line_toml() -> bytes:
    text = "gain 1 life, then\n" * 50_000
    return (_HEAD + _card(0, f'play="""{text}"""')).encode()


#: Files by name, and what makes each of them.
_MADE: dict[str, Callable[[], bytes]] = {
    "long_cell.xlsx": lambda: _rats("a" * 500_000, 1),
    "thousand_long_cells.xlsx": lambda: _rats("a" * 500_000, 1_000),
    "cell_of_many_words.xlsx": lambda: _rats("gain 1 life then " * 4_000, 100),
    "cell_of_letters.xlsx": lambda: _rats("a " * 250_000, 10),
    "many_strings.xlsx": lambda: _xlsx([], ["a"] * 1_500_000),
    "many_cells.xlsx": lambda: _xlsx(["x"] * 60 for _ in range(5_000)),
    "wide_rows.xlsx": lambda: _xlsx(["x"] * 16_000 for _ in range(150)),
    "many_rows.xlsx": lambda: _xlsx(["x"] for _ in range(100_000)),
    "evolving.csv": lambda: _csv(*(f"c{n},C{n},1,,c{n + 1},{int(n == 0)},," for n in range(4_999))),
    "evolving_nowhere.csv": lambda: _csv(*(f"card{n},C{n},1,,crad{n},1,," for n in range(4_999))),
    "faulty.csv": lambda: _csv(
        *(f"c{n},C{n},1,FRENZI,,1,gian 1 life,this hsa SNEAKY" for n in range(4_999))
    ),
    "long_words.csv": lambda: _csv(
        *(f"c{n},C{n},1,{'x' * 180_000},,1,{'y' * 5_000}," for n in range(5))
    ),
    "many_keywords.csv": lambda: _csv(f"c,C,1,{'FRENZI ' * 100_000},,1,,"),
    "many_lines.csv": _many_lines_csv,
    "many_headings.csv": lambda: (
        ",".join(f"card_id{n}" for n in range(99)) + "\n" + "\n".join(["x," * 98] * 4_000)
    ).encode(),
    "good.toml": lambda: _toml(lambda n: _card(n)),
    "good_lines.toml": lambda: _toml(lambda n: _card(n, 'play="gain 1 life"')),
    "faulty.toml": lambda: _toml(lambda n: _card(n, 'play="gian 1 life"')),
    "evolving.toml": lambda: _toml(
        lambda n: _card(n, f'evolves_to="c{n + 1}"', *([] if n == 0 else ["copies=0"]))
    ),
    "evolving_nowhere.toml": lambda: _toml(lambda n: _card(n, f'evolves_to="cc{n}"')),
    "faulty_lines.toml": _faulty_lines_toml,
    "unknown_fields.toml": lambda: (
        _HEAD + "[c]\n" + "\n".join(f"powr{n}=1" for n in range(70_000))
    ).encode(),
    "unknown_keys.toml": lambda: "\n".join(f"powr{n}=1" for n in range(70_000)).encode(),
    "dotted_keys.toml": lambda: "\n".join(f"b{n}" + ".a" * 990 + "=1" for n in range(490)).encode(),
    "nested.toml": lambda: ("a=" + "[\n" * 400_000).encode(),
    "inline_tables.toml": lambda: "\n".join(
        f"b{n}=" + "{a=" * 90 + "1" + "}" * 90 for n in range(2_000)
    ).encode(),
    "long_line.toml": _long_line_toml,
    "open_quotes.toml": lambda: ("a='''" + "'" * 0 + "x\n" * 400_000).encode(),
    "long_ids.toml": lambda: _toml(lambda n: f'[c{n}{"x" * 1_900}]\nname="C{n}"\npower=0\n'),
    "leave_out.toml": lambda: (
        b'sets=["first_contact"]\nleave_out=['
        + b",\n".join(f'"killer_be{n}"'.encode() for n in range(45_000))
        + b"]\n"
    ),
    "copies.toml": lambda: (
        b'sets=["first_contact"]\n[copies]\n'
        + b"\n".join(f"killer_be{n}=1".encode() for n in range(45_000))
    ),
    "many_sets.toml": lambda: (
        b"sets=[" + b",\n".join(f'"first_contct{n}"'.encode() for n in range(45_000)) + b"]\n"
    ),
}


@frozen
class _Taken:
    """What the command that reads a file took: seconds, those of a processor, bytes; its status."""

    seconds: float
    busy: float
    memory: int
    message: int
    status: int

    @property
    def is_little(self) -> bool:
        """Whether it is within what a file may take."""
        sizes = self.memory <= MOST_MEMORY and self.message <= MOST_MESSAGE
        return self.busy <= MOST_SECONDS and sizes and self.status in (0, 2)


def _measure(path: Path) -> _Taken:
    """Read a file by the command line, in a process of its own."""
    target = path.with_suffix(".made.toml")
    words = ["check", str(path)] if path.suffix == ".toml" else ["import", str(path), str(target)]
    code = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, timeout=100)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(len(done.stdout) + len(done.stderr), done.returncode,"
        " used.ru_maxrss * 1024, used.ru_utime + used.ru_stime)"
    )
    command = [sys.executable, "-c", "from reports.cli.start import main; main()", "cards", *words]
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - begun
    message, status, memory, busy = done.stdout.split()
    return _Taken(seconds, float(busy), int(memory), int(message), int(status))


def main(wanted: list[str]) -> int:
    """Print the table; 1 if a file took more than it may."""
    good = True
    print("| file | bytes | seconds | of a processor | MB of memory | bytes of message | status |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, make in _MADE.items():
            if wanted and name not in wanted:
                continue
            content = make()
            assert len(content) < MOST_BYTES, name
            path = Path(folder, name)
            path.write_bytes(content)
            taken = _measure(path)
            good &= taken.is_little
            cells = (
                f"`{name}`",
                f"{len(content):,}",
                f"{taken.seconds:.1f}",
                f"{taken.busy:.1f}",
                f"{taken.memory / 1e6:.0f}",
                f"{taken.message:,}",
                f"{taken.status}",
            )
            print("|", " | ".join(cells), "|", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
