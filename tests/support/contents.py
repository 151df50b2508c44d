"""What lies in a folder, to be compared with another."""

from pathlib import Path


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder, hidden ones included, or every object of a store, by its place."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
