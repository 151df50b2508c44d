"""The lock files of `make locks` hold what pyproject.toml asks for, with hashes."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NEEDED: dict[str, Sequence[str]] = {
    "build": PROJECT["build-system"]["requires"],
    "run": PROJECT["project"]["dependencies"],
} | {
    extra: [*PROJECT["project"]["dependencies"], *more]
    for extra, more in PROJECT["project"]["optional-dependencies"].items()
}
#: One package in a lock file: what is installed where, its hashes, and who asked for it.
PACKAGE = re.compile(
    r"^(?P<requirement>[\w.-]+==.*?) \\\n(?P<hashes>(?:    --hash=.*\n)+)(?P<asked>(?:    #.*\n)*)",
    re.MULTILINE,
)


def text_of(lock: str) -> str:
    return (ROOT / "locks" / f"{lock}.txt").read_text()


def packages_in(text: str) -> dict[str, list[tuple[Requirement, str]]]:
    """What a lock file holds, by name: the version of each system, and who asked for it."""
    found: dict[str, list[tuple[Requirement, str]]] = {}
    for package in PACKAGE.finditer(text):
        requirement = Requirement(package["requirement"])
        found.setdefault(canonicalize_name(requirement.name), []).append(
            (requirement, package["asked"])
        )
    return found


def faults_of(text: str, needed: Sequence[str]) -> list[str]:
    """What is wrong with the text of a lock file for these requirements."""
    packages = packages_in(text)
    roots: dict[str, Requirement] = {}
    for requirement in map(Requirement, needed):
        roots[canonicalize_name(requirement.name)] = requirement
    faults = [f"{name} is not locked" for name in roots.keys() - packages.keys()]
    for name, versions in packages.items():
        for locked, asked in versions:
            version = next(iter(locked.specifier)).version
            if name in roots and version not in roots[name].specifier:
                faults.append(f"{locked} is locked, where {roots[name]} is needed")
            if name not in roots and re.search(r"fairdeal \(pyproject|via -r", asked):
                faults.append(f"{name} is locked, and no longer needed")
    return faults


@pytest.mark.parametrize("lock", NEEDED)
def test_a_lock_is_what_pyproject_asks_for(lock: str) -> None:
    """Nothing is missing, outside its range or left over; `make locks` mends it."""
    assert faults_of(text_of(lock), NEEDED[lock]) == []


def test_every_extra_has_a_lock_and_every_lock_an_extra() -> None:
    """The folder has no other file."""
    assert {path.stem for path in (ROOT / "locks").iterdir()} == NEEDED.keys()


@pytest.mark.parametrize("lock", NEEDED)
def test_every_line_of_a_lock_is_a_package_with_hashes(lock: str) -> None:
    """No address, no path, no option: what is installed is known by its SHA-256 alone."""
    text = text_of(lock)
    rest = PACKAGE.sub("", text).splitlines()
    assert [line for line in rest if not line.startswith("#")] == []
    hashes = re.findall(r"--hash=(\S+)", text)
    assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in hashes)
    assert "://" not in text


def test_a_package_has_one_version_in_all_locks() -> None:
    """Extras can be installed beside one another, and tests saw what users get."""
    versions: dict[str, dict[str, set[str]]] = {}
    for lock in NEEDED:
        for name, found in packages_in(text_of(lock)).items():
            pinned = {str(one.specifier) for one, _ in found}
            versions.setdefault(name, {})[lock] = pinned
    apart = {
        name: locks
        for name, locks in versions.items()
        if len({*map(frozenset, locks.values())}) > 1
    }
    assert apart == {}


def test_a_stale_lock_is_found() -> None:
    """A new requirement, a higher bound, and a requirement that went are each named."""
    text, needed = text_of("run"), NEEDED["run"]
    raised = [one.replace("attrs>=23.2", "attrs>=99") for one in needed]
    [fault] = faults_of(text, raised)
    assert "attrs>=99" in fault
    assert faults_of(text, [*needed, "zarr>=3"]) == ["zarr is not locked"]
    [fault] = faults_of(text, [one for one in needed if not one.startswith("cma")])
    assert fault.startswith("cma is locked")
