"""Files of weights: what a player thinks that things are worth.

A weight has a name ``section.word`` and lies in a TOML file, in the table of that section.  Which
weights there are, each game says for itself.
"""

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from card_data.faults import did_you_mean
from simcore.sealed import DamagedError, RunError, read_file, write_file

_NAMES_TOLD = 5  # how many weights a message names
_MOST = 1e6  # and how large a weight may be

# Begins the line of a file with the checksum of all that stands below.
_SEAL = "# sha256="

Weights = npt.NDArray[np.float32]


class WeightFiles:
    """The files of one game's weights.

    ``counted`` has the names of weights, in the order of a vector of them, and what each counts;
    ``widths`` how many numbers those have that are rows of them.  The weights that come with
    fairdeal lie in ``folder``.
    """

    def __init__(
        self, counted: Mapping[str, str], folder: Path, widths: Mapping[str, int] | None = None
    ) -> None:
        self._counted, self._folder = counted, folder
        ends = np.cumsum([(widths or {}).get(name, 1) for name in counted]).tolist()
        self._places = dict(zip(counted, map(slice, [0, *ends], ends), strict=False))
        self._own: dict[str, Weights] = {}

    def read(self, path: Path) -> Weights:
        """The weights of a file, shape (n_weights,).

        Raises
        ------
        DamagedError
            For a file that cannot be read or is not TOML, that was changed since training wrote it,
            an unknown weight (naming the nearest one), one that the file does not name, and a value
            that is not a finite number; all of them at once.
        """
        try:
            text = read_file(path).decode("utf-8")
            sections = tomllib.loads(text)
        except (RunError, OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise DamagedError(f"{path}: the weights cannot be read: {error}") from error
        _, sealed, below = text.partition(_SEAL)
        if sealed and not below.startswith(_digest(below.partition("\n")[2])):
            raise DamagedError(
                f"{path}: the weights are not those that training wrote; if they were changed on"
                f" purpose, delete the line that begins with '{_SEAL.strip()}'"
            )
        weights = np.zeros(max(place.stop for place in self._places.values()), np.float32)
        faults, missing, rows = [], dict.fromkeys(self._counted), list[str]()
        for section, words in sections.items():
            if not isinstance(words, dict):
                faults.append(f"{path}: {section!r} stands outside a section such as [creature]")
                continue
            for word, value in words.items():
                name = f"{section}.{word}"
                missing.pop(name, None)
                if name not in self._places:
                    meant = did_you_mean(name, self._counted, "")
                    faults.append(f"{path}: unknown weight {name!r}{meant}")
                    continue
                place = self._places[name]
                row, width = value if isinstance(value, list) else [value], place.stop - place.start
                if len(row) != width:
                    rows.append(name)
                elif wrong := [one for one in row if not _is_number(one)]:
                    faults.append(f"{path}: {name} is {wrong[0]!r}; it must be a number")
                elif wrong := [one for one in row if not abs(one) <= _MOST]:
                    faults.append(f"{path}: {name} is {wrong[0]!r}; it must lie within a million")
                else:
                    weights[place] = row
        if rows:
            faults.append(
                f"{path}: {_some(rows)} have not as many numbers as they must; what an earlier"
                " fairdeal trained must be trained anew"
            )
        if missing:
            faults.append(
                f"{path}: no value for {_some([*missing])}; write 0 for what is to count nothing"
            )
        if faults:
            raise DamagedError("\n".join(faults))
        return weights

    def write(self, weights: Weights, path: Path, *, heading: str) -> None:
        """Write weights as a file that `read` reads; ``heading`` becomes comments on top.

        Below it stands a checksum, so that a weight that was damaged is not played with.  The file
        appears whole or not at all.  Raises RunError when the disk will not take it.
        """
        lines = []
        section = ""
        for name, meaning in self._counted.items():
            row = [f"{np.round(value, 4)!s}" for value in weights[self._places[name]]]
            head, word = name.split(".")
            if head != section:
                lines += ["", f"[{head}]"]
                section = head
            value = row[0] if len(row) == 1 else f"[{', '.join(row)}]"
            lines.append(f"{word} = {value}  # {meaning}")
        text = "\n".join(lines) + "\n"
        head = "".join(f"# {line}".rstrip() + "\n" for line in heading.splitlines())
        write_file(path, f"{head}{_SEAL}{_digest(text)}\n{text}".encode())

    def own(self, name: str = "learned") -> Weights:
        """The weights of a policy as they come with fairdeal; do not change."""
        if name not in self._own:
            self._own[name] = self.read(self._folder / f"{name}.toml")
        return self._own[name]


def _some(names: list[str]) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - _NAMES_TOLD} more" if len(names) > _NAMES_TOLD else ""
    return ", ".join(names[:_NAMES_TOLD]) + more


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
