"""Files of weights: what a player thinks that things are worth.

A weight has a name ``section.word`` and lies in a TOML file, in the table of that section.  Which
weights there are, each game says for itself: ``counted`` has their names, in the order of a vector
of weights, and what each counts.
"""

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rapidfuzz import process

from simcore.sealed import DamagedError, RunError, read_file, write_file

_NAMES_TOLD = 5  # how many missing weights a message names

# Begins the line of a file with the checksum of all that stands below.
_SEAL = "# sha256="

Weights = npt.NDArray[np.float32]


def read_weights(path: Path, counted: Mapping[str, str]) -> Weights:
    """The weights of a file, shape (len(counted),).

    Raises
    ------
    DamagedError
        For a file that cannot be read or is not TOML, that was changed since training wrote it, an
        unknown weight (naming the nearest one), one that the file does not name, and a value that
        is not a finite number; all of them at once.
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
    places = {name: place for place, name in enumerate(counted)}
    weights = np.zeros(len(counted), np.float32)
    faults, missing = [], dict.fromkeys(counted)
    for section, words in sections.items():
        if not isinstance(words, dict):
            faults.append(f"{path}: {section!r} stands outside a section such as [creature]")
            continue
        for word, value in words.items():
            name = f"{section}.{word}"
            missing.pop(name, None)
            if name not in places:
                nearest = process.extractOne(name, list(counted))[0]
                faults.append(f"{path}: unknown weight {name!r}; did you mean {nearest!r}?")
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
            f"{path}: no value for {', '.join(names)}{more}; write 0 for what is to count nothing"
        )
    if faults:
        raise DamagedError("\n".join(faults))
    return weights


def write_weights(
    weights: Weights, path: Path, counted: Mapping[str, str], *, heading: str
) -> None:
    """Write weights as a file that `read_weights` reads; ``heading`` becomes comments on top.

    Below it stands a checksum, so that a weight that was damaged is not played with.  The file
    appears whole or not at all.  Raises RunError when the disk will not take it.
    """
    lines = []
    section = ""
    for (name, meaning), value in zip(counted.items(), weights, strict=True):
        head, word = name.split(".")
        if head != section:
            lines += ["", f"[{head}]"]
            section = head
        lines.append(f"{word} = {np.round(value, 4)!s}  # {meaning}")
    text = "\n".join(lines) + "\n"
    head = "".join(f"# {line}".rstrip() + "\n" for line in heading.splitlines())
    write_file(path, f"{head}{_SEAL}{_digest(text)}\n{text}".encode())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
