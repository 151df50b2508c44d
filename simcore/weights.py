"""Files of weights: what a player thinks that things are worth.

A weight has a name ``section.word`` and lies in a TOML file, in the table of that section.  Which
weights there are, each game says for itself.
"""

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from card_data.faults import did_you_mean
from simcore.sealed import DamagedError, RunError, read_file, write_file

_NAMES_TOLD = 5  # how many missing weights a message names

# Begins the line of a file with the checksum of all that stands below.
_SEAL = "# sha256="

Weights = npt.NDArray[np.float32]


class WeightFiles:
    """The files of one game's weights.

    ``counted`` has the names of weights, in the order of a vector of them, and what each counts;
    those that come with fairdeal lie in ``folder``.
    """

    def __init__(self, counted: Mapping[str, str], folder: Path) -> None:
        self._counted, self._folder = counted, folder
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
        places = {name: place for place, name in enumerate(self._counted)}
        weights = np.zeros(len(self._counted), np.float32)
        faults, missing = [], dict.fromkeys(self._counted)
        for section, words in sections.items():
            if not isinstance(words, dict):
                faults.append(f"{path}: {section!r} stands outside a section such as [creature]")
                continue
            for word, value in words.items():
                name = f"{section}.{word}"
                missing.pop(name, None)
                if name not in places:
                    meant = did_you_mean(name, self._counted, "")
                    faults.append(f"{path}: unknown weight {name!r}{meant}")
                elif isinstance(value, bool) or not isinstance(value, (int, float)):
                    faults.append(f"{path}: {name} is {value!r}; it must be a number")
                elif not abs(value) <= 1e6:
                    faults.append(f"{path}: {name} is {value!r}; it must lie within a million")
                else:
                    weights[places[name]] = value
        if missing:
            names = [*missing][:_NAMES_TOLD]
            more = f" and {len(missing) - len(names)} more" if len(missing) > len(names) else ""
            faults.append(
                f"{path}: no value for {', '.join(names)}{more}; write 0 for what is to count"
                " nothing"
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
        for (name, meaning), value in zip(self._counted.items(), weights, strict=True):
            head, word = name.split(".")
            if head != section:
                lines += ["", f"[{head}]"]
                section = head
            lines.append(f"{word} = {np.round(value, 4)!s}  # {meaning}")
        text = "\n".join(lines) + "\n"
        head = "".join(f"# {line}".rstrip() + "\n" for line in heading.splitlines())
        write_file(path, f"{head}{_SEAL}{_digest(text)}\n{text}".encode())

    def own(self, name: str = "learned") -> Weights:
        """The weights of a policy as they come with fairdeal; do not change."""
        if name not in self._own:
            self._own[name] = self.read(self._folder / f"{name}.toml")
        return self._own[name]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
